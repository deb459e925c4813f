"""What directors' pages send, and what the desk answers: deeds, refusals, conflicts, and repeats."""

from __future__ import annotations

import json
import re
from io import BytesIO

from click.testing import CliRunner
from desk_client import JSON, DeskClient
from desk_events import KEY, NAMES

from ordws.cli import ordws
from ordws.frame.application import PageSender
from ordws.sender_limits import SlotQueue
from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings


def test_a_page_is_made_when_its_turn_comes(desk):
    """A request gives its turn back however it ends; where none comes in time, the page says to try again."""
    event, client = desk.event(), DeskClient(desk)
    pages = client.http.application.extensions["turns"].pages = SlotQueue(1, 0, 0.0)
    for _ in range(2):
        for path, status in ((f"/tournament/{event.id}", 200), ("/nowhere", 404), (f"/desk/{event.id}", 303)):
            assert client.get(path).status_code == status
        assert client.sign_in(key="0" * 32).status_code == 403
    somebody = PageSender(("somebody",))
    assert pages.acquire(somebody)
    refused = client.get(f"/tournament/{event.id}")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "2")
    assert "try again in a few seconds" in refused.text
    pages.release(somebody)
    assert client.get(f"/tournament/{event.id}").status_code == 200


def test_a_page_kept_for_all_readers_is_of_the_newest_fact(desk):
    """Pages of players show each result at once, and mark the own row for its player alone."""
    event, ann, ben, anybody = desk.event(), DeskClient(desk), DeskClient(desk), DeskClient(desk)
    event.publish()
    ann.enter_code(event, event.code(1))
    ben.enter_code(event, event.code(2))
    for page, own in (("", "Ann Lee"), ("/standings", "Ann Lee"), ("/wall-chart", "Ann Lee")):
        path = f"/tournament/{event.id}{page}"
        for client, name in ((ann, own), (ben, "Ben Ode"), (anybody, None)):
            rows = re.findall(
                r'<tr[^>]* class="self"[^>]*>.*?<th scope="row">([^<]*)', client.get(path).text, re.DOTALL
            )
            assert [row.strip() for row in rows] == ([name] if name else []), (path, name)
    assert "455" not in anybody.text(f"/tournament/{event.id}/wall-chart")
    event.result(1, first="455:440/13")
    assert "455" in anybody.text(f"/tournament/{event.id}/wall-chart")
    assert "455" in ann.text(f"/tournament/{event.id}/wall-chart")


def test_an_event_is_run_by_lines_alone(desk, director):
    """From entry to the end a director types one line for each thing that happens."""
    event = desk.event([], rounds=2)
    for name in NAMES[:4]:
        assert director.line(event, f"enter {name}").status_code == 200
    director.line(event, "in all")
    director.line(event, "publish")
    for table in (1, 2):
        said = director.line(event, f"{table} 412:398/13 371:380/13").json["said"]
        assert said.startswith(f"Round 1, table {table}: ")
    director.line(event, "publish")
    director.line(event, "1 412:398/13 371:380/13")
    assert director.line(event, "finish").json["detail"] == "Round 2 is not closed."
    director.line(event, "2 forfeit both")
    assert director.line(event, "finish").json["said"] == "Round 2 is closed, and the event is over."
    assert event.state.is_finished
    assert [each.status for each in event.state.rounds] == ["closed", "closed"]
    assert {each.actor for each in event.opened.snapshot().facts[1:]} == {"Dora"}


def test_what_looks_wrong_is_asked_before_it_is_stored(desk, director):
    """A result whose score is far from its points is stored when it is sent again; an undoing says what it undid."""
    event = desk.event()
    event.publish()
    strange = director.line(event, "2 412:298/13 371:380/13")
    assert (strange.status_code, strange.json["code"]) == (409, "doubtful")
    assert strange.json["detail"] == "The first player's score is 412 and the turns make 298."
    assert event.state.open_round.at_table(2).games[0] is None
    assert director.line(event, "2 412:298/13 371:380/13", sure="yes").status_code == 200
    assert director.line(event, "undo").json["said"].startswith("Undone: round 1, table 2 (")


