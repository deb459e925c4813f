"""Tests of games whose players take their seats by invitation, without a client key."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from invited_game import Browser, InvitedGame, finish
from sealed_game import FixedDraws, budget_left, install_game_edition

from ordws.api import seats
from ordws.api.promises import PROMISES, Promises, PromiseWording
from ordws.api.seat_access import SEAT_COOKIE
from ordws.identity.devices import MAX_WRONG_PER_ADDRESS
from ordws.retention import GAMES

RACKS = ("AEHLTVZ", "CEILOQU")


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


@pytest.fixture
def service(service):
    service.services.games.chance = FixedDraws(*RACKS)
    return service


@pytest.fixture
def game(service):
    return InvitedGame(service)


def test_two_browsers_take_seats_swear_play_and_attest(game, clock):
    """A game with invitations must go from a link to the attestations without any client key."""
    ann, taken = game.seated(0, "Ann")
    assert (taken["seat"], taken["standing"]["phase"], taken["standing"]["mover"]) == (0, "waiting", None)
    shown = game.browser().take("/invitation", invitation=game.invitations[1])
    assert [(seat["player"], seat["taken"]) for seat in shown["seats"]] == [("Ann", True), (None, False)]
    assert (shown["seat"], shown["taken"], shown["sworn"], shown["rules"]) == (1, False, False, "scrabble-o")
    ben, _ = game.seated(1, "Ben")
    assert ann.take("/oath", version=1)["phase"] == "waiting"
    clock.now += 50
    standing = ben.take("/oath", version=1)
    assert (standing["phase"], standing["rack"], standing["seats"][0]["milliseconds"]) == ("to-move", RACKS[1], 0)
    clock.now += 7
    assert ann.standing()["seats"][0]["seconds"] == 7
    happened = ann.take("/turns", turn=ann.standing()["turn"], move="8E HEAT")["happened"]
    assert (happened["outcome"], happened["turn"]) == ("stands", 5)
    ben.take("/turns", turn=6, move="resign")
    assert ben.take("/attestation", version=1)["seats"][1]["attested"] is True
    standing = ann.standing()
    assert [seat["attested"] for seat in standing["seats"]] == [False, True]
    assert (standing["phase"], standing["last"]["outcome"], standing["row"]) == ("over", "resigned", 7)
    assert [each["happened"]["turn"] for each in ann.send("GET", "/turns")[1]["turns"]] == [5, 6]
    status, record = ben.send("GET", Accept="text/plain")
    assert (status, "#player1 Ann Ann" in record, "#player2 Ben Ben" in record) == (200, True, True)


def test_a_game_is_called_off_before_its_first_play_alone(service):
    """Either player must be able to call a game off until a play is made, and nobody then have lost it or go on."""
    ann, ben = InvitedGame(service).begun()
    ann.take("/turns", turn=5, move="-")
    assert ben.standing()["may_call_off"] is True
    for _ in range(2):
        standing = ben.take("/call-off")
        assert (standing["called_off"], standing["may_call_off"], standing["acts"]) == (1, False, [])
        assert (standing["mover"], standing["winners"], standing["row"]) == (None, [], 6)
    assert ann.refusal("/turns", turn=7, move="8E HEAT") == (409, "called-off")
    service.services.games.chance = FixedDraws(*RACKS)
    ann, ben = InvitedGame(service).begun()
    ann.take("/turns", turn=5, move="8E HEAT")
    assert ben.standing()["may_call_off"] is False
    assert ben.refusal("/call-off") == (409, "turn-taken")
    assert ann.standing()["called_off"] is None


def test_before_all_have_sworn_nobody_sees_a_tile(game):
    """No reply before the last oath may hold a rack, or the letters that are left, or let somebody move."""
    ann, taken = game.seated(0)
    ben, _ = game.seated(1)
    of_key = {"Authorization": f"Bearer {game.service.key}", "Seat-Token": game.tokens[0]}
    by_key = game.browser(**of_key).standing()
    for standing in (taken["standing"], ann.take("/oath", version=1), ann.standing(), ben.standing(), by_key):
        assert standing["phase"] == "waiting"
        assert (standing["rack"], standing["unseen"], standing["acts"]) == ("", {}, [])
        assert {seat["rack"] for seat in standing["seats"]} == {None}
        assert standing["position"].endswith(" / 0/0 0")
    for browser in (ann, ben):
        assert browser.refusal("/turns", turn=4, move="8E HEAT") == (409, "not-started")
        assert browser.refusal("/turns", turn=4, move="resign") == (409, "not-started")


def test_no_clock_runs_before_the_last_oath(game, clock):
    """The time of the first player must begin with the last oath, even if that takes longer than the whole game."""
    ann, _ = game.seated(0)
    clock.now += 80_000
    ben, _ = game.seated(1)
    for browser in (ben, ann):
        browser.take("/oath", version=1)
    clock.now += 3
    assert [seat["milliseconds"] for seat in ben.standing()["seats"]] == [3_000, 0]


def test_a_program_and_a_browser_play_one_game(game):
    """A seat of a client's key may swear and move by its token, also in the header, while a browser has the other."""
    of_key = {"Authorization": f"Bearer {game.service.key}", "Seat-Token": game.tokens[0]}
    program, (ben, _) = game.browser(**of_key), game.seated(1)
    assert ben.take("/oath", version=1)["phase"] == "waiting"
    assert program.take("/oath", version=1)["rack"] == RACKS[0]
    assert program.take("/turns", turn=4, move="8E HEAT")["happened"]["outcome"] == "stands"
    assert ben.standing()["mover"] == 1
    # The program has sworn for its seat, which is free for nobody else.
    assert game.browser().refusal("/seat", invitation=game.invitations[0], again=True) == (409, "seat-taken")


