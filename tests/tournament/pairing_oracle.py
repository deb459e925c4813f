"""Rounds of small fields by trying every one: an oracle that shares no code with the pairing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ordws.tournament.pairing.problem import Draft, PairingPlayer, PairingProblem

WholeRound: TypeAlias = tuple[frozenset[int], ...]
"""The pairs of a round; a set of one has the bye."""

UNITS = 1_024


def all_rounds(present: Sequence[int]) -> Iterator[WholeRound]:
    """Yield every way to pair those present."""
    if not present:
        yield ()
        return
    one, *others = present
    for other in others:
        for rest in all_rounds([each for each in others if each != other]):
            yield (frozenset((one, other)), *rest)
    if len(present) % 2:
        for rest in all_rounds(others):
            yield (frozenset((one,)), *rest)


def price(problem: PairingProblem, drafted: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Return forbidden pairs of a round, repeats, their ages, byes beyond the fewest, and the cost."""
    players = {player.number: player for player in problem.players}
    broken = repeats = ages = byes = cost = 0
    fewest = min(players[number].byes for number in problem.present)
    newest = max((met for player in problem.players for met in player.rounds_met), default=0)
    assert newest <= 63
    for pair in drafted:
        if len(pair) == 1:
            (number,) = pair
            byes += min(players[number].byes - fewest, 7)
            cost += _standing(problem, players, number, None) ** 2 * (len(players[number].opponents) + 1)
            continue
        a, b = sorted(pair)
        broken += (a, b) in problem.forbidden
        met = [turn for other, turn in zip(players[a].opponents, players[a].rounds_met, strict=True) if other == b]
        repeats += bool(met)
        ages += met[-1] if met else 0
        cost += _price_of_meeting(problem, players, a, b)
    return broken, repeats, ages, byes, cost


def _price_of_meeting(problem: PairingProblem, players: dict[int, PairingPlayer], a: int, b: int) -> int:
    own = _standing(problem, players, a, b) ** 2 * (len(players[a].opponents) + 1)
    own += _standing(problem, players, b, a) ** 2 * (len(players[b].opponents) + 1)
    ahead, other = (players[each].starts - players[each].replies for each in (a, b))
    if problem.games_a_round == 2 or ahead != other:
        return own
    factor = 1 if 2 * problem.rounds <= len(problem.present) + len(problem.present) % 2 else 16
    return min(own + abs(ahead) * factor * UNITS**2, 2**40 - 1) + (2**40 if abs(ahead) >= 2 else 0)


def _standing(problem: PairingProblem, players: dict[int, PairingPlayer], number: int, met: int | None) -> int:
    """Return how far the opponents of a player stand from the field after another meeting, in units."""
    points, turns = (sum(getattr(each, name) for each in problem.players) for name in ("points", "turns"))
    above = total = 0
    for opponent in (*players[number].opponents, *([] if met is None else [met])):
        other = players[opponent]
        if turns:
            excess = (other.points * turns - points * other.turns) * UNITS // turns
            above += excess * other.turns // (other.turns + 12)
        total += other.turns
    size = abs(above) // max(total, 1)
    return size if above >= 0 else -size


def has_schedule(present: Sequence[int], met: frozenset[frozenset[int]], rounds: int) -> bool:
    """Return True if so many rounds without a repeat are left; anybody may have any number of byes."""
    pairs = [frozenset((a, b)) for a in present for b in present if a < b]
    bit = {pair: 1 << place for place, pair in enumerate(pairs)}
    gone = sum(bit[pair] for pair in pairs if pair in met)
    masks = [sum(bit[pair] for pair in whole if len(pair) == 2) for whole in all_rounds(present)]
    return _can_choose([mask for mask in masks if not mask & gone], rounds)


def _can_choose(masks: list[int], rounds: int) -> bool:
    """Return True if so many of the masks have no bit in common; they are taken in their order alone."""
    if rounds <= 1:
        return rounds == 0 or bool(masks)
    for place, mask in enumerate(masks):
        if _can_choose([each for each in masks[place + 1 :] if not each & mask], rounds - 1):
            return True
    return False


