"""Tests of the sender that a request counts for."""

from __future__ import annotations

import pytest

from ordws.web.senders import Sender, identify_sender, sender_address

NOW = 1_795_262_400


@pytest.mark.parametrize(
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


def test_a_device_counts_apart_from_its_clients_key(service, installation):
    """A valid key must count for its client, and a paired device for itself."""
    (client,) = installation.register.list()
    code = service.services.devices.issue_code(client, "Table 3", NOW, logged=False)
    token = service.services.devices.pair(code.text, NOW).token
    (device,) = service.services.devices.list(client)
    for name, value, id in (
        ("HTTP_AUTHORIZATION", f"Bearer {installation.key}", None),
        ("HTTP_COOKIE", f"ordws_device={token}", device.id),
    ):
        sender = identify_sender(service.services, {"REMOTE_ADDR": "192.0.2.7", name: value}, NOW)
        assert sender[:4] == Sender("192.0.2.7", client.id, id)[:4]
        assert (sender.registered.id, sender.registered.device and sender.registered.device.id) == (client.id, id)
        assert sender.names == ((client.id, id), "192.0.2.7")


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"HTTP_AUTHORIZATION": "Bearer ordws_live_wrong"},
        {"HTTP_AUTHORIZATION": "Basic x"},
        {"HTTP_COOKIE": "ordws_device=wrong"},
    ],
)
def test_an_invalid_credential_counts_for_the_address(service, environ):
    """Whoever invents keys must not get a turn for each of them."""
    sender = identify_sender(service.services, {"REMOTE_ADDR": "192.0.2.7", **environ}, NOW)
    assert sender == Sender("192.0.2.7", is_stranger=True)


def test_a_register_that_does_not_answer_leaves_the_address(service, installation, tmp_path):
    """A register that is gone must leave the address to count, and the refusal to the route."""
    installation.register.close()
    service.services.register.close()
    installation.instance.clients.rename(tmp_path / "away")
    environ = {"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": f"Bearer {installation.key}"}
    assert identify_sender(service.services, environ, NOW) == Sender("192.0.2.7")
    assert service.judge("CAT").json["code"] == "store-down"
