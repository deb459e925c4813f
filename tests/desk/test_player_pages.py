"""Players at their phones, and the projector: an entry code, the next table, a result that both confirm."""

from __future__ import annotations

import re

import pytest
from browser_windows import overflow_pixels
from desk_client import DeskClient
from desk_events import KEY, NAMES, TestEvent, side
from desk_windows import PHONE
from playwright.sync_api import Page, expect

from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.consent import current_consent
from ordws.tournament.facts import EventSettings, TableResult

FIGURES = ("score", "points", "turns")


def tell(page: Page, mine: tuple[int, int, int], theirs: tuple[int, int, int]) -> None:
    """Tell a result on a player's phone."""
    form = page.locator("#tell-1")
    if not form.is_visible():
        page.locator("#telling-1 summary").tap()
        expect(form).to_be_visible()
    for who, figures in (("mine", mine), ("theirs", theirs)):
        for name, figure in zip(FIGURES, figures, strict=True):
            form.locator(f"#{who}-{name}-1").fill(str(figure))
    form.get_by_role("button", name="Tell the result").tap()


def test_two_phones_tell_one_result(windows):
    """A player checks in by the link on the card, sees table and reason, and the opponent confirms the result."""
    windows.expected += ["409", "422"]
    event = windows.desk.event(present=7)
    event.play_rounds(1)
    late = windows.plain_window(**PHONE)
    late.goto(f"/tournament/{event.id}#code={event.code(8)}")
    expect(late.get_by_role("heading", name="You are not checked in")).to_be_visible()
    late.get_by_role("button", name="I am here").tap()
    expect(late.get_by_role("heading", name="You are checked in")).to_be_visible()
    event.publish()
    pairing = event.pairing_of(8)
    other = pairing.opponent_of(8)
    expect(late.get_by_role("heading", name=f"Table {pairing.table}, {NAMES[other - 1]}")).to_be_visible()
    # Of an opponent who had the bye there is no average yet: that is for the lots of this event.
    expect(late.locator("#mine .why")).to_contain_text(re.compile(r"[Tt]he field (makes )?\d"))
    tell(late, (402, 395, 12), (377, 370, 12))
    expect(late.locator("#mine")).to_contain_text("You told 402–377 (395 points in 12 turns, 370 in 12).")
    phone = windows.player(event, other)
    expect(phone.locator("#mine")).to_contain_text("Hana Okafor told 377–402")
    phone.get_by_role("button", name="That is right").tap()
    expect(phone.locator("#mine")).to_contain_text("377–402: lost.")
    expect(late.locator("#mine")).to_contain_text("402–377: won.")
    assert overflow_pixels(phone) == 0
    game = event.pairing_of(8).games[0]
    assert (game.source, game.confirmed, game.is_settled) == ("player", True, True)


@pytest.mark.long
def test_a_hall_without_https_signs_in(windows):
    """A director and a player sign in and act on the plain http of a hall, for which browsers say less of a request."""
    event, hall = windows.desk.event(present=7), "http://hall.example"
    windows.expected += ["Cross-Origin-Opener-Policy"]  # a browser heeds it by https alone, and says so
    # As a proxy the desk answers for any host; to a browser, localhost would be as good as https.
    phone, laptop = [windows.window(proxy={"server": windows.url, "bypass": "<-loopback>"}) for _ in range(2)]
    phone.goto(f"{hall}/tournament/{event.id}#code={event.code(8)}")
    phone.get_by_role("button", name="I am here").click()
    expect(phone.get_by_role("heading", name="You are checked in")).to_be_visible()
    laptop.goto(f"{hall}/desk/sign-in#key={KEY.director_key}")
    laptop.get_by_label("Your name, for the log").fill("Dora")
    laptop.get_by_role("button", name="Sign in").click()
    expect(laptop.get_by_role("link", name=event.state.event.name).first).to_be_visible()
    assert not phone.evaluate("isSecureContext")


