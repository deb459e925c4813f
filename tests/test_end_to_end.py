"""From dictionaries to a verdict, by the commands that a keeper types, over authored licensed dictionaries."""

from __future__ import annotations

import shutil

import pytest
from each_row import each_row
from keeper import Keeper
from sample_dictionaries import IN_BOTH, write_sources


@pytest.fixture
def keeper(tmp_path):
    keeper = Keeper(tmp_path)
    keeper.types("ordws init")
    return keeper


@pytest.fixture(scope="module")
def first_edition(tmp_path_factory):
    """Return the folder of an installation that has built its first edition."""
    keeper = Keeper(tmp_path_factory.mktemp("first"))
    keeper.types("ordws init")
    keeper.build()
    return keeper.instance.parent


@pytest.fixture
def built(first_edition, tmp_path):
    """Return a keeper with a copy of that installation."""
    shutil.copytree(first_edition, tmp_path, dirs_exist_ok=True)
    return Keeper(tmp_path)


@pytest.fixture
def settled(built):
    """Return that keeper after a build in the new folder, whose next one has nothing to read."""
    built.build()
    assert built.build()["read"] is False
    return built


def test_words_of_both_dictionaries_are_in_with_their_forms(keeper):
    """Words of both licensed dictionaries are in with their forms, words of one are not (docs/rules.md 6.3)."""
    report = keeper.build()
    assert report["edition"] == 1
    assert keeper.accepts("word words play plays played playing lover lovers")
    assert keeper.accepts("lovelier loveliest boards peace")
    for word in ("kolo", "bash", "puckish", "vlog", "peaces", "zzxqv"):
        assert not keeper.accepts(word), word
    assert not keeper.accepts("word kolo")


def test_votes_decide_families(built):
    """A family voted in is in with all its licensed forms; one voted out, contested or undecided is out."""
    built.votes(
        "1 BASH ada in",
        "2 BASH ben in",
        "3 KOLO ada out",
        "4 KOLO ben out",
        "5 PUCKISH ada in",
        "6 PUCKISH ben out",
        "7 VLOG ada in",
        "8 VLOG ben doubt",
    )
    report = built.build()
    assert report["edition"] == 2
    assert report["counts"]["words new in it"] == 4
    assert built.accepts("bash bashes bashed bashing")
    for word in ("kolo", "kolos", "puckish", "vlog"):
        assert not built.accepts(word), word
    built.votes("9 VLOG cleo in")
    built.build()
    assert built.accepts("vlog vlogs vlogged vlogging")


def test_a_vote_holds_where_sources_move_the_form(built):
    """A form voted in under one base stays in when a changed dictionary moves it to another base."""
    built.votes("1 BASH ada in", "2 BASH ben in")
    write_sources(built.sources, first=("kolo n",), second=("bashing n",))
    built.build()
    assert built.accepts("bashing")


def test_the_plural_of_an_uncountable_noun_is_voted_on_separately(built):
    """PEACE is settled, and PEACES is out until it is voted in (docs/rules.md A-41)."""
    assert built.accepts("peace")
    built.votes("1 PEACES ada in", "2 PEACES ben in")
    built.build()
    assert built.accepts("peace peaces")


def test_forms_can_be_voted_on_separately(built):
    """A ballot for some forms of a family is a vote against its other forms."""
    built.votes("1 BASH ada in BASH BASHES", "2 BASH ben in BASH BASHES")
    built.build()
    assert built.accepts("bash bashes")
    assert not built.accepts("bashing")


def test_overrides_carry_a_reason(built):
    """A keeper adds a word of no dictionary and removes one of both, with a reason (docs/rules.md A-40)."""
    built.types("ordws curation override add QATS", status=2)
    built.types("ordws curation override add QATS --reason overheard --keeper ada")
    built.types("ordws curation override exclude BOARDS --reason misprint --keeper ada")
    built.build()
    assert built.accepts("qats board")
    assert not built.accepts("boards")
    built.types("ordws curation override lift BOARDS --reason checked --keeper ada")
    built.build()
    assert built.accepts("boards")


def test_the_same_inputs_give_the_same_edition(keeper):
    """Unchanged inputs seal nothing, not even when forced; a changed source is noticed."""
    assert keeper.build()["changed"] is True
    sealed = (keeper.instance / "ordws.sealed").read_bytes()
    assert keeper.build()["changed"] is False
    keeper.is_quick = False  # sets are ordered differently in a new process
    assert keeper.build("--force")["changed"] is False
    keeper.is_quick = True
    assert (keeper.instance / "ordws.sealed").read_bytes() == sealed
    write_sources(keeper.sources, both=[*IN_BOTH, "tile n"])
    again = keeper.build()
    assert (again["changed"], again["edition"]) == (True, 2)
    assert keeper.accepts("tile")


