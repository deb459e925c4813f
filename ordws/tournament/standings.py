"""Standings by winning percentage and points per turn (docs/rules.md 10.2). Pure.

Fractions are compared as whole numbers, never as floats: the key of n/d is floor(n * 2^30 / d). Two different fractions
with denominators up to 2^15 differ by at least 2^-30, so that their keys stand in the same order; equal fractions have
equal keys. No entrant can have more turns or games than that (`state.MOST_GAMES`).
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from ordws.tournament.facts import SideResult, TableResult
from ordws.tournament.state import TournamentState

KEY_BITS: Final = 30

RankKey: TypeAlias = tuple[int, int]
"""The keys of the winning percentage and of the points per turn; the higher ranks first."""


class EntrantTotals(NamedTuple):
    """An entrant's games and turns so far; a forfeited game counts as a game, and has no turns."""

    wins: int = 0
    ties: int = 0
    losses: int = 0
    points: int = 0
    turns: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def rank_key(self) -> RankKey:
        """Return the exact key by which entrants are ranked; without games or turns it is 0."""
        return (
            fraction_key(2 * self.wins + self.ties, 2 * self.games),
            fraction_key(self.points, self.turns),
        )


class StandingLine(NamedTuple):
    """A line of the standings; percentages and averages are rounded for show alone."""

    rank: int
    name: str
    wins: int
    ties: int
    losses: int
    games: int
    win_pct: str
    points: int
    turns: int
    ppt: str
    entrant: int

    @property
    def record(self) -> str:
        return f"{self.wins}\u2013{self.ties}\u2013{self.losses}"

    @property
    def points_and_turns(self) -> str:
        return f"{self.points} / {self.turns}"

    def to_json(self) -> dict[str, int | str]:
        """Return the line as `ordws tournament standings --json` prints it (docs/reference/commands.md)."""
        return {column: getattr(self, column) for column, _ in FILE}


HEADINGS: Final = {
    "rank": "Rank",
    "name": "Player",
    "wins": "Won",
    "ties": "Tied",
    "losses": "Lost",
    "record": "W\u2013T\u2013L",
    "games": "Games",
    "win_pct": "Win %",
    "ppt": "PPT",
    "points": "Points",
    "turns": "Turns",
    "points_and_turns": "Points / turns",
}
"""The columns by their attributes of a line, with their headings; where each stands is said below."""

FILE, SCREEN, SCREEN_SHORT, PAPER = (
    [(column, HEADINGS[column]) for column in columns.split()]
    for columns in (
        "rank name wins ties losses games win_pct points turns ppt",
        "rank name record win_pct ppt points turns",
        "rank name record win_pct ppt",
        "rank name wins ties losses win_pct ppt points_and_turns",
    )
)


def standings(state: TournamentState, *, after: int | None = None) -> list[StandingLine]:
    """Return a line for every entrant, in order of rank; equal entrants share a rank and stand by number.

    Results count as soon as they are known; `after` is the last round counted, all of them without it.
    """
    totals = totals_by_entrant(state, after=after)
    keys = {number: each.rank_key for number, each in totals.items()}
    order = sorted(totals, key=lambda number: (-keys[number][0], -keys[number][1], number))
    ranks: dict[RankKey, int] = {}
    return [
        StandingLine(
            rank=ranks.setdefault(keys[number], place),
            name=state.name_of(number),
            wins=totals[number].wins,
            ties=totals[number].ties,
            losses=totals[number].losses,
            games=totals[number].games,
            win_pct=format_fraction(2 * totals[number].wins + totals[number].ties, 2 * totals[number].games, 3),
            points=totals[number].points,
            turns=totals[number].turns,
            ppt=format_fraction(totals[number].points, totals[number].turns, 2),
            entrant=number,
        )
        for place, number in enumerate(order, 1)
    ]


def totals_by_entrant(state: TournamentState, *, after: int | None = None) -> dict[int, EntrantTotals]:
    """Return the totals of every entrant over the rounds that count, up to round `after`."""
    counted = {number: [0] * len(EntrantTotals._fields) for number in sorted(state.entrants)}
    rounds = state.live_rounds if after is None else state.live_rounds[:after]
    for pairing in [pairing for played in rounds for pairing in played.pairings]:
        for result in pairing.results():
            winner = winner_of(result)
            for side, entrant in (("first", pairing.first), ("second", pairing.second)):
                totals = counted[entrant]
                totals[0 if winner == side else 1 if winner is None else 2] += 1
                figures: SideResult | None = getattr(result, side)
                if figures is not None:
                    totals[3] += figures.points
                    totals[4] += figures.turns
    return {number: EntrantTotals(*totals) for number, totals in counted.items()}


def winner_of(result: TableResult) -> str | None:
    """Return "first" or "second", "none" where both forfeited, or None for a tied game."""
    lost = result.forfeit or result.resigned
    if lost is not None:
        return {"first": "second", "second": "first", "both": "none"}[lost]
    assert result.first is not None
    assert result.second is not None
    difference = result.first.score - result.second.score
    return None if difference == 0 else "first" if difference > 0 else "second"


def fraction_key(numerator: int, denominator: int) -> int:
    """Return a whole number that orders fractions exactly, for denominators up to 2^15; 0 for a denominator of 0."""
    return (numerator << KEY_BITS) // denominator if denominator else 0


def format_fraction(numerator: int, denominator: int, places: int) -> str:
    """Return a fraction in decimals, half to even; "0.00" with a denominator of 0."""
    scaled, rest = divmod(abs(numerator) * 10**places, denominator or 1)
    scaled += 2 * rest > denominator or (2 * rest == denominator and scaled % 2 == 1)
    whole, decimals = divmod(scaled if denominator else 0, 10**places)
    return f"{'-' if numerator < 0 and scaled else ''}{whole}.{decimals:0{places}}"
