"""Tests of the leak report against what was asked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ordws.guard.charge import Admitted, Identity, Question
from ordws.guard.gate import Gate
from ordws.guard.leaks import (
    CORE_WORDS,
    ReportedClient,
    bits_of,
    make_leak_report,
    read_charge_histories,
    read_guard_status,
)
from ordws.guard.policy import DAY, Policy
from ordws.guard.stores.lmdb import LmdbMeterStore

NOON = 1_795_262_400
TODAY = NOON // DAY
CORE = frozenset({"CAT", "PLAY"})
HOME, LEAGUE = ReportedClient("1", "home", "home"), ReportedClient("2", "league", "operator")
ANN, BOB = Identity("2", 0, "ann"), Identity("2", 0, "bob")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "meters"


@pytest.fixture
def gate(path):
    store = LmdbMeterStore.create(path)
    yield Gate(Policy(), store, b"k" * 32)
    store.close()


@pytest.fixture
def ask(gate):
    """Return a function that asks words in a game, some days ago."""

    def ask(identity, words, *, days_ago=0, game="g", edition=1):
        now = NOON - days_ago * DAY
        assert isinstance(gate.admit(identity, Question(tuple(words), edition, game), CORE, now), Admitted)

    return ask


@pytest.fixture
def report(gate):
    def report(*subjects, days=30, borderline=1000):
        return make_leak_report(gate, subjects, NOON, days=days, borderline=borderline)

    return report


def words(first, count):
    """Return words that are in no list: three letters, counted, far from each other in the alphabet."""
    return [f"{chr(65 + n % 26)}{chr(65 + n // 26 % 26)}{chr(65 + n // 676)}" for n in range(first, first + count)]


SWEEP = [f"AA{chr(65 + n)}" for n in range(26)]


def test_words_are_learned_once(ask, report):
    """A word charged on two days, and under two editions, is three units and one word."""
    home = Identity("1", 0)
    ask(home, [*words(0, 5), "CAT", "AT"], days_ago=3)
    ask(home, words(3, 5), days_ago=1)
    ask(home, words(3, 5), edition=2)
    (key,) = report(HOME).keys
    assert (key.leak.words, key.leak.today, key.leak.units) == (8, 5, 15)


def test_bits_and_share(ask, report):
    """100 words of 1,000 are a tenth of them, and at most 74 bits, at 134,000 bits in 181,007 words."""
    for n in range(4):
        ask(Identity("1", 0), words(25 * n, 25), game=f"g{n}")
    leak = report(HOME).keys[0].leak
    assert (leak.words, leak.bits, leak.share) == (100, 74, 0.1)


def test_units_are_counted_over_the_days_of_the_report(ask, report):
    """Units are counted over the days reported, words over everything in the store."""
    for days_ago in (9, 2, 1, 0):
        ask(Identity("1", 0), words(10 * days_ago, 6), days_ago=days_ago)
    leak = report(HOME, days=3).keys[0].leak
    assert (leak.words, leak.today, leak.units) == (24, 6, 18)


def test_words_of_an_operators_players_are_added_up(ask, report):
    """The words of an operator's players are added up, because their fingerprints cannot be compared."""
    ask(ANN, words(0, 6))
    ask(BOB, words(3, 6))
    (league,) = report(LEAGUE).keys
    assert (league.players, league.leak.words, league.leak.today) == (2, 12, 12)


def test_the_total_counts_a_word_for_each_who_asked_it(ask, report):
    """Two identities that ask the same six words may have learned twelve, as fingerprints cannot be compared."""
    ask(Identity("1", 0), words(0, 6))
    ask(ANN, words(0, 6))
    leak_report = report(HOME, LEAGUE)
    assert [key.leak.words for key in leak_report.keys] == [6, 6]
    assert (leak_report.all.words, leak_report.all.today) == (12, 12)


def test_verified_callers_do_not_draw_on_the_shared_budget(ask, report):
    """The shared budget shows what unverified callers spent, and the report what all of them did."""
    ask(Identity("1", 0, is_verified=True), words(0, 6))
    leak_report = report(HOME)
    assert leak_report.all.words == 6
    assert leak_report.world[-1] == (TODAY, 0, 500, 0, 2_000)


def test_core_words_are_counted_as_membership_learned(gate, ask, report):
    """Core words are counted for each client, for an operator once for all its players, and told in bits."""
    for days_ago in (40, 0):
        for identity in (Identity("1", 0), ANN, BOB):
            ask(identity, ["CAT", "PLAY"], days_ago=days_ago)
    assert isinstance(gate.admit(BOB, Question(("CAT",), 1), CORE, NOON), Admitted)
    leak_report = report(HOME, LEAGUE)
    assert [(key.leak.core_today, key.leak.core, key.leak.bits) for key in leak_report.keys] == [(2, 2, 1), (2, 2, 1)]
    assert (leak_report.all.core_today, leak_report.all.core, leak_report.all.bits) == (4, 4, 2)
    assert (bits_of(0, 100), bits_of(100, 0)) == (21, 74)
    assert bits_of(0, 10**6) == bits_of(0, CORE_WORDS) == 13_455