def test_a_dropped_word_is_retired(built):
    """A word that was in an edition is retired in every later one that it is not in (docs/rules.md A-22)."""
    from ordws.lexicon.keyring import Keyring
    from ordws.lexicon.sealed_edition import read_words

    write_sources(built.sources, both=IN_BOTH[:-2])
    built.build()
    write_sources(built.sources, both=IN_BOTH[:-1])
    built.build()
    _, retired = read_words((built.instance / "ordws.sealed").read_bytes(), Keyring.open(built.instance / "keys"))
    assert retired == ["PEACE"]


@each_row("name", ["ordws.sealed", "public/core", "public/reference"])
@each_row("harm", ["changed", "gone"])
def test_a_build_restores_damaged_files(settled, name, harm):
    """The next build restores the files of an edition that are damaged, under the same number."""
    file = settled.instance / name
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1])) if harm == "changed" else file.unlink()
    report = settled.build()
    assert (report["read"], report["changed"], report["edition"]) == (True, False, 1)
    assert file.read_bytes() == whole


def test_a_build_stops_if_every_edition_is_damaged(built):
    """A build stops if every edition is damaged, or words that were once in would be forgotten (docs/rules.md A-22)."""
    for file in built.instance.rglob("ordws.sealed"):
        file.write_bytes(b"damaged")
    assert "does not open" in built.types(f"ordws-build run --recipe {built.recipe}", status=2)


def test_a_vote_on_a_form_precedes_one_on_a_family_it_joins(keeper):
    """FLOUTING, voted out, stays out when it joins the family FLOUT, which was voted in before it had that form."""
    write_sources(keeper.sources, first=("flout n", "flouting n"))
    keeper.build()
    keeper.votes("1 FLOUTING ada out", "2 FLOUTING ben out", "3 FLOUT ada in", "4 FLOUT ben in")
    write_sources(keeper.sources, first=("flout v", "flouting n"))
    keeper.build()
    assert keeper.accepts("flout flouts")
    assert not keeper.accepts("flouting")


def test_a_build_that_loses_half_of_the_words_changes_nothing(built):
    """A build that leaves no word, or less than half of them, changes neither edition nor queue."""
    before = (built.instance / "ordws.sealed").read_bytes(), built.types("ordws curation status")
    write_sources(built.sources, both=(), first=("zorilla n",), second=("quokka n",))
    assert "not a word meets the quorum" in built.types(f"ordws-build run --recipe {built.recipe}", status=2)
    write_sources(built.sources, both=("word n",))
    assert "--force" in built.types(f"ordws-build run --recipe {built.recipe}", status=2)
    assert ((built.instance / "ordws.sealed").read_bytes(), built.types("ordws curation status")) == before
    assert built.build("--force")["edition"] == 2
    assert not built.accepts("lovers")


def test_a_build_without_a_recipe_repeats_the_last_one(keeper):
    """A build without a recipe uses the last one, so that `make run` does not replace an edition by the open one."""
    keeper.build()
    assert "nothing changed" in keeper.types("ordws-build run")


def test_a_malformed_source_is_named_and_loses_nothing(built):
    """A malformed dictionary stops the build with its file and place, and the last edition stays."""
    sealed = (built.instance / "ordws.sealed").read_bytes()
    (built.sources / "first.json").write_bytes(b'[{"meta": {"id": "bash:1"')
    output = built.types(f"ordws-build run --recipe {built.recipe}", status=2)
    assert "first.json" in output
    assert "ordws: error:" in output
    assert (built.instance / "ordws.sealed").read_bytes() == sealed
    assert built.accepts("word")


def test_keep_going_collects_every_fault(keeper):
    """A build with --keep-going lists all malformed places of all sources, and seals nothing."""
    with (keeper.sources / "second.csv").open("a") as file:
        file.write("tile,gerundive\n")
        file.write("\n".join(["rack,noun,,,,,,,surplus", ""]))
    output = keeper.types(f"ordws-build run --keep-going --recipe {keeper.recipe}", status=2)
    assert output.count("second.csv, line") == 2
    assert not (keeper.instance / "ordws.sealed").exists()


def test_invalid_fields_of_a_recipe_are_named(keeper):
    """An unknown field, format or quorum of a recipe is named."""
    for change, output in {
        ("quorum = 2", "quorum = 3"): "a quorum of 3 among 2 sources",
        ('format = "table"', 'format = "tabel"'): "tabel",
        ('stated = "trusted"', 'state = "trusted"'): "state",
        ('name = "second"', 'name = "first"'): "two sources of one name",
    }.items():
        bad = keeper.sources / "bad.toml"
        bad.write_text(keeper.recipe.read_text().replace(*change))
        assert output in keeper.types(f"ordws-build run --recipe {bad}", status=2)
    assert 'no recipe "nowhere"' in keeper.types("ordws-build run --recipe nowhere", status=2)
