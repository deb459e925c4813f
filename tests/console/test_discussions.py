"""Contested families: discussed with all reasons shown, then voted on blind once more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console_installation import AT, Browser, ConsoleInstallation, make_family, open_console_installation

from ordws.console.state import eligible_voters
from ordws.curation.acts import Recused
from ordws.curation.decision import Ballot, Vote

NAMES = ("ann", "ben", "cleo", "dora", "emil")


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(
        tmp_path / "instance", [make_family("ZORIL", "ZORILS"), make_family("BASH")]
    ) as installation:
        yield installation


@pytest.fixture
def chair(installation: ConsoleInstallation) -> Browser:
    return installation.member("chris", "chair")


def vote(installation: ConsoleInstallation, base: str, *votes: Vote, reason: str = "heard of it") -> None:
    with installation.state.appending([base]) as ledger:
        for number, each in enumerate(votes):
            id = f"{base}-{len(ledger.ballots())}"
            ledger.cast({id: Ballot(id, base, NAMES[number], each, (), reason, AT)}, AT)


def contest(installation: ConsoleInstallation, reason: str = "heard of it") -> None:
    vote(installation, "ZORIL", "in", "out", "in", "out", "in", reason=reason)


def test_the_chair_opens_a_discussion(installation: ConsoleInstallation, chair: Browser) -> None:
    """Curators see a contested family, with its votes and reasons, once the chair has opened its discussion."""
    ann = installation.member("ann")
    contest(installation)
    assert "ZORIL" not in ann.get("/discussions").text
    assert ann.get("/discussions/ZORIL").status_code == 404
    assert "ZORIL" in chair.get("/discussions").text
    assert chair.form("/discussions/ZORIL/open").status_code == 303
    page = ann.text("/discussions/ZORIL")
    assert page.count("heard of it") == 5
    assert not [name for name in ("ben", "cleo", "dora", "emil") if name in page]


def test_a_comment_is_shown_without_its_author(installation: ConsoleInstallation, chair: Browser) -> None:
    """A comment is shown without its author, and a script in it as text."""
    ann, ben = installation.member("ann"), installation.member("ben")
    contest(installation)
    chair.form("/discussions/ZORIL/open")
    assert ann.form("/discussions/ZORIL/say", text="<script>alert(1)</script> zoos").status_code == 303
    page = ben.text("/discussions/ZORIL")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; zoos" in page
    assert "ann" not in page


def test_a_second_vote_ends_it(installation: ConsoleInstallation, chair: Browser) -> None:
    """After the discussion the family is open and blind again; its page shows the first round alone."""
    ann = installation.member("ann")
    contest(installation, reason="a zoo has two")
    chair.form("/discussions/ZORIL/open")
    assert chair.form("/discussions/ZORIL/vote").status_code == 303
    assert installation.state.family_states["ZORIL"].is_open
    assert "ZORIL" not in chair.get("/discussions").text
    vote(installation, "ZORIL", "out", reason="second thoughts")
    page = ann.get("/discussions/ZORIL").text
    assert (page.count("a zoo has two"), "second thoughts" in page, "<button>Post<" in page) == (5, False, False)
    with installation.state.appending(["ZORIL"]) as ledger:
        ledger.retract("ZORIL-5", "ann", AT)
    vote(installation, "ZORIL", "in", "in")
    assert installation.state.family_states["ZORIL"].decision.outcome == "in"  # type: ignore[union-attr]


@pytest.mark.parametrize("path", ["open", "vote"])
def test_only_the_chair_leads(installation: ConsoleInstallation, path: str) -> None:
    """Neither a curator nor a keeper can open or end a discussion."""
    contest(installation)
    for member in (installation.member("ann"), installation.member("kay", "keeper")):
        assert member.form(f"/discussions/ZORIL/{path}").status_code == 403
    assert not installation.state.family_states["ZORIL"].is_discussed


def test_only_a_family_under_discussion_takes_comments(installation: ConsoleInstallation, chair: Browser) -> None:
    """Open, decided and unknown families have no page of discussion and take no comment."""
    vote(installation, "BASH", "in", "in")
    for base in ("ZORIL", "BASH", "NOSUCH"):
        assert chair.get(f"/discussions/{base}").status_code == 404
        assert chair.form(f"/discussions/{base}/say", text="well").status_code == 404
    assert chair.form("/discussions/ZORIL/open").status_code == 409


def test_an_empty_contribution_is_refused(installation: ConsoleInstallation, chair: Browser) -> None:
    """An empty comment is refused, and nothing is appended."""
    contest(installation)
    chair.form("/discussions/ZORIL/open")
    assert chair.form("/discussions/ZORIL/say", text=" ").status_code == 409
    assert installation.state.family_states["ZORIL"].comments == ()


@pytest.mark.parametrize(("votes", "outcome"), [(("in", "out"), "contested"), (("in", "in"), "in")])
def test_a_second_vote_ends_without_the_chair(
    installation: ConsoleInstallation, chair: Browser, votes: tuple[Vote, Vote], outcome: str
) -> None:
    """In a panel of three the two others decide the second round; a family that they split stays out."""
    for name in ("ann", "ben"):
        installation.member(name)
    vote(installation, "ZORIL", "in", "out", "in", "out", "in")
    chair.form("/discussions/ZORIL/open")
    chair.form("/discussions/ZORIL/vote")
    with installation.state.appending(["ZORIL"]) as ledger:
        for name, each in zip(("ann", "ben"), votes, strict=True):
            ballot = Ballot(name, "ZORIL", name, each, (), "", AT)
            ledger.cast({name: ballot}, AT, panel=installation.state.panel_size("ZORIL"))
    family_state = installation.state.family_states["ZORIL"]
    assert (family_state.is_open, family_state.is_contested) == (False, False)
    assert family_state.decision is not None
    assert family_state.decision.outcome == outcome


def test_the_panel_of_a_family_excludes_recused_members(installation: ConsoleInstallation, chair: Browser) -> None:
    """A recused member, and the chair in a second round, do not count to the panel of a family."""
    for name in ("ann", "ben", "cleo", "dora"):
        installation.member(name)
    assert [installation.state.panel_size(), installation.state.panel_size("BASH")] == [5, 5]
    with installation.state.appending(["BASH"]) as ledger:
        ledger.append_acts([("BASH", Recused())], "ann", AT)
    assert installation.state.panel_size("BASH") == 4
    contest(installation)
    chair.form("/discussions/ZORIL/open")
    chair.form("/discussions/ZORIL/vote")
    assert installation.state.panel_size("ZORIL") == 4
    assert eligible_voters(installation.state.accounts.voters(), installation.state.family_states["ZORIL"]) == {
        "ann",
        "ben",
        "cleo",
        "dora",
    }
