"""The page of flagged families, which are in unless members object."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console_installation import ConsoleInstallation, make_family, open_console_installation

FLAGGED = [make_family(base, base + "ED", standing="flagged") for base in ("BASH", "CRIMP", "FLOUT")]


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path / "instance", [*FLAGGED, make_family("ZORIL")]) as installation:
        for name in ("ann", "ben", "cleo"):
            installation.member(name)
        yield installation


def listed(installation: ConsoleInstallation, name: str) -> list[str]:
    page = installation.browser(name).get("/flagged").text
    return [base for base in ("BASH", "CRIMP", "FLOUT", "ZORIL") if f'value="{base}"' in page]


def test_flagged_families_are_one_page_and_an_objection_is_a_vote_against(installation: ConsoleInstallation) -> None:
    """Marked families get a vote against from the member, the others none; two objections decide a family out."""
    assert listed(installation, "ann") == ["BASH", "CRIMP", "FLOUT"]
    assert "BASHED" in installation.browser("ann").get("/flagged").text
    assert installation.browser("ann").form("/flagged", family=["BASH", "FLOUT"]).status_code == 303
    assert listed(installation, "ann") == ["CRIMP"]
    installation.browser("ben").form("/flagged", family=["FLOUT"])
    with installation.state.reading() as ledger:
        votes = sorted([(each.family, each.curator, each.vote) for each in ledger.ballots()])
        decisions = ledger.decisions()
    assert votes == [("BASH", "ann", "out"), ("FLOUT", "ann", "out"), ("FLOUT", "ben", "out")]
    assert {base: each.outcome for base, each in decisions.items()} == {"FLOUT": "out"}


def test_what_others_decide_is_listed_until_midnight(installation: ConsoleInstallation) -> None:
    """A family that others have decided stays on the page until the next day, and one that is not flagged never is."""
    for name in ("ann", "ben"):
        installation.browser(name).form("/flagged", family=["BASH", "ZORIL"])
    assert listed(installation, "cleo") == ["BASH", "CRIMP", "FLOUT"]
    installation.clock.now += 86_400
    assert listed(installation, "cleo") == ["CRIMP", "FLOUT"]
    with installation.state.reading() as ledger:
        assert {each.family for each in ledger.ballots()} == {"BASH"}
