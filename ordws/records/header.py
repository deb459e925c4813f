"""What a record says before its moves: by which rules, on which board, with which tiles; and lines out of place."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from ordws.records.facts import find_rules, read_fact
from ordws.records.finding import Finding, Kind
from ordws.records.layouts import find_layout
from ordws.records.letters import EDITIONS, SUPER, Letters
from ordws.records.record import PLAYERS, Event, Note, Pragma, Record, Stray
from ordws.rules.layout import STANDARD
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import CLASSIC

_ONCE: Final = {
    "title",
    "id",
    "lexicon",
    "game-type",
    "tile-set",
    "game-board",
    "board-layout",
    "tile-distribution",
    "style",
    "orientation",
}
_EARLY: Final = {*_ONCE, *PLAYERS, "description", "tile"}
_LATE: Final = {"rack1", "rack2", "rack3", "rack4", "incomplete", "comment"}
_KEYED: Final = re.compile(r"(Variant|LetterDistribution|BoardLayout):\s*(.*)")
_EDITIONS: Final = {edition.name: edition for edition in EDITIONS}
_LEXICA: Final = (
    ("fra", "french"),
    ("ods", "french"),
    ("d25", "german"),
    ("rd2", "german"),
    ("german", "german"),
    ("nsf", "norwegian"),
    ("osps", "polish"),
    ("disc", "catalan"),
    ("fise", "spanish"),
    ("file", "spanish"),
    ("saol", "swedish"),
    ("swl", "dutch"),
)
"""How the names of word lists begin, and in whose language they are."""

_SAYS_LAYOUT: Final = ("board-layout", "game-board")


class Header(NamedTuple):
    """By what a record is to be replayed."""

    rules: RuleSet
    letters: Letters | None
    """The edition that is named, where it is another than the rules have."""

    lettered_rows: bool
    """Whether rows have the letters and columns the numbers."""

    findings: list[Finding]


def read_header(record: Record, given: RuleSet | None) -> Header:
    """What the record asks for; `given` rules stand before those that it names."""
    findings = [Finding(1, Kind.ENCODING, None, record.encoding, fault) for fault in record.faults]
    _check_lines(record, findings)
    rules = given or _find_rules(record, findings) or CLASSIC
    rules = _on_layout(record, rules, findings)
    orientation = record.find("orientation")
    lettered = orientation is not None and "lettered-rows" in orientation.text
    return Header(rules, _find_letters(record, findings), lettered, findings)


def _find_rules(record: Record, findings: list[Finding]) -> RuleSet | None:
    for item in record.items:
        if isinstance(item, Pragma) and item.name == "description":
            found = find_rules(item.text)
            if isinstance(found, RuleSet):
                return found
            if found is not None:
                findings.append(Finding(item.line, Kind.RULES, item.text, CLASSIC.id, found))
    return None


def _said(record: Record, names: tuple[str, ...], key: str) -> tuple[int, str] | None:
    """The line and the text of the first pragma of these names, or of the note that stands for it."""
    for item in record.items:
        if isinstance(item, Pragma) and item.name in names and item.text:
            return item.line, item.text
        if isinstance(item, Note) and (found := _KEYED.match(item.text)) and found[1] == key:
            return item.line, found[2].strip()
        if isinstance(item, Event):
            return None
    return None


def _on_layout(record: Record, rules: RuleSet, findings: list[Finding]) -> RuleSet:
    """The rule set on the layout that the record names, where the rules have none of their own."""
    said = _said(record, _SAYS_LAYOUT, "BoardLayout")
    if said is None:
        return rules
    line, name = said
    known = find_layout(name)
    if known is None:
        findings.append(Finding(line, Kind.LAYOUT, name, None, f'no layout is known by the name "{name}"'))
        return rules
    if known.layout == rules.layout or rules.layout != STANDARD:
        return rules
    findings.append(Finding(line, Kind.LAYOUT, name, known.names[0], f"replayed on the layout {known.names[0]}"))
    return on_board(rules, known.names[0])


def on_board(rules: RuleSet, name: str) -> RuleSet:
    """The rule set on another layout, with the tiles that belong to it."""
    known = find_layout(name)
    assert known is not None
    rules = replace(rules, layout=known.layout)
    return replace(rules, tiles=SUPER, scoop=SUPER.total) if name.startswith("Super") else rules


def _find_letters(record: Record, findings: list[Finding]) -> Letters | None:
    """The edition whose tiles the record names, or whose word list."""
    said = _said(record, ("tile-distribution",), "LetterDistribution")
    if said is None:
        lexicon = record.find("lexicon")
        text = lexicon.text.lower() if lexicon else ""
        return next((_EDITIONS[name] for prefix, name in _LEXICA if text.startswith(prefix)), None)
    line, name = said
    plain = name.lower().replace("_", "-")
    if plain not in _EDITIONS and not plain.startswith("english"):
        findings.append(Finding(line, Kind.LETTERS, name, None, f'no tiles are known by the name "{name}"'))
    return _EDITIONS.get(plain)


def _check_lines(record: Record, findings: list[Finding]) -> None:
    """Tell lines that mean nothing, and lines that mean nothing where they stand."""
    begun = False
    seen: set[str] = set()
    for item in record.items:
        match item:
            case Event():
                begun = True
            case Stray(line, text, because):
                message = f'the line "{_short(text)}" means nothing: {because}'
                findings.append(Finding(line, Kind.LINE, text, None, message))
            case Note(line, text):
                _check_note(line, text, begun, findings)
            case Pragma(line, name, text):
                if fault := _find_fault(name, begun, name in _ONCE & seen):
                    kind, message = fault
                    findings.append(Finding(line, kind, f"#{name} {text}".strip(), None, message))
                seen.add(name)


def _check_note(line: int, text: str, begun: bool, findings: list[Finding]) -> None:
    fact = read_fact(text)
    if isinstance(fact, str):
        findings.append(Finding(line, Kind.LINE, text, None, fact))
    elif fact is None and not begun and not _KEYED.match(text):
        findings.append(Finding(line, Kind.MISPLACED, text, None, "a note stands before the first move"))


def _find_fault(name: str, begun: bool, again: bool) -> tuple[Kind, str] | None:
    if name == "character-encoding":
        return Kind.ENCODING, "the encoding can be declared in the first line alone"
    if name not in _EARLY | _LATE:
        return Kind.LINE, f"no line of a record is called #{name}"
    if begun and name in _EARLY:
        return Kind.MISPLACED, f"#{name} stands behind the first move"
    if again:
        return Kind.MISPLACED, f"#{name} stands there twice"
    return None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
