"""Tests of jumps of the host's clock: no budget is restored, no turn is lost, and no reply has an absurd time."""

from __future__ import annotations

import pytest
from sealed_game import SealedGame, service_sender
from small_installation import InProcessService

from ordws.api.services import open_register

HOUR, DAY = 3_600, 86_400
AHEAD = [HOUR, DAY, 400 * DAY]


@pytest.fixture
def jump(installation, clock):
    """Return a function that moves the clock, sends a question, which triggers housekeeping too, and moves it back."""

    def jump(service, by):
        clock.now += by
        reply = service.judge("ZAX", "LOVER")
        clock.now -= by
        return reply

    return jump


@pytest.mark.parametrize("by", [*AHEAD, -HOUR, -DAY])
def test_no_budget_is_restored_by_a_jump(service, clock, jump, by):
    """Units spent today stay spent after a jump; a day that was never reached before has its own budget."""
    for word in ("LOVERS", "QUIZ", "BASH"):
        service.judge(word)
    before = service.quota()["outside"]
    jumped = jump(service, by)
    assert jumped.status_code == 200
    assert jumped.json == {"valid": True}
    if by > DAY:
        refused = service.judge("QUIZ")
        assert (refused.status_code, refused.json["code"], refused.headers["Retry-After"]) == (503, "store-down", "2")
        assert service.quota()["outside"] == before
    else:
        assert service.quota()["outside"] == before - (2 if abs(by) == HOUR else 0)
        assert service.judge("QUIZ").json == {"valid": True}


@pytest.mark.parametrize("by", AHEAD)
def test_a_game_outlives_a_jump(installation, clock, by):
    """A game that seems to have expired is kept: when the clock is right again its turns stand and it goes on."""
    service = InProcessService(installation.services(), installation.key, clock)
    game = SealedGame(service_sender(service), "scrabble-o", clock=1_500)
    game.take(game.standing()["mover"], "-")
    clock.now += by
    for _ in range(3):
        clock.now += 1
        service.http.get("/healthz")
    clock.now -= by
    for seat, turn, fields, sent in list(game.accepted):
        assert game.post(seat, turn, **fields) == (200, sent)
    assert game.standing()["turn"] == 2
    game.take(game.standing()["mover"], "-")


def test_a_clock_that_went_back_uses_no_time(service, clock):
    """Turns go on at once; the clock of a game stands still until the host's clock has caught up."""
    game = SealedGame(service_sender(service), "scrabble-o", clock=60)
    clock.now += 10
    game.take(game.standing()["mover"], "-")
    clock.now -= HOUR
    for _ in range(3):
        standing = game.standing()
        game.take(standing["mover"], f"-{game.standing(standing['mover'])['rack'][0]}")
    assert sum(seat["seconds"] for seat in game.standing()["seats"]) == 10
    assert game.standing()["phase"] == "to-move"


@pytest.mark.parametrize("by", [*AHEAD, -HOUR, -DAY])
def test_a_request_can_be_repeated_after_a_jump(installation, service, clock, by):
    """A request whose process died is carried out on repetition; an answered request is not charged again."""
    services = service.services

    def ask(key):
        headers = {"Authorization": f"Bearer {installation.key}", "Idempotency-Key": key}
        return service.http.post("/v1/judge", json={"words": ["LOVERS"]}, headers=headers).status_code

    clock.now += by
    services.idempotency._store.begin(name_of(services, installation, clock.now), b"under way", clock.now)
    clock.now -= by
    assert ask("b") == 200
    clock.now += 5
    assert [ask("a"), ask("b")] == [200, 200]
    assert service.quota()["outside"] == 19


@pytest.mark.parametrize("by", [-DAY, -HOUR, -1, 0, 1, HOUR, DAY])
def test_retry_after_is_between_a_second_and_two_days(installation, clock, by):
    """Whatever the jump, a refusal gives a time to retry of at least a second and at most two days."""
    service = InProcessService(installation.services(), installation.key, clock)
    clock.now += by
    for number in range(24):
        service.judge(f"QQ{chr(65 + number)}QQ")
    clock.now -= by
    replies = [service.judge(f"XX{chr(65 + number)}XX", game=f"g{number // 2}") for number in range(26)]
    replies += [service.judge(f"QX{chr(65 + number)}QX") for number in range(26)]
    waits = [int(reply.headers["Retry-After"]) for reply in replies if reply.status_code in (429, 503)]
    assert waits
    assert min(waits) >= 1
    assert max(waits) <= 2 * DAY


def test_an_expired_key_is_valid_again_under_the_right_clock(installation, clock):
    """A key's expiry is never written: under the right clock the key is valid as before."""
    key = installation.register.add("guest", "home", clock.now - 40 * DAY, expires=clock.now + HOUR)
    register = open_register(installation.instance)
    assert register.identify(f"Bearer {key}", clock.now + DAY) is None
    assert register.identify(f"Bearer {key}", clock.now) is not None
    assert register.identify(f"Bearer {key}", clock.now - DAY) is not None
    register.close()


def test_each_process_logs_a_clock_jump(service, clock, caplog):
    """Each process logs once by how much its host's clock has jumped."""
    service.judge("CAT")
    clock.now += HOUR
    service.judge("CAT")
    service.judge("CAT")
    assert caplog.messages == ["the clock of this host has jumped by +3600 seconds"]


def name_of(services, installation, now):
    """Return the name under which the request with the key "a" is stored."""
    client = services.register.identify(f"Bearer {installation.key}", now)
    return services.idempotency._tag(f"{client.id}", "answer_question", "a")
