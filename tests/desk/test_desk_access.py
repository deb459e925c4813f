"""Who may see and do what: directors by the desk's key, players by their codes, everybody else."""

from __future__ import annotations

import shutil
from io import BytesIO

import pytest
from desk_client import JSON, DeskClient
from desk_events import KEY

from ordws.desk import access, director_commands
from ordws.desk.app import create_app
from ordws.desk.carry_out import carry_out
from ordws.desk.context import Desk
from ordws.desk.desk_key import DeskKey
from ordws.desk.events import Events
from ordws.desk.line import parse_line
from ordws.desk.sessions import DeskSessions
from ordws.errors import StoreDown
from ordws.frame.application import SECURITY_HEADERS
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings
from ordws.tournament.season import open_quarter, open_season


@pytest.fixture
def event(desk):
    event = desk.event()
    event.publish()
    return event


def test_a_view_without_an_audience_stops_the_desk(desk, monkeypatch):
    """A view that does not say who may see it keeps the desk from starting."""
    app = create_app(desk.desk)
    app.view_functions["forgotten"] = lambda: ""
    with pytest.raises(TypeError, match="forgotten"):
        access.enforce_access(app, desk.clock)


def test_only_directors_reach_the_desk(desk, event):
    """Each page of the desk leads a stranger to the sign-in page, and each deed is refused."""
    stranger = DeskClient(desk)
    rules = [rule for rule in stranger.http.application.url_map.iter_rules() if rule.rule.startswith("/desk/<event>")]
    assert len(rules) > 12
    values = {"event": event.id, "name": "undo", "entrant": "1", "what": "pairings"}
    for rule in rules:
        path = rule.rule
        for name, value in values.items():
            for converter in ("", "int:", "string:"):
                path = path.replace(f"<{converter}{name}>", value)
        if "GET" in rule.methods:
            assert stranger.get(path).headers.get("Location", "").startswith("/desk/sign-in?next="), path
        if "POST" in rule.methods:
            assert stranger.http.post(path, headers=JSON).status_code == 401, path
    assert event.state.version == event.opened.snapshot().state.version


def test_a_forged_form_is_refused(desk, event, director):
    """A deed without the session's token, or from another site's page, changes nothing."""
    version = event.state.version
    form = {"round": 1, "table": 1, "game": 1, "forfeit": "both"}
    path = f"/desk/{event.id}/do/result"
    assert director.http.post(path, data=form).status_code == 403
    assert director.http.post(path, data={**form, "csrf": "x"}).status_code == 403
    right = {**form, "csrf": director.csrf}
    assert director.http.post(path, data=right, headers={"Origin": "https://evil.example"}).status_code == 403
    assert director.http.post(path, data=right, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert event.state.version == version
    assert director.http.post(path, data=right, headers={"Origin": "http://localhost"}).status_code == 303


def test_a_desk_of_one_machine_answers_to_its_own_names(desk, event):
    """A page of another site, whose name leads to this machine, reads nothing of an event."""
    client = create_app(desk.desk, hosts={"localhost", "127.0.0.1"}).test_client()
    path = f"/tournament/{event.id}"
    for host in ("localhost:8020", "127.0.0.1:8020"):
        assert client.get(path, headers={"Host": host}).status_code == 200
    for place in (path, "/desk-files/desk.css", f"{path}/standings.json"):
        refused = client.get(place, headers={"Host": "evil.example:8020"})
        assert refused.status_code == 422
        assert "Ann" not in refused.text


def test_cookies_and_headers_are_strict(desk, event):
    """Cookies cannot be read by scripts nor sent by other sites; every page forbids scripts of its own text."""
    client = DeskClient(desk)
    reply = client.sign_in()
    cookie = reply.headers["Set-Cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Strict", f"{desk.sessions.cookie}="))
    for path in (f"/desk/{event.id}", f"/tournament/{event.id}", "/no-such-page"):
        headers = client.get(path).headers
        assert {name: headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
        assert headers["Cache-Control"] == "no-store"
        assert "<script>" not in client.get(path).text
    assert "noindex" in client.get(f"/tournament/{event.id}").text
    secure = create_app(desk.desk, is_secure=True).test_client()
    reply = secure.post("/desk/sign-in", data={"key": KEY.director_key}, base_url="https://localhost")
    assert "Secure" in reply.headers["Set-Cookie"]


def test_wrong_keys_and_codes_are_throttled(desk, event):
    """After thirty wrong keys from one address even the right one waits; a right code never does.

    Wrong codes are counted apart, by event.
    """
    client, other = DeskClient(desk), desk.event()
    for _ in range(30):
        assert client.enter_code(event, "0000-0000-0000").status_code == 403
    assert client.enter_code(event, "0000-0000-0000").status_code == 429
    assert client.enter_code(other, "0000-0000-0000").status_code == 403
    assert DeskClient(desk, client.http.application).enter_code(event, event.code(1)).status_code == 303
    for _ in range(30):
        assert client.sign_in(key="0" * 32).status_code == 403
    refused = client.sign_in()
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) <= 600
    desk.clock.now += 600
    assert client.sign_in().status_code == 303


