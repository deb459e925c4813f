"""Imports: the time for a file grows with its size, whatever is in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ordws.curation.text_formats import read_ballots
from ordws.desk.line import parse_line
from ordws.errors import BadInput
from ordws.records.cgp import read_cgp
from ordws.records.gcg import read_gcg
from ordws.tournament.exchange.formats import FORMATS
from ordws.tournament.state import TournamentState

BYTES = 24_000
MOST_MICROSECONDS_A_BYTE = 40
"""Twenty times what a linear reader takes here, a tenth of what a quadratic one takes for a file of this size."""

IMPORTS: dict[str, Callable[[str], object]] = {
    **{name: each.read for name, each in FORMATS.items()},
    "gcg": lambda text: read_gcg(text.encode()),
    "cgp": read_cgp,
    "ballots in CSV": lambda text: read_ballots("file", text.encode(), "csv"),
    "ballots in NDJSON": lambda text: read_ballots("file", text.encode(), "ndjson"),
    "line of the desk": lambda text: parse_line(TournamentState(), text),
}
HEADS = {
    "tou": "*M21.11.2026 Open\n*A\n  0\n",
    "csv": "round,first,second\n",
    "ballots in CSV": "id,curator,family,vote,forms,reason\n",
}
PIECES = st.sampled_from(
    [
        *"a1 \t;,:/.+-*#>\"'[](){}\n",
        " 1",
        " 1 +1",
        "a 1\n",
        "a 1 2;3\n",
        "1:1/1 ",
        "001 ",
        "ORD ",
        '{"',
        "#note ",
        ">a: ",
    ]
)


@pytest.mark.parametrize("kind", IMPORTS)
@example(start="a", repeated=[" 1"], middle=" X", more=[])
@example(start="a", repeated=[" 1"], middle="\n", more=["b 0\n"])
@example(start="", repeated=[" "], middle="x", more=[])
@example(start="a", repeated=["\n"], middle="", more=["a\n"])
@given(
    start=st.lists(PIECES, max_size=3).map("".join),
    repeated=st.lists(PIECES, min_size=1, max_size=4),
    middle=st.lists(PIECES, max_size=3).map("".join),
    more=st.lists(PIECES, max_size=4),
)
def test_time_to_read_a_file_grows_with_its_size(kind, start, repeated, middle, more):
    """A file of one part repeated, and of another after it, is read or refused in so much time a byte."""
    parts = ["".join(each) * (BYTES // 2 // len("".join(each))) for each in (repeated, more) if each]
    text = HEADS.get(kind, "") + middle.join([start + parts[0], *parts[1:], ""])
    begun = time.process_time()
    with suppress(BadInput):
        IMPORTS[kind](text)
    taken = 1e6 * (time.process_time() - begun) / len(text.encode())
    assert taken < MOST_MICROSECONDS_A_BYTE, f"{kind}: {taken:.0f} µs a byte"
