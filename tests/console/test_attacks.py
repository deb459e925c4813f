"""Attacks on the console, by members and by strangers, that must fail."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_installation import AT, HOST, ConsoleInstallation, families, make_family, open_console_installation
from sign_in_helpers import AnonymousBrowser

from ordws.console.accounts import MAX_INCIDENTS_A_DAY
from ordws.curation.acts import CheckAnswered
from ordws.curation.decision import Ballot, Vote


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(
        tmp_path / "instance", [make_family("BASH"), make_family("ZORIL"), *families(10)]
    ) as installation:
        yield installation


def cast(installation: ConsoleInstallation, base: str, **votes: Vote) -> None:
    for name, vote in votes.items():
        with installation.state.appending([base]) as ledger:
            ledger.cast({name: Ballot(f"{base}-{name}", base, name, vote, (), "", AT)}, AT)


def test_votes_on_families_decided_by_a_class_are_not_exported(installation: ConsoleInstallation) -> None:
    """Votes on a family that a class decided are not exported: reverting the class would open it again."""
    keeper = installation.member("kay", "keeper")
    cast(installation, "BASH", ann="in")
    with installation.state.appending(["BASH"]) as ledger:
        ledger.adopt_class("re-verb", "in", ["BASH"], "kay", AT)
    assert not installation.state.family_states["BASH"].is_open
    assert "ann" not in keeper.get("/keeping/exchange/ballots.csv").text


def test_recusing_retracts_earlier_votes(installation: ConsoleInstallation) -> None:
    """Recusing retracts the curator's earlier votes on the family."""
    ann = installation.member("ann")
    (card, *_) = ann.api("/api/cards").json["cards"]
    vote = {"card": card["id"], "ballot": str(uuid.uuid4()), "vote": "in", "seconds": 3.0}
    assert ann.api("/api/votes", **vote).status_code == 200
    assert ann.api("/api/recuse", card=card["id"], reason="my own recipe").status_code == 200
    family_state = installation.state.family_states[card["head"]]
    assert (family_state.ballots, family_state.recused) == ((), {"ann"})


def test_undo_does_not_tell_a_check_on_a_decided_family(installation: ConsoleInstallation) -> None:
    """The answer to a check on a decided family is undone as a vote is, and its card comes back."""
    ann = installation.member("ann")
    cast(installation, "BASH", ben="in", cleo="in")
    id = str(uuid.uuid4())
    with installation.state.appending(["BASH"]) as ledger:
        known = CheckAnswered(id=id, purpose="known", vote="out")
        ledger.append_acts([("BASH", known)], "ann", installation.state.timestamp())
    assert ann.api("/api/undo", ballot=id).json["undone"] is True
    assert not installation.state.family_states["BASH"].is_open


@pytest.mark.parametrize("path", ["/api/invitation/challenge", "/api/invitation", "/api/sign-in"])
@pytest.mark.parametrize(
    "body", [b'{"token": "\\ud800", "id": "\\ud800"}', b"[" * 16_000, b'{"id":' * 2_700, b"\xff", b""]
)
def test_a_malformed_body_is_a_bad_request(installation: ConsoleInstallation, path: str, body: bytes) -> None:
    """Half a character, or a body that nests without end, is a bad request and not a fault."""
    headers = {"Origin": HOST, "Content-Type": "application/json"}
    reply = AnonymousBrowser(installation).http.post(path, data=body, base_url=HOST, headers=headers)
    assert reply.status_code == 400


def test_one_member_does_not_fill_the_disk(installation: ConsoleInstallation) -> None:
    """The refused requests of one member are recorded up to a limit a day."""
    accounts = installation.state.accounts
    for member in ("ann", "ben"):
        for _ in range(MAX_INCIDENTS_A_DAY + 5):
            accounts.record_incident("forged", member, installation.clock.now)
    assert [each.count for each in accounts.incident_counts()] == [2 * MAX_INCIDENTS_A_DAY]


def test_addresses_of_one_ipv6_64_nominate_as_one(installation: ConsoleInstallation) -> None:
    """All addresses of one IPv6 /64 together may nominate as often as one other address."""
    answers = []
    for number in range(8):
        environ = {"REMOTE_ADDR": f"2001:db8::{number + 1:x}"}
        reply = AnonymousBrowser(installation).http.post(
            "/nominate",
            data={"word": f"word{'a' * number}"},
            base_url=HOST,
            headers={"Origin": HOST},
            environ_base=environ,
        )
        answers.append(reply.status_code)
    assert answers == [202] * 6 + [429] * 2
