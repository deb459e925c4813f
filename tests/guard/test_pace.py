"""Tests of the detectors of a client as a whole: `pace` and `repeats`."""

from __future__ import annotations

import pytest
from gate_helpers import HOME, MIDNIGHT, NOON, ask, left, words

from ordws.guard.gate import Gate, Refused
from ordws.guard.pace import calmed_meter, load_of, past_loads
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Identity, Meter, Question
from ordws.guard.stores.lmdb import LmdbMeterStore

CLUB = Identity("3", NOON, "t0", is_verified=True, is_club_device=True)
CORE_WORDS = words(0, 6_000)


def flush(gate, now=NOON):
    return set(gate.update_detectors(now, flush_all=True))


def read_core(gate, devices, count, *, first=0, now=NOON, flush_every=8):
    """Ask core words through devices of a club; return how many were answered before any alarm."""
    for number in range(first, first + count, 8):
        device = CLUB._replace(player=f"t{number // 8 % devices}")
        if ask(gate, device, *CORE_WORDS[number : number + 8], core_list=CORE_WORDS, now=now) is not None:
            return number - first
        if number % flush_every == 0 and flush(gate, now):
            return number - first + 8
    return count


def doubt(gate, count, *, first=0, now=NOON, client=CLUB, tables=90):
    """Ask words in doubt at the tables of a club, of which every fifth was asked before."""
    for number in range(count):
        word = words(7_000 + first + number - number % 5 // 4, 1)[0]
        table = client._replace(player=f"t{number % tables}")
        gate.admit(table, Question((word,), 1, is_doubt=True), frozenset(), now)


def test_a_club_that_reads_out_the_core_comes_to_an_alarm(gate):
    """A club with 43 devices comes to an alarm after 448 core words that nobody repeats, which leaves it a quarter."""
    assert read_core(gate, 43, 4_600) == 448
    answered = read_core(gate, 43, 4_600, first=448, flush_every=10**9)
    assert 448 + answered == 1_144
    assert left(gate, CLUB)["operator"] == 500


def test_words_that_players_repeat_are_no_evidence(gate):
    """A player's own repeats count for nothing, and a word that another player asked weighs as much as 38 new ones."""
    for _ in range(9):
        assert ask(gate, CLUB, *CORE_WORDS[:8], core_list=CORE_WORDS) is None
    detector = f"{gate.pricing.client_key('3')}/sign/repeats"

    def spent():
        flush(gate)
        return gate.store.read([Meter(detector, 0, NOON)], NOON)[0].spent

    assert spent() == 8 * 26
    ask(gate, CLUB._replace(player="t1"), CORE_WORDS[0], core_list=CORE_WORDS)
    assert spent() == 0
    gate.admit(HOME, Question(CORE_WORDS[:8], 1), CORE_WORDS, NOON)
    flush(gate)
    assert not [each for each in gate.store.active_alarms(NOON) if each.endswith("repeats")]


def alarmed(gate, now=NOON):
    """Return the detectors in alarm: those of players, and those of the operator as a whole."""
    flush(gate, now)
    names = gate.store.active_alarms(now)
    return [{name.rpartition("/")[2] for name in names if ("." in name) is of_player} for of_player in (True, False)]


def ask_in_games(gate, device, now, *, first, count):
    """Ask words in doubt of the core list and of others at a table, 40 and 28 in each of twelve games."""
    for game in range(count):
        numbers = range(first + 68 * game, first + 68 * game + 68, 4)
        for number in numbers:
            asked = words(number, 4)
            core = frozenset(asked if number - numbers[0] < 40 else ())
            gate.admit(device, Question(asked, 1, f"g{game}", is_doubt=True), core, now)
            flush(gate, now)


def test_no_two_players_bring_the_operator_to_an_alarm(gate):
    """Two devices that ask all they may for four days, and repeat nothing, are tightened, and not the club."""
    for day in range(4):
        for number in range(2):
            device = CLUB._replace(player=f"rogue {number}")
            ask_in_games(gate, device, NOON + day * DAY, first=(2 * day + number) * 900, count=12)
    assert alarmed(gate, NOON + 3 * DAY) == [{"pace"}, set()]
    assert left(gate, CLUB, now=NOON + 4 * DAY)["operator"] == 2_000
    assert left(gate, CLUB._replace(player="rogue 1"), now=NOON + 4 * DAY)["units"] == 89


@pytest.mark.parametrize(("rogues", "of_the_club"), [(1, set()), (2, set()), (3, {"pace"})])
def test_what_one_player_asks_without_games_counts_up_to_a_third(gate, open_gate, rogues, of_the_club):
    """One or two devices that spend yesterday's games and all else in one second do not bring the club to an alarm."""
    other = open_gate()
    for number in range(rogues):
        device = CLUB._replace(player=f"rogue {number}")
        for game in range(12):
            assert ask(gate, device, "AT", game=f"g{game}") is None
        for game in range(12):
            for first in range(1_000 * number + 28 * game, 1_000 * number + 28 * game + 28, 7):
                question = Question(words(first, 7), 1, f"g{game}", is_doubt=True)
                assert not isinstance(gate.admit(device, question, frozenset(), NOON + DAY), Refused)
    # Another process sees the same, though it charged none of them.
    assert ask(other, CLUB._replace(player="honest"), "QUIZ", now=NOON + DAY) is None
    assert flush(other, NOON + DAY) == of_the_club
    assert alarmed(gate, NOON + DAY) == [{"pace"}, of_the_club]


def test_an_honest_days_games_bring_no_player_to_an_alarm(gate):
    """A player may ask what twelve games of the most demanding players need: 121 units and 398 core words."""
    for game in range(12):
        for first in range(0, 44, 4):
            asked = words(100 * game + first, 4)
            core = frozenset(asked if first < 33 else ())
            assert not isinstance(gate.admit(CLUB, Question(asked, 1, f"g{game}"), core, NOON), Refused)
    assert alarmed(gate) == [set(), set()]


def test_a_rogue_club_that_only_doubts_comes_to_an_alarm(gate):
    """A club whose tablets ask 2,000 words outside the core list a day, all as doubts, comes to an alarm after 600."""
    doubt(gate, 600)
    assert flush(gate) == set()
    doubt(gate, 160, first=600)
    assert flush(gate) == {"pace"}
    assert left(gate, CLUB)["operator"] == 0
    assert gate.store.active_alarms(NOON) == {f"{gate.pricing.client_key('3')}/sign/pace"}


def test_games_explain_a_load(gate):
    """A game that was opened explains a load of 20, whichever player opened it."""
    for game in range(30):
        assert ask(gate, CLUB._replace(player=f"t{game}"), "AT", game="g") is None
    doubt(gate, 1_200)
    assert flush(gate) == set()
    doubt(gate, 400, first=1_200)
    assert flush(gate) == {"pace"}


def test_the_usual_day_explains_a_load(gate):
    """A client may come to twice the median of its active days within four weeks before."""
    for day in range(3):
        doubt(gate, 590, first=1_000 * day, now=NOON + day * DAY)
        assert flush(gate, NOON + day * DAY) == set()
    doubt(gate, 1_180, first=4_000, now=NOON + 5 * DAY)
    assert flush(gate, NOON + 5 * DAY) == set()
    doubt(gate, 1_180, first=4_000, now=NOON + 40 * DAY)
    assert flush(gate, NOON + 40 * DAY) == {"pace"}


def test_a_home_client_has_an_allowance_of_its_own(gate):
    """A home client that asks 540 core words a day without games comes to an alarm."""
    for first in range(0, 480, 8):
        ask(gate, HOME, *CORE_WORDS[first : first + 8], core_list=CORE_WORDS)
    assert flush(gate) == set()
    ask(gate, HOME, *CORE_WORDS[480:484], core_list=CORE_WORDS)
    assert flush(gate) == {"pace"}
    assert left(gate, HOME)["core"] == 0


def test_what_several_processes_saw_adds_up(open_gate):
    """The load of a day is that in the store, whichever process charged it."""
    gates = [open_gate(), open_gate()]
    for part, gate in enumerate(gates):
        doubt(gate, 380, first=380 * part)
    assert [flush(gate) for gate in gates] == [{"pace"}, set()]
    assert left(gates[1], CLUB)["operator"] == 0


def test_a_keeper_ends_an_alarm_of_the_pace(gate):
    """After a keeper has ended the alarm, the load of that day is allowed for four weeks, and more is not."""
    for _ in range(2):
        doubt(gate, 800)
        assert flush(gate) in ({"pace"}, set())
        assert gate.clear_alarms(CLUB.client, NOON) in (("pace",), ())
    assert flush(gate) == set()
    for day in (1, 2):
        doubt(gate, 5, first=1_000 * day, now=NOON + day * DAY)
    doubt(gate, 790, first=2_000, now=NOON + 20 * DAY)
    assert flush(gate, NOON + 20 * DAY) == set()
    doubt(gate, 100, first=2_790, now=NOON + 20 * DAY)
    assert flush(gate, NOON + 20 * DAY) == {"pace"}


def test_a_keeper_ends_an_alarm_of_a_players_pace(gate):
    """After a keeper has ended the alarm of a device, it stays ended, and the device has its budgets again."""
    ask_in_games(gate, CLUB, NOON, first=0, count=6)
    assert alarmed(gate) == [{"pace"}, set()]
    assert gate.clear_alarms(CLUB.client, NOON) == ("pace",)
    assert ask(gate, CLUB, "AT") is None
    assert alarmed(gate) == [set(), set()]
    assert left(gate, CLUB, now=MIDNIGHT)["units"] == 356


def test_a_closed_store_raises_no_alarm_of_the_pace(gate):
    """While a restore counts the day as spent, nobody's day seems large."""
    doubt(gate, 10)
    gate.store.refuse_until(MIDNIGHT)
    assert flush(gate) == set()


def test_the_load_of_past_days_follows_from_the_clients_own_meters(gate):
    """A day's load is its units and a quarter of its core words; other meters and days do not count."""
    ask(gate, CLUB, *words(0, 6), *CORE_WORDS[100:108], core_list=CORE_WORDS[100:], game="g")
    today = NOON // DAY
    stored = list(gate.store.stored_meters(f"{gate.pricing.client_key('3')}/"))
    assert {meter.name.rpartition("/")[2] for meter in stored} == {"operator", "operator-core", "operator-games"}
    assert past_loads(stored, range(today, today + 1)) == [load_of(6, 8)] == [8]
    assert past_loads(stored, range(today - 28, today)) == []
    ask(gate, HOME, *words(0, 6), *CORE_WORDS[100:108], core_list=CORE_WORDS[100:])
    stored = gate.store.stored_meters(f"{gate.pricing.client_key('1')}/")
    assert past_loads(stored, range(today, today + 1)) == [8]


@pytest.mark.parametrize("clients", [1, 250])
def test_any_number_of_clients_is_watched(tmp_path, clients):
    """All clients that asked within a second are compared, however many there are."""
    store = LmdbMeterStore.create(tmp_path / "meters")
    gate = Gate(Policy(), store, b"k" * 32)
    for number in range(clients):
        ask(gate, Identity(f"c{number}", NOON, is_verified=True), "QUIZ")
    last = CLUB._replace(client="last")
    doubt(gate, 760, client=last)
    assert flush(gate) == {"pace"}
    assert calmed_meter("x", NOON).ends == NOON + 28 * DAY
    store.close()
