"""The JavaScript client in a browser: a page that loses its network or sleeps catches up by itself."""

from __future__ import annotations

import pytest
from both_clients import SyncCaller
from browser_windows import BrowserWindows
from playwright.sync_api import expect

WATCH = """
async ([game, seatToken, key]) => {
  const { createClient } = await import("/app/client.js");
  const seen = [];
  let state = "";
  const show = () => { document.title = `${seen.join(" ")} ${state}`; };
  window.client = createClient({ key });
  window.client.game(game, { seatToken }).watch(({ turn }) => { seen.push(turn); show(); }, {
    onConnection: (connection) => { state = connection; show(); },
  }).then((why) => { state = why; show(); });
}
"""


@pytest.fixture
def windows(chromium, running_service):
    windows = BrowserWindows(f"http://localhost:{running_service.service.port}", chromium)
    windows.expected.append("ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED")
    yield windows
    windows.close()
    windows.check()


def watch(page, arguments):
    """Watch a game in the title of a page, once the page has written its own."""
    page.goto("/play")
    expect(page.get_by_role("heading", name="You need a play link")).to_be_visible()
    page.evaluate(WATCH, arguments)


@pytest.mark.long
def test_a_page_catches_up_when_its_network_comes_back(windows, running_service, test_key):
    """A page sees each turn once: by the stream, after its network was away, and no more when another replaces it."""
    ann = SyncCaller(running_service.address, test_key)
    game = ann(lambda c: c.open_game(["ann", "ben"], rules="classic"))
    page, other = windows.window(), windows.window()
    arguments = [game.id, game.seats[1].token, test_key]
    watch(page, arguments)
    expect(page).to_have_title("1 live")
    game.seats[0].pass_turn()
    expect(page).to_have_title("1 2 live")
    page.context.set_offline(True)
    expect(page).to_have_title("1 2 offline")
    game.seats[1].pass_turn()
    page.context.set_offline(False)
    expect(page).to_have_title("1 2 3 live")
    watch(other, arguments)
    expect(page).to_have_title("1 2 3 replaced")
    expect(other).to_have_title("3 live")
    game.seats[0].pass_turn()
    expect(other).to_have_title("3 4 live")
    assert page.title() == "1 2 3 replaced"
    ann.close()
