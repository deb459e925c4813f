"""The picture of the desk in docs/pictures: an open event in its third round, as its directors see it."""

from __future__ import annotations

from pathlib import Path
from random import Random

from desk_events import KEY, TestDesk
from playwright.sync_api import Browser, expect
from threaded_server import served_in_thread

from ordws.desk.app import create_app

NAMES = (
    "Ann Lee, Ben Ode, Cy Poe, Dee Ray, Eva Marsh, Finn O'Hara, Gus Nakamura, Hana Okafor, Ida Strøm, Jo Park,"
    " Kim Adeyemi, Lou Vance, Mia Castellanos, Ned Quill, Ola Brandt, Pia Rossi, Quentin Foss, Rae Lindqvist,"
    " Sam Tolliver, Tess Underhill, Uma Patel, Vic Zhang"
)


def draw_desk(chromium: Browser, folder: Path, picture: Path) -> None:
    """Draw the desk with a result half typed and four missing."""
    desk, chance = TestDesk(folder), Random(3)
    event = desk.event(NAMES.split(", "), rounds=8)
    for number in (1, 2, 3):
        event.publish()
        for pairing in event.state.last_round.pairings[: None if number < 3 else 7]:
            turns = [chance.randint(12, 14)] * 2
            points = [count * chance.randint(24, 35) for count in turns]
            sides = [
                f"{made + chance.randint(-9, 9)}:{made}/{count}" for made, count in zip(points, turns, strict=True)
            ]
            event.result(pairing.table, *sides)
        if number < 3:
            event.close_round()
    with served_in_thread(create_app(desk.desk)) as port:
        page = chromium.new_page(base_url=f"http://localhost:{port}", viewport={"width": 1280, "height": 880})
        page.request.post("/desk/sign-in", form={"name": "Dora", "key": KEY.director_key}, max_redirects=0)
        page.goto(f"/desk/{event.id}")
        page.locator("#line[data-ready]").wait_for()
        page.locator("#line-field").press_sequentially("9 412:398/13 371:380/13")
        expect(page.locator("#echo")).to_contain_text("Round 3, table 9")
        page.screenshot(path=picture)
