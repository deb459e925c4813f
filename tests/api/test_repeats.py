"""Tests that a repeat is answered from the edition that it was charged under, for a day (docs/guard.md A-15)."""

from __future__ import annotations

import shutil
from copy import copy
from dataclasses import replace

import pytest
from redis_server import DURABLE, RedisServer
from sealed_game import CORE_WORDS, REFERENCE_WORDS, game_opener, install_edition, install_game_edition
from small_installation import CORE, NOON, WORDS, FakeClock, InProcessService, build_installation

from ordws.api.services import Housekeeping
from ordws.guard.stores.redis import RedisMeterStore
from ordws.instance import Instance
from ordws.lexicon.sealed_edition import SealedLists

DAY = 86_400
YES, NO = b'{"valid":true }', b'{"valid":false}'
NEWER = (*(word for word in WORDS if word not in ("LOVERS", "CAT")), "MISFEED", "PLAYED")
"""The words of the newer edition: LOVERS and the core word CAT go, MISFEED and PLAYED come."""


def update(service, installation, clock, *words):
    """Deliver edition 2, and have the service adopt it."""
    installation.deliver(*(words or NEWER), number=2)
    clock.now += 1
    service.services.housekeeping.run(clock.now)
    assert service.services.editions.current.number == 2


def asked(service, *words, **fields):
    reply = service.judge(*words, **fields)
    assert reply.status_code == 200, reply.data
    return reply.data


def test_a_repeat_is_answered_from_its_edition(service, installation, clock):
    """Words charged before an update, core words too, keep their verdicts until midnight UTC."""
    words = ("LOVERS", "MISFEED", "CAT", "QUIZ")
    before = [asked(service, word) for word in words]
    assert before == [YES, NO, YES, YES]
    left = service.quota()
    update(service, installation, clock)
    assert [asked(service, word) for word in words] == before
    assert service.quota() == left
    assert asked(service, "PLAYED") == YES
    clock.now += DAY - 1 - clock.now % DAY
    assert [asked(service, word) for word in words] == before
    clock.now += 1
    assert [asked(service, word) for word in words] == [NO, YES, NO, YES]


def test_repeats_are_of_one_word_rule(service, installation, clock):
    """A word that was charged under one rule is charged again under another, and answered from the edition of then."""
    other = {"options": {"offensive": "disallowed"}}
    assert asked(service, "LOVERS") == YES
    update(service, installation, clock)
    left = service.quota()["units"]
    assert asked(service, "LOVERS", **other) == NO
    assert asked(service, "LOVERS") == YES
    assert asked(service, "LOVERS", **other) == NO
    assert service.quota()["units"] == left - 1


@pytest.mark.parametrize("words", [("UNTRIM",), ("UNTRIM", "TRIM"), ("TRIM", "UNTRIM")])
def test_a_base_is_charged_anew_for_a_form_of_another_edition(service, installation, clock, words):
    """A form under Dover costs its base anew where that was charged under an older edition, asked with it or not."""
    lists = {"reference": (*CORE, "TRIM", "UNTRIM")}
    installation.deliver(*CORE, number=2, **lists)
    service.services.housekeeping.run(clock.now)
    assert asked(service, "TRIM", rules="dover") == NO
    left = service.quota()["units"]
    installation.deliver(*CORE, "TRIM", number=3, lists=SealedLists(dover_forms=frozenset({"UNTRIM"})), **lists)
    clock.now += 1
    service.services.housekeeping.run(clock.now)
    assert service.services.editions.current.number == 3
    assert asked(service, *words, rules="dover") == YES
    assert service.quota()["units"] == left - 2


def test_an_update_shows_in_no_quota(service, installation, clock):
    """The whole reply to /v1/quota is the same before an update, after it, and after repeats, alone and in a game."""
    headers = {"Authorization": f"Bearer {service.key}"}

    def quota():
        return [service.http.get(path, headers=headers).data for path in ("/v1/quota", "/v1/quota?game=g")]

    def ask():
        return [asked(service, "LOVERS", "CAT"), asked(service, "MISFEED"), asked(service, "QUIZ", game="g")]

    first = ask()
    before = quota()
    update(service, installation, clock)
    assert quota() == before
    assert asked(service, "LOVERS", "CAT") == first[0]
    assert asked(service, "MISFEED") == first[1]
    assert quota() == before


