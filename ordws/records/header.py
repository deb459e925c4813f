"""The rules, the board and the tiles that a record names, and lines out of place (docs/interfaces.md 4.1).

Boards of other games are known by the names that records give them (docs/reference/records.md).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.record import (
    PLAYER_PRAGMAS,
    GcgEvent,
    Note,
    Pragma,
    Record,
    UnparsedLine,
    read_extension,
    read_rules_description,
)
from ordws.records.tiles import SUPER_TILES, TILE_DISTRIBUTIONS, TileDistribution
from ordws.rules.layout import STANDARD, STANDARD_ROWS, WITH_WINGS, Layout
from ordws.rules.ruleset import CLASSIC, RuleSet


class KnownLayout(NamedTuple):
    """A layout and its names in records; findings use the first."""

    names: tuple[str, ...]
    layout: Layout


def find_layout(name: str) -> KnownLayout | None:
    """Return the layout of this name in any spacing and case, None if there is none."""
    return _BY_NAME.get(_normalize_name(name))


def _layout_from_quarter(quarter: str) -> Layout:
    """Return the layout whose upper left quarter is drawn, with its middle row and column."""
    rows = [row + row[-2::-1] for row in quarter.split()]
    return Layout.from_rows(rows + rows[-2::-1])


def _normalize_name(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


_SUPER: Final = _layout_from_quarter("""
    ~..'...=..'
    .-.."...-..
    ..-..^...-.
    '..=..'...=
    ."..-..."..
    ..^..-...'.
    ...'..-...'
    =......-...
    .-.."..."..
    ..-..'...'.
    '..=..'...-
""")
_CROSSPLAY: Final = _layout_from_quarter("""
    "..=...'
    .-....".
    ....'...
    =..'...-
    ..'.."..
    ...."..'
    ."......
    '..-.'..
""")
_FRIENDS: Final = _layout_from_quarter("""
    ...=..".
    ..'..-..
    .'..'...
    =.."...-
    ..'...'.
    .-..."..
    "...'...
    ...-....
""")
_LEXULOUS: Final = _layout_from_quarter("""
    =..'...=
    ..-...'.
    .-..."..
    ....-...
    ...-....
    .."...'.
    .'...'..
    =......-
""")
_WORDFEUD: Final = _layout_from_quarter("""
    "...=..'
    .'..."..
    ..-...'.
    ..."...-
    =...-.'.
    ."..."..
    ..'.'...
    '..-....
""")
_DUEL: Final = _layout_from_quarter("""
    =...'.
    .-...'
    ..-...
    ..."..
    '...'.
    .'...-
