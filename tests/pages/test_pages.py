"""Tests of the pages as a whole: their replies, their installation, and their work without a connection."""

from __future__ import annotations

import gzip
import json
import re
from importlib.resources import files

import pytest
from browser_windows import DESKTOP_VIEWPORT, axe_violations, overflow_pixels
from playwright.sync_api import expect
from small_installation import FakeClock, InProcessService

from ordws.web.pages import site
from ordws.web.pages.site import TEXTS, text

HTML = ("/", *site.PAGES, *site.RULES, *site.SLIPS)
OFFLINE = tuple([path for path in HTML if path not in site.ONLINE_ONLY])
USED = re.compile(r'\bt\(\s*[`"]([a-z-]+\.[a-z0-9.-]*[a-z0-9])[`"]')
MADE_UP = re.compile(r"""\bt\(\s*[`"]([a-z-]+\.[a-z0-9.-]*)(?:\$\{|" ~)""")


def sources():
    """Return the templates and scripts by name."""
    folder = files("ordws.web.pages")
    both = [*folder.joinpath("templates").iterdir(), *folder.joinpath("static").iterdir()]
    return {each.name: each.read_text("utf-8") for each in both if each.name.endswith((".html", ".js"))}


@pytest.fixture(scope="module")
def http(shared_installation):
    """Return a client of the service over the installation of the module."""
    return InProcessService(shared_installation.services(), shared_installation.key, FakeClock()).http


def test_a_page_is_html_under_a_strict_policy(http):
    """Every page is HTML under a policy that allows nothing from other origins and no inline script."""
    for path in HTML:
        reply = http.get(path, headers={"Accept": "text/html"})
        assert (path, reply.status_code, reply.content_type) == (path, 200, "text/html; charset=utf-8")
        policy = reply.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        text = reply.get_data(as_text=True)
        assert re.findall(r"(?:src|href)=.https?://|\son[a-z]+=|\sstyle=|<script(?![^>]*src=)", text) == [], path


def test_no_cache_keeps_an_error_page(http):
    """A page for a problem is kept by no cache, and has no tag by which it could be asked for again."""
    reply = http.get("/no-such-page", headers={"Accept": "text/html"})
    assert (reply.status_code, reply.content_type) == (404, "text/html; charset=utf-8")
    assert (reply.headers.getlist("Cache-Control"), reply.headers.get("ETag")) == (["no-store"], None)


def test_an_unchanged_file_gets_304(http):
    """A browser that has a file sends its ETag and gets 304 without a body."""
    for path in site.PATHS:
        first = http.get(path)
        assert (path, first.status_code, first.headers["Cache-Control"]) == (path, 200, "no-cache")
        again = http.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (path, again.status_code, again.data) == (path, 304, b"")


def test_a_file_is_compressed_for_browsers_that_accept_it(http):
    """A browser that accepts gzip gets text so, under a tag of its own; pictures in pixels are as they are."""
    for path in site.PATHS:
        plain, packed = http.get(path), http.get(path, headers={"Accept-Encoding": "gzip, br"})
        assert "Accept-Encoding" in packed.headers["Vary"]
        if path.endswith(".png"):
            assert "Content-Encoding" not in packed.headers
            continue
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert packed.headers["ETag"] != plain.headers["ETag"]
        headers = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
        assert http.get(path, headers=headers).status_code == 304


def test_programs_get_json_at_the_front_page(http):
    """A client that does not accept HTML by name gets JSON at the front page."""
    reply = http.get("/")
    assert (reply.content_type, reply.json["service"]) == ("application/json", "ordws")
    assert reply.headers["Vary"] == "Accept"


def test_the_manifest_has_icons_start_and_name(http):
    """The manifest names icons of 144 pixels or more, a start and a name."""
    manifest = json.loads(http.get("/app.webmanifest").data)
    assert {"name", "short_name", "start_url", "display"} <= manifest.keys()
    assert "192x192" in {icon["sizes"] for icon in manifest["icons"]}
    assert {http.get(icon["src"]).status_code for icon in manifest["icons"]} == {200}


def test_no_text_is_missing_and_none_is_left_over():
    """Every id in a template or a script has a text, and every text is used."""
    used, begun = set(), set()
    for source in sources().values():
        used |= set(USED.findall(source))
        begun |= set(MADE_UP.findall(source))
    assert used - TEXTS.keys() == set()
    assert {id for id in TEXTS if id not in used and not id.startswith(tuple(begun))} == set()


