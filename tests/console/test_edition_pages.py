"""Sealing and rolling back from the page: the real builder as a child process, on authored dictionaries."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from console_installation import Browser, ConsoleInstallation, open_console_installation
from preloaded_commands import write_programs
from sample_dictionaries import write_sources

from builders.build import build
from builders.recipe import read_recipe
from ordws.api.services import open_editions
from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.cli.curation import open_ledger
from ordws.console import edition_pages
from ordws.console.edition_pages import BuilderProcess, BuildJob
from ordws.curation.acts import CalibrationChosen, EditionRolledBack, EditionSealed
from ordws.curation.decision import Ballot
from ordws.errors import BadInput, Missing
from ordws.instance import Sources

AT = "2026-11-21T12:00:00Z"
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    """A console over the first edition of the authored dictionaries, whose queue the builder filled."""
    recipe = write_sources(tmp_path / "sources")
    with open_console_installation(tmp_path / "instance", []) as installation:
        installation.app.config["SOURCES"] = str(recipe.parent)
        with open_ledger(installation.instance) as ledger:
            build(
                read_recipe(str(recipe)),
                str(recipe),
                Sources(recipe.parent),
                installation.instance,
                ledger,
                NOW,
                zipf=lambda word: 0.0,
                log=lambda line: None,
            )
        yield installation


@pytest.fixture
def preloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a builder that has everything loaded; one test of this module starts `ordws-build` itself."""
    programs = write_programs(tmp_path / "programs")
    monkeypatch.setattr(edition_pages.sys, "executable", str(programs / "python"))


@pytest.fixture
def keeper(installation: ConsoleInstallation) -> Browser:
    return installation.member("Kay", "keeper")


def working(installation: ConsoleInstallation) -> BuilderProcess:
    found: BuilderProcess = installation.app.extensions["builder"]
    return found


def cast(installation: ConsoleInstallation, base: str) -> None:
    """Decide a family in."""
    for number in (1, 2):
        ballot = Ballot(f"{base} {number}", base, f"Curator {number}", "in", (), "", AT)
        with installation.state.appending([base]) as ledger:
            ledger.cast({"here": ballot}, installation.state.timestamp(), panel=3)


def accepts(installation: ConsoleInstallation, *words: str) -> list[bool]:
    """Return which of these words are in the sealed edition."""
    served = open_editions(installation.instance, adopting=False).current.words
    return [word in served for word in words]


def acts(installation: ConsoleInstallation) -> list[tuple[str, object]]:
    """Return the acts on editions."""
    with installation.state.reading() as ledger:
        return [(done.actor, done.act) for done in ledger.acts([""]) if not isinstance(done.act, CalibrationChosen)]


def page(keeper: Browser) -> str:
    return " ".join(keeper.get("/keeping/sealing").text.split())


@pytest.fixture
def released(installation: ConsoleInstallation) -> Iterator[Callable[[], None]]:
    """Hold the builder where it opens the ledger, until the returned function is called."""
    key = installation.instance.ledger_key
    key.unlink()
    os.mkfifo(key)

    def release() -> None:
        key.write_bytes(b"k" * 32)
        key.unlink()
        write_atomically(key, b"k" * 32, SECRET_MODE)

    yield release
    working(installation).wait()


