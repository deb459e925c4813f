"""Tests that headers and rows are decoded as they were encoded."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import get_args

import pytest
from each_row import each_row
from hypothesis import given, settings
from hypothesis import strategies as st

from ordws.errors import Broken
from ordws.movegen.graph import Graph
from ordws.referee.codec import (
    read_event,
    read_header,
    read_row,
    read_rules,
    write_event,
    write_header,
    write_row,
    write_rules,
)
from ordws.referee.moments import Moment
from ordws.referee.sealed_game import (
    NOT_TURNS,
    EventOver,
    GameHeader,
    GameRow,
    Promise,
    RematchOpened,
    SeatHolder,
    Seating,
    SubmissionOutcome,
    SubmissionText,
    new_game,
)
from ordws.rules.board import Axis
from ordws.rules.event import Event, Played, ScoreEntryKind
from ordws.rules.move import Play
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from tests.mining.simulation import play_out

TEXT = st.text("ABCZ?", max_size=8)
PLAYS = st.builds(
    Play, st.integers(0, 20), st.integers(0, 20), st.sampled_from([*Axis]), st.sampled_from([b"CAT", b"c.T", b"Q"])
)
FIELDS = {
    "int": st.integers(-99, 99),
    "str": TEXT,
    "bool": st.booleans(),
    "Play": PLAYS,
    "Play | None": PLAYS | st.none(),
    "tuple[str, ...]": st.lists(TEXT, max_size=3).map(tuple),
    "ScoreEntryKind": st.sampled_from([*ScoreEntryKind]),
}
EVENTS = st.one_of(
    [st.builds(kind, **{field.name: FIELDS[field.type] for field in fields(kind)}) for kind in get_args(Event)]
)
SUBMISSION_TEXTS = st.builds(
    SubmissionText,
    st.lists(st.sampled_from(["=H8", "=A1"]), max_size=2).map(tuple),
    st.text(max_size=9),
    st.lists(TEXT, max_size=2).map(tuple),
)
MOMENTS = st.builds(Moment, st.integers(0, 2**50), st.integers(0, 2**50), st.sampled_from(["", "519ca177-4a56"]))
TURNS = st.builds(
    GameRow,
    st.integers(0, 3),
    st.none() | SUBMISSION_TEXTS,
    MOMENTS,
    st.sampled_from([outcome for outcome in SubmissionOutcome if outcome not in NOT_TURNS]),
    st.lists(EVENTS, max_size=4).map(tuple),
    note=st.none(),
    credit=st.integers(0, 250),
    grace=st.integers(0, 500),
)
NOTES = {
    SubmissionOutcome.SEATED: st.builds(Seating, st.integers(1, 99), st.integers(1, 99), st.none() | st.text()),
    SubmissionOutcome.SWORN: st.builds(Promise, st.integers(1, 9), st.text("0123456789abcdef")),
    SubmissionOutcome.ATTESTED: st.builds(Promise, st.integers(1, 9), st.text("0123456789abcdef")),
    SubmissionOutcome.REMATCH: st.builds(RematchOpened, st.text("0123456789abcdef")),
    SubmissionOutcome.EVENT_OVER: st.builds(EventOver),
}
ROWS = TURNS | st.sampled_from([*NOTES]).flatmap(
    lambda outcome: st.builds(
        GameRow, st.integers(0, 3), st.none(), MOMENTS, st.just(outcome), st.just(()), NOTES[outcome]
    )
)
CHANGES = [
    {},
    {"scoop": 60, "challenge": "void"},
    {"big_play": "5:10,7:50", "stretch": "none"},
    {"premium": "add"},
    {"clock_seconds": 0, "clock": "none"},
    {"layout": "standard"},
    {"small_word_cap": True, "most_players": 3},
]


@given(EVENTS)
def test_every_event_reads_back_the_same(event):
    """An event of any kind with any fields is the same after encoding and decoding."""
    assert read_event(write_event(event)) == event


@given(ROWS)
def test_every_row_reads_back_the_same(row):
    """A row is the same after encoding and decoding, with any submitted text and without one."""
    read = read_row(write_row(row))
    assert read == row
    assert [type(event) for event in read.events] == [type(event) for event in row.events]
    assert type(read.note) is type(row.note)


def test_a_play_reads_back_as_a_play():
    """A decoded play has its own types, not only equal tuples."""
    (play,) = [
        field
        for field in vars(read_event(write_event(Played(1, Play(7, 3, Axis.DOWN, b"c.T"))))).values()
        if isinstance(field, tuple)
    ]
    assert type(play) is Play
    assert type(play.axis) is Axis


@each_row("rules_id", RULE_SETS)
@each_row("changes", CHANGES)
def test_rules_read_back_the_same(rules_id, changes):
    """A rule set with changed options is the same after encoding and decoding."""
    rules = with_options(RULE_SETS[rules_id], changes)
    assert read_rules(write_rules(rules)) == rules


@pytest.mark.parametrize("board", [15, 21])
def test_a_board_with_and_without_wings_reads_back_the_same(board):
    """The size of the board is kept as an option."""
    rules = with_options(RULE_SETS["scrabble-i"], {"board": board})
    assert read_rules(write_rules(rules)) == rules


@settings(max_examples=10)
@given(st.sampled_from(sorted(RULE_SETS)), st.integers(0, 99), st.text(max_size=5), st.booleans())
def test_a_header_reads_back_the_same(rules_id, seed, name, needs_promises):
    """The deal, the seats, the edition and the need of promises are the same after encoding and decoding."""
    dealt = new_game(RULE_SETS[rules_id], 2, Random(seed))
    seats = (SeatHolder("17", None, name), SeatHolder("18", name, None))
    header = GameHeader("ab" * 16, 3, "ORDWS 2026", Moment(5_250, 7, "e1f3"), 86_405, seats, dealt, needs_promises)
    assert read_header("ab" * 16, write_header(header)) == header


def test_a_whole_game_reads_back_the_same():
    """All events of a game played to its end are the same after encoding and decoding."""
    words = ["ATE", "EAT", "NET", "NOTE", "ONE", "TEA", "TEN", "TIN", "TON", "TONE"]
    game = play_out(RULE_SETS["scrabble-i"], Graph.from_words(words), 3, Random(4))
    assert tuple([read_event(write_event(event)) for event in game.events]) == game.events


def test_bytes_that_are_no_row_are_an_error():
    """Bytes that are not JSON, or of another version, raise Broken."""
    with pytest.raises(Broken, match="a row of a sealed game cannot be read"):
        read_row(b"{")
    with pytest.raises(Broken, match="a row of a sealed game is of another version"):
        read_row(b'["v1",0,null,[1,0,""],"pass",[],null,0,0]')