def test_no_template_has_words_of_its_own():
    """No template has words of its own, so that a translation needs the texts alone."""
    found = {}
    for name, source in sources().items():
        if name.endswith(".html"):
            plain = re.sub(r"\{[%#].*?[%#]\}|\{\{.*?\}\}|<[^>]*>", " ", source, flags=re.DOTALL)
            found[name] = re.findall(r"[A-Za-z]{2,}", plain)
    assert {name: words for name, words in found.items() if set(words) - {"ORDWS"}} == {}


def test_texts_are_filled_in():
    """A field in braces is filled in by its name."""
    assert text("slips.one", rules="Dover") == "Slip: Dover"


@pytest.mark.parametrize("width", [320, *[pytest.param(each, marks=pytest.mark.long) for each in (390, 900)]])
def test_the_pages_are_in_a_menu_where_there_is_no_room(tables, width):
    """Where the links have no room they are in a menu, which opens by the keyboard and closes by Escape."""
    page = tables.plain_window(viewport={"width": width, "height": 740})
    page.goto("/lists")
    button, link = page.get_by_role("button", name="Menu"), page.get_by_role("link", name="Keep a game")
    expect(link).to_be_hidden()
    button.press("Enter")
    expect(link).to_be_visible()
    expect(page.locator(".site [aria-current]")).to_have_text(["Word lists"])
    assert axe_violations(page) == []
    assert overflow_pixels(page) <= 0
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()


@pytest.mark.long
def test_the_pages_stand_in_the_header_where_there_is_room(tables):
    """On a desktop every link stands in one line of the header, and there is no button of a menu."""
    page = tables.plain_window(viewport=DESKTOP_VIEWPORT)
    page.goto("/lists")
    expect(page.get_by_role("button", name="Menu")).to_be_hidden()
    links = [link.bounding_box() for link in page.locator(".site nav a").all()]
    assert len(links) >= 9
    assert len({box["y"] for box in links}) == 1
    assert links[-1]["x"] + links[-1]["width"] <= DESKTOP_VIEWPORT["width"]


def test_pages_open_without_a_connection(tables):
    """After the first visit of any page all that are of use without a connection are kept, and open without one.

    Chromium finds no reason why they could not be installed.
    """
    page = tables.open("/")
    kept = page.evaluate("""async () => (await Promise.all((await caches.keys()).map(async (name) =>
      (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat()""")
    assert {*OFFLINE} - {*kept} == set()
    found = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in found if each["errorId"] != "in-incognito"] == []
    page.context.set_offline(True)
    for path in ("/score", "/home", "/rules/dover"):
        page.goto(path)
        expect(page.locator("h1").first).to_have_text(re.compile("."))
        assert page.evaluate("document.styleSheets.length") >= 1


@pytest.mark.long
def test_every_page_opens_without_a_connection(tables):
    """Each page that is kept shows its heading without a connection."""
    page = tables.open("/")
    page.context.set_offline(True)
    for path in OFFLINE:
        page.goto(path)
        expect(page.locator("h1").first).to_have_text(re.compile("."))


@pytest.mark.long
def test_tile_sheets_have_every_set(tables):
    """The page of tiles has a table for each set, with the difference from standard sets where there is one."""
    page = tables.plain_window()
    page.goto("/tiles")
    sections = page.locator("section.tile-sheet")
    expect(sections).to_have_count(5)
    pool = sections.nth(2)
    expect(pool.get_by_role("row", name="R 1 21 18 +3")).to_be_visible()
    expect(pool).to_contain_text("from 3 standard sets. Take out 2 A, 1 F, 4 I")
    assert sections.nth(0).get_by_role("row").nth(1).inner_text().split() == ["A", "1", "9"]
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf())) == 5
    page.set_viewport_size({"width": 320, "height": 568})
    hidden_pixels = "(tables) => Math.max(...tables.map((e) => e.scrollWidth - e.parentElement.clientWidth))"
    assert sections.locator("table").evaluate_all(hidden_pixels) <= 0
    page.emulate_media(media="print")
    expect(page.locator("#print")).to_be_hidden()
    expect(pool.locator("td.tick:visible")).to_have_count(27)
