"""A weekend: an open event from its first entry to its certificate, in browsers, with all that goes wrong at one.

`make tournament-weekend` runs it with 24 players and 8 rounds; `test_weekend.py` runs a shorter form. Two directors
have a window each, players their phones, and the desk is a process of its own. A late entry, a withdrawal, a no-show,
a result found wrong two rounds later, a botched draw, and a power cut in the middle of a round happen on the way.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from collections import Counter
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Self

from browser_windows import CHROMIUMS, SWITCHES, BrowserWindows
from click.testing import CliRunner, Result
from desk_windows import PHONE
from playwright.sync_api import BrowserType, Page, expect, sync_playwright
from pypdf import PdfReader
from weekend_desk import DeskProcess, KillableChromium

from ordws.cli import ordws
from ordws.desk.desk_key import DeskKey

SATURDAY = 1_795_251_600  # 21 November 2026, 09:00 UTC
ROUND_SECONDS = 55 * 60
NIGHT_SECONDS = 20 * 3600
FAMILY_NAMES = tuple("Abara Brandt Castell Duarte Eklund Foss Gallo Haddad Ibsen Jonas Kovacs Lind".split())  # noqa: SIM905
FIRST_NAMES = tuple(  # a name is more easily told from another in a line than in a column
    "Ann Ben Cleo Dev Eva Finn Gus Hana Ida Jo Kim Lou Mia Ned Ola Pia Quin Rae Sam Tess Uma Vic Wes Yara".split()  # noqa: SIM905
)


class Weekend:
    """The event, its two directors, its players, and what they have been told is done."""

    def __init__(self, browser_type: BrowserType, folder: Path, *, players: int, rounds: int) -> None:
        self.folder, self.count, self.rounds = folder, players, rounds
        self.file, self.clock, self.key = folder / "open.event", folder / "clock", folder / "desk.key"
        self.chance = Random(20261121)
        self.names = [f"{FIRST_NAMES[at]} {FAMILY_NAMES[(at * 5) % len(FAMILY_NAMES)]}" for at in range(players)]
        self.strength = {name: self.chance.gauss(28, 3) for name in self.names}
        self.told: dict[tuple[int, frozenset[str]], dict[str, tuple[int, int, int] | None]] = {}
        """The results that the desk has acknowledged: score, points and turns by name, None for who forfeited."""

        self.browser_type = browser_type
        self._write_clock(SATURDAY)
        made = self.ordws("new", str(self.file), "--name", "The Open", "--rounds", str(rounds), "--seed", "21")
        assert made.exit_code == 0, made.output
        self.desk = DeskProcess(self.file, self.key, self.clock)
        self.director_key = DeskKey.open(self.key).director_key
        self.lights = 0
        self.switch_on()

    # The hall: clock, power, windows.

    def switch_on(self) -> None:
        """Start a browser and open a window for each director, who follow the same link as before."""
        self.lights += 1
        path = next(found for name in CHROMIUMS if (found := shutil.which(name)))
        self.chromium = KillableChromium(path, SWITCHES, self.folder / f"profile{self.lights}")
        browser = self.browser_type.connect_over_cdp(self.chromium.address)
        self.windows = BrowserWindows(f"http://localhost:{self.desk.port}", browser, expected=[r"4(01|09|22)", "ERR_"])
        self.dora, self.max = self._open_window("Dora"), self._open_window("Max")

    def cut_the_power(self) -> None:
        """Kill everything, wherever it is, and switch it on again."""
        self.desk.kill()
        self.chromium.kill()
        self.desk.start()
        self.switch_on()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.chromium.kill()
        self.desk.stop()
        if kind is None:
            self.windows.check()

    def pass_time(self, seconds: int) -> None:
        self._write_clock(int(self.clock.read_text()) + seconds)

    def _write_clock(self, now: int) -> None:
        # Replaced whole, since the desk may read it at any moment.
        beside = self.clock.with_suffix(".new")
        beside.write_text(str(now))
        beside.rename(self.clock)

    def _open_window(self, name: str) -> Page:
        page = self.windows.window()
        page.goto("/desk/sign-in")
        page.get_by_label("Your name, for the log").fill(name)
        page.get_by_label("The key of this desk").fill(self.director_key)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/desk/open")
        return page

    # What directors do.

    def type_lines(self, page: Page, *lines: str, said: str) -> None:
        """Type lines one after the other, and wait for what is said of the last."""
        page.locator("#line[data-ready]").wait_for()
        field = page.locator("#line-field")
        for line in lines:
            field.fill(line)
            field.press("Enter")
        # One or the other comes; a refusal is read as the failure that it is.
        expect(page.locator("#said:not(:empty), #line .refusal:not(:empty)").first).to_contain_text(said)

    def result_line(self, number: int, pairing: dict[str, Any]) -> str:
        """Return the line of a result drawn by the strength of the two, and note it as told."""
        sides = {}
        turns = self.chance.randint(11, 15)
        for name in (pairing["first"], pairing["second"]):
            points = round(turns * (self.strength[name] + self.chance.gauss(0, 3)))
            sides[name] = (points + self.chance.randint(-12, 12), points, turns)
        self.told[number, frozenset(sides)] = sides
        figures = " ".join(f"{score}:{points}/{turns}" for score, points, turns in sides.values())
        return f"{pairing['table']} {figures}"

    def publish(self, number: int) -> list[dict[str, Any]]:
        """Draft, look, publish; return the pairings as everybody sees them."""
        self.dora.goto("/desk/open/draft")
        expect(self.dora.get_by_role("heading", name=f"Draft of round {number}")).to_be_visible()
        drafted: list[dict[str, Any]] = self.dora.request.get("/desk/open/draft.json").json()["pairings"]
        self.dora.get_by_role("button", name=f"Publish round {number}").click()
        expect(self.dora.get_by_role("heading", name=f"Round {number} of {self.rounds}")).to_be_visible()
        expect(self.max.get_by_role("heading", name=f"Round {number} of {self.rounds}")).to_be_visible()
        return drafted

    def enter_results(self, number: int, pairings: list[dict[str, Any]]) -> None:
        """Have both directors type results at once, every other table each, and wait until the desk has them."""
        for page, share in ((self.dora, pairings[::2]), (self.max, pairings[1::2])):
            lines = [self.result_line(number, pairing) for pairing in share]
            if lines:
                self.type_lines(page, *lines, said=f"Round {number}, table {share[-1]['table']}:")

    def play(self, number: int) -> None:
        """Play a round without an incident."""
        self.enter_results(number, self.publish(number))
        self.pass_time(ROUND_SECONDS)

    # The weekend.

    def run(self) -> None:
        self.enter_and_check_in()
        self.first_round_with_phones_and_a_late_entry()
        self.second_round_with_a_no_show()
        self.botched_draw(3)
        self.power_cut(4)
        self.second_morning()
        for number in range(5, self.rounds + 1):
            if number == 5:
                self.wrong_result_found_two_rounds_later(5)
            else:
                self.play(number)
        self.finish()

    def enter_and_check_in(self) -> None:
        """Paste all names but the last, with a double that is not entered; check in by hand, by card and by phone."""
        self.late = self.names[-1]
        pasted = self.names[:-1]
        page = self.dora
        page.goto("/desk/open/players")
        field = page.get_by_label("A name a line, typed or pasted")
        field.fill("\n".join([*pasted, pasted[0] + "e"]))
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(page.locator("#enter .refusal")).to_contain_text("looks like")
        field.fill("\n".join(pasted))
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(page.locator("#said")).to_contain_text(f"{len(pasted)} players are entered.")
        page.goto("/desk/open/entry-cards")
        page.get_by_role("button", name="Make the cards").click()
        expect(page.locator(".cards li")).to_have_count(len(pasted))
        cards = page.locator(".cards li").all_inner_texts()
        self.codes = {text.split("\n")[0]: re.findall(r"\w{4}-\w{4}-\w{4}", text)[0] for text in cards}
        assert sorted(self.codes) == sorted(pasted)
        self.phone = self.open_phone(pasted[0])
        self.phone.get_by_role("button", name="I am here").tap()
        expect(self.phone.get_by_role("heading", name="You are checked in")).to_be_visible()
        card = f"http://localhost:{self.desk.port}/tournament/open#code={self.codes[pasted[1]]}"
        self.type_lines(self.max, card, said=f"{pasted[1]} is checked in.")
        self.type_lines(self.max, "in all", said="are checked in.")
        self.dora.goto("/desk/open")

    def open_phone(self, name: str) -> Page:
        phone = self.windows.window(**PHONE)
        phone.goto(f"/tournament/open#code={self.codes[name]}")
        expect(phone.locator(".mine")).to_contain_text(name)
        return phone

    def first_round_with_phones_and_a_late_entry(self) -> None:
        """Two players tell their result by phone; somebody late plays the one who had the bye."""
        pairings = self.publish(1)
        mine = next(each for each in pairings if self.names[0] in (each["first"], each["second"]))
        other = mine["second"] if mine["first"] == self.names[0] else mine["first"]
        self.result_line(1, mine)
        sides = self.told[1, frozenset((self.names[0], other))]
        self.phone.locator("#telling-1 summary").tap()
        for side, name in (("mine", self.names[0]), ("theirs", other)):
            for what, figure in zip(("score", "points", "turns"), sides[name] or (), strict=True):
                self.phone.locator(f"#{side}-{what}-1").fill(str(figure))
        self.phone.get_by_role("button", name="Tell the result").tap()
        theirs = self.open_phone(other)
        theirs.get_by_role("button", name="That is right").tap()
        expect(theirs.locator("#mine")).to_contain_text(re.compile("won|lost|tied"))
        self.enter_results(1, [each for each in pairings if each is not mine])
        bye = json.loads(self.ordws("pairings", str(self.file), "--json").stdout)["bye"]
        self.type_lines(self.max, f"enter {self.late}", said="is entered")
        self.type_lines(self.max, f"late {self.late}", said=f"plays {bye}, who had the bye")
        late_pairing = self.published(1)[-1]
        assert {late_pairing["first"], late_pairing["second"]} == {self.late, bye}
        # Until her window shows the new table, Dora's line about it would be a conflict.
        expect(self.dora.locator(f"#row-1-{late_pairing['table']}-1")).to_be_visible()
        self.enter_results(1, [late_pairing])
        self.pass_time(ROUND_SECONDS)

    def second_round_with_a_no_show(self) -> None:
        """Somebody does not come and forfeits, and withdraws for good; two directors enter one table at once."""
        pairings = self.publish(2)
        table = pairings[0]
        self.gone = table["second"]
        self.told[2, frozenset((table["first"], self.gone))] = {table["first"]: (0, 0, 0), self.gone: None}
        self.type_lines(self.dora, f"{table['table']} forfeit second", said=f"{self.gone} forfeited.")
        contested = self.result_line(2, pairings[1])
        # Both begin to type before either has sent: the second is told who was faster, and loses nothing typed.
        self.max.locator("#line[data-ready]").wait_for()
        self.max.locator("#line-field").press_sequentially(f"{pairings[1]['table']} 399:390/13 371:365/13")
        self.type_lines(self.dora, contested, said=f"table {pairings[1]['table']}:")
        self.max.locator("#line-field").press("Enter")
        expect(self.max.locator("#line .refusal")).to_contain_text("was keyed in, by Dora")
        expect(self.max.locator("#line-field")).to_have_value(f"{pairings[1]['table']} 399:390/13 371:365/13")
        self.enter_results(2, pairings[2:])
        self.type_lines(self.max, f"withdraw {self.gone} because did not come", said="has withdrawn")
        self.pass_time(ROUND_SECONDS)

    def botched_draw(self, number: int) -> None:
        """A round goes out with somebody who has gone home; it is voided, and drawn again without who has begun."""
        pairings = self.publish(number)
        home = pairings[-1]["first"]
        self.enter_results(number, pairings[:1])
        began = frozenset((pairings[0]["first"], pairings[0]["second"]))
        del self.told[number, began]  # the game of a voided round does not count
        # Until Dora's window has followed, the table with the button may be replaced under her click.
        expect(self.dora.locator(f"#row-{number}-{pairings[0]['table']}-1")).not_to_have_class("missing")
        self.dora.get_by_role("button", name=f"Void round {number}").click()
        dialog = self.dora.get_by_role("dialog", name=f"Void round {number}")
        dialog.get_by_label("Reason").fill("a player had gone home")
        dialog.get_by_role("button", name="Void the round").click()
        expect(self.dora.locator("#said")).to_contain_text("is void and is drawn again")
        self.type_lines(self.dora, f"out {home}", said="is not paired until checked in again")
        again = self.publish(number)
        assert home not in {name for each in again for name in (each["first"], each["second"])}
        assert began not in {frozenset((each["first"], each["second"])) for each in again}
        self.enter_results(number, again)
        self.type_lines(self.max, f"in {home}", said="is checked in.")
        self.pass_time(ROUND_SECONDS)

    def power_cut(self, number: int) -> None:
        """In the middle of a round everything is killed; what was acknowledged is there, what was not is sent."""
        pairings = self.publish(number)
        half = len(pairings) // 2
        self.enter_results(number, pairings[:half])
        before = self.ordws("history", str(self.file)).stdout
        self.cut_the_power()
        assert self.ordws("history", str(self.file)).stdout == before
        expect(self.dora.get_by_role("heading", name=f"Missing: {len(pairings) - half}")).to_be_visible()
        # The desk alone goes down: what is typed meanwhile waits on the page, and is sent when the desk is back.
        self.desk.kill()
        line = self.result_line(number, pairings[half])
        self.dora.locator("#line-field").fill(line)
        self.dora.locator("#line-field").press("Enter")
        expect(self.dora.locator("#unsent")).to_contain_text("is not saved yet")
        self.desk.start()
        expect(self.dora.locator("#said")).to_contain_text(f"table {pairings[half]['table']}:")
        self.enter_results(number, pairings[half + 1 :])
        self.pass_time(ROUND_SECONDS)

    def second_morning(self) -> None:
        """On Sunday the directors' sessions are over: they sign in beside their windows, which keep what was typed."""
        self.pass_time(NIGHT_SECONDS)
        self.type_lines(self.dora, f"out {self.late}", said="sign in again, in another tab: what you typed stays here")
        expect(self.dora.locator("#line-field")).to_have_value(f"out {self.late}")
        for page, name in ((self.dora, "Dora"), (self.max, "Max")):
            form = {"name": name, "key": self.director_key}
            headers = {"Origin": self.windows.url}
            csrf = page.locator("meta[name=csrf]").get_attribute("content")
            signed_in = page.request.post(
                "/desk/sign-in", form={**form, "csrf": csrf}, headers=headers, max_redirects=0
            )
            assert signed_in.status == 303
            expect(page.locator("meta[name=csrf]")).not_to_have_attribute("content", csrf or "")
        self.dora.locator("#line-field").press("Enter")
        expect(self.dora.locator("#said")).to_contain_text("is not paired until checked in again")
        self.type_lines(self.dora, f"in {self.late}", said="is checked in.")

    def wrong_result_found_two_rounds_later(self, number: int) -> None:
        """While a round is played, a result of two rounds ago turns out wrong; the round stays as it is."""
        pairings = self.publish(number)
        wrong = next(each for each in self.published(number - 2) if each["first"] != self.gone)
        pair = frozenset((wrong["first"], wrong["second"]))
        right = {wrong["first"]: (300, 305, 13), wrong["second"]: (444, 440, 13)}
        self.told[number - 2, pair] = right
        figures = "300:305/13 444:440/13"
        line = f"correct r{number - 2} {wrong['table']} {figures} because the scores were swapped"
        self.type_lines(self.max, line, said="Corrected.")
        assert self.published(number) == [{key: each[key] for key in ("table", "first", "second")} for each in pairings]
        self.enter_results(number, pairings)
        self.pass_time(ROUND_SECONDS)

    def finish(self) -> None:
        """Close, finish, print the certificate, and check everything by other means than the desk's."""
        self.type_lines(self.dora, "close", said=f"Round {self.rounds} is closed.")
        self.type_lines(self.dora, "finish", said="The event is over.")
        self.dora.goto("/desk/open/print/certificate")
        text = "".join(page.extract_text() for page in PdfReader(BytesIO(self.dora.pdf())).pages)
        certificate = json.loads(self.ordws("certificate", str(self.file), "--json").stdout)
        assert certificate["digest"] in "".join(text.split()), text
        verified = self.ordws("verify", str(self.file))
        assert verified.exit_code == 0, verified.output
        self.certificate = certificate
        self.check()

    # What must be true at the end.

    def check(self) -> None:
        """Compare the standings with those that follow from what was acknowledged, and the rounds with their rules."""
        wins: Counter[str] = Counter()
        games: Counter[str] = Counter()
        points: Counter[str] = Counter()
        turns: Counter[str] = Counter()
        for sides in self.told.values():
            (one, a), (other, b) = sides.items()
            games.update([*sides])
            if a is None or b is None:
                wins[one if b is None else other] += 2
                continue
            for name, figures in sides.items():
                points[name] += figures[1]
                turns[name] += figures[2]
            wins[one] += 1 + (a[0] > b[0]) - (a[0] < b[0])
            wins[other] += 1 + (b[0] > a[0]) - (b[0] < a[0])
        keys = {
            name: (Fraction(wins[name], 2 * games[name] or 1), Fraction(points[name], turns[name] or 1))
            for name in self.names
        }
        expected = [(1 + sum(key > keys[name] for key in keys.values()), name) for name in self.names]
        lines = [json.loads(line) for line in self.ordws("standings", str(self.file), "--json").stdout.splitlines()]
        assert sorted((line["rank"], line["name"]) for line in lines) == sorted(expected)
        assert {line["name"]: line["games"] for line in lines} == {name: games[name] for name in self.names}
        met = Counter(pair for number, pair in self.told if None not in self.told[number, pair].values())
        assert max(met.values()) == 1 or self.certificate["repeats"] == sum(times - 1 for times in met.values())
        assert not [pair for number, pair in self.told if number > 2 and self.gone in pair]
        times = [json.loads(line)["at"] for line in self.ordws("history", str(self.file), "--json").stdout.splitlines()]
        assert times[1:] == sorted(times[1:])  # the command that made the event has no virtual clock

    def published(self, number: int) -> list[dict[str, Any]]:
        """Return the pairings of a round as they were published."""
        done = self.ordws("pairings", str(self.file), str(number), "--json")
        row = json.loads(done.stdout)
        return [{key: each[key] for key in ("table", "first", "second")} for each in row["pairings"]]

    def ordws(self, *arguments: str) -> Result:
        """Run a command on the file, beside the desk."""
        return CliRunner().invoke(ordws, ["tournament", *arguments], catch_exceptions=False)


def main() -> None:
    """Run the whole weekend and say how long it took and what the certificate says."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        expect.set_options(timeout=30_000)
        with Weekend(playwright.chromium, Path(folder), players=24, rounds=8) as weekend:
            weekend.run()
    print(f"24 players, 8 rounds, {len(weekend.told)} games in {time.monotonic() - began:.0f} s")  # noqa: T201
    print(json.dumps(weekend.certificate))  # noqa: T201


if __name__ == "__main__":
    main()
