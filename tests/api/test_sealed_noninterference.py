"""Tests that two lists which differ in one word give the same sealed game, byte for byte, until that word is judged."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from sealed_game import NOON, FixedDraws, SealedGame, install_edition, new_service_sender
from small_installation import build_installation

from ordws.lexicon.sealed_edition import NO_LISTS, SealedLists
from ordws.referee.games import SealedGames
from ordws.referee.moments import Moment
from ordws.referee.stores.sqlite import SqliteGameStore
from ordws.web.serving import create_app

IDS = re.compile(rb"urn:ordws:request:[0-9a-f-]+")

SCRIPTS = {
    "scrabble-o": [
        (0, "8E TEAH", {}),
        (0, "check-ospd", {}),
        (1, "9E HEX", {}),
        (1, "-CEI", {}),
        (0, "-", {}),
        (1, "-", {}),
        (0, "8E HAET", {}),
        (0, "check-ospd", {}),
        (0, "8D HEAL", {}),
        (0, "8E HEAT", {}),
    ],
    "classic": [
        (0, "8E HEAL", {}),
        (1, "challenge", {}),
        (0, "-", {}),
        (1, "8F QUO", {}),
        (0, "challenge", {"words": ["QUO"]}),
        (1, "-", {}),
        (0, "8E HEAT", {}),
        (1, "challenge", {}),
    ],
    "dover": [
        (0, "11H TEAH", {}),
        (0, "check-ospd", {"word": "TEAH"}),
        (1, "-CEI", {}),
        (0, "11H HAET", {}),
        (0, "check-ospd", {"word": "HAET"}),
        (0, "11J ZAG", {}),
        (0, "11H HEAT", {}),
    ],
}


def played(installation, number, words, rules, lists=NO_LISTS):
    """Return every reply in an installation with these words: to each submission, and to both seats' looks after it."""
    install_edition(installation, words, number=number, reference=["HAET"], sealed_lists=lists)
    racks = ("AEHLTVZ", "CEILOQU") if rules != "dover" else ("AEGHLTVZ", "CEILOQUU")
    turns = SqliteGameStore.create(installation.instance.root / f"world-{number}.db")
    games = SealedGames(turns, bytes(32), FixedDraws(*racks), lambda: "ab" * 16)
    services = replace(installation.services(), games=games)
    game = SealedGame(new_service_sender(services, installation.register.add(f"world {number}", "home", 0)), rules)
    told = []
    for seat, move, fields in SCRIPTS[rules]:
        turn = game.standing(seat)["turn"]
        answer = game.post(seat, turn, move, **fields)
        told.append([IDS.sub(b"", body) for body in (answer[1], game.get(0)[1], game.get(1)[1])])
    return told


@pytest.mark.parametrize("rules", SCRIPTS)
def test_replies_are_equal_until_the_first_differing_verdict(installation, rules):
    """Every reply must be equal up to the last submission, which is the first to contain the word that differs."""
    one = played(installation, 2, ["HEAT", "LOVER"], rules)
    other = played(installation, 3, ["LOVER"], rules)
    assert one[:-1] == other[:-1]
    assert one[-1] != other[-1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SealedLists(dover_forms=frozenset({"HEAT"})), NO_LISTS),
        (SealedLists(dover_forms=frozenset({"HEAT"})), SealedLists(labelled=frozenset({"HEAT"}))),
    ],
)
def test_the_sets_of_a_word_rule_show_in_verdicts_alone(installation, one, other):
    """Under Dover every reply is equal until a verdict on a word that is a form or labelled in one edition."""
    first = played(installation, 2, ["LOVER"], "dover", one)
    second = played(installation, 3, ["LOVER"], "dover", other)
    assert first[:-1] == second[:-1]
    assert first[-1] != second[-1]
    assert played(installation, 4, ["LOVER"], "scrabble-o", one) == played(
        installation, 5, ["LOVER"], "scrabble-o", other
    )


def played_by_guests(root, words, rules):
    """Return all that guests are sent, with its headers, in an installation of its own with these words.

    After each submission both seats look at the game, and somebody who has the link asks how many games it opens.
    """
    with build_installation(root) as installation:
        install_edition(installation, words, number=2, reference=["HAET"])
        racks = ("AEHLTVZ", "CEILOQU") if rules != "dover" else ("AEGHLTVZ", "CEILOQUU")
        turns = SqliteGameStore.create(root / "world.db")
        games = SealedGames(turns, bytes(32), FixedDraws(*racks), lambda: "ab" * 16)
        services = replace(installation.services(), games=games)
        games.clock = lambda: Moment(1_000 * NOON)
        http = create_app(services, clock=lambda: NOON, log=lambda line: None).test_client(use_cookies=False)
        told = []

        def tell(method, path, cookie="", **body):
            headers = {"Origin": "http://localhost", "Cookie": f"ordws_seat={cookie}"}
            reply = http.open(path, method=method, json=body or None, headers=headers)
            headers = [header for header in reply.headers if header[0] != "X-Request-Id"]
            told[-1].append((reply.status_code, headers, IDS.sub(b"", reply.data)))
            set_cookie = reply.headers.get("Set-Cookie", "").partition(";")[0].partition("=")[2]
            return json.loads(reply.data), set_cookie

        told.append([])
        link = services.play_links.add(NOON, bytes)
        opened, mine = tell("POST", "/v1/guest-games", link=link, name="Ann", rules=rules, first="me")
        path, invited = f"/v1/games/{opened['game']}", opened["invitations"][0]["invitation"]
        _, theirs = tell("POST", f"{path}/seat", invitation=invited, name="Ben")
        for seat in (mine, theirs):
            tell("POST", f"{path}/oath", seat, version=1)
        for seat, move, fields in SCRIPTS[rules]:
            told.append([])
            turn = tell("GET", path, (mine, theirs)[seat])[0]["turn"]
            tell("POST", f"{path}/turns", (mine, theirs)[seat], turn=turn, move=move, **fields)
            for each in (mine, theirs):
                tell("GET", path, each)
            tell("POST", "/v1/play-link", link=link)
        return told


@pytest.mark.parametrize("rules", SCRIPTS)
def test_guests_of_twin_lists_are_sent_the_same_until_the_first_differing_verdict(tmp_path, rules):
    """Two installations whose lists differ in one word must send guests equal bytes, cookies and budgets included."""
    one = played_by_guests(tmp_path / "one", ["HEAT", "LOVER"], rules)
    other = played_by_guests(tmp_path / "other", ["LOVER"], rules)
    assert [reply[0] for reply in one[0]] == [201, 200, 200, 200]
    assert all(reply[0] == 200 for step in one[1:] for reply in step[-1:])
    assert one[:-1] == other[:-1]
    assert one[-1] != other[-1]
    # What the budget tells is the same for yes and no.
    assert one[-1][-1] == other[-1][-1]
