"""Tests of `ordws guard bench`, at a small size."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from click.testing import CliRunner

from ordws.cli.guard_bench import command
from ordws.errors import BadInput
from ordws.mining.attack_task import lexicon_and_truth
from ordws.mining.installation import open_installation

TINY = [
    "--quick",
    "--size",
    "1500",
    "--identities",
    "1",
    "--sybils",
    "10",
    "--proxies",
    "10",
    "--days",
    "3",
    "--honest",
    "home",
    "--homes",
    "1",
    "--attack",
    "sweep",
    "--attack",
    "hidden",
    "--attack",
    "in-game",
    "--attack",
    "grouped-families",
    "--attack",
    "sybils",
    "--attack",
    "median-throttled",
    "--attack",
    "pseudonyms",
]


@pytest.fixture(scope="module")
def result():
    """The result of one run of everything, as small as possible."""
    result = CliRunner().invoke(command, [*TINY, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result


def test_json_is_a_list_of_rows(result):
    """Each row of the JSON has its policy, its attack and the results; only ORDWS has a bound, which holds."""
    rows = json.loads(result.stdout)
    assert {row["policy"] for row in rows} == {
        "none",
        "Flask-Limiter 60/minute",
        "Flask-Limiter 50/hour + 200/day",
        "quota 2500/day",
        "ORDWS",
    }
    for row in rows:
        assert isinstance(row["attack"], str)
        assert row["identities"] >= 1
        assert (row["bound"] is None) == (row["policy"] != "ORDWS")
        if row["policy"] == "ORDWS":
            assert row["learned_per_day"] <= row["bound"], row
        if row["attack"] in ("sybils", "median", "median-throttled"):
            assert row["honest_refused"] is None
        else:
            assert 0 <= row["honest_refused"] <= 1


def test_every_attack_learns_something(result):
    """Every attack learns something."""
    attacks = [row for row in json.loads(result.stdout) if row["attack"] != "honest"]
    assert {row["attack"] for row in attacks} == {
        "sweep",
        "hidden",
        "in-game",
        "grouped-families",
        "sybils",
        "median-throttled",
        "pseudonyms",
    }
    assert [row for row in attacks if row["learned_per_day"] < 9] == []


def test_progress_is_written_to_standard_error(result):
    """Standard error has a line for each task that is done."""
    lines = result.stderr.splitlines()
    assert lines[-1].startswith(f"{len(lines)}/{len(lines)} ")


def test_an_unknown_attack_is_named():
    """An unknown attack is named in the error."""
    with pytest.raises(BadInput, match='there is no attack "siege"'):
        CliRunner().invoke(command, [*TINY, "--attack", "siege"], catch_exceptions=False)


def test_an_installation_leaves_nothing_behind():
    """The folder of an installation is deleted when it is closed, also after an error."""
    lexicon, words = lexicon_and_truth(1, 1_500)
    with suppress(ZeroDivisionError), open_installation(lexicon, words, None, 0) as installation:
        root = installation.instance.root
        assert root.is_dir()
        raise ZeroDivisionError
    assert not root.parent.exists()
