"""Tests of browsers with the cookie of a seat, as the middleware sees them before it reads their bodies."""

from __future__ import annotations

import pytest
from invited_game import HOME, SEAT_COOKIE, InvitedGame
from sealed_game import install_game_edition

from ordws.web.senders import Sender, identify_sender


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


def test_a_browser_with_a_seat_is_known_by_its_address_and_is_no_stranger(service):
    """A seat's cookie must make no stranger at its game's routes; elsewhere, forged or beside a bad key it must."""
    game, other = InvitedGame(service), InvitedGame(service)
    browser, _ = game.seated(0)
    cookies = f"{SEAT_COOKIE}={browser.cookie}"

    def identify(path, cookies=cookies, **headers):
        environ = {**HOME, "PATH_INFO": path, "HTTP_COOKIE": cookies, **headers}
        return identify_sender(service.services, environ, service.clock())

    known, stranger = Sender(HOME["REMOTE_ADDR"]), Sender(HOME["REMOTE_ADDR"], is_stranger=True)
    assert [identify(f"/v1/games/{game.id}{path}") for path in ("", "/turns", "/oath")] == [known] * 3
    for path in (f"/v1/games/{other.id}", f"/v1/games/{game.id}0", "/v1/judge", "/v1/games/", ""):
        assert identify(path) == stranger, path
    assert identify(f"/v1/games/{game.id}", f"{cookies}0") == stranger
    assert identify(f"/v1/games/{game.id}", HTTP_AUTHORIZATION="Bearer wrong") == stranger


def test_the_body_of_a_forged_seat_is_not_read(service):
    """A request with a forged cookie must be refused before its body, and one that takes a seat needs no cookie."""
    game = InvitedGame(service)
    browser, _ = game.seated(0)
    assert browser.refusal("/turns", turn="one") == (400, "bad-request")
    browser.cookie = f"1{browser.cookie[1:]}"
    assert browser.refusal("/turns", turn="one") == (403, "bad-seat")
    assert game.browser().refusal("/seat", invitation=1) == (400, "bad-request")
