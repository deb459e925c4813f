"""Tests of the metrics, and of what they must not contain."""

from __future__ import annotations

import http.client
import re
import shutil
import socket

import pytest
from each_row import each_row
from prometheus_client.parser import text_string_to_metric_families

from ordws.errors import BadInput, StoreDown
from ordws.guard.charge import Identity, Question
from ordws.guard.gate import Gate
from ordws.guard.guests import GuestGames, GuestGamesLeft
from ordws.guard.leaks import GuardStatus, SharedBudgetDay, read_guard_status
from ordws.guard.policy import DAY, Policy
from ordws.metrics_server import serve_metrics
from ordws.web.metrics import Metrics, in_steps
from ordws.web.telemetry import RequestCounts

QUIET = GuardStatus(SharedBudgetDay(1, 12, 500, 3, 10_000), {"share": 0, "run": 2}, GuestGamesLeft(5, 8, 0))
COUNTED = re.compile(r"[a-z_]+(\{[^}]*\})? [0-9.e+]+")


@pytest.fixture
def counts():
    return RequestCounts.create(1)


@pytest.fixture
def counted(serve, counts):
    """The service of the installation, with its requests counted."""
    return serve(counts=counts.claim_row())


def read(page):
    """Return every number by its name and labels, as a scraper reads them."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(page.decode())
        for sample in family.samples
    }


def test_requests_and_refusals(serve, counts):
    """Requests are counted by route template and status, refusals by code and budget; unknown paths are one route."""
    counted = serve(Policy(outside_a_day=3), counts=counts.claim_row())
    counted.judge("LOVERS")
    counted.judge("ZAG")
    counted.judge("C4T")
    counted.judge("LOVERS", key="ordws_live_wrong")
    counted.http.get("/v1/judge/LOVERS")
    counted.judge("QUIZ")
    counted.judge("ZAX")
    found = read(Metrics(counts, lambda: QUIET).render())
    by_status = {key[1:]: value for key, value in found.items() if key[0] == "ordws_requests_total"}
    assert by_status == {
        (("route", "-"), ("status", "404")): 1,
        (("route", "/v1/judge"), ("status", "200")): 3,
        (("route", "/v1/judge"), ("status", "400")): 1,
        (("route", "/v1/judge"), ("status", "401")): 1,
        (("route", "/v1/judge"), ("status", "429")): 1,
    }
    refused = {key[1:]: value for key, value in found.items() if key[0] == "ordws_refusals_total" and value}
    assert refused == {
        (("budget", ""), ("code", "bad-word")): 1,
        (("budget", ""), ("code", "unauthorized")): 1,
        (("budget", ""), ("code", "not-found")): 1,
        (("budget", "outside"), ("code", "budget-spent")): 1,
    }
    assert found["ordws_request_seconds_count", ("route", "/v1/judge")] == 6
    assert found["ordws_request_seconds_bucket", ("le", "+Inf"), ("route", "/v1/judge")] == 6


def test_the_metrics_do_not_depend_on_verdicts(serve, counts):
    """The metrics must be the same whatever the verdicts were, except for the times."""
    pages = []
    for word in ("LOVERS", "LAVERS"):
        counts = RequestCounts.create(1)
        service = serve(counts=counts.claim_row())
        assert service.judge(word, game="g").json == {"valid": word == "LOVERS"}
        pages.append(re.sub(rb"(?m)^ordws_request_seconds.*\n", b"", Metrics(counts, lambda: QUIET).render()))
    assert pages[0] == pages[1]


def test_a_failure_requested_by_a_test_key_is_no_store_failure(counted, counts, installation):
    """A failure that a test key asks for must count as a request, and not as a store failure."""
    key = installation.register.add("try", "home", 1, test=True)
    assert counted.judge("DOWN", key=key).status_code == 503
    found = read(Metrics(counts, lambda: QUIET).render())
    assert found["ordws_requests_total", ("route", "/v1/judge"), ("status", "503")] == 1
    assert found["ordws_store_failures_total",] == 0
    assert found["ordws_refusals_total", ("budget", ""), ("code", "store-down")] == 0


def test_a_lost_store_is_a_failure(counted, counts, installation):
    """Requests that a store did not answer must be counted, and the meters shown as down."""
    shutil.rmtree(installation.instance.meters)
    assert counted.judge("LOVERS").status_code == 503
    gate = Gate(counted.services.gate.policy, counted.services.gate.store, b"m" * 32)
    found = read(Metrics(counts, lambda: read_guard_status(gate, 1_795_262_400)).render())
    assert found["ordws_store_failures_total",] == 1
    assert found["ordws_meters_up",] == 0
    assert not any(name.startswith("ordws_world") for name, *_ in found)


def test_a_problem_without_a_body_is_counted_as_a_request(counted, counts):
    """A refused HEAD must count as a request without a code, because its reply has no body."""
    assert counted.http.head("/nowhere").status_code == 404
    found = read(Metrics(counts, lambda: QUIET).render())
    assert found["ordws_requests_total", ("route", "-"), ("status", "404")] == 1
    assert not any(value for key, value in found.items() if key[0] == "ordws_refusals_total")


def test_a_page_for_a_wrong_address_is_counted_as_a_request(counted, counts):
    """A page that a browser gets at a wrong address is counted by its status, and is no problem."""
    assert counted.http.get("/judges", headers={"Accept": "text/html"}).status_code == 404
    found = read(Metrics(counts, lambda: QUIET).render())
    assert found["ordws_requests_total", ("route", "-"), ("status", "404")] == 1
    assert {value for name, value in found.items() if name[0] == "ordws_refusals_total"} <= {0}


def test_the_metrics_show_shared_budgets_and_alarms(counts, installation):
    """The metrics must show the shared budgets, their caps, and identities in alarm by detector."""
    gate, now = installation.services().gate, 1_795_262_400
    core = installation.services().editions.current.core
    gate.admit(Identity("1", 0), Question(("LOVERS", "QUIZ"), 1, "g"), core, now)
    gate.admit(Identity("2", 0, is_verified=True), Question(("ZAX",), 1, "g"), core, now)
    GuestGames(gate).begin("g", now + DAY, now)
    found = read(Metrics(counts, lambda: read_guard_status(gate, now)).render())
    units = {name: value for (name, *_), value in found.items() if name.startswith("ordws_world_")}
    assert units == {
        "ordws_world_spent_units": 0,
        "ordws_world_cap_units": 500,
        "ordws_world_alarm_units": 400,
        "ordws_world_spent_core": 0,
        "ordws_world_cap_core": 2_000,
    }
    assert (found["ordws_guest_games_left",], found["ordws_guest_games_a_day",]) == (7, 8)
    signs = {labels[0][1]: value for (name, *labels), value in found.items() if name == "ordws_alarming_identities"}
    assert signs == {"run": 0, "pace": 0}
    tomorrow = read(Metrics(counts, lambda: read_guard_status(gate, now + DAY)).render())
    assert tomorrow["ordws_world_spent_units",] == 0


@each_row(
    ("spent", "cap", "shown"),
    [
        (0, 500, 0),
        (24, 500, 0),
        (25, 500, 25),
        (399, 500, 375),
        (400, 500, 400),
        (500, 500, 500),
        (3, 0, 0),
        (402, 502, 402),
    ],
)
def test_shared_budgets_are_shown_in_steps(spent, cap, shown):
    """A shared budget must be shown in twentieths of its cap, and four fifths as what they are."""
    assert in_steps(spent, cap) == shown


def test_a_single_question_does_not_show(installation, counts):
    """The page must be the same before and after a question, or it would tell what the question was charged."""
    gate, now = installation.services().gate, 1_795_262_400
    core = installation.services().editions.current.core
    pages = []
    for word in ("LOVERS", "QUIZ", "ZAX"):
        gate.admit(Identity("1", 0), Question((word,), 1, "g"), core, now)
        pages.append(Metrics(counts, lambda: read_guard_status(gate, now)).render())
    assert pages[0] == pages[1] == pages[2]


def test_the_metrics_contain_no_word_key_or_name(counted, counts, installation):
    """The metrics must contain no word, key, name, player or address, whatever was sent."""
    league = installation.register.add("league", "operator", 1_795_000_000)
    counted.judge("LOVERS", game="club night")
    counted.judge("ZAG", key=league, player="ann", game="table four")
    counted.http.get("/v1/judge/LOVERS?word=ZAG")
    counted.http.open("/v1/judge", method="LOVERS")
    page = Metrics(counts, lambda: read_guard_status(counted.services.gate, 1_795_262_400)).render().decode()
    for secret in ("LOVERS", "ZAG", "club night", "table four", "ann", installation.key, league, "league", "127.0.0.1"):
        assert secret.lower() not in page.lower(), secret
    assert all(COUNTED.fullmatch(line) for line in page.splitlines() if not line.startswith("#"))


def get(url, method="GET", **headers):
    """Return status and body of a reply."""
    host, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=10)
    try:
        connection.request(method, f"/{path}", headers=headers)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


@each_row(
    ("name", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:9464", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:9464", 200),
        ("evil.example", 421),
        ("evil.example:9464", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("192.0.2.1", 421),
        ("", 421),
    ],
)
def test_only_its_own_names_are_answered(name, status):
    """A name that somebody else's page made point here must get 421 and no metrics (DNS rebinding)."""
    with serve_metrics("127.0.0.1", 0, lambda: b"page") as listener:
        got, body = get(listener.url, Host=name)
    assert got == status
    assert (body == b"page") is (status == 200)


