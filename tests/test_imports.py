"""The work of reading a file of another program grows with its size, whatever is in it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import thread_time
from typing import Any, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ordws.curation.text_formats import read_ballots
from ordws.desk.line import parse_line
from ordws.errors import BadSheet, OrdwsError
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from ordws.records.notation import read_cgp
from ordws.tournament.exchange.formats import FORMATS
from ordws.tournament.exchange.sheet import LONGEST_LINE
from ordws.tournament.state import TournamentState

READERS: Final[dict[str, Callable[[str], Any]]] = {
    **{name: each.read for name, each in FORMATS.items()},
    "gcg": lambda text: audit_record(read_gcg(text.encode())),
    "cgp": read_cgp,
    "ballots.csv": lambda text: read_ballots("file", text.encode(), "csv"),
    "line": lambda text: parse_line(TournamentState(), text),
    "ballots.ndjson": lambda text: read_ballots("file", text.encode(), "ndjson"),
}
HEADS: Final = (
    "",
    "a",
    "*M21.11.2026 Open\n*A\n0\na",
    "name\n",
    "round,table,game,first,second,outcome\n",
    "id,family,curator,vote,forms,reason,at\n",
    "ORD game ",
    '{"name": "x", "players": [',
    "#player1 A A\n#player2 B B\n>A: AB 8H AB +1 1\n",
    "#player1 A A\n#player2 B B\n>A: ",
    '"',
)
PIECES: Final = (
    *(
        " ",
        "\t",
        "1",
        " 1",
        " +1 1",
        "1.",
        "a",
        ";",
        "; p12 1",
        ",",
        '"',
        "[",
        "..",
        "/",
        "(",
        ")",
        "*",
        "\r",
        "\u2028",
    ),
    *("\n", "a\n", "a 0 1 0;1 0\n", "a 1300 1\n", "ORD bye 1 1\n", "001    1      a\n", '{"name": "a"},\n', "a,,,,\n"),
    *(">A: AB 8H AB +1 1\n", ">A: AB -- -1 0\n", ">A: AB (AB) +2 2\n", "#- x\n", "#note ordws swap =H8\n", "#note x\n"),
)
SMALL: Final = 2_000
TIMES: Final = 8
SLACK: Final = 3
"""How many times as long one file may take as eight of an eighth of it: with quadratic work it would be eight."""


@contextmanager
def no_collections() -> Iterator[None]:
    """Keep collections of garbage out of what is measured."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def work(read: Callable[[str], Any], text: str, times: int) -> float:
    """Return the processor time of reading a text so many times; a refusal is as good as a sheet."""
    began = thread_time()
    for _ in range(times):
        with suppress(OrdwsError):
            read(text)
    return thread_time() - began


def longest_piece(head: str, piece: str) -> int:
    """Return how many characters of a piece a file may have: in one line, no more than a line may have."""
    return TIMES * SMALL if "\n" in piece else LONGEST_LINE - len(head) - 16


@settings(max_examples=settings.default.max_examples // 3)
@given(
    st.sampled_from([*READERS]),
    st.sampled_from(HEADS),
    st.sampled_from(PIECES),
    st.sampled_from(["", " X", "\nX", " 8H AB +1 1\n"]),
)
@example("t", "a", " 1", " X")
@example("tou", HEADS[2], " 1", " X")
@example("gcg", "", "\r", "")
@example("gcg", HEADS[8], "#note ordws swap =H8\n", "")
@example("gcg", HEADS[9], "[", " 8H AB +1 1\n")
def test_a_file_takes_as_long_as_its_eighths(name, head, piece, tail):
    """A file of any repeated piece takes the work of eight files of an eighth of it: three times as much at most."""
    length = longest_piece(head, piece) // len(piece)
    big, small = (head + piece * count + tail for count in (length, length // TIMES))
    with no_collections():
        # The least of a few measurements: what else the machine does only adds to them.
        pairs = ((work(READERS[name], big, 1), work(READERS[name], small, TIMES)) for _ in range(6))
        assert any(of_big <= SLACK * of_small for of_big, of_small in pairs)


def test_a_line_without_end_is_refused_with_its_number():
    """A line longer than any program writes is refused before it is taken apart, in every format with lines."""
    first_lines = {"csv": "name", "t": "a 0", "tou": "*M21.11.2026 Open", "trf": "012 Open"}
    for name, first_line in first_lines.items():
        with pytest.raises(BadSheet, match="line 2: the line has 30,003 characters, and 16,384 are the most"):
            FORMATS[name].read(f"{first_line}\na{' 1' * 15_000} X")
