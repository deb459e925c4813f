"""Tests of the end of pairings, and of what is logged and counted of devices."""

from __future__ import annotations

import json
import re

from each_row import each_row
from paired_devices import (
    DeviceBrowser,
    Director,
    first_device_id,
    get_device_with_cookie,
    make_director,
    refusal,
)
from small_installation import NOON
from werkzeug.test import Client

from ordws.web.serving import create_app
from ordws.web.telemetry import RefusalLabels


def test_a_device_can_unpair_itself(tablet, club, service, name):
    """A device that unpairs itself must have its cookie cleared, and the cookie must be invalid."""
    token = tablet.cookie
    assert get_device_with_cookie(service, f"ordws_device={token}").status_code == 200
    reply = tablet.post("/v1/device/forget", {})
    assert (reply.status_code, reply.json) == (200, {"table": "Table 3", "club": name})
    assert reply.headers["Set-Cookie"] == "ordws_device=; Max-Age=0; Path=/v1; HttpOnly; SameSite=Strict"
    assert tablet.cookie == ""
    for reply in (tablet.get("/v1/device"), get_device_with_cookie(service, f"ordws_device={token}")):
        assert refusal(reply) == (401, "not-paired")
    assert club.get("/v1/devices").json == {"kind": "operator", "most": 100, "devices": []}


def test_a_revoked_device_is_refused_at_once(tablet, club):
    """A revoked device must be refused at once, like an unknown one."""
    path = f"/v1/devices/{first_device_id(club)}/revoke"
    reply = club.post(path, {})
    assert (reply.status_code, reply.json["table"]) == (200, "Table 3")
    assert refusal(tablet.get("/v1/device")) == (401, "not-paired")
    assert refusal(tablet.judge("LOVERS")) == (401, "unauthorized")
    assert refusal(club.post(path, {})) == (404, "not-found")


def test_a_director_sees_the_devices_of_their_own_club_alone(tablet, club, service, installation, name):
    """Another club's devices must not be listed or revoked, and must look like devices that never were."""
    other = make_director(service, installation, f"not {name}")
    assert other.get("/v1/devices").json == {"kind": "operator", "most": 100, "devices": []}
    replies = [other.post(f"/v1/devices/{number}/revoke", {}) for number in (first_device_id(club), 9999)]
    assert len({re.sub(rb"id-\d+", b"", reply.data) for reply in replies}) == 1
    assert tablet.judge("LOVERS").status_code == 200


@each_row("number", ["0", "-1", "x", "1" * 19, "1.0", "\u0661", "1%20"])
def test_a_path_that_names_no_device_gets_404(tablet, club, number):
    """A path that names no device must get 404."""
    assert refusal(club.post(f"/v1/devices/{number}/revoke", {})) == (404, "not-found")


def test_a_device_ends_with_the_last_key(service, installation, name, clock):
    """Devices and codes must end in the second in which the client's last key does."""
    club = Director(service, installation.register.add(f"trial of {name}", "operator", NOON, expires=NOON + 600))
    tablet, code = club.pairs("Table 3"), club.code("Table 4")
    clock.now += 600
    assert refusal(club.get("/v1/devices")) == (401, "unauthorized")
    assert refusal(tablet.judge("LOVERS")) == (401, "unauthorized")
    assert refusal(tablet.get("/v1/device")) == (401, "not-paired")
    assert refusal(DeviceBrowser(service).pair(code)) == (403, "bad-code")


def test_a_revoked_client_has_no_devices(tablet, installation, name):
    """The key and the devices of a revoked client must stop together."""
    installation.register.revoke(name, 1)
    assert refusal(tablet.judge("LOVERS")) == (401, "unauthorized")
    assert refusal(tablet.get("/v1/device")) == (401, "not-paired")


def test_a_device_has_the_scopes_of_its_client(service, installation):
    """A device must have the scopes of its client."""
    key = installation.register.add("games", "operator", 0, scopes={"judge"})
    tablet = Director(service, key).pairs("t")
    with installation.register._transaction() as db:
        db.execute("update clients set scopes = 'game' where name = 'games'")
    assert refusal(tablet.judge("LOVERS")) == (403, "out-of-scope")


def test_a_test_clients_device_uses_the_toy_set(service, installation):
    """A test client's device must use the toy set and touch no live meter."""
    tablet = Director(service, installation.register.add("toy", "operator", 0, test=True)).pairs("t")
    assert tablet.cookie.startswith("test.")
    assert tablet.get("/v1/device").json["edition"] == "ORDWS TOY"
    assert tablet.judge("STAINER").data == b'{"valid":true }'
    assert tablet.judge("SPENT").status_code == 429
    assert tablet.post("/v1/ospd", {"words": ["QUOIT"]}).data == b'{"found":true }'


