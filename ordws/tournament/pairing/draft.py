"""The draft of a round: from a problem to pairings, who goes first, the bye, notes, and what a change by hand costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ordws.errors import BadInput
from ordws.tournament.pairing.columns import (
    BYE,
    POINT_UNITS,
    START_PENALTY,
    Columns,
    balanced_cost,
    columns_of,
    meeting_cost,
    residual_after,
    with_bye,
)
from ordws.tournament.pairing.lots import Integers, draw_lots, lot_of_round
from ordws.tournament.pairing.matching import (
    MOST_MATCHED,
    LargeRound,
    OpenRound,
    choose_bye,
    least_repeated_matching,
    match_in_strips,
    pair_keys,
)
from ordws.tournament.pairing.problem import Draft, DraftedPairing, PairingProblem
from ordws.tournament.pairing.schedules import circle_rounds, circle_starters, draft_with_schedule

_START_LOT: Final = 0x5EED


def seat(columns: Columns, a: Integers, b: Integers) -> tuple[Integers, Integers]:
    """Return the rows that go first and their opponents: who started less often, and `a` where that is equal."""
    swapped = columns.imbalance[a] > columns.imbalance[b]
    return np.where(swapped, b, a), np.where(swapped, a, b)


def drawn_starters(field: OpenRound, partners: Integers, *, is_tight: bool) -> Integers:
    """Return 1 for each row that goes first: by the table of a round robin where it is one of its rounds, else by lot.

    Who started more often than the opponent goes second whatever this says.
    """
    if is_tight:
        for table, starters in zip(
            circle_rounds(field.size, field.seed), circle_starters(field.size, field.seed), strict=True
        ):
            if np.array_equal(table, partners):
                return np.asarray(starters)
    rows = np.arange(field.size)
    numbers = field.columns.numbers
    low, high = np.minimum(numbers, numbers[partners]), np.maximum(numbers, numbers[partners])
    lots = draw_lots(1, field.seed, field.lot, _START_LOT, low, high)
    return np.where(lots == (rows < partners), 1, 0)


NumberPair: TypeAlias = tuple[int, int]
"""The numbers of two entrants."""


def draft_round(problem: PairingProblem) -> Draft:
    """Return the pairings of a round: equal for equal problems, on every machine (docs/tournaments.md).

    Whatever the constraints, everyone present is paired or has the bye, of which there is at most one. A constraint
    that cannot be kept and a repeat that cannot be avoided are said in the notes.
    """
    columns = columns_of(problem)
    together, notes = _put_together(problem)
    free = set(problem.present) - {number for pair in together for number in pair}
    rows = np.array([row for row, player in enumerate(problem.players) if player.number in free], np.int64)
    matched, bye = MATCHERS[problem.method](problem, columns, rows)
    pairs = sorted([*together, *matched], key=min)
    row_of = {player.number: row for row, player in enumerate(problem.players)}
    sides = np.array([(row_of[a], row_of[b]) for a, b in pairs], np.int64).reshape(-1, 2)
    a, b = seat(columns, sides[:, 0], sides[:, 1])
    one, other = residual_after(columns, a, b), residual_after(columns, b, a)
    pairings = []
    for first, second, x, y in zip(a.tolist(), b.tolist(), one.tolist(), other.tolist(), strict=True):
        player, opponent = problem.players[first], problem.players[second].number
        cost = math.sqrt((x * x + y * y) / 2) / POINT_UNITS
        pairings.append(DraftedPairing(player.number, opponent, opponent in player.opponents, cost))
    return Draft(tuple(pairings), bye, (*notes, *_describe_draft(problem, matched, bye)))


def _match_near_average(
    problem: PairingProblem, columns: Columns, rows: Integers
) -> tuple[list[NumberPair], int | None]:
    """Return pairs by a cheapest matching, or in strips where the field is too large for one."""
    if len(rows) > MOST_MATCHED and 4 * problem.rounds <= len(rows):
        return _match_large(problem, columns, rows)
    field = _open_round(problem, columns, rows)
    if not field.size:
        return [], None
    partners = draft_with_schedule(field, problem.rounds - problem.rounds_played - 1)
    if partners is None:
        partners = least_repeated_matching(field)
    starters = drawn_starters(field, partners, is_tight=2 * problem.rounds > field.size)
    numbers = field.columns.numbers.tolist()
    pairs = [(numbers[row], numbers[partner]) for row, partner in enumerate(partners.tolist()) if starters[row]]
    bye = next((sum(pair) for pair in pairs if BYE in pair), None)
    return [pair for pair in pairs if BYE not in pair], bye


def _match_large(problem: PairingProblem, columns: Columns, rows: Integers) -> tuple[list[NumberPair], int | None]:
    bye = None
    if len(rows) % 2:
        place = choose_bye(columns.take(rows))
        bye, rows = int(columns.numbers[rows[place]]), np.delete(rows, place)
    pairs = match_in_strips(_open_large_round(problem, columns, rows))
    numbers = columns.numbers[rows]
    return list(zip(numbers[pairs.a].tolist(), numbers[pairs.b].tolist(), strict=True)), bye


def _open_round(problem: PairingProblem, columns: Columns, rows: Integers) -> OpenRound:
    """Return the players of some rows as a field to be matched, with the bye where they are odd in number."""
    size = len(rows) + len(rows) % 2
    place = {int(number): place for place, number in enumerate(columns.numbers[rows])}
    last_met = np.zeros((size, size), np.int64)
    for here, row in enumerate(rows):
        player = problem.players[row]
        for opponent, met in zip(player.opponents, player.rounds_met, strict=True):
            if opponent in place:
                last_met[here, place[opponent]] = met
    forbidden = np.zeros((size, size), bool)
    for a, b in problem.forbidden:
        if a in place and b in place:
            forbidden[place[a], place[b]] = forbidden[place[b], place[a]] = True
    taken = columns.take(rows)
    # Where almost everyone meets everyone there is little to choose, neither of opponents nor of who starts.
    penalty = START_PENALTY if 2 * problem.rounds <= size else 16 * START_PENALTY
    return OpenRound(
        with_bye(taken) if len(rows) % 2 else taken,
        last_met,
        forbidden,
        penalty if problem.games_a_round == 1 else 0,
        lot=lot_of_round(problem.rounds_played + 1, problem.redraws),
        seed=problem.seed,
    )


def _open_large_round(problem: PairingProblem, columns: Columns, rows: Integers) -> LargeRound:
    """Return the players of some rows, even in number, as a field to be matched in strips."""
    longest = max(len(problem.players[row].opponents) for row in rows)
    opponents = np.zeros((longest, len(rows)), np.int32)
    for place, row in enumerate(rows):
        met = problem.players[row].opponents
        opponents[: len(met), place] = met
    return LargeRound(
        columns.take(rows),
        opponents,
        pair_keys(*np.array(sorted(problem.forbidden), np.int64).reshape(-1, 2).T),
        balanced_cost if problem.games_a_round == 1 else meeting_cost,
        lot=lot_of_round(problem.rounds_played + 1, problem.redraws),
        seed=problem.seed,
    )


def _put_together(problem: PairingProblem) -> tuple[list[NumberPair], list[str]]:
    """Return the pairs that the director has put together, and a note for each that cannot be."""
    present, fixed, notes = set(problem.present), [], []
    placed: set[int] = set()
    for a, b in sorted(problem.together):
        if not {a, b} <= present:
            notes.append(f"{{{a}}} and {{{b}}} cannot be put together: not both are here.")
        elif {a, b} & placed:
            notes.append(f"{{{a}}} and {{{b}}} cannot be put together: one of them is put together with another.")
        else:
            placed |= {a, b}
            fixed.append((a, b))
    return fixed, notes


def _describe_draft(problem: PairingProblem, matched: Sequence[NumberPair], bye: int | None) -> list[str]:
    """Return a note for each broken constraint, each repeat that nobody asked for, and a second bye."""
    players = {player.number: player for player in problem.players}
    notes = []
    for a, b in sorted((min(pair), max(pair)) for pair in matched):
        if (a, b) in problem.forbidden:
            notes.append(f"{{{a}}} and {{{b}}} meet although they must not: the round cannot be paired otherwise.")
        meetings = zip(players[a].opponents, players[a].rounds_met, strict=True)
        if rounds := [met for opponent, met in meetings if opponent == b]:
            notes.append(f"{{{a}}} and {{{b}}} meet again (round {rounds[-1]}): no round without a repeat is left.")
    if bye is not None and players[bye].byes:
        notes.append(f"{{{bye}}} has another bye: nobody who had fewer could have it.")
    return notes


MATCHERS: Final[dict[str, Callable[[PairingProblem, Columns, Integers], tuple[list[NumberPair], int | None]]]] = {
    "average": _match_near_average
}
"""For each of `PAIRING_METHODS`, how the entrants in some rows are paired: their numbers, and who has the bye."""


class ChangeCost(NamedTuple):
    """A draft in which two meet whom the director puts together, beside the draft without that."""

    draft: Draft
    rms_before: float
    """How far everyone's opponents stand from the field after the round as drafted, root mean square in PPT."""
    rms_after: float
    """The same after the changed round."""
    repeats_more: int
    """Repeats that the change brings; negative where it saves some."""
    moved: int
    """Pairings of the draft that are not in the changed one."""

    def in_words(self) -> str:
        """Return the cost in a sentence for the director."""
        rise = self.rms_after - self.rms_before
        sentence = f"costs {rise:+.2f} points per turn ({self.rms_before:.2f} to {self.rms_after:.2f})"
        sentence += f" and moves {self.moved} pairing{'' if self.moved == 1 else 's'}"
        if self.repeats_more > 0:
            sentence += f", with {self.repeats_more} more repeat{'' if self.repeats_more == 1 else 's'}"
        return sentence


def cost_of_change(problem: PairingProblem, draft: Draft, a: int, b: int) -> ChangeCost:
    """Return what it costs that entrants `a` and `b` meet in this round, everyone else being drafted anew.

    Raises BadInput if one of them is not present, or both are the same.
    """
    if a == b or not {a, b} <= set(problem.present):
        raise BadInput(f"entrants {a} and {b} cannot meet: two who are present are needed")
    pair = (min(a, b), max(a, b))
    kept = {other for other in problem.together if not {a, b} & set(other)}
    changed = draft_round(problem._replace(together=frozenset(kept | {pair}), forbidden=problem.forbidden - {pair}))
    met = {frozenset((each.first, each.second)) for each in changed.pairings}
    return ChangeCost(
        changed,
        _rms(draft),
        _rms(changed),
        sum(each.is_repeat for each in changed.pairings) - sum(each.is_repeat for each in draft.pairings),
        sum(frozenset((each.first, each.second)) not in met for each in draft.pairings),
    )


def _rms(draft: Draft) -> float:
    if not draft.pairings:
        return 0.0
    return math.sqrt(math.fsum(each.cost * each.cost for each in draft.pairings) / len(draft.pairings))
