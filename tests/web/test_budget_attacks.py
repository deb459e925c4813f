"""Attacks on a served installation that read out more than a caller's kind may have answered."""

from __future__ import annotations

import pytest
from paired_devices import make_director
from sealed_game import SealedGame, install_edition, service_sender
from small_installation import NOON, FakeClock, InProcessService, build_installation

from ordws.guard.policy import Policy

LETTERS = "BCDFGHJKLMNPRSTVWXZ"
CORE_LIST = tuple(
    f"{a}{vowel}{b}{c}" for a in LETTERS for b in LETTERS for c in LETTERS for vowel in ("A" if b < c else "E")
)[:5_600]


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def served(tmp_path, clock):
    with build_installation(tmp_path) as installation:
        install_edition(installation, CORE_LIST[::2], number=2, core=CORE_LIST, reference=CORE_LIST)
        service = InProcessService(installation.services(), installation.key, clock)
        service.installation = installation
        yield service


def read_out(ask, words):
    """Ask words, eight a question, until one is refused; return how many were answered and the budget that refused."""
    for first in range(0, len(words), 8):
        reply = ask(*words[first : first + 8])
        if reply.status_code == 429:
            return first, reply.json["budget"]
        assert reply.status_code == 200, reply.data
    return len(words), None


def read_out_by_many(askers, words):
    """Let each of many callers ask what the others left, until it is refused; return how many were answered."""
    answered = 0
    for ask in askers:
        count, _ = read_out(ask, words[answered:])
        answered += count
    return answered


def test_43_devices_of_a_verified_club_read_its_total_of_core_words(served, clock):
    """The devices of one verified club have 4,600 core words answered between them, even if no alarm reduces that."""
    lenient = InProcessService(served.installation.services(Policy(tightened_percent=100)), served.key, clock)
    club = make_director(lenient, served.installation)
    devices = [club.pairs(f"Table {number}") for number in range(43)]
    assert read_out_by_many([device.judge for device in devices], CORE_LIST) == 4_600
    assert devices[0].judge(CORE_LIST[-1]).json["budget"] == "operator"
    assert "operator" not in devices[0].left()


def test_a_club_that_reads_out_the_core_comes_to_an_alarm(served, clock):
    """A club whose devices ask core words outside games comes to an alarm at a load of 600, which leaves a quarter."""
    club = make_director(served, served.installation)
    devices = [club.pairs(f"Table {number}") for number in range(43)]
    answered = 0
    for number in range(310):
        reply = devices[number % 43].judge(*CORE_LIST[answered : answered + 8])
        answered += 8 * (reply.status_code == 200)
    assert answered == 2_408
    assert served.quota("?player=ann", key=club.key)["operator"] == 500


def test_pseudonyms_of_an_unverified_operator_read_its_share(served):
    """Twenty pseudonyms of an unverified operator have a quarter of the shared core words answered between them."""
    key = served.installation.register.add("league", "operator", NOON - 400 * 86_400)
    askers = [
        lambda *words, player=f"p{number}": served.judge(*words, key=key, player=player, game="g")
        for number in range(20)
    ]
    assert read_out_by_many(askers, CORE_LIST) == 496


def test_one_unverified_key_leaves_newcomers_their_first_game(served):
    """An unverified key that spends all it can in one second leaves six newcomers the units of their first game."""
    miner = served.installation.register.add("miner", "operator", NOON - 400 * 86_400)
    spent = 0
    for number in range(20):
        for game in range(12):
            words = [f"Q{chr(65 + number)}{chr(65 + game)}{letter}U" for letter in "ABCDEFGH"]
            reply = served.judge(*words, key=miner, player=f"p{number}", game=f"g{game}")
            spent += 8 * (reply.status_code == 200)
    assert spent == 120
    for number in range(6):
        key = served.installation.register.add(f"newcomer {number}", "home", NOON)
        for first in (0, 8):
            words = [f"{LETTERS[(first + letter) * 7 % 19]}{chr(65 + number)}XXI" for letter in range(8)]
            assert served.judge(*words, key=key, game="first").status_code == 200


def test_a_fresh_clubs_evening_of_sixty_players_in_sealed_games(served):
    """Sixty new players of a fresh verified club open four rounds of sealed games for two, and none is refused."""
    key = served.installation.register.add("club", "operator", NOON)
    served.installation.register.verify("club", NOON)
    send = service_sender(served, key)
    for _ in range(4):
        for table in range(30):
            seats = f"p{2 * table} p{2 * table + 1}"
            assert SealedGame(send, "scrabble-o", names=seats).standing()["turn"] == 1


def test_the_quota_does_not_tell_the_moment_of_an_update(served, clock):
    """A repeat is free and answered as it was until its 24 hours end, so that an update shows in no budget."""
    asked = (CORE_LIST[0], CORE_LIST[1], "QUOAX")
    before = [served.judge(word, game="g").json for word in asked], served.quota()
    install_edition(served.installation, CORE_LIST[1::2], number=3, core=CORE_LIST, reference=CORE_LIST)
    clock.now += 60
    served.judge("AA")
    assert served.services.editions.current.number == 3
    assert ([served.judge(word).json for word in asked], served.quota()) == before
    clock.now += 86_400
    after = [served.judge(word).json for word in asked]
    assert [each["valid"] for each in before[0]] == [True, False, False]
    assert [each["valid"] for each in after] == [False, True, False]
