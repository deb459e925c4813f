"""What a record says before its moves: by which rules, on which board, with which tiles; and lines out of place."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.gcg_extensions import read_extension, read_rules_description
from ordws.records.known_layouts import find_layout
from ordws.records.record import PLAYER_PRAGMAS, GcgEvent, Note, Pragma, Record, UnparsedLine
from ordws.records.tile_distributions import SUPER_TILES, TILE_DISTRIBUTIONS, TileDistribution
from ordws.rules.layout import STANDARD
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import CLASSIC

_UNIQUE_PRAGMAS: Final = {
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
_PRAGMAS_BEFORE_MOVES: Final = {*_UNIQUE_PRAGMAS, *PLAYER_PRAGMAS, "description", "tile"}
_PRAGMAS_AFTER_MOVES: Final = {"rack1", "rack2", "rack3", "rack4", "incomplete", "comment"}
_KEYED_NOTE: Final = re.compile(r"(Variant|LetterDistribution|BoardLayout):\s*(.*)")
_DISTRIBUTIONS: Final = {edition.name: edition for edition in TILE_DISTRIBUTIONS}
_LEXICON_PREFIXES: Final = (
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

_LAYOUT_PRAGMAS: Final = ("board-layout", "game-board")


class RecordHeader(NamedTuple):
    """By what a record is to be replayed."""

    rules: RuleSet
    distribution: TileDistribution | None
    """The edition that is named, where it is another than the rules have."""

    lettered_rows: bool
    """Whether rows have the letters and columns the numbers."""

    findings: list[AuditFinding]


def read_header(record: Record, override: RuleSet | None) -> RecordHeader:
    """What the record asks for; `given` rules stand before those that it names."""
    findings = [AuditFinding(1, FindingKind.ENCODING, None, record.encoding, fault) for fault in record.faults]
    _check_lines(record, findings)
    rules = override or _find_rules(record, findings) or CLASSIC
    rules = _apply_named_layout(record, rules, findings)
    orientation = record.find_pragma("orientation")
    lettered = orientation is not None and "lettered-rows" in orientation.text
    return RecordHeader(rules, _find_distribution(record, findings), lettered, findings)


def _find_rules(record: Record, findings: list[AuditFinding]) -> RuleSet | None:
    for item in record.items:
        if isinstance(item, Pragma) and item.name == "description":
            found = read_rules_description(item.text)
            if isinstance(found, RuleSet):
                return found
            if found is not None:
                findings.append(AuditFinding(item.line, FindingKind.RULES, item.text, CLASSIC.id, found))
    return None


def _find_named_value(record: Record, names: tuple[str, ...], key: str) -> tuple[int, str] | None:
    """The line and the text of the first pragma of these names, or of the note that stands for it."""
    for item in record.items:
        if isinstance(item, Pragma) and item.name in names and item.text:
            return item.line, item.text
        if isinstance(item, Note) and (found := _KEYED_NOTE.match(item.text)) and found[1] == key:
            return item.line, found[2].strip()
        if isinstance(item, GcgEvent):
            return None
    return None


def _apply_named_layout(record: Record, rules: RuleSet, findings: list[AuditFinding]) -> RuleSet:
    """The rule set on the layout that the record names, where the rules have none of their own."""
    said = _find_named_value(record, _LAYOUT_PRAGMAS, "BoardLayout")
    if said is None:
        return rules
    line, name = said
    known = find_layout(name)
    if known is None:
        findings.append(AuditFinding(line, FindingKind.LAYOUT, name, None, f'no layout is known by the name "{name}"'))
        return rules
    if known.layout == rules.layout or rules.layout != STANDARD:
        return rules
    findings.append(
        AuditFinding(line, FindingKind.LAYOUT, name, known.names[0], f"replayed on the layout {known.names[0]}")
    )
    return with_layout(rules, known.names[0])


def with_layout(rules: RuleSet, name: str) -> RuleSet:
    """The rule set on another layout, with the tiles that belong to it."""
    known = find_layout(name)
    assert known is not None
    rules = replace(rules, layout=known.layout)
    return replace(rules, tiles=SUPER_TILES, scoop=SUPER_TILES.total) if name.startswith("Super") else rules


def _find_distribution(record: Record, findings: list[AuditFinding]) -> TileDistribution | None:
    """The edition whose tiles the record names, or whose word list."""
    said = _find_named_value(record, ("tile-distribution",), "LetterDistribution")
    if said is None:
        lexicon = record.find_pragma("lexicon")
        text = lexicon.text.lower() if lexicon else ""
        return next((_DISTRIBUTIONS[name] for prefix, name in _LEXICON_PREFIXES if text.startswith(prefix)), None)
    line, name = said
    plain = name.lower().replace("_", "-")
    if plain not in _DISTRIBUTIONS and not plain.startswith("english"):
        findings.append(AuditFinding(line, FindingKind.LETTERS, name, None, f'no tiles are known by the name "{name}"'))
    return _DISTRIBUTIONS.get(plain)


def _check_lines(record: Record, findings: list[AuditFinding]) -> None:
    """Tell lines that mean nothing, and lines that mean nothing where they stand."""
    begun = False
    seen: set[str] = set()
    for item in record.items:
        match item:
            case GcgEvent():
                begun = True
            case UnparsedLine(line, text, because):
                message = f'the line "{_truncate(text)}" means nothing: {because}'
                findings.append(AuditFinding(line, FindingKind.LINE, text, None, message))
            case Note(line, text):
                _check_note(line, text, begun, findings)
            case Pragma(line, name, text):
                if fault := _find_pragma_fault(name, begun, name in _UNIQUE_PRAGMAS & seen):
                    kind, message = fault
                    findings.append(AuditFinding(line, kind, f"#{name} {text}".strip(), None, message))
                seen.add(name)


def _check_note(line: int, text: str, begun: bool, findings: list[AuditFinding]) -> None:
    fact = read_extension(text)
    if isinstance(fact, str):
        findings.append(AuditFinding(line, FindingKind.LINE, text, None, fact))
    elif fact is None and not begun and not _KEYED_NOTE.match(text):
        findings.append(AuditFinding(line, FindingKind.MISPLACED, text, None, "a note stands before the first move"))


def _find_pragma_fault(name: str, begun: bool, repeated: bool) -> tuple[FindingKind, str] | None:
    if name == "character-encoding":
        return FindingKind.ENCODING, "the encoding can be declared in the first line alone"
    if name not in _PRAGMAS_BEFORE_MOVES | _PRAGMAS_AFTER_MOVES:
        return FindingKind.LINE, f"no line of a record is called #{name}"
    if begun and name in _PRAGMAS_BEFORE_MOVES:
        return FindingKind.MISPLACED, f"#{name} stands behind the first move"
    if repeated:
        return FindingKind.MISPLACED, f"#{name} stands there twice"
    return None


def _truncate(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