@pytest.mark.long
def test_players_who_differ_call_a_director(windows):
    """Two different results are a dispute, which the desk and the phones show, and a director decides."""
    event = windows.desk.event()
    event.publish()
    pairing = event.state.open_round.pairings[0]
    one, two = (windows.player(event, entrant) for entrant in pairing.entrants)
    tell(one, (402, 395, 12), (377, 370, 12))
    expect(two.locator("#mine")).to_contain_text("377–402")
    expect(two.locator("#telling-1 summary")).to_have_text("Tell another result")
    tell(two, (407, 370, 12), (402, 395, 12))
    expect(one.locator("#mine")).to_contain_text("You two have told different results: call a director.")
    desk = windows.director(event)
    expect(desk.locator(".tables-missing li").first).to_contain_text("disputed")
    desk.locator("#line[data-ready]").wait_for()
    desk.locator("#line-field").fill("1 402:395/12 377:370/12")
    desk.keyboard.press("Enter")
    expect(one.locator("#mine")).to_contain_text("402–377: won.")


def test_a_player_agrees_before_checking_in(windows):
    """In an event that asks for it a player reads the conditions, agrees to that wording, and only then checks in."""
    event = windows.desk.event(present=0, settings=EventSettings(consent_required=True))
    phone = windows.player(event, 2)
    wording = current_consent()
    expect(phone.get_by_role("heading", name=wording.title)).to_be_visible()
    expect(phone.locator("#agree li")).to_have_text([each.text for each in wording.sentences])
    expect(phone.get_by_role("button", name="I am here")).to_have_count(0)
    phone.get_by_label("I have read this, and I agree").check()
    phone.get_by_role("button", name="Agree").tap()
    phone.get_by_role("button", name="I am here").tap()
    expect(phone.get_by_role("heading", name="You are checked in")).to_be_visible()
    assert event.state.entrants[2].agreed == (wording.version, wording.digest)


def test_anybody_finds_their_table_by_name(windows):
    """Without a code the pairings are found by the beginning of a name, with or without its accents."""
    event = windows.desk.event([*NAMES[:5], "Ída Strøm"])
    event.publish()
    page = windows.plain_window(**PHONE)
    page.goto(f"/tournament/{event.id}")
    page.get_by_label("Find your name").fill("ida")
    row = page.locator("#pairings tbody tr:visible")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(str(event.pairing_of(6).table))


def test_a_slip_leads_to_the_form_of_its_table(windows):
    """A slip's picture opens the form of its game: on the phone of its player, and at the desk for a director."""
    event = windows.desk.event()
    event.publish()
    table = event.pairing_of(1).table
    phone = windows.player(event, 1)
    phone.goto(f"/tournament/{event.id}?round=1&table={table}")
    expect(phone.locator("#tell-1")).to_be_visible()
    desk = windows.director(event)
    desk.goto(f"/tournament/{event.id}?round=1&table={table}")
    expect(desk.get_by_role("dialog", name="Enter a result")).to_contain_text(f"Round 1, table {table}")


def test_the_projector_turns_its_pages(windows):
    """Pairings and standings of sixty players follow each other page by page, and everyone is on one of the pages."""
    event = windows.desk.event([f"Player Number{number:02}" for number in range(60)])
    event.play_rounds(1)
    event.publish()
    page = windows.plain_window()
    page.goto(f"/tournament/{event.id}/projector?seconds=120")
    expect(page.get_by_role("heading", name="Round 2 of 5")).to_be_visible()
    seen: set[str] = set()
    heads = []
    for _ in range(12):
        head = page.locator("[data-sheet]:visible h1").inner_text()
        number = page.locator("[data-sheet]:visible [data-page]").inner_text()
        heads.append((head, number))
        if head.startswith("Round"):
            seen |= set(page.evaluate(VISIBLE_NAMES))
        page.keyboard.press("ArrowRight")
    assert len(seen) == 60
    assert {head for head, _ in heads} == {"Round 2 of 5", "Standings"}
    pages = int(heads[0][1].split(" of ")[1])
    assert pages > 1
    assert [number for _, number in heads[:pages]] == [f"{at} of {pages}" for at in range(1, pages + 1)]
    assert heads[pages][0] == "Standings"


