"""What board, tiles or rules the scores of a record fit, where they do not fit those it was replayed under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from ordws.records.finding import Finding, Kind
from ordws.records.layouts import KNOWN
from ordws.records.letters import EDITIONS, Letters, english, score_with
from ordws.records.record import Event
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS
from ordws.rules.scoring import bonus, score

Scored: TypeAlias = list[tuple[Event, Legal]]

_MOST: Final = 200
"""Plays that are looked at: more than any board takes."""

_ENOUGH: Final = 8
"""Plays of which one wrong score can mean another board rather than a slip."""

_BONUSES: Final = (40, 35)
"""What other games give for a full rack."""


class _Other(NamedTuple):
    """Another way to score, and what it is called."""

    kind: Kind
    name: str
    rules: RuleSet
    letters: Letters


def diagnose(rules: RuleSet, letters: Letters, scored: Scored) -> Finding | None:
    """What the scores fit better than this rule set with these letters, or that they fit nothing known."""
    scored = scored[:_MOST]
    wrong = _misfits(rules, letters, scored)
    if not wrong or (len(wrong) < 2 and len(scored) < _ENOUGH):
        return None
    best, misfits = None, len(wrong) // 4 + 1
    for other in _others(rules, letters, wide=len(wrong) > max(2, len(scored) // 4)):
        n = len(_misfits(other.rules, other.letters, scored, misfits))
        if n < misfits:
            best, misfits = other, n
        if not misfits:
            break
    line = wrong[0].line
    if best is not None:
        fit = "all scores fit" if not misfits else f"all but {misfits} of {len(scored)} scores fit"
        return Finding(line, best.kind, None, best.name, f"{fit} {best.name}")
    if len(wrong) > max(2, len(scored) // 2):
        message = f"{len(wrong)} of {len(scored)} scores differ, and fit no known layout"
        return Finding(line, Kind.LAYOUT, None, None, message)
    return None


def _misfits(rules: RuleSet, letters: Letters, scored: Scored, most: int = 1_000) -> list[Event]:
    """The events whose points are other ones; no more than `most` are looked for."""
    found: list[Event] = []
    for event, ruling in scored:
        if event.points is not None and event.points != _points(rules, letters, ruling):
            found.append(event)
            if len(found) >= most:
                break
    return found


def _points(rules: RuleSet, letters: Letters, ruling: Legal) -> int:
    extra = bonus(rules, ruling.spans[0])
    if letters.is_plain:
        return extra + sum([score(rules, span) for span in ruling.spans])
    return extra + score_with(letters, rules, ruling.spans)


def _others(rules: RuleSet, letters: Letters, *, wide: bool) -> Iterator[_Other]:
    """Other layouts and rule sets; where many scores differ, layouts with other tiles and bonuses too."""
    side = rules.layout.side
    layouts = [known for known in KNOWN if known.layout.side == side and known.layout != rules.layout]
    for known in layouts:
        yield _Other(Kind.LAYOUT, f"the layout {known.names[0]}", replace(rules, layout=known.layout), letters)
    for other in RULE_SETS.values():
        if other.layout.side == side and other.id != rules.id:
            yield _Other(Kind.RULES, f"the rule set {other.id}", other, english(other))
    if wide:
        yield from _wide(rules, letters)


def _wide(rules: RuleSet, letters: Letters) -> Iterator[_Other]:
    side, full = rules.layout.side, len(rules.big_play) - 1
    layouts = [known for known in KNOWN if known.layout.side == side]
    for bonus_for_all in (None, *_BONUSES) if full > 0 else (None,):
        table = rules.big_play if bonus_for_all is None else (*rules.big_play[:full], bonus_for_all)
        for known in layouts:
            varied = replace(rules, layout=known.layout, big_play=table)
            for other in (letters, *EDITIONS):
                names = [f"the layout {known.names[0]}"] if known.layout != rules.layout else []
                names += [f"the {other.name} tiles"] if other is not letters else []
                names += [f"{bonus_for_all} points for a full rack"] if bonus_for_all is not None else []
                kind = Kind.LAYOUT if known.layout != rules.layout else Kind.LETTERS
                if names:
                    yield _Other(kind, " and ".join(names), varied, other)