def test_every_invitation_that_is_not_of_this_game_is_refused(service, game, clock):
    """A forged or mistyped invitation, and one of another game or seat, must give nothing; an old one says why."""
    other = InvitedGame(service)
    good = game.invitations[1]
    for bad in ("", "hello", good[:-1], good + "0", good.upper(), other.invitations[1], _other_seat(good), good[:14]):
        for path in ("/invitation", "/seat"):
            assert game.browser().refusal(path, invitation=bad) == (403, "bad-invitation"), bad
    clock.now += GAMES.seconds
    status, problem = game.browser().post("/seat", invitation=good, name="Ben")
    assert (status, problem["code"]) == (403, "bad-invitation")
    assert "expired" in problem["detail"]


def _other_seat(invitation):
    prefix, seat, mac = invitation[:13], invitation[13], invitation[14:]
    return f"{prefix}{1 - int(seat)}{mac}"


def test_a_link_used_twice_gives_one_seat(game):
    """A seat must be its first taker's; the same browser gets the same reply again, and another one is refused."""
    ben, taken = game.seated(1, "Ben")
    cookie = ben.cookie
    again = ben.take("/seat", invitation=game.invitations[1], name="Benjamin")
    assert (again["recovery"], ben.cookie) == (taken["recovery"], cookie)
    assert again["standing"]["seats"][1]["player"] == "Ben"
    assert game.browser().refusal("/seat", invitation=game.invitations[1]) == (409, "seat-taken")
    assert game.browser().take("/invitation", invitation=game.invitations[1])["taken"] is True
    assert ben.standing()["row"] == 1


def test_a_seat_can_be_taken_over_until_its_player_has_sworn(game):
    """`again` must take a seat over before the oath, so that the earlier browser is told, and not after it."""
    first, lost = game.seated(1, "Ben")
    second = game.browser()
    second.take("/seat", invitation=game.invitations[1], name="Benjamin", again=True)
    assert second.standing()["seats"][1]["player"] == "Benjamin"
    status, problem = first.look()
    assert (status, problem["code"]) == (403, "seat-moved")
    # The code of a taker who was not the player must not give the seat back in the middle of the game.
    assert first.refusal("/seat", recovery=lost["recovery"]) == (403, "bad-recovery-code")
    second.take("/oath", version=1)
    assert first.refusal("/seat", invitation=game.invitations[1], again=True) == (409, "seat-taken")


def test_a_lost_reply_to_a_seat_loses_no_seat(game, monkeypatch):
    """A process killed after the row of a seat, and before its reply, must not keep the player from the seat."""
    browser = game.browser()
    with monkeypatch.context() as patch:
        patch.setattr(seats, "cookie_of_seat", _die)
        assert browser.refusal("/seat", invitation=game.invitations[1], name="Ben") == (500, "internal-error")
    assert browser.refusal("/seat", invitation=game.invitations[1], name="Ben") == (409, "seat-taken")
    browser.take("/seat", invitation=game.invitations[1], name="Ben", again=True)
    assert browser.take("/oath", version=1)["seats"][1]["sworn"] is True


def _die(*_):
    raise KeyError


