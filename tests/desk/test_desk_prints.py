"""Prints, pictures, prizes and exports on the desk, by requests."""

from __future__ import annotations

import io
import re

import pytest
import segno
from desk_client import DeskClient
from desk_events import KEY, TestDesk

from ordws.desk.print_sheets import SHEETS
from ordws.desk.views import describe_certificate
from ordws.tournament import facts as f
from ordws.tournament.charts import opponents_chart
from ordws.tournament.facts import EventSettings


@pytest.fixture
def event(desk: TestDesk):
    """Return an event with two rounds closed and a third published."""
    settings = EventSettings(entry_fee=1000, fee_percent=50, currency="EUR")
    event = desk.event(rounds=3, settings=settings)
    event.play_rounds(2)
    event.publish()
    return event


def test_every_sheet_is_one_link_away(director, event):
    """The page of prints leads to every sheet on both papers, whose styles its policy allows, and to every format."""
    page = director.get(f"/desk/{event.id}/print").text
    links = re.findall(r'href="(/desk/[^"]+/(?:print|export)/[^"]+)"', page)
    assert len(links) == 2 * len(SHEETS) + 5
    for link in links:
        reply = director.get(link.replace("&amp;", "&"))
        assert reply.status_code == 200, link
        if "/print/" in link:
            assert ("letter" if "paper=letter" in link else "a4") in reply.text
            assert reply.headers["Content-Security-Policy"].count("'sha256-") == 2
            assert "Round 3 by table" in reply.text or "/pairings" not in link
        else:
            assert reply.headers["Content-Disposition"].startswith("attachment; filename=")


def test_slips_lead_phones_to_their_table(director, event):
    """On a host that phones reach, the code of a slip is a link; on a laptop of its own, a text without a network."""
    alone = director.get(f"/desk/{event.id}/print/slips").text
    host = "http://192.168.0.7:8020"
    director.http.post("/desk/sign-in", base_url=host, data={"name": "Dora", "key": KEY.director_key})
    reached = director.http.get(f"/desk/{event.id}/print/slips", base_url=host).text
    pairing = event.state.open_round.pairings[1]
    names = event.state.name_of(pairing.first), event.state.name_of(pairing.second)
    assert qr_path(f"Event 1, round 3, table 2: {names[0]} - {names[1]}") in alone
    assert qr_path(f"{host}/tournament/event-1?round=3&table=2") in reached


def qr_path(text: str) -> str:
    """Return the dark squares of the QR code of a text, as SVG draws them."""
    drawn = segno.make(text, error="m", micro=False).svg_inline(border=2)
    return re.search(r' d="([^"]+)"', drawn)[1]


def test_what_there_is_not_is_refused(director, event, desk):
    """An unknown sheet or paper is no page; a round that is not published is refused in words."""
    for path in ("print/tickets", "print/pairings?paper=a3", "export/xls"):
        assert director.get(f"/desk/{event.id}/{path}").status_code == 404
    refused = director.get(f"/desk/{event.id}/print/pairings?round=7")
    assert refused.status_code == 422
    assert "Round 7 is not published" in refused.text
    fresh = desk.event()
    assert director.get(f"/desk/{fresh.id}/print/certificate").status_code == 422


def test_a_file_of_entrants_is_taken_in_or_names_its_line(director, desk):
    """All players of a file are entered, or none where a line is wrong, which is named; an export is taken in whole."""
    event = desk.event(())

    def send(name: str, content: bytes, **fields: str):
        data = {"csrf": director.csrf, "file": (io.BytesIO(content), name), **fields}
        return director.http.post(f"/desk/{event.id}/import", data=data, content_type="multipart/form-data")

    assert "Import a file" in director.text(f"/desk/{event.id}/players")
    assert "rounds and results, too" in director.text(f"/desk/{event.id}/import")
    refused = send("club.csv", b"name;club\nZoe Ray;North\nzoe ray;\n")
    assert refused.status_code == 422
    assert "The file &#34;club.csv&#34;, line 3:" in refused.text
    assert send("club.doc", b"Zoe").status_code == 422
    assert send("club.doc", b"Zoe", format="xls").status_code == 422
    assert director.post(f"/desk/{event.id}/import").status_code == 422
    assert event.state.entrants == {}
    played = desk.event(rounds=2)
    played.play_rounds(2)
    whole = director.get(f"/desk/{played.id}/export/json").data
    assert send("Event.JSON", whole, results="yes").status_code == 303
    assert [line.to_json() for line in event.opened.snapshot().lines] == [
        line.to_json() for line in played.opened.snapshot().lines
    ]
    assert send("late.csv", b"Zoe Ray\nAnn Lee\n").status_code == 303
    assert [each.name for each in event.state.entrants.values()][-1] == "Zoe Ray"
    assert len(event.state.entrants) == 9


