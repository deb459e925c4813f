"""The reviewers' pages and the player's page, in a real browser."""

from __future__ import annotations

import re
from contextlib import closing, contextmanager

import pytest
from browser_windows import add_authenticator, axe_violations, overflow_pixels
from case_steps import DECIDING, OTHERS, PANEL, CaseWalk
from leaks import find_leaks
from playwright.sync_api import expect
from review_site import SetClock, serve_reviewers

from ordws.cases import commands
from ordws.cases.exhibits import read_record, record_exhibit
from ordws.cases.pages.app import create_review_app
from ordws.cases.pages.case_view import open_review_state
from ordws.console.credentials import invite
from ordws.errors import BadInput
from ordws.instance import Instance

GCG = b"""#character-encoding UTF-8
#player1 finch Frieda Finch
#player2 wren Wilma Wren
#title Frieda's game
#lexicon ORDWS
>finch: AEINRST 8D STAINER +66 66
#note frieda thought of nothing else
>wren: QUIZABC E7 Q.IZ +33 33
>finch: AABBCDE -AAB +0 66
"""
LETTER = """To the player who plays as Finch.

How often the program flags an honest player
--------------------------------------------

Of 300,000 simulated honest players 0 were flagged.

What can follow
---------------

The name "Finch" is entered in the public register.
"""
WIDTHS = {320: (), 390: ("dark",), 1280: ("light",)}

NOT_NOW = "This cannot be sent now: the page says what can."


@pytest.fixture(scope="module")
def served(chromium, tmp_path_factory):
    instance = Instance(tmp_path_factory.mktemp("instance") / "inst")
    instance.make_folders()
    with serve_reviewers(instance, chromium, SetClock()) as site:
        yield site


@pytest.fixture
def site(served):
    """Yield the reviewers' pages; the windows of the test are there for the next one."""
    yield served
    served.give_back()


@pytest.fixture
def walk(site):
    walk = CaseWalk(site.state.files, now=site.clock.now)
    walk.take(commands.add_exhibit, record_exhibit(GCG, "finch"))
    return walk


@contextmanager
def window(site, name, role="reviewer", **options):
    yield site.signed_in(name, role, **options)
    site.give_back()


def give_opinion(page, walk, finding):
    page.goto(f"/cases/{walk.case}")
    page.get_by_label(finding, exact=True).check()
    page.get_by_label("Your reasons").fill(f"I hold it {finding}, for the reasons of {walk.case}.")
    page.get_by_role("button", name="Send the opinion").click()
    expect(page.get_by_text("Your opinion is in. There is nothing for you to do")).to_be_visible()


def test_three_reviewers_are_blind_to_each_other(site, walk):
    """Nobody sees the opinion of another before the case is over; a file of others does not exist."""
    walk.assign(*PANEL)
    stranger = site.requests_of("Sam")
    stranger.get(f"/cases/{walk.case}")
    assert stranger.status == 404
    for number, name in enumerate(PANEL):
        reviewer = site.requests_of(name)
        (row,) = [row for row in re.findall("<tr>.*?</tr>", reviewer.get("/cases"), re.DOTALL) if walk.case in row]
        assert "your opinion is due" in row
        assert f'href="/cases/{walk.case}"' in row
        shown = reviewer.get(f"/cases/{walk.case}")
        assert "Your opinion on the evidence" in shown
        assert "for the reasons of" not in shown
        assert "Finch" not in shown
        assert "frieda" not in shown.lower()
        assert not [other for other in PANEL if other != name and other in shown]
        finding = "case-to-answer" if number == 1 else "no-case-to-answer"
        sent = reviewer.send(f"/cases/{walk.case}/opinion", finding=finding, reasons=f"for the reasons of {name}")
        assert "Your opinion is in. There is nothing for you to do" in sent
    assert walk.state.ending(walk.now) == "dismissed"
    votes = site.requests_of(PANEL[0]).get(f"/cases/{walk.case}")
    assert votes.count("for the reasons of") == 3


