"""A round to be paired, its draft, and why, said to a player: plain values and exact totals, without numpy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, NamedTuple


class PairingMethod(NamedTuple):
    """A method by which a director may have the rounds of an event paired; `draft.py` has how it pairs."""

    title: str
    why: str = ""
    """What a player is told of every pairing, in place of averages of opponents."""


PAIRING_METHODS: Final = {"average": PairingMethod("everyone's opponents near the average player")}
"""The methods by their names in the settings of an event."""


class PairingPlayer(NamedTuple):
    """An entrant as the pairing sees them: everything from closed rounds, nothing of a game that was forfeited."""

    number: int
    points: int
    """Turn points of all games, as standings count them."""
    turns: int
    opponents: tuple[int, ...] = ()
    """The entrants they have met, in the order of the meetings; a forfeit is no meeting."""
    rounds_met: tuple[int, ...] = ()
    """The round of each meeting, as long as `opponents` and in its order."""
    starts: int = 0
    """Meetings in which they went first; with two games a round, in the first game."""
    replies: int = 0
    """Meetings in which they went second."""
    byes: int = 0


class PairingProblem(NamedTuple):
    """All that decides a draft: equal problems have equal drafts, on every machine (docs/tournaments.md)."""

    players: tuple[PairingPlayer, ...]
    """All entrants, those who left too, for others have met them; by number."""
    present: tuple[int, ...]
    """The numbers of those who are to be paired, ascending."""
    rounds: int
    """Rounds of the whole event."""
    rounds_played: int
    """Rounds before this one that count."""
    games_a_round: int = 1
    forbidden: frozenset[tuple[int, int]] = frozenset()
    """Pairs that must not meet, the smaller number first."""
    together: frozenset[tuple[int, int]] = frozenset()
    """Pairs that must meet in this round, the smaller number first."""
    seed: int = 0
    """The seed of the event, the same in all rounds: a draft counts on what the next one will find."""
    method: str = "average"
    redraws: int = 0
    """Drafts of this round that were published and voided: the lots are drawn anew after each."""


class DraftedPairing(NamedTuple):
    """Two who shall meet in the round; the order of the pairings of a draft is that of their tables."""

    first: int
    second: int
    is_repeat: bool = False
    cost: float = 0.0
    """Root mean square, in points per turn, of where the opponents of the two stand from the field's after it."""


class Draft(NamedTuple):
    """A proposal for a round, which nothing but its problem has decided."""

    pairings: tuple[DraftedPairing, ...]
    bye: int | None = None
    notes: tuple[str, ...] = ()
    """Sentences for the director: repeats, broken constraints, a second bye; entrants appear as `{7}`.

    `fill_names` puts the names in.
    """


def fill_names(note: str, names: Mapping[int, str]) -> str:
    """Return a note with the names of entrants in place of their numbers in braces."""
    return re.sub(r"\{(\d+)\}", lambda found: names[int(found[1])], note)


_COUNTS: Final = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def explain(problem: PairingProblem, pairing: DraftedPairing, player: int, names: Mapping[int, str]) -> str:
    """Return why one of a pairing meets the other, said to `player`; averages are points per turn, opponents pooled."""
    players = {each.number: each for each in problem.players}
    me, other = players[player], players[pairing.second if player == pairing.first else pairing.first]
    name = names[other.number]
    sentences = []
    if _pair(me.number, other.number) in problem.together:
        sentences.append(f"The director put you and {name} together.")
    if pairing.is_repeat:
        met = [turn for opponent, turn in zip(me.opponents, me.rounds_met, strict=True) if opponent == other.number]
        sentences.append(f"You met {name} in round {met[-1]}: no round without a repeat is left.")
    if why := PAIRING_METHODS[problem.method].why:
        return " ".join([*sentences, why])
    if not any(each.turns for each in problem.players):
        return " ".join([*sentences, "Nobody has played yet, so lots were drawn."])
    sentences += _say_averages(problem, players, me, other, name)
    return " ".join(sentences)


def explain_bye(problem: PairingProblem, player: int, names: Mapping[int, str]) -> str:
    """Return why a player has the bye, said to the player."""
    byes = next(each.byes for each in problem.players if each.number == player)
    had = "you have had none yet" if byes == 0 else "everyone who could have it has had as many"
    return f"{names[player]}, you have the bye, for the field is odd and {had}. It changes nothing in the standings."


def _say_averages(
    problem: PairingProblem, players: Mapping[int, PairingPlayer], me: PairingPlayer, other: PairingPlayer, name: str
) -> list[str]:
    field = pooled(problem.players)
    before = pooled([players[number] for number in me.opponents])
    after = pooled([players[number] for number in (*me.opponents, other.number)])
    own = pooled([other])
    assert field is not None, "somebody has played"
    if before is None:
        if own is None:
            return [f"Neither your opponents nor {name} have an average yet. The field makes {_show(field)} a turn."]
        first = "You have no opponents yet" if not me.opponents else "Your opponents have no turns yet"
        return [f"{first}. {name} makes {_show(own)} a turn, the field {_show(field)}."]
    told = f"Your opponents made {_show(before)} a turn so far, the field {_show(field)}."
    if own is None or after is None:
        return [told, f"{name} has not played yet."]
    sentences = [told, f"{name} makes {_show(own)}; with {name} your opponents come to {_show(after)}."]
    if closer := _count_closer(problem, players, me, abs(after - field), field):
        met, free = closer
        if met:
            sentences.append(f"You have met {_count(met, 'closer player').lower()}.")
        if free:
            sentences.append(f"{_count(free, 'closer player')} {'is' if free == 1 else 'are'} needed more elsewhere.")
    return sentences


def _count_closer(
    problem: PairingProblem,
    players: Mapping[int, PairingPlayer],
    me: PairingPlayer,
    distance: Fraction,
    field: Fraction,
) -> tuple[int, int]:
    """Return how many of those present would bring the opponents of a player closer: whom they met, and others."""
    met, free = 0, 0
    points = sum(players[number].points for number in me.opponents)
    turns = sum(players[number].turns for number in me.opponents)
    for number in problem.present:
        each = players[number]
        if number == me.number or not each.turns or _pair(me.number, number) in problem.forbidden:
            continue
        if abs(Fraction(points + each.points, turns + each.turns) - field) < distance:
            if number in me.opponents:
                met += 1
            else:
                free += 1
    return met, free


def pooled(players: Iterable[PairingPlayer]) -> Fraction | None:
    """Return the points per turn of several players together; None without a turn."""
    points = turns = 0
    for player in players:
        points += player.points
        turns += player.turns
    return Fraction(points, turns) if turns else None


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _show(average: Fraction) -> str:
    return f"{float(round(average, 1)):.1f}"


def _count(number: int, thing: str) -> str:
    counted = _COUNTS[number] if number < len(_COUNTS) else str(number)
    return f"{counted} {thing}{'' if number == 1 else 's'}"
