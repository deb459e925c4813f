"""Tests of a game that is kept on a club's device: when it is over, its director can look over the board."""

from __future__ import annotations

import json

import pytest
from browser_windows import DESKTOP_VIEWPORT, PHONE_VIEWPORT
from judge_page import club_installation, club_service, paired
from keep_page import KeepPage, open_keep
from playwright.sync_api import expect

from ordws.guard.policy import Policy

__all__ = ["club_installation", "club_service"]

END = "End the game"
LABEL = "async () => (await (await import('/app/keep-store.js')).loadGames())[0].label"
SPEND = """async ([label, words]) => {
  const { fetchJson } = await import("/app/api.js");
  const replies = [];
  for (const word of words) replies.push(await fetchJson("POST", "/v1/judge", { words: [word], game: label }));
  return replies.map(({ status }) => status);
}"""


def begin_on_device(tables, served, table, **options) -> KeepPage:
    """Begin a game in a window that is a paired device of the club."""
    window = open_keep(tables, **options)
    status, body = served.request("POST", "/v1/devices", json.dumps({"table": table}))
    assert status == 201
    window.page.evaluate("async (code) => (await import('/app/api.js')).pairDevice(code)", json.loads(body)["code"])
    window.begin(("Ann", "Bob"), "scrabble-i-classic")
    window.put("8H", "ACTION")
    window.expect_told("Ann: 8H ACTION")
    return window


def end(window: KeepPage) -> None:
    """End the game without counting tiles."""
    window.press(END)
    window.dialog.get_by_text("no tiles are counted").click()
    window.answer(END)


def director_of(served):
    """Return a director's device of the club."""
    status, body = served.request("POST", "/v1/devices", json.dumps({"table": "Ann", "director": True}))
    assert status == 201, body
    return paired(served, code=json.loads(body)["code"])


def test_the_board_of_a_finished_game_reaches_the_director(tables, served):
    """A game that ends on a club's device must be sent once, with the plays that the service has judged in it."""
    window = begin_on_device(tables, served, "Table 3", viewport=DESKTOP_VIEWPORT)
    end(window)
    expect(window.panel).to_contain_text("The director can look over this board.")
    sent = []
    window.page.on("request", lambda request: sent.append(request.url) if "/v1/boards" in request.url else None)
    window.page.reload()
    expect(window.panel).to_contain_text("The director can look over this board.")
    assert sent == []
    director = director_of(served)
    (board,) = director.request("GET", "/v1/boards")[1]["boards"]
    assert (board["table"], board["players"], board["rules"]) == ("Table 3", ["Ann", "Bob"], "scrabble-i-classic")
    shown = director.request("GET", f"/v1/boards/{board['id']}")[1]
    assert [(play["move"], play["checked"]) for play in shown["plays"]] == [("8H ACTION", True)]
    assert director.request("POST", f"/v1/boards/{board['id']}/review", {}) == (200, {"valid": True})


@pytest.mark.long
def test_a_board_is_sent_when_there_is_a_connection_again(tables, served):
    """Without a connection the page says that the director lacks the board, and has a button that sends it."""
    tables.expected.append("ERR_INTERNET_DISCONNECTED")
    window = begin_on_device(tables, served, "Table 4", viewport=PHONE_VIEWPORT)
    window.page.context.set_offline(True)
    end(window)
    expect(window.panel).to_contain_text("The director does not have this board yet.")
    window.page.context.set_offline(False)
    window.press("Send it to the director")
    expect(window.panel).to_contain_text("The director can look over this board.")


@pytest.mark.long
def test_a_board_that_was_sent_before_is_said_to_be(tables, served):
    """After a game that ended was undone and went on, the page must not say that the director has its last board."""
    tables.expected.append("409")
    window = begin_on_device(tables, served, "Table 5", viewport=DESKTOP_VIEWPORT)
    end(window)
    expect(window.panel).to_contain_text("The director can look over this board.")
    window.do("Undo", "Undo")
    window.do("Pass", "Pass")
    end(window)
    expect(window.panel).to_contain_text("The director can look over this board as it was when the game ended first.")
    sent = []
    window.page.on("request", lambda request: sent.append(request.url) if "/v1/boards" in request.url else None)
    window.page.reload()
    expect(window.panel).to_contain_text("as it was when the game ended first.")
    assert sent == []


@pytest.mark.long
def test_a_game_without_a_play_is_not_offered_again(tables, served):
    """The record of a game that ended without a play is refused, and the page says so and has no button to send it."""
    tables.expected.append("422")
    window = begin_on_device(tables, served, "Table 6", viewport=PHONE_VIEWPORT)
    window.do("Undo", "Undo")
    end(window)
    expect(window.panel).to_contain_text("The director cannot look over this board")
    assert window.panel.get_by_role("button", name="Send it to the director").count() == 0


@pytest.mark.long
def test_a_game_whose_budget_is_spent_goes_on_under_a_new_label(tables, served):
    """When a game has no more plays, the page asks once more, under another label."""
    tables.expected.append("429")
    window = begin_on_device(tables, served, "Table 7", viewport=DESKTOP_VIEWPORT)
    label = window.page.evaluate(LABEL)
    statuses = window.page.evaluate(SPEND, [label, ["MISFEED"] * (Policy().plays_a_game + 1)])
    assert (statuses[0], statuses[-1]) == (200, 429)
    window.put("J6", "CA")
    window.expect_told("Bob: J6 CA., CAT:")
    assert window.page.evaluate(LABEL) != label


@pytest.mark.long
def test_a_game_without_a_director_stays_on_the_device(tables, served):
    """A game on a device that is not paired must not be sent anywhere."""
    window = open_keep(tables, viewport=PHONE_VIEWPORT)
    sent = []
    window.page.on("request", lambda request: sent.append(request.url) if "/v1/" in request.url else None)
    window.begin(("Ann", "Bob"), "classic")
    window.put("8H", "CAT")
    window.press("It stands")
    end(window)
    expect(window.page.locator(".final")).to_be_visible()
    assert (sent, window.page.get_by_text("The director").count()) == ([], 0)
