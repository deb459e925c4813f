"""Exchange formats: what is written is read back, real files of other programs are read, bad ones name their line."""

from __future__ import annotations

import pytest
from each_row import each_row
from exchange_cases import by_place, sheets
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ordws.errors import BadInput, BadSheet
from ordws.tournament.exchange.event_sheet import first_day
from ordws.tournament.exchange.formats import FORMATS, format_of, read_text
from ordws.tournament.exchange.json_sheet import read_json
from ordws.tournament.exchange.sheet import Bye, Sheet, SheetGame, SheetPlayer, SheetSide, wall_chart
from ordws.tournament.exchange.tables import read_csv, write_csv
from ordws.tournament.facts import Created, Published, RecordedFact

SHEET = Sheet(
    "Autumn Open",
    (SheetPlayer("Doe, Jane"), SheetPlayer("Ben 2nd"), SheetPlayer("Cy", is_withdrawn=True)),
    (
        SheetGame(1, 1, 1, 2, 1, (SheetSide(388, 380, 13), SheetSide(412, 412, 14))),
        SheetGame(2, 1, 1, 1, 3, forfeit="second"),
    ),
    (Bye(1, 3), Bye(2, 2)),
    "2026-11-21",
    2,
    1,
    (1, 2, 3),
)


def test_tsh_file_is_as_tsh_writes_it():
    """Name, rating, opponents; scores; then `p12` and the fields that tsh keeps without knowing them."""
    assert FORMATS["t"].write(SHEET).replace("\u00a0", "~") == (
        "Doe, Jane                      0 2 0; 412 50; p12 2 1; board 1 1; turnpoints 412 0; turns 14 0; "
        "forfeits 0 3;\n"
        "Ben~2nd                        0 1 0; 388 0; p12 1 0; board 1 0; turnpoints 380 0; turns 13 0; byes 0 1;\n"
        "Cy                             0 0 0; 0 -50; p12 0 2; board 0 1; byes 1 0; forfeits 0 1; off 0;\n"
    )


def test_tou_file_is_as_aupair_writes_it():
    """A header with the date, a section, a padded 0, then score and opponent of each round, `+` for those who began."""
    assert FORMATS["tou"].write(SHEET).replace("\u00a0", "~") == (
        "*M21.11.2026 Autumn Open\n"
        "*A\n"
        "                                       0\n"
        "Doe, Jane                       2412    2   2350    1\n"
        "Ben~2nd                          388   +1   1300    2\n"
        "Cy                              1300    3    250    3\n"
        "*** END OF FILE ***\n"
    )


def test_trf_text_stands_in_the_columns_of_fide():
    """Number 5-8, name 15-47, points 81-84, rank 86-89, then opponent, colour and result of a round in ten columns."""
    lines = FORMATS["trf"].write(SHEET).splitlines()
    jane = next(line for line in lines if line.startswith("001    1"))
    assert (jane[14:47].rstrip(), jane[80:84], jane[85:89]) == ("Doe, Jane", " 2.0", "   1")
    assert (jane[91:99], jane[101:109]) == ("0002 b 1", "0003 w +")
    assert lines[:5] == ["012 Autumn Open", "042 2026/11/21", "062 3", "XXR 2", "XXS PAB=0.0"]
    assert lines[-1] == "ORD game 2 1 1 1 3 forfeit second"


@settings(max_examples=15)
@given(sheets(has_clubs=True))
def test_json_is_read_back(sheet):
    """JSON holds all of a sheet."""
    assert FORMATS["json"].read(FORMATS["json"].write(sheet))._replace(lines=()) == sheet


@settings(max_examples=20)
@given(sheets())
def test_tsh_file_is_read_back(sheet):
    """A `.t` file holds players, games with turns, forfeits and byes, but neither name nor date of the event."""
    read = FORMATS["t"].read(FORMATS["t"].write(sheet))._replace(lines=())
    if not sheet.games and not sheet.byes:
        assert read.players == sheet.players
        return
    assert by_place(read) == by_place(sheet._replace(name="", date="", rounds=read.rounds))


@settings(max_examples=20)
@given(sheets())
def test_trf_text_is_read_back(sheet):
    """A TRF-like text holds all but clubs."""
    assert FORMATS["trf"].read(FORMATS["trf"].write(sheet))._replace(lines=()) == sheet