def test_a_family_voted_in_is_in_the_next_edition(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Sealing after votes makes the next edition; the ledger names the keeper, and no page a word."""
    with installation.state.reading():
        assert installation.state.family_states["BASH"].is_open
    cast(installation, "BASH")
    assert accepts(installation, "BASH", "WORD") == [False, True]
    assert page(keeper).count("<dt>Families decided in</dt><dd>1</dd>") == 1
    done = keeper.form("/keeping/seal")
    assert (done.status_code, done.location) == (303, "/keeping/sealing")
    working(installation).wait()
    state = keeper.get("/api/sealing").json
    assert state is not None
    assert (state["state"], state["task"], state["error"]) == ("done", "seal", "")
    assert (state["outcome"]["edition"], state["outcome"]["counts"]["words new in it"]) == (2, 4)
    assert "sealing" in state["lines"]
    assert accepts(installation, "BASH", "BASHED", "KOLO") == [True, True, False]
    assert acts(installation) == [("Kay", EditionSealed(number=2))]
    shown = page(keeper)
    assert f"Edition 2 (ORDWS {datetime.now(UTC).year}) is sealed." in shown
    assert "<dt>Families decided in</dt><dd>0</dd>" in shown
    assert "BASH" not in shown + str(state)


@pytest.mark.usefixtures("preloaded")
def test_a_failure_is_shown_in_the_words_of_the_builder(
    installation: ConsoleInstallation, keeper: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal of the builder is shown in its own sentence, and the builder can be started again.

    Here ORDWS_SOURCES names a folder that does not exist.
    """
    sources = installation.app.config["SOURCES"]
    installation.app.config["SOURCES"] = None
    monkeypatch.setenv("ORDWS_SOURCES", str(tmp_path / "nowhere"))
    keeper.form("/keeping/seal")
    working(installation).wait()
    state = keeper.get("/api/sealing").json
    assert state is not None
    assert (state["state"], str(tmp_path / "nowhere") in state["error"]) == ("failed", True)
    assert "Sealing failed: " in page(keeper)
    assert f"<code>{Path.cwd()}</code>: <code>ordws-build run --instance " in page(keeper)
    installation.app.config["SOURCES"] = sources
    keeper.form("/keeping/seal")
    working(installation).wait()
    assert "Nothing has changed: edition 1 (ORDWS 2026) is still the current one." in page(keeper)
    assert acts(installation) == []


@pytest.mark.usefixtures("preloaded")
def test_votes_are_taken_while_one_builder_runs(
    installation: ConsoleInstallation, keeper: Browser, released: Callable[[], None]
) -> None:
    """While the builder runs, votes are taken, the page survives a reload, and a second start is refused."""
    keeper.form("/keeping/seal")
    installation.clock.now += 30
    cast(installation, "BASH")
    assert not installation.state.family_states["BASH"].is_open
    state = keeper.get("/api/sealing").json
    assert state is not None
    assert (state["state"], state["seconds"]) == ("running", 30)
    for _ in range(2):
        shown = page(keeper)
        assert "Sealing started <span data-seconds>30 s</span> ago" in shown
        assert shown.count("disabled") == 2
    for path in ("/keeping/seal", "/keeping/take-back"):
        refused = keeper.form(path, reason="why")
        assert (refused.status_code, "an edition is being sealed here" in refused.text) == (409, True)
    released()
    working(installation).wait()
    assert accepts(installation, "BASH") == [True]
    assert acts(installation) == [("Kay", EditionSealed(number=2))]


@pytest.mark.usefixtures("preloaded")
def test_the_last_edition_is_taken_back(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Rolling back seals the earlier words under the next number, with its keeper and reason in the ledger.

    A build without changes leaves it so.
    """
    cast(installation, "BASH")
    keeper.form("/keeping/seal")
    working(installation).wait()
    keeper.form("/keeping/take-back", reason="the wrong ballots\n– Ünicode")
    working(installation).wait()
    assert accepts(installation, "BASH", "WORD") == [False, True]
    assert acts(installation) == [
        ("Kay", EditionSealed(number=2)),
        ("Kay", EditionRolledBack(number=3, words_of=1, reason="the wrong ballots\n– Ünicode")),
    ]
    assert "It has the words of edition 1: Kay took one back (“the wrong ballots – Ünicode”)." in page(keeper)
    assert "The decisions stay as they are: the next build with a change follows them again" in page(keeper)
    keeper.form("/keeping/seal")
    working(installation).wait()
    assert "Nothing has changed: edition 3" in page(keeper)
    assert accepts(installation, "BASH") == [False]


@pytest.mark.usefixtures("preloaded")
def test_a_rollback_needs_a_reason_and_an_earlier_edition(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Rolling back needs a reason and an earlier edition."""
    assert "a reason is needed" in keeper.form("/keeping/take-back", reason="  ").text
    assert keeper.get("/api/sealing").json == {"state": "idle"}
    keeper.form("/keeping/take-back", reason="why")
    working(installation).wait()
    assert "Taking back failed: there is no earlier edition at hand" in page(keeper)


class Programs:
    """Makes small programs that stand in for the builder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = folder / "ordws-build"
        self.monkeypatch = monkeypatch
        self.done: list[int] = []

    def run(self, script: str) -> BuildJob:
        """Return the console's job for a builder that does this."""
        self.path.write_text(f"#!/bin/sh\n{script}\n")
        self.path.chmod(0o700)
        self.monkeypatch.setattr(edition_pages.sys, "executable", str(self.path.with_name("python")))
        started = BuilderProcess()
        started.start(
            BuildJob("seal", "Kay", 0),
            ["run"],
            stdin_text="x" * 100_000,
            on_success=lambda made: self._note(made.edition),
        )
        started.wait()
        assert started.job is not None
        return started.job

    def _note(self, edition: int) -> None:
        self.done.append(edition)
        if edition == 13:
            raise BadInput("the ledger does not answer")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    return Programs(tmp_path, monkeypatch)


def test_a_traceback_of_the_builder_is_not_shown(programs: Programs) -> None:
    """A traceback of the builder is not shown, and an unreadable report is a failure."""
    crashed = programs.run("echo reading >&2; echo 'Traceback (most recent call last):' >&2; echo BASH >&2; exit 1")
    assert (crashed.state, crashed.lines, crashed.error) == (
        "failed",
        ("reading",),
        "the builder stopped before it was done",
    )
    odd = programs.run('echo \'{"words": ["BASH"]}\'')
    assert (odd.state, odd.error) == ("failed", "what the builder reported cannot be read")
    assert programs.done == []


def test_a_sealed_edition_missing_from_the_ledger_is_reported(programs: Programs) -> None:
    """Where the ledger fails after the edition was sealed, the keeper is told both."""
    assert programs.run('echo \'{"edition": 7, "name": "ORDWS 2026"}\'').state == "done"
    work = programs.run('echo \'{"edition": 13, "name": "ORDWS 2026"}\'')
    assert work.error == "the edition is sealed, but that was not noted: the ledger does not answer"
    assert programs.done == [7, 13]


def test_without_the_builder_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `ordws-build` is not installed, the keeper is told which extra is needed."""
    monkeypatch.setattr(edition_pages.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Missing, match="ordws-build is not installed here"):
        BuilderProcess().start(BuildJob("seal", "Kay", 0), ["run"], on_success=lambda _: None)