def test_a_known_device_signs_in_whoever_shares_its_address(desk, event):
    """A browser in which a director or a player had signed in is refused for its own failures alone, the tenth."""
    dora, ann, stranger = DeskClient(desk), DeskClient(desk), DeskClient(desk)
    for each in (dora, stranger):
        each.http = ann.http.application.test_client()
    dora.sign_in()
    dora.post("/desk/sign-out")
    ann.enter_code(event, event.code(1))
    for _ in range(31):
        stranger.sign_in(key="0" * 32)
        stranger.enter_code(event, "0000-0000-0000")
    dora.csrf = ""
    assert (stranger.sign_in().status_code, dora.sign_in().status_code) == (429, 303)
    assert stranger.enter_code(event, "0000-0000-0000").status_code == 429
    assert [ann.enter_code(event, "0000-0000-0000").status_code for _ in range(11)] == [403] * 10 + [429]


def test_a_form_has_the_size_that_its_sender_may_need(desk, event, director):
    """A stranger's form is small and has few fields; a director's file alone may be large."""
    anybody = DeskClient(desk)
    for path in ("/desk/sign-in", f"/tournament/{event.id}/sign-in"):
        for fields in ({"key": "x" * 16_384}, {f"a{number}": "" for number in range(501)}):
            refused = anybody.http.post(path, data=fields)
            assert (refused.status_code, "too large" in refused.text) == (413, True)
    large = {"file": (BytesIO(b"name\n" * 20_000), "names.csv")}
    assert anybody.http.post(f"/desk/{event.id}/import", data=large).location.startswith("/desk/sign-in")
    path = f"/desk/{event.id}/import"
    named = {"file": (BytesIO(b"name\n" * 20_000), "names.csv"), "format": "none", "csrf": director.csrf}
    assert director.http.post(path, data=named).status_code == 422
    assert director.http.post(path, data=b"x" * (4 * 1024 * 1024 + 1)).status_code == 413


def test_a_director_who_signs_in_again_and_again_has_twenty_sessions(desk):
    """A later sign-in of the same director ends the oldest session, and nobody else's."""
    other, first, browsers = DeskClient(desk), DeskClient(desk), [DeskClient(desk) for _ in range(20)]
    other.sign_in("Dirk")
    first.sign_in()
    for browser in browsers:
        desk.clock.now += 1
        browser.sign_in()
    statuses = [each.get("/desk").status_code for each in (other, first, browsers[0], browsers[-1])]
    assert statuses == [200, 303, 200, 200]