def test_the_forecast_is_the_pace_of_a_week(ask, report):
    """The forecast extends the pace of the last seven days: here half of 1,000 words is known 79 days on."""
    for days_ago in (20, 18, 16, 14, 12, 10, 8):
        ask(Identity("1", 0), words(100 + 10 * days_ago, 10), days_ago=days_ago)
    for days_ago in (6, 5, 4, 3, 2, 1, 0):
        ask(Identity("1", 0), words(400 + 5 * days_ago, 5), days_ago=days_ago)
    leak = report(HOME).keys[0].leak
    assert (leak.words, leak.a_day) == (105, 5.0)
    assert leak.half_on == TODAY + 79
    assert datetime.fromtimestamp(leak.half_on * DAY, UTC).isoformat() == "2027-02-08T00:00:00+00:00"


def test_a_flood_of_one_day_is_its_pace(ask, report):
    """The pace of a client that began today is that of one day, not of seven."""
    ask(Identity("1", 0), words(0, 20))
    assert report(HOME).keys[0].leak.a_day == 20.0


def test_without_a_pace_there_is_no_forecast(ask, report):
    """A forecast is missing without a pace or beyond a hundred years, and today if half is known already."""
    ask(Identity("1", 0), words(0, 20), days_ago=10)
    assert report(HOME).keys[0].leak.half_on is None
    assert report(LEAGUE).keys[0].leak == (0, 0, 0, 0, 0.0, 0.0, None, 0, 0)
    ask(Identity("1", 0), words(20, 1))
    assert report(HOME, borderline=100_000_000).keys[0].leak.half_on is None
    assert report(HOME, borderline=40).keys[0].leak.half_on == TODAY


def test_alarms_belong_to_their_key(gate, ask, report):
    """An alarm of a player is reported for the player's operator, with its end, and for no other client."""
    ask(Identity("1", 0), ["CAT", "PLAY"])
    ask(ANN, SWEEP)
    assert gate.tick(NOON) == ("run",)
    leak_report = report(HOME, LEAGUE)
    assert [key.subject.name for key in leak_report.keys] == ["league", "home"]
    player = gate.pricing.subject(ANN)[8:].hex()
    assert leak_report.keys[0].alarms == (("run", player, NOON + 28 * DAY),)
    assert leak_report.keys[1].alarms == ()
    assert leak_report.is_alarming


def test_the_shared_budget_against_its_cap(gate, report):
    """Each day has its own cap, and a day below four fifths of it, or long past, is no alarm."""
    small = Gate(Policy(world_floor=10, world_ceiling=50), gate.store, b"k" * 32)
    for days_ago in (3, 1):
        question = Question(tuple(words(10 * days_ago, 8)), 1, "g")
        assert isinstance(small.admit(Identity("1", 0), question, CORE, NOON - days_ago * DAY), Admitted)
    leak_report = make_leak_report(small, [HOME], NOON, days=4, borderline=1000)
    assert leak_report.world == (
        (TODAY - 3, 8, 10, 0, 40),
        (TODAY - 2, 0, 12, 0, 48),
        (TODAY - 1, 8, 12, 0, 48),
        (TODAY, 0, 12, 0, 48),
    )
    assert [day.is_alarming for day in leak_report.world] == [True, False, False, False]
    assert not leak_report.is_alarming


def test_yesterdays_flood_is_still_an_alarm(gate):
    """A flood is an alarm on the day after it too, and not on the second day."""
    small = Gate(Policy(world_floor=10, world_ceiling=50), gate.store, b"k" * 32)
    small.admit(Identity("1", 0), Question(tuple(words(0, 9)), 1, "g"), CORE, NOON - DAY)
    assert make_leak_report(small, [HOME], NOON, days=1, borderline=1000).is_alarming is False
    assert make_leak_report(small, [HOME], NOON, days=2, borderline=1000).is_alarming is True
    assert make_leak_report(small, [HOME], NOON + DAY, days=3, borderline=1000).is_alarming is False


def test_a_history_has_the_fingerprints_of_each_day(gate, ask):
    """A charge history has, for each day, the fingerprints that pricing computes for its words."""
    ask(Identity("1", 0), ["LOVERS", "QUIZ"], days_ago=1)
    ask(Identity("1", 0), ["LOVERS"], days_ago=0)
    gate.store.collect(NOON)
    (history,) = read_charge_histories(gate.store, gate.pricing.client_id("1"))
    fingerprints = {word: gate.pricing.fingerprint(history.subject, word) for word in ("LOVERS", "QUIZ")}
    assert history.fingerprints == {TODAY - 1: set(fingerprints.values()), TODAY: {fingerprints["LOVERS"]}}
    assert history.words() == set(fingerprints.values())
    assert history.words(before=TODAY - 1) == set()


def test_status_for_the_metrics(gate, ask):
    """The status has today's shared budgets, identities in alarm by detector, and the games left to guests."""
    for identity in (ANN, BOB):
        ask(identity, SWEEP)
    world, alarming, guests = read_guard_status(gate, NOON)
    assert world == (TODAY, 52, 500, 0, 2_000)
    assert world.alarm_at == 400
    assert alarming == {"run": 2, "pace": 0}
    assert guests[:2] == (8, 8)