@settings(max_examples=20)
@example(Sheet("X", (SheetPlayer("A"), SheetPlayer("B")), (SheetGame(1, 1, 1, 1, 2, (SheetSide(-3), SheetSide(-3))),)))
@example(Sheet("X", tuple([SheetPlayer(name) for name in ("*", "'*", "''*A", "'", "''", "'A*")]), ()))
@given(sheets(has_turns=False, has_forfeits=False))
def test_tou_file_is_read_back(sheet):
    """A `.tou` file holds names, scores, who began and byes; it numbers tables anew."""
    read = FORMATS["tou"].read(FORMATS["tou"].write(sheet))
    assert [player.name for player in read.players] == [player.name for player in sheet.players]
    assert (read.name, read.date) == (sheet.name, sheet.date)
    played = {game._replace(table=0) for game in sheet.games}
    assert {game._replace(table=0) for game in read.games} == played
    assert {*read.byes} >= {*sheet.byes}


@settings(max_examples=15)
@given(sheets(has_clubs=True))
def test_csv_is_read_back(sheet):
    """Games as CSV hold those who had a game or a bye."""
    read = read_csv(FORMATS["csv"].write(sheet))
    names = [player.name for player in sheet.players]
    back = [player.name for player in read.players]

    def named(each, names):
        return {(game[:3], names[game.first - 1], names[game.second - 1], game[5:]) for game in each.games}

    assert named(read, back) == named(sheet, names)


@each_row("name", FORMATS)
def test_lines_of_players_are_known(name):
    """A reader knows on which line of the file each player stands, for faults that are found later."""
    text = FORMATS[name].write(SHEET)
    sheet = FORMATS[name].read(text)
    lines = text.replace("\u00a0", " ").splitlines()
    assert [player.name in lines[line - 1] for player, line in zip(sheet.players, sheet.lines, strict=True)] == [
        True
    ] * 3


def test_the_lines_of_players_are_those_of_the_list():
    """A value that is spelt like the name of the list is not taken for it, and the fault names the player's line."""
    text = '{"x": "players", "y": "[",\n"name": "n", "players": [\n{"name": "a"},\n{"name": "a"}]}'
    with pytest.raises(BadSheet, match=r'line 4.*"a" is there already'):
        read_json(text)
    assert read_json(text.replace('\n{"name": "a"},', "")).lines == (3,)


def test_a_list_that_is_there_twice_is_refused():
    """Of two lists of players in one file a reader would take either, so that the file is refused."""
    with pytest.raises(BadSheet, match='"players" is there twice'):
        read_json('{"name": "n", "players": [{"name": "a"}], "players": [{"name": "b"}, {"name": "c"}]}')


def test_an_event_has_the_date_of_its_first_round():
    """An event has the day of its first round as its date, and before that the day on which it was made."""
    made = RecordedFact(1, 1_795_262_400, "ann", "a", Created(name="Open", rules="classic", rounds=1, seed=1))
    played = RecordedFact(2, made.at + 3 * 86_400, "ann", "b", Published(round=1, pairings=()))
    assert (first_day([made]), first_day([made, played])) == ("2026-11-21", "2026-11-24")


def test_formulas_are_written_as_text():
    """A cell that a spreadsheet would compute is marked as text, and read as it was."""
    assert write_csv([["=1+2", "-x", "plain", 7]]) == "'=1+2,'-x,plain,7\n"
    assert read_csv("name\n'=1+2\n").players == (SheetPlayer("=1+2"),)
    # A program that parts cells by semicolons sees a formula within a name, too.
    assert write_csv([["a;=1+1", "\uff1d1+1", "a;b"]]) == "a;'=1+1,'\uff1d1+1,a;b\n"
    assert read_csv("name,club\na;'=1+1,'\uff1d1\n").players == (SheetPlayer("a;=1+1", "\uff1d1"),)


@each_row(
    ("text", "names"),
    [
        ("Ann\nDoe, Jane\n\n Ben \n", ["Ann", "Doe, Jane", "Ben"]),
        ("\ufeffName;Club\nAnn;North\nBen;\n", ["Ann", "Ben"]),
        ('club,name\nNorth,"Doe, Jane"\n,Ben\n', ["Doe, Jane", "Ben"]),
        ("name\tminor\nAnn\tyes\n", ["Ann"]),
    ],
)
def test_lists_of_entrants_are_read(text, names):
    """A list of names needs no header; with one, the columns may stand in any order, by comma, semicolon or tab."""
    assert [player.name for player in read_csv(text).players] == names