def test_a_throttled_address_locks_nobody_else_out(desk, event):
    """Another address signs in while one is refused for its wrong keys."""
    client = create_app(desk.desk).test_client()
    for _ in range(30):
        client.post("/desk/sign-in", data={"key": "0"})
    right = {"key": KEY.director_key}
    assert client.post("/desk/sign-in", data=right).status_code == 429
    assert client.post("/desk/sign-in", data=right, environ_overrides={"REMOTE_ADDR": "10.0.0.9"}).status_code == 303


def test_a_session_of_a_director_ends_after_a_day_of_play(desk, event, director):
    """A director signs in again after eighteen hours."""
    desk.clock.now += 18 * 3600 - 1
    assert director.get(f"/desk/{event.id}").status_code == 200
    desk.clock.now += 1
    assert director.get(f"/desk/{event.id}").status_code == 303


def has_keys(**operators):
    """Return what tells whose a key is, as the word judge does, from whatever address."""
    return lambda key, address: operators.get(key)


def test_on_a_serving_host_an_operators_key_signs_in(desk, event):
    """There the desk's own key opens nothing, and the service says whose key may direct."""
    hosted = Desk(desk.events, KEY, desk.sessions, desk.clock, has_keys(ordws_live_operator="league"))
    client = create_app(hosted).test_client()
    assert client.post("/desk/sign-in", data={"key": KEY.director_key}).status_code == 403
    assert client.post("/desk/sign-in", data={"key": "ordws_live_operator"}).status_code == 303
    assert client.get(f"/desk/{event.id}").status_code == 200


def test_an_event_is_of_the_operator_who_made_it(desk, monkeypatch):
    """Another operator neither sees nor changes an event, until its owner lets them direct it; the owner stays so."""
    hosted = Desk(
        desk.events, KEY, desk.sessions, desk.clock, has_keys(**{"key of league": "league", "key of club": "club"})
    )
    league, club = (DeskClient(desk, create_app(hosted)) for _ in range(2))
    for client, key in ((league, "key of league"), (club, "key of club")):
        assert client.sign_in(key=key).status_code == 303
    made = {"name": "Spring Open", "rules": "classic", "rounds": 3}
    assert league.post("/desk", **made).status_code == 200
    league.post("/desk/spring-open/line", line="enter Ann Lee; Riverside; member 4711")
    assert "Spring Open" in league.text("/desk")
    assert "Spring Open" not in club.text("/desk")
    for path in ("", "/players/1.json", "/export/json", "/log", "/version", "/players"):
        assert (league.get(f"/desk/spring-open{path}").status_code, path) == (200, path)
        refused = club.get(f"/desk/spring-open{path}")
        assert (refused.status_code, "4711" in refused.text, path) == (403, False, path)
    monkeypatch.setattr(director_commands, "MOST_OPEN", 1)
    assert league.post("/desk", **made).json["detail"] == "You have 1 events that are not finished."
    monkeypatch.setattr(director_commands, "MOST_OPEN", 2)
    monkeypatch.setattr(director_commands, "MOST_OWNED", 1)
    assert league.post("/desk", **made).json["detail"] == "You have 1 events."
    assert club.post("/desk", **made).status_code == 200, "another's events do not count"
    for line in ("enter Ben Ode", "owner club", "directors club"):
        assert club.post("/desk/spring-open/line", line=line).status_code == 403
    assert league.post("/desk/spring-open/line", line="directors club").status_code == 200
    assert club.post("/desk/spring-open/line", line="enter Ben Ode").status_code == 200
    assert club.post("/desk/spring-open/line", line="owner club").status_code == 403
    assert league.post("/desk/spring-open/line", line="directors").status_code == 200
    assert club.post("/desk/spring-open/line", line="enter Cy Poe").status_code == 403