def test_the_desk_proposes_what_comes_next(desk, director):
    """The first button and the example in the line are the next step, from entry to the end."""
    event, seen = desk.event([], rounds=1), []

    def look():
        page = director.get(f"/desk/{event.id}").text
        button = re.search(r'<(?:a|button)[^>]*id="next"[^>]*>([^<]*)', page)
        seen.append((button[1] if button else "", re.search(r'placeholder="([^"]*)"', page)[1]))

    look()
    for lines in (["enter Ann Lee", "enter Ben Ode"], ["in all"], ["publish"], ["1 412:398/13 371:380/13"], ["finish"]):
        for line in lines:
            director.line(event, line)
        look()
    assert seen == [
        ("Enter players", "enter Ann Lee"),
        ("Check players in", "in all"),
        ("Draft round 1", "draft"),
        ("", "3 412:398/13 371:380/13"),
        ("Finish the event", "finish"),
        ("Ranks and certificate", "standings"),
    ]
    assert "Correct the result" not in director.get(f"/desk/{event.id}").text, "a correction would be refused"


def test_the_screens_of_a_hall_say_who_begins(desk):
    """Players read on their page and on the projector who begins, and after the end the ranks alone."""
    event, anybody = desk.event(["Ann Lee", "Ben Ode"], rounds=1), DeskClient(desk)
    event.publish()
    first, second = (event.state.name_of(each) for each in event.state.open_round.at_table(1).entrants)
    page, screen = (anybody.get(f"/tournament/{event.id}{path}").text for path in ("", "/projector"))
    assert f'{first} <span class="label">begins</span>' in page
    assert f"{second} <span" not in page
    assert f"<b>{first} *</b>" in screen
    assert f"<b>{second}</b>" in screen
    event.play()
    event.apply(f.Closed(round=1), f.Finished())
    over = anybody.get(f"/tournament/{event.id}/projector").text
    assert "Final standings" in over
    assert "by-name" not in over


def test_a_draft_says_why_somebody_has_the_bye(desk, director):
    """The bye is explained as each pairing is."""
    event = desk.event(NAMES[:3])
    bye = event.state.name_of(event.draft.bye)
    assert f"{bye}, you have the bye, for the field is odd and you have had none yet." in director.text(
        f"/desk/{event.id}/draft"
    )


def test_a_line_opens_what_it_names(desk, director):
    """`help` and `?` lead to what can be typed, and `standings` to the ranks."""
    event = desk.event()
    opened = {line: director.line(event, line).json["to"] for line in ("help", "?", "standings")}
    help_at = f"/desk/{event.id}#line-help"
    assert opened == {"help": help_at, "?": help_at, "standings": f"/desk/{event.id}/standings"}
    assert 'id="line-help"' in director.get(help_at).text


def test_two_directors_at_one_table(desk, director):
    """Whoever was slower is told by whom and with what the result came in between; their result is not taken."""
    event = desk.event()
    event.publish()
    seen = event.state.version
    other = DeskClient(desk)
    other.sign_in("Max")
    place = {"round": 1, "table": 1, "game": 1, "seen": seen}
    assert other.do(event, "result", **place, first="412:398/13", second="371:380/13").status_code == 200
    refused = director.do(event, "result", **place, first="421:398/13", second="371:380/13")
    assert refused.status_code == 409
    players = " - ".join(event.state.name_of(each) for each in event.state.open_round.at_table(1).entrants)
    assert refused.json["between"] == [f"round 1, table 1 ({players}): 412:398/13 371:380/13 was keyed in, by Max"]
    assert refused.json["version"] == event.state.version
    assert event.pairing_of(1).games[0].result.first.score == 412
    # At another table there is no conflict, however old the page is.
    assert director.do(event, "result", **{**place, "table": 2}, first="9:9/1", second="8:8/1").status_code == 200


