"""A board as SVG: its shapes, and its words for readers who do not see it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snapshot_cases import ENDED, EVENTFUL, PLAYED, UNREPENTANT

from ordws.pictures.svg import draw_board
from ordws.rules.board import board_from_rows, empty_board
from ordws.rules.layout import STANDARD, STANDARD_ROWS, WITH_WINGS, Layout

NAMESPACE = "{http://www.w3.org/2000/svg}"

texts = st.text(st.characters(exclude_categories=()), max_size=60)
"""Any text, with control characters and lone surrogates."""


def read(drawn):
    """Return the root element of a picture, read by a strict XML parser."""
    return ElementTree.fromstring(drawn.encode())


def all_of(root, kind):
    return root.findall(f".//{NAMESPACE}{kind}")


def written(root):
    """Return all visible texts."""
    return ["".join(text.itertext()) for text in all_of(root, "text")]


def titles_by_square(root):
    """Return the title of each square by its name."""
    said = [title.text for title in all_of(root, "title")[1:]]
    return dict(line.split(": ", 1) for line in said)


@st.composite
def boards(draw):
    """Draw a board with any letters on any squares."""
    side = draw(st.sampled_from([15, 21]))
    rows = [["."] * side for _ in range(side)]
    squares = st.tuples(st.integers(0, side - 1), st.integers(0, side - 1))
    for (row, column), letter in draw(st.dictionaries(squares, st.sampled_from("AEQZaz"), max_size=60)).items():
        rows[row][column] = letter
    return board_from_rows(["".join(row) for row in rows])


def test_a_picture_has_a_name_and_a_description():
    """A picture is an image with a title and a description, whose ids occur once each."""
    root = read(draw_board(STANDARD, UNREPENTANT, **PLAYED))
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("role") == "img"
    title, words = root[0], root[1]
    assert (title.tag, title.text) == (f"{NAMESPACE}title", "9D UN(REPENT)aNT scores 103")
    assert words.tag == f"{NAMESPACE}desc"
    assert words.text == (
        "15 by 15 squares; 16 tiles. Across: 9D UNREPENTaNT. Down: F6 QuARTZ. Last play: D9, E9, L9, M9, N9."
        " Stretched: F9, G9, H9, I9, J9, K9. A lower case letter is a blank."
    )
    assert root.get("aria-labelledby").split() == [title.get("id"), words.get("id")]
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert ids == [title.get("id"), words.get("id")]


def test_every_tile_has_a_title():
    """A tile names its square, letter, points, and whether it was played last or stretched."""
    squares = titles_by_square(read(draw_board(STANDARD, UNREPENTANT, **PLAYED)))
    assert squares["F6"] == "Q, 10 points"
    assert squares["F7"] == "a blank for U, 0 points"
    assert squares["D9"] == "U, 1 point, last play"
    assert squares["L9"] == "a blank for A, 0 points, last play"
    assert squares["F9"] == "R, 1 point, stretched"


def test_every_premium_square_is_labelled():
    """A premium square has a label of letters, which a tile covers."""
    root = read(draw_board(STANDARD, empty_board(15), title=""))
    labels = [text for text in written(root) if re.fullmatch("[234][LW]", text)]
    counts = {label: labels.count(label) for label in labels}
    assert counts == {"3W": 8, "2W": 17, "3L": 12, "2L": 24}
    squares = titles_by_square(root)
    assert squares["A1"] == "triple word"
    assert squares["H8"] == "double word, start"
    assert len(squares) == 61
    covered = read(draw_board(STANDARD, empty_board(15).with_letters({(7, 7): "A"}), title=""))
    assert sum(text == "2W" for text in written(covered)) == 16


def test_quadruple_squares_are_labelled():
    """A custom layout may have quadruple squares, and a start without a premium."""
    layout = Layout.from_rows(["^.~", "...", "=.'"])
    root = read(draw_board(layout, empty_board(3), title=""))
    assert titles_by_square(root) == {
        "A1": "quadruple letter",
        "C1": "quadruple word",
        "B2": "empty, start",
        "A3": "triple word",
        "C3": "double letter",
    }
    assert {"4L", "4W"} < set(written(root))


def test_a_blank_is_circled_and_counts_nothing():
    """A blank shows its letter as a circled capital with the value 0."""
    root = read(draw_board(STANDARD, empty_board(15).with_letters({(7, 7): "q"}), title=""))
    assert len(all_of(root, "circle")) == 1
    seen = written(root)
    assert seen.count("Q") == 1
    assert "0" in seen
    assert "circled: a blank" in seen


def test_the_last_play_is_outlined_and_the_stretched_run_underlined():
    """The last play is outlined and the stretched run underlined, and a legend explains the marks."""
    root = read(draw_board(STANDARD, UNREPENTANT, **PLAYED))
    outlines = [(each.get("x"), each.get("y")) for each in all_of(root, "rect") if each.get("class") == "s-last"]
    assert outlines == [(f"{36 + 40 * column + 1.5}", f"{70 + 40 * 8 + 1.5}") for column in (3, 4, 11, 12, 13)]
    lines = [each.get("d") for each in all_of(root, "path") if each.get("class") == "s-stretched"]
    assert lines == [f"M{36 + 40 * column} {70 + 40 * 8 + 37}h40" for column in range(5, 11)]
    assert "outlined: last play, underlined: stretched, circled: a blank" in written(root)


def test_wings_have_a_ground_of_their_own():
    """The 216 squares of the wings have another background than the 225 of the inner board."""
    root = read(draw_board(WITH_WINGS, EVENTFUL, **ENDED))
    grounds = {each.get("class"): each.get("d") for each in all_of(root, "path")}
    assert grounds["g-wing"].count("M") == 216
    assert grounds["g-plain"].count("M") == 225
    plain = draw_board(STANDARD, UNREPENTANT, **PLAYED)
    assert 'class="g-wing" fill' not in plain


def test_rows_and_columns_are_labelled():
    """Columns are labelled A to O or A to U, rows 1 to 15 or 1 to 21, on both sides."""
    seen = written(read(draw_board(WITH_WINGS, empty_board(21), title="", players=[])))
    assert seen.count("U") == seen.count("21") == 2
    seen = written(read(draw_board(STANDARD, empty_board(15), title="")))
    assert seen.count("O") == seen.count("15") == 2
    assert "P" not in seen


def test_a_finished_game_names_the_winner():
    """The final scores stand under the board in the order given, and a word marks the winner."""
    root = read(draw_board(WITH_WINGS, EVENTFUL, **ENDED))
    assert written(root)[-9:] == [
        "Anna <the> \u201cgreat\u201d & Bo",
        "winner",
        "412",
        "Cy",
        "",
        "389",
        "D\u00f6rte",
        "",
        "-12",
    ]
    assert root[1].text.endswith(
        "Final scores: Anna <the> \u201cgreat\u201d & Bo 412 (winner), Cy 389, D\u00f6rte -12."
    )


def test_equal_scores_are_a_tie():
    """Equal highest scores are a tie."""
    players = [("A", 300), ("B", 300), ("C", 10)]
    root = read(draw_board(STANDARD, empty_board(15), title="", players=players))
    assert written(root)[-9:][1::3] == ["tie", "tie", ""]


def test_a_long_name_is_cut_in_the_picture_alone():
    """A long name is cut in the picture, wide characters counting twice, and whole in the description."""
    root = read(draw_board(STANDARD, empty_board(15), title="", players=[("n" * 90, 1), ("\u5c71" * 30, 0)]))
    seen = written(root)
    assert "n" * 39 + "\u2026" in seen
    assert "\u5c71" * 19 + "\u2026" in seen
    assert "n" * 90 in root[1].text


def test_board_and_layout_have_to_match():
    """A layout of another side raises ValueError."""
    with pytest.raises(ValueError, match="the layout has 21 squares a side, the board 15"):
        draw_board(WITH_WINGS, UNREPENTANT, title="")


@given(texts, texts)
def test_no_text_injects_markup(title, name):
    """No title or name adds an element or makes the picture malformed."""
    plain = read(draw_board(STANDARD, UNREPENTANT, title="", players=[("", 1)]))
    root = read(draw_board(STANDARD, UNREPENTANT, title=title, players=[(name, 1)]))
    assert [each.tag for each in root.iter()] == [each.tag for each in plain.iter()]
    assert drawn_by(root) == drawn_by(plain)


def drawn_by(root):
    """Return the attributes of all elements, without the ids."""
    return [
        {name: value for name, value in each.attrib.items() if name not in ("id", "aria-labelledby")}
        for each in root.iter()
    ]


def test_two_pictures_on_a_page_have_names_of_their_own():
    """Two pictures on a page have different ids, and the same picture always has the same ones."""
    first, other = (draw_board(STANDARD, UNREPENTANT, title=title) for title in ("one", "two"))
    assert read(first)[0].attrib["id"] != read(other)[0].attrib["id"]
    assert read(first).attrib["aria-labelledby"] == f"{read(first)[0].attrib['id']} {read(first)[1].attrib['id']}"
    assert first == draw_board(STANDARD, UNREPENTANT, title="one")


@given(boards())
def test_the_description_names_every_tile_of_the_board(board):
    """The description and the titles of the squares name every tile and no other."""
    layout = STANDARD if board.side == 15 else WITH_WINGS
    root = read(draw_board(layout, board, title=""))
    rows = [["."] * board.side for _ in range(board.side)]
    for head, listed in re.findall(r"(Across|Down|Alone): ([^.]*)\.", root[1].text):
        for start, word in (item.split() for item in listed.split(", ")):
            row, column = int(re.sub("[A-Z]", "", start)) - 1, ord(re.sub("[0-9]", "", start)) - ord("A")
            for i, letter in enumerate(word):
                rows[row + i * (head == "Down")][column + i * (head != "Down")] = letter
    assert ["".join(row) for row in rows] == board.rows()
    tiles = {square: said for square, said in titles_by_square(root).items() if "point" in said}
    assert len(tiles) == sum(letter != "." for row in rows for letter in row)


def test_colours_can_be_set_by_variables():
    """Every shape has a colour as an attribute and another from a variable, dark on dark screens only."""
    drawn = draw_board(Layout.from_rows([*STANDARD_ROWS]), UNREPENTANT, **PLAYED)
    style = read(drawn).find(f"{NAMESPACE}style").text
    assert "@media screen and (prefers-color-scheme:dark)" in style
    for name in ("paper", "plain", "wing", "2l", "3l", "4l", "2w", "3w", "4w", "tile", "on-tile", "last", "stretched"):
        assert style.count(f"--ordws-{name}:") == 2
        assert f"var(--ordws-{name})" in style
    painted = [each for each in read(drawn).iter() if (each.get("class") or "").startswith(("g-", "i-", "s-"))]
    assert painted
    assert all(re.match("#[0-9a-f]{6}$", each.get("fill") or "") or each.get("stroke") for each in painted)