def test_an_operator_gives_no_event_to_another(desk, monkeypatch):
    """Games are charged to an event's owner, so a keeper alone changes it; the event counts for who made it too."""
    hosted = Desk(desk.events, KEY, desk.sessions, desk.clock, has_keys(rival="rival", league="league"))
    rival, league = (DeskClient(desk, create_app(hosted)) for _ in range(2))
    rival.sign_in(key="rival")
    league.sign_in(key="league")
    made = {"name": "Spring Open", "rules": "classic", "rounds": 3}
    rival.post("/desk", **made)
    assert rival.post("/desk/spring-open/line", line="owner league").status_code == 403
    foretold = rival.get("/desk/spring-open/line?line=owner+league").json
    assert foretold["fault"] == "the keeper alone names the owner of an event; ask the keeper of this desk"
    assert rival.post("/desk/spring-open/do/owner", operator="league").status_code == 403
    file = desk.events.find("spring-open")
    assert file.snapshot().state.operators == ("rival",)
    carry_out(file, "owner", {"operator": "league"}, actor="keeper", now=desk.clock.now)
    monkeypatch.setattr(director_commands, "MOST_OPEN", 1)
    for client in (rival, league):
        assert client.post("/desk", **made).json["detail"] == "You have 1 events that are not finished."


def test_a_final_of_a_season_is_its_owners(desk):
    """Another operator takes no name that a season keeps for a final; a final of another owner counts for nothing."""
    hosted = Desk(desk.events, KEY, desk.sessions, desk.clock, has_keys(rival="rival", league="league"))
    rival, league = (DeskClient(desk, create_app(hosted)) for _ in range(2))
    rival.sign_in(key="rival")
    league.sign_in(key="league")
    quarters = '[[quarter]]\nevent = "spring.db"\nfinal = "spring-final.db"\n[[quarter]]\nevent = "summer.db"\n'
    for name in ("Spring", "Summer"):
        league.post("/desk", name=name, rules="classic", rounds=3)
    file = desk.folder / "2027.toml"
    file.write_text(f'name = "2027"\nseats = 2\n{quarters}')
    season = open_season(file)
    made = {"name": "Spring final", "rules": "classic", "rounds": 3}
    rival.post("/desk", **made)
    league.post("/desk", **made)
    owners = {each.id: each.snapshot().state.operators for each in desk.events.all()}
    assert owners | {"spring-final": ("league",), "spring-final-2": ("rival",)} == owners
    final = desk.events.find("spring-final")
    carry_out(final, "enter", {"names": "Ann Lee"}, actor="Dora", now=desk.clock.now)
    assert len(open_quarter(file, season, 2)["spring-final.db"].entrants) == 1
    assert "Season 2027" in league.text("/desk/spring-final/prizes")
    carry_out(final, "owner", {"operator": "rival"}, actor="keeper", now=desk.clock.now)
    assert not open_quarter(file, season, 2)["spring-final.db"].entrants
    assert "Season 2027" not in rival.text("/desk/spring-final/prizes")


def test_an_event_without_an_owner_is_of_who_opens_it_first(desk, event):
    """An event from before owners belongs to the operator who opens it first, or whom a keeper names by a line."""
    hosted = Desk(
        desk.events, KEY, desk.sessions, desk.clock, has_keys(**{"key of league": "league", "key of club": "club"})
    )
    league, club = (DeskClient(desk, create_app(hosted)) for _ in range(2))
    for client, key in ((league, "key of league"), (club, "key of club")):
        client.sign_in(key=key)
        assert client.get("/desk").status_code == 200
    path = f"/desk/{event.id}"
    assert [client.get(path).status_code for client in (league, club, league)] == [200, 403, 200]
    carry_out(event.opened, *parse_line(event.state, "owner club"), actor="keeper", now=desk.clock.now)
    assert [client.get(path).status_code for client in (league, club)] == [403, 200]
    assert event.state.operators == ("club",)


