"""Prints as PDF: the paper, the pages, and every text on them, as Chromium prints and pypdf reads them."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import pytest
from each_row import each_row
from pypdf import PdfReader
from sample_events import NAMES, SampleEvent, played_event

from ordws.desk.print_sheets import SHEETS, PrintJob, render_sheet
from ordws.errors import BadInput
from ordws.tournament import facts as f
from ordws.tournament.certificate import certificate
from ordws.tournament.facts import EventSettings
from ordws.tournament.played_event import played_event as as_played

POINTS = {"a4": (595, 842), "letter": (612, 792)}
MARGIN = 28
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine the Elder"


def playing_event(names: Sequence[str]) -> SampleEvent:
    """Return an event in its fourth round, with an open case and a prize fund."""
    settings = EventSettings(entry_fee=1500, fee_percent=60, prize_fund=20_000, currency="EUR")
    event = SampleEvent(rounds=8, settings=settings, name="Autumn <Open> & Friends")
    event.enter(names)
    event.play_rounds(3)
    event.run(f.Frozen(entrant=2, case="2026-1"))
    event.publish()
    return event


MANY = (*NAMES[:22], LONG_NAME)
FEW = (*NAMES[:4], LONG_NAME)
EVENT = playing_event(MANY)
SMALL_EVENT = playing_event(FEW)


@pytest.fixture(scope="module")
def certified():
    """Return the certificate of the event, for which a thousand schedules are drawn."""
    return certificate(as_played(EVENT.state, ""))


class PrintedPages:
    """A PDF of a print: its pages, with their texts and where these stand, in points from the left and from below."""

    def __init__(self, chromium, html: str) -> None:
        page = chromium.new_page()
        page.set_content(html)
        self.reader = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
        page.close()
        self.texts: list[str] = []
        self.places: list[tuple[float, float]] = []
        for each in self.reader.pages:
            text = each.extract_text(visitor_text=self.note_place)
            self.texts.append(" ".join(text.split()))

    def note_place(self, text: str, outer: list[float], inner: list[float], *_: object) -> None:
        if text.strip():
            x = inner[4] * outer[0] + inner[5] * outer[2] + outer[4]
            self.places.append((x, inner[4] * outer[1] + inner[5] * outer[3] + outer[5]))

    def assert_paper(self, paper: str, *, is_landscape: bool = False) -> None:
        """Check the size of every page, and that all text begins inside of its margins, page numbers at the foot."""
        width, height = POINTS[paper][::-1] if is_landscape else POINTS[paper]
        sizes = {(round(page.mediabox.width), round(page.mediabox.height)) for page in self.reader.pages}
        assert sizes == {(width, height)}
        assert [place for place in self.places if not MARGIN < place[0] < width - MARGIN] == []
        assert [place for place in self.places if not MARGIN / 2 < place[1] < height - MARGIN] == []


@each_row(
    ("what", "paper", "pages", "texts"),
    [
        ("pairings", "a4", 1, ["Autumn <Open> & Friends", "Round 4 by table", "Bye: Gus Grand", "11 Ora Labora Pip"]),
        ("names", "letter", 1, ["Round 4 by name", "Ann Ode * 1 Dora Maar", "Gus Grand \u2013 bye"]),
        ("slips", "a4", 1, ["Round 4 \u00b7 table 2", "Ann Ode begins", "Turn points", "did not come"]),
        ("standings", "a4", 1, ["round 4 of 8, not closed yet", "1 Ben Lee 3 0 0 1.000 29.23 1140 / 39"]),
        ("wallchart", "a4", 1, ["Wall chart", "+ 22*", "bye", "won, = tied"]),
        ("scorecards", "a4", 3, ["no. 1", "1 bye", "My turn points"]),
        ("prizes", "a4", 1, ["1 Ben Lee EUR 63.35 paid later", "Together EUR 407.00", "no payment"]),
        ("pictures", "letter", 1, ["Everybody's opponents", "Wins and points a turn"]),
        ("certificate", "letter", 1, ["1,000 random schedules came closer"]),
    ],
)
def test_sheets_fit_their_paper(chromium, certified, what, paper, pages, texts):
    """A sheet is as many pages as it should be, on the paper it names, with every player on it, and nothing cut off."""
    is_small = what in ("slips", "scorecards")
    event, names = (SMALL_EVENT, FEW) if is_small else (EVENT, MANY)
    job = PrintJob(state=event.state, paper=paper, certificate=certified)
    printed = PrintedPages(chromium, render_sheet(what, job).html)
    printed.assert_paper(paper, is_landscape=what == "wallchart")
    assert len(printed.texts) == pages
    squeezed = "".join(printed.texts).replace(" ", "")
    for text in (*texts, certified.digest[:20]) if what == "certificate" else texts:
        assert text.replace(" ", "") in squeezed
    if what not in ("pictures", "certificate"):
        missing = [name for name in names if name.replace(" ", "") not in squeezed]
        assert missing == ([event.state.name_of(event.state.open_round.bye)] if what == "slips" else [])
    assert f"{pages} of {pages}" in printed.texts[-1]


def test_long_lists_repeat_their_heading(chromium):
    """A hundred players: lists in two columns, each sheet on a page of its own, and standings whose heading repeats."""
    event = SampleEvent(rounds=9)
    event.enter([f"Player Longname {number:03}" for number in range(1, 101)])
    event.publish()
    for what, paper, title in (
        ("names", "letter", "Round 1 by name"),
        ("standings", "a4", "Standings"),
    ):
        html = render_sheet(what, PrintJob(state=event.state, paper=paper)).html
        printed = PrintedPages(chromium, html)
        assert ("round 1 of 9, not closed yet" in html) == (what == "standings")
        assert len(printed.texts) == (html.count('<section class="sheet') or 4)
        assert all(title in text for text in printed.texts)
        numbers = re.findall(r"Player Longname (\d{3})", " ".join(printed.texts))
        assert {*map(int, numbers)} == {*range(1, 101)}


def test_prints_hold_no_script_and_no_address(certified):
    """A page for paper loads nothing and runs nothing, and what players are called stays text."""
    for what in SHEETS:
        html = render_sheet(what, PrintJob(state=EVENT.state, certificate=certified)).html
        assert "<script" not in html
        assert "Autumn <Open>" not in html
        assert not re.search(r'(?:src|href)="|url\(|@import', html)


def test_two_games_a_round_have_two_slips():
    """In the second game of a pairing the other player begins, on the slip as on the scorecard."""
    event = SampleEvent(rounds=2, games_a_round=2)
    event.enter(["Ann", "Ben"])
    event.publish()
    html = render_sheet("slips", PrintJob(state=event.state)).html
    players = re.findall(r'class="player"[^>]*>(\w+)( <small>begins)?', html)
    assert players == [("Ann", " <small>begins"), ("Ben", ""), ("Ben", " <small>begins"), ("Ann", "")]
    assert [" game 1" in html, " game 2" in html] == [True, True]
    card = re.sub(r"<[^>]*>|\s+", " ", render_sheet("scorecards", PrintJob(state=event.state)).html)
    assert "1a Ben 1 me" in " ".join(card.split())
    assert "1b Ben 1 they" in " ".join(card.split())


def test_what_is_not_there_is_not_printed():
    """A round that is not published, a certificate or pictures before there is a round: the reason is said."""
    fresh = SampleEvent()
    fresh.enter(["Ann", "Ben"])
    for what, reason in (
        ("slips", "round 1 is not published"),
        ("pictures", "nothing to draw"),
        ("certificate", "none is closed"),
    ):
        with pytest.raises(BadInput, match=reason):
            render_sheet(what, PrintJob(state=fresh.state))
    assert "no prize fund" in render_sheet("prizes", PrintJob(state=fresh.state)).html
    on_line = played_event(4, 2, settings=EventSettings(on_line=True, entry_fee=500, fee_percent=80, equal_percent=0))
    assert "adds 16.00 to the fund of its final" in render_sheet("prizes", PrintJob(state=on_line.state)).html
