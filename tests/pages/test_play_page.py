"""Tests of /play with two windows: from the play link to the first move by clicks alone, and what can go wrong."""

from __future__ import annotations

import json
import re
from contextlib import closing

import pytest
from browser_windows import DESKTOP_VIEWPORT, axe_violations, overflow_pixels
from play_page import (
    GAMES_A_DAY,
    NARROW_PHONE,
    PEPPER,
    link_of,
    play_installation,
    play_link,
    play_service,
    players,
    promise,
    resign,
    take_seat,
)
from playwright.sync_api import Page, expect
from service_process import HttpServiceClient

from ordws.identity.play_links import PlayLinks

__all__ = ["play_installation", "play_link", "play_service", "players"]

pytestmark = pytest.mark.long

NO_SUCH_GAME = "0" * 32
ADD_GAME = """(game) => {
  const games = JSON.parse(localStorage["ordws.play.games"]);
  localStorage["ordws.play.games"] = JSON.stringify([...games, game]);
}"""


def check_page(page: Page, state: str) -> None:
    """Assert that a page fits its window and has no violation, and enough contrast in the dark too."""
    found = [f"{overflow_pixels(page)} px too wide"] if overflow_pixels(page) > 0 else []
    found += axe_violations(page)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {violation}" for violation in axe_violations(page, "color-contrast")]
    page.emulate_media(color_scheme="light")
    assert (state, found) == (state, [])