class Noted:
    """A row of counts that remembers the refusals it was given."""

    def __init__(self):
        self.refusals = []

    def count(self, route, status, seconds, refusal):
        self.refusals.append(refusal)


def test_refusals_of_a_test_clients_device_are_not_counted(service, installation, club, name):
    """The refusals of a test client's device must not be counted, and those of other devices must."""
    toy = Director(service, installation.register.add(f"toy of {name}", "operator", 0, test=True))
    row = Noted()
    counted = Client(create_app(service.services, clock=service.clock, counts=row).wsgi_app, use_cookies=False)
    for director in (toy, club):
        cookie = {"Cookie": f"ordws_device={director.pairs('t').cookie}"}
        counted.post("/v1/judge", json={"words": ["C4T"]}, headers=cookie)
    assert row.refusals == [None, RefusalLabels("bad-word")]


def test_idempotency_keys_are_separate_for_each_device(club):
    """Two devices that use the same Idempotency-Key must count as two callers."""
    one, other = club.pairs("Table 1"), club.pairs("Table 2")
    first = one.post("/v1/judge", {"words": ["LOVERS"]}, **{"Idempotency-Key": "k"})
    again = one.post("/v1/judge", {"words": ["LOVERS"]}, **{"Idempotency-Key": "k"})
    others = other.post("/v1/judge", {"words": ["MISFEED"]}, **{"Idempotency-Key": "k"})
    assert (first.data, again.data, others.data) == (b'{"valid":true }', b'{"valid":true }', b'{"valid":false}')
    assert ["Idempotent-Replayed" in reply.headers for reply in (first, again, others)] == [False, True, False]


def test_each_device_has_a_reply_limit_of_its_own(club, monkeypatch):
    """A device that uses up its stored replies must be refused more, and others of its client and the key go on."""
    monkeypatch.setattr("ordws.api.idempotency.MAX_REPLIES_PER_DAY", 5)
    greedy, other = club.pairs("Table 1"), club.pairs("Table 2")

    def send(tablet, key):
        reply = tablet.post("/v1/judge", {"words": ["AA"]}, **{"Idempotency-Key": key})
        return reply.json.get("budget", reply.status_code)

    assert [send(greedy, f"{number}") for number in range(6)] == [200] * 5 + ["replies"]
    assert send(greedy, "4") == 200  # a repeat of what is stored
    assert greedy.judge("AA").status_code == 200
    assert send(other, "0") == 200
    assert club.post("/v1/devices", {"table": "t"}).status_code == 201


def test_two_cookies_are_refused(tablet, club, service):
    """Of two cookies none may be accepted, because another host of the domain may have set one of them."""
    other = club.pairs("Table 4")
    assert get_device_with_cookie(service, f"a=b; ordws_device={tablet.cookie}").status_code == 200
    for cookie in (
        f"ordws_device={tablet.cookie}; ordws_device={other.cookie}",
        f"ordws_device={tablet.cookie};ordws_device=x",
        f"ordws_device=; ordws_device={tablet.cookie}",
        f"xordws_device={tablet.cookie}; ordws_device",
    ):
        assert refusal(get_device_with_cookie(service, cookie)) == (401, "not-paired")


def test_without_the_register_a_device_gets_503(tablet, club, installation):
    """Without the register a device must get 503."""
    path = installation.instance.clients
    path.rename(path.with_suffix(".away"))
    replies = [tablet.judge("LOVERS"), tablet.pair("K7QXF-93MD2"), tablet.get("/v1/device")]
    assert {refusal(reply) for reply in replies} == {(503, "store-down")}
    path.with_suffix(".away").rename(path)
    assert tablet.judge("LOVERS").status_code == 200


def test_a_log_line_names_no_table_code_or_cookie(club, service, name, caplog):
    """A log line must have the template of a route, and no table, code or cookie."""
    code = club.code("Table Quincunx")
    tablet = DeviceBrowser(service)
    tablet.pair(code)
    tablet.judge("LOVERS")
    tablet.pair(code)
    tablet.get("/v1/device", **{"Sec-Fetch-Site": "cross-site"})
    club.post(f"/v1/devices/{first_device_id(club)}/revoke", {})
    said = json.dumps([line._asdict() for line in service.lines]) + caplog.text
    assert {line.route for line in service.lines} == {
        "/v1/devices",
        "/v1/pair",
        "/v1/judge",
        "/v1/device",
        "/v1/devices/{id}/revoke",
    }
    for secret in ("Quincunx", code, code.replace("-", ""), tablet.cookie, "LOVERS", name):
        assert secret not in said
