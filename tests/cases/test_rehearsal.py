"""`ordws cases rehearse`: the way of a practice case to its end, in an installation that is gone afterwards."""

from __future__ import annotations

import re
import tempfile
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from ordws.cli import ordws

SEED = "5"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder for temporary files, and an installation of its own that no rehearsal may touch."""
    temporary, real = tmp_path / "temporary", tmp_path / "real"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("ORDWS_INSTANCE", str(real))
    yield temporary
    assert not real.exists()


def rehearse(*lines):
    """Rehearse with these lines of the keeper, in which CASE stands for the case; return all that is printed."""
    # The case is the first of its year, which is the present one.
    case = f"{datetime.now(UTC).year}-1"
    text = "".join([line.replace("CASE", case) + "\n" for line in lines])
    arguments = ["cases", "rehearse", "--bind", "127.0.0.1:0", "--seed", SEED]
    done = CliRunner().invoke(ordws, arguments, input=text)
    assert done.exit_code == 0, done.output
    return done.output


def opinions(names, finding):
    return [f'opinion CASE {name} {finding} --text "{name} has looked."' for name in names]


def test_a_practice_case_goes_to_the_register_and_is_thrown_away(folder):
    """An empty line takes the step that is proposed; mistakes of the keeper are told, and end nothing."""
    told = rehearse(
        "",  # assign the first three
        "decide CASE established --text Early. --changed Nothing.",
        *opinions(("Rita", "Rob", "Rose"), "case-to-answer"),
        "serve",
        "",  # notice
        'answer CASE --text "I have read much."',
        "assign CASE Ruth",
        *opinions(("Rita", "Rob", "Rose"), "established"),  # one of these is not on the panel
        *opinions(("Ruth",), "established"),
        "",  # decide, with what follows
        "By choices.",
        "It explains little.",
        "",  # 31 days later
        "",  # publish
        "quit",
    )
    assert "opinions of reviewers are missing (0 of 3; Rita, Rob, Rose to come)" in told
    assert '"serve" is no step of a case' in told
    assert re.search(r'"(Rita|Rob|Rose)" is not on the panel', told)
    assert "Of 300,000 simulated honest players 0 were flagged" in told
    assert "the entry stands in the register" in told
    assert list(folder.iterdir()) == []


@pytest.mark.long
def test_every_seat_has_a_link_and_the_end_of_the_input_ends_the_rehearsal(folder):
    told = rehearse()
    assert len(re.findall(r"http://localhost:\d+/as/\S{16}", told)) == 8
    assert "nothing of it is kept" in told
    assert list(folder.iterdir()) == []
