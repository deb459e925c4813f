"""Tests of whole games at a table station: a paired device with its browser, the service, and the director's desk."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, PHONE_VIEWPORT, axe_violations, overflow_pixels
from judge_page import COOKIE, club_service, paired
from page_fixtures import store
from playwright.sync_api import Page, Route, expect
from small_installation import NOON, SmallInstallation, build_installation
from station_page import StationPage, open_station

from ordws.guard.policy import Policy
from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.rules.board import EMPTY, Axis, board_from_rows, square_name
from ordws.rules.event import Challenged, Checked, Drew, Event, Exchanged, Passed, Played, Stood, Swapped
from ordws.rules.game import Game, iter_states
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.options import with_options
from ordws.rules.ruleset import CLASSIC, SCRABBLE_I_CLASSIC, SCRABBLE_O
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, ToMove
from tests.mining.simulation import honest_strategy, play_out

__all__ = ["club_service"]

COMMON = (Path(__file__).parent.parent / "vectors" / "mining" / "common.txt").read_text("ascii").split()
WORDS = COMMON[::3]
WORDS_OF_FIVE = [word for word in WORDS if len(word) == 5 and len(set(word)) == 5]
NAMES = ("Ann", "Bob", "Cec", "Dee")
QUOTA = """async (game) => {
  const { budgets } = await (await fetch(`/v1/quota?game=${game}`)).json();
  const entries = budgets.map(({ budget, left }) => [budget, left]);
  return { ...Object.fromEntries(entries), core_limit: budgets.find(({ budget }) => budget === "core").limit };
}"""


@pytest.fixture(scope="module", name="shared_installation")
def club_of_common_words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """Yield an installation with a club, whose words are those that the played games are made of."""
    with build_installation(tmp_path_factory.mktemp("stations") / "instance") as installation:
        installation.deliver(*sorted(WORDS), number=2, core=WORDS, reference=WORDS)
        installation.key = installation.register.add("club", "operator", NOON - 40 * 86_400)
        installation.register.verify("club", NOON)
        yield installation


@pytest.fixture(scope="module")
def director(served):
    """Return a director's device of the club."""
    status, body = served.request("POST", "/v1/devices", json.dumps({"table": "Desk", "director": True}))
    assert status == 201, body
    return paired(served, code=json.loads(body)["code"])


def backwards(play: Play) -> Play:
    """Return the same play with its letters reversed."""
    tiles = [letter for letter in play.letters if letter != EMPTY]
    return play._replace(letters=bytes([EMPTY if letter == EMPTY else tiles.pop() for letter in play.letters]))


def doubtful(state: GameState, graph: Graph, rng: Random) -> Event:
    """Return players who know all words except in their third and fifth turn, and challenge once too often."""
    turns, event = len(state.turns), None
    if isinstance(state.phase, ToMove) and turns in (2, 4):
        event = honest_strategy(state, graph, rng)
    if isinstance(event, Played):
        return Played(event.player, backwards(event.play), accepted=state.rules.challenge.value != "none")
    if isinstance(state.phase, MayBeChallenged) and turns == 4:
        return Challenged((state.phase.player + 1) % len(state.seats), (), upheld=False)
    if isinstance(state.phase, MayCheckOspd):
        return Checked(state.phase.player, found=False)
    return event or honest_strategy(state, graph, rng)


def unjudged(state: GameState, graph: Graph, rng: Random) -> Event:
    """Return players of whom one makes a bad play in the third turn, which nobody judges in time."""
    event = honest_strategy(state, graph, rng)
    is_bad = isinstance(event, Played) and len(state.turns) == 2
    return Played(event.player, backwards(event.play)) if is_bad else event


def played(rules, players, seed, strategy, scoop) -> Game:
    """Return a game by ordws/rules with so many tiles, from the first to the last."""
    rules = with_options(rules, {"scoop": scoop})
    return play_out(rules, Graph.from_words(words_for(rules, WORDS)), players, Random(seed), strategy)


def steps_of(game: Game) -> list[tuple[Event, GameState, GameState]]:
    """Return the events that players enter, each with the states before and after it."""
    states = [*iter_states(game)]
    steps = zip(game.events, states, states[1:], strict=False)
    return [step for step in steps if not isinstance(step[0], Drew)]


