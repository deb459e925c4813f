"""Tests of the account of words that an edition would lose."""

from __future__ import annotations

from each_row import each_row
from sample_dictionaries import write_sources

from builders.build_report import explain_losses, flatten_recipe
from builders.recipe import Recipe, read_recipe

LINES = {"quorum": "2", "source.first.path": "a", "source.second.path": "b"}


def test_an_edition_that_loses_nothing_is_not_explained():
    """An edition that has all words of the last one needs no account, whatever changed in the recipe."""
    assert explain_losses({"WORD"}, {"WORD", "PLAY"}, {"WORD", "PLAY"}, LINES, {}) == ""


def test_words_decided_out_are_counted_apart():
    """A lost word that the quorum still settles was decided out; the recipe's lines account for the others."""
    told = explain_losses({"WORD", "PLAY", "KOLO"}, {"WORD"}, {"WORD", "PLAY"}, LINES, {**LINES, "quorum": "3"})
    assert told == "2 words of the last edition leave: 1 decided out; 1 by the sources: quorum is 3, was 2"
    assert explain_losses({"PLAY"}, set(), {"PLAY"}, LINES, LINES) == (
        "1 words of the last edition leave: 1 decided out"
    )


def test_a_loss_without_a_change_of_the_recipe():
    """The account says so if files have changed and not the recipe, or if the last build recorded no recipe."""
    assert explain_losses({"PLAY"}, set(), set(), LINES, LINES).endswith(
        "1 by the sources: no line of the recipe has changed, files have"
    )
    assert explain_losses({"PLAY"}, set(), set(), {}, LINES).endswith("the last build has not recorded its recipe")


@each_row(
    ("lines", "changes"),
    [
        ({**LINES, "source.second.path": "c"}, "source.second.path is c, was b"),
        ({"quorum": "2", "source.first.path": "a"}, "source.second is gone"),
        ({**LINES, "source.third.path": "c", "source.third.kind": "dictionary"}, "source.third is new"),
        ({**LINES, "quorum": "1", "source.first.path": "d"}, "quorum is 1, was 2, source.first.path is d, was a"),
    ],
)
def test_changed_lines_are_named(lines, changes):
    """Each changed line is named with both values, and a source that came or went once."""
    assert explain_losses({"PLAY"}, set(), set(), LINES, lines).endswith(f"1 by the sources: {changes}")


def test_a_recipe_becomes_lines(tmp_path):
    """Every line of a recipe that may decide on a word is compared; a source is called by its name."""
    lines = flatten_recipe(read_recipe(str(write_sources(tmp_path))))
    assert lines["quorum"] == "2"
    assert lines["public.scowl"] == "lists"
    assert (lines["source.first.format"], lines["source.first.stated"]) == ("collegiate", "trusted")
    sources = read_recipe("open").source
    assert len(flatten_recipe(read_recipe("open"))) == 3 + (len(sources[0].__struct_fields__) - 1) * len(sources)
    assert Recipe.__struct_fields__ == ("name", "quorum", "public", "labels", "source")
