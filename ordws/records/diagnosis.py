"""Search for a board, tiles or rules that fit the scores of a record better than those it was replayed under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.known_layouts import KNOWN_LAYOUTS
from ordws.records.record import GcgEvent
from ordws.records.tile_distributions import (
    TILE_DISTRIBUTIONS,
    TileDistribution,
    english_distribution,
    score_with_distribution,
)
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS

ScoredPlays: TypeAlias = list[tuple[GcgEvent, Legal]]

_MAX_PLAYS: Final = 200
"""The number of plays that are examined: more than any board takes; plays that are withdrawn count too."""

_MIN_PLAYS: Final = 8
"""The number of plays from which a single wrong score can mean another board rather than a slip."""

_OTHER_BONUSES: Final = (40, 35)
"""The bonuses that other games give for a full rack."""


class _Alternative(NamedTuple):
    """Another way to score: its rules and tiles, and their name in a finding of this kind."""

    kind: FindingKind
    name: str
    rules: RuleSet
    distribution: TileDistribution


def diagnose(rules: RuleSet, distribution: TileDistribution, scored: ScoredPlays) -> AuditFinding | None:
    """Return what the scores fit better than these rules and tiles, or that they fit nothing known; None otherwise.

    Another way to score counts only if it leaves at most a quarter of the scores wrong that are wrong now.
    """
    scored = scored[:_MAX_PLAYS]
    wrong = _mismatches(rules, distribution, scored)
    if not wrong or (len(wrong) < 2 and len(scored) < _MIN_PLAYS):
        return None
    best, misfits = None, len(wrong) // 4 + 1  # each alternative has to beat the best one so far
    for other in _alternatives(rules, distribution, wide=len(wrong) > max(2, len(scored) // 4)):
        remaining = len(_mismatches(other.rules, other.distribution, scored, misfits))
        if remaining < misfits:
            best, misfits = other, remaining
        if not misfits:
            break
    line = wrong[0].line
    if best is not None:
        fit = "all scores fit" if not misfits else f"all but {misfits} of {len(scored)} scores fit"
        return AuditFinding(line, best.kind, None, best.name, f"{fit} {best.name}")
    if len(wrong) > max(2, len(scored) // 2):
        message = f"{len(wrong)} of {len(scored)} scores differ, and fit no known layout"
        return AuditFinding(line, FindingKind.LAYOUT, None, None, message)
    return None


def _mismatches(
    rules: RuleSet, distribution: TileDistribution, scored: ScoredPlays, limit: int = 1_000
) -> list[GcgEvent]:
    """Return the events whose written points differ from those computed so, `limit` of them at most."""
    mismatches: list[GcgEvent] = []
    for event, ruling in scored:
        if event.points is not None and event.points != score_with_distribution(distribution, rules, ruling):
            mismatches.append(event)
            if len(mismatches) >= limit:
                break
    return mismatches


def _alternatives(rules: RuleSet, distribution: TileDistribution, *, wide: bool) -> Iterator[_Alternative]:
    """Yield other layouts and rule sets; if `wide`, all combinations of layouts, tiles and bonuses after them."""
    layouts = [known for known in KNOWN_LAYOUTS if known.layout.side == rules.layout.side]
    for known in layouts:
        if known.layout != rules.layout:
            varied = replace(rules, layout=known.layout)
            yield _Alternative(FindingKind.LAYOUT, f"the layout {known.names[0]}", varied, distribution)
    for other in RULE_SETS.values():
        if other.layout.side == rules.layout.side and other.id != rules.id:
            yield _Alternative(FindingKind.RULES, f"the rule set {other.id}", other, english_distribution(other))
    full = len(rules.big_play) - 1
    bonuses = (None, *_OTHER_BONUSES) if full > 0 else (None,)
    for bonus, known, tiles in product(bonuses, layouts, (distribution, *TILE_DISTRIBUTIONS)) if wide else ():
        names = [f"the layout {known.names[0]}"] if known.layout != rules.layout else []
        names += [f"the {tiles.name} tiles"] if tiles is not distribution else []
        names += [f"{bonus} points for a full rack"] if bonus is not None else []
        if names:
            table = rules.big_play if bonus is None else (*rules.big_play[:full], bonus)
            kind = FindingKind.LAYOUT if known.layout != rules.layout else FindingKind.LETTERS
            yield _Alternative(kind, " and ".join(names), replace(rules, layout=known.layout, big_play=table), tiles)
