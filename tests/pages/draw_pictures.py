"""Draw the pictures of the pages in docs/pictures: `make pictures`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from browser_windows import CHROMIUMS, SWITCHES
from home_page import open_home
from judge_page import judge, paired
from page_fixtures import Tables, run_service
from playwright.sync_api import sync_playwright
from small_installation import NOON, build_installation

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
FRONT = {"width": 1200, "height": 800}
REFERENCE = {"width": 1280, "height": 800}
TABLET = {"width": 720, "height": 480}
PHONE = {"width": 360, "height": 640}


def main() -> None:
    """Start a service with a club, and draw its pages in a browser."""
    with tempfile.TemporaryDirectory() as name, build_installation(Path(name) / "instance") as installation:
        installation.key = installation.register.add("club", "operator", NOON - 40 * 86_400)
        installation.register.verify("club", NOON)
        with closing(run_service(installation, Path(name))) as services, sync_playwright() as playwright:
            service = next(services)
            path = next(found for each in CHROMIUMS if (found := shutil.which(each)))
            chromium = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
            tables = Tables(f"http://localhost:{service.port}", chromium, installation=installation, service=service)
            draw(tables)
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
    home.page.screenshot(path=PICTURES / "home.png")


if __name__ == "__main__":
    sys.exit(main())