def test_a_browser_with_a_seat_does_not_take_its_opponents(game):
    """Whoever taps the link that they are to send must keep their own seat, and leave the other one free."""
    ann, _ = game.seated(0)
    assert ann.refusal("/seat", invitation=game.invitations[1], again=True) == (409, "own-invitation")
    standing = ann.standing()
    assert (standing["you"], [seat["taken"] for seat in standing["seats"]]) == (0, [True, False])


def test_an_oath_under_way_is_not_that_of_the_next_holder(game, service, monkeypatch):
    """A browser that loses its seat while its oath is under way must not swear for the one that took it."""
    ben, _ = game.seated(1, "Ben")
    games, cy = service.services.games, game.browser()
    append_note = games.append_note

    def append_late(found, decide):
        monkeypatch.setattr(games, "append_note", append_note)
        cy.take("/seat", invitation=game.invitations[1], name="Cy", again=True)
        return append_note(found, decide)

    monkeypatch.setattr(games, "append_note", append_late)
    assert ben.refusal("/oath", version=1) == (403, "seat-moved")
    assert [seat["sworn"] for seat in cy.standing()["seats"]] == [False, False]


@pytest.mark.parametrize("spell", [str, str.lower, lambda code: code.replace("-", ""), lambda code: f" {code} "])
def test_a_recovery_code_takes_a_seat_back(game, spell):
    """A lost phone's seat must be taken back by its code, however it is spelt, in the middle of the game too."""
    ann, ben = game.begun()
    code = ben.take("/seat", invitation=game.invitations[1])["recovery"]
    phone = game.browser()
    taken = phone.take("/seat", recovery=spell(code))
    assert (taken["seat"], taken["recovery"], taken["standing"]["rack"]) == (1, code, RACKS[1])
    assert taken["standing"]["seats"][1]["player"] == "Player 2"
    assert ben.refusal("/turns", turn=6, move="-") == (403, "seat-moved")
    assert ann.standing()["mover"] == 0


def test_a_recovery_code_works_as_often_as_it_is_needed(game, monkeypatch):
    """A code must work again after a reply that was lost, up to a number of times that no player needs."""
    monkeypatch.setattr(seats, "MAX_GENERATIONS", 4)
    ann, taken = game.seated(0)
    browsers = [game.browser() for _ in range(3)]
    for browser in browsers:
        browser.take("/seat", recovery=taken["recovery"])
    assert [browser.look()[0] for browser in (ann, *browsers)] == [403, 403, 403, 200]
    assert game.browser().refusal("/seat", recovery=taken["recovery"]) == (409, "seat-taken")


def test_a_wrong_recovery_code_takes_no_seat(service, game):
    """A mistyped code, and the code of a seat in another game or of no seat, must be refused alike."""
    _, taken = game.seated(0)
    _, elsewhere = InvitedGame(service).seated(0)
    code = taken["recovery"]
    of_free_seat = service.services.games.credentials.write_recovery_code(game.id, 1, 0)
    replies = [
        game.browser().post("/seat", recovery=wrong)
        for wrong in (elsewhere["recovery"], of_free_seat, code[:-1], f"{code}X", "", "0000-0000-0000", "ÄÖÜ")
    ]
    assert {(status, body["code"], body["detail"]) for status, body in replies} == {
        (403, "bad-recovery-code", "no seat of this game has this recovery code, or the game has expired")
    }


def test_guesses_of_recovery_codes_are_limited_for_each_address(game, clock):
    """After many wrong codes in a second, one address must be refused, the right code too, and another one not."""
    _, taken = game.seated(0)
    for _ in range(MAX_WRONG_PER_ADDRESS):
        assert game.browser().refusal("/seat", recovery="0000-0000-0000") == (403, "bad-recovery-code")
    assert game.browser().refusal("/seat", recovery=taken["recovery"]) == (429, "too-many-guesses")
    Browser(game.service, game.id, {"REMOTE_ADDR": "198.51.100.1"}).take("/seat", recovery=taken["recovery"])
    clock.now += 1
    game.browser().take("/seat", recovery=taken["recovery"])


