"""From an invitation to a verdict over HTTP: a whole evening in real browsers, over authored dictionaries."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_process import ConsoleProcess
from free_ports import free_port
from http_replies import send, status_of
from keeper import Keeper
from panel_session import PanelSession
from playwright.sync_api import Browser as Chromium
from processes import server_process
from service_process import serve_command

from ordws.instance import Instance

pytestmark = pytest.mark.long

KEYS = {
    "BASH": {"ann": "j", "ben": "j", "chris": "j"},
    "KOLO": {"ann": "f", "ben": "f", "chris": "f"},
    "PUCKISH": {"ann": "j", "ben": "f", "chris": "j"},
    "PEACES": {"ann": "f", "ben": "f", "chris": "f"},
    "VLOG": {"ann": "fuj", "ben": "j", "chris": "j"},
}
"""The keys that each curator presses for each family; on VLOG ann presses the wrong key and takes it back."""
CHECKED = dict.fromkeys(("ann", "ben", "chris"), "f")
"""The keys for a family that others have decided, which is shown as a check and counts for nothing."""


@pytest.fixture
def evening(tmp_path: Path, chromium: Chromium) -> Iterator[PanelSession]:
    keeper = Keeper(tmp_path)
    keeper.key = keeper.types("ordws init").split("ordws_live_")[1].split()[0]  # type: ignore[attr-defined]
    keeper.build()
    vote_on_short_words(keeper)
    with ConsoleProcess(Instance(keeper.instance), "--sources", str(keeper.sources), HOME=str(tmp_path)) as console:
        evening = PanelSession(keeper, console, chromium)
        yield evening
        for page in evening.pages.values():
            page.context.close()


def test_an_evening_of_three_curators(evening: PanelSession) -> None:
    """A panel signs in, votes, undoes, contests, discusses and settles; a keeper seals, and the service follows."""
    evening.enrol_first_keeper("kay")
    for name, role in (("chris", "chair"), ("ann", "curator"), ("ben", "curator")):
        evening.invite("kay", name, role)
    evening.vote(lambda name, family: KEYS.get(family, CHECKED)[name], "ann", "ben", "chris")
    status = json.loads(evening.keeper.types("ordws curation status --json"))
    assert status["families"] == {"open": 0, "in": 2, "out": 2 + len(short_words(evening.keeper)), "contested": 1}
    evening.discuss("chris", "PUCKISH", ann="Shakespeare has it", ben="so he has")
    again: list[tuple[str, str]] = []

    def vote_in(name: str, family: str) -> str:
        again.append((name, family))
        return "j"

    evening.vote(vote_in, "ann", "ben", "chris")
    assert ("chris", "PUCKISH") not in again
    evening.seal("kay")
    assert evening.keeper.accepts("bash bashes bashed bashing vlog vlogs vlogged vlogging puckish word lovers")
    assert not evening.keeper.accepts("kolo")
    assert judge(evening.keeper, ["puckish", "bashing"], ["kolos"]) == [{"valid": True}, {"valid": False}]


def short_words(keeper: Keeper) -> list[str]:
    """Return the short words of the published lists that no dictionary has, each a family of the queue."""
    lines = keeper.types("ordws curation export --queue --format ndjson").splitlines()
    found = [json.loads(line) for line in lines]
    return [each["base"] for each in found if not any(one["witnesses"] for one in each["candidates"])]


def vote_on_short_words(keeper: Keeper) -> None:
    """Let two curators of another evening have voted out what no dictionary has: it would be two hundred cards."""
    words = short_words(keeper)
    assert len(words) > 100
    rows = [f"{word}-{name},{word},{name},out,,,2026-11-20T19:00:00Z" for word in words for name in ("dan", "eve")]
    path = keeper.instance.parent / "ballots.csv"
    path.write_text("\n".join(["id,family,curator,vote,forms,reason,at", *rows, ""]))
    keeper.types(f"ordws curation import {path}")


def judge(keeper: Keeper, *questions: list[str]) -> list[object]:
    """Return the replies of `POST /v1/judge` to these questions, from a service over this installation."""
    port = free_port()
    command = serve_command(keeper.instance, "--bind", f"127.0.0.1:{port}", "--workers", "1", "--metrics", "off")
    key = {"Authorization": f"Bearer ordws_live_{keeper.key}"}  # type: ignore[attr-defined]
    log = keeper.instance.parent / "service.log"
    with server_process([sys.executable, *command], log, lambda: status_of(port, "/readyz") == 200):
        return [send(port, "POST", "/v1/judge", {"words": words}, **key).json() for words in questions]
