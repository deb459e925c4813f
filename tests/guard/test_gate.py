"""The gate: whom it admits to what, and what it tells."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import pytest

from ordws.errors import BadInput, Broken, StoreDown
from ordws.guard.gate import Allowance, Gate, Refused, Ticket
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Identity, Question
from ordws.guard.stores.sqlite import SqliteStore

NOON = 1_795_262_400
MIDNIGHT = NOON + DAY // 2
CORE = frozenset({"CAT", "PLAY"})
HOME = Identity("1", NOON - 40 * DAY)
OTHER = Identity("2", NOON - 40 * DAY)
CLUB = Identity("3", NOON - 40 * DAY, "ann")
PLENTY = Policy(world_floor=10_000, world_ceiling=10_000)
"""For what is not about the world's cap."""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "meters.db"
    SqliteStore.create(path).close()
    return path


@pytest.fixture
def open_gate(path):
    """Opens gates over the same meters, as several processes do."""
    gates = []

    def open_gate(policy=PLENTY):
        gates.append(Gate(policy, SqliteStore(path), b"k" * 32))
        return gates[-1]

    yield open_gate
    for gate in gates:
        gate.store.close()


@pytest.fixture
def gate(open_gate):
    return open_gate()


def words(first, count):
    """Words that are in no list: four letters, counted, far from each other in the alphabet."""
    letters = [[chr(65 + n // place % 26) for place in (1, 26, 676)] for n in range(first, first + count)]
    return tuple(["".join([*three, "X"]) for three in letters])


def ask(gate, who, *asked, game=None, turn=None, edition=1, now=NOON, verdict=True):
    """The budget that does not hold a question, or None where it was answered, as the desk does it."""
    outcome = gate.admit(who, Question(asked, edition, game, turn), CORE, now)
    if isinstance(outcome, Refused):
        return outcome.budget
    if verdict is not None:
        gate.settle(outcome, verdict, now)
    return None


def left(gate, who, game=None, now=NOON, **place):
    return {allowance.budget: allowance.left for allowance in gate.quota(who, game, now, **place)}


def test_twenty_units_outside_a_game(gate):
    """An identity asks twenty new words a day outside games, and the next day twenty again."""
    for word in words(0, 20):
        assert ask(gate, HOME, word) is None
    refused = gate.admit(HOME, Question(words(20, 1), 1), CORE, NOON)
    assert (refused.budget, refused.retry_after_seconds) == ("outside", 43_200)
    assert ask(gate, OTHER, *words(20, 1)) is None
    assert ask(gate, HOME, *words(20, 1), now=MIDNIGHT) is None


def test_twenty_eight_units_a_game(gate):
    """A game has 28 units, also where it goes on after midnight; it ends with the next day."""
    assert ask(gate, HOME, *words(0, 28), game="g") is None
    for now, seconds in ((NOON, 43_200 + DAY), (MIDNIGHT, DAY)):
        refused = gate.admit(HOME, Question(words(28, 1), 1, "g"), CORE, now)
        assert (refused.budget, refused.retry_after_seconds) == ("game", seconds)
    assert ask(gate, HOME, *words(28, 28), game="g", now=MIDNIGHT + DAY) is None


def test_all_meters_of_a_game_begin_together(gate):
    """A game in which no unit was spent on its first day has 28 on its second, and ends with it all the same."""
    assert ask(gate, HOME, "AT", game="g") is None
    assert ask(gate, HOME, *words(0, 28), game="g", now=MIDNIGHT) is None
    assert left(gate, HOME, "g", now=MIDNIGHT + DAY)["game"] == 28
    assert ask(gate, HOME, *words(28, 28), game="g", now=MIDNIGHT + DAY) is None
    assert ask(gate, HOME, *words(56, 1), game="g", now=MIDNIGHT + 2 * DAY) == "game"


def test_twelve_games_a_day(gate):
    """The thirteenth game of a day is refused at its first question, even if that is free."""
    for n in range(12):
        assert ask(gate, HOME, "AT", game=f"g{n}") is None
    refused = gate.admit(HOME, Question(("AT",), 1, "g12"), CORE, NOON)
    assert (refused.budget, refused.retry_after_seconds) == ("games", 43_200)
    assert ask(gate, HOME, "AT", game="g11") is None


def test_a_new_key_has_two_games_a_day_and_one_more_each_third_day(gate):
    """Until it has twelve, thirty days old; unless it is verified."""
    young = Identity("9", NOON)
    assert [ask(gate, young, "AT", game=f"a{n}") for n in range(3)] == [None, None, "games"]
    assert left(gate, young._replace(is_verified=True))["games"] == 10
    assert [left(gate, young, now=NOON + days * DAY)["games"] for days in (1, 3, 6, 29, 30)] == [2, 3, 4, 11, 12]


def test_games_of_yesterday_do_not_add_up(gate):
    """With yesterday's twelve games still open, the day's units are 356 and no more."""
    for n in range(12):
        ask(gate, HOME, "AT", game=f"old{n}")
    learned = 0
    for n in range(12):
        for game in (f"old{n}", f"new{n}"):
            if ask(gate, HOME, *words(learned, 28), game=game, now=MIDNIGHT) is None:
                learned += 28
    for _ in range(20):
        learned += ask(gate, HOME, *words(learned, 1), now=MIDNIGHT) is None
    assert learned == 356
    assert ask(gate, HOME, *words(learned, 1), now=MIDNIGHT) == "units"


def test_fifteen_hundred_core_words_a_day(gate):
    """Core words cost no unit and are counted all the same."""
    assert [ask(gate, HOME, "CAT", "PLAY") for _ in range(750)] == [None] * 750
    assert ask(gate, HOME, "CAT", "PLAY") == "core"
    assert left(gate, HOME)["units"] == 356


def test_sixty_plays_a_game(gate):
    """Plays with nothing dear in them count, and words judged in a game are plays."""
    assert [ask(gate, HOME, "CAT", game="g") for _ in range(61)] == [None] * 60 + ["plays"]


def test_sixteen_invalid_plays_a_game(gate):
    """A play is held as invalid before anything is looked up, and given back on a yes."""
    assert [ask(gate, HOME, "AT", game="g") for _ in range(20)] == [None] * 20
    assert left(gate, HOME, "g")["invalid"] == 16
    assert [ask(gate, HOME, "AT", game="g", verdict=False) for _ in range(17)] == [None] * 16 + ["invalid"]
    assert left(gate, HOME, "g") | {"core": 0} == {
        "core": 0, "units": 356, "outside": 20, "games": 11, "game": 28, "plays": 24, "invalid": 0,
    }  # fmt: skip


def test_a_question_that_was_never_settled_counts_as_invalid(gate, open_gate):
    """A worker that is killed between charge and verdict errs by one, on the safe side."""
    assert ask(gate, HOME, "AT", game="g", verdict=None) is None
    assert left(open_gate(), HOME, "g")["invalid"] == 15


def test_words_outside_a_game_are_not_plays(gate):
    """There is nothing to settle."""
    ticket = gate.admit(HOME, Question(("QUIZ",), 1), CORE, NOON)
    assert isinstance(ticket, Ticket)
    assert ticket.held is None


def test_a_word_is_new_again_with_an_edition(gate):
    """What was told of one edition is not told of the next."""
    for edition in (1, 1, 2):
        ask(gate, HOME, "QUIZ", edition=edition)
    assert left(gate, HOME)["units"] == 354


def test_a_word_is_new_again_after_a_day(gate):
    """To the second."""
    for now, units in ((NOON, 355), (NOON + DAY - 1, 356), (NOON + DAY, 355)):
        ask(gate, HOME, "QUIZ", now=now)
        assert left(gate, HOME, now=now)["units"] == units


def test_an_operators_players_share_its_total(gate):
    """2,000 units where the keeper has set no other number; each player has budgets of its own besides."""
    small = CLUB._replace(units=30)
    for player in ("ann", "bob"):
        for word in words(ord(player[0]), 15):
            assert ask(gate, small._replace(player=player), word) is None
    assert ask(gate, small._replace(player="cid"), *words(300, 1)) == "operator"
    assert left(gate, small._replace(player="ann"))["outside"] == 5
    assert left(gate, CLUB._replace(player="ann"))["operator"] == 1_970


def test_an_operator_has_twenty_new_players_a_day(gate, open_gate):
    """Each counts on its first day alone, in whichever process, and begins its own thirty days then."""
    asks = [ask(gate, CLUB._replace(player=f"p{n}"), "AT", game="g") for n in range(21)]
    assert asks == [None] * 20 + ["players"]
    other = open_gate()
    assert ask(other, CLUB._replace(player="p20"), "AT") == "players"
    assert ask(other, CLUB._replace(player="p3"), "AT") is None
    assert ask(other, CLUB._replace(player="p20"), "AT", now=MIDNIGHT) is None
    assert left(other, CLUB._replace(player="p3"), now=NOON + 3 * DAY)["games"] == 3
    assert left(other, CLUB._replace(player="p20"), now=NOON + 3 * DAY)["games"] == 2
    assert left(other, CLUB._replace(player="p20"), now=NOON + 4 * DAY)["players"] == 20


def test_a_verified_operators_players_begin_with_twelve_games(gate):
    """The keeper knows who answers for them."""
    assert left(gate, CLUB._replace(is_verified=True))["games"] == 12
    assert left(gate, CLUB)["games"] == 2


def test_a_new_player_who_was_refused_is_still_new(gate):
    """Nothing of a refused question is remembered."""
    assert ask(gate, CLUB, "AT", game="a") is None
    bob = CLUB._replace(player="bob", units=0)
    assert ask(gate, bob, "QUIZ") == "operator"
    assert left(gate, bob)["players"] == 19


def test_all_who_are_not_verified_share_the_worlds_cap(open_gate):
    """A word that somebody has asked before costs it nothing; who is verified has a reserve."""
    gate = open_gate(Policy(world_floor=10, world_ceiling=10, reserve_a_day=3))
    verified = Identity("7", NOON, is_verified=True)
    assert ask(gate, HOME, *words(0, 8)) is None
    assert ask(gate, OTHER, *words(0, 8), *words(8, 2)) is None
    assert ask(gate, OTHER, *words(10, 1)) == "world"
    assert ask(gate, HOME, *words(8, 2)) is None
    assert ask(gate, verified, *words(0, 8), *words(10, 3)) is None
    assert ask(gate, verified, *words(13, 1)) == "reserve"
    assert ask(gate, OTHER, *words(10, 3)) is None
    assert ask(gate, OTHER, *words(13, 1), now=MIDNIGHT) is None


def test_the_worlds_cap_follows_what_was_spent(open_gate):
    """Half more than the median of the days before; it stays the same through a day, in all processes."""
    policy = Policy(world_floor=20, world_ceiling=100)
    for day in range(3):
        for n in range(16):
            assert ask(open_gate(policy), HOME, *words(20 * day + n, 1), now=NOON + day * DAY) is None
    later = NOON + 3 * DAY
    gate = open_gate(policy)
    assert gate.world_cap(later) == 24
    assert ask(gate, HOME, *words(100, 20), now=later) is None
    assert (gate.world_cap(later), open_gate(policy).world_cap(later)) == (24, 24)
    assert gate.world_spent(later) == {20_778: 16, 20_779: 16, 20_780: 16, 20_781: 20}


def test_a_sealed_games_units_are_shared_and_its_games_are_each_seats(gate):
    """Two seats spend one game each, and 28 units and 60 plays together."""
    assert gate.open_game((HOME, OTHER), "s", NOON) is None
    assert gate.open_game((HOME, OTHER), "s", NOON) is None
    assert [left(gate, who)["games"] for who in (HOME, OTHER)] == [11, 11]
    assert ask(gate, HOME, *words(0, 20), game="s", turn="1") is None
    assert ask(gate, OTHER, *words(20, 9), game="s", turn="2") == "game"
    assert ask(gate, OTHER, *words(20, 8), game="s", turn="2") is None
    assert [left(gate, who)["units"] for who in (HOME, OTHER)] == [336, 348]
    assert left(gate, HOME, "s", is_sealed=True)["plays"] == 58
    assert left(gate, HOME)["games"] == 11


def test_the_same_turn_again_is_the_same_play(gate):
    """No charge; its verdict was settled then, so a repeated yes gives nothing back."""
    for turn, verdict in (("1 A", False), ("1 A", False), ("2 B", True), ("2 B", True), ("1 A", True)):
        assert ask(gate, HOME, "QUIZ", game="s", turn=turn, verdict=verdict) is None
    quota = left(gate, HOME, "s", is_sealed=True)
    assert (quota["plays"], quota["invalid"], quota["game"]) == (58, 15, 27)


def test_a_seat_opens_no_game_of_the_same_label(gate):
    """Or who knows the name of a sealed game would have its units twice."""
    gate.open_game((HOME,), "s", NOON)
    ask(gate, HOME, "AT", game="s")
    assert left(gate, HOME)["games"] == 10


def test_a_sealed_game_that_a_seat_cannot_pay_costs_nobody(gate):
    """All seats or none."""
    young = Identity("9", NOON)
    for n in range(2):
        ask(gate, young, "AT", game=f"g{n}")
    refused = gate.open_game((HOME, young), "s", NOON)
    assert refused.budget == "games"
    assert left(gate, HOME)["games"] == 12


def test_new_players_may_sit_down_to_a_sealed_game(gate):
    """They count as new players, and are known then."""
    ann, bob = CLUB, CLUB._replace(player="bob")
    assert gate.open_game((ann, bob), "s", NOON) is None
    assert left(gate, ann)["players"] == 18
    assert left(gate, ann, now=NOON + 3 * DAY)["games"] == 3


def test_the_quota_names_every_budget(gate):
    """What is left, of what, until when; a game's budgets where a game is named."""
    ask(gate, HOME, "QUIZ", "CAT", game="g", verdict=False)
    assert gate.quota(HOME, "g", NOON) == [
        Allowance("core", 1500, 1499, MIDNIGHT), Allowance("units", 356, 355, MIDNIGHT),
        Allowance("outside", 20, 20, MIDNIGHT), Allowance("games", 12, 11, MIDNIGHT),
        Allowance("game", 28, 27, MIDNIGHT + DAY), Allowance("plays", 60, 59, MIDNIGHT + DAY),
        Allowance("invalid", 16, 15, MIDNIGHT + DAY),
    ]  # fmt: skip


def test_the_quota_of_a_player_names_its_operators_too(gate):
    """The total, and the new players of the day."""
    ask(gate, CLUB, "QUIZ")
    assert gate.quota(CLUB, None, NOON)[4:] == [
        Allowance("operator", 2_000, 1_999, MIDNIGHT), Allowance("players", 20, 19, MIDNIGHT)
    ]  # fmt: skip


def sweep(gate, who, count, first=0):
    """Ask so many words that follow each other in the alphabet, in a game each ten; returns the alarms told."""
    told = []
    for n in range(first, first + count):
        ask(gate, who, f"ABC{chr(65 + n // 26)}{chr(65 + n % 26)}", game=f"sweep{n // 10}")
        told += gate.watch(NOON)
    return told


def test_a_sweep_comes_to_an_alarm_that_tightens_its_budgets(gate, open_gate):
    """In seven words, told once; of the units a quarter is left, in all processes, nothing else. (GUARD, decision 8)"""
    other = open_gate()
    assert sweep(gate, HOME, 30) == ["run"]
    assert left(gate, HOME, "sweep2") == {
        "core": 1_500, "units": 89 - 3 * 7, "outside": 5, "games": 9, "game": 0, "plays": 53, "invalid": 16,
    }  # fmt: skip
    assert ask(gate, HOME, *words(0, 6)) == "outside"
    assert ask(gate, HOME, *words(0, 5)) is None
    assert [sweep(gate, HOME, 10, first) for first in (30, 40, 50)] == [["share"], [], []]
    assert left(gate, OTHER)["units"] == 356
    assert left(other, HOME)["units"] == 356 - 47
    assert other.watch(NOON + 1, all_of_it=True) == ()
    assert left(other, HOME)["units"] == 89 - 47


def test_an_alarm_ends(gate):
    """Four weeks after its sign was first seen."""
    sweep(gate, HOME, 30)
    gate.watch(NOON + 28 * DAY - 1, all_of_it=True)
    assert left(gate, HOME, now=NOON + 28 * DAY - 1)["units"] == 89
    gate.watch(NOON + 28 * DAY, all_of_it=True)
    assert left(gate, HOME, now=NOON + 28 * DAY)["units"] == 356


def test_a_keeper_is_told_once_a_day_that_the_world_is_flooded(open_gate):
    """At four fifths of the cap of those who are not verified."""
    gate, told = open_gate(Policy(world_floor=10, world_ceiling=10)), []
    for day in range(2):
        for n in range(10):
            ask(gate, HOME, *words(20 * day + n, 1), now=NOON + day * DAY)
            told.append(gate.watch(NOON + day * DAY, all_of_it=True))
    assert [n for n, alarms in enumerate(told) if "world" in alarms] == [7, 17]


def test_a_short_key_is_refused(tmp_path):
    """The meter key has 32 bytes."""
    with pytest.raises(Broken, match="the meter key has 16 bytes, 32 were expected"):
        Gate(Policy(), SqliteStore(tmp_path / "meters.db"), b"k" * 16)


def test_a_policy_that_does_not_hold_opens_no_gate(tmp_path):
    """The bound is asserted when the service starts."""
    with pytest.raises(BadInput, match="356 promised"):
        Gate(Policy(games_a_day=13), SqliteStore(tmp_path / "meters.db"), b"k" * 32)


def test_a_gate_without_its_store_admits_nothing(tmp_path):
    """It raises, so that whoever asked cannot go on to look up."""
    gate = Gate(Policy(), SqliteStore(tmp_path / "meters.db"), b"k" * 32)
    for who in (HOME, CLUB):
        with pytest.raises(StoreDown):
            gate.admit(who, Question(("AT",), 1), CORE, NOON)
    with pytest.raises(StoreDown):
        gate.check(NOON)


def ask_all(path, process):
    """In a process of its own: ask 60 words, some of them the other processes' too; returns what was admitted."""
    gate = Gate(PLENTY, SqliteStore(Path(path)), b"k" * 32)
    return [word for word in words(40 * process, 60) if ask(gate, HOME, word, game="g", verdict=False) is None]


def test_four_processes_share_one_budget_exactly(gate, path):
    """Four processes that ask 180 words of one game at once have 16 bad plays together, not one more or less."""
    with get_context("spawn").Pool(4) as pool:
        admitted = pool.starmap(ask_all, [(str(path), process) for process in range(4)])
    assert len([word for asked in admitted for word in asked]) == 16
    learned = len({word for asked in admitted for word in asked})
    assert left(gate, HOME, "g") == {
        "core": 1500, "units": 356 - learned, "outside": 20, "games": 11, "game": 28 - learned, "plays": 44,
        "invalid": 0,
    }  # fmt: skip