def test_a_cookie_is_for_one_seat_of_one_game(service, game):
    """A forged cookie, one of another game or seat, and one changed by a character must give no seat."""
    ben, _ = game.seated(1)
    other = InvitedGame(service)
    stranger, _ = other.seated(0)
    good, browser = ben.cookie, game.browser()
    seat, generation, mac = good.split(".")
    for bad in ("", "x", stranger.cookie, f"0.{generation}.{mac}", f"{seat}.2.{mac}", f"{good}0", good[:-1]):
        browser.cookie = bad
        assert browser.refusal("/oath", version=1) == (403, "bad-seat"), bad
        assert browser.look()[0] == 403
    browser.http.delete_cookie(SEAT_COOKIE, path=browser.path)
    assert browser.look()[1]["code"] == "bad-seat"
    # The cookie of the other game's seat is not even sent here, as its path is the other game.
    assert stranger.http.get(f"/v1/games/{game.id}").status_code == 403


def test_of_two_cookies_the_one_of_this_game_counts(service, game):
    """A second cookie that another host of the domain has set must not lock a player out; two seats are none."""
    ann, _ = game.seated(0)
    ben, _ = game.seated(1)
    http = service.app.test_client(use_cookies=False)
    send = {
        cookies: http.get(f"/v1/games/{game.id}", headers={"Cookie": cookies})
        for cookies in (
            f"{SEAT_COOKIE}=0.1.{'0' * 64}; {SEAT_COOKIE}={ann.cookie}",
            f"{SEAT_COOKIE}={ann.cookie}; other=1; {SEAT_COOKIE}={ann.cookie}",
            f"{SEAT_COOKIE}={ann.cookie}; {SEAT_COOKIE}={ben.cookie}",
        )
    }
    assert [reply.status_code for reply in send.values()] == [200, 200, 403]


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}])
def test_pages_of_other_sites_have_no_seat(game, headers):
    """A page of another site must neither take a seat, nor look through the eyes of one, nor move."""
    ann, _ = game.seated(0)
    requests = [
        ("GET", "", None),
        ("POST", "/oath", {"version": 1}),
        ("POST", "/turns", {"turn": 2, "move": "-"}),
        ("POST", "/rematch", {}),
        ("POST", "/seat", {"invitation": game.invitations[1]}),
        ("POST", "/invitation", {"invitation": game.invitations[1]}),
    ]
    for method, path, body in requests:
        status, problem = ann.send(method, path, body, **headers)
        assert (status, problem["code"]) == (403, "cross-site"), path


def test_a_promise_is_kept_with_its_wording(game, monkeypatch):
    """The rows must keep what was promised; words that have changed meanwhile are promised by nobody."""
    ann, ben = game.begun()
    ann.take("/oath", version=1)
    finish([ann, ben])
    rows = game.service.services.games.find_by_id(game.id, game.service.clock()).rows
    sworn = [row.note for row in rows if row.outcome.value == "sworn"]
    digest = hashlib.sha256(PROMISES.oath.text.encode()).hexdigest()
    assert [tuple(note) for note in sworn] == [(1, digest)] * 2
    monkeypatch.setattr(seats, "PROMISES", Promises(PROMISES.oath, PromiseWording(2, "I attest more.")))
    assert ann.refusal("/attestation", version=1) == (409, "oath-changed")
    assert ann.take("/attestation", version=2)["seats"][0]["attested"] is True


def test_promises_have_their_time(service, game):
    """An attestation is for after the game, and a game without invitations asks for no promise."""
    ann, _ = game.begun()
    assert ann.refusal("/attestation", version=1) == (409, "game-not-over")
    assert ann.refusal("/oath", version=2) == (409, "oath-changed")
    opened = service.http.post(
        "/v1/games", json={"seats": [{}, {}]}, headers={"Authorization": f"Bearer {service.key}"}
    ).json
    assert "invitation" not in opened["seats"][0]
    of_key = {"Authorization": f"Bearer {service.key}", "Seat-Token": opened["seats"][0]["token"]}
    program = Browser(service, opened["game"], **of_key)
    assert program.standing()["promises"] is None
    assert program.refusal("/oath", version=1) == (400, "bad-request")
    # A well-formed invitation to it is of no use either.
    invitation = service.services.games.credentials.write_invitation(opened["game"], 0)
    assert Browser(service, opened["game"]).refusal("/seat", invitation=invitation) == (403, "bad-invitation")


def test_a_move_under_way_survives_a_change_of_browsers(game):
    """A move for a turn must count though another player's seat was taken back meanwhile, and repeat byte for byte."""
    ann, ben = game.begun()
    turn = ann.standing()["turn"]
    code = ben.take("/seat", invitation=game.invitations[1])["recovery"]
    game.browser().take("/seat", recovery=code)
    made = ann.take("/turns", turn=turn, move="8E HEAT")
    assert (made["happened"]["turn"], made["happened"]["outcome"]) == (turn + 1, "stands")
    assert ann.take("/turns", turn=turn, move="8E HEAT") == made
    assert ann.refusal("/turns", turn=turn, move="8E HAET") == (409, "turn-taken")
    assert ann.refusal("/turns", turn=turn + 3, move="-") == (409, "turn-taken")


