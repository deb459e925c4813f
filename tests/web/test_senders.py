"""Tests of the sender that a request counts for."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.api.problems import Problem
from ordws.identity.register import SECRET_BYTES, write_key
from ordws.sender_limits import Kind
from ordws.web.senders import MAX_UNKNOWN, Sender, Senders, sender_address

NOW = 1_795_262_400


@each_row(
    ("environ", "expected"),
    [
        ({"REMOTE_ADDR": "192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_X_FORWARDED_FOR": "198.51.100.1"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "198.51.100.1"}, "198.51.100.1"),
        ({"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "203.0.113.9, 198.51.100.1"}, "198.51.100.1"),
        ({"REMOTE_ADDR": ""}, ""),
        ({}, ""),
        ({"REMOTE_ADDR": "2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::/64"),
        ({"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "2001:db8:1:2:ffff::1"}, "2001:db8:1:2::/64"),
        ({"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "not:an:address"}, "not:an:address"),
        ({"REMOTE_ADDR": "::ffff:192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "::ffff:c000:208"}, "192.0.2.8"),
        ({"REMOTE_ADDR": "64:ff9b::192.0.2.9"}, "192.0.2.9"),
        ({"REMOTE_ADDR": "64:ff9b:0:1::192.0.2.9"}, "64:ff9b:0:1::/64"),
        ({"REMOTE_ADDR": "fe80::1%eth0"}, "fe80::/64"),
    ],
)
def test_the_address_is_the_peer_or_what_the_proxy_says(environ, expected):
    """Over TCP the peer counts, whatever it claims; over a Unix socket the proxy's last entry counts."""
    assert sender_address(environ) == expected


def key_of(number):
    """Return a well-formed key that nobody has."""
    return write_key(number.to_bytes(SECRET_BYTES, "big"))


def from_address(senders, address="192.0.2.7", **environ):
    return senders.identify({"PATH_INFO": "/v1/judge", "REMOTE_ADDR": address, **environ}, NOW)


def test_a_device_counts_apart_from_its_clients_key(service, installation):
    """A valid key counts for its client, and a paired device for itself."""
    (client,) = installation.register.list()
    code = service.services.devices.issue_code(client, "Table 3", NOW, logged=False)
    token = service.services.devices.pair(code.text, NOW).token
    (device,) = service.services.devices.list(client)
    for header, value, id in (
        ("HTTP_AUTHORIZATION", f"Bearer {installation.key}", None),
        ("HTTP_COOKIE", f"ordws_device={token}", device.id),
    ):
        sender = from_address(Senders(service.services), **{header: value})
        assert (sender.kind, sender.name) == (Kind.KNOWN, (client.id, id))
        assert (sender.registered.id, sender.registered.device and sender.registered.device.id) == (client.id, id)


@each_row(
    "environ",
    [
        {},
        {"HTTP_AUTHORIZATION": "Bearer ordws_live_wrong"},
        {"HTTP_AUTHORIZATION": "Basic x"},
        {"HTTP_COOKIE": "ordws_device=wrong"},
    ],
)
def test_an_invalid_credential_counts_for_the_address(service, environ):
    """Whoever invents keys gets no turn for each of them."""
    assert from_address(Senders(service.services), **environ) == Sender("192.0.2.7", name="192.0.2.7")


def test_forged_keys_cost_few_look_ups(service, installation, tmp_path):
    """A key that nobody has is looked up once a minute, and of one address so many in all; known keys go on."""
    senders = Senders(service.services)
    own = {"HTTP_AUTHORIZATION": f"Bearer {installation.key}"}
    forged = [{"HTTP_AUTHORIZATION": f"Bearer {key_of(number)}"} for number in range(1, 200)]
    assert from_address(senders, **own).kind is Kind.KNOWN
    for each in forged[:MAX_UNKNOWN]:
        assert from_address(senders, **each).kind is Kind.STRANGER
    with pytest.raises(Problem) as refused:
        from_address(senders, **forged[100])
    assert (refused.value.code, refused.value.retry_after) == ("too-busy", 2)
    assert from_address(senders, **own).kind is Kind.KNOWN
    # A write empties the cache of keys, and a key in use goes on.
    installation.register.add("another", "home", NOW)
    assert from_address(senders, "192.0.2.8", **forged[0]).kind is Kind.STRANGER
    assert from_address(senders, **own).kind is Kind.KNOWN
    # What is looked up from now on fails.
    installation.register.close()
    service.services.register.close()
    installation.instance.clients.rename(tmp_path / "away")
    for each in (*forged[:MAX_UNKNOWN], *forged[:MAX_UNKNOWN]):
        assert from_address(senders, **each).fault is None
    with pytest.raises(Problem):
        from_address(senders, **forged[100])
    assert from_address(senders, "192.0.2.8", **forged[100]).fault is not None
    later = {"PATH_INFO": "/", "REMOTE_ADDR": "192.0.2.7", **forged[0]}
    assert senders.identify(later, NOW + 60).fault is not None, "another minute"


def test_a_register_that_does_not_answer_leaves_the_address(service, installation, tmp_path):
    """A register that is gone leaves the address to count, and the refusal to the action."""
    installation.register.close()
    service.services.register.close()
    installation.instance.clients.rename(tmp_path / "away")
    sender = from_address(Senders(service.services), HTTP_AUTHORIZATION=f"Bearer {installation.key}")
    assert (sender.name, sender.registered) == ("192.0.2.7", None)
    assert service.judge("CAT").json["code"] == "store-down"
    assert service.http.get("/v1/rules", headers={"Authorization": f"Bearer {installation.key}"}).status_code == 200