def test_directors_print_and_players_do_not(desk, event):
    """Prints, exports and prizes are the directors'; pictures are everybody's."""
    anyone = DeskClient(desk)
    for path in ("print", "print/slips", "import", "export/json", "prizes", "pictures"):
        assert anyone.get(f"/desk/{event.id}/{path}").status_code == 303
    assert anyone.get(f"/tournament/{event.id}/pictures").status_code == 200


def test_pictures_have_their_figures_in_words(desk, director, event):
    """Each picture is drawn wide and narrow, told in words beside it, and marks the player who is signed in."""
    page = director.text(f"/desk/{event.id}/pictures")
    assert "After round 2: root mean square" in page
    assert "Of 1,000 random schedules the closest is" in page
    player = DeskClient(desk)
    player.enter_code(event, event.code(3))
    for name in ("opponents", "ranks", "schedules"):
        address = f"/tournament/{event.id}/picture/{name}.svg"
        plain, marked = director.get(address), player.get(address)
        assert plain.content_type == "image/svg+xml; charset=utf-8"
        assert player.get(f"{address}?narrow=1").text != marked.text
        assert ('<circle class="g-3w"' in marked.text) == (name != "schedules")
        assert '<circle class="g-3w"' not in plain.text
    assert director.get(f"/tournament/{event.id}/picture/none.svg").status_code == 404
    fresh = desk.event()
    assert "There is nothing to draw before a round is closed." in director.text(f"/desk/{fresh.id}/pictures")
    assert director.get(f"/tournament/{fresh.id}/picture/schedules.svg").status_code == 404


def test_the_line_of_who_left_ends(desk):
    """The picture of the opponents follows whoever left up to the last round that they played."""
    event = desk.event()
    event.play_rounds(2)
    event.apply(f.Withdrawn(entrant=3))
    event.play_rounds(1)
    ends = {path.name: len(path.distances) for path in opponents_chart(event.state).paths}
    assert (ends.pop("Cy Poe"), {*ends.values()}) == (2, {3})


def test_a_certificate_says_how_many_schedules_are_farther(event):
    """A place among random schedules is a share, which is explained where it is about half."""
    made = event.opened.snapshot().certificate
    for percentile, is_explained in ((52.0, True), (35.0, True), (99.0, False), (10.0, False)):
        figures = dict(describe_certificate(made._replace(percentile=percentile)))
        assert figures["Closer than this share of 1,000 random schedules"] == f"{percentile:.0f} %"
        assert ("Why that is about half" in figures) == is_explained


def test_prizes_and_invitations(director, event, desk):
    """The prizes of the fund are shown with their sum, and for an event of a season who is invited to its final."""
    page = director.text(f"/desk/{event.id}/prizes")
    assert "Entry fees of EUR 10.00 come to EUR 80.00, of which EUR 40.00 go to the prizes." in page
    assert "Together EUR 40.00" in page
    quarter = f'[[quarter]]\nevent = "{event.opened.file.path.name}"\nfinal = "final.db"\n'
    (desk.folder / "2027.toml").write_text(f'name = "2027"\nseats = 2\n{quarter}')
    (desk.folder / "other.toml").write_text("title = 'not ours'")
    assert "is not finished, so nobody is invited yet." in director.text(f"/desk/{event.id}/prizes")
    standings = f"/tournament/{event.id}/standings"
    before = director.get(standings).text
    event.apply(f.Frozen(entrant=2, case="6"))
    assert director.get(standings).text == before, "nor does the digest that they show"
    event.apply(f.Unfrozen(entrant=2, case="6"))
    event.play()
    event.apply(f.Closed(round=3), f.Finished())
    before = director.text(f"/tournament/{event.id}"), director.get(f"/tournament/{event.id}/version").json
    event.apply(f.Frozen(entrant=1, case="7"))
    after = director.text(f"/tournament/{event.id}"), director.get(f"/tournament/{event.id}/version").json
    assert after == before, "players' pages do not tell that a prize is held"
    page = director.text(f"/desk/{event.id}/prizes")
    assert "Season 2027, quarter 1" in page
    assert page.count(" invited") == 2
    assert "held while a case is open" in page