VISIBLE_NAMES = """() => [...document.querySelectorAll("[data-sheet]:not([hidden]) .sheet b")]
  .filter((each) => each.getBoundingClientRect().left >= 0 && each.getBoundingClientRect().right <= innerWidth)
  .map((each) => each.textContent)"""


def test_the_projector_turns_by_itself(windows):
    """A page stands for its seconds, and then the next one follows; the button stops that."""
    event: TestEvent = windows.desk.event()
    event.play_rounds(1)
    event.publish()
    page = windows.window()
    page.clock.install(time=0)
    page.clock.pause_at(3_600)
    page.goto(f"/tournament/{event.id}/projector?seconds=10")
    expect(page.get_by_role("heading", name="Round 2 of 5")).to_be_visible()
    page.clock.run_for(10_000)
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(60_000)
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()


def test_a_player_gets_their_own_data(desk):
    """A player who is signed in gets everything that is kept about them, and nobody else's."""
    event = desk.event()
    event.play_rounds(1)
    client = DeskClient(desk)
    assert client.get(f"/tournament/{event.id}/me.json").status_code == 303
    client.enter_code(event, event.code(2))
    assert client.get(f"/tournament/{event.id}/me.json").json["name"] == "Ben Ode"


def test_pages_without_a_script_work(desk):
    """A phone without scripts signs in, tells a result and is led back to its page."""
    event = desk.event()
    event.publish()
    client = DeskClient(desk)
    client.enter_code(event, event.code(1))
    sides = {f"{side}_{name}": "9" for side in ("mine", "theirs") for name in FIGURES}
    form = {"csrf": client.csrf, "round": 1, "table": event.pairing_of(1).table, "game": 1, **sides}
    reply = client.http.post(f"/tournament/{event.id}/do/claim", data=form)
    assert (reply.status_code, reply.headers["Location"]) == (303, f"/tournament/{event.id}")
    assert "You told 9–9" in client.text(f"/tournament/{event.id}")


def test_a_confirmation_is_of_what_was_seen(desk):
    """A result that changed under a page is not confirmed by the page's button, with or without scripts."""
    event = desk.event(NAMES[:2])
    event.publish()
    pairing = event.pairing_of(1)
    teller, opponent = DeskClient(desk), DeskClient(desk)
    for client, entrant in ((teller, pairing.first), (opponent, pairing.second)):
        client.enter_code(event, event.code(entrant))
    path = f"/tournament/{event.id}"

    def tell(score):
        form = {f"{who}_{name}": 9 for who in ("mine", "theirs") for name in FIGURES} | {"mine_score": score}
        assert teller.post(f"{path}/do/claim", round=1, table=1, **form).status_code == 200

    def form_of_the_page():
        form = re.search(r"<form[^>]*/do/confirm.*?</form>", opponent.get(path).text, re.DOTALL).group(0)
        return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))

    tell(9)
    seen = form_of_the_page()
    tell(19)
    assert opponent.http.post(f"{path}/do/confirm", data=seen).status_code == 409
    nameless = {name: value for name, value in seen.items() if name != "seen"}
    refused = opponent.http.post(f"{path}/do/confirm", data=nameless)
    assert (refused.status_code, "which result" in refused.text) == (422, True)
    assert not event.pairing_of(1).is_complete
    assert opponent.http.post(f"{path}/do/confirm", data=form_of_the_page()).status_code == 303
    assert event.pairing_of(1).games[0].result.first.score == 19