def test_a_revoked_key_ends_its_session_within_a_minute(desk, event):
    """The service is asked about a director's key once a minute, after a restart too, and a revoked one ends there."""
    good, asked, path = {"ordws_live_operator"}, [], f"/desk/{event.id}"

    def check(key, address):
        asked.append(key)
        return "league" if key in good else None

    client = create_app(Desk(desk.events, KEY, desk.sessions, desk.clock, check)).test_client()
    assert client.post("/desk/sign-in", data={"key": "ordws_live_operator"}).status_code == 303
    assert [client.get(path).status_code for _ in range(3)] == [200] * 3
    assert asked == ["ordws_live_operator"] * 2, "once at the door, and once for a minute"
    good.clear()
    desk.clock.now += 59
    assert client.get(path).status_code == 200
    desk.clock.now += 1
    assert client.get(path).status_code == 303
    assert client.get(f"{path}/version", headers=JSON).status_code == 401
    good.add("ordws_live_operator")
    kept = client.get_cookie(desk.sessions.cookie).value
    assert b"ordws_live_operator" not in b"".join(
        path.read_bytes() for path in desk.folder.parent.glob("desk.sessions*")
    )
    for key, status in ((KEY, 200), (DeskKey(b"new!" * 8), 303)):
        sessions = DeskSessions.create(desk.folder.with_name("desk.sessions"), desk.folder, key)
        restarted = create_app(Desk(desk.events, key, sessions, desk.clock, check)).test_client()
        restarted.set_cookie(sessions.cookie, kept)
        assert restarted.get(path).status_code == status


def test_a_session_goes_on_while_nobody_can_be_asked(desk, event):
    """While the word judge does not answer, the last answer holds: the round goes on, and a revoked key stays out."""
    answers = ["league"]

    def check(_, address):
        if not answers:
            raise StoreDown("away")
        return answers.pop()

    app, path = create_app(Desk(desk.events, KEY, desk.sessions, desk.clock, check)), f"/desk/{event.id}"
    client = app.test_client()
    assert client.post("/desk/sign-in", data={"key": "ordws_live_operator"}).status_code == 303
    assert client.get(path).status_code == 200
    answers.append(None)
    for seconds in (60, 3600):
        desk.clock.now += seconds
        assert client.get(path).status_code == 303
    assert app.test_client().post("/desk/sign-in", data={"key": "ordws_live_operator"}).status_code == 503


def test_an_answer_about_a_key_holds_for_an_hour(desk, event):
    """Whoever keeps the desk from asking about a key directs for an hour, and again once it is found good."""
    answers = ["league"]

    def check(_, address):
        if not answers:
            raise StoreDown("away")
        return answers[0]

    app, path = create_app(Desk(desk.events, KEY, desk.sessions, desk.clock, check)), f"/desk/{event.id}"
    client = app.test_client()
    assert client.post("/desk/sign-in", data={"key": "ordws_live_operator"}).status_code == 303
    assert client.get(path).status_code == 200
    answers.clear()
    statuses = []
    for seconds in (3_599, 1, 60):
        desk.clock.now += seconds
        statuses.append(client.get(path).status_code)
    assert statuses == [200, 303, 303]
    answers.append("league")
    desk.clock.now += 60
    assert client.get(path).status_code == 200


def test_signing_in_leads_to_pages_of_the_desk_alone(desk, event):
    """The page asked for before signing in is shown after it; an address elsewhere is not."""
    client = create_app(desk.desk).test_client()
    for asked, led in (
        (f"/desk/{event.id}/log", f"/desk/{event.id}/log"),
        ("//evil.example", "/desk"),
        ("/x", "/desk"),
        ("/desk/\r\nX-Forged: yes", "/desk"),
    ):
        reply = client.post("/desk/sign-in", data={"key": KEY.director_key, "next": asked})
        assert reply.headers["Location"] == led
        client.delete_cookie(desk.sessions.cookie)


