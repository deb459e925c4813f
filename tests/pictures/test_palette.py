"""Colours that can be told apart and text that can be read on them."""

from __future__ import annotations

from itertools import combinations

import pytest
from each_row import each_row

from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, STRETCHED_LINE

PAGES = ("light", "dark")
PREMIUMS = ("2l", "3l", "4l", "2w", "3w", "4w")


def luminance(colour):
    """Return the relative luminance of a colour, by WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    lighter, darker = sorted([luminance(one), luminance(other)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def lightness(colour):
    """Return the perceived lightness of a colour from 0 to 100 (CIE L*)."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def test_contrast_is_computed_by_wcag():
    """Black on white has a contrast of 21, and #767676 is the lightest grey that may be read on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert 4.5 <= contrast("#767676", "#ffffff") < 4.6


@each_row("page", PAGES)
@each_row("kind", BACKGROUNDS)
def test_text_has_enough_contrast(kind, page):
    """Text has a contrast of at least 4.5 on every background, light and dark (WCAG 1.4.3)."""
    assert contrast(getattr(BACKGROUNDS[kind], page), getattr(FOREGROUNDS[kind], page)) >= 4.5


@pytest.mark.parametrize("page", PAGES)
def test_premium_squares_differ_in_lightness(page):
    """Any two premium squares, and each of them and a plain square, differ in a print in grey."""
    grades = {kind: lightness(getattr(BACKGROUNDS[kind], page)) for kind in (*PREMIUMS, "plain")}
    assert [pair for pair in combinations(grades, 2) if abs(grades[pair[0]] - grades[pair[1]]) < 4] == []


@pytest.mark.parametrize("page", PAGES)
def test_wings_are_paler(page):
    """The wings are closer to the colour of the page than the inner board, and not the same."""
    paper, wing, plain = [lightness(getattr(BACKGROUNDS[kind], page)) for kind in ("paper", "wing", "plain")]
    assert 2 < abs(wing - paper) < abs(plain - paper) - 3


@pytest.mark.parametrize("page", PAGES)
def test_marks_stand_out_from_the_tile(page):
    """The marks of the last play and the stretch have a contrast of 3 to the tile on light pages (WCAG 1.4.11)."""
    tile, plain = getattr(BACKGROUNDS["tile"], page), getattr(BACKGROUNDS["plain"], page)
    assert contrast(getattr(STRETCHED_LINE, page), tile) >= 3
    assert max(contrast(getattr(LAST_PLAY, page), tile), contrast(getattr(LAST_PLAY, page), plain)) >= 3