def title(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def test_from_the_play_link_to_the_first_move(players):
    """On two phones a link opens the game, another gives the seat, both promise, and the first one moves."""
    ann = players.lobby()
    check_page(ann, "lobby")
    assert "ordws_play" not in ann.url
    players.open_game(page=ann)
    expect(ann.locator(".links")).to_contain_text("The links lead to this device alone")
    check_page(ann, "waiting room")
    ben = players.follow(link_of(ann), **NARROW_PHONE)
    title(ben, "Ann invites you to play")
    check_page(ben, "invitation")
    expect(ann.locator(".players .missing")).to_have_count(1)  # opening the link has taken nothing
    take_seat(ben, "Ben")
    for page in (ann, ben):
        title(page, "Before the first tile")
        expect(page.locator(".players .there")).to_have_count(0)
    assert "ordws_invite" not in ben.url
    check_page(ben, "oath")
    promise(ann)
    expect(ben.locator(".players .there")).to_have_text(re.compile("Ann"))
    check_page(ann, "promised")
    expect(ben.locator(".play-table")).to_have_count(0)
    promise(ben)
    for page in (ann, ben):
        expect(page.locator(".play-table")).to_be_visible()
    expect(ben.locator(".rack button")).to_have_count(7)
    ann.get_by_role("button", name="Pass").click()
    ann.get_by_role("dialog").get_by_role("button", name="Pass").click()
    expect(ben.locator(".told")).to_contain_text("Your turn. Ann passed.")


def test_the_result(players):
    """Both see the result and confirm it, and can save the record and a picture that shows no rack."""
    ann, ben = players.begin()
    resign(ann)
    title(ann, "Ben wins")
    title(ben, "You win")
    expect(ben.locator(".final li").filter(has_text="Ann")).to_contain_text("resigned")
    check_page(ben, "result")
    with ben.expect_download() as record:
        ben.get_by_role("button", name="Save the record (GCG)").click()
    assert "#player2 Ben Ben" in record.value.path().read_text("utf-8")
    with ben.expect_download() as picture:
        ben.get_by_role("button", name="Save the board as a picture").click()
    assert picture.value.suggested_filename.endswith("-Ann-Ben.png")
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    drawn = ben.locator(".final-board img").get_attribute("src")
    assert "Ann%200%2C%20Ben%200" in drawn
    assert "rect%20class%3D%22g-tile" not in drawn  # no tile was played, so none is in the picture
    for page, name, other in ((ann, "Ann", ben), (ben, "Ben", ann)):
        page.get_by_role("button", name="I confirm this").click()
        expect(page.get_by_text("You have confirmed it.")).to_be_visible()
        expect(other.get_by_text(f"Confirmed by {name}.")).to_be_visible()


def test_the_next_game(players):
    """A rematch takes the same players to a new game, which the other player begins."""
    ann, ben = players.begin()
    resign(ann)
    ann.get_by_role("button", name="Play again").click()
    title(ann, "Waiting for the other player")
    ben.get_by_role("button", name="Take my seat").click()
    for page, who in ((ann, "Ann"), (ben, "Ben")):
        title(page, "Before the first tile")
        expect(page.locator(".players li").first).to_have_text(re.compile("^Ben"))
        expect(page.locator(".players li").filter(has_text="(you)")).to_contain_text(who)


def test_a_game_of_an_event(players, shared_installation, served):
    """An invitation names place and player, a result offers no rematch, and a game that is called off says so."""
    key = shared_installation.register.add("league", "operator", 0, scopes=["tournament"])
    shared_installation.register.verify("league", 0)
    desk = HttpServiceClient()
    desk.key, desk.port = key, served.port
    seats = [{"player": f"e-{name}", "name": name} for name in ("Ann", "Ben")]
    place = {"event": "e", "title": "Spring Open", "round": 2, "seats": seats, "rules": "scrabble-o"}

    def open_table(table: int) -> tuple[str, list[Page]]:
        status, body = desk.request("POST", "/v1/tournament/games", json.dumps({**place, "table": table}))
        assert status == 201, body
        game = json.loads(body)
        links = [f"/play/{game['game']}#seat={seat['invitation']}" for seat in game["seats"]]
        return game["game"], [players.follow(link) for link in links]

    game, (ann, ben) = open_table(7)
    for page, name in ((ann, "Ann"), (ben, "Ben")):
        expect(page.get_by_label("Your name")).to_have_value(name)
        expect(page.get_by_label("Your name")).not_to_be_editable()
        expect(page.locator(".facts")).to_contain_text("Spring Open, round 2, table 7")
        page.get_by_role("button", name="Take the seat").click()
    for page in (ann, ben):
        promise(page)
    expect(ann.locator(".play-table")).to_be_visible()
    resign(ann)
    expect(ben.locator(".again")).to_have_text(
        "This is the result of Spring Open, round 2, table 7. The event draws the next round."
    )
    game, both = open_table(8)
    for page in both:
        page.get_by_role("button", name="Take the seat").click()
    for page in both:
        promise(page)
    expect(both[0].get_by_role("button", name="Pass")).to_be_enabled()
    assert desk.request("POST", f"/v1/tournament/games/{game}/call-off", '{"begun": true}')[0] == 200
    for page in both:
        expect(page.locator(".told")).to_contain_text("Called off.")
        expect(page.get_by_text("or its round is drawn again")).to_be_visible()
    expect(both[0].get_by_role("button", name="Pass")).to_be_disabled()
    game, (cy, _) = open_table(9)
    cy.get_by_role("button", name="Take the seat").click()
    expect(cy.locator(".links")).to_contain_text("The others have their links")
    assert desk.request("POST", f"/v1/tournament/games/{game}/call-off", "{}")[0] == 200
    expect(cy.locator(".links")).to_contain_text("did not begin in time")


def test_a_link_that_was_used(players):
    """Another browser with a used link takes nothing but comes in by the recovery code; the first one is told."""
    ann = players.open_game()
    link = link_of(ann)
    ben = players.follow(link)
    take_seat(ben, "Ben")
    title(ben, "Before the first tile")
    code = ben.locator(".recovery .code").inner_text()
    other = players.follow(link)
    title(other, "This seat has been taken")
    check_page(other, "seat taken")
    other.get_by_label("Recovery code").fill("7K2M-9QRT-4WXX")
    other.get_by_role("button", name="Get my seat back").click()
    expect(other.get_by_role("alert")).to_contain_text("That is not the recovery code")
    other.get_by_label("Recovery code").fill(code.lower().replace("-", " "))
    other.get_by_role("button", name="Get my seat back").click()
    title(other, "Before the first tile")
    title(ben, "This game cannot be shown here")
    expect(ben.locator(".notice")).to_contain_text("You play this seat on another device now")
    ben.goto(f"{ann.url}#code={code}")  # as the QR code of the seat has it
    title(ben, "I have a recovery code")
    ben.get_by_role("button", name="Get my seat back").click()
    title(ben, "Before the first tile")
    assert code not in ben.url
    expect(other.locator(".notice.warning")).to_contain_text("You play this seat on another device now")


def test_a_browser_has_one_seat_in_a_game(players):
    """Whoever tries the link in the browser that opened the game is told to send it, and keeps the seat."""
    ann = players.open_game()
    own = ann.context.new_page()
    own.goto(link_of(ann))
    title(own, "You have a seat in this game already")
    own.get_by_role("link", name="Go to my seat").click()
    title(own, "Waiting for the other player")
    expect(ann.locator(".notice.warning")).to_contain_text("open in another window")
    ann.get_by_role("button", name="Go on here").click()
    expect(own.locator(".notice.warning")).to_contain_text("open in another window")


def test_the_lobby_tells_whose_turn_it_is(players):
    """My games are listed with the other players, whose turn it is and the time; a game whose day is over has gone."""
    ann, ben = players.begin()
    old = {"game": NO_SUCH_GAME, "opened": 1, "expires": "2026-01-01T00:00:00Z", "players": ["Cleo"]}
    ben.evaluate(ADD_GAME, old)
    for page, other, turn in ((ann, "Ben", "your turn"), (ben, "Ann", "Ann is to move")):
        page.goto("/play")
        games = page.locator(".games li")
        expect(games.first).to_contain_text(f"With {other}")
        expect(games.first).to_contain_text(turn)
        expect(games.first).to_contain_text(re.compile(r"0 : 0 · (25:00|2[0-4]:\d\d) left for you"))
    expect(ben.locator(".games")).not_to_contain_text("Cleo")
    check_page(ann, "my games")
    ann.get_by_role("link", name="With Ben").click()
    expect(ann.locator(".play-table")).to_be_visible()


def test_a_desktop_opens_a_game_of_other_rules(players):
    """Rule set, options, time and players can be set; the invitation tells them."""
    page = players.lobby(viewport=DESKTOP_VIEWPORT, has_touch=False, is_mobile=False)
    page.get_by_label("Rule set").select_option("scrabble-o")
    page.get_by_label("Time for each player").select_option("600")
    page.get_by_text("Players, who begins, other rules").click()
    page.get_by_label("Players", exact=True).select_option("3")
    page.get_by_text("Scoring").click()
    page.get_by_label("Several word squares under one word").select_option("multiply")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Open the game").click()
    title(page, "Waiting for the other players")
    expect(page.locator(".to-share")).to_have_count(2)
    ben = players.join(page)
    title(ben, "Waiting for the other players")
    told = re.compile("Scrabble O For Word Lovers.*10 minutes for each player.*are multiplied", re.DOTALL)
    expect(ben.locator(".facts")).to_have_text(told)
    expect(page.locator(".to-share")).to_have_count(1)


def test_what_does_not_work_says_why(players):
    """A bad invitation, a game of others, a game that is gone and a lost connection each say what to do."""
    page = players.follow(f"/play/{NO_SUCH_GAME}#seat=ordws_invite_1{'0' * 32}")
    title(page, "This game cannot be shown here")
    expect(page.locator(".notice")).to_contain_text("This link gives no seat in a game")
    check_page(page, "trouble")
    ann = players.open_game()
    page.goto(ann.url)
    expect(page.locator(".notice")).to_contain_text("This browser has no seat in this game")
    gone = [{"game": NO_SUCH_GAME, "opened": 1, "expires": "2026-01-01T00:00:00Z"}]
    page.evaluate("games => { localStorage['ordws.play.games'] = games; }", json.dumps(gone))
    page.goto(f"/play/{NO_SUCH_GAME}")
    expect(page.locator(".notice")).to_contain_text("ended when its day was over")
    ann.context.set_offline(True)
    expect(ann.locator(".notice.warning")).to_contain_text("No connection")
    ann.context.set_offline(False)
    expect(ann.locator(".notice.warning")).to_be_hidden()


def test_a_visitor_without_a_link(players, play_link):
    """Without a play link the page says what it takes and what else there is, and takes a link that is pasted."""
    page = players.follow("/play")
    expect(page.get_by_role("heading", name="You need a play link")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="Keep a game")).to_be_visible()
    check_page(page, "no link")
    page.get_by_label("Play link").fill("ordws_play_short")
    page.get_by_role("button", name="Use this link").click()
    expect(page.get_by_role("alert").filter(has_text="This is no play link")).to_be_visible()
    page.get_by_label("Play link").fill(f"It is {play_link}!")
    page.get_by_role("button", name="Use this link").click()
    expect(page.get_by_label("Your name")).to_be_focused()


def test_none_left_and_a_withdrawn_link(players, shared_installation):
    """With no game left the page says when there are some and what else there is; a withdrawn link is forgotten."""
    page = players.lobby()
    body = {"link": players.play_link, "rules": "classic", "seats": 2, "name": "Ann", "first": "me"}
    replies = [page.request.post("/v1/guest-games", data=body).status for _ in range(GAMES_A_DAY + 1)]
    assert {*replies} == {201, 429}
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Open the game").click()
    expect(page.locator(".left")).to_contain_text("No whole game is left for today. New ones come")
    expect(page.get_by_role("button", name="Open the game")).to_be_disabled()
    expect(page.locator(".left").get_by_role("link", name="Keep a game at the table")).to_have_attribute(
        "href", "/keep"
    )
    check_page(page, "none left")
    page.reload()
    expect(page.get_by_role("button", name="Open the game")).to_be_disabled()
    with closing(PlayLinks.open(shared_installation.instance.clients, PEPPER)) as links:
        links.withdraw()
    page.evaluate("document.querySelector('.opening .main').disabled = false")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Open the game").click()
    expect(page.locator(".fault").first).to_contain_text("This play link opens no games any more")
    expect(page.get_by_role("heading", name="You need a play link")).to_be_visible()