def act(window: StationPage, event: Event, before: GameState) -> None:
    """Tap and type what the players do for this event of their game."""
    match event:
        case Swapped(_, row, column):
            window.press("Swap for the blank")
            letter = before.board.letter_at(row, column).upper()
            blank = f"{square_name(row, column)}: lay {letter}, take the blank"
            window.dialog.get_by_label("Which blank").select_option(blank)
            window.answer("Swap")
        case Played(_, play, _):
            letters = play.letters.decode()
            first = next(i for i, letter in enumerate(letters) if letter != ".")
            row, column = (play.row + first, play.column) if play.axis else (play.row, play.column + first)
            name = square_name(row, column)
            window.put(name if play.axis else name[1:] + name[0], letters.replace(".", ""))
        case Exchanged(_, tiles):
            window.press("Exchange")
            window.dialog.get_by_label("How many tiles").select_option(str(len(tiles)))
            window.answer("Exchange")
        case Passed():
            window.do("Pass", "Pass")
        case Checked():
            window.press("Check the OSPD")
        case Challenged(player):
            window.press("Challenge", window.panel)
            if len(before.seats) > 2:
                window.dialog.get_by_label("Player").select_option(str(player))
            window.answer("Judge")
        case Stood():
            window.press("It stands" if isinstance(before.phase, MayBeChallenged) else "Do not check")


def play_on(window: StationPage, steps: list[tuple[Event, GameState, GameState]]) -> None:
    """Make the moves of these steps; after each the page must show the scores of ordws/rules."""
    for event, before, now in steps:
        act(window, event, before)
        if not isinstance(now.phase, GameOver):
            window.expect_scores(*now.scores)


def finish(window: StationPage, state: GameState) -> None:
    """Enter the tiles left, attest the result and wait until it is sent."""
    names = NAMES[: len(state.seats)]
    for name, seat in zip(names, state.seats, strict=True):
        if seat.rack:
            window.page.get_by_label(f"On the rack of {name}").fill(seat.rack.lower())
    window.press("Count them")
    window.expect_scores(*state.scores)
    window.attest(*names)
    window.expect_sent()


