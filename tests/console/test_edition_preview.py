"""The preview of the next edition, as counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_installation import ConsoleInstallation, make_family, open_console_installation

from ordws.console.edition_pages import FORM_STATUSES, EditionPreview, PreviewRow, find_current_edition, preview_edition
from ordws.curation.decision import Ballot, Vote

AT = "2026-11-21T12:00:00Z"


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    queued = [
        make_family("REBASH", "REBASHED", pattern="RE- + verb", of="BASH"),
        make_family("REVLOG", pattern="RE- + verb", of="VLOG"),
        make_family("KOLO", "KOLOS"),
        make_family("DAMME", standing="flagged"),
        make_family("ZORIL"),
    ]
    with open_console_installation(tmp_path, queued) as installation:
        yield installation


def cast(installation: ConsoleInstallation, base: str, *votes: Vote) -> None:
    """Vote in the open round, each time as another curator."""
    number = installation.state.family_states[base].round.number
    for place, choice in enumerate(votes):
        ballot = Ballot(f"{base} {number} {place}", base, f"Curator {place}", choice, (), "", AT)
        with installation.state.appending([base]) as ledger:
            ledger.cast({"here": ballot}, installation.state.timestamp(), panel=3)


def links(installation: ConsoleInstallation) -> int:
    with installation.state.reading() as ledger:
        return ledger.last_link_number()


def look(installation: ConsoleInstallation, link: int = 0) -> EditionPreview:
    """Return the preview where the current edition was made at this link."""
    with installation.state.reading() as ledger:
        held = ledger.decisions_at(link, installation.state.family_states)
        return preview_edition(
            installation.state.family_states, installation.state.derivations, ledger.overrides(), held
        )


def test_forms_are_counted_by_standing_and_pattern(installation: ConsoleInstallation) -> None:
    """Every form at stake is counted once by its family's standing, and once by the pattern of its head."""
    cast(installation, "REBASH", "in", "in")
    cast(installation, "KOLO", "in", "out", "in")
    with installation.state.appending([]) as ledger:
        ledger.override("exclude", "REBASHED", reason="a misprint", keeper="Kay", at=AT)
    found = look(installation)
    assert FORM_STATUSES == ("in", "out", "contested", "open", "overridden")
    assert found.by_standing == [
        PreviewRow("borderline", [1, 0, 2, 2, 1], 6),
        PreviewRow("flagged", [0, 0, 0, 1, 0], 1),
    ]
    assert found.by_pattern == [
        PreviewRow("not derived", [0, 0, 2, 2, 0], 4),
        PreviewRow("RE- + verb", [1, 0, 0, 1, 1], 3),
    ]


def test_decisions_since_an_edition_are_counted(installation: ConsoleInstallation) -> None:
    """Only decisions after the edition count, against what held then.

    A flagged family that is voted in changes nothing.
    """
    cast(installation, "ZORIL", "in", "in")
    edition = links(installation)
    cast(installation, "REBASH", "in", "in")
    cast(installation, "DAMME", "in", "in")
    cast(installation, "REVLOG", "out", "out")
    cast(installation, "KOLO", "in", "out", "in")
    found = look(installation, edition)
    assert found.decided == Counter({"in": 2, "out": 1, "contested": 1})
    assert (found.coming, found.leaving) == (2, 0)
    assert look(installation).coming == 3
    assert look(installation, links(installation)).decided == Counter()


def test_leaving_forms_are_counted(installation: ConsoleInstallation) -> None:
    """A form that a re-opened or flagged family loses leaves; an overridden one does not."""
    cast(installation, "ZORIL", "in", "in")
    cast(installation, "REBASH", "in", "in")
    edition = links(installation)
    for base in ("ZORIL", "REBASH"):
        with installation.state.appending([base]) as ledger:
            ledger.reopen(base, "Kay", "new sources", AT)
    assert (look(installation, edition).leaving, look(installation, edition).again) == (0, 2)
    cast(installation, "ZORIL", "out", "out")
    cast(installation, "DAMME", "out", "out")
    cast(installation, "REBASH", "out", "out")
    with installation.state.appending([]) as ledger:
        ledger.override("add", "REBASHED", reason="in print", keeper="Kay", at=AT)
    found = look(installation, edition)
    assert (found.coming, found.leaving, found.again) == (0, 3, 0)


def test_a_class_reverted_since_is_counted(installation: ConsoleInstallation) -> None:
    """Families that a class had decided for the edition, and that are open again, are put back."""
    with installation.state.appending(["REBASH", "REVLOG"]) as ledger:
        ledger.adopt_class("re", "in", ["REBASH", "REVLOG"], "Kay", AT)
    edition = links(installation)
    with installation.state.appending(["REBASH", "REVLOG"]) as ledger:
        ledger.revert_class("re", "Kay", "the audit found errors", AT)
    found = look(installation, edition)
    assert found.decided == Counter({"put back": 2})
    assert (found.coming, found.leaving) == (0, 3)


def test_overrides_since_an_edition_are_counted(installation: ConsoleInstallation) -> None:
    """Overrides recorded after the edition are counted, liftings too."""
    for act, word in (("add", "ZAGS"), ("exclude", "ZORIL"), ("lift", "ZAGS")):
        with installation.state.appending([]) as ledger:
            ledger.override(act, word, reason="why", keeper="Kay", at=AT)  # type: ignore[arg-type]
    with installation.state.reading() as ledger:
        assert ledger.override_counts_since(1) == Counter({"add": 1, "exclude": 1, "lift": 1})
        assert ledger.override_counts_since(2) == Counter({"exclude": 1, "lift": 1})


def test_the_page_shows_counts_and_no_word(installation: ConsoleInstallation) -> None:
    """The page shows the preview as a table of counts, names the current edition, and no word."""
    keeper = installation.member("Kay", "keeper")
    assert "No edition has been sealed here." in keeper.get("/keeping/sealing").text
    cast(installation, "REBASH", "in", "in")
    record = {"edition": 4, "name": "ORDWS 2026", "counts": {"words in the edition": 9}, "links": 1, "recipe": "open"}
    installation.instance.build_record.write_text(json.dumps(record))
    installation.instance.sealed_edition.write_bytes(b"sealed")
    page = " ".join(keeper.get("/keeping/sealing").text.split())
    assert "Edition 4 (ORDWS 2026), since 2" in page
    assert "<dt>Families decided in</dt><dd>1</dd>" in page
    assert "<dt>Forms added by these decisions</dt><dd>2</dd>" in page
    assert '<th scope="row">RE- + verb</th><td>2</td><td>0</td><td>0</td><td>1</td><td>0</td><td>3</td>' in page
    for word in ("REBASH", "KOLO", "DAMME", "ZORIL"):
        assert word not in page


def test_a_damaged_build_record_shows_no_edition(installation: ConsoleInstallation) -> None:
    """With a damaged record of the last build the pages show no edition."""
    installation.instance.sealed_edition.write_bytes(b"sealed")
    for text in ("", "[]", '{"counts": {}}'):
        installation.instance.build_record.write_text(text)
        assert find_current_edition(installation.instance) is None
    assert installation.member("Kay", "keeper").get("/keeping").status_code == 200