def test_a_copied_cookie_ends_with_its_session(desk, event):
    """After signing out, a copy of the cookie opens nothing, and no other way to sign in or out revives it."""
    client, thief, other = DeskClient(desk), DeskClient(desk), desk.event()
    thief.http = client.http.application.test_client()
    client.sign_in()
    client.enter_code(event, event.code(1))
    client.enter_code(other, other.code(1))
    copied, thief.csrf = client.http.get_cookie(desk.sessions.cookie).value, client.csrf
    theirs = f"/tournament/{event.id}/me.json"

    def steal() -> None:
        thief.http.set_cookie(desk.sessions.cookie, copied)

    steal()
    assert (thief.get(f"/desk/{event.id}").status_code, thief.get(theirs).status_code) == (200, 200)
    assert client.post(f"/tournament/{event.id}/sign-out").status_code == 303
    for revive in (
        lambda: thief.post(f"/tournament/{other.id}/sign-out"),
        lambda: thief.enter_code(other, other.code(2)),
        lambda: thief.post("/desk/sign-out"),
    ):
        steal()
        revive()
        assert (thief.get(f"/desk/{event.id}").status_code, thief.get(theirs).status_code) == (303, 303)
    assert client.get(f"/desk/{event.id}").status_code == 200
    assert client.get(f"/tournament/{other.id}/me.json").status_code == 200


def test_a_session_that_has_ended_stays_ended(desk, event, director):
    """A signed-out director's cookie opens nothing after a restart of the desk; one that has not ended does."""
    other = DeskClient(desk)
    other.sign_in("Cleo")
    copies = [each.http.get_cookie(desk.sessions.cookie).value for each in (director, other)]
    director.post("/desk/sign-out")
    sessions = DeskSessions.create(desk.folder.with_name("desk.sessions"), desk.folder, KEY)
    restarted = create_app(Desk(Events(desk.folder), KEY, sessions, desk.clock)).test_client()
    for copied, status in zip(copies, (303, 200), strict=True):
        restarted.set_cookie(sessions.cookie, copied)
        assert restarted.get(f"/desk/{event.id}").status_code == status


def test_signing_in_again_and_again_ends_the_earliest_sessions(desk, event):
    """A player has twenty sessions at most, and another player's session and known device stay."""
    code, ben = event.code(1), DeskClient(desk)
    ben.enter_code(event, event.code(2))
    browsers = [DeskClient(desk) for _ in range(21)]
    for each in browsers:
        each.http = ben.http.application.test_client()
        assert each.enter_code(event, code).status_code == 303
    mine = f"/tournament/{event.id}/me.json"
    assert [each.get(mine).status_code for each in (*browsers[:2], browsers[-1], ben)] == [303, 200, 200, 200]
    for _ in range(31):
        browsers[0].http.post(f"/tournament/{event.id}/sign-in", data={"code": "0000-0000-0000"})
        browsers[0].http.delete_cookie(desk.sessions.device_cookie)
    assert ben.enter_code(event, "0000-0000-0000").status_code == 403


def test_a_cookie_is_of_one_desk(desk, event, director):
    """The cookie of a desk opens no other one of the same machine, which have their key and sessions in common."""
    (desk.folder.parent / "other").mkdir()
    copy = desk.folder.parent / "other" / event.opened.file.path.name
    shutil.copy(event.opened.file.path, copy)
    sessions = DeskSessions.create(desk.folder.with_name("desk.sessions"), copy, KEY)
    there = create_app(Desk(Events(copy), KEY, sessions, desk.clock)).test_client()
    for name in (desk.sessions.cookie, sessions.cookie):
        there.set_cookie(name, director.http.get_cookie(desk.sessions.cookie).value)
    assert there.get(f"/desk/{event.id}").headers["Location"].startswith("/desk/sign-in")


@pytest.mark.parametrize("name", ["service", "Entrant 3", " entrant  12 ", "Fair  play"])
def test_a_director_is_not_called_as_others_are(desk, event, name):
    """Nobody signs in under a name by which the log means a player, the on-line rounds or fair play."""
    client = DeskClient(desk)
    assert client.sign_in(name).status_code == 422
    assert client.get(f"/desk/{event.id}").status_code == 303


