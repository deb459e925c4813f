"""Tests of the pages of the rules: each rule set in plain words with boards, and all of them side by side."""

from __future__ import annotations

import html
import json
import re

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, PHONE_VIEWPORT, axe_violations, overflow_pixels
from playwright.sync_api import expect
from small_installation import FakeClock, InProcessService

from ordws.pictures.rule_pages import compare_rule_sets, describe_page
from ordws.rules.ruleset import RULE_SETS
from ordws.web.pages import site


@pytest.fixture(scope="module")
def http(shared_installation):
    """Return a client of the service over the installation of the module."""
    return InProcessService(shared_installation.services(), shared_installation.key, FakeClock()).http


def read(http, path: str) -> str:
    """Return the text of a page as a browser shows it, single spaces between words."""
    reply = http.get(path)
    assert reply.status_code == 200, path
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", reply.text)).split())


def test_the_rule_sets_stand_side_by_side(http):
    """The table has a row for each rule and a column for each rule set, which leads to its page."""
    table = http.get("/rules").text.partition('class="compared"')[2].partition("</table>")[0]
    body = table.partition("<tbody>")[2]
    cells = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    shown = [tuple(" ".join(html.unescape(re.sub("<[^>]*>", "", each)).split()) for each in row) for row in cells]
    assert shown == [(rule, *values) for rule, values in compare_rule_sets()]
    assert re.findall('href="(/rules/[^"]*)"', table) == [f"/rules/{id}" for id in RULE_SETS]


def test_options_in_an_address_change_the_page(http):
    """A value that is chosen changes the page and is named in a notice; a value that does not exist is refused."""
    assert "two triple ones 9 times" in read(http, "/rules/scrabble-i?premium=multiply")
    notice = http.get("/rules/scrabble-i?premium=multiply&minimum=any3").text
    assert {"premium=multiply", "minimum=any3"} <= {*re.findall("<code>([^<]*)</code>", notice)}
    assert http.get("/rules/scrabble-i?premium=divide").status_code == 422


def test_a_page_says_what_the_rules_are(http):
    """A page has each chapter of its rule set, and each of its boards as a picture that is there and described."""
    for rules in RULE_SETS.values():
        text, page = read(http, f"/rules/{rules.id}"), http.get(f"/rules/{rules.id}").text
        content = describe_page(rules)
        chapters = re.findall("<section[^>]*>\\s*<h2[^>]*>(.*?)</h2>", page, re.DOTALL)
        assert [html.unescape(each) for each in chapters][:-1] == [chapter.title for chapter in content.chapters]
        for paragraph in [each for chapter in content.chapters for each in chapter.paragraphs]:
            assert " ".join(paragraph.split()) in text
        pictures = [dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in re.findall("<img[^>]*>", page)]
        described = {each["src"]: html.unescape(each["alt"]) for each in pictures if "src" in each}
        for example in content.examples:
            assert described[example.address] == example.alt
            assert f'width="{example.width}"' in http.get(example.address).text
            assert example.verdict in text


def test_other_pages_lead_to_the_rules(http):
    """The front page and the judge lead to the rules."""
    for path in ("/", "/judge"):
        assert 'href="/rules"' in http.get(path, headers={"Accept": "text/html"}).text, path


def test_dover_has_its_reasons_and_groups(http):
    """The Dover club's page says why words are out, and groups its two-letter words."""
    text = read(http, "/rules/dover")
    assert "a Hawaiian word; not in the dictionary's older edition; rejected by a spell checker" in text
    assert "Greek letters (4)" in text
    assert "Hawaiian" not in read(http, "/rules/scrabble-i")


@pytest.mark.long
def test_a_page_follows_the_options(tables):
    """A value that is chosen changes the page, and one link leads back; a value that does not exist is refused."""
    page = tables.plain_window()
    page.goto("/rules/scrabble-i")
    page.get_by_text("options", exact=False).locator("visible=true").last.click()
    page.get_by_role("link", name="multiply", exact=True).click()
    expect(page.locator(".notice code")).to_have_text(["premium=multiply"])
    expect(page.locator("main")).to_contain_text("two triple ones 9 times")
    page.goto("/rules/scrabble-i?premium=multiply&minimum=any3")
    assert page.locator(".notice code").count() == 2
    page.get_by_role("link", name="Show the rules without them").click()
    expect(page).to_have_url(f"{tables.url}/rules/scrabble-i")
    expect(page.locator("#options")).to_be_visible()
    expect(page.locator(".notice")).to_have_count(0)
    tables.expected.append("status of 422")
    assert page.goto("/rules/scrabble-i?premium=divide").status == 422
    status, body = tables.service.request("GET", "/rules/scrabble-i?swap=on&swap=off")
    refusal = json.loads(body)
    assert (status, refusal["code"], refusal["detail"]) == (422, "unknown-option", '"swap" is given twice')


@pytest.mark.long
@pytest.mark.parametrize("path", ["/rules", *site.RULES])
def test_pages_of_the_rules_fit_and_print(path, tables):
    """Nothing overflows at 1280, 390 and 320 pixels, axe finds nothing, and paper has the rules alone."""
    page = tables.plain_window(viewport=DESKTOP_VIEWPORT)
    page.goto(path)
    for details in page.locator("details").all():
        details.locator("summary").click()
    for viewport, scheme in (
        (DESKTOP_VIEWPORT, "light"),
        (PHONE_VIEWPORT | {"width": 390}, "light"),
        (NARROW_VIEWPORT, "dark"),
    ):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        assert overflow_pixels(page) <= 0
        assert axe_violations(page) == []
    page.emulate_media(media="print")
    assert not page.locator("header.site").is_visible()
    assert not page.locator("#print").is_visible()
    assert page.locator("h1").is_visible()
