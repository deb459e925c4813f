"""Tests of the guests' budget: what their games hold, spend and give back."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from gate_helpers import MIDNIGHT, NOON, words
from guest_table import GuestTable
from hypothesis import given
from hypothesis import strategies as st

from ordws.guard.policy import DAY, Policy
from ordws.guard.stores.lmdb import LmdbMeterStore

SMALL = Policy(
    units_a_game=4, units_a_seat=3, core_a_game=1, core_outside_a_day=2, guest_units_a_day=14, world_core_percent=150
)


@pytest.fixture
def table(tmp_path):
    store = LmdbMeterStore.create(tmp_path / "meters")
    yield GuestTable(store, Policy())
    store.close()


def test_eight_whole_games_are_held_and_no_ninth(table):
    """A day holds eight games of 28 units; the ninth is refused until midnight and holds nothing."""
    assert [table.hold(f"g{n}", NOON + DAY, NOON) for n in range(8)] == [None] * 8
    assert table.games.left(NOON) == (0, 8, MIDNIGHT)
    refused = table.hold("g8", NOON + DAY, NOON)
    assert (refused.budget, refused.retry_after_seconds) == ("guests", DAY // 2)
    assert table.shared(NOON // DAY) == [224, 800]
    assert table.ask("g8", "QUIZ", now=NOON) == "guests"


def test_a_game_that_is_over_gives_back_what_it_did_not_spend_once(table):
    """The unspent units of a game come back once, and nothing can be asked in it any more."""
    table.hold("g", NOON + DAY, NOON)
    assert table.ask("g", *words(0, 8), now=NOON) is None
    assert [table.games.give_back("g", NOON) for _ in range(3)] == [20, 0, 0]
    assert (table.shared(NOON // DAY), table.shared(NOON // DAY + 1)) == ([8, 0], [0, 0])
    assert table.ask("g", "ZZZX", now=NOON) == "guests"
    assert table.ask("g", words(5_000, 1)[0], now=NOON) == "guests"
    assert table.games.left(NOON).games_left == 8


def test_a_game_that_nobody_opened_gives_nothing_back(table):
    """A game that holds nothing asks nothing, and gives nothing back."""
    assert (table.games.give_back("g", NOON), table.ask("g", "QUIZ", now=NOON)) == (0, "guests")
    for _ in range(2):
        assert table.hold("g", NOON + DAY, NOON) is None
    assert table.shared(NOON // DAY) == [28, 100]


def test_a_running_game_holds_its_units_after_midnight_too(table):
    """What a game may still spend after midnight counts on the new day until the game is over."""
    for n in range(8):
        table.hold(f"g{n}", NOON + DAY, NOON)
    assert table.games.left(MIDNIGHT).games_left == 0
    assert table.ask("g0", *words(0, 8), now=MIDNIGHT) is None
    assert table.games.give_back("g0", MIDNIGHT) == 20
    assert (table.shared(MIDNIGHT // DAY)[0], table.games.left(MIDNIGHT).games_left) == (204, 1)


def test_a_game_that_is_opened_again_after_midnight_holds_what_it_held(table):
    """A rematch asked for again on the next day must hold nothing more, also where that day has no whole game left."""
    table.hold("g", NOON + DAY, NOON)
    assert table.hold("g", NOON + DAY, MIDNIGHT) is None
    assert (table.shared(MIDNIGHT // DAY), table.shared(MIDNIGHT // DAY + 1)) == ([28, 100], [0, 0])
    for n in range(7):
        table.hold(f"g{n}", MIDNIGHT + DAY, MIDNIGHT)
    assert table.games.left(MIDNIGHT).games_left == 0
    assert table.hold("g", NOON + DAY, MIDNIGHT) is None
    assert table.games.give_back("g", MIDNIGHT) == 28
    assert table.games.left(MIDNIGHT).games_left == 1


def test_a_game_that_nobody_begins_gives_back_within_the_hour(table):
    """Games that are opened and left give back all that they hold, and hold it again when they begin."""
    for n in range(8):
        assert table.games.open(f"g{n}", f"192.0.2.{n // 4}", NOON) is None
    assert table.games.left(NOON).games_left == 0
    assert table.games.begin("g0", NOON + DAY, NOON + 60) is None
    assert table.games.sweep(NOON + 3_599) == 7
    assert table.games.left(NOON + 3_599).games_left == 7
    assert table.ask("g0", "QUIZ", now=NOON + 3_599) is None
    assert table.games.begin("g1", NOON + DAY, NOON + 3_600) is None
    assert table.ask("g1", "QUIZ", now=NOON + 3_600) is None
    assert table.games.left(NOON + 3_600).games_left == 6


def test_a_game_that_begins_late_says_where_nothing_is_left(table):
    """A game that gave back what it held is refused when it begins, if others hold the whole day by then."""
    table.games.open("late", "192.0.2.9", NOON)
    table.games.sweep(NOON + 3_600)
    for n in range(8):
        table.hold(f"g{n}", NOON + DAY, NOON + 3_600)
    assert table.games.begin("late", NOON + DAY, NOON + 3_600).budget == "guests"


def test_a_last_oath_between_the_end_of_a_hold_and_its_sweep_holds_one_game(table):
    """A game whose hold has ended and was not given back yet holds once what it may spend, when it begins."""
    table.games.open("late", "198.51.100.1", NOON)
    held = table.shared(NOON // DAY)
    assert table.hold("late", NOON + DAY, NOON + 2_701) is None
    assert table.shared(NOON // DAY) == held


def test_an_address_opens_six_games_a_day_over_all_processes(table):
    """The seventh game of an address is refused until midnight, by whichever worker; another address has its own."""
    other = GuestTable(table.gate.store, Policy())
    opened = [(table, other)[n % 2].games.open(f"g{n}", "192.0.2.1", NOON) for n in range(7)]
    assert opened[:6] == [None] * 6
    assert (opened[6].budget, opened[6].retry_after_seconds) == ("address", DAY // 2)
    assert [each.games.may_open("192.0.2.1", NOON) for each in (table, other)] == [False, False]
    assert table.games.may_open("192.0.2.2", NOON)
    assert table.games.may_open("192.0.2.1", MIDNIGHT)


def test_an_expired_game_asks_nothing_and_gives_back_at_the_sweep(table):
    """A game that was left gives back all that it holds once it has expired, and not before."""
    table.hold("g", NOON + DAY, NOON)
    assert [table.games.sweep(NOON + DAY + late) for late in (-1, 0, 0)] == [0, 1, 0]
    assert table.ask("g", "QUIZ", now=NOON + DAY) == "guests"
    assert table.shared(NOON // DAY + 1) == [0, 0]


def test_words_are_charged_to_each_game_whatever_other_guests_asked(table):
    """A word costs a unit in each game once; seats share the units of the game, and none has more than its own."""
    for game in ("a", "b"):
        table.hold(game, NOON + DAY, NOON)
        for seat in (0, 1):
            assert table.ask(game, "QUIZ", now=NOON, seat=seat) is None
        assert table.charged(game) == 1
        assert table.ask(game, *words(0, 18), now=NOON) == "game"
        assert table.ask(game, *words(0, 17), now=NOON) is None
        assert table.ask(game, *words(100, 11), now=NOON, seat=1) == "game"
    assert table.gate.unverified_spent(NOON) == {}


def test_core_words_of_a_game_are_limited(table):
    """A game has a hundred core words, as an identity has that may open one game."""
    table.hold("g", NOON + DAY, NOON)
    for n in range(0, 100, 5):
        assert table.ask("g", *words(5_000 + n, 5), now=NOON) is None
    assert table.ask("g", *words(5_100, 1), now=NOON) == "game"


def test_bases_under_dover_are_units_of_the_game_and_of_no_seat(table):
    """A base is charged to what the game holds, so that a guests' game never spends more than that."""
    table.hold("g", NOON + DAY, NOON)
    for n in range(14):
        assert table.ask("g", words(n, 1)[0], now=NOON, bases=words(100 + n, 1)) is None
    assert table.ask("g", "ZZZX", now=NOON) == "game"
    assert table.games.give_back("g", NOON) == 0
    assert table.shared(NOON // DAY) == [28, 0]


def test_an_alarm_leaves_a_quarter_of_a_game_and_gives_back_the_rest(table):
    """A detector in alarm reduces the game alone; what it cannot spend any more comes back with the rest."""
    table.hold("g", NOON + DAY, NOON)
    for n in range(26):
        table.ask("g", f"AAAA{chr(65 + n)}", now=NOON)
    assert table.gate.store.active_alarms(NOON)
    spent = table.charged("g")
    assert (spent < 28, table.games.give_back("g", NOON)) == (True, 28 - spent)


def test_a_changed_policy_gives_back_no_more_than_was_held(tmp_path):
    """A game gives back what it holds, also where a keeper has changed the units of a game meanwhile."""
    store = LmdbMeterStore.create(tmp_path / "meters")
    GuestTable(store, Policy(units_a_game=20)).hold("g", NOON + DAY, NOON)
    later = GuestTable(store, Policy())
    assert (later.games.give_back("g", NOON), later.shared(NOON // DAY)) == (20, [0, 0])
    store.close()


def test_a_closed_store_gives_nothing_back(table):
    """While the meters count as spent, no game is opened and nothing comes back."""
    table.hold("g", NOON + DAY, NOON)
    table.gate.store.refuse_until(MIDNIGHT)
    assert (table.games.left(NOON).games_left, table.games.give_back("g", NOON)) == (0, 0)
    assert table.hold("h", NOON + DAY, NOON) is not None


@pytest.fixture
def club(tmp_path):
    """Yield guests' games of which the play link with number 7 has nine of its own, and number 8 one."""
    store = LmdbMeterStore.create(tmp_path / "meters")
    yield GuestTable(store, Policy(), {7: 9, 8: 1})
    store.close()


def test_a_link_of_its_own_has_its_games_whatever_others_play(club):
    """Nine games of a club are opened from one address, and take nothing from others; the tenth is refused."""
    for n in range(8):
        club.hold(f"g{n}", NOON + DAY, NOON)
    assert [club.games.open(f"c{n}", "192.0.2.1", NOON, 7) for n in range(9)] == [None] * 9
    assert club.games.open("c9", "192.0.2.1", NOON, 7).budget == "guests"
    assert (club.games.left(NOON, 7), club.games.left(NOON, 8)) == ((0, 9, MIDNIGHT), (1, 1, MIDNIGHT))
    assert (club.shared(NOON // DAY), club.shared(NOON // DAY, 7)) == ([224, 800], [252, 900])
    assert club.games.may_open("192.0.2.1", NOON)


def test_a_game_of_a_link_gives_back_to_it_and_begins_anew_from_it(club):
    """What comes back at the end or at a sweep is the link's, and so is what a late game holds when it begins."""
    for game in ("over", "late"):
        club.games.open(game, "192.0.2.1", NOON, 7)
    assert (club.games.give_back("over", NOON), club.shared(NOON // DAY, 7)) == (28, [28, 100])
    assert club.games.sweep(NOON + 3_600) == 1
    assert club.shared(NOON // DAY, 7) == [0, 0]
    assert club.games.begin("late", NOON + DAY, NOON + 3_600) is None
    assert (club.shared(NOON // DAY, 7), club.shared(NOON // DAY), club.games.link_of("late")) == ([28, 100], [0, 0], 7)


def test_a_withdrawn_link_holds_nothing_more_and_its_games_go_on(club):
    """A game that holds its words has them after a withdrawal; one that gave them back does not begin any more."""
    for game in ("held", "late"):
        club.games.open(game, "192.0.2.1", NOON, 7)
    assert club.games.begin("held", NOON + DAY, NOON) is None
    club.games.sweep(NOON + 3_600)
    del club.grants[7]
    assert club.ask("held", "QUIZ", now=NOON + 3_600) is None
    assert club.games.begin("late", NOON + DAY, NOON + 3_600).budget == "guests"
    assert club.games.give_back("held", NOON + 3_600) == 27
    assert club.shared(NOON // DAY, 7) == [1, 0]


STEPS = st.tuples(
    st.sampled_from(["hold", "ask", "ask", "over", "sweep"]),
    st.integers(0, 3),
    st.lists(st.integers(0, 12), min_size=1, max_size=3),
    st.sampled_from([0, 0, 0, 0, 0, 0, 3_600, DAY // 2 - 1, DAY // 2, DAY]),
)
"""An act, the game that it concerns, counted back from the newest, words, and the time before it."""


@given(st.lists(STEPS, min_size=12, max_size=60))
def test_the_shared_meters_are_what_a_naive_count_says(steps):
    """Through any sequence of games, what a day holds is exactly what its games hold, and no day spends more.

    A game counts as what it may spend while it runs, and as what it spent once it is over: on its first day, and on the
    next if it ran into it.
    """
    with tempfile.TemporaryDirectory() as folder:
        store = LmdbMeterStore.create(Path(folder) / "meters")
        table, now = GuestTable(store, SMALL), NOON
        opened, over, units, core, per_day = {}, {}, defaultdict(set), defaultdict(set), defaultdict(int)

        def holds(day):
            total = [0, 0]
            for game, moment in opened.items():
                first, ended = moment // DAY, over.get(game)
                if day in (first, first + 1) and not (day > first and ended == first):
                    spent = [len(units[game]), len(core[game])]
                    total = [sum(pair) for pair in zip(total, spent if ended == day else (4, 3), strict=True)]
            return total

        for act, back, asked, passed in steps:
            now += passed
            day = now // DAY
            game = f"g{len(opened) if act == 'hold' else len(opened) - 1 - back}"
            alive = game in opened and now < opened[game] + DAY
            if act == "hold":
                held = holds(day)
                refused = table.hold(game, now + DAY, now)
                assert (refused is None) == (held[0] + 4 <= 14 and held[1] + 3 <= 21)
                if refused is None:
                    opened[game] = now
            elif act == "ask":
                new = words(asked[0], len(asked))
                before = table.charged(game)
                refused = table.ask(game, *new, words(5_000 + asked[0], 1)[0], now=now)
                per_day[day] += table.charged(game) - before
                assert refused is None or table.charged(game) == before
                if refused is None:
                    assert alive
                    units[game] |= set(new)
                    core[game] |= {asked[0]}
            elif act == "over" and game in opened:
                given = table.games.give_back(game, now)
                is_in_time = game not in over and day <= opened[game] // DAY + 1
                assert given == (4 - len(units[game]) if is_in_time else 0)
                if is_in_time:
                    over[game] = day
            elif act == "sweep":
                table.games.sweep(now)
                for each, moment in opened.items():
                    if now >= moment + DAY and day <= moment // DAY + 1:
                        over.setdefault(each, day)
            assert [table.shared(each) for each in (day, day + 1)] == [holds(day), holds(day + 1)]
            assert per_day[day] <= table.shared(day)[0] <= 14
        store.close()