def test_the_name_of_the_option_is_answered(monkeypatch):
    """The name that `--metrics` gives must be answered too."""
    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *more, **named: resolve("127.0.0.1", *more, **named))
    with serve_metrics("metrics.internal", 0, lambda: b"page") as listener:
        assert get(listener.url, Host="metrics.internal:9464") == (200, b"page")
        assert get(listener.url, Host="other.internal")[0] == 421


@each_row("host", ["127.0.0.1", "localhost", "127.8.9.10"])
def test_only_get_metrics_is_answered(host):
    """Only GET /metrics must be answered, and after the end nothing listens."""
    with serve_metrics(host, 0, lambda: b"page") as listener:
        assert get(listener.url) == (200, b"page")
        assert get(f"{listener.url}?name[]=x") == (200, b"page")
        assert get(listener.url.replace("/metrics", "/v1/judge"))[0] == 404
        assert get(listener.url, "POST")[0] == 501
        url = listener.url
    with pytest.raises(ConnectionRefusedError):
        get(url)


def test_a_silent_connection_does_not_block_another():
    """A connection that sends nothing must not block another."""
    with (
        serve_metrics("127.0.0.1", 0, lambda: b"page") as listener,
        socket.create_connection(listener.server_address),
    ):
        assert get(listener.url) == (200, b"page")


