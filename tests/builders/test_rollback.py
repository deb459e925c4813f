"""Tests of the rollback of the last edition, and of the next build after it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from sample_dictionaries import write_sources

from builders.build import build
from builders.build_report import BuildReport
from builders.cli import ordws_build
from builders.public_lists import PublicLists, encode_word_list
from builders.recipe import read_recipe
from builders.seal_edition import (
    EditionContents,
    Rollback,
    open_edition_store,
    open_previous_edition,
    roll_back,
    update_edition,
)
from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.cli.editions import reseal
from ordws.curation.acts import EditionRolledBack
from ordws.curation.ledger import Ledger
from ordws.errors import BadInput, Missing
from ordws.instance import Instance, Sources
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_words

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
AT = "2026-11-21T12:00:00Z"


def make_public_lists(*core: str) -> PublicLists:
    """Return public lists of these words alone."""
    return PublicLists(frozenset(core), dict.fromkeys(core, 10), frozenset(), frozenset())


@dataclass
class BuildEnvironment:
    """An instance and its ledger, in which editions are sealed, or built from the authored dictionaries."""

    instance: Instance
    ledger: Ledger
    recipe: Path
    messages: list[str] = field(default_factory=list)

    def seal(self, words: str, listing: PublicLists = make_public_lists("WORD")) -> int:  # noqa: B008 - it is frozen
        """Seal these words as a build does, and return the number of the edition."""
        keyring = Keyring.open(self.instance.keys)
        previous = open_previous_edition(self.instance, keyring)
        contents = EditionContents(
            words=frozenset(words.split()),
            core=encode_word_list(listing.core),
            reference=encode_word_list(listing.reference),
        )
        return update_edition(self.instance, keyring, contents, previous, NOW).number

    def build(self, *, force: bool = False) -> BuildReport:
        return build(
            read_recipe(str(self.recipe)),
            str(self.recipe),
            Sources(self.recipe.parent),
            self.instance,
            self.ledger,
            NOW,
            zipf=lambda word: 0.0,
            log=self.messages.append,
            force=force,
        )

    def add(self, word: str) -> None:
        self.ledger.override("add", word, reason="heard it", keeper="Ada", at=AT)

    def take_back(self, reason: str = "the wrong word") -> Rollback:
        return roll_back(self.instance, self.ledger, reason=reason, keeper="Ada", now=NOW)

    def read(self) -> tuple[list[str], list[str]]:
        """Return the words and the retired words of the edition that is served."""
        return read_words(self.instance.sealed_edition.read_bytes(), Keyring.open(self.instance.keys))

    def has(self, word: str) -> bool:
        return word in self.read()[0]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[BuildEnvironment]:
    instance = Instance(tmp_path / "instance")
    instance.make_folders()
    keyring = Keyring.create(instance.keys)
    write_atomically(instance.ledger_key, b"k" * 32, SECRET_MODE)
    with Ledger.create(instance.ledger, instance.ledger_head, b"k" * 32, keyring) as ledger:
        yield BuildEnvironment(instance, ledger, write_sources(tmp_path / "sources"))


@pytest.fixture
def types(environment: BuildEnvironment) -> Callable[..., tuple[int, str]]:
    """Return a function that runs a command of the builder in the environment."""

    def typed(*line: str, stdin: str = "") -> tuple[int, str]:
        done = CliRunner().invoke(ordws_build, [*line, "--instance", str(environment.instance.root)], input=stdin)
        return done.exit_code, done.output

    return typed


def test_a_rollback_seals_the_earlier_words_under_the_next_number(environment: BuildEnvironment) -> None:
    """A rollback of edition 2 makes edition 3 with the words of edition 1, adopted (docs/guard.md Decision 12)."""
    environment.seal("CAT TAO ZOA")
    environment.seal("CAT QATS")
    assert environment.take_back() == Rollback(
        edition=3,
        name="ORDWS 2026",
        taken_back=2,
        words_of=1,
        counts={"words in the edition": 3, "words new in it": 2, "words no longer in it": 1},
    )
    assert environment.read()[0] == ["CAT", "TAO", "ZOA"]
    assert open_edition_store(environment.instance).read_mark() == 3
    adopted = open_edition_store(environment.instance).find(3)
    assert adopted is not None
    assert adopted.sealed == environment.instance.sealed_edition.read_bytes()


def test_words_of_the_rolled_back_edition_become_retired(environment: BuildEnvironment) -> None:
    """Words of the edition rolled back become retired, and restored words are retired no more (docs/rules.md A-22)."""
    environment.seal("CAT TAO ZOA")
    environment.seal("CAT TAO")
    environment.seal("CAT QATS")
    assert environment.read()[1] == ["TAO", "ZOA"]
    environment.take_back()
    assert environment.read() == (["CAT", "TAO"], ["QATS", "ZOA"])


def test_a_rollback_restores_the_public_lists(environment: BuildEnvironment) -> None:
    """A rollback restores the public lists that the edition was sealed with, even if the words are the same."""
    environment.seal("CAT", make_public_lists("CAT", "DOG"))
    environment.seal("CAT", make_public_lists("CAT"))
    assert environment.take_back().words_of == 1
    assert environment.instance.core.read_bytes() == b"CAT\nDOG\n"
    assert environment.instance.reference.read_bytes() == b"CAT\nDOG\n"


def test_a_rollback_is_recorded_in_the_ledger(environment: BuildEnvironment) -> None:
    """The ledger gets the edition's number, the edition whose words it has, the reason, and the keeper's name."""
    environment.seal("CAT")
    environment.seal("CAT QATS")
    environment.take_back(" it is not a word ")
    (done,) = environment.ledger.acts()
    assert (done.subject, done.actor, done.at) == ("", "Ada", AT)
    assert done.act == EditionRolledBack(number=3, words_of=1, reason="it is not a word")


def test_a_second_rollback_goes_to_the_edition_before(environment: BuildEnvironment) -> None:
    """A second rollback goes to the edition before, never to the one rolled back, until there is none."""
    for words in ("CAT", "CAT QATS", "CAT QATS ZAGS"):
        environment.seal(words)
    assert [environment.take_back().words_of, environment.take_back().words_of] == [2, 1]
    assert environment.read() == (["CAT"], ["QATS", "ZAGS"])
    with pytest.raises(Missing, match="no earlier edition at hand"):
        environment.take_back()
    assert open_edition_store(environment.instance).read_mark() == 5


def test_an_edition_built_after_a_rollback_can_be_rolled_back(environment: BuildEnvironment) -> None:
    """An edition built after a rollback can be rolled back to it: after 1, 2 and 3 (a rollback), 4 goes back to 3."""
    for words in ("CAT", "CAT QATS"):
        environment.seal(words)
    environment.take_back()
    environment.seal("CAT ZAGS")
    assert environment.take_back().words_of == 3
    assert environment.read() == (["CAT"], ["QATS", "ZAGS"])


def test_a_rollback_skips_editions_of_the_same_words(environment: BuildEnvironment) -> None:
    """A rollback skips editions of the same words under new keys, and editions that were rolled back."""

    def rotate(number: int) -> None:
        files = open_edition_store(environment.instance).find(number)
        assert files is not None
        reseal(environment.instance, files, Keyring.open(environment.instance.keys), number + 1, NOW)

    environment.seal("CAT")
    environment.seal("CAT QATS")
    rotate(2)
    assert environment.take_back().words_of == 1
    rotate(4)
    with pytest.raises(Missing, match="no earlier edition at hand"):
        environment.take_back()


@pytest.mark.parametrize("name", ["ordws.sealed", "core", "reference"])
def test_a_rollback_skips_a_damaged_edition(environment: BuildEnvironment, name: str) -> None:
    """A rollback skips a kept edition that does not open or whose public lists are not its own."""
    for words in ("CAT", "CAT QATS", "CAT ZAGS"):
        environment.seal(words)
    (environment.instance.editions / "0002" / name).write_bytes(b"DOG\n")
    assert environment.take_back().words_of == 1


def test_without_an_earlier_edition_there_is_no_rollback(environment: BuildEnvironment) -> None:
    """Before the first edition, and at the first, there is nothing to roll back."""
    with pytest.raises(Missing, match="there is no edition to take back"):
        environment.take_back()
    environment.seal("CAT")
    sealed = environment.instance.sealed_edition.read_bytes()
    with pytest.raises(Missing, match="no earlier edition at hand"):
        environment.take_back()
    assert environment.instance.sealed_edition.read_bytes() == sealed
    assert environment.ledger.acts() == []


@pytest.mark.parametrize("reason", ["", "  \n", "a\x07bell"])
def test_a_rollback_needs_a_reason(environment: BuildEnvironment, reason: str) -> None:
    """A rollback needs a reason that the ledger can keep."""
    environment.seal("CAT")
    environment.seal("CAT QATS")
    with pytest.raises(BadInput, match="a reason is needed"):
        environment.take_back(reason)
    assert environment.has("QATS")


def test_no_rollback_runs_while_an_edition_is_sealed(environment: BuildEnvironment) -> None:
    """No rollback runs while an edition is being sealed."""
    with environment.instance.seal_lock(), pytest.raises(BadInput, match="an edition is being sealed here"):
        environment.take_back()


def test_an_unchanged_build_leaves_a_rollback_in_place(environment: BuildEnvironment) -> None:
    """After a rollback, a build applies the decisions again only if something changed or it is forced."""
    environment.build()
    environment.add("QATS")
    assert environment.build().links == 2
    environment.take_back()
    report = environment.build()
    assert (report.read, report.changed, report.edition, report.name) == (False, False, 3, "ORDWS 2026")
    assert (report.counts["words new in it"], report.counts["words no longer in it"]) == (0, 1)
    assert not environment.has("QATS")
    environment.messages.clear()
    assert environment.build(force=True).edition == 4
    assert environment.has("QATS")
    assert environment.messages[0] == "edition 3 has the words of edition 1: decisions count again now"
    environment.take_back()
    environment.ledger.override("lift", "QATS", reason="misheard", keeper="Ada", at=AT)
    environment.add("ZAGS")
    assert environment.build().edition == 6
    assert (environment.has("QATS"), environment.has("ZAGS")) == (False, True)


def test_the_command_prints_counts_and_that_decisions_stay(
    environment: BuildEnvironment, types: Callable[..., tuple[int, str]]
) -> None:
    """`ordws-build take-back` prints counts, that the decisions stay, and no word; `--json` prints the counts alone."""
    for words in ("CAT", "CAT QATS", "CAT ZAGS"):
        environment.seal(words)
    status, output = types("take-back", "--reason", "a slip", "--keeper", "Ada")
    assert status == 0
    assert f"edition 4 (ORDWS {datetime.now(UTC).year}) has the words of edition 2; edition 3 is taken back\n" in output
    assert "words no longer in it          1\n" in output
    assert "The decisions stay as they are: the next build with a change applies them again," in output
    assert "QATS" not in output
    status, output = types("take-back", "--reason", "-", "--keeper", "Ada", "--json", stdin="from a page")
    result = json.loads(output)
    assert (status, result["edition"], result["taken_back"], result["words_of"]) == (0, 5, 4, 1)
    reasons = [done.act.reason for done in environment.ledger.acts() if isinstance(done.act, EditionRolledBack)]
    assert reasons == ["a slip", "from a page"]
