"""The board and the alerts that ship ask for metrics that there are, and lead to what a keeper does."""

from __future__ import annotations

import json
import re
from contextlib import closing
from urllib.request import urlopen

import pytest
import yaml
from deployment import DEPLOY
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import Client

from ordws.cli.guard import open_gate
from ordws.guard.leak_report import read_guard_status
from ordws.web.admission import MAX_CONCURRENT, MAX_WAITING
from ordws.web.flask_app import create_app
from ordws.web.metrics import CountingMiddleware, Metrics, serve_metrics
from ordws.web.request_counts import RequestCounts

RULES = yaml.safe_load((DEPLOY / "alerts.yml").read_text())
BOARD = json.loads((DEPLOY / "grafana.json").read_text())
SCRAPES = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
ALERTS = [rule for group in RULES["groups"] for rule in group["rules"]]
QUERIES = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
FROM_PROMETHEUS = {"up", "job", "instance"}


@pytest.fixture(scope="module")
def shown(shared_house):
    """The names of all metrics and the labels of each, of a house that was asked for its page after some traffic."""
    desk = shared_house.desk()
    counts = RequestCounts.create(1)
    client = Client(CountingMiddleware(create_app(desk).wsgi_app, counts.claim_row(lambda: desk.shelf.current.number)))
    headers = {"Authorization": f"Bearer {shared_house.key}"}
    for words in (["CAT"], ["C4T"], ["LOVERS", "QUIZ"], [f"ZZ{letter}QX" for letter in "ABCDEFGH"]):
        client.post("/v1/judge", json={"words": words}, headers=headers)
    gate = open_gate(shared_house.instance)
    found = {}
    metrics = Metrics(counts, lambda: read_guard_status(gate, 1_795_262_400))
    with serve_metrics("127.0.0.1", 0, metrics.render) as listener, closing(urlopen(listener.url)) as page:
        for family in text_string_to_metric_families(page.read().decode()):
            for sample in family.samples:
                found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.mark.parametrize("query", [*QUERIES, *[rule["expr"] for rule in ALERTS]])
def test_every_name_is_shown(shown, query):
    """A metric or label that the service does not have would be a panel that stays empty, or a silent alarm."""
    names = set(re.findall(r"\b(ordws_\w+)", re.sub(r'"[^"]*"', "", query)))
    assert names <= set(shown)
    assert names or "up{" in query
    labels = {label for name in names for label in shown[name]} | FROM_PROMETHEUS
    asked = re.findall(r"(\w+)(?:=~|!=|=)\"", query)
    grouped = [label.strip() for group in re.findall(r"by \(([^)]*)\)", query) for label in group.split(",")]
    assert {*asked, *grouped} <= labels


def test_every_metric_is_on_the_board(shown):
    """Nothing that the service tells goes unseen."""
    seen = set(re.findall(r"ordws_\w+", "\n".join(QUERIES)))
    left = {name for name in shown if not name.endswith("_created")} - seen
    assert left <= {"ordws_request_seconds_count", "ordws_request_seconds_sum"}


@pytest.mark.parametrize("rule", ALERTS, ids=[rule["alert"] for rule in ALERTS])
def test_an_alert_says_what_and_where(rule):
    """Each has a sentence, how urgent it is, and a section of the runbook."""
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["summary"]
    file, _, heading = rule["annotations"]["runbook_url"].partition("#")
    headings = re.findall(r"^#+ (.*)$", (DEPLOY / file).read_text(), re.MULTILINE)
    assert heading in [re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in headings]


def test_prometheus_reads_them_where_they_are_shown():
    """The example names the address that the unit names, the job that the rules name, and the file of the rules."""
    (scraped,) = SCRAPES["scrape_configs"]
    assert SCRAPES["rule_files"] == ["alerts.yml"]
    assert scraped["job_name"] == "ordws"
    assert f"--metrics {scraped['static_configs'][0]['targets'][0]}\n" in (DEPLOY / "ordws.service").read_text()
    assert all('job="ordws"' in rule["expr"] for rule in ALERTS)


def test_panels_do_not_overlap():
    """The board is drawn as it was laid out."""
    taken = [
        (x, y)
        for at in (panel["gridPos"] for panel in BOARD["panels"])
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(taken) == len(set(taken))
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert max(x for x, _ in taken) < 24


def test_the_board_says_how_many_are_answered_at_once():
    """In the numbers of the program."""
    (says,) = [panel["description"] for panel in BOARD["panels"] if panel["title"] == "Under way"]
    assert says.startswith(f"A worker answers {MAX_CONCURRENT} at a time, and {MAX_WAITING} wait for that;")