@each_row("host", ["0.0.0.0", "192.0.2.1", "::"])
def test_a_public_address_is_refused(host):
    """An address that other hosts can reach must be refused."""
    with (
        pytest.raises(BadInput, match=f'metrics are for this host alone, and "{host}" is not its loopback'),
        serve_metrics(host, 0, bytes),
    ):
        pass


def test_a_taken_port_is_refused():
    """A port in use must be refused with its number and a hint."""
    with serve_metrics("127.0.0.1", 0, bytes) as first:
        port = first.server_address[1]
        with pytest.raises(BadInput, match=rf'metrics cannot be served on "127\.0\.0\.1:{port}"') as refused:
            serve_metrics("127.0.0.1", port, bytes).__enter__()
        assert refused.value.hint == "--metrics names another HOST:PORT of this host, or off"


def test_an_exception_is_logged_without_its_values(caplog):
    """An exception must be logged by type and place, and the server must go on."""
    faults = iter([KeyError("ZZXQV"), StoreDown("ZZXQV")])

    def page():
        for fault in faults:
            raise fault
        return b"page"

    with serve_metrics("127.0.0.1", 0, page) as listener:
        for _ in range(2):
            with pytest.raises(http.client.RemoteDisconnected):
                get(listener.url)
        assert get(listener.url) == (200, b"page")
    assert [record.getMessage().split(" at ")[0] for record in caplog.records] == [
        "the metrics could not be served: KeyError",
        "the metrics could not be served: StoreDown",
    ]
    assert "ZZXQV" not in caplog.text


def test_the_metrics_have_a_documented_shape(counts):
    """The names, kinds and labels of metrics, on which dashboards rely, must be these."""
    page = Metrics(counts, lambda: QUIET).render().decode()
    kinds = dict(line.split()[2:4] for line in page.splitlines() if line.startswith("# TYPE"))
    assert kinds == {
        "ordws_requests_total": "counter",
        "ordws_request_seconds": "histogram",
        "ordws_refusals_total": "counter",
        "ordws_store_failures_total": "counter",
        "ordws_requests_in_flight": "gauge",
        "ordws_edition_number": "gauge",
        "ordws_meters_up": "gauge",
        "ordws_world_spent_units": "gauge",
        "ordws_world_cap_units": "gauge",
        "ordws_world_alarm_units": "gauge",
        "ordws_world_spent_core": "gauge",
        "ordws_world_cap_core": "gauge",
        "ordws_guest_games_left": "gauge",
        "ordws_guest_games_a_day": "gauge",
        "ordws_alarming_identities": "gauge",
        "ordws_build_info": "gauge",
    }