def test_no_number_that_players_read_counts_the_facts_of_fair_play(desk):
    """A prize that is held leaves the page and data of another player as they were, who can confirm what they saw."""
    event = desk.event(NAMES[:4])
    event.publish()
    pairing = event.pairing_of(1)
    teller, opponent = DeskClient(desk), DeskClient(desk)
    for client, entrant in ((teller, pairing.first), (opponent, pairing.second)):
        client.enter_code(event, event.code(entrant))
    path = f"/tournament/{event.id}"
    form = {f"{who}_{name}": 9 for who in ("mine", "theirs") for name in FIGURES}
    assert teller.post(f"{path}/do/claim", round=1, table=pairing.table, **form).status_code == 200
    before = opponent.get(path).text, opponent.get(f"{path}/me.json").text
    (other,) = {1, 2, 3, 4} - {*pairing.entrants} - {min({1, 2, 3, 4} - {*pairing.entrants})}
    event.apply(f.Frozen(entrant=other, case="6"))
    assert (opponent.get(path).text, opponent.get(f"{path}/me.json").text) == before
    sent = re.search(r"<form[^>]*/do/confirm.*?</form>", before[0], re.DOTALL).group(0)
    confirmed = opponent.http.post(f"{path}/do/confirm", data=dict(re.findall(r'name="(\w+)" value="([^"]*)"', sent)))
    assert confirmed.status_code == 303
    event.apply(f.Frozen(entrant=pairing.first, case="7"))
    conflict = opponent.post(f"{path}/do/confirm", round=1, table=3 - pairing.table, seen=0)
    told = conflict.json["version"], opponent.get(f"{path}/version").json["version"]
    assert (conflict.status_code, told) == (409, (event.state.version - 2,) * 2)
    event.apply(f.CheckedOut(entrant=pairing.first))
    conflict = teller.post(f"{path}/do/check-in", seen=0)
    assert (conflict.status_code, "case" in conflict.text) == (409, False)


def test_a_director_confirms_what_they_name(desk, director):
    """A director's confirmation names the figures, or the version of the page; other figures are refused."""
    event = desk.event(NAMES[:2])
    event.publish()
    told = c.ClaimResult(round=1, table=1, entrant=1, result=TableResult(first=side("9:9/1"), second=side("8:8/1")))
    event.apply(told)
    assert director.line(event, "confirm 1 because slip").status_code == 422
    assert "has the result 9:9/1 8:8/1" in director.line(event, "confirm 1 8:8/1 8:8/1 because slip").json["detail"]
    assert director.line(event, "confirm 1 because slip", seen=event.state.version - 1).status_code == 409
    assert director.line(event, "confirm 1 9:9/1 8:8/1 because slip").status_code == 200
    assert event.pairing_of(1).is_complete


def test_a_result_is_told_six_times_an_hour(desk):
    """A player who tells one result again and again is referred to a director, and may tell it in another hour."""
    event = desk.event(NAMES[:2])
    event.publish()
    client, path = DeskClient(desk), f"/tournament/{event.id}/do/claim"
    client.enter_code(event, event.code(1))
    form = {f"{who}_{name}": 9 for who in ("mine", "theirs") for name in FIGURES}
    replies = [client.post(path, round=1, table=1, **form | {"mine_score": score}) for score in range(10, 18)]
    assert [reply.status_code for reply in replies] == [200] * 6 + [422] * 2
    assert "told this result 6 times within an hour" in replies[-1].json["detail"]
    desk.clock.now += 3_600
    assert client.post(path, round=1, table=1, **form | {"mine_score": 18}).status_code == 200


def test_the_wall_chart_shows_every_game(desk):
    """Each row has a cell a round: mark, rank of the opponent and score; a bye is a bye."""
    event = desk.event(NAMES[:3], rounds=2)
    event.play_rounds(2)
    event.apply(f.Finished())
    text = DeskClient(desk).text(f"/tournament/{event.id}/wall-chart")
    first = event.opened.snapshot().lines[0]
    assert f"1 {first.name} " in text
    assert text.count("bye") == 2
    assert KEY.find_entrant(event.state, "0000-0000-0000") is None