def test_a_reviewer_sees_bands_and_the_record_and_nothing_else(site, walk):
    """The bands have a plain scale, each sign its innocent explanations, and nothing names a best play."""
    walk.assign(*PANEL)
    with window(site, "Rita") as page:
        page.goto(f"/cases/{walk.case}")
        choices = page.get_by_role("row", name="Choosing what scores most")
        expect(choices).to_contain_text("overwhelming")
        expect(page.get_by_role("row", name="Turns 121 to 240")).to_contain_text("overwhelming")
        scale = page.get_by_role("table", name="The bands, the weakest first")
        expect(scale.get_by_role("row")).to_have_count(6)
        expect(scale.get_by_role("row", name="marked")).to_contain_text("it is no evidence by itself")
        for words in ("stronger than all those", "A habit of taking the same time", "A network or a battery"):
            expect(page.get_by_text(words)).to_be_visible()
        expect(page.get_by_role("group", name="Is there a case to answer?")).to_be_visible()
        expect(page.get_by_label("established beyond a reasonable doubt")).to_have_count(0)
        page.get_by_role("button", name="Send the opinion").click()
        expect(page).to_have_url(f"{site.url}/cases/{walk.case}")  # nothing was sent: the browser asks for the fields
        page.get_by_text("I know the player").click()
        page.get_by_role("button", name="Leave this case").click()
        expect(page).to_have_url(f"{site.url}/cases")
        expect(page.get_by_text("None now.").or_(page.get_by_role("table"))).to_be_visible()
    assert walk.state.panel == ("Rob", "Rose")


def test_a_record_is_stepped_through_on_a_board(site, walk):
    """By buttons and arrow keys, for reviewers and for the player alike; a line without a play leaves the board."""
    walk.assign(*PANEL)
    site.expected.append("404")
    with window(site, "Rita") as page:
        page.goto(f"/cases/{walk.case}")
        page.get_by_role("link", name="Game 1").click()
        step_through(page)
        assert page.goto(f"/cases/{walk.case}/games/2").status == 404
    walk.hear()
    walk.notify()
    page = site.plain_window()
    open_case(page, walk)
    page.get_by_role("button", name="Game 1").click()
    told = page.get_by_role("status")
    expect(told).to_have_text("The board is empty.")
    page.keyboard.press("Enter")
    expect(told).to_contain_text("Player: 8D STAINER")
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Opponent: E7 QTIZ, 33 points")
    expect(page.get_by_role("img", name="Game 1, line")).to_contain_text("E7 QTIZ")
    page.get_by_role("button", name=f"Back to case {walk.case}").click()
    expect(page.get_by_role("status")).to_contain_text("You can answer until the end of")


def step_through(page):
    told, board = page.get_by_role("status"), page.get_by_role("img", name="Game 1, line")
    expect(told).to_have_text("The board is empty.")
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_disabled()
    page.keyboard.press("Enter")  # the button for the next move has the focus
    expect(told).to_have_text("Player: 8D STAINER, 66 points, 66 in all. Rack before it: AEINRST.")
    expect(board).to_contain_text("8D STAINER")
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Opponent: E7 QTIZ, 33 points")
    expect(board).to_contain_text("E7 QTIZ")
    page.get_by_role("button", name="Last").click()
    expect(told).to_contain_text("Player: -AAB")
    expect(board).to_contain_text("E7 QTIZ")
    page.get_by_role("row", name="STAINER").get_by_role("button").click()
    expect(told).to_contain_text("8D STAINER")
    expect(board).not_to_contain_text("QTIZ")


def test_a_keeper_sees_opinions_when_all_three_are_in(site, walk):
    """The number of opinions is told before, and what they say is not."""
    walk.assign(*PANEL)
    keeper = site.requests_of("Kay", "keeper")
    walk.take(commands.give_opinion, "Rita", "case-to-answer", "Rita has looked.", by="Rita")
    walk.take(commands.give_opinion, "Rob", "case-to-answer", "Rob has looked.", by="Rob")
    shown = keeper.get(f"/cases/{walk.case}")
    assert ("2 of 3 opinions" in shown, "has looked" in shown) == (True, False)
    walk.take(commands.give_opinion, "Rose", "case-to-answer", "Rose has looked.", by="Rose")
    assert keeper.get(f"/cases/{walk.case}").count("has looked") == 3


