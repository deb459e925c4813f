"""Taking the last edition back, and what the next build makes of it."""

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
from builders.public_lists import PublicLists
from builders.recipe import read_recipe
from builders.rollback import Rollback, roll_back
from builders.seal_edition import open_edition_store, open_previous_edition, update_edition
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
    """Public lists of these words alone."""
    return PublicLists(frozenset(core), dict.fromkeys(core, 10), frozenset(), frozenset())


@dataclass
class BuildEnvironment:
    """Where editions are sealed, and built from the authored dictionaries."""

    instance: Instance
    ledger: Ledger
    recipe: Path
    said: list[str] = field(default_factory=list)

    def seal(self, words: str, listing: PublicLists = make_public_lists("WORD")) -> int:  # noqa: B008 - it is frozen
        """Seal these words as a build does; gives the number of the edition."""
        keyring = Keyring.open(self.instance.keys)
        previous = open_previous_edition(self.instance, keyring)
        return update_edition(self.instance, keyring, listing, frozenset(words.split()), previous, NOW).number

    def build(self, *, force: bool = False) -> BuildReport:
        return build(
            read_recipe(str(self.recipe)),
            str(self.recipe),
            Sources(self.recipe.parent),
            self.instance,
            self.ledger,
            NOW,
            zipf=lambda word: 0.0,
            log=self.said.append,
            force=force,
        )

    def add(self, word: str) -> None:
        self.ledger.override("add", word, reason="heard it", keeper="Ada", at=AT)

    def take_back(self, reason: str = "the wrong word") -> Rollback:
        return roll_back(self.instance, self.ledger, reason=reason, keeper="Ada", now=NOW)

    def read(self) -> tuple[list[str], list[str]]:
        """The words and the retired words of what is served."""
        return read_words(self.instance.sealed_edition.read_bytes(), Keyring.open(self.instance.keys))

    def has(self, word: str) -> bool:
        return word in self.read()[0]


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[BuildEnvironment]:
    instance = Instance(tmp_path / "instance")
    instance.make_folders()
    keyring = Keyring.create(instance.keys)
    write_atomically(instance.ledger_key, b"k" * 32, SECRET_MODE)
    with Ledger.create(instance.ledger, instance.ledger_head, b"k" * 32, keyring) as ledger:
        yield BuildEnvironment(instance, ledger, write_sources(tmp_path / "sources"))


@pytest.fixture
def types(workshop: BuildEnvironment) -> Callable[..., tuple[int, str]]:
    """Types a command of the builder in the workshop."""

    def typed(*line: str, stdin: str = "") -> tuple[int, str]:
        done = CliRunner().invoke(ordws_build, [*line, "--instance", str(workshop.instance.root)], input=stdin)
        return done.exit_code, done.output

    return typed


def test_the_words_of_before_stand_under_the_next_number(workshop: BuildEnvironment) -> None:
    """Taking edition 2 back makes edition 3 with the words of edition 1, adopted; the mark only grows. (GUARD 12)"""
    workshop.seal("CAT TAO ZOA")
    workshop.seal("CAT QATS")
    assert workshop.take_back() == Rollback(
        edition=3,
        name="ORDWS 2026",
        taken_back=2,
        words_of=1,
        counts={"words in the edition": 3, "words new in it": 2, "words no longer in it": 1},
    )
    assert workshop.read()[0] == ["CAT", "TAO", "ZOA"]
    assert open_edition_store(workshop.instance).read_mark() == 3
    kept = open_edition_store(workshop.instance).find(3)
    assert kept is not None
    assert kept.sealed == workshop.instance.sealed_edition.read_bytes()


def test_what_only_the_edition_taken_back_had_is_retired(workshop: BuildEnvironment) -> None:
    """A word that was once in is not forgotten, and one that comes back is not retired any more. (RULES A-22)"""
    workshop.seal("CAT TAO ZOA")
    workshop.seal("CAT TAO")
    workshop.seal("CAT QATS")
    assert workshop.read()[1] == ["TAO", "ZOA"]
    workshop.take_back()
    assert workshop.read() == (["CAT", "TAO"], ["QATS", "ZOA"])


def test_the_public_lists_come_back_with_the_words(workshop: BuildEnvironment) -> None:
    """An edition is taken back with the public lists that it was sealed beside, also where the words are the same."""
    workshop.seal("CAT", make_public_lists("CAT", "DOG"))
    workshop.seal("CAT", make_public_lists("CAT"))
    assert workshop.take_back().words_of == 1
    assert workshop.instance.core.read_bytes() == b"CAT\nDOG\n"
    assert workshop.instance.reference.read_bytes() == b"CAT\nDOG\n"


def test_the_ledger_says_who_took_what_back_and_why(workshop: BuildEnvironment) -> None:
    """The number, whose words it has and the reason are appended under the keeper's name."""
    workshop.seal("CAT")
    workshop.seal("CAT QATS")
    workshop.take_back(" it is not a word ")
    (done,) = workshop.ledger.acts()
    assert (done.subject, done.actor, done.at) == ("", "Ada", AT)
    assert done.act == EditionRolledBack(number=3, words_of=1, reason="it is not a word")


