"""Tests of requests that commit something and are sent twice under one Idempotency-Key."""

from __future__ import annotations

import json
import threading

import pytest

from ordws.api.idempotency import Caller, SqliteReplyStore
from ordws.errors import StoreDown

LOVERS = {"words": ["LOVERS"], "game": "g"}


@pytest.fixture
def send(service):
    """Return a function that sends a body under an Idempotency-Key."""

    def send(body, key="a", path="/v1/judge", client=None):
        headers = {
            "Authorization": f"Bearer {client or service.key}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        return service.http.post(path, data=json.dumps(body).encode(), headers=headers)

    return send


def test_the_same_request_gets_the_same_answer_and_costs_nothing(service, send):
    """A repeated request must get the same reply, marked as a repeat, and be charged once."""
    first = send(LOVERS)
    left = service.quota("?game=g")
    again = send(LOVERS)
    assert (again.status_code, again.data) == (200, first.data) == (200, b'{"valid":true }')
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert service.quota("?game=g") == left
    assert left["plays"] == 59


def test_a_stored_reply_survives_a_restart(serve, send):
    """A stored reply must be returned after a restart."""
    first = send(LOVERS)
    service = serve()
    headers = {"Authorization": f"Bearer {service.key}", "Idempotency-Key": "a"}
    body = json.dumps(LOVERS).encode()
    again = service.http.post("/v1/judge", data=body, content_type="application/json", headers=headers)
    assert again.data == first.data
    assert again.headers["Idempotent-Replayed"] == "true"


def test_another_body_under_the_same_key_is_refused(send):
    """Another body under the same key must be refused."""
    send(LOVERS)
    reply = send({"words": ["QUIZ"], "game": "g"})
    assert (reply.status_code, reply.json["code"]) == (422, "idempotency-key-reused")


def test_a_key_is_separate_for_each_client_and_route(installation, service, send):
    """Other clients and other routes may use the same key."""
    send(LOVERS)
    other = installation.register.add("other", "home", 0)
    assert "Idempotent-Replayed" not in send(LOVERS, client=other).headers
    play = {"rules": "classic", "position": "/".join(["15"] * 15), "move": "8D CAT", "game": "g"}
    assert "Idempotent-Replayed" not in send(play, path="/v1/plays").headers


def test_a_refusal_is_not_kept(service, send):
    """A refused request may be sent again under the same key, because it has committed nothing."""
    assert send({"words": ["?"]}).status_code == 400
    assert send(LOVERS).status_code == 200


def test_a_key_expires_after_24_hours(clock, send):
    """After 24 hours a key must stand for a new request."""
    send(LOVERS)
    clock.now += 86_399
    assert send(LOVERS).headers["Idempotent-Replayed"] == "true"
    clock.now += 1
    assert "Idempotent-Replayed" not in send(LOVERS).headers


@pytest.mark.parametrize("key", ["k" * 256, "käse", "a\tb"])
def test_an_invalid_idempotency_key_is_refused(send, key):
    """An Idempotency-Key has 1 to 255 printable ASCII characters."""
    reply = send(LOVERS, key=key.encode().decode("latin-1"))
    assert (reply.status_code, reply.json["code"]) == (400, "bad-request")


def test_a_repeat_waits_while_its_request_is_under_way(service, clock):
    """A repeat must wait while its request is under way, which ends five seconds after a process was killed."""
    repeats = service.services.idempotency
    begun = repeats.begin(Caller("1"), "judge", "a", b"{}", clock.now)
    assert isinstance(begun, bytes)
    with pytest.raises(Exception, match="under-way"):
        repeats.begin(Caller("1"), "judge", "a", b"{}", clock.now + 4)
    assert repeats.begin(Caller("1"), "judge", "a", b"{}", clock.now + 5) == begun


def test_concurrent_repeats_are_charged_once(service, send):
    """Of sixteen equal requests at once each must get the one reply or be told to wait, and one is charged."""
    replies = []
    threads = [threading.Thread(target=lambda: replies.append(send(LOVERS))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(reply.status_code, reply.json.get("code")) for reply in replies} <= {(200, None), (409, "under-way")}
    assert service.quota("?game=g")["plays"] == 59


def test_only_stored_replies_count(send, monkeypatch):
    """Refusals and repeats must not use up the number of replies that are stored for a caller."""
    monkeypatch.setattr("ordws.api.idempotency.MAX_REPLIES_PER_DAY", 2)
    assert {send({"words": ["AA"], "rules": "nope"}, key=f"{number}").status_code for number in range(5)} == {422}
    assert {send(LOVERS).status_code for _ in range(5)} == {200}
    assert send(LOVERS, key="b").status_code == 200
    assert send(LOVERS, key="c").json["budget"] == "replies"


def test_the_bytes_stored_in_a_day_are_bounded(send, clock, monkeypatch):
    """Beyond the bytes of a day a new reply must be refused as beyond their number, until the next day."""
    monkeypatch.setattr("ordws.api.words.MAX_BYTES_PER_DAY", 40)
    assert send(LOVERS).status_code == 200
    reply = send(LOVERS, key="b")
    assert (reply.status_code, reply.json["budget"]) == (429, "replies")
    assert int(reply.headers["Retry-After"]) == 86_400 - clock.now % 86_400
    assert send(LOVERS).headers["Idempotent-Replayed"] == "true"
    clock.now += 86_400
    assert send(LOVERS, key="b").status_code == 200


def test_a_verified_operators_own_key_may_have_more_stored(service, installation, send, clock, monkeypatch):
    """The own key of a verified operator, which asks for all its players, must have a larger limit than others."""
    monkeypatch.setattr("ordws.api.words.MAX_BYTES_PER_DAY", 40)
    for name in ("new", "verified"):
        key = installation.register.add(name, "operator", clock.now - 40 * 86_400)
        if name == "verified":
            installation.register.verify(name, clock.now)
        replies = [send({"words": ["AA"], "player": "p"}, key=each, client=key) for each in "ab"]
        assert replies[0].status_code == 200
        assert replies[1].status_code == (200 if name == "verified" else 429)


def test_all_workers_have_one_limit(serve, send, monkeypatch):
    """What one worker stored for a caller must count in another, after a restart too."""
    monkeypatch.setattr("ordws.api.idempotency.MAX_REPLIES_PER_DAY", 2)
    assert [send(LOVERS, key=key).status_code for key in "ab"] == [200, 200]
    headers = {"Authorization": f"Bearer {serve().key}", "Idempotency-Key": "c"}
    reply = serve().http.post("/v1/judge", json=LOVERS, headers=headers)
    assert (reply.status_code, reply.json["budget"]) == (429, "replies")


def test_a_seat_is_not_given_the_reply_of_another(service):
    """Under one key of one client, a second seat that sends the same must be answered for itself, not with a rack."""
    opened = service.http.post(
        "/v1/games",
        json={"rules": "scrabble-i", "seats": [{"player": "ann"}, {"player": "ben"}]},
        headers={"Authorization": f"Bearer {service.key}"},
    ).json
    replies = []
    for seat in (0, 1, 0):
        headers = {
            "Authorization": f"Bearer {service.key}",
            "Idempotency-Key": "a",
            "Seat-Token": opened["seats"][seat]["token"],
        }
        path = f"/v1/games/{opened['game']}/turns"
        replies.append(service.http.post(path, json={"turn": 1, "move": "-"}, headers=headers))
    first, other, again = replies
    assert first.status_code == 200
    assert "rack" in first.json["standing"]
    assert other.status_code == 409
    assert (again.data, again.headers["Idempotent-Replayed"]) == (first.data, "true")


class Forgetful(SqliteReplyStore):
    """A store that fails before it can store a reply."""

    def end(self, name, caller, reply, now):
        raise StoreDown("gone")


def test_a_reply_that_cannot_be_stored_is_sent(service, send, installation, monkeypatch, caplog):
    """A reply that cannot be stored must be sent all the same, as it was charged, with a warning in the log."""
    monkeypatch.setattr(service.services.idempotency, "_store", Forgetful(installation.instance.replies))
    assert send(LOVERS).data == b'{"valid":true }'
    assert service.quota("?game=g")["plays"] == 59
    assert caplog.messages == ["a reply was sent but not stored: a repeat under its idempotency key runs again: gone"]
    again = send(LOVERS)
    assert (again.status_code, again.json["code"]) == (409, "under-way")


def test_stored_replies_show_nothing_readable(installation, send):
    """Neither words, nor replies, nor keys may be readable in the file."""
    send(LOVERS, key="an-idempotency-key")
    stored = b"".join(path.read_bytes() for path in installation.instance.root.glob("replies.db*"))
    for text in (b"LOVERS", b"valid", b"an-idempotency-key"):
        assert text not in stored