def test_file_of_another_director_is_read():
    """A `.t` file as tsh writes it, with fields that are none of ours, a bye of 50 points and a player who has left."""
    sheet = FORMATS["t"].read(
        "Richards, Nigel        2180 2 3 0; 452 401 50; board 1 2 0; p12 1 2 0; newr 2184 2185 2185; team NZ\n"
        "O'Brien-Smith, Ann     1534+12 1 0 3; 398 50 377; p12 2 0 1; rtime 1171;\n"
        "\n"
        "Young, Cy              0 0 1 2; 0 405 420; off 0\n"
    )
    assert [(player.name, player.is_withdrawn) for player in sheet.players] == [
        ("Richards, Nigel", False),
        ("O'Brien-Smith, Ann", False),
        ("Young, Cy", True),
    ]
    assert [(game.round, game.first, game.second, game.half_points()) for game in sheet.games] == [
        (1, 1, 2, (2, 0)),
        (2, 3, 1, (2, 0)),
        (3, 2, 3, (0, 2)),
    ]
    assert sheet.byes == (Bye(2, 2), Bye(3, 1))


def test_tou_file_of_aupair_is_read():
    """Spaces are as wide as AUPAIR likes, notes before the players are passed over, 1000 marks a tie."""
    sheet = FORMATS["tou"].read(
        "*M08.03.2020 Masters\r\n*A\r\n                                       0\r\n"
        "High Word 212\r\n"
        "Mark Nyman           2488   2  1345  +3 \r\n"
        "Ann Other             458  +1  1300   2 \r\n"
        "Cy Young             1300   3  1345   1 \r\n"
        "*** END OF FILE ***\r\n"
    )
    assert sheet.date == "2020-03-08"
    assert [game[3:6] for game in sheet.games] == [
        (2, 1, (SheetSide(458), SheetSide(488))),
        (1, 3, (SheetSide(345), SheetSide(345))),
    ]
    assert sheet.byes == (Bye(1, 3), Bye(2, 2))


@each_row(
    ("name", "text", "problem"),
    [
        ("t", "A 0 2; 4\nB 0 3; 3\nC 0 2; 1", "line 1: opponent 2 in column 1, who has opponent 3 there (line 2)"),
        ("t", "Ann 0 7; 400\n", "line 1: opponent 7 in column 1 is not among the 1 players"),
        ("t", "Ann 0 1; 400\n", "line 1: opponent 1 in column 1 is the player"),
        ("t", "Ann 0\n\nBen\n", 'line 3: expected "NAME RATING OPPONENTS; SCORES; ...", found "Ben"'),
        ("t", "Ann 0 2; 4x0\nBen 0 1; 390\n", 'line 1: scores should be whole numbers, found "4x0"'),
        ("t", "Ann 0 2; 400 3\nBen 0 1; 390\n", "line 1: 2 scores for 1 opponents"),
        ("t", "Ann 0 2; 1; p12 1\nBen 0 1; 2; p12 1\n", "line 1: in column 1 both players have p12 1 (line 2)"),
        ("t", "Ann 0\nAnn 0\n", 'line 2: "Ann" stands in line 1 already'),
        ("tou", "Ann 400 2\n", 'line 1: expected "*M21.11.2026 NAME", found "Ann 400 2"'),
        ("tou", "*M01.01.2026 X\n*A\nAnn 2400 2\n", "line 3: opponent 2 in round 1 is not among 1 players"),
        ("tou", "*M01.01.2026 X\n*A\nA 2400 2\nB 2390 1\n", "line 3: round 1 does not agree with line 4: scores 2400"),
        ("tou", "*M01.01.2026 X\n*A\nA 1300 1\n*B\n", "line 4: a second section"),
        ("tou", "", 'line 1: expected "*M21.11.2026 NAME", found nothing'),
        ("trf", "001    2 " + " " * 5 + "Ann", "line 1: expected player 1, found 2"),
        ("trf", "XXR x\n", 'line 1: expected whole numbers, found "x"'),
        ("trf", "ORD game 1 1 1 1 2 400 300\n", "line 1: players 1 and 2 are not two of the 0 players"),
        ("trf", "ORD bye 1\n", "line 1: expected 2 numbers, found 1"),
        ("csv", "name,club\nAnn,North,East\n", "line 2: 3 cells under 2 columns"),
        ("csv", "name,minor\nAnn,maybe\n", 'line 2: minor is "yes" or empty, found "maybe"'),
        ("csv", "name\nAnn\n\nAnn\n", 'line 4: "Ann" stands in line 2 already'),
        ("csv", "name,club\n,North\n", "line 2: a player without a name"),
        ("csv", "", "line 1: expected names of players, found nothing"),
        ("csv", "round,first,second\n1,Ann,\n", "line 2: expected the names of two players"),
        ("csv", "round,first,second\n1,Ann,Ben\n", "line 2: expected the scores of both players"),
        ("csv", "round,first,second,outcome\n1,A,B,lost\n", 'line 2: the outcome "lost" is not known'),
        ("csv", "round,first,second\nx,A,B\n", 'line 2: round should be a whole number, found "x"'),
        (
            "trf",
            "001    1      A\n001    2      B\nORD game 0 1 1 1 2 unplayed",
            "line 3: expected a round from 1 to 320",
        ),
        ("trf", "001    1      A\nORD bye 999999999 1", "line 2: expected a round from 1 to 320, found 999999999"),
        ("trf", "001    1      A\nORD bye 1 2", "line 2: 2 is not among the 1 players"),
        ("trf", "001    1      A\n001    2      B\nORD game 1 1 2 1 2 unplayed", "line 3: game 2 of 1 a round"),
        (
            "csv",
            "round,first,second,outcome\n1,A,B,unplayed\n1,A,C,unplayed",
            'line 3: "A" is there already in round 1',
        ),
        ("csv", "round,first,second,outcome\n1,A,B,unplayed\n1,A,,bye", 'line 3: "A" is there already in round 1'),
        ("csv", '"' * 300_000, "line 1: the line has 300,000 characters, and 16,384 are the most"),
        ("json", "[" * 100_000, "line 1: not an event: lists within lists"),
        ("json", "1" * 5_000, "line 1: not an event"),
        ("json", '{"format":\n "ordws-tournament",,}', "line 2: not JSON: "),
        ("json", "[]", "line 1: Expected `object`, got `array`"),
    ],
)
def test_bad_file_names_its_line(name, text, problem):
    """A file that cannot be read is refused with the number of the line and what is wrong there."""
    with pytest.raises(BadSheet) as refused:
        FORMATS[name].read(text, file="autumn.x")
    assert str(refused.value).startswith(f"autumn.x, {problem}")


