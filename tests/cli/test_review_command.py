"""`ordws review`: the best plays from public words for each turn of a record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

RECORD = """#player1 ann Ann Lee
#player2 bob Bob Hill
>ann: ACTUUVV 8H TAU +6 6
>bob: EEINRST 9A ZZYZX +50 50
>bob: EEINRST -- -50 0
>ann: CIOUUVV -OUUVV +0 6
>bob: EEINRST K2 RETINES +68 68
"""


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """Write the public lists of an installation that has nothing else: no edition and no key."""
    public = tmp_path / "installation/public"
    public.mkdir(parents=True)
    words = "CAT\nTAU\nTAUS\nCUT\nRETINES\nENTIRES\n"
    (public / "core").write_text(words)
    (public / "reference").write_text(words)
    return public.parent


def test_a_turn_is_shown_with_the_best_plays_and_what_it_lost(command, installation: Path, tmp_path: Path) -> None:
    """A line has the turn, what it lost, and the best by public words; the first line says by what words it goes."""
    (tmp_path / "game.gcg").write_text(RECORD)
    status, out, err = command("review", "--instance", str(installation), "--rules", "classic", "game.gcg")
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[0] == (
        "game.gcg (classic): by words that everybody may know; a play of yours that is not among them may be better"
    )
    assert [line.split()[:5] for line in lines[2:4]] == [
        ["1", "ann", "ACTUUVV", "8H", "TAU"],
        ["2", "ann", "CIOUUVV", "-OUUVV", "0"],
    ]
    assert lines[-2].startswith("ann: ")
    assert lines[-2].endswith(" a turn")


def test_json_has_the_values_of_the_turns(command, installation: Path, tmp_path: Path) -> None:
    """With --json each turn is an object; the best comes first, and a turn that is the best has lost nothing."""
    (tmp_path / "game.gcg").write_text(RECORD)
    line = ["review", "--json", "--instance", str(installation), "--rules", "classic", "game.gcg"]
    turns = [json.loads(each) for each in command(*line)[1].splitlines()]
    assert [(each["player"], each["move"], each["score"]) for each in turns] == [
        ("ann", "8H TAU", 6),
        ("ann", "-OUUVV", 0),
        ("bob", "K2 RETINES", 68),
    ]
    for turn in turns:
        values = [each["value"] for each in turn["best"]]
        assert values == sorted(values, reverse=True)
        assert turn["lost"] == pytest.approx(max(values[0] - turn["value"], 0), abs=0.11)
    assert [command(*line)[1]] * 2 == [command(*line)[1]] * 2


def test_a_file_that_cannot_be_read_is_named(command, installation: Path, tmp_path: Path) -> None:
    """A file that cannot be read is told, with status 2, and the others are reviewed all the same."""
    (tmp_path / "game.gcg").write_text(RECORD)
    status, out, err = command("review", "--instance", str(installation), "gone.gcg", "game.gcg")
    assert status == 2
    assert '"gone.gcg" cannot be read' in err
    assert "game.gcg (classic)" in out
