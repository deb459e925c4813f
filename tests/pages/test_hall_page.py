"""The page of the register: what it says, and what it never says."""

from __future__ import annotations

import pytest
from browser_windows import axe_violations, overflow_pixels
from playwright.sync_api import expect

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.cases.store import write_register
from ordws.public_register import HallFile, PublicRegister, RegisterEntry, YearCounts
from ordws.web.pages import site

ENTRY = RegisterEntry(
    pseudonym="Finch & <Crow>",
    offence="quitting",
    first_game="2026-07-23",
    last_game="2026-09-20",
    decided="2026-10-06",
    published="2026-11-06",
    looked_at="2026-11-06",
    note="Three years without another case.",
)
YEARS = (
    YearCounts(year=2025, opened=12, dismissed=7, dropped=1, notices=4),
    YearCounts(year=2026, established=3, appeals=2, overturned=1, published=2, struck=1),
)
FILLED = PublicRegister(made="2026-11-23", entries=(ENTRY,), years=YEARS, head="3f" * 32)
LOOKS = ((320, "dark"), (390, "light"), (1280, "light"))


@pytest.fixture
def publish(pages_installation):
    """Write a register as `ordws cases` does; it is gone after the test."""
    path = pages_installation.instance.register

    def publish(register):
        write_atomically(path, write_register(register), PUBLIC_MODE)

    yield publish
    path.unlink(missing_ok=True)


@pytest.mark.parametrize("looks", [LOOKS[:1], pytest.param(LOOKS, marks=pytest.mark.long)], ids=len)
def test_the_register_is_shown_as_it_is_published(looks, tables, publish):
    """An entry appears with the file and goes with it, without a restart; the counts have the overturned among them."""
    page = tables.plain_window()
    page.goto("/hall")
    expect(page.get_by_text("No case was ever opened here.")).to_be_visible()
    before = page.content()
    publish(PublicRegister(made="2026-11-24", entries=(), years=(), head="40" * 32))
    page.reload()  # a case whose player has no notice shows nowhere
    assert page.content() == before
    publish(FILLED)
    page.reload()
    entry = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Finch & <Crow>"))
    expect(entry).to_contain_text("quitting games")
    expect(entry).to_contain_text("2026-07-23 to 2026-09-20")
    expect(entry).to_contain_text("Three years without another case.")
    expect(page.get_by_role("row", name="2025")).to_have_text("2025 12 8 4 0 0 0 0 0 0".replace(" ", ""))
    expect(page.get_by_role("row", name="2026")).to_have_text("2026 0 0 0 3 0 2 1 2 1".replace(" ", ""))
    found = []
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found += [f"{width} px: {overflow_pixels(page)} px too wide"] if overflow_pixels(page) > 0 else []
        found += [f"{width} px: {violation}" for violation in axe_violations(page)]
    assert found == []
    publish(PublicRegister(made="2026-11-24", entries=(), years=YEARS, head="40" * 32))
    page.reload()
    expect(page.get_by_text("No case was ever opened that ended in an entry.")).to_be_visible()


@pytest.mark.parametrize(
    "data", [b"", b"{", b'{"version":1}', b'{"version":2,"made":"","entries":[],"years":[],"head":""}']
)
def test_a_register_that_cannot_be_read_is_not_shown(tmp_path, data):
    path = tmp_path / "register.json"
    hall = HallFile(path)
    assert hall.read() is None
    path.write_bytes(data)
    assert hall.read() is None
    assert not hall.has_no_case()  # it is there, and cannot be read
    path.write_bytes(write_register(FILLED))
    assert hall.read() is not None


def test_the_page_names_nobody_but_those_in_the_register():
    """A page without a register, which phones and error pages may show, has no entry and no counts."""
    assert b"<h3>" not in site.hall_page(None, is_compressed=False).body
    assert b"cannot be shown now" in site.hall_page(None, is_compressed=False).body
