"""`ordws board`: a drawing of a position."""

from __future__ import annotations

import stat
from xml.etree import ElementTree

import pytest
from each_row import each_row

from ordws.cli import run
from ordws.cli.board import command as board_command

ROWS_15 = "15/15/15/15/15/15/15/15/5HEAT6/15/15/15/15/15/15"
ROWS_21 = "/".join(["21"] * 10 + ["7q5EVENT3"] + ["21"] * 10)


@pytest.fixture
def call(monkeypatch, capsys, tmp_path):
    """Return a function that runs the command in an empty folder and gives status, output and errors."""
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["ordws board", *arguments])
        status = run(board_command, "ordws board")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def test_a_position_is_drawn_in_letters(call):
    """Output that is no terminal has no colours; racks and scores may follow the rows."""
    status, out, err = call("--position", f"{ROWS_15} AB?/ 12/30 0")
    assert (status, err) == (0, "")
    lines = out.split("\n")
    assert lines[:2] == ["Position", "   A B C D E F G H I J K L M N O"]
    assert lines[10] == " 9 . . ' . . H E A T . . . ' . .  9"
    assert "\x1b" not in out


def test_a_position_is_drawn_in_colours(call, monkeypatch):
    """Colours are used if FORCE_COLOR asks for them, unless NO_COLOR is set."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert "\x1b[1;38;2;27;23;18;48;2;253;241;205mH " in call("--position", ROWS_15)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert " 9 . . ' . . H E A T . . . ' . .  9" in call("--position", ROWS_15)[1]


def test_a_swap_comes_before_the_play(call):
    """A swap is read as in `ordws play`: afterwards the letter lies where the blank was."""
    on = "15/15/15/15/15/15/15/7FiSH4/15/15/15/15/15/15/15"
    lines = call("--position", on, "--move", "=I8 8L ING")[1].split("\n")
    assert lines[0] == "8L ING scores 55 (scrabble-o)"
    assert lines[9] == " 8 = . . ' . . . F_I_S_H_I*N*G*=  8"
    status, _, err = call("--position", on, "--move", "=H8 8L ING")
    assert (status, err) == (2, 'ordws: error: illegal play "=H8 8L ING": there is no blank on H8\n')


def test_a_symbolic_link_is_followed_and_stays(call, tmp_path):
    """A symbolic link stays a link, and a device is written to and stays a device."""
    (tmp_path / "link.svg").symlink_to(tmp_path / "target.svg")
    assert call("--position", ROWS_15, "--svg", "link.svg")[0] == 0
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "target.svg").read_text().startswith("<svg")
    assert call("--position", ROWS_15, "--svg", "/dev/null")[0] == 0
    assert stat.S_ISCHR((tmp_path / "/dev/null").stat().st_mode)
    status, _, err = call("--position", ROWS_15, "--svg", "")
    assert status == 2
    assert "is a folder" in err


def test_the_tiles_of_a_play_are_marked_and_scored(call):
    """The tiles of the play and the run that they stretch are marked, and the title gives the score."""
    status, out, _ = call("--position", ROWS_15, "--move", "9d re....")
    assert status == 0
    lines = out.split("\n")
    assert lines[0] == "9D re.... scores 27 (scrabble-o)"
    assert lines[10] == " 9 . . ' r*e*H_E_A_T_. . . ' . .  9"


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (("--rules", "classic"), "9D RE.... scores 9 (classic)"),
        (("--option", "stretch=2:90"), "9D RE.... scores 99 (scrabble-o)"),
    ],
)
def test_the_rules_score_the_play(call, arguments, title):
    """The play is scored by the named rule set with its options."""
    assert call("--position", ROWS_15, "--move", "9D RE....", *arguments)[1].split("\n")[0] == title


def test_a_board_of_21_rows_is_drawn_by_scrabble_i(call):
    """A position of 21 rows is drawn by scrabble-i, where a play may end in the wings."""
    status, out, _ = call("--position", ROWS_21, "--move", "11S FUL")
    assert status == 0
    assert out.startswith("11S FUL scores ")
    assert "\n11       = . . ' q . . - . . E_V_E_N_T_F*U*L* 11\n" in out


def test_an_svg_file_is_written(call, tmp_path):
    """An SVG file replaces an existing file as a whole, is readable by everybody, and nothing is printed."""
    file = tmp_path / "board.svg"
    file.write_text("old")
    assert call("--position", ROWS_15, "--move", "9D RE....", "--svg", "board.svg") == (0, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    root = ElementTree.parse(file).getroot()
    assert root[0].text == "9D RE.... scores 29 (scrabble-o)"
    assert "Stretched: F9, G9, H9, I9." in root[1].text
    assert call("--position", ROWS_15, "--move", "9D RE....", "--svg", "-") == (0, file.read_text("utf-8"), "")


@each_row(
    ("arguments", "error"),
    [
        (("--position", "15/15"), " rows, this has 2"),
        (
            ("--position", ROWS_15, "--rules", "scrabble-i"),
            "the position has 15 rows, the board of scrabble-i has 21",
        ),
        (
            ("--position", ROWS_21, "--option", "board=15"),
            "the position has 21 rows, the board of scrabble-i has 15",
        ),
        (("--position", ROWS_15, "--rules", "classical"), '"classical" is none of classic, '),
        (("--position", ROWS_15, "--option", "colour=red"), 'there is no option "colour", but '),
        (("--position", ROWS_15, "--move", "9E HAT"), 'illegal play "9E HAT": F9 is taken by "H"'),
        (("--position", ROWS_15, "--move", "1A HAT"), 'illegal play "1A HAT": the play touches no tile on the board'),
        (("--position", ROWS_15, "--move", "-AB"), '"-AB" is no play, and only a play can be outlined'),
        (("--position", ROWS_15, "--move", "HAT"), "a move is a play"),
        (("--position", ROWS_15, "--svg", "no/board.svg"), 'there is no folder "no" to write "board.svg" in'),
        (("--position", ROWS_15, "--svg", "."), "is a directory"),
        ((), "Missing option '--position'."),
    ],
)
def test_an_impossible_drawing_is_an_error(call, arguments, error, tmp_path):
    """An impossible drawing is an error of one sentence with status 2, and no file is left."""
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("ordws: error: ")
    assert error in err
    assert list(tmp_path.iterdir()) == []


def test_help_has_an_example_that_works(call):
    """The example in the help text can be typed."""
    status, out, _ = call("--help")
    assert status == 0
    assert f'ordws board --position {ROWS_15} --move "9D RE...."' in out