def test_a_draft_that_changed_is_not_published(desk, director):
    """A director who looked at a draft before somebody was checked out does not publish another one unseen."""
    event = desk.event()
    seen = event.state.version
    other = DeskClient(desk)
    other.sign_in("Max")
    other.line(event, "out gus")
    refused = director.do(event, "publish", seen=seen)
    assert (refused.status_code, refused.json["between"]) == (409, ["Gus Nakamura was checked out, by Max"])
    assert director.do(event, "publish", seen=refused.json["version"]).json["said"] == "Round 1 is published."


def test_publishing_closes_the_round_before(desk, director):
    """When all results are in, the next round is published by one key, also when the draft changed in between."""
    event = desk.event()
    event.publish()
    event.play()
    seen = event.state.version
    other = DeskClient(desk)
    other.sign_in("Max")
    other.line(event, "out gus")
    assert director.do(event, "publish", seen=seen).status_code == 409
    assert event.state.open_round.number == 1
    assert director.do(event, "publish").status_code == 200
    assert [each.status for each in event.state.rounds] == ["closed", "published"]


def test_a_form_that_is_sent_twice_is_carried_out_once(desk, director):
    """A form that got no answer is sent again under its id, and makes no second fact."""
    event = desk.event()
    event.publish()
    form = {"round": 1, "table": 1, "game": 1, "first": "412:398/13", "second": "371:380/13", "id": "a1"}
    first = director.do(event, "result", **form)
    version = event.state.version
    again = director.do(event, "result", **form)
    assert (first.json, first.status_code) == (again.json, again.status_code)
    assert event.state.version == version


def test_an_impossible_result_is_refused_with_the_reason(desk, director):
    """Nothing is stored of a result that no game can have, and the reason says which figure is wrong."""
    event = desk.event()
    event.publish()
    version = event.state.version
    refused = director.line(event, "1 412:398/13 371:380/10")
    assert refused.status_code == 422
    assert refused.json["detail"] == "13 and 10 turns differ by more than one, and players take turns."
    missing = director.do(event, "result", round=1, table=1, game=1, first_score=3, second_score=1)
    assert missing.json["detail"] == "The first player's points and turns are missing."
    assert event.state.version == version


def test_corrections_need_a_reason_and_change_the_standings(desk, director):
    """A wrong result is replaced two rounds later with a reason, which the log keeps."""
    event = desk.event()
    event.play_rounds(3)
    before = event.opened.snapshot().lines
    assert director.line(event, "correct r1 1 100:100/13 500:500/13").status_code == 422
    corrected = director.line(event, "r1 1 100:100/13 500:500/13 because sheets were swapped")
    assert corrected.status_code == 200
    assert event.opened.snapshot().lines != before
    assert "(sheets were swapped)" in director.text(f"/desk/{event.id}/log")


def test_more_players_than_an_event_takes_are_refused_at_once(desk, director):
    """A list or a file with too many names is refused before any of them is compared with all others."""
    event = desk.event([])
    names = [f"Player {number}" for number in range(10_001)]
    listed = director.do(event, "enter", names="\n".join(names))
    assert listed.json["detail"] == "With these there are more than 10,000 players, the most that one event takes."
    sent = {"file": (BytesIO("\n".join(["name", *names]).encode()), "all.csv"), "csrf": director.csrf}
    taken = director.http.post(f"/desk/{event.id}/import", data=sent, headers=JSON)
    assert "line 10002: with this one there are more than 10,000" in taken.json["detail"]
    assert not event.state.entrants