def test_taking_back_again_goes_further_back(workshop: BuildEnvironment) -> None:
    """A second time it is the edition before, never the one that was taken back, until there is none."""
    for words in ("CAT", "CAT QATS", "CAT QATS ZAGS"):
        workshop.seal(words)
    assert [workshop.take_back().words_of, workshop.take_back().words_of] == [2, 1]
    assert workshop.read() == (["CAT"], ["QATS", "ZAGS"])
    with pytest.raises(Missing, match="no earlier edition at hand"):
        workshop.take_back()
    assert open_edition_store(workshop.instance).read_mark() == 5


def test_what_followed_a_taking_back_can_be_taken_back(workshop: BuildEnvironment) -> None:
    """After 1, 2 and 2 taken back as 3, taking 4 back has the words of 3."""
    for words in ("CAT", "CAT QATS"):
        workshop.seal(words)
    workshop.take_back()
    workshop.seal("CAT ZAGS")
    assert workshop.take_back().words_of == 3
    assert workshop.read() == (["CAT"], ["QATS", "ZAGS"])


def test_editions_that_say_the_same_are_passed_over(workshop: BuildEnvironment) -> None:
    """Where new keys sealed the same words once more, the edition before is one that says something else; one that was
    taken back is none.
    """

    def rotate(number: int) -> None:
        delivery = open_edition_store(workshop.instance).find(number)
        assert delivery is not None
        reseal(workshop.instance, delivery, Keyring.open(workshop.instance.keys), number + 1, NOW)

    workshop.seal("CAT")
    workshop.seal("CAT QATS")
    rotate(2)
    assert workshop.take_back().words_of == 1
    rotate(4)
    with pytest.raises(Missing, match="no earlier edition at hand"):
        workshop.take_back()


@pytest.mark.parametrize("name", ["ordws.sealed", "core", "reference"])
def test_a_damaged_edition_is_passed_over(workshop: BuildEnvironment, name: str) -> None:
    """A kept edition that does not open, or one of whose public lists is another, is not at hand."""
    for words in ("CAT", "CAT QATS", "CAT ZAGS"):
        workshop.seal(words)
    (workshop.instance.editions / "0002" / name).write_bytes(b"DOG\n")
    assert workshop.take_back().words_of == 1


def test_without_an_earlier_edition_nothing_changes(workshop: BuildEnvironment) -> None:
    """Before the first edition, and at the first, there is nothing to take back."""
    with pytest.raises(Missing, match="there is no edition to take back"):
        workshop.take_back()
    workshop.seal("CAT")
    sealed = workshop.instance.sealed_edition.read_bytes()
    with pytest.raises(Missing, match="no earlier edition at hand"):
        workshop.take_back()
    assert workshop.instance.sealed_edition.read_bytes() == sealed
    assert workshop.ledger.acts() == []


@pytest.mark.parametrize("reason", ["", "  \n", "a\x07bell"])
def test_a_reason_is_needed(workshop: BuildEnvironment, reason: str) -> None:
    """Without a reason that the ledger can keep nothing is taken back."""
    workshop.seal("CAT")
    workshop.seal("CAT QATS")
    with pytest.raises(BadInput, match="needs a reason"):
        workshop.take_back(reason)
    assert workshop.has("QATS")


def test_one_process_at_a_time(workshop: BuildEnvironment) -> None:
    """While an edition is being sealed none is taken back."""
    with workshop.instance.seal_lock(), pytest.raises(BadInput, match="an edition is being sealed here"):
        workshop.take_back()


def test_a_build_with_nothing_changed_leaves_it_so(workshop: BuildEnvironment) -> None:
    """After taking back, `ordws-build run` with the sources and decisions of before seals nothing; with a change, or
    forced, it follows the decisions again, and says so.
    """
    workshop.build()
    workshop.add("QATS")
    assert workshop.build().links == 2
    workshop.take_back()
    report = workshop.build()
    assert (report.read, report.changed, report.edition, report.name) == (False, False, 3, "ORDWS 2026")
    assert (report.counts["words new in it"], report.counts["words no longer in it"]) == (0, 1)
    assert not workshop.has("QATS")
    workshop.said.clear()
    assert workshop.build(force=True).edition == 4
    assert workshop.has("QATS")
    assert workshop.said[0] == "edition 3 has the words of edition 1: decisions count again now"
    workshop.take_back()
    workshop.ledger.override("lift", "QATS", reason="misheard", keeper="Ada", at=AT)
    workshop.add("ZAGS")
    assert workshop.build().edition == 6
    assert (workshop.has("QATS"), workshop.has("ZAGS")) == (False, True)


def test_the_command_says_what_stays(workshop: BuildEnvironment, types: Callable[..., tuple[int, str]]) -> None:
    """`ordws-build take-back` tells counts and that the decisions stay, and no word; `--json` prints the counts alone."""
    for words in ("CAT", "CAT QATS", "CAT ZAGS"):
        workshop.seal(words)
    status, said = types("take-back", "--reason", "a slip", "--keeper", "Ada")
    assert status == 0
    assert f"edition 4 (ORDWS {datetime.now(UTC).year}) has the words of edition 2; edition 3 is taken back\n" in said
    assert "words no longer in it          1\n" in said
    assert "The decisions stay as they are: the next build with a change applies them again," in said
    assert "QATS" not in said
    status, said = types("take-back", "--reason", "-", "--keeper", "Ada", "--json", stdin="from a page")
    told = json.loads(said)
    assert (status, told["edition"], told["taken_back"], told["words_of"]) == (0, 5, 4, 1)
    reasons = [done.act.reason for done in workshop.ledger.acts() if isinstance(done.act, EditionRolledBack)]
    assert reasons == ["a slip", "from a page"]
