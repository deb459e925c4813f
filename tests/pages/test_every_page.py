"""Tests that walk every page of the site: on a desktop and on phones, light and dark."""

from __future__ import annotations

import pytest
from browser_windows import axe_violations, overflow_pixels

from ordws.web.pages import site

PAGES = [path for path in site.PATHS if not path.startswith("/app") and path != "/sw.js"]
WIDTHS = {320: (), 390: ("dark",), 1280: ("light",)}
"""The widths, with the colours in which axe looks: one of a phone and one of a desktop."""

SMALLEST_PIXELS = 11
SMALL_TEXTS = """(smallest) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest(".unseen, svg, noscript")) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < smallest) found.add(`${size} px: ${node.data.trim().slice(0, 30)}`);
  }
  return [...found];
}"""
"""What stands on a page in smaller text; a drawing scales with its frame, and has its text beside it."""

WITHOUT_REPEATED = """() => document.querySelectorAll(
  "main section:nth-of-type(n+3), tbody tr:nth-child(n+3), [role=row]:nth-child(n+3):not(:has([tabindex='0'])), " +
  "main li:nth-child(n+3), [role=gridcell]:nth-child(n+3):not([tabindex='0'])",
).forEach((each) => each.remove())"""
"""Removes the rows, squares, items and sections after the first two, which are made alike: axe takes longest there."""
CONTRASTS = ("/", "/score", site.RULES[0])
LEFT_EDGES = """() => {
  const main = document.querySelector("main");
  const left = main.getBoundingClientRect().left + parseFloat(getComputedStyle(main).paddingLeft);
  return [document.querySelector(".mark").getBoundingClientRect().left, left].map(Math.round);
}"""


@pytest.mark.long
@pytest.mark.parametrize("path", sorted({"/", *site.PAGES} - {"/judge"}))
def test_every_page_begins_under_the_logo(path, tables):
    """On a wide screen what a page shows begins at the left edge of the logo, which the word judge does not show."""
    page = tables.plain_window(viewport={"width": 1920, "height": 900})
    page.goto(path)
    logo, content = page.evaluate(LEFT_EDGES)
    assert content == logo


def test_every_kind_of_page_fits_a_narrow_phone(tables):
    """On the narrowest phone no page overflows or has text below 11 px, and axe finds no violation in what differs.

    All pages have the colours of one sheet: contrasts are looked at on pages of prose, of fields, and of a board.
    """
    page = tables.plain_window(viewport={"width": min(WIDTHS), "height": 800})
    found = []
    for path in ("/", *site.PAGES, site.RULES[0]):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        if overflow_pixels(page) > 0 or page.evaluate(SMALL_TEXTS, SMALLEST_PIXELS):
            found.append(f"{path} is too wide, or has too small a text")
        page.evaluate(WITHOUT_REPEATED)
        found += [f"{path}: {violation}" for violation in axe_violations(page, contrast=path in CONTRASTS)]
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("path", ["/", *PAGES, "/no-such-page"])
def test_every_page_fits_and_is_accessible(path, tables):
    """At every width nothing overflows, no text is below 11 px, and axe finds no violation, light and dark."""
    tables.expected.append("404")
    page = tables.plain_window(viewport={"width": min(WIDTHS), "height": 800})
    page.goto(path)
    page.wait_for_load_state("networkidle")
    found = []
    for width, schemes in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 800})
        if (overflow := overflow_pixels(page)) > 0:
            found.append(f"{path} at {width} px: {overflow} px too wide")
        found += [f"{path} at {width} px: {text}" for text in page.evaluate(SMALL_TEXTS, SMALLEST_PIXELS)]
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            found += [f"{path} at {width} px, {scheme}: {violation}" for violation in axe_violations(page)]
    assert found == []
