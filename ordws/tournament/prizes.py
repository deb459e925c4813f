"""Entry fees and prizes as figures that the desk computes and prints; no payment is made by this program. Pure.

Amounts are whole numbers of hundredths. A part of the prizes is shared equally, so that everyone who stayed for two
thirds of the rounds gets something, and the rest by rank (docs/rules.md 10.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from math import lcm
from typing import Final, NamedTuple

from ordws.errors import BadInput
from ordws.retention import DAY
from ordws.tournament.standings import StandingLine, standings
from ordws.tournament.state import TournamentState

_FIRST_WEIGHT: Final = lcm(*range(1, 101)) << 40
"""The weight of the first place. The place k has this divided by k: exactly up to 100, rounded down beyond."""


class PrizeLine(NamedTuple):
    """A prize; it is held while a case about the entrant is open."""

    rank: int
    name: str
    amount: int
    is_held: bool
    entrant: int


class PrizeTable(NamedTuple):
    """The prizes of an event.

    `fees` is what the entrants pay in all, `from_fees` the part of it that is in the `fund`. An on-line event awards
    no money: `goes_to_final` is true, there are no lines, and its fund is that of its final. `is_final` is false while
    results may still come. `without` are those who were there for too few rounds. `pending` says until when the
    prizes of an on-line event wait, for everybody.
    """

    fund: int
    fees: int
    from_fees: int
    currency: str
    goes_to_final: bool
    is_final: bool
    lines: tuple[PrizeLine, ...]
    without: tuple[str, ...]
    pending: str = ""


def prizes(state: TournamentState) -> PrizeTable:
    """Return the prizes by the standings of now.

    Raises BadInput if the fund is too small for everyone to get a hundredth.
    """
    settings = state.settings
    # All owe the fee but those who withdrew before they were ever paired or had a bye.
    seen = {entrant for found in state.live_rounds for pairing in found.pairings for entrant in pairing.entrants}
    seen |= {found.bye for found in state.live_rounds if found.bye is not None}
    paying = seen | {number for number, each in state.entrants.items() if each.status != "withdrawn"}
    fees = settings.entry_fee * len(paying)
    from_fees = fees * settings.fee_percent // 100
    fund = settings.prize_fund + from_fees
    lines: list[StandingLine] = [] if settings.on_line else list(standings(state))
    stayed = has_stayed(state)
    winners = [line for line in lines if line.entrant in stayed]
    amounts = share_fund(fund, [line.rank for line in winners], settings.equal_percent)
    return PrizeTable(
        fund=fund,
        fees=fees,
        from_fees=from_fees,
        currency=settings.currency,
        goes_to_final=settings.on_line,
        is_final=state.is_finished,
        lines=tuple(
            [
                PrizeLine(line.rank, line.name, amount, bool(state.entrants[line.entrant].cases), line.entrant)
                for line, amount in zip(winners, amounts, strict=True)
            ]
        ),
        without=tuple([line.name for line in lines if line.entrant not in stayed]),
        pending=describe_pending(state),
    )


def prizes_due(state: TournamentState) -> int | None:
    """Return when an on-line event's prizes are pending no longer, in Unix seconds; None before its end, and in person.

    That is the end of a whole day (UTC), so many days after the event's; it follows from the event alone.
    """
    if not state.settings.on_line or state.finished_at is None:
        return None
    return (state.finished_at // DAY + state.event.prize_days + 1) * DAY


def describe_pending(state: TournamentState) -> str:
    """Return until when the prizes of an on-line event are pending, in the same words for everybody; "" in person."""
    if not state.settings.on_line:
        return ""
    due = prizes_due(state)
    if due is None:
        return f"pending until {state.event.prize_days} days after the end of the event"
    return f"pending until {datetime.fromtimestamp(due - 1, UTC).date().isoformat()}"


def share_fund(fund: int, ranks: Sequence[int], equal_percent: int) -> list[int]:
    """Return what each of the ranked players gets; the sum is the fund to the last hundredth.

    `equal_percent` of the fund is shared equally, the rest in the proportion 1, 1/2, 1/3 ... of the places; players of
    one rank share what their places bring. Hundredths that are left over go one each to the first players. A player is
    never given less than one of a lower rank.

    Raises BadInput if someone would get nothing of a fund.
    """
    if not ranks or fund == 0:
        return [0] * len(ranks)
    count = len(ranks)
    weights = [_FIRST_WEIGHT // place for place in range(1, count + 1)]
    total = sum(weights)
    floors: list[int] = []
    at = 0
    while at < count:
        end = next((place for place in range(at, count) if ranks[place] != ranks[at]), count)
        size, weight = end - at, sum(weights[at:end])
        # The exact share of each of them is this numerator over 100 * count * total * size.
        numerator = fund * (equal_percent * total * size + (100 - equal_percent) * count * weight)
        floors += [numerator // (100 * count * total * size)] * size
        at = end
    left_over = fund - sum(floors)
    amounts = [floor + (place < left_over) for place, floor in enumerate(floors)]
    if amounts[-1] == 0:
        raise BadInput(
            f"prizes of {format_money(fund)} are too small for {count} players to get something each",
            hint="raise the prize fund, or the part that is shared equally",
        )
    return amounts


def has_stayed(state: TournamentState) -> frozenset[int]:
    """Return the entrants who were there for two thirds of the rounds so far: they played, or had the bye."""
    rounds = state.live_rounds
    counts = dict.fromkeys(state.entrants, 0)
    for found in rounds:
        if found.bye is not None:
            counts[found.bye] += 1
        for pairing in found.pairings:
            results = list(pairing.results())
            for side, entrant in (("first", pairing.first), ("second", pairing.second)):
                counts[entrant] += not results or any(result.forfeit not in (side, "both") for result in results)
    return frozenset([entrant for entrant, count in counts.items() if count and 3 * count >= 2 * len(rounds)])


def format_money(amount: int, currency: str = "") -> str:
    """Return hundredths as text, as in `EUR 1,204.50`; without a currency the figure alone."""
    figure = f"{amount // 100:,}.{amount % 100:02}"
    return f"{currency} {figure}" if currency else figure