def test_a_player_answers_reads_and_appeals_by_the_code_alone(site, walk):
    walk.hear()
    walk.notify(LETTER)
    site.expected.append("403")
    page = site.plain_window()
    page.goto("/answer")
    page.get_by_label("Code").fill("0000-0000-0000")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("not the code of a case")
    page.get_by_label("Code").fill(walk.code.lower().replace("-", " "))
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("status")).to_contain_text("You can answer until the end of")
    page.get_by_label("Your answer").fill("My aunt is a lexicographer.\nI have read much.")
    page.get_by_role("button", name="Send the answer").click()
    expect(page.get_by_role("status")).to_contain_text("Your answer is in")
    expect(page.get_by_role("row", name="Choosing what scores most")).to_contain_text("overwhelming")
    walk.assign("Ruth")
    with window(site, "Rita") as reviewer:
        reviewer.goto(f"/cases/{walk.case}")
        expect(reviewer.get_by_text("My aunt is a lexicographer.")).to_be_visible()
        expect(reviewer.get_by_text("Of 300,000 simulated honest players 0 were flagged.")).to_be_visible()
        expect(reviewer.get_by_text("Finch")).to_have_count(0)  # the other parts of the letter name the player
        give_opinion(reviewer, walk, "established beyond a reasonable doubt")
    for name in DECIDING[1:]:
        walk.take(commands.give_opinion, name, "established", "The answer explains nothing.", by=name)
    walk.decide(changed="It explains two words.")
    open_case(page, walk)
    expect(page.get_by_text("It explains two words.")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("You can appeal to three other people")
    expect(page.get_by_text("For these reasons.")).to_be_visible()
    page.get_by_label("Your appeal").fill("I ask three others.")
    page.get_by_role("button", name="Send the appeal").click()
    expect(page.get_by_role("status")).to_contain_text("Your appeal is being read")
    walk.hear("established", "established", "not-established", panel=OTHERS)
    walk.decide("not-established")
    open_case(page, walk)
    expect(page.get_by_role("status")).to_contain_text("Your appeal was upheld")


def open_case(page, walk):
    page.goto("/answer")
    page.get_by_label("Code").fill(walk.code)
    page.get_by_role("button", name="Open").click()


def test_wrong_passwords_do_not_keep_a_players_code_out(tmp_path):
    """At an address from which too many wrong passwords came a code is looked at, and wrong codes count apart.

    However many wrong codes came, a right one opens its case.
    """
    instance = Instance(tmp_path)
    instance.make_folders()
    with closing(open_review_state(instance, SetClock())) as state:
        app = create_review_app(state, origin="http://localhost")
        app.extensions["turns"].max_attempts = 2
        browser = app.test_client()
        wrong = {"name": "Eve", "password": "no password", "code": "1"}
        assert [browser.post("/sign-in", data=wrong).status_code for _ in range(3)] == [403, 403, 429]
        code = {"code": "0000-0000-0000"}
        assert [browser.post("/answer", data=code).status_code for _ in range(3)] == [403, 403, 429]
        assert browser.get("/answer").status_code == 200
        walk = CaseWalk(state.files)
        walk.hear()
        walk.notify()
        assert browser.post("/answer", data={"code": walk.code}).status_code == 200


def test_no_refusal_tells_the_player_what_the_panel_does(tmp_path):
    """An answer and an appeal out of time are refused with one sentence, whatever the reviewers and keepers are at."""
    instance = Instance(tmp_path)
    instance.make_folders()
    clock = SetClock()
    with closing(open_review_state(instance, clock)) as state:
        walk = CaseWalk(state.files)
        browser = create_review_app(state, origin="http://localhost").test_client()
        walk.hear()
        walk.notify()
        walk.take(commands.answer, "I read much.", by="player")
        phases = []
        for name in (*DECIDING, ""):
            clock.now = walk.now
            phases.append(walk.phase)
            for kind in ("answer", "appeal"):
                refused = browser.post("/answer/send", data={"code": walk.code, "kind": kind, "text": "Now."})
                (alert,) = re.findall('role="alert">([^<]*)<', refused.text)
                assert (refused.status_code, alert) == (422, NOT_NOW), walk.phase
            if walk.phase == "reviewers-needed":
                walk.assign("Ruth")
            if name:
                walk.take(commands.give_opinion, name, "established", "Reasons.", by=name)
        assert set(phases) == {"reviewers-needed", "opinions", "decision-due"}
        long = "\u7a0b" * 20_000
        walk.decide()
        clock.now = walk.now
        sent = browser.post("/answer/send", data={"code": walk.code, "kind": "appeal", "text": long})
        assert (sent.status_code, "Your appeal is being read" in sent.text) == (200, True)


def test_a_case_whose_texts_were_erased_still_opens(tmp_path):
    """400 days after its end the player, and who has read the file, find the case without evidence and texts."""
    instance = Instance(tmp_path)
    instance.make_folders()
    with closing(open_review_state(instance, SetClock())) as state:
        walk = CaseWalk(state.files)
        walk.take(commands.add_exhibit, record_exhibit(GCG, "finch"))
        walk.until_decided("not-established")
        assert state.files.erase_old("Kay", walk.now + 401 * 86_400) == 1
        browser = create_review_app(state, origin="http://localhost").test_client()
        opened = browser.post("/answer", data={"code": walk.code})
        assert (opened.status_code, "nothing is held against you" in opened.text) == (200, True)
        game = browser.post("/answer/game", data={"code": walk.code, "game": "1"})
        assert (game.status_code, "STAINER" in game.text + opened.text) == (200, False)


def test_a_passed_deadline_is_said_and_nothing_is_taken(site, walk):
    """The page was opened in time and sent too late: the page says so, and nothing is taken."""
    walk.hear()
    walk.notify()
    player = site.requests_of()
    assert "Your answer" in player.send("/answer", code=walk.code)
    began = site.clock.now
    site.clock.now = walk.now + 15 * 86_400
    try:
        late = player.send("/answer/send", code=walk.code, kind="answer", text="Too late.")
        assert (player.status, "The time to answer is over" in late) == (422, True)
        assert re.findall('role="alert">([^<]*)<', late) == [NOT_NOW]
    finally:
        site.clock.now = began
    assert walk.state.answered_at is None


def test_reviewers_make_a_passkey_and_declare(site):
    """An invitation leads through a passkey and the declaration to the list of cases."""
    page = site.window()
    add_authenticator(page)
    page.goto("/invitation/" + invite(site.state.accounts, "Tom", "reviewer", None, site.clock.now))
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.get_by_role("heading", name="Declaration")).to_be_visible()
    expect(page.get_by_text("apart from the others")).to_be_visible()
    page.get_by_label("I declare all of this").check()
    page.get_by_role("button", name="Declare").click()
    expect(page.get_by_role("heading", name="Cases")).to_be_visible()
    expect(page.get_by_role("link", name="Members")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("role", ["reviewer", "keeper", None])
def test_every_page_fits_and_is_accessible(site, walk, role):
    walk.assign(*PANEL)
    page = site.signed_in("Rita" if role == "reviewer" else "Kay", role) if role else site.window()
    paths = (
        ["/cases", f"/cases/{walk.case}", f"/cases/{walk.case}/games/1?line=2", "/account"]
        if role
        else ["/", "/answer"]
    )
    found = []
    for path in [*paths, "/members"] if role == "keeper" else paths:
        page.goto(path)
        for width, schemes in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": 800})
            if (overflow := overflow_pixels(page)) > 0:
                found.append(f"{path} at {width} px: {overflow} px too wide")
            for scheme in schemes:
                page.emulate_media(color_scheme=scheme)
                found += [f"{path} at {width} px, {scheme}: {violation}" for violation in axe_violations(page)]
    assert found == []


def test_a_record_has_nobodys_name():
    exhibit = record_exhibit(GCG, "2")
    assert not find_leaks(exhibit.content, ["finch", "wren", "frieda", "wilma", "thought"])
    lines = read_record(exhibit.content)
    assert [(line.nick, line.move, line.total) for line in lines] == [
        ("opponent", "8D STAINER", 66),
        ("player", "E7 Q.IZ", 33),
        ("opponent", "-AAB", 66),
    ]


@pytest.mark.parametrize(("player", "digest"), [("crow", None), ("finch", "0" * 64)])
def test_a_foreign_record_is_refused(player, digest):
    with pytest.raises(BadInput):
        record_exhibit(GCG, player, digest)
