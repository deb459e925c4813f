"""What board, tiles or rules the scores of a record fit, where they do not fit those it was replayed under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
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
from ordws.rules.scoring import play_bonus, word_score

ScoredPlays: TypeAlias = list[tuple[GcgEvent, Legal]]

_MAX_PLAYS: Final = 200
"""Plays that are looked at: more than any board takes."""

_MIN_PLAYS: Final = 8
"""Plays of which one wrong score can mean another board rather than a slip."""

_OTHER_BONUSES: Final = (40, 35)
"""What other games give for a full rack."""


class _Alternative(NamedTuple):
    """Another way to score, and what it is called."""

    kind: FindingKind
    name: str
    rules: RuleSet
    distribution: TileDistribution


def diagnose(rules: RuleSet, distribution: TileDistribution, scored: ScoredPlays) -> AuditFinding | None:
    """What the scores fit better than this rule set with these letters, or that they fit nothing known."""
    scored = scored[:_MAX_PLAYS]
    wrong = _mismatches(rules, distribution, scored)
    if not wrong or (len(wrong) < 2 and len(scored) < _MIN_PLAYS):
        return None
    best, misfits = None, len(wrong) // 4 + 1
    for other in _alternatives(rules, distribution, wide=len(wrong) > max(2, len(scored) // 4)):
        n = len(_mismatches(other.rules, other.distribution, scored, misfits))
        if n < misfits:
            best, misfits = other, n
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
    """The events whose points are other ones; no more than `most` are looked for."""
    found: list[GcgEvent] = []
    for event, ruling in scored:
        if event.points is not None and event.points != _points(rules, distribution, ruling):
            found.append(event)
            if len(found) >= limit:
                break
    return found


def _points(rules: RuleSet, distribution: TileDistribution, ruling: Legal) -> int:
    extra = play_bonus(rules, ruling.spans[0])
    if distribution.has_standard_values:
        return extra + sum([word_score(rules, span) for span in ruling.spans])
    return extra + score_with_distribution(distribution, rules, ruling.spans)


def _alternatives(rules: RuleSet, distribution: TileDistribution, *, wide: bool) -> Iterator[_Alternative]:
    """Other layouts and rule sets; where many scores differ, layouts with other tiles and bonuses too."""
    side = rules.layout.side
    layouts = [known for known in KNOWN_LAYOUTS if known.layout.side == side and known.layout != rules.layout]
    for known in layouts:
        yield _Alternative(
            FindingKind.LAYOUT, f"the layout {known.names[0]}", replace(rules, layout=known.layout), distribution
        )
    for other in RULE_SETS.values():
        if other.layout.side == side and other.id != rules.id:
            yield _Alternative(FindingKind.RULES, f"the rule set {other.id}", other, english_distribution(other))
    if wide:
        yield from _wide_alternatives(rules, distribution)


def _wide_alternatives(rules: RuleSet, distribution: TileDistribution) -> Iterator[_Alternative]:
    side, full = rules.layout.side, len(rules.big_play) - 1
    layouts = [known for known in KNOWN_LAYOUTS if known.layout.side == side]
    for bonus_for_all in (None, *_OTHER_BONUSES) if full > 0 else (None,):
        table = rules.big_play if bonus_for_all is None else (*rules.big_play[:full], bonus_for_all)
        for known in layouts:
            varied = replace(rules, layout=known.layout, big_play=table)
            for other in (distribution, *TILE_DISTRIBUTIONS):
                names = [f"the layout {known.names[0]}"] if known.layout != rules.layout else []
                names += [f"the {other.name} tiles"] if other is not distribution else []
                names += [f"{bonus_for_all} points for a full rack"] if bonus_for_all is not None else []
                kind = FindingKind.LAYOUT if known.layout != rules.layout else FindingKind.LETTERS
                if names:
                    yield _Alternative(kind, " and ".join(names), varied, other)
