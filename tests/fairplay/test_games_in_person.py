"""Records of games in person, as far as honest forms are refitted on them (docs/fairplay.md 7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from sealed_game import install_edition

from ordws.cli import fairplay_commands
from ordws.errors import BadInput
from ordws.fairplay.calibration import choices_in_person, turns_in_person
from ordws.fairplay.forms import DEFAULT_FORMS
from ordws.fairplay.turns import RarityLists, TurnReader
from ordws.movegen.graph import Graph
from ordws.records.gcg import read_gcg
from ordws.rules.judge import judge
from ordws.rules.move import Legal

RECORDS = sorted((Path(__file__).parent.parent / "vectors" / "gcg").glob("*.gcg"))


def read(path):
    return read_gcg(path.read_bytes())


def test_every_turn_of_every_record_is_a_play_that_fits():
    """The positions must be those before the plays, so that the rules find each of them legal with its rack."""
    turns = [turn for path in RECORDS for turn in turns_in_person(read(path))]
    assert len(turns) > 100
    for _, taken in turns:
        assert isinstance(judge(taken.rules, taken.board, taken.play, taken.rack), Legal)


def test_swaps_are_on_the_board_before_the_choice():
    """Behind a swap the board has the letter in place of its blank."""
    boards = [turn.taken.board for turn in turns_in_person(read(Path(RECORDS[0]).with_name("swap.gcg")))]
    letters = ["".join(board.rows()) for board in boards]
    assert "VIOL" in letters[-1]


def test_the_choice_is_found_among_all_plays():
    """The play that was made must be ranked by its score among the plays of its rack."""
    path = next(path for path in RECORDS if len(list(turns_in_person(read(path)))) > 3)
    record = read(path)
    rulings = [judge(taken.rules, taken.board, taken.play) for _, taken in turns_in_person(record)]
    words = {word for ruling in rulings for word in ruling.words}
    reader = TurnReader(DEFAULT_FORMS, Graph.from_words(words), RarityLists(frozenset(), frozenset()))
    choices = choices_in_person(record, lambda rules: reader)
    scores = {ruling.score for ruling in rulings}
    assert choices
    assert {int(choice.plays.scores[choice.made]) for choice in choices} <= scores
    assert all(choice.player for choice in choices)


def test_too_few_records_calibrate_nothing(installation):
    """A single record must be refused with what is wanted, and leave the forms as they are."""
    install_edition(installation, ["CAT"], number=2)
    folder = ["--instance", str(installation.instance.root)]
    done = CliRunner().invoke(fairplay_commands.calibrate_command, [str(RECORDS[0]), *folder])
    assert isinstance(done.exception, BadInput)
    assert "too few to calibrate on" in str(done.exception)
    assert not installation.instance.fairplay_forms.exists()


@pytest.mark.parametrize("name", ["none.gcg"])
def test_a_file_that_is_no_record_is_named(installation, tmp_path, name):
    """An unreadable record must be named in the error."""
    (tmp_path / name).write_bytes(b"\xff\xfe\x00")
    install_edition(installation, ["CAT"], number=2)
    done = CliRunner().invoke(
        fairplay_commands.calibrate_command, [str(tmp_path / name), "--instance", str(installation.instance.root)]
    )
    assert isinstance(done.exception, BadInput)