def pairs_of_draft(draft: Draft) -> list[frozenset[int]]:
    pairs = [frozenset((each.first, each.second)) for each in draft.pairings]
    return pairs if draft.bye is None else [*pairs, frozenset((draft.bye,))]


def random_problem(
    chance: random.Random, most_players: int, *, rounds: int | None = None, games_a_round: int = 1
) -> PairingProblem:
    """Return a problem after some rounds of random pairings with absences, its last round unless `rounds` says more."""
    numbers = list(range(1, chance.randint(2, most_players) + 1))
    points, turns = (dict.fromkeys(numbers, 0) for _ in range(2))
    met: dict[int, list[tuple[int, int]]] = {number: [] for number in numbers}
    starts, replies, byes = (dict.fromkeys(numbers, 0) for _ in range(3))
    played = chance.randint(0, 6)
    for turn in range(1, played + 1):
        here = [number for number in numbers if chance.random() < 0.85]
        chance.shuffle(here)
        if len(here) % 2:
            byes[here.pop()] += 1
        for first, second in zip(here[::2], here[1::2], strict=True):
            met[first].append((second, turn))
            met[second].append((first, turn))
            starts[first] += 1
            replies[second] += 1
            for number in (first, second):
                taken = chance.randint(10, 15)
                turns[number] += taken
                points[number] += chance.randint(15 * taken, 42 * taken)
    players = [
        PairingPlayer(
            number,
            points[number],
            turns[number],
            tuple(opponent for opponent, _ in met[number]),
            tuple(turn for _, turn in met[number]),
            starts[number],
            replies[number],
            byes[number],
        )
        for number in numbers
    ]
    present = tuple(number for number in numbers if chance.random() < 0.9) or (1,)
    pairs = [(a, b) for a in present for b in present if a < b]
    forbidden = frozenset(chance.sample(pairs, min(len(pairs), chance.choice((0, 0, 1, 3)))))
    return PairingProblem(
        tuple(players),
        present,
        rounds or played + 1,
        played,
        games_a_round=games_a_round,
        forbidden=forbidden,
        seed=chance.randrange(2**60),
    )


class PlayedByDrafts:
    """An event of random results and absences that is paired by drafts; `problem` is that of the next round."""

    def __init__(self, chance: random.Random, players: int, rounds: int, attendance: float = 1.0) -> None:
        self.chance = chance
        self.attendance = attendance
        self.problem = PairingProblem(
            tuple(PairingPlayer(number, 0, 0) for number in range(1, players + 1)),
            (),
            rounds,
            0,
            seed=chance.randrange(2**60),
        )

    def gather(self) -> PairingProblem:
        """Draw by chance who is present in the next round, two at least, and return its problem."""
        numbers = [player.number for player in self.problem.players]
        here = [number for number in numbers if self.chance.random() < self.attendance]
        self.problem = self.problem._replace(present=tuple(here if len(here) > 1 else numbers))
        return self.problem

    def play(self, draft: Draft) -> None:
        """Play the round as drafted."""
        players = {player.number: player for player in self.problem.players}
        turn = self.problem.rounds_played + 1
        for pairing in draft.pairings:
            for number, other, goes_first in (
                (pairing.first, pairing.second, True),
                (pairing.second, pairing.first, False),
            ):
                player, taken = players[number], self.chance.randint(10, 15)
                players[number] = player._replace(
                    points=player.points + self.chance.randint(15 * taken, 42 * taken),
                    turns=player.turns + taken,
                    opponents=(*player.opponents, other),
                    rounds_met=(*player.rounds_met, turn),
                    starts=player.starts + goes_first,
                    replies=player.replies + (not goes_first),
                )
        if draft.bye is not None:
            players[draft.bye] = players[draft.bye]._replace(byes=players[draft.bye].byes + 1)
        self.problem = self.problem._replace(players=tuple(players.values()), rounds_played=turn)

    @property
    def met(self) -> frozenset[frozenset[int]]:
        return frozenset(frozenset((each.number, other)) for each in self.problem.players for other in each.opponents)
