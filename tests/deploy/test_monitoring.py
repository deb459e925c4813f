"""The shipped dashboard and alerts use existing metrics, and lead to the runbook."""

from __future__ import annotations

import json
import re
from contextlib import closing
from types import SimpleNamespace
from urllib.request import urlopen

import pytest
import yaml
from deployment import DEPLOY
from each_row import each_row
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import Client

from ordws.cli.guard import open_gate
from ordws.computer.metrics import ComputerMetrics
from ordws.computer.process import ComputerCounts
from ordws.desk.events import Events
from ordws.desk.process import DeskMetrics
from ordws.guard.leaks import read_guard_status
from ordws.metrics_server import serve_metrics
from ordws.stream.hub import StreamCounts
from ordws.stream.metrics import StreamMetrics
from ordws.web.metrics import Metrics
from ordws.web.senders import MAX_HELD, SLOTS
from ordws.web.serving import create_app
from ordws.web.telemetry import RequestCounts

RULES = yaml.safe_load((DEPLOY / "alerts.yml").read_text())
BOARD = json.loads((DEPLOY / "grafana.json").read_text())
SCRAPES = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
ALERTS = [rule for group in RULES["groups"] for rule in group["rules"]]
QUERIES = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
FROM_PROMETHEUS = {"up", "job", "instance"}
FIGURES = set(re.findall(r'echo "(ordws_\w+) ', (DEPLOY / "ordws-figures").read_text()))


@pytest.fixture(scope="module")
def metric_labels(shared_installation):
    """Return the names of all metrics, each with its labels, of a service after some traffic."""
    services = shared_installation.services()
    counts = RequestCounts.create(1)
    client = Client(create_app(services, counts=counts.claim_row()).wsgi_app)
    headers = {"Authorization": f"Bearer {shared_installation.key}"}
    for words in (["CAT"], ["C4T"], ["LOVERS", "QUIZ"], [f"ZZ{letter}QX" for letter in "ABCDEFGH"]):
        client.post("/v1/judge", json={"words": words}, headers=headers)
    gate = open_gate(shared_installation.instance)
    labels_by_name = {}
    metrics = Metrics(counts, lambda: read_guard_status(gate, 1_795_262_400))
    beside = StreamMetrics(StreamCounts()), ComputerMetrics(ComputerCounts())
    for render in (metrics.render, *[each.render for each in beside]):
        with serve_metrics("127.0.0.1", 0, render) as listener, closing(urlopen(listener.url)) as page:
            for family in text_string_to_metric_families(page.read().decode()):
                for sample in family.samples:
                    labels_by_name.setdefault(sample.name, set()).update(sample.labels)
    return labels_by_name


@pytest.fixture(scope="module")
def labels_of_all(metric_labels, tmp_path_factory):
    """Return those names and labels, with the desk's; what the exporter has is from its documentation."""
    events = Events(tmp_path_factory.mktemp("events"))
    online = SimpleNamespace(behind=0, stepped_at=0)
    labels = {**metric_labels, **{name: set() for name in FIGURES}}
    for family in DeskMetrics(events, online).collect():
        labels |= {sample.name: set(sample.labels) for sample in family.samples}
    return labels | {
        "node_systemd_unit_state": {"name", "state", "type"},
        "node_filesystem_avail_bytes": {"device", "fstype", "mountpoint"},
        "node_filesystem_size_bytes": {"device", "fstype", "mountpoint"},
        "node_textfile_mtime_seconds": {"file"},
    }


@each_row("query", [*QUERIES, *[rule["expr"] for rule in ALERTS]])
def test_every_metric_and_label_of_a_query_exists(labels_of_all, query):
    """Every metric and label of a query exists, or a panel would stay empty and an alert silent."""
    names = set(re.findall(r"\b((?:ordws|node)_\w+)", re.sub(r'"[^"]*"', "", query)))
    assert names <= set(labels_of_all)
    assert names or "up{" in query
    labels = {label for name in names for label in labels_of_all[name]} | FROM_PROMETHEUS
    compared = re.findall(r"(\w+)(?:=~|!=|=)\"", query)
    grouped = [label.strip() for group in re.findall(r"by \(([^)]*)\)", query) for label in group.split(",")]
    assert {*compared, *grouped} <= labels


def test_every_metric_is_on_the_dashboard(metric_labels):
    """Every metric of the service is on the dashboard."""
    seen = set(re.findall(r"ordws_\w+", "\n".join(QUERIES)))
    missing = {name for name in metric_labels if not name.endswith("_created")} - seen
    assert missing <= {"ordws_request_seconds_count", "ordws_request_seconds_sum"}


@each_row("rule", ALERTS)
def test_each_alert_has_a_sentence_a_severity_and_a_runbook_section(rule):
    """Each alert has a sentence, a severity, and a section of the runbook."""
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["summary"]
    file, _, heading = rule["annotations"]["runbook_url"].partition("#")
    headings = re.findall(r"^#+ (.*)$", (DEPLOY / file).read_text(), re.MULTILINE)
    assert heading in [re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in headings]


def test_prometheus_scrapes_the_address_of_the_unit():
    """prometheus.yml names the addresses of the units, the job of the alerts, and their file."""
    scraped, node = SCRAPES["scrape_configs"]
    assert SCRAPES["rule_files"] == ["alerts.yml"]
    assert scraped["job_name"] == "ordws"
    targets = scraped["static_configs"][0]["targets"]
    for target, unit in zip(targets, ("ordws.service", "ordws-stream.service", "ordws-computer.service"), strict=True):
        assert f"--metrics {target}\n" in (DEPLOY / unit).read_text()
    (exporter,) = node["static_configs"][0]["targets"]
    assert f"--web.listen-address={exporter} " in (DEPLOY / "README.md").read_text()
    # The runbook has the desk's job, for the host on which it runs.
    jobs = {scraped["job_name"], node["job_name"], "ordws-desk"}
    assert {job for rule in ALERTS for job in re.findall(r'job="([^"]*)"', rule["expr"])} == jobs
    assert all("job=" in rule["expr"] for rule in ALERTS)
    assert "--metrics 127.0.0.1:9466" in (DEPLOY / "ordws-desk.service").read_text()


def test_panels_do_not_overlap():
    """The panels of the dashboard do not overlap."""
    taken = [
        (x, y)
        for at in (panel["gridPos"] for panel in BOARD["panels"])
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(taken) == len(set(taken))
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert max(x for x, _ in taken) < 24


def test_the_dashboard_states_the_concurrency_limits():
    """The dashboard states the program's own limits on concurrent requests."""
    (says,) = [panel["description"] for panel in BOARD["panels"] if panel["title"] == "Requests in progress"]
    assert says.startswith(f"A worker answers {SLOTS} requests at a time, and holds {MAX_HELD} in all;")