def test_a_code_is_good_for_its_player_in_its_event(desk, event):
    """A player acts for themselves alone; a newer code, or an erasure, ends the session of the older one."""
    client, other = DeskClient(desk), desk.event()
    assert client.enter_code(other, event.code(1)).status_code == 403
    assert client.enter_code(event, event.code(1)).status_code == 303
    assert "Ann Lee Table" in client.text(f"/tournament/{event.id}")
    theirs = event.pairing_of(1).table % 4 + 1
    claim = {"round": 1, "table": theirs, "game": 1, "mine_score": 1, "mine_points": 1, "mine_turns": 1}
    refused = client.post(f"/tournament/{event.id}/do/claim", **claim)
    assert refused.json["detail"] == "You do not play at this table."
    assert client.post(f"/tournament/{event.id}/do/withdraw").status_code == 422
    assert client.do(event, "undo").status_code == 401
    event.code(1)
    assert "Your entry code" in client.text(f"/tournament/{event.id}")
    assert client.post(f"/tournament/{event.id}/do/check-in").json["detail"] == "Your entry code was replaced."


def test_a_game_at_the_service_is_not_told_by_its_players(desk):
    """Two players cannot agree on a result instead of playing, neither before their game is opened nor after."""
    client, event = DeskClient(desk), desk.event(settings=EventSettings(on_line=True))
    event.publish()
    pairing = event.pairing_of(1)
    client.enter_code(event, event.code(1))
    figures = {f"{who}_{what}": 10 for who in ("mine", "theirs") for what in ("score", "points", "turns")}
    claim = {"round": 1, "table": pairing.table, "game": 1, **figures}
    for _ in range(2):
        refused = client.post(f"/tournament/{event.id}/do/claim", **claim)
        assert refused.json["detail"] == "This game is played on line and reports its result itself."
        event.apply(f.Bound(round=1, table=pairing.table, sealed_game="ab" * 16))
    event.apply(c.Configure(settings=EventSettings()))
    assert client.post(f"/tournament/{event.id}/do/claim", **claim).status_code == 422
    assert event.pairing_of(1).games == (None,)


def test_a_command_id_is_short(desk, event):
    """A player cannot fill the file, which keeps all ids for good."""
    client = DeskClient(desk)
    client.enter_code(event, event.code(1))
    path, version = f"/tournament/{event.id}/do/check-in", event.state.version
    assert (
        client.post(path, id="x" * 65).json["detail"] == "The id of a command has 65 characters, and 64 are the most."
    )
    assert client.post(path, id="x" * 64).status_code == 200
    assert event.state.version == version


def test_a_wrong_path_and_a_damaged_file_are_no_event(desk, event):
    """Names that lead out of the folder, and files that are no events, are not found."""
    (desk.folder / "broken.db").write_bytes(b"not a database" * 100)
    # Beside it a folder stands where its journal would be: SQLite cannot open it.
    shutil.copy(event.opened.file.path, desk.folder / "away.db")
    (desk.folder / "away.db-journal").mkdir()
    client = DeskClient(desk)
    client.sign_in()
    for path in ("/tournament/nothing", "/tournament/..%2f..%2fclients", "/tournament/UPPER"):
        assert client.get(path).status_code == 404
    assert client.get("/tournament/broken").status_code == 503
    assert client.get("/tournament/away").status_code == 503
    assert event.state.event.name in client.text("/desk")


def test_a_desk_of_one_file_whose_file_is_gone_says_so(desk, event):
    """Where the one file of a desk is gone or damaged before anybody looked, the first page says what is wrong."""
    path = event.opened.file.path
    for damage, status in ((lambda: path.write_bytes(b"no event" * 100), 503), (path.unlink, 404)):
        alone = Desk(Events(path), KEY, desk.sessions, desk.clock)
        damage()
        reply = create_app(alone).test_client().get("/")
        assert reply.status_code == status
        assert "event" in reply.text
