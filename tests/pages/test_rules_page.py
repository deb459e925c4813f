"""Tests of the pages of the rules: each rule set in plain words with boards, and all of them side by side."""

from __future__ import annotations

import json

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, PHONE_VIEWPORT, axe_violations, overflow_pixels
from playwright.sync_api import expect

from ordws.pictures.rule_pages import compare_published, describe_page
from ordws.rules.rulesets import RULE_SETS
from ordws.web.pages import site


def test_the_rule_sets_stand_side_by_side(tables):
    """The table has a row for each rule and a column for each rule set, which leads to its page."""
    page = tables.plain_window()
    page.goto("/rules")
    rows = page.locator(".compared tbody tr").all()
    shown = [tuple(row.locator("th, td").all_inner_texts()) for row in rows]
    assert shown == [(rule, *values) for rule, values in compare_published()]
    page.locator(".compared thead a").last.click()
    expect(page.locator("h1")).to_have_text([*RULE_SETS.values()][-1].title)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_page_says_what_the_rules_are(rules, tables):
    """A page has each chapter of its rule set, and each of its boards as a picture that is drawn and described."""
    page = tables.plain_window()
    page.goto(f"/rules/{rules}")
    content = describe_page(RULE_SETS[rules])
    assert page.locator("section > h2").all_inner_texts()[:-1] == [chapter.title for chapter in content.chapters]
    text = page.locator("main").inner_text()
    assert [each for chapter in content.chapters for each in chapter.paragraphs if each not in text] == []
    for example in content.examples:
        picture = page.locator(f'img[src="{example.address}"]')
        picture.scroll_into_view_if_needed()
        assert picture.get_attribute("alt") == example.alt
        assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == example.width
        assert example.verdict in text
    assert len(page.locator(".bonuses table").all()) == len(
        [table for each in content.chapters for table in each.tables]
    )


def test_other_pages_lead_to_the_rules(tables):
    """The front page and the judge lead to the rules."""
    page = tables.plain_window()
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    expect(page.locator("h1")).to_have_text("The rules")
    page.goto("/judge")
    with page.expect_popup() as opened:
        page.locator(".foot").get_by_role("link", name="Rules").click()
    expect(opened.value.locator("h1")).to_have_text("The rules")


def test_dover_has_its_reasons_and_groups(tables):
    """The Dover club's page says why words are out, and groups its two-letter words."""
    page = tables.plain_window()
    page.goto("/rules/dover")
    text = page.locator("main").inner_text()
    assert "a Hawaiian word; not in the dictionary's older edition; rejected by a spell checker" in text
    assert "Greek letters (4)" in text
    page.goto("/rules/scrabble-i")
    assert "Hawaiian" not in page.locator("main").inner_text()


def test_a_page_follows_the_options(tables):
    """A value that is chosen changes the page, and one link leads back; a value that does not exist is refused."""
    page = tables.open("/rules/scrabble-i")
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
@pytest.mark.parametrize("path", ["/rules", *[pytest.param(each, marks=pytest.mark.long) for each in site.RULES]])
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
