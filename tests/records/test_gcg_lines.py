"""Lines of GCG, one by one: how they are read, and how they are written for other programs."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.records.gcg import BadRecord, read_gcg, write_event, write_gcg
from ordws.records.record import (
    ChallengeBonus,
    GcgEvent,
    Note,
    PassedTurn,
    Player,
    Pragma,
    Record,
    TileExchange,
    TilePlacement,
    TimePenalty,
    UnknownMove,
    UnparsedLine,
    UnplayedTilesScore,
    Withdrawal,
)


def only(line: str):
    (item,) = read_gcg(line.encode()).items
    return item


@each_row(
    ("line", "rack", "move", "points", "total", "extra"),
    [
        (">Ann: ?AINRST 8D STAiN.R +64 64", "?AINRST", TilePlacement("8D", "STAiN.R"), 64, 64, ""),
        (">Ann: ?AINRST d8 ST(A)iN(E)R 64 64 RE, IN", "?AINRST", TilePlacement("d8", "STAiNER"), 64, 64, "RE, IN"),
        (">Ann:\tA\t8D\tA.\t+2\t2", "A", TilePlacement("8D", "A."), 2, 2, ""),
        (">Ann: 8D STAIN +12 12", "", TilePlacement("8D", "STAIN"), 12, 12, ""),
        (">Ann: QU[CH] 21U [CH]A[ll] +9 9", "QU[CH]", TilePlacement("21U", "[CH]A[ll]"), 9, 9, ""),
        (">Ann: AB - +0 123", "AB", PassedTurn(), 0, 123, ""),
        (">Ann: - +0 -7", "", PassedTurn(), 0, -7, ""),
        (">Ann: AB -0 +0 12", "AB", PassedTurn(), 0, 12, ""),
        (">Ann: ABC -AB +0 12", "ABC", TileExchange("AB"), 0, 12, ""),
        (">Ann: ABC -2 +0 12", "ABC", TileExchange("2"), 0, 12, ""),
        (">Ann: ABC -- -24 55", "ABC", Withdrawal(), -24, 55, ""),
        (">Ann: ABC (challenge) +5 289", "ABC", ChallengeBonus(), 5, 289, ""),
        (">Ann:  (challenge) +5 289", "", ChallengeBonus(), 5, 289, ""),
        (">Ann: AB (time) -20 358", "AB", TimePenalty(), -20, 358, ""),
        (">Ann: (TIME) +-20 358", "", TimePenalty(), -20, 358, ""),
        (">Ann:  (TI?) +4 345", "", UnplayedTilesScore("TI?"), 4, 345, ""),
        (">Ann: AB (AB) −4 345", "AB", UnplayedTilesScore("AB"), -4, 345, ""),
        (">Ann: ( T I ) +4 345", "", UnplayedTilesScore("TI"), 4, 345, ""),
        (">Ann: ABC STAIN +9 9", "ABC", UnknownMove("STAIN"), 9, 9, ""),
        (">Ann: ABC 8D +9 9", "ABC", UnknownMove("8D"), 9, 9, ""),
        (">Ann: ABC 8D AB", "ABC", TilePlacement("8D", "AB"), None, None, ""),
        (">Ann: ABC 8D AB +7", "ABC", TilePlacement("8D", "AB"), 7, None, ""),
        (">Ann: ABC 8D AB +7 12.", "ABC", TilePlacement("8D", "AB"), 7, None, "12."),
        (">Ann: ABC (TI +4 345", "ABC", UnknownMove("(TI"), 4, 345, ""),
        (">Ann:", "", UnknownMove(""), None, None, ""),
    ],
)
def test_an_event_is_read(line, rack, move, points, total, extra):
    """Rack, points and total of an event may be missing, and a text that is no move stays as it is."""
    assert only(line) == GcgEvent(1, "Ann", rack, move, points, total, extra)


@each_row(
    ("line", "nick"),
    [
        (">1: A - +0 0", "1"),
        ("> Ann : A - +0 0", "Ann"),
        (">Ann:A - +0 0", "Ann"),
        (">a:b: A - +0 0", "a:b"),
        (">Ann Archer: A - +0 0", "Ann Archer"),
        (">: A - +0 0", ""),
        ("  >Ann: A - +0 0 ", "Ann"),
    ],
)
def test_a_nick_ends_at_its_colon(line, nick):
    """A nick ends at its colon, with or without spaces around it."""
    item = only(line)
    assert (item.nick, item.rack, item.move) == (nick, "A", PassedTurn())


def test_a_note_goes_on_over_bare_lines():
    """Bare lines continue a note; blank lines are no part of it, and a pragma ends it."""
    record = read_gcg(b"#note one\n\ntwo\n#- three\n#title A\nfour\n")
    assert record.items == (
        Note(1, "one\ntwo\nthree"),
        Pragma(5, "title", "A"),
        UnparsedLine(6, "four", "it begins with neither # nor >, and follows no note"),
    )


def test_a_pragma_is_continued():
    """A line that begins with `#-` continues a pragma, whose name may have capitals."""
    assert read_gcg(b"#Tile-Set A 9\n#- B 2\n").items == (Pragma(1, "tile-set", "A 9\nB 2"),)


def test_players_are_ordered_by_number():
    """Players are ordered by their numbers, and their whole names may be missing."""
    record = read_gcg(b"#player2 Bob\n#player1 Ann Ann Archer\n#player4 Di Di\n")
    assert record.players == [Player(2, 1, "Ann", "Ann Archer"), Player(1, 2, "Bob", ""), Player(3, 4, "Di", "Di")]


@each_row(
    ("text", "lines"),
    [("a\n>A:", 2), ("a\r\n>A:", 2), ("a\r>A:", 2), ("a\r\r\n>A:", 2), ("\n\n>A:", 3), ("\r\n\n\r>A:", 4)],
)
def test_lines_are_counted_as_an_editor_counts_them(text, lines):
    """LF, CR LF, CR, and CR CR LF each end one line."""
    assert read_gcg(text.encode()).items[-1].line == lines


@each_row(("data", "message"), [(b"", "empty"), (b" \r\n", "empty"), (b"\x00\x01PK", "no line")])
def test_a_text_without_a_record_line_is_refused(data, message):
    """A text is refused only if it has no line of a record."""
    with pytest.raises(BadRecord, match=message):
        read_gcg(data)


@each_row(
    ("event", "line"),
    [
        (GcgEvent(0, "Ann", "?AINRST", TilePlacement("8D", "STAiN.R"), 64, 64), ">Ann: ?AINRST 8D STAiN.R +64 64"),
        (GcgEvent(0, "Ann", "AB", PassedTurn(), 0, -3), ">Ann: AB - +0 -3"),
        (GcgEvent(0, "Ann", "ABC", TileExchange("AB"), 0, 12), ">Ann: ABC -AB +0 12"),
        (GcgEvent(0, "Ann", "ABC", Withdrawal(), -24, 55), ">Ann: ABC -- -24 55"),
        (GcgEvent(0, "Ann", "", ChallengeBonus(), 5, 289), ">Ann:  (challenge) +5 289"),
        (GcgEvent(0, "Ann", "", TimePenalty(), -20, 358), ">Ann:  (time) -20 358"),
        (GcgEvent(0, "Ann", "", UnplayedTilesScore("TI"), 4, 345), ">Ann:  (TI) +4 345"),
        (GcgEvent(0, "Ann", "AB", UnplayedTilesScore("AB"), -4, 345), ">Ann: AB (AB) -4 345"),
        (GcgEvent(0, "Ann", "AB", TilePlacement("8D", "AB"), 7, 7, "BE, TO"), ">Ann: AB 8D AB +7 7 BE, TO"),
    ],
)
def test_an_event_is_written_for_other_programs(event, line):
    """A written event has one space between its parts, two if the rack is missing, and a sign before the points."""
    assert write_event(event) == line


def test_a_record_is_written_in_utf_8():
    """The encoding is declared first, and a line of a note that begins like another item is marked as continuing."""
    record = Record(
        (
            Pragma(0, "player1", "Zoë Zoë"),
            Pragma(0, "tile-set", "A 9\nB 2"),
            GcgEvent(0, "Zoë", "A", PassedTurn(), 0, 0),
            Note(0, "one\n#two\n\n>three"),
        )
    )
    assert write_gcg(record).decode() == (
        "#character-encoding UTF-8\n#player1 Zoë Zoë\n#tile-set A 9\n#- B 2\n>Zoë: A - +0 0\n"
        "#note one\n#- #two\n#- >three\n"
    )
