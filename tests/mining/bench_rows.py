"""A row of the benchmark, and the table of all rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

from tests.benchmarks.figure import format_rows

ORDWS: Final = "ORDWS"
HONEST: Final = "honest"
"""The attack of a row in which nobody attacks."""


@dataclass(frozen=True, kw_only=True)
class BenchRow:
    """The result of one attack under one policy. Words and bounds are totals over its identities."""

    policy: str
    attack: str
    identities: int
    outside_per_day: int = 0
    """Words outside the core list learned on the day on which most were."""

    core_per_day: int = 0
    """Core words learned on the day on which most were."""

    bits_per_day: int = 0
    """The entropy of the words learned, given all public lists, on the day on which most was learned."""

    outside_bound: int | None = None
    """The most that the policy lets these callers learn a day; None for a baseline, which has no bound."""

    core_bound: int | None = None
    honest_refused: float | None = None
    """The share of honest games that meet a refusal without an attack; None for an attack on the shared budget."""

    honest_refused_under_attack: float | None = None
    """The same for unverified identities during an attack on the shared budget."""

    verified_refused_under_attack: float | None = None
    newcomers_refused: float | None = None
    """The share of new players whose first game on the day of the attack meets a refusal."""

    days: float = 1
    seed: int = 1
    extrapolated: bool = False
    """Whether less than a day was measured, and a day's words follow from that in proportion."""

    questions: int = 0
    refused: int = 0
    units_per_day: int | None = None
    """Units of all unverified callers on the day on which they spent most."""

    outside_per_game: float | None = None
    """Words outside the core list that the bot learned in a sealed game."""

    f1: float | None = None
    """The F1 score of the list that the attacker could write in the end; `f1_before` is that before the attack."""

    f1_before: float | None = None
    f1_after_days: Mapping[str, float] = field(default_factory=dict)
    """The same after so many days, extrapolated: more words in the order of this attacker."""

    flagged_after_words: int | None = None
    world_cap_after: int | None = None
    world_alarm_on_day: int | None = None
    honest: Mapping[str, float] = field(default_factory=dict)
    """The share of games that meet a refusal, by kind of traffic."""

    games: Mapping[str, int] = field(default_factory=dict)
    alarms: Mapping[str, int] = field(default_factory=dict)
    """The number of honest clients that came to an alarm, by their group."""

    watched: Mapping[str, int] = field(default_factory=dict)
    """The number of honest clients whose alarms were counted, by their group."""

    seconds: float = 0.0

    def faults(self) -> Iterator[str]:
        """Yield each promise that this row breaks: a bound, or that honest players notice nothing."""
        learned = (
            ("words outside the core list", self.outside_per_day, self.outside_bound),
            ("core words", self.core_per_day, self.core_bound),
        )
        for words, count, bound in learned:
            if bound is not None and count > bound:
                yield f"{self.attack} learned {count:,} {words} in a day, above the bound of {bound:,}"
        if self.policy == ORDWS and self.attack == HONEST:
            for kind, share in self.honest.items():
                if share:
                    yield f"{share:.2%} of the honest games of {kind} met a refusal"
            for group, count in self.alarms.items():
                if count:
                    yield f"{count} of {self.watched[group]} honest clients ({group}) came to an alarm"


def write_json(rows: Sequence[BenchRow]) -> str:
    """Return the rows as JSON, one a line."""
    return format_rows(map(asdict, rows))


HEADINGS: Final = (
    "policy",
    "attack",
    "callers",
    "outside core",
    "bound",
    "core",
    "bound",
    "bits",
    "honest refused",
    "alarm after",
    "F1",
    "notes",
)


def cells(row: BenchRow) -> tuple[str, ...]:
    """Return the cells of a row in the table."""
    refused = row.honest_refused if row.honest_refused is not None else row.honest_refused_under_attack
    suffix = " under attack" if row.honest_refused is None else ""
    notes = [f"{kind} {share:.2%} of {row.games.get(kind, 0):,}" for kind, share in row.honest.items()]
    if row.extrapolated:
        notes.append(f"from {row.days * 24:g} h")
    elif row.days != 1:
        notes.append(f"{row.days:g} days")
    figures = (
        (row.outside_per_game, "{:.1f} a game"),
        (row.units_per_day, "{:,} units a day"),
        (row.world_cap_after, "cap then {:,}"),
        (row.world_alarm_on_day, "alarm on day {}"),
        (row.verified_refused_under_attack, "verified {:.2%}"),
        (row.newcomers_refused, "first games of newcomers refused {:.0%}"),
    )
    notes += [text.format(figure) for figure, text in figures if figure is not None]
    notes += [f"{count} alarms in {row.watched[group]} ({group})" for group, count in row.alarms.items()]
    is_attack = row.attack != HONEST
    return (
        row.policy,
        row.attack,
        f"{row.identities:,}",
        f"{row.outside_per_day:,}" if is_attack else "-",
        "-" if row.outside_bound is None else f"{row.outside_bound:,}",
        f"{row.core_per_day:,}" if is_attack else "-",
        "-" if row.core_bound is None else f"{row.core_bound:,}",
        f"{row.bits_per_day:,}" if is_attack else "-",
        "-" if refused is None else f"{refused:.2%}{suffix}",
        "-" if row.flagged_after_words is None else f"{row.flagged_after_words:,} words",
        "-" if row.f1 is None else f"{row.f1:.3f}",
        "; ".join(notes),
    )