def test_two_updates_look_alike_to_repeats(tmp_path):
    """Between an update that changes every word asked before and one that changes none, all bytes to repeats agree."""
    transcripts = []
    for words in (WORDS, NEWER):
        clock = FakeClock()
        with build_installation(tmp_path / str(len(words) + len(transcripts))) as installation:
            service = InProcessService(installation.services(), installation.key, clock)
            headers = {"Authorization": f"Bearer {service.key}"}

            def ask(service=service, headers=headers):
                questions = [
                    ("LOVERS",),
                    ("MISFEED",),
                    ("CAT",),
                    ("LOVERS", "MISFEED"),
                    ("CAT", "QUIZ"),
                    ("AB", "PLAYED"),
                ]
                replies = [service.judge(*question) for question in questions]
                replies.append(service.http.get("/v1/quota", headers=headers))
                return [(reply.status_code, sorted(reply.headers), reply.data) for reply in replies]

            first = ask()
            again = ask()
            update(service, installation, clock, *words)
            transcripts.append([first, again, ask(), ask()])
            fresh = installation.register.add("fresh", "home", NOON - 40 * DAY)
            transcripts[-1].append(service.judge("LOVERS", key=fresh).data)
    assert transcripts[0][:4] == transcripts[1][:4]
    assert transcripts[0][4:] != transcripts[1][4:]


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (("LOVERS", "PLAYED"), YES),
        (("PLAYED", "LOVERS"), YES),
        (("MISFEED", "PLAYED"), NO),
        (("PLAYED", "MISFEED"), NO),
        (("LOVERS", "MISFEED"), NO),
        (("LOVERS", "CAT", "AB", "QUIZ"), YES),
        (("LOVERS", "ZAG"), NO),
        (("HEAT", "PLAYED"), YES),
    ],
)
def test_each_word_of_a_question_has_its_edition(service, installation, clock, words, verdict):
    """A question of repeats and new words is judged word by word, each by the edition that it was charged under."""
    for word in ("LOVERS", "MISFEED", "CAT"):
        asked(service, word)
    update(service, installation, clock)
    assert asked(service, *words) == verdict
    assert asked(service, *words) == verdict


def test_every_word_is_looked_up_in_its_edition_alone(service, installation, clock):
    """Each word is looked up once, in one edition, whatever the first words yield, so that time tells nothing."""
    for word in ("LOVERS", "MISFEED"):
        asked(service, word)
    older = service.services.editions.current
    update(service, installation, clock)
    newer = service.services.editions.current
    looked_up = []
    editions = _TwoEditions(
        replace(older, words=_Noting(older, looked_up)), replace(newer, words=_Noting(newer, looked_up))
    )
    watched = replace(service.services, editions=editions, housekeeping=Housekeeping(editions, service.services.gate))
    service = InProcessService(watched, service.key, clock)
    for words in (("LOVERS", "PLAYED", "MISFEED"), ("MISFEED", "ZAG", "LOVERS"), ("MISFEED", "PLAYED", "LOVERS")):
        looked_up.clear()
        asked(service, *words)
        assert looked_up == [(1 if word in ("LOVERS", "MISFEED") else 2, word) for word in words]


class _Noting:
    """The words of an edition, which note its number and each word that is looked up."""

    def __init__(self, edition, looked_up):
        self._number, self._words, self._looked_up = edition.number, edition.words, looked_up

    def __contains__(self, word):
        self._looked_up.append((self._number, word))
        return word in self._words


class _TwoEditions:
    """An older and a current edition that never change."""

    refusal = hint = fault = None

    def __init__(self, older, current):
        self._older, self.current = older, current

    def find(self, number):
        return {self._older.number: self._older, self.current.number: self.current}.get(number)

    def refresh(self):
        pass


