"""Tests of the slips: the cards of a rule set and its options on the screen and on paper."""

from __future__ import annotations

import re

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, axe_violations, overflow_pixels
from keep_page import open_keep
from playwright.sync_api import Page, expect

from ordws.pictures.slip import slip_content
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS


def pages_of(pdf: bytes) -> int:
    """Return the number of pages of a PDF as Chromium writes it."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def words_of(page: Page) -> list[str]:
    """Return the two-letter words of the first card, without their initials."""
    lines = page.locator(".card").first.locator(".twos li").all_inner_texts()
    return [word for line in lines for word in line.split() if len(word) == 2]


@pytest.mark.parametrize(
    "rules", [each if each == "dover" else pytest.param(each, marks=pytest.mark.long) for each in RULE_SETS]
)
def test_a_card_is_printed_four_times_on_a_sheet(rules, tables):
    """One sheet of A4 has four cards of a rule set, or two, or a large one; nothing else of the page is on it."""
    page = tables.plain_window(viewport=DESKTOP_VIEWPORT)
    page.goto(f"/slips/{rules}")
    content = slip_content(RULE_SETS[rules])
    expect(page.locator(".card .notes").first.locator("li")).to_have_text(content.notes)
    assert words_of(page) == content.twos
    assert page.locator(".card:visible").count() == 1
    for cards in ("4", "2", "1"):
        page.get_by_label("Cards on a sheet").select_option(cards)
        assert pages_of(page.pdf(prefer_css_page_size=True)) == 1
        page.emulate_media(media="print")
        assert page.locator(".card:visible").count() == int(cards)
        assert page.locator(":is(header.site, h1, button, select, details, input):visible").count() == 0
        sizes = page.locator(".card").evaluate_all(
            "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
        )
        assert min(sizes) >= 9.5
        page.emulate_media(media="null")


def test_a_slip_has_the_options_of_its_link(tables):
    """A link holds the options behind #; what differs is on the card in words, and the address follows the form.

    The options stay on the device.
    """
    page = tables.plain_window(viewport=DESKTOP_VIEWPORT)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.partition("#")[0]))
    page.goto("/slips/dover#allow=ZAG,ZIG&strike=ZOO&small_word_cap=on&clock_seconds=90&scoop=100")
    given = {"allow": "ZAG,ZIG", "strike": "ZOO", "small_word_cap": "on", "clock_seconds": "90", "scoop": "100"}
    notes = page.locator(".card .notes").first
    expect(notes.locator("li")).to_have_text(slip_content(with_options(RULE_SETS["dover"], given)).notes)
    expect(notes).to_contain_text("Allowed here: ZAG, ZIG.")
    expect(notes).to_contain_text("Struck out here: ZOO.")
    changed = page.locator(".card .changed").first.locator("li")
    expect(changed).to_have_text(["Tiles in the game: 100", "Small word point cap: yes", "Time for each turn: 1:30"])
    page.get_by_text("Words", exact=True).click()
    page.get_by_label("Words you strike out").fill("zoo, zap")
    page.get_by_label("Words you strike out").blur()
    expect(notes).to_contain_text("Struck out here: ZAP, ZOO.")
    expect(page).to_have_url(re.compile("strike=ZAP%2CZOO"))
    page.reload()
    expect(notes).to_contain_text("Struck out here: ZAP, ZOO.")
    page.get_by_label("Rule set").select_option("scrabble-o")
    expect(page.locator(".card h2").first).to_have_text("Scrabble O For Word Lovers")
    expect(page.locator(".changed")).to_have_count(0)
    expect(page).to_have_url(f"{tables.url}/slips/scrabble-o")
    page.goto("/slips/dover#scoop=9999")
    expect(page.get_by_role("alert")).to_contain_text("The options in this link are not understood")
    assert requests
    assert [url for url in requests if "ZAG" in url or "ZAP" in url] == []


@pytest.mark.long
def test_the_slip_of_a_kept_game_is_that_of_its_options(tables):
    """The notes of a game name what differs from its rule set, and lead to a slip that says the same."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    page = window.page
    page.goto("/keep#new")
    window.open_options()
    page.get_by_label("Words you allow").fill("zag")
    page.get_by_label("Small word point cap").check()
    for number, name in enumerate(("Ann", "Bob"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    window.press("Begin")
    window.press("Notes")
    expect(window.dialog).to_contain_text("Changed here: Words you allow: ZAG.")
    with page.expect_popup() as opened:
        window.dialog.get_by_role("link", name="The slip of this game").click()
    card = opened.value.locator(".card").first
    expect(card).to_contain_text("Allowed here: ZAG.")
    expect(card).to_contain_text("Small word point cap.")
    with page.expect_popup() as opened:
        window.dialog.get_by_role("link", name="The rules of the set, in plain words").click()
    expect(opened.value.locator("h1")).to_have_text("Scrabble I For Word Lovers")
    window.answer("Close")


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_slips_are_accessible(width, scheme, tables):
    """With all options open axe finds no violation, and nothing overflows."""
    page = tables.plain_window(viewport={**NARROW_VIEWPORT, "width": width}, color_scheme=scheme)
    page.goto("/slips/dover#allow=ZAG")
    page.locator(".card").first.wait_for()
    for group in page.locator("details.group > summary").all():
        group.click()
    assert overflow_pixels(page) <= 0
    assert axe_violations(page) == []


@pytest.mark.long
def test_the_names_of_rule_sets_are_shown_whole(tables):
    """The choice of a rule set is as wide as its longest name."""
    page = tables.plain_window(viewport=DESKTOP_VIEWPORT)
    page.goto("/slips/classic")
    needed, shown = page.get_by_label("Rule set").evaluate("""(select) => {
      const whole = select.cloneNode(true);
      Object.assign(whole.style, { width: "auto", maxWidth: "none", position: "absolute" });
      select.after(whole);
      return [whole.offsetWidth, select.offsetWidth];
    }""")
    assert needed <= shown