def test_a_turn_by_cookie_takes_an_idempotency_key(game):
    """A move that is sent twice under one key must be made once, and the key is of this seat alone."""
    ann, ben = game.begun()
    turn = ann.standing()["turn"]
    send = {"turn": turn, "move": "8E HEAT"}
    first = ann.send("POST", "/turns", send, **{"Idempotency-Key": "1"})
    assert ann.send("POST", "/turns", send, **{"Idempotency-Key": "1"}) == first
    assert ann.send("POST", "/turns", {"turn": 9, "move": "-"}, **{"Idempotency-Key": "1"})[0] == 422
    assert ben.send("POST", "/turns", {"turn": turn + 1, "move": "-"}, **{"Idempotency-Key": "1"})[0] == 200


def test_a_seat_of_a_browser_takes_no_token_and_sends_none(game):
    """A seat token beside the cookie is a mistake that is named."""
    ann, _ = game.begun()
    assert ann.refusal("/turns", turn=5, move="-", seat=game.tokens[1]) == (400, "bad-request")
    status, problem = ann.post("/seat", invitation=game.invitations[0], recovery="0000-0000-0000")
    assert (status, problem["detail"]) == (400, 'body: expected either "invitation" or "recovery"')


def test_words_of_a_browser_are_charged_to_the_client_that_opened_the_game(service, game, installation):
    """The words of a seat taken by invitation must cost the client what they cost by seat token; a revoked one none."""
    ann, ben = game.begun()
    before = budget_left(service, game)
    ann.take("/turns", turn=5, move="8E HEAT")
    after = budget_left(service, game)
    assert (before["units"] - after["units"], before["game"] - after["game"]) == (1, 1)
    (client, *_) = installation.register.list()
    installation.register.revoke(client.name, service.clock())
    assert ben.refusal("/turns", turn=6, move="-") == (403, "bad-seat")


def test_a_test_client_invites_to_games_with_the_toy_words(service, installation):
    """A browser in a game of a test key must be judged by the toy words, and touch no live budget."""
    key = installation.register.add("tester", "home", 0, test=True)
    ann, _ = InvitedGame(service, key=key).begun()
    assert ann.standing()["edition"] == "ORDWS TOY"
    assert ann.take("/turns", turn=5, move="8E HEAT")["happened"]["outcome"] == "rejected"


def test_of_many_browsers_that_tap_at_once_one_gets_the_seat(game):
    """One of eight browsers must get a seat, and the others be told that it is taken; oaths at once start the game."""
    browsers = [game.browser() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        taken = [*pool.map(lambda browser: browser.post("/seat", invitation=game.invitations[0]), browsers)]
        assert sorted(status for status, _ in taken) == [200, *[409] * 7]
        ann = next(browser for browser, (status, _) in zip(browsers, taken, strict=True) if status == 200)
        ben, _ = game.seated(1)
        oaths = [*pool.map(lambda browser: browser.post("/oath", version=1), [ann, ben] * 4)]
    assert {status for status, _ in oaths} == {200}
    standing = ben.standing()
    assert (standing["phase"], standing["row"]) == ("to-move", 4)


def test_a_seat_is_given_by_a_cookie_that_no_script_and_no_other_route_gets(service, game):
    """The cookie must be HttpOnly, SameSite=Lax, of this game's path and life, and Secure over TLS."""
    body = json.dumps({"invitation": game.invitations[0], "name": "Ann"})
    for proto, secure in (("http", ""), ("https", "; Secure")):
        reply = service.app.test_client(use_cookies=False).post(
            f"/v1/games/{game.id}/seat",
            data=body.replace("}", ', "again": true}'),
            headers={"Content-Type": "application/json", "X-Forwarded-Proto": proto},
        )
        value, attributes = reply.headers["Set-Cookie"].split("; ", 1)
        assert value.startswith(f"{SEAT_COOKIE}=0.")
        expected = f"Max-Age={GAMES.seconds}; Path=/v1/games/{game.id}; HttpOnly; SameSite=Lax{secure}"
        assert (attributes, reply.headers["Cache-Control"]) == (expected, "no-store")
