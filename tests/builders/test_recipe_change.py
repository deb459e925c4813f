"""Tests of an installation whose recipe changes: what it tells, and what becomes of families and votes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sample_dictionaries import write_sources

from builders import processes
from builders.build import build, read_sources
from builders.build_report import BuildReport, format_build_report
from builders.recipe import read_recipe
from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.curation.decision import Ballot
from ordws.curation.ledger import Ledger
from ordws.errors import BadInput, BadRecipe, BadSource, Missing
from ordws.instance import Instance, Sources
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_words

AT = "2026-11-22T12:00:00Z"
SPELLING_LIST = """
[[source]]
name = "listed"
format = "scowl"
path = ["lists/english-words.80", "lists/variant_1-words.40"]
kind = "spelling-list"
alone = "attested"
inflections = 35
"""


class Installation:
    """An installation that is built by the authored recipe, with its ledger."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self.instance, self.ledger = Instance(folder / "instance"), ledger
        self.recipe = write_sources(folder / "sources")

    def build(self) -> BuildReport:
        return build(
            read_recipe(str(self.recipe)),
            str(self.recipe),
            Sources(self.recipe.parent),
            self.instance,
            self.ledger,
            datetime(2026, 11, 22, 12, tzinfo=UTC),
            zipf=lambda word: 0.0,
            log=lambda line: None,
        )

    def words(self) -> set[str]:
        return set(read_words(self.instance.sealed_edition.read_bytes(), Keyring.open(self.instance.keys))[0])

    def change_recipe(self, old: str, new: str) -> None:
        text = self.recipe.read_text()
        assert old in text
        self.recipe.write_text(text.replace(old, new))


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    instance = Instance(tmp_path / "instance")
    instance.make_folders()
    keyring = Keyring.create(instance.keys)
    write_atomically(instance.ledger_key, b"k" * 32, SECRET_MODE)
    with Ledger.create(instance.ledger, instance.ledger_head, b"k" * 32, keyring) as ledger:
        yield Installation(tmp_path, ledger)


def test_the_next_build_takes_the_new_recipe_and_tells_in_counts(installation):
    """A spelling list that joins the recipe settles what one dictionary has, and the report counts what changes."""
    before = installation.build()
    installation.recipe.write_text(installation.recipe.read_text() + SPELLING_LIST)
    after = installation.build()
    assert {"KOLO", "KOLOS", "BASH", "BASHED"} <= installation.words()
    assert (
        after.counts["words new in it"] == after.counts["words in the edition"] - before.counts["words in the edition"]
    )
    assert after.counts["words new in it"] > 5
    assert (after.counts["families withdrawn"], after.counts["words no longer in it"], after.losses) == (3, 0, "")


def test_families_that_leave_the_queue_keep_their_ballots(installation):
    """A family that the new recipe settles leaves the queue with its ballots, and has them when it comes back."""
    installation.build()
    votes = ("KOLO", "ada", "out"), ("KOLO", "ben", "out"), ("BASH", "ada", "in")
    read = {
        f"line {number}": Ballot(f"v{number}", family, curator, vote, (), "heard of nowhere", AT)
        for number, (family, curator, vote) in enumerate(votes)
    }
    installation.ledger.cast(read, AT)
    cast = installation.ledger.ballots()
    assert len(cast) == 3
    recipe = installation.recipe.read_text()
    installation.recipe.write_text(recipe + SPELLING_LIST)
    installation.build()
    assert "KOLO" in installation.words()
    assert "KOLO" not in installation.ledger.families()
    assert installation.ledger.ballots() == cast
    installation.recipe.write_text(recipe)
    report = installation.build()
    assert "KOLO" in installation.ledger.families()
    assert installation.ledger.ballots() == cast
    assert not {"KOLO", "BASH"} & installation.words()
    assert "by the sources: source.listed is gone" in report.losses
    assert report.losses in format_build_report(report)


def test_an_edition_that_would_lose_most_words_names_the_line(installation):
    """A build that would lose more than half of the words seals nothing, and names the line of the recipe."""
    installation.recipe.write_text(installation.recipe.read_text() + SPELLING_LIST)
    installation.build()
    sealed = installation.instance.sealed_edition.read_bytes()
    installation.change_recipe("quorum = 2", "quorum = 3")
    installation.change_recipe("english-words.80", "english-words.10")
    lines = r"quorum is 3, was 2, source\.listed\.path is .* was \('lists/english-words\.80'"
    with pytest.raises(BadInput, match=rf"nothing sealed; \d+ words of the last edition leave: .*{lines}"):
        installation.build()
    assert installation.instance.sealed_edition.read_bytes() == sealed


def test_a_missing_list_of_scowl_is_named(installation):
    """A SCOWL folder without one of the lists is an error that names it, for a source and for the public lists."""
    installation.recipe.write_text(installation.recipe.read_text() + SPELLING_LIST)
    lists = installation.recipe.parent / "lists"
    for name in ("variant_1-words.20", "english-words.60", "american-words.70"):
        (lists / name).rename(lists / "away")
        with pytest.raises(Missing, match=f'a list of SCOWL is missing: no file "[^"]*/{name}"'):
            installation.build()
        (lists / "away").rename(lists / name)


def test_sources_are_read_in_processes_as_they_are_read_here(tmp_path, monkeypatch):
    """Processes give the same entries in the order of the recipe, and each malformed place with its file and line."""
    recipe, sources = read_recipe(str(write_sources(tmp_path))), Sources(tmp_path)
    read_here = read_sources(recipe.source, sources, print, None)
    monkeypatch.setattr("builders.build._MIN_BYTES", 0)
    monkeypatch.setattr(processes.os, "sched_getaffinity", lambda process: {0, 1})
    assert read_sources(recipe.source, sources, print, None) == read_here
    (tmp_path / "first.json").write_text('[{"meta": 1}]')
    fault = f"{tmp_path}/first.json, line 1, item 1: expected an array of entries"
    with pytest.raises(BadSource, match=fault):
        read_sources(recipe.source, sources, print, None)
    faults: list[BadSource] = []
    assert read_sources(recipe.source, sources, print, faults)[1] == read_here[1]
    assert [str(each).partition(" or ")[0] for each in faults] == [fault]


def test_a_source_needs_a_path(tmp_path):
    """A source may have several paths, but not none."""
    recipe = write_sources(tmp_path)
    recipe.write_text(recipe.read_text().replace('path = "first.json"', "path = []"))
    with pytest.raises(BadRecipe, match="source first has no path"):
        read_recipe(str(recipe))
