"""Games whose tables stand in browser windows: opened with a key, joined by links, and dealt as a test wrote."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from page_fixtures import Tables
from playwright.sync_api import expect
from sealed_game import COMMON_WORDS, install_edition
from service_process import ServiceProcess
from small_installation import NOON, SmallInstallation, build_installation
from table_page import Move, TablePage

SERVICE: Final = Path(__file__).with_name("dealing_service.py")
MORE_WORDS: Final = ("HEATS",)
IN_REFERENCE_ALONE: Final = ("HEATED",)
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan")
THREE_BLANKS: Final = "H???SOXATEEDSRNNNNAAAIIIOOOEEERRR"
"""Ann has a word of blanks, Ben the letters for all of them."""
PLAIN: Final = "HEATSIXTILEONSNNNNAAAIIIOOOEEERRR"
_number: Final = itertools.count()


@contextmanager
def table_installation(folder: Path, settings: str = "") -> Iterator[SmallInstallation]:
    """Build an installation whose edition has common words, and whose players' reference has one more."""
    with build_installation(folder / "instance") as installation:
        words = (*COMMON_WORDS, *MORE_WORDS)
        install_edition(installation, words, number=2, core=words, reference=(*words, *IN_REFERENCE_ALONE))
        if settings:
            installation.instance.settings.write_text(settings, "utf-8")
        yield installation


def run_dealing_service(installation: SmallInstallation, folder: Path, *options: str) -> ServiceProcess:
    """Start the service; its folder has the files `deal`, of what it deals, and `ahead`, of how far its clock is so."""
    deal, ahead = folder / "deal", folder / "ahead"
    deal.write_text("", "ascii")
    ahead.write_text("0", "ascii")
    command = [SERVICE, "--instance", installation.instance.root, "serve", "--workers", "2", "--metrics", "off"]
    listening = options or ("--bind", "127.0.0.1:0")
    written = {"ORDWS_TEST_DEAL": str(deal), "ORDWS_TEST_AHEAD": str(ahead)}
    return ServiceProcess(folder, installation.key, [*command, *listening], **written)


class TableGame:
    """A game with the windows of its seats, which are at the table."""

    def __init__(self, game: str, tables: list[TablePage]) -> None:
        self.id, self.tables = game, tables

    def standing(self, seat: int) -> dict[str, Any]:
        """Return the standing as a seat gets it, and wait until its window shows it."""
        standing = self.fetch(seat)
        self.tables[seat].expect_turn(standing["turn"])
        return standing

    def fetch(self, seat: int, path: str = "") -> dict[str, Any]:
        reply: dict[str, Any] = self.tables[seat].page.evaluate(
            "async (path) => (await fetch(path, { cache: 'no-store' })).json()", f"/v1/games/{self.id}{path}"
        )
        return reply

    def record(self) -> str:
        """Return the record of the finished game (GCG)."""
        text: str = self.tables[0].page.evaluate(
            "async (path) => (await fetch(path, { headers: { Accept: 'text/plain' } })).text()", f"/v1/games/{self.id}"
        )
        return text

    def make(self, seat: int, move: Move, standing: dict[str, Any] | None = None) -> dict[str, Any]:
        """Make a move in the window of a seat, wait until all windows show it, and return the standing.

        `standing` is that before the move, where it is known and shown already.
        """
        turn = (standing or self.standing(seat))["turn"] + 1
        table = self.tables[seat]
        table.make(move)
        expect(table.page.locator(f".play-table[data-turn='{turn}'], .final").first).to_be_visible()
        standing = self.fetch(seat)
        for other in self.tables if standing["phase"] != "over" else ():
            other.expect_turn(turn)
        return standing


class TableGames:
    """The games of a service in browser windows, how they are dealt, and the service's clock."""

    def __init__(self, tables: Tables, deal: Path) -> None:
        self.tables, self.deal, self.ahead = tables, deal, deal.with_name("ahead")

    def pass_time(self, seconds: int) -> None:
        """Move the service's clock on."""
        moved = self.ahead.with_suffix(".new")
        moved.write_text(str(int(self.ahead.read_text("ascii")) + seconds), "ascii")
        moved.rename(self.ahead)

    def open(
        self, rules: str, *kinds: type[TablePage], order: str = "", clock: int | None = None, **options: str
    ) -> TableGame:
        """Open a game for windows of these kinds, whose bag holds the tiles of `order`, and take it to its table."""
        self.deal.write_text(order, "ascii")
        key = self.tables.installation.register.add(f"opener {next(_number)}", "home", NOON - 40 * 86_400)
        scoop = {"scoop": str(len(order))} if order else {}
        seats = [{"player": name} for name in NAMES[: len(kinds)]]
        body = {"rules": rules, "options": {**scoop, **options}, "clock": clock, "seats": seats, "invitations": True}
        opened = self._post(key, body)
        windows = []
        for seat, name, kind in zip(opened["seats"], NAMES, kinds, strict=False):
            table = kind(self.tables.plain_window(**kind.window))
            table.page.goto(f"/play/{opened['game']}#seat={seat['invitation']}")
            table.take_seat(name)
            windows.append(table)
        for table in windows:
            table.promise()
        for table in windows:
            expect(table.whole).to_be_visible()
        return TableGame(opened["game"], windows)

    def _post(self, key: str, body: Mapping[str, Any]) -> dict[str, Any]:
        service = self.tables.service
        service.key = key
        status, reply = service.request("POST", "/v1/games", json.dumps(body))
        assert status == 201, reply
        opened: dict[str, Any] = json.loads(reply)
        return opened
