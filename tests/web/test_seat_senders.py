"""Tests of browsers with the cookie of a seat, as they are recognised before their bodies are read."""

from __future__ import annotations

import pytest
from invited_game import HOME, SEAT_COOKIE, InvitedGame
from sealed_game import install_game_edition

from ordws.sender_limits import Kind
from ordws.web.senders import Senders


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


def test_a_browser_with_a_seat_of_a_game_that_runs_comes_before_strangers(service):
    """A seat's cookie is one at its game's routes, once it was found; elsewhere, forged or beside a key it is none."""
    game, other = InvitedGame(service), InvitedGame(service)
    browser, _ = game.seated(0)
    cookies = f"{SEAT_COOKIE}={browser.cookie}"
    senders = Senders(service.services)

    def identify(path, cookies=cookies, **headers):
        environ = {**HOME, "PATH_INFO": path, "HTTP_COOKIE": cookies, **headers}
        sender = senders.identify(environ, service.clock())
        assert sender.name == HOME["REMOTE_ADDR"]
        return sender.kind, sender.has_seat

    assert identify(f"/v1/games/{game.id}") == (Kind.STRANGER, True)
    senders.note_game(game.id, service.clock())
    for path in ("", "/turns", "/oath"):
        assert identify(f"/v1/games/{game.id}{path}") == (Kind.SEATED, True)
    assert identify(f"/v1/games/{game.id}", f"{cookies}; ordws_device=wrong") == (Kind.SEATED, True)
    for path in (f"/v1/games/{other.id}", f"/v1/games/{game.id}0", "/v1/judge", "/v1/games/", ""):
        assert identify(path) == (Kind.STRANGER, False), path
    assert identify(f"/v1/games/{game.id}", f"{cookies}0") == (Kind.STRANGER, False)
    assert identify(f"/v1/games/{game.id}", HTTP_AUTHORIZATION="Bearer wrong") == (Kind.STRANGER, False)
    service.clock.now += 3_600
    assert identify(f"/v1/games/{game.id}") == (Kind.STRANGER, True)


def test_the_body_of_a_forged_seat_is_not_read(service):
    """A request with a forged cookie must be refused before its body, and one that takes a seat needs no cookie."""
    game = InvitedGame(service)
    browser, _ = game.seated(0)
    assert browser.refusal("/turns", turn="one") == (400, "bad-request")
    browser.cookie = f"1{browser.cookie[1:]}"
    assert browser.refusal("/turns", turn="one") == (403, "bad-seat")
    assert game.browser().refusal("/seat", invitation=1) == (400, "bad-request")
