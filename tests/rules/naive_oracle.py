"""A slow second implementation of docs/rules.md 2 to 4, against which the engine is tested.

It imports nothing of `ordws`. A board is a dict of squares (row, column) from 0; a capital is a tile, a lower case
letter a blank. Options are plain values; those of the five rule sets are copied from docs/rules.md 1, the premium
squares from docs/rules.md 2.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Square = tuple[int, int]
Word = list[Square]

TRIPLE_WORD = "A1 H1 O1 A8 O8 A15 H15 O15"
DOUBLE_WORD = "B2 C3 D4 E5 K5 L4 M3 N2 H8 B14 C13 D12 E11 K11 L12 M13 N14"
TRIPLE_LETTER = "B6 B10 F2 F6 F10 F14 J2 J6 J10 J14 N6 N10"
DOUBLE_LETTER = "A4 A12 C7 C9 D1 D8 D15 G3 G7 G9 G13 H4 H12 I3 I7 I9 I13 L1 L8 L15 M7 M9 O4 O12"
LETTER_MARKS = {"'": 2, '"': 3, "^": 4}
WORD_MARKS = {"-": 2, "=": 3, "~": 4}
FACE = {
    **dict.fromkeys("AEIOULNRST", 1),
    **dict.fromkeys("DG", 2),
    **dict.fromkeys("BCMP", 3),
    **dict.fromkeys("FHVWY", 4),
    "K": 5,
    **dict.fromkeys("JX", 8),
    **dict.fromkeys("QZ", 10),
}

REG = {
    "layout": "standard",
    "board": 15,
    "wings": "anywhere",
    "rack_size": 7,
    "minimum": "none",
    "big_play": {7: 50},
    "stretch": {},
    "stretch_from": 4,
    "premium": "multiply",
    "small_word_cap": False,
}
S1C = {
    **REG,
    "minimum": "main3",
    "big_play": {5: 10, 6: 30, 7: 50},
    "premium": "add",
    "stretch": {2: 20, 3: 40, 4: 60, 5: 90, 6: 110, 7: 130},
}
S1W = {**S1C, "board": 21, "wings": "main-word"}
S2D = {
    **REG,
    "board": 21,
    "wings": "new-tile",
    "rack_size": 8,
    "minimum": "any3",
    "big_play": {6: 20, 7: 50, 8: 80},
}
RULE_SETS: dict[str, dict[str, Any]] = {
    "classic": REG,
    "scrabble-i-classic": S1C,
    "scrabble-o": S1C,
    "scrabble-i": S1W,
    "dover": S2D,
}


class Options(NamedTuple):
    """The options by which a play is judged."""

    side: int
    centre: Square
    inner: set[Square]
    letter_premiums: dict[Square, int]
    word_premiums: dict[Square, int]
    wings: str
    rack_size: int
    minimum: str
    big_play: Mapping[int, int]
    stretch: Mapping[int, int]
    stretch_from: int
    premium: str
    small_word_cap: bool


class Fits(NamedTuple):
    """A legal play: its words, the main word first, the score of each, the bonus and its reason."""

    words: list[str]
    scores: list[int]
    bonus: int
    reason: str

    @property
    def total(self) -> int:
        return sum(self.scores) + self.bonus


def options_of(rules: str, changes: Mapping[str, Any] | None = None) -> Options:
    """Return the options of a rule set, some of them changed; a layout is `standard` or drawn as rows of marks."""
    chosen = {**RULE_SETS[rules], **(changes or {})}
    rows: Sequence[str] = standard_rows() if chosen["layout"] == "standard" else chosen["layout"]
    side = chosen["board"] if "board" in (changes or {}) else chosen["board"] - 15 + len(rows)
    edge = (side - len(rows)) // 2
    marks = {(r + edge, c + edge): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    return Options(
        side,
        (side // 2, side // 2),
        set(marks),
        {square: LETTER_MARKS[mark] for square, mark in marks.items() if mark in LETTER_MARKS},
        {square: WORD_MARKS[mark] for square, mark in marks.items() if mark in WORD_MARKS},
        *(chosen[name] for name in Options._fields[5:]),
    )


def standard_rows() -> list[str]:
    """Return the premium squares of docs/rules.md 2.3, drawn from their names."""
    rows = [["."] * 15 for _ in range(15)]
    for mark, names in (("=", TRIPLE_WORD), ("-", DOUBLE_WORD), ('"', TRIPLE_LETTER), ("'", DOUBLE_LETTER)):
        for name in names.split():
            rows[int(name[1:]) - 1]["ABCDEFGHIJKLMNO".index(name[0])] = mark
    return ["".join(row) for row in rows]


def rule(
    options: Options, tiles: dict[Square, str], start: Square, down: bool, text: str, rack: str | None = None
) -> Fits | str:
    """Return the words and scores of a play of `text` from a square on, or its first fault."""
    row, column = start
    squares = [(row + i, column) if down else (row, column + i) for i in range(len(text))]
    new = {at: letter for at, letter in zip(squares, text, strict=True) if letter != "." and at not in tiles}
    fault = find_misplaced(options, tiles, squares, text, new) or find_unsupplied(options, new, rack)
    if fault:
        return fault
    after = {**tiles, **new}
    words = new_words(after, new)
    if not words:
        return "no-word-formed"
    mains = [word for word in words if all(at in word for at in new)]
    main = max(mains, key=lambda word: (len(word), worth(options, after, new, word), is_across(word)))
    fault = find_short(options, main, words) or find_outside(options, main, mains, new)
    if fault:
        return fault
    words = [main, *(word for word in words if word != main)]
    scores = [worth(options, after, new, word) for word in words]
    return Fits(["".join(after[at] for at in word).upper() for word in words], scores, *bonus(options, tiles, main))


def find_misplaced(
    options: Options, tiles: dict[Square, str], squares: list[Square], text: str, new: dict[Square, str]
) -> str | None:
    """Return the fault of a placement; None if it has none (docs/rules.md 3.2)."""
    if not squares or any(not (0 <= r < options.side and 0 <= c < options.side) for r, c in squares):
        return "off-board"
    for at, letter in zip(squares, text, strict=True):
        if at in tiles and letter not in (".", tiles[at].upper(), tiles[at].lower()):
            return "square-taken"
    if not new:
        return "no-new-tile"
    if any(at not in tiles and at not in new for at in squares):
        return "gap"
    if not tiles and options.centre not in new:
        return "misses-centre"
    if tiles and not any(beside in tiles for at in new for beside in neighbours(at)):
        return "not-connected"
    return None


def neighbours(square: Square) -> list[Square]:
    row, column = square
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def find_unsupplied(options: Options, new: dict[Square, str], rack: str | None) -> str | None:
    """Return the fault of a play with tiles that are not on the rack, or too many tiles (docs/rules.md 3.2, 3.6)."""
    needed = ["?" if letter.islower() else letter for letter in new.values()]
    if rack is not None and any(needed.count(tile) > rack.count(tile) for tile in needed):
        return "not-on-rack"
    return "too-many-tiles" if len(needed) > options.rack_size else None


def new_words(after: dict[Square, str], new: dict[Square, str]) -> list[Word]:
    """Return the board words with a new tile in them, in the order of these tiles (docs/rules.md 0.3)."""
    words = [word for word in board_words(after) if any(at in new for at in word)]
    return sorted(words, key=lambda word: min(at for at in word if at in new))


def board_words(tiles: dict[Square, str]) -> Iterator[Word]:
    """Yield every run of two or more tiles along a row or a column, from its first tile on (docs/rules.md 0.3)."""
    for row, column in tiles:
        for down, across in ((0, 1), (1, 0)):
            if (row - down, column - across) in tiles:
                continue
            word = [(row, column)]
            while (next_one := (word[-1][0] + down, word[-1][1] + across)) in tiles:
                word.append(next_one)
            if len(word) > 1:
                yield word


def is_across(word: Word) -> bool:
    return word[0][0] == word[1][0]


def find_short(options: Options, main: Word, words: list[Word]) -> str | None:
    """Return the fault of a play without a word that is long enough; None if there is one (docs/rules.md 3.4)."""
    if options.minimum == "main3" and len(main) < 3:
        return "main-word-too-short"
    if options.minimum == "any3" and all(len(word) < 3 for word in words):
        return "only-two-letter-words"
    return None


def find_outside(options: Options, main: Word, mains: list[Word], new: dict[Square, str]) -> str | None:
    """Return the fault of a play that lies too far out; None if it does not (docs/rules.md 3.5)."""
    if options.wings == "new-tile" and not any(at in options.inner for at in new):
        return "no-tile-on-inner-board"
    if options.wings == "main-word":
        enough = [main, *(word for word in mains if len(word) >= 3)]
        if not any(at in options.inner for word in enough for at in word):
            return "main-word-in-wings"
    return None


def worth(options: Options, after: dict[Square, str], new: dict[Square, str], word: Word) -> int:
    """Return the score of a word (docs/rules.md 4.1 to 4.3)."""
    points, factors = 0, []
    for at in word:
        value = FACE.get(after[at], 0)
        if options.small_word_cap and len(word) <= 4:
            value = min(value, len(word))
        if at in new:
            value *= options.letter_premiums.get(at, 1)
            if at in options.word_premiums:
                factors.append(options.word_premiums[at])
        points += value
    if options.premium == "add":
        return points * (sum(factors) if factors else 1)
    for factor in factors:
        points *= factor
    return points


def bonus(options: Options, tiles: dict[Square, str], main: Word) -> tuple[int, str]:
    """Return the points of the bonus and its reason (docs/rules.md 4.4 to 4.6).

    More tiles than a table knows earn its last entry.
    """
    added = sum(1 for at in main if at not in tiles)
    longest = run = 0
    for at in main:
        run = run + 1 if at in tiles else 0
        longest = max(longest, run)
    stretched = bool(options.stretch) and longest >= options.stretch_from
    table = options.stretch if stretched else options.big_play
    points = table.get(min(added, max(table)), 0) if table else 0
    return points, ("stretch" if stretched else "big-play") if points else "none"
