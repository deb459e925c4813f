"""Diagnosis of the board, tiles or bonus that the scores of a record fit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from each_row import each_row

from ordws.records.audit import audit_record
from ordws.records.finding import FindingKind
from ordws.records.gcg import read_gcg, write_gcg
from ordws.records.header import KNOWN_LAYOUTS, find_layout
from ordws.records.notation import find_start
from ordws.records.record import GcgEvent, Record, RecordItem, TilePlacement
from ordws.records.tiles import SUPER_TILES, TILE_DISTRIBUTIONS, TileDistribution, english_distribution
from ordws.rules.layout import STANDARD, Layout
from ordws.rules.ruleset import CLASSIC

FOLDER = Path(__file__).parent.parent / "vectors" / "gcg"
WHOLE = FOLDER / "sound_whole_game.gcg"
Squares = dict[tuple[int, int], str]


def edition_of(name: str | None) -> TileDistribution:
    return (
        english_distribution(CLASSIC)
        if name is None
        else next(each for each in TILE_DISTRIBUTIONS if each.name == name)
    )


def rescored(layout: str, letters: str | None) -> bytes:
    """Return the whole game scored on another board with other tiles, square by square."""
    known = find_layout(layout)
    assert known is not None
    board: Squares = {}
    totals: Counter[str] = Counter()
    items: list[RecordItem] = []
    for item in read_gcg(WHOLE.read_bytes()).items:
        if isinstance(item, GcgEvent):
            points = item.points or 0
            if isinstance(item.move, TilePlacement):
                points = score(board, known.layout, edition_of(letters), item.move)
            totals[item.nick] += points
            items.append(replace(item, points=points, total=totals[item.nick]))
        else:
            items.append(item)
    return write_gcg(Record(tuple(items)))


def score(board: Squares, layout: Layout, letters: TileDistribution, move: TilePlacement) -> int:
    """Put a play on the board and return the sum of its words, without a bonus."""
    start = find_start(move.start)
    assert start is not None
    row, column, axis = start
    squares = [(row + i * axis, column + i * (1 - axis)) for i in range(len(move.word))]
    new = {square: letter for square, letter in zip(squares, move.word, strict=True) if letter != "."}
    board.update(new)
    along, across = ((1, 0), (0, 1)) if axis else ((0, 1), (1, 0))
    words = [(next(iter(new)), along), *((square, across) for square in new)]
    return sum([word(board, new, layout, letters, square, step) for square, step in words])


def word(
    board: Squares,
    new: Squares,
    layout: Layout,
    letters: TileDistribution,
    square: tuple[int, int],
    step: tuple[int, int],
) -> int:
    """Return the score of the word through a square, 0 for a single letter."""
    row, column = square
    while (row - step[0], column - step[1]) in board:
        row, column = row - step[0], column - step[1]
    points, factor, length = 0, 1, 0
    while (row, column) in board:
        letter = board[row, column]
        value = letters.values[letter] if letter.isupper() else 0
        by_letter, by_word = layout.premium(row, column) if (row, column) in new else (1, 1)
        points, factor, length = points + value * by_letter, factor * by_word, length + 1
        row, column = row + step[0], column + step[1]
    return points * factor if length > 1 else 0


@each_row(
    ("layout", "letters", "message"),
    [
        ("CrossplayGame", None, "all scores fit the layout CrossplayGame"),
        ("WorldWildlifeFund", None, "all scores fit the layout WorldWildlifeFund"),
        ("Lexulous", None, "all scores fit the layout Lexulous"),
        ("Wordfeud", None, "all scores fit the layout Wordfeud"),
        ("CrosswordGameGmo", None, "all scores fit the layout CrosswordGameGmo"),
        ("none", None, "all scores fit the layout without premium squares"),
        ("CrosswordGame", "french", "all scores fit the french tiles"),
        ("CrosswordGame", "english-friends", "all scores fit the english-friends tiles"),
        ("WWF", "english-friends", "all scores fit the layout WorldWildlifeFund and the english-friends tiles"),
    ],
)
def test_another_board_and_other_tiles_are_named(layout, letters, message):
    """The layout and tiles that all scores fit are named in one finding.

    By the rules that were asked for the scores are wrong all the same.
    """
    audit = audit_record(read_gcg(rescored(layout, letters)))
    diagnoses = [each for each in audit.findings if each.kind in (FindingKind.LAYOUT, FindingKind.LETTERS)]
    assert [each.message for each in diagnoses] == [message]
    assert not audit.is_exact
    assert {each.kind for each in audit.findings} <= {FindingKind.SCORE, FindingKind.LAYOUT, FindingKind.LETTERS}


def test_another_bonus_is_named():
    """The bonus of another game for seven tiles is named."""
    items = [
        replace(item, points=(item.points or 0) - 15, total=None)
        if isinstance(item, GcgEvent)
        and isinstance(item.move, TilePlacement)
        and len(item.move.word.replace(".", "")) == 7
        else item
        for item in read_gcg((FOLDER / "fits_friends.gcg").read_bytes()).items
    ]
    (message,) = [
        each.message for each in audit_record(Record(tuple(items))).findings if each.kind is FindingKind.LAYOUT
    ]
    assert message == "all scores fit the layout WorldWildlifeFund and 35 points for a full rack"


def test_one_wrong_score_is_a_slip():
    """One wrong score is a finding of its own and says nothing of the board; a sound record has no finding."""
    data = WHOLE.read_bytes()
    assert audit_record(read_gcg(data)).findings == ()
    slip = audit_record(read_gcg(data.replace(b"+39 136", b"+38 136"))).findings
    assert [(each.kind, each.written, each.computed) for each in slip] == [(FindingKind.SCORE, 38, 39)]


def test_layouts_are_known_by_their_names():
    """A layout is known by any of its names, in any spacing and case."""
    for name in ("CrosswordGame", "crossword game", "standard15", "Standard"):
        known = find_layout(name)
        assert known is not None
        assert known.layout == STANDARD
    assert find_layout("Hexagons") is None
    assert [known.layout.side for known in KNOWN_LAYOUTS] == [15, 21, 15, 21, 15, 15, 15, 15, 11, 15]


@each_row(
    ("name", "premiums"),
    [
        ("SuperCrosswordGame", (36, 20, 8, 41, 16, 4)),
        ("CrossplayGame", (20, 20, 0, 8, 8, 0)),
        ("WorldWildlifeFund", (24, 16, 0, 12, 8, 0)),
        ("Lexulous", (20, 8, 0, 17, 8, 0)),
        ("Wordfeud", (24, 20, 0, 12, 8, 0)),
        ("ScrabbleDuel", (16, 4, 0, 9, 4, 0)),
    ],
)
def test_layouts_have_their_premiums(name, premiums):
    """Each layout has the published number of squares of each premium, and its halves mirror each other."""
    known = find_layout(name)
    assert known is not None
    rows = known.layout.rows
    assert tuple(sum(row.count(mark) for row in rows) for mark in "'\"^-=~") == premiums
    assert rows == rows[::-1]
    assert all(row == row[::-1] for row in rows)


def test_editions_have_their_tiles():
    """Each edition has the published number of tiles, with the published sum of points."""
    sums = {
        each.name: (sum(each.counts.values()), sum([count * each.values[tile] for tile, count in each.counts.items()]))
        for each in TILE_DISTRIBUTIONS
    }
    assert sums == {
        "catalan": (100, 189),
        "dutch": (102, 230),
        "french": (102, 197),
        "german": (102, 202),
        "norwegian": (100, 202),
        "polish": (100, 190),
        "slovene": (100, 180),
        "spanish": (100, 192),
        "swedish": (100, 194),
        "english-crossplay": (100, 210),
        "english-friends": (104, 220),
    }
    assert SUPER_TILES.total == 200


@each_row(
    ("edition", "word", "tiles"),
    [
        ("german", "MÜhE", ["M", "Ü", "?", "E"]),
        ("spanish", "[CH]O[ll]Ñ", ["CH", "O", "?", "Ñ"]),
        ("catalan", "[L·L][QU]", ["L·L", "QU"]),
        ("polish", "ŻóŁw", ["Ż", "?", "Ł", "?"]),
    ],
)
def test_words_of_other_editions_are_spelt(edition, word, tiles):
    """In words of other editions a tile of two letters stands in brackets, and a lower case letter is a blank."""
    letters = edition_of(edition)
    spelt = letters.encode_word(word)
    assert spelt is not None
    assert letters.as_rack_tiles(spelt.decode("latin-1")) == tiles
    assert letters.split_rack(word.upper()) is not None


@each_row("word", ["MÜßE", "AB4", "ÑU", "[CH]"])
def test_a_word_with_an_unknown_letter_cannot_be_spelt(word):
    """A word with a letter that no German tile has cannot be spelt in German."""
    assert edition_of("german").encode_word(word) is None
