"""Tests of the scopes of keys."""

from __future__ import annotations


def test_a_key_without_the_scope_is_refused(installation, service):
    """A key for games alone must have no words judged, and nothing of its request is read."""
    key = installation.register.add("games-only", "home", 0, scopes={"game"})
    reply = service.judge("LOVERS", key=key)
    assert (reply.status_code, reply.json["code"]) == (403, "out-of-scope")
    assert service.post(b"not JSON", key=key).status_code == 403


def test_games_of_events_are_for_verified_operators(installation, service):
    """An operator with the scope of events opens and reads none of their games until a keeper knows who they are."""
    key = installation.register.add("league", "operator", 0, scopes={"tournament"})
    path, body = "/v1/tournament/games/find", {"games": ["0" * 32]}
    refused = service.post(body, key, path)
    assert (refused.status_code, refused.json["code"]) == (403, "out-of-scope")
    assert "verified" in refused.json["detail"]
    installation.register.verify("league", 0)
    assert service.post(body, key, path).json["operator"] == "league"
    installation.register.unverify("league")
    assert service.post(body, key, path).status_code == 403


def test_a_key_with_the_scope_is_served(installation, service):
    """A key with the scope of judging must have words judged."""
    key = installation.register.add("words-only", "home", 0, scopes={"judge"})
    assert service.judge("LOVERS", key=key).json == {"valid": True}
