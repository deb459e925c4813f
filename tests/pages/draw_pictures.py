"""Draw the pictures of the pages in docs/pictures: `make pictures`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

from browser_windows import CHROMIUMS, SWITCHES
from draw_desk import draw_desk
from home_page import open_home
from judge_page import judge, paired
from page_fixtures import Tables
from play_page import PEPPER, Players, promise, resign
from playwright.sync_api import sync_playwright
from sealed_game import COMMON_WORDS, Player
from small_installation import NOON, WORDS, build_installation
from table_games import TableGame, run_dealing_service
from table_page import PhoneTablePage, TablePage

from ordws.identity.play_links import PlayLinks
from ordws.rules.bag import pool
from ordws.rules.ruleset import RULE_SETS

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
FRONT = {"width": 1200, "height": 800}
REFERENCE = {"width": 1280, "height": 800}
TABLET = {"width": 720, "height": 480}
PHONE = {"width": 360, "height": 640}
PLAYING_PHONE = {"width": 390, "height": 844}
PLAYING_DESKTOP = {"width": 1280, "height": 800}
GAME_RULES = "scrabble-o"
DEAL = 3
TURNS = 8


def main() -> None:
    """Start a service with a club, and draw its pages in a browser."""
    with tempfile.TemporaryDirectory() as name, build_installation(Path(name) / "instance") as installation:
        installation.key = installation.register.add("club", "operator", NOON - 40 * 86_400)
        installation.register.verify("club", NOON)
        installation.deliver(*{*WORDS, *COMMON_WORDS}, number=2)
        # The deal is written, so that the game is the same in every drawing.
        service = run_dealing_service(installation, Path(name))
        (Path(name) / "deal").write_text("".join(Random(DEAL).sample(pool(RULE_SETS[GAME_RULES]), 100)), "ascii")
        with ExitStack() as ends, sync_playwright() as playwright:
            ends.callback(service.stop)
            path = next(found for each in CHROMIUMS if (found := shutil.which(each)))
            chromium = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
            tables = Tables(f"http://localhost:{service.port}", chromium, installation=installation, service=service)
            draw(tables)
            draw_game(tables)
            draw_desk(chromium, Path(name) / "events", PICTURES / "tournament-desk.png")
            tables.close()
            chromium.close()


def draw(tables: Tables) -> None:
    """Draw each page as its readers meet it."""
    front = tables.plain_window(viewport=FRONT)
    front.goto("/")
    front.get_by_label("One word, or all words of a play").fill("lovers")
    front.get_by_label("Your client key").fill(tables.installation.key)
    front.get_by_role("button", name="Judge").click()
    front.get_by_role("status").get_by_text("Acceptable", exact=True).wait_for()
    front.screenshot(path=PICTURES / "front.png")

    reference = tables.plain_window(viewport=REFERENCE)
    reference.goto("/docs#answer-question")
    reference.screenshot(path=PICTURES / "reference.png")

    tablet = paired(tables.service).open(tables, viewport=TABLET)
    judge(tablet, "REVOTE", "LOVERS")
    tablet.screenshot(path=PICTURES / "judge.png")

    home = open_home(tables, viewport=PHONE)
    home.choose(source="own")
    home.ask("BASHINGS")
    home.say("nyy")
    home.page.evaluate("scrollTo(0, 0)")
    home.page.screenshot(path=PICTURES / "home.png")


def draw_game(tables: Tables) -> None:
    """Draw a game on a phone and on a desktop: the table, and the result."""
    with closing(PlayLinks.open(tables.installation.instance.clients, PEPPER)) as links:
        players = Players(tables, links.add(NOON))
    ann = players.lobby(viewport=PLAYING_PHONE)
    ann.get_by_label("Rule set").select_option(GAME_RULES)
    players.open_game(page=ann)
    ben = players.join(ann, viewport=PLAYING_DESKTOP, has_touch=False, is_mobile=False)
    for page in (ann, ben):
        promise(page)
    for page in (ann, ben):
        page.locator(".play-table").wait_for()
    game = TableGame(ann.url.rpartition("/")[2], [PhoneTablePage(ann), TablePage(ben)])
    computer = Player(Random(DEAL), daring=0)
    for turn in range(TURNS):
        game.make(turn % 2, computer.act(game.standing(turn % 2))[0])
    game.tables[TURNS % 2].lay(computer.act(game.standing(TURNS % 2))[0]["move"])
    ann.screenshot(path=PICTURES / "play-phone.png")
    ben.screenshot(path=PICTURES / "play-desktop.png")
    resign(ann)
    ben.locator(".final-board img").wait_for()
    ben.screenshot(path=PICTURES / "play-result.png")


if __name__ == "__main__":
    sys.exit(main())