def test_doubles_are_asked_about_before_they_are_entered(desk, director):
    """A pasted name that looks like another is entered when the director sends it once more; the same name never."""
    event = desk.event()
    doubtful = director.do(event, "enter", names="Dee Rey\nIda Strøm\tRiverside\nJo Park; ; minor")
    assert (doubtful.status_code, doubtful.json["code"]) == (409, "doubtful")
    assert doubtful.json["detail"] == '"Dee Rey" looks like "Dee Ray".'
    assert len(event.state.entrants) == 8
    sure = director.do(event, "enter", names="Dee Rey\nIda Strøm\tRiverside\nJo Park; ; minor", sure="yes")
    assert sure.json["said"] == "3 players are entered. 11 have entered."
    entrants = event.state.entrants
    assert (entrants[10].name, entrants[10].club, entrants[11].minor) == ("Ida Strøm", "Riverside", True)
    assert director.do(event, "enter", names="dee  ray", sure="yes").status_code == 422


def test_more_rounds_than_opponents_are_warned_of(desk, director):
    """A field too small for the rounds is warned of at entry and on the players' page."""
    event = desk.event(NAMES[:3], rounds=5)
    said = director.line(event, "enter Zed Ab").json["said"]
    assert "5 rounds are planned and everyone has 3 opponents: some will meet twice." in said
    assert "5 rounds are planned and everyone has 3 opponents" in director.text(f"/desk/{event.id}/players")


def test_pairing_by_hand_says_what_it_costs(desk, director):
    """Two are put together for one round with a reason; the cost is said before, and the draft holds them."""
    event = desk.event()
    event.play_rounds(2)
    apart = next(n for n in range(2, 9) if n not in {e for p in event.draft.pairings if 1 in p[:2] for e in p[:2]})
    reply = director.get(f"/desk/{event.id}/cost?a=ann&b=%23{apart}")
    cost = reply.json["means"]
    assert cost.startswith(f"Ann Lee and {NAMES[apart - 1]} together costs ")
    assert "points per turn" in cost
    form = {"kind": "together", "round": 3, "a": "Ann Lee", "b": NAMES[apart - 1]}
    assert director.do(event, "constrain", **form).json["detail"] == "The reason is missing."
    assert director.do(event, "constrain", **form, reason="requested by the press").status_code == 200
    assert {1, apart} in [{each.first, each.second} for each in event.draft.pairings]
    assert "put together" in director.text(f"/desk/{event.id}/draft")
    assert director.do(event, "free", a=1, b=apart).status_code == 200
    assert event.state.constraints == ()


def test_somebody_late_gets_the_game_of_who_has_the_bye(desk, director):
    """A late entrant is offered the bye's opponent, by name, and plays them at a new table."""
    event = desk.event(NAMES[:6], present=5)
    event.publish()
    bye = event.state.name_of(event.state.open_round.bye)
    offered = director.line(event, "in finn").json["said"]
    offer = f"{bye} has the bye of round 1: type late Finn O'Hara if their game can begin now."
    assert offered == f"Finn O'Hara is checked in. {offer}"
    assert director.line(event, "late finn").json["said"] == f"Finn O'Hara plays {bye}, who had the bye, at table 3."
    assert event.state.open_round.bye is None


def test_undo_is_an_event(desk, director):
    """What is undone stays in the log, and the state is as before."""
    event = desk.event()
    before = event.state.entrants
    director.line(event, "withdraw cy because ill")
    assert director.line(event, "undo").json["said"] == "Undone: Cy Poe withdrew (ill)."
    assert {n: each.status for n, each in event.state.entrants.items()} == {
        n: each.status for n, each in before.items()
    }
    log = director.text(f"/desk/{event.id}/log")
    assert "Cy Poe withdrew (ill)" in log
    assert "It was undone that Cy Poe withdrew (ill)" in log