""")
_WITHOUT_CENTRE: Final = Layout.from_rows([*STANDARD_ROWS[:7], "=..'.......'..=", *STANDARD_ROWS[8:]])
_BARE: Final = Layout.from_rows(["." * 15] * 15)

KNOWN_LAYOUTS: Final = (
    KnownLayout(("CrosswordGame", "standard15", "standard", "classic"), STANDARD),
    KnownLayout(("CrosswordGame with wings", "scrabble-i", "dover"), WITH_WINGS),
    KnownLayout(("CrosswordGameGmo",), _WITHOUT_CENTRE),
    KnownLayout(("SuperCrosswordGame", "super", "standard21"), _SUPER),
    KnownLayout(("CrossplayGame", "Crossplay"), _CROSSPLAY),
    KnownLayout(("WorldWildlifeFund", "Words With Friends", "WWF"), _FRIENDS),
    KnownLayout(("Lexulous",), _LEXULOUS),
    KnownLayout(("Wordfeud",), _WORDFEUD),
    KnownLayout(("ScrabbleDuel", "duel"), _DUEL),
    KnownLayout(("without premium squares", "none"), _BARE),
)
"""Layouts under the names that other programs give them, our own after those."""

_BY_NAME: Final = {_normalize_name(name): known for known in KNOWN_LAYOUTS for name in known.names}


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
"""Prefixes of the names of word lists, and the tiles of their languages."""


class RecordHeader(NamedTuple):
    """The rules, tiles and directions by which a record is to be replayed."""

    rules: RuleSet
    distribution: TileDistribution | None
    """The edition that the record names or suggests; None for the tiles of the rules."""

    lettered_rows: bool
    """True if rows have letters and columns have numbers."""

    findings: list[AuditFinding]


def read_header(record: Record, override: RuleSet | None) -> RecordHeader:
    """Return how a record is to be replayed; the rules of the caller take precedence over those that it names."""
    findings = [AuditFinding(1, FindingKind.ENCODING, None, record.encoding, fault) for fault in record.faults]
    _check_lines(record, findings)
    rules = override
    for item in record.items if override is None else ():
        if isinstance(item, Pragma) and item.name == "description":
            named = read_rules_description(item.text)
            if isinstance(named, RuleSet):
                rules = named
                break
            if named is not None:
                findings.append(AuditFinding(item.line, FindingKind.RULES, item.text, CLASSIC.id, named))
    rules = _apply_named_layout(record, rules or CLASSIC, findings)
    orientation = record.find_pragma("orientation")
    lettered_rows = orientation is not None and "lettered-rows" in orientation.text
    named_tiles = _find_named_value(record, ("tile-distribution",), "LetterDistribution")
    if named_tiles is None:
        lexicon = record.find_pragma("lexicon")
        text = lexicon.text.lower() if lexicon else ""
        distribution = next(
            (_DISTRIBUTIONS[name] for prefix, name in _LEXICON_PREFIXES if text.startswith(prefix)), None
        )
    else:
        line, name = named_tiles
        plain = name.lower().replace("_", "-")
        distribution = _DISTRIBUTIONS.get(plain)
        # English tiles are those of the rule set, which needs no name for them.
        if distribution is None and not plain.startswith("english"):
            message = f'no tiles are known by the name "{name}"'
            findings.append(AuditFinding(line, FindingKind.LETTERS, name, None, message))
    return RecordHeader(rules, distribution, lettered_rows, findings)


def _find_named_value(record: Record, names: tuple[str, ...], key: str) -> tuple[int, str] | None:
    """Return line and text of the first pragma of these names, or of the note `key: text` that stands for it."""
    for item in record.items:
        if isinstance(item, Pragma) and item.name in names and item.text:
            return item.line, item.text
        if isinstance(item, Note) and (found := _KEYED_NOTE.match(item.text)) and found[1] == key:
            return item.line, found[2].strip()
        if isinstance(item, GcgEvent):
            return None
    return None


def _apply_named_layout(record: Record, rules: RuleSet, findings: list[AuditFinding]) -> RuleSet:
    """Return the rules on the layout that the record names, unless they have another one than the standard layout."""
    named = _find_named_value(record, ("board-layout", "game-board"), "BoardLayout")
    if named is None:
        return rules
    line, name = named
    known = find_layout(name)
    if known is None:
        findings.append(AuditFinding(line, FindingKind.LAYOUT, name, None, f'no layout is known by the name "{name}"'))
        return rules
    if known.layout == rules.layout or rules.layout != STANDARD:
        return rules
    message = f"replayed on the layout {known.names[0]}"
    findings.append(AuditFinding(line, FindingKind.LAYOUT, name, known.names[0], message))
    return with_layout(rules, known.names[0])


def with_layout(rules: RuleSet, name: str) -> RuleSet:
    """Return the rules on another known layout, with the tiles that belong to it."""
    known = find_layout(name)
    assert known is not None
    rules = replace(rules, layout=known.layout)
    return replace(rules, tiles=SUPER_TILES, scoop=SUPER_TILES.total) if name.startswith("Super") else rules


def _check_lines(record: Record, findings: list[AuditFinding]) -> None:
    """Report lines that mean nothing, or that mean nothing where they stand."""
    has_begun = False
    seen: set[str] = set()
    for item in record.items:
        match item:
            case GcgEvent():
                has_begun = True
            case UnparsedLine(line, text, reason):
                excerpt = text if len(text) <= 60 else f"{text[:57]}..."
                message = f'the line "{excerpt}" means nothing: {reason}'
                findings.append(AuditFinding(line, FindingKind.LINE, text, None, message))
            case Note(line, text):
                extension = read_extension(text)
                if isinstance(extension, str):
                    findings.append(AuditFinding(line, FindingKind.LINE, text, None, extension))
                elif extension is None and not has_begun and not _KEYED_NOTE.match(text):
                    message = "a note stands before the first move"
                    findings.append(AuditFinding(line, FindingKind.MISPLACED, text, None, message))
            case Pragma(line, name, text):
                kind, fault = FindingKind.MISPLACED, None
                if name == "character-encoding":
                    kind, fault = FindingKind.ENCODING, "the encoding can be declared in the first line alone"
                elif name not in _PRAGMAS_BEFORE_MOVES | _PRAGMAS_AFTER_MOVES:
                    kind, fault = FindingKind.LINE, f"no line of a record is called #{name}"
                elif has_begun and name in _PRAGMAS_BEFORE_MOVES:
                    fault = f"#{name} stands behind the first move"
                elif name in _UNIQUE_PRAGMAS & seen:
                    fault = f"#{name} stands there twice"
                if fault is not None:
                    findings.append(AuditFinding(line, kind, f"#{name} {text}".strip(), None, fault))
                seen.add(name)
