"""Tests of `make guard-bench`, at a small size."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from click.testing import CliRunner

from ordws.errors import BadInput
from tests.mining.__main__ import command
from tests.mining.attack_task import lexicon_and_truth
from tests.mining.bench_rows import ORDWS, BenchRow
from tests.mining.installation import open_installation

pytestmark = pytest.mark.long

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
    "--attack",
    "core-club",
    "--attack",
    "core-crowd",
]


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """The result of one run of everything, as small as possible, under a policy of five words outside games."""
    settings = tmp_path_factory.mktemp("policy") / "settings.toml"
    settings.write_text("[policy]\noutside_a_day = 5\n")
    arguments = [*TINY, "--json", "--policy", str(settings)]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False, standalone_mode=False)
    assert result.return_value == 0, result.stderr
    return result


def test_json_is_a_list_of_rows(result):
    """Each row of the JSON has its policy, its attack and the results; only ORDWS has bounds, which hold."""
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
        is_bounded = row["policy"] == "ORDWS" and row["attack"] != "honest"
        for words in ("outside", "core"):
            assert (row[f"{words}_bound"] is not None) == is_bounded
            assert not is_bounded or row[f"{words}_per_day"] <= row[f"{words}_bound"], row
        if row["attack"] in ("sybils", "median-throttled", "core-crowd"):
            assert row["honest_refused"] is None
        else:
            assert 0 <= row["honest_refused"] <= 1


def test_an_own_policy_is_attacked(result):
    """The bound of an identity follows from the policy that was given, of 12 games with 28 units and 5 words beside."""
    assert {row["outside_bound"] for row in json.loads(result.stdout) if row["attack"] == "hidden"} == {12 * 28 + 5}


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
        "core-club",
        "core-crowd",
    }
    assert [row for row in attacks if row["outside_per_day"] + row["core_per_day"] < 9] == []


def test_a_row_above_its_bound_is_a_fault():
    """A row names the bound that it breaks, and the honest players and clubs that noticed the guard."""
    row = BenchRow(policy=ORDWS, attack="core", identities=1, core_per_day=541, outside_bound=356, core_bound=540)
    assert list(row.faults()) == ["core learned 541 core words in a day, above the bound of 540"]
    assert list(replace(row, core_per_day=540, outside_per_day=356).faults()) == []
    honest = BenchRow(
        policy=ORDWS,
        attack="honest",
        identities=1,
        honest={"home": 0.01, "duel": 0},
        alarms={"labelled": 1, "home": 0},
        watched={"labelled": 20, "home": 5},
    )
    assert list(honest.faults()) == [
        "1.00% of the honest games of home met a refusal",
        "1 of 20 honest clients (labelled) came to an alarm",
    ]
    assert list(replace(honest, policy="none").faults()) == []


def test_a_fault_is_the_exit_status(monkeypatch):
    """The exit status is 1 where a row has a fault, which is told on standard error."""
    fault = BenchRow(policy=ORDWS, attack="core", identities=1, core_per_day=9, core_bound=8)
    monkeypatch.setattr("tests.mining.bench.run_all", lambda tasks, on_result, policy: {})
    monkeypatch.setattr("tests.mining.bench.make_rows", lambda tasks, results: [fault])
    ran = CliRunner().invoke(command, TINY, standalone_mode=False)
    assert ran.return_value == 1
    assert ran.stderr == "ordws: core learned 9 core words in a day, above the bound of 8\n"


def test_progress_is_written_to_standard_error(result):
    """Standard error has a line for each task that is done."""
    lines = result.stderr.splitlines()
    assert lines[-1].startswith(f"{len(lines)}/{len(lines)} ")


def test_an_unknown_attack_is_named():
    """An unknown attack is named in the error."""
    refused = CliRunner().invoke(command, [*TINY, "--attack", "siege"])
    assert refused.exit_code == 2
    assert "'siege' is not one of 'sweep'" in refused.stderr


def test_a_policy_that_cannot_be_served_is_named(tmp_path):
    """A limit that does not exist is named with its file before anything is attacked."""
    settings = tmp_path / "settings.toml"
    settings.write_text("[policy]\nsiege = 5\n")
    with pytest.raises(BadInput, match='cannot be used: there is no "siege" in a policy'):
        CliRunner().invoke(command, ["--policy", str(settings)], catch_exceptions=False)


def test_an_installation_leaves_nothing_behind():
    """The folder of an installation is deleted when it is closed, also after an error."""
    lexicon, words = lexicon_and_truth(1, 1_500)
    with suppress(ZeroDivisionError), open_installation(lexicon, words, None, 0) as installation:
        root = installation.instance.root
        assert root.is_dir()
        raise ZeroDivisionError
    assert not root.parent.exists()