def test_a_botched_round_is_voided_with_a_reason(desk, director):
    """A voided round is drawn again under its number; pairs that had begun are not drawn again."""
    event = desk.event()
    event.publish()
    event.play([1])
    assert director.do(event, "void", round=1, reason="").status_code == 422
    assert director.do(event, "void", round=1, reason="two had not come", began="2, 3").status_code == 200
    began = [set(each.entrants) for each in event.state.rounds[0].pairings[:3]]
    assert director.do(event, "publish").status_code == 200
    assert all(set(each.entrants) not in began for each in event.state.open_round.pairings)


def test_the_json_of_pages_is_that_of_commands(desk, director):
    """Standings, draft and certificate are the same JSON as the commands print."""
    event = desk.event()
    event.play_rounds(2)
    path = str(desk.folder / f"{event.id}.db")
    for command, page in (
        (["standings", path], f"/tournament/{event.id}/standings.json"),
        (["do", path, "draft"], f"/desk/{event.id}/draft.json"),
        (["certificate", path], f"/desk/{event.id}/certificate.json"),
    ):
        printed = CliRunner().invoke(ordws, ["tournament", *command, "--json"], catch_exceptions=False).stdout
        shown = director.get(page).json
        rows = [json.loads(line) for line in printed.splitlines()]
        assert (shown if isinstance(shown, list) else [shown]) == rows, page


def test_settings_are_changed_and_kept(desk, director):
    """The form of settings changes what it shows, amounts in hundredths; a box that is not ticked is off."""
    event = desk.event(settings=EventSettings(on_line=True))
    form = {"rounds": 4, "automatic": "yes", "entry_fee": "12.5", "prize_fund": "100", "currency": "EUR"}
    form |= {"name": "Spring Cup", "fee_percent": "80", "equal_percent": "40"}
    assert director.post(f"/desk/{event.id}/do/configure", **form).status_code == 200
    settings = event.state.settings
    assert (event.state.event.name, settings.fee_percent, settings.equal_percent) == ("Spring Cup", 80, 40)
    assert director.line(event, "set name Autumn Cup").status_code == 200
    assert "Autumn Cup" in director.text(f"/desk/{event.id}/settings")
    assert director.line(event, "undo").status_code == 200
    assert event.state.event.name == "Spring Cup"
    assert (event.state.rounds_planned, settings.automatic, settings.on_line) == (4, True, False)
    assert (settings.entry_fee, settings.prize_fund, settings.currency) == (1250, 10_000, "EUR")
    assert (
        director.do(event, "configure", rounds=4, entry_fee="a lot")
        .json["detail"]
        .startswith('The entry fee is "a lot"')
    )
    endless = director.do(event, "configure", rounds=4, prize_fund="9" * 4_301)
    assert endless.json["detail"] == "The prize fund has 4,301 digits: expected 12 at most."


def test_a_card_that_is_scanned_into_the_line_checks_in(desk, director):
    """A scanner that types the address of an entry card checks its player in; a card of nobody is refused."""
    event = desk.event(present=0)
    address = f"http://hall:8020/tournament/{event.id}#code={event.code(5)}"
    assert director.line(event, address).json["said"] == "Eva Marsh is checked in."
    assert event.state.present == (5,)
    assert director.line(event, "0000-1111-2222").json["detail"] == "Nobody here has the code of this card."


def test_entry_cards_are_shown_once(desk, director):
    """Cards carry a code and its picture; only a digest is kept, and a new card ends the old one's code."""
    event = desk.event()
    page = director.http.post(
        f"/desk/{event.id}/entry-cards", data={"csrf": director.csrf, "address": f"http://hall/tournament/{event.id}"}
    ).text
    codes = [part.split("<")[0] for part in page.split('class="code">')[1:]]
    assert len(set(codes)) == 8
    assert page.count("<svg") >= 8
    assert KEY.find_entrant(event.state, codes[0].lower().replace("-", " ")) == 1
    stored = (desk.folder / f"{event.id}.db").read_bytes()
    assert not [code for code in codes if code.encode() in stored]
    newer = event.code(1)
    assert KEY.find_entrant(event.state, newer) == 1
    assert KEY.find_entrant(event.state, codes[0]) is None


