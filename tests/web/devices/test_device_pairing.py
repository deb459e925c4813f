"""Tests of pairing devices over HTTP, and of refused codes."""

from __future__ import annotations

import re

import pytest
import segno
from each_row import each_row
from paired_devices import DeviceBrowser, first_device_id, refusal

from ordws.identity.devices import MAX_WRONG_PER_SECOND


def test_a_code_pairs_a_device_once(club, service, name):
    """A code is shown once and pairs a device, which gets a cookie and can then see where it is paired."""
    given = club.post("/v1/devices", {"table": "Table 3", "log": False})
    code = given.json["code"]
    assert re.fullmatch("[2-9A-HJKMNP-TV-Z]{5}-[2-9A-HJKMNP-TV-Z]{5}", code)
    assert (given.status_code, given.json) == (
        201,
        {"code": code, "table": "Table 3", "expires": "2026-11-21T12:15:00Z", "link": None, "qr": None},
    )
    tablet = DeviceBrowser(service)
    assert refusal(tablet.get("/v1/device")) == (401, "not-paired")
    reply = tablet.pair(code.lower().replace("-", " "))
    assert (reply.status_code, reply.json) == (200, {"table": "Table 3", "club": name})
    assert tablet.get("/v1/device").json == {
        "table": "Table 3",
        "club": name,
        "kind": "operator",
        "director": False,
        "edition": "ORDWS 2026",
        "reference": "the open players' list",
        "signs": False,
    }
    device = {
        "id": first_device_id(club),
        "table": "Table 3",
        "paired": "2026-11-21T12:00:00Z",
        "log": False,
        "director": False,
        "seen": "2026-11-21T12:00:00Z",
    }
    assert club.get("/v1/devices").json == {"kind": "operator", "most": 100, "devices": [device]}


def test_a_code_comes_with_a_link_and_its_picture(club, service):
    """Where the address of the service is sent, the code must come as a link too, and as a QR code of that link."""
    given = club.post("/v1/devices", {"table": "Table 3", "address": "https://club.example/"}).json
    link = f"https://club.example/judge#pair={given['code'].replace('-', '')}"
    assert given["link"] == link
    assert given["qr"] == segno.make_qr(link).svg_data_uri(scale=4, border=4, light="#fff")
    assert DeviceBrowser(service).pair(given["code"]).status_code == 200


@each_row(
    "address", ["club.example", "javascript:alert(1)", "https://club.example/#x", "https://a b", f"https://{'a' * 200}"]
)
def test_an_address_that_is_none_is_refused(club, address):
    """The address for a link must be one of a web service, without a path."""
    assert refusal(club.post("/v1/devices", {"table": "t", "address": address})) == (400, "bad-request")


def test_a_home_key_pairs_three_devices_and_nothing_more(home):
    """A home key must pair three devices of one household; logs and directors' devices are for operators."""
    assert (home.get("/v1/devices").json["kind"], home.get("/v1/devices").json["most"]) == ("home", 3)
    for room in ("Kitchen", "Garden", "Attic"):
        home.pairs(room)
    full = home.post("/v1/devices", {"table": "Cellar"})
    assert refusal(full) == (409, "too-many-devices")
    assert "a home key pairs 3 devices of one household" in full.json["detail"]
    refused = [
        home.post("/v1/devices", {"table": "t", "log": True}),
        home.post("/v1/devices", {"table": "t", "director": True}),
        home.get("/v1/devices/log"),
        home.post("/v1/devices/log/find", {"words": ["CAT"]}),
    ]
    assert [refusal(reply) for reply in refused] == [(403, "operators-only")] * 4
    assert "pairs three devices of one household and nothing more" in refused[0].json["detail"]


def test_the_cookie_is_restricted_to_this_service(club, service):
    """The cookie must be hidden from scripts and other sites, sent to /v1 only, and last 400 days."""
    reply = DeviceBrowser(service).pair(club.code("Table 3"))
    (cookie,) = reply.headers.getlist("Set-Cookie")
    assert re.fullmatch("ordws_device=[0-9A-Za-z_-]{43}; Max-Age=34560000; Path=/v1; HttpOnly; SameSite=Strict", cookie)
    assert reply.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("how", [{"base_url": "https://localhost"}, {"headers": {"X-Forwarded-Proto": "https"}}])
def test_over_tls_the_cookie_is_secure(club, service, how):
    """A request over TLS, here or at a proxy, must set a Secure cookie."""
    code = {"code": club.code("Table 3")}
    (cookie,) = service.app.test_client().post("/v1/pair", json=code, **how).headers.getlist("Set-Cookie")
    assert cookie.endswith("; SameSite=Strict; Secure")


def test_every_wrong_code_gets_the_same_answer(club, service, clock):
    """Wrong, used, expired and malformed codes must get the same body and headers."""
    used, expired = club.code("a"), club.code("b")
    DeviceBrowser(service).pair(used)
    clock.now += 900
    told = set()
    for code in (used, expired, "K7QXF-93MD2", "no code", ""):
        reply = DeviceBrowser(service).pair(code)
        assert refusal(reply) == (403, "bad-code")
        told.add((re.sub(rb"id-\d+", b"", reply.data), tuple(reply.headers.keys())))
    assert len(told) == 1


def test_wrong_codes_are_limited_to_600_a_second(club, service, clock):
    """After 600 wrong codes in a second no code may be checked before the next, while paired devices go on."""
    clock.now += 7_200  # in a second of its own
    tablet, code = club.pairs("Table 3"), club.code("Table 4")
    for number in range(MAX_WRONG_PER_SECOND):
        assert service.services.devices.pair("K7QXF-93MD2", clock.now, address=f"{number % 10}") is None
    replies = [DeviceBrowser(service).pair(each) for each in (code, "K7QXF-93MD2")]
    assert [refusal(reply) for reply in replies] == [(429, "too-many-guesses")] * 2
    assert {reply.headers["Retry-After"] for reply in replies} == {"1"}
    assert tablet.judge("LOVERS").data == b'{"valid":true }'
    clock.now += 1
    assert DeviceBrowser(service).pair(code).status_code == 200


def test_one_address_does_not_stop_the_pairing_of_others(club, service, clock):
    """An address that guesses must be refused for itself, and a device at another address pairs."""
    clock.now += 10_800  # in a second of its own
    code = club.code("Table 4")

    def pair(code, address):
        there = {"REMOTE_ADDR": address}
        return service.http.post("/v1/pair", json={"code": code}, environ_overrides=there)

    guesses = [pair("K7QXF-93MD2", "192.0.2.1") for _ in range(MAX_WRONG_PER_SECOND)]
    assert refusal(guesses[0]) == (403, "bad-code")
    assert refusal(guesses[-1]) == (429, "too-many-guesses")
    assert pair(code, "192.0.2.2").status_code == 200


def test_a_25th_code_is_refused(club):
    """A 25th unused code of a client must be refused."""
    for _ in range(24):
        club.code("t")
    assert refusal(club.post("/v1/devices", {"table": "t"})) == (409, "too-many-devices")


@each_row("body", [{"table": ""}, {"table": " "}, {"table": "a\nb"}, {"table": "a" * 65}, {}, {"table": "t", "log": 1}])
def test_the_name_of_a_table_must_be_printable(club, body):
    """A table's name must be printable and not blank."""
    assert refusal(club.post("/v1/devices", body)) == (400, "bad-request")