@given(st.sampled_from(sorted(FORMATS)), st.data())
def test_damaged_file_is_refused_or_read(name, data):
    """Whatever happens to a file, its reader returns a sheet that can be charted, or names a line that there is."""
    text = FORMATS[name].write(SHEET)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 6)))
        text = text[:start] + data.draw(st.text('0123456789 ;,-+*"\n\t{}[]:ax\u00a0\x00', max_size=4)) + text[end:]
    try:
        line, sheet = 1, FORMATS[name].read(text)
    except BadSheet as refused:
        line, sheet = refused.line, SHEET
    assert 1 <= line <= text.count("\n") + 2
    assert len(wall_chart(sheet)) == len(sheet.players)


@each_row(
    ("old", "new", "problem"),
    [
        ('"first": "Ben 2nd"', '"first": "Bob"', '"Bob" is not among the players'),
        ('"table": 1', '"table": "one"', "Expected `int`, got `str`"),
        ("[412, 412, 14]", "[412, 412]", "a side is [score] or [score, points, turns]"),
        ('"name": "Cy", "withdrawn"', '"name": "Doe, Jane", "withdrawn"', '"Doe, Jane" is there already'),
        ('"outcome": "forfeit second"', '"outcome": "forfeit"', 'the outcome "forfeit" is not known'),
    ],
)
def test_bad_json_names_the_line_of_its_element(old, new, problem):
    """In JSON of the right syntax, the line is that on which the player or the game begins."""
    lines = FORMATS["json"].write(SHEET).splitlines()
    at = next(number for number, line in enumerate(lines, 1) if old in line)
    with pytest.raises(BadSheet) as refused:
        FORMATS["json"].read("\n".join(lines).replace(old, new, 1))
    assert str(refused.value).startswith(f"the file, line {at}: {problem}")


def test_scores_beyond_a_tou_file_are_refused():
    """A lost score of 1,000 would be read as a tie: the file is refused, with a format that holds it."""
    beyond = SHEET.games[0]._replace(sides=(SheetSide(1000), SheetSide(1012)))
    with pytest.raises(BadInput, match='"Doe, Jane" has 1012 in round 1'):
        FORMATS["tou"].write(SHEET._replace(games=(beyond,)))


def test_format_follows_the_extension():
    """The extension names the format in either case; a list of names may be a text file."""
    assert [format_of(name) for name in ("a.T", "b.TOU", "c.txt", "d.trfx", "e.json")] == [
        "t",
        "tou",
        "csv",
        "trf",
        "json",
    ]
    with pytest.raises(BadInput, match=r'"f\.doc" has the extension of no format'):
        format_of("f.doc")


def test_older_files_are_read():
    """A file that is not UTF-8 is read as Windows-1252, in which older programs write."""
    assert read_text("José".encode("cp1252")) == read_text("\ufeffJosé".encode()) == "José"