def test_cards_for_many_come_in_parts(desk, director, monkeypatch):
    """A page has so many cards and leads to the next ones, with new codes for everybody too; each player gets one."""
    monkeypatch.setattr("ordws.desk.director_commands.MOST_CARDS", 3)
    event = desk.event()
    for anew in ({}, {"anew": "yes"}):
        sent, codes = {"csrf": director.csrf, "address": "http://hall", **anew}, []
        while sent:
            page = director.http.post(f"/desk/{event.id}/entry-cards", data=sent).text
            codes += [part.split("<")[0] for part in page.split('class="code">')[1:]]
            form = page[page.find("<form", page.find('class="cards"')) :].partition("</form>")[0]
            sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) if "Make the next" in form else {}
        assert [KEY.find_entrant(event.state, code) for code in codes] == [*range(1, 9)]


def test_a_member_number_is_the_directors_alone(desk, director):
    """It is entered, put right and handed out with a player's data; no page of players, print or log has it."""
    event = desk.event()
    entered = director.do(event, "enter", names="Zoe Wu; North; minor; member qx-4711\nYan Li\t\tMember QX 5822")
    assert entered.status_code == 200
    assert [event.state.entrants[number].member for number in (9, 10)] == ["QX-4711", "QX5822"]
    refused = director.do(event, "enter", names="Xi Lo; ; member QX-4711")
    assert (refused.status_code, "QX" in refused.text) == (422, False)
    form, fields = f"/desk/{event.id}/do/rename", {"entrant": 9, "name": "Zoe Wu", "club": "North"}
    assert director.post(form, **fields).status_code == 200
    assert event.state.entrants[9].member == "QX-4711", "a form without the field leaves it"
    assert director.post(form, **fields, member="QX-4712").status_code == 200
    assert 'data-set-member="QX-4712"' in director.get(f"/desk/{event.id}/players").text
    director.do(event, "check-in", all="yes")
    event.play_rounds(1)
    event.publish()
    code = event.code(9)
    names = ("", "/draft", "/rounds", "/standings", "/log", "/settings", "/prizes")
    sheets = ("pairings", "names", "standings", "wallchart", "scorecards", "slips", "prizes")
    pages = [f"/desk/{event.id}{path}" for path in (*names, *[f"/print/{sheet}" for sheet in sheets])]
    shown = [director.get(page) for page in pages]
    player = DeskClient(desk)
    player.enter_code(event, code)
    mine = [f"/tournament/{event.id}{path}" for path in ("", "/standings", "/wall-chart", "/projector")]
    shown += [player.get(page) for page in mine]
    assert [reply.status_code for reply in shown] == [200] * len(shown)
    assert not any(number in reply.text for reply in shown for number in ("QX-47", "QX5822"))
    assert player.get(f"/tournament/{event.id}/me.json").json["member"] == "QX-4712", "their own data are theirs"


def test_data_of_an_entrant_are_exported_and_erased(desk, director):
    """A director hands out everything that is kept of a player, and erases it to a number."""
    event = desk.event()
    event.play_rounds(1)
    held = director.get(f"/desk/{event.id}/players/3.json").json
    assert (held["name"], held["number"]) == ("Cy Poe", 3)
    assert director.do(event, "erase", entrant=3, sure="yes").status_code == 422
    director.line(event, "withdraw cy")
    unsure = director.do(event, "erase", entrant=3)
    assert (unsure.status_code, unsure.json["code"]) == (409, "doubtful")
    assert director.do(event, "erase", entrant=3, sure="yes").status_code == 200
    assert b"Cy Poe" not in (desk.folder / f"{event.id}.db").read_bytes()
    assert "Cy Poe" not in director.text(f"/desk/{event.id}/log")
    assert len(event.state.live_rounds[0].pairings) == 4