def kept(director, table: str) -> dict:
    """Return what the director sees of the game of a table."""
    (board,) = [each for each in director.request("GET", "/v1/boards")[1]["boards"] if each["table"] == table]
    shown: dict = director.request("GET", f"/v1/boards/{board['id']}")[1]
    return shown


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "players", "seed", "scoop"),
    [
        (SCRABBLE_O, 3, 10, 27),
        (CLASSIC, 2, 21, 20),
        (SCRABBLE_I_CLASSIC, 4, 8, 38),
    ],
)
def test_a_whole_game_is_judged_scored_and_sent(rules, players, seed, scoop, tables, served, director):
    """A game of two, three and four players must have the scores of ordws/rules, and reach the director as it was.

    In the middle of it the browser dies.
    """
    game = played(rules, players, seed, doubtful, scoop)
    steps, (*_, state) = steps_of(game), iter_states(game)
    window = open_station(tables, served, rules.id)
    window.begin(NAMES[:players], rules.id, Tiles_in_the_game=str(scoop))
    play_on(window, steps[: len(steps) // 2])
    entries = window.entries()
    window = window.kill()
    assert window.entries() == entries
    play_on(window, steps[len(steps) // 2 :])
    finish(window, state)
    shown = kept(director, rules.id)
    assert (shown["station"]["scores"], shown["station"]["late"]) == ([*state.scores], [])
    assert all(shown["station"]["attested"])


@pytest.mark.long
def test_tiles_that_could_not_be_played_are_proposed(tables, served, director):
    """One player proposes a play with the other's tiles, unseen, is rewarded, and the director has it in the record."""
    first = WORDS_OF_FIVE[0]
    hook = next(word for word in WORDS if len(word) == 5 and word[0] == first[2] and word not in WORDS_OF_FIVE[:1])
    window = open_station(tables, served, "Round")
    options = {"Tiles_in_the_game": "14", "Unplayed_tiles_challenge_round": "on"}
    window.begin(NAMES[:2], "scrabble-o", **options)
    window.put("8D", first)
    for turn in (2, 3, 4):
        expect(window.page.locator(".whose")).to_contain_text(f"turn {turn}")
        window.do("Pass", "Pass")
    window.page.get_by_label("On the rack of Ann").fill("VV")
    window.page.get_by_label("On the rack of Bob").fill(f"{hook[1:]}CYY")
    window.press("Count them")
    expect(window.panel).to_contain_text("Bob was stuck with tiles. Ann has a minute")
    before = [int(score) for score in window.page.locator(".scores b").all_inner_texts()]
    window.press("Ann: begin the minute")
    expect(window.panel).to_contain_text("60 seconds left")
    window.put("F9", hook[1:], play=False)
    assert window.violations() == []
    window.press("Propose this play")
    window = window.kill()
    expect(window.panel).to_contain_text("Ann was stuck with tiles")
    window.expect_scores(*before)
    window.press("Bob: begin the minute")
    window.page.clock.fast_forward("01:01")
    window.attest("Ann", "Bob")
    window.expect_sent()
    rows = ["." * 15] * 7 + [f"...{first}......."] + ["." * 15] * 7
    ruling = judge(SCRABBLE_O, board_from_rows(rows), Play(7, 5, Axis.DOWN, b"." + hook[1:].encode()))
    assert isinstance(ruling, Legal)
    assert kept(director, "Round")["station"]["scores"] == [before[0] + ruling.score, before[1]]


def desk_of(tables, director) -> Page:
    """Return the desk in a window of the director's device."""
    page = tables.plain_window(viewport=DESKTOP_VIEWPORT)
    page.context.add_cookies(
        [{"name": COOKIE, "value": director.token, "url": f"{tables.url}/v1", "httpOnly": True, "sameSite": "Strict"}]
    )
    store(page, paired="yes")
    page.goto("/director")
    return page


def test_a_game_goes_on_for_five_minutes_without_the_judge(tables, served, director):
    """Plays and times must be kept without a connection, verdicts follow, and a late no reaches the desk."""
    tables.expected.append("ERR_INTERNET_DISCONNECTED")
    game = played(SCRABBLE_I_CLASSIC, 2, 6, unjudged, 20)
    steps, (*_, state) = steps_of(game), iter_states(game)
    bad = next(i for i, (event, before, _) in enumerate(steps) if isinstance(event, Played) and len(before.turns) == 2)
    window = open_station(tables, served, "Offline", offline=True)
    window.begin(NAMES[:2], "scrabble-i-classic", Tiles_in_the_game="20")
    play_on(window, steps[:bad])
    window.page.context.set_offline(True)
    play_on(window, steps[bad : bad + 1])
    expect(window.notices).to_contain_text("Verdicts still to come: 1")
    window.page.clock.fast_forward("05:00")
    play_on(window, steps[bad + 1 : -1])
    entries = window.entries()
    window.reload()
    assert window.entries() == entries
    window.page.context.set_offline(False)
    late = (
        f"Late verdict: {entries_of(entries, 'play')[2]['move']} of Ann, turn 3, is not acceptable. Call the director."
    )
    expect(window.notices).to_have_text(late)
    play_on(window, steps[-1:])
    finish(window, state)
    shown = kept(director, "Offline")
    assert shown["station"]["scores"] == [*state.scores]
    moves = [event["move"] for event in entries_of(entries, "play")[2:]]
    judged = [(each["move"], each["valid"]) for each in shown["station"]["late"]]
    assert judged == [(move, move != moves[0]) for move in moves]
    assert shown["station"]["milliseconds"] == [0, 300_000]  # Bob was to move while the five minutes passed
    assert [play["checked"] for play in shown["plays"]] == [n != 2 for n in range(len(shown["plays"]))]
    desk = desk_of(tables, director)
    expect(desk.locator(".boards li").filter(has_text="Offline")).to_contain_text(
        "Found bad when the game had gone on: 1"
    )
    desk.get_by_role("button", name="Look over Ann, Bob, Offline").click()
    expect(desk.locator("#board")).to_contain_text(f"Bad play found late: {moves[0]} of Ann")
    assert axe_violations(desk) == []


def test_a_game_of_an_event_is_begun_by_a_tap_and_counts(tables, served, director, shared_installation):
    """A bound station must show place and players in their order, play without the judge, and report when it can.

    A play that the service has judged, but whose reply never came, is charged and counted once. Closing the page stops
    no clock; in table mode a director gives time back after the pass-phrase, with a reason that is kept.
    """
    shared_installation.register.add_scope("club", "tournament")
    tables.expected.extend(["ERR_FAILED", "404"])
    window = open_station(tables, served, "Event table")
    lock(window.page, "word")
    place = {"event": "e", "title": "Spring Open", "round": 2, "table": 7, "device": "Event table"}
    rules = {"players": ["Bob Q", "Ann Lee"], "rules": "scrabble-o", "clock": 600}
    status, body = served.request("POST", "/v1/tournament/stations", json.dumps({**place, **rules}))
    assert status == 201, body
    game = json.loads(body)["game"]
    window.page.reload()
    bound = window.page.get_by_role("region", name="To be played here")
    expect(bound).to_contain_text("Spring Open, round 2, table 7")
    expect(bound).to_contain_text("Bob Q, Ann Lee. Bob Q begins.")
    bound.get_by_role("button", name="Continue to the oath").click()
    context = window.page.context

    def cut(route: Route) -> None:
        route.fetch()
        route.abort()

    def fail(route: Route) -> None:
        route.abort()

    context.route("**/v1/**", fail)
    context.route("**/v1/plays", cut, times=1)
    for name in rules["players"]:
        window.press(f"{name}: I swear")
        expect(window.panel).to_contain_text(f"{name} has sworn")
    window.press("Start the clock of Bob Q")
    window.put("8G", WORDS_OF_FIVE[0])
    expect(window.notices).to_contain_text("Verdicts still to come: 1")
    address = window.page.url
    window.page.close()
    context.clock.fast_forward("02:00")
    window = StationPage(context.new_page())
    window.page.goto(address)
    window.expect_clocks("10:00", "8:00")
    for phrase, says in (("wrong", "That is not the pass-phrase."), ("word", "")):
        window.press("Director")
        window.dialog.get_by_label("Pass-phrase").fill(phrase)
        window.dialog.get_by_role("button", name="Continue").click()
        if says:
            expect(window.dialog).to_contain_text(says)
            window.answer("Understood")
    window.dialog.get_by_role("button", name="Neutralise time").click()
    window.dialog.get_by_role("button", name="Give back").click()
    expect(window.dialog.get_by_role("alert")).to_contain_text("a reason")
    window.dialog.get_by_label("Player").select_option("1")
    window.dialog.get_by_label("Minutes").fill("1.5")
    window.dialog.get_by_label("Reason").fill("fire drill")
    window.answer("Give back")
    window.expect_clocks("10:00", "9:30")
    context.unroute_all()
    window.page.clock.fast_forward("00:06")
    expect(window.notices).to_have_text("")
    left = window.page.evaluate(QUOTA, address.partition("#")[2])
    assert (left["plays"], left["core"]) == (Policy().plays_a_game - 1, left["core_limit"] - 1)
    context.route("**/v1/**", fail)
    window.press("End the game")
    window.dialog.get_by_label("no tiles are counted").check()
    window.answer("End the game")
    window.attest(*rules["players"])
    context.unroute_all()
    window.page.clock.fast_forward("00:06")
    expect(window.panel).to_contain_text("its result counts in the event")
    entries = window.entries()
    (given,) = entries_of(entries, "neutralise")
    assert (given["milliseconds"], given["reason"], given["player"]) == (90_000, "fire drill", 1)
    assert [entry["valid"] for entry in entries if "verdict" in entry["kind"]] == [None, True]
    status, body = served.request("POST", "/v1/tournament/games/find", json.dumps({"games": [game]}))
    (told,) = json.loads(body)["games"]
    assert (told["status"], [seat["turns"] for seat in told["seats"]]) == ("over", [1, 0])
    window.page.goto(window.page.url.partition("#")[0])
    expect(window.page.locator(".games li")).to_contain_text("Spring Open, round 2, table 7")
    expect(window.page.locator(".games li")).to_contain_text("its result counts in the event")
    expect(window.page.get_by_role("region", name="To be played here")).to_have_count(0)


def lock(page: Page, phrase: str) -> None:
    """Put a device in table mode, with fewer rounds than the page would make, which take long."""
    salt = "c2FsdA=="
    digest = hashlib.pbkdf2_hmac("sha256", phrase.encode(), salt.encode(), 1)
    kept = {"salt": salt, "rounds": 1, "hash": b64encode(digest).decode(), "page": "/station"}
    page.evaluate("(kept) => { localStorage['ordws.judge.table'] = kept; }", json.dumps(kept))


def entries_of(entries: list[dict], kind: str) -> list[dict]:
    return [entry for entry in entries if entry["kind"] == kind]


@pytest.mark.long
def test_no_more_tiles_than_the_set_has_can_be_laid(tables, served):
    """A play with more tiles of a letter than there are must not be offered."""
    window = open_station(tables, served, "Tiles", viewport=PHONE_VIEWPORT)
    window.begin(NAMES[:2], "scrabble-o")
    window.put("8G", "ZZZZ", play=False)
    expect(window.panel).to_contain_text("The set has no more than")
    expect(window.panel.get_by_role("button", name="Play for")).to_have_count(0)


@pytest.mark.long
def test_clocks_run_while_the_page_is_closed_and_a_director_gives_time_back(tables, served):
    """Closing the page must stop no clock; time is given back after the pass-phrase, with a reason that is kept."""
    window = open_station(tables, served, "Clocks")
    window.press("Table mode")
    for label in ("Pass-phrase", "The same again"):
        window.dialog.get_by_label(label).fill("word")
    window.dialog.get_by_role("button", name="Begin table mode").click()
    expect(window.page.locator("html")).to_have_attribute("data-mode", "table")
    expect(window.page.get_by_role("button", name="Leave table mode")).to_be_visible()
    window.begin(NAMES[:2], "scrabble-o", Clock="25")
    address, context = window.page.url, window.page.context
    window.page.close()
    context.clock.fast_forward("02:00")
    page = context.new_page()
    page.goto("/keep", wait_until="commit")
    expect(page).to_have_url(re.compile("/station$"))  # table mode comes back to the station
    page.goto(address)
    window = StationPage(page)
    window.expect_clocks("23:00", "25:00")
    for phrase, says in (("wrong", "That is not the pass-phrase."), ("word", "")):
        window.press("Director")
        window.dialog.get_by_label("Pass-phrase").fill(phrase)
        window.dialog.get_by_role("button", name="Continue").click()
        if says:
            expect(window.dialog).to_contain_text(says)
            window.answer("Understood")
    window.dialog.get_by_role("button", name="Neutralise time").click()
    window.dialog.get_by_role("button", name="Give back").click()
    expect(window.dialog.get_by_role("alert")).to_contain_text("a reason")
    window.dialog.get_by_label("Minutes").fill("1.5")
    window.dialog.get_by_label("Reason").fill("fire drill")
    window.answer("Give back")
    window.expect_clocks("24:30", "25:00")
    (given,) = entries_of(window.entries(), "neutralise")
    assert (given["milliseconds"], given["reason"], given["player"]) == (90_000, "fire drill", 0)


@pytest.mark.long
def test_a_game_is_played_by_keys_alone(tables, served):
    """The oath, a play, the end and the attestations must work without a pointer."""
    window = open_station(tables, served, "Keys")
    window.reach("New game")
    window.type("Enter")
    expect(window.page.get_by_label("Player 1")).to_be_visible()
    for number, name in enumerate(NAMES[:2], start=1):
        window.reach(f"Player {number}")
        window.page.keyboard.type(name)
    window.page.get_by_label("Rule set").select_option("scrabble-o")
    window.reach("Continue to the oath")
    window.type("Enter")
    window.square(7, 7).wait_for()
    for control in ("Ann: I swear", "Bob: I swear", "Start the clock of Ann"):
        expect(window.panel.get_by_role("button", name=control)).to_be_visible()
        window.reach(control)
        window.type("Enter")
    window.expect_told("is running")
    expect(window.page.locator("[role=gridcell]:focus")).to_have_count(1)
    window.type(*WORDS_OF_FIVE[0].lower(), "Enter", "Enter")
    window.expect_told(f", {WORDS_OF_FIVE[0]}:")
    window.reach("End the game")
    window.type("Enter")
    window.reach("Nobody goes out")
    window.type("ArrowDown")
    window.reach("End the game")
    window.type("Enter")
    for name in NAMES[:2]:
        expect(window.panel.get_by_role("button", name=f"{name}: I attest")).to_be_visible()
        window.reach(f"{name}: I attest")
        window.type("Enter")
    window.expect_sent()


@pytest.mark.long
@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [(NARROW_VIEWPORT, "dark"), ({"width": 1024, "height": 768}, "light")],
)
def test_the_station_is_accessible(viewport, scheme, tables, served):
    """Axe finds no violation in any view, dark on the narrowest phone and light on a tablet; nothing overflows."""
    window = open_station(tables, served, f"Table {viewport['width']}", viewport=viewport, color_scheme=scheme)
    window.page.get_by_role("button", name="New game").click()
    for number, name in enumerate(NAMES, start=1):
        window.page.get_by_label(f"Player {number}").fill(name)
    window.page.get_by_label("Rule set").select_option("scrabble-o")
    window.press("Continue to the oath")
    expect(window.panel).to_contain_text("Before the first tile")
    look(window, "the oath")
    for name in NAMES:
        window.press(f"{name}: I swear")
        expect(window.panel).to_contain_text(f"{name} has sworn")
    window.press("Start the clock of")
    window.put("8G", WORDS_OF_FIVE[0], play=False)
    look(window, "a play")
    window.press("Director")
    window.press("I am the director", window.dialog)
    window.dialog.get_by_role("button", name="Adjust a score").click()
    look(window, "the director")
    window.answer("Cancel")
    window.press("Play for", window.panel)
    window.expect_told("Ann: 8G")
    window.press("End the game")
    window.dialog.get_by_text("no tiles are counted").click()
    window.answer("End the game")
    look(window, "the result")


def look(window: StationPage, view: str) -> None:
    """Assert that a view breaks no rule of WCAG 2.2 AA, and is as wide as its window."""
    assert (view, window.violations()) == (view, [])
    assert (view, max(overflow_pixels(window.page), 0)) == (view, 0)