def test_without_its_edition_a_repeat_is_not_answered(serve, service, installation, clock):
    """Without the edition of a repeat the answer is 503, nothing is told, and other words are answered."""
    for game in (None, "g"):
        asked(service, "LOVERS", game=game)
    update(service, installation, clock)
    shutil.rmtree(installation.instance.editions / "0001")
    service = serve()
    left = service.quota("?game=g")
    for words, fields in ((["LOVERS"], {}), (["LOVERS"], {"game": "g"}), (["LOVERS", "CAT"], {})):
        reply = service.judge(*words, **fields)
        assert (reply.status_code, reply.json["code"]) == (503, "store-down")
        assert reply.headers["Retry-After"] == "2"
        assert b"valid" not in reply.data
    after = service.quota("?game=g")
    assert (after["units"], after["game"]) == (left["units"], left["game"])
    assert {name: after[name] for name in ("units", "outside", "game")} == {
        name: left[name] for name in ("units", "outside", "game")
    }
    assert asked(service, "PLAYED") == YES
    clock.now += DAY
    assert asked(service, "LOVERS") == NO


def test_workers_a_moment_apart_agree_on_repeats(serve, installation, clock):
    """Whichever of two workers is asked first, ahead or behind in an update, both answer a repeat alike."""
    ahead, behind = serve(), serve()
    clock.now += 1
    asked(behind, "AB")
    installation.deliver(*NEWER, number=2)
    asked(ahead, "AB")
    numbers = [each.services.editions.current.number for each in (ahead, behind)]
    assert numbers == [2, 1]
    assert asked(behind, "LOVERS") == asked(ahead, "LOVERS") == YES
    assert asked(behind, "CAT") == asked(ahead, "CAT") == YES
    assert behind.services.editions.current.number == 1
    assert asked(ahead, "MISFEED") == asked(behind, "MISFEED") == YES
    left = ahead.quota()
    clock.now += 1
    for service in (ahead, behind):
        assert [asked(service, word) for word in ("LOVERS", "CAT", "MISFEED")] == [YES, YES, YES]
        assert service.quota() == left


def test_hosts_that_are_apart_agree_on_repeats_or_refuse(tmp_path):
    """A host that has not got an edition refuses repeats of what another answered by it, until it is delivered."""
    clock = FakeClock()
    with (
        RedisServer(tmp_path / "redis", *DURABLE) as server,
        build_installation(tmp_path / "first") as installation,
    ):
        installation.instance.settings.write_text(f'[store]\nredis = "{server.url}"\n')
        RedisMeterStore.create(server.url).close()
        shutil.copytree(installation.instance.root, tmp_path / "second")
        other = copy(installation)
        other.instance = Instance(tmp_path / "second")
        first, second = [InProcessService(each.services(), installation.key, clock) for each in (installation, other)]
        assert asked(second, "LOVERS") == YES
        update(first, installation, clock)
        assert asked(first, "LOVERS") == YES
        assert asked(first, "MISFEED") == YES
        reply = second.judge("MISFEED")
        assert (reply.status_code, reply.json["code"]) == (503, "store-down")
        assert asked(second, "LOVERS", "QUIZ") == YES
        other.deliver(*NEWER, number=2)
        # Within the second in which the host has looked for deliveries already.
        assert asked(second, "MISFEED") == YES
        left = first.quota()
        assert [asked(each, "LOVERS", "MISFEED", "QUIZ") for each in (first, second)] == [YES, YES]
        assert first.quota() == second.quota() == left


def test_a_sealed_game_and_repeats_keep_their_editions(serve, installation, clock):
    """A sealed game goes on with the edition that it began with, and repeats outside it with that of their charge."""
    install_game_edition(installation)
    service = serve()
    assert service.services.editions.current.number == 2
    assert asked(service, "HEAT") == YES
    play = game_opener(service)
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU", "IIII", "EEE")
    install_edition(installation, ["TEAH"], number=3, core=CORE_WORDS, reference=REFERENCE_WORDS)
    clock.now += 1
    assert asked(service, "TEAH") == YES
    assert asked(service, "HEAT") == YES
    newer = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    assert newer.take(0, "8E HEAT")["happened"]["outcome"] == "rejected"
    # That turn charged HEAT anew, under the newer edition.
    assert asked(service, "HEAT") == NO
    assert game.take(0, "8E HEAT")["happened"]["outcome"] == "stands"
    assert asked(service, "HEAT") == YES
    assert asked(service, "TEAH") == YES
