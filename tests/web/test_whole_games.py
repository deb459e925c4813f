"""Tests of whole games over HTTP under every rule set, by players who see only what their seat is sent."""

from __future__ import annotations

import json
import re
from itertools import permutations
from random import Random

import pytest
from each_row import each_row
from sealed_game import COMMON_WORDS, NOON, SealedGame, install_edition, new_service_sender, play_out
from test_server import Server

from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg

FOUND = {"".join(tiles) for word in COMMON_WORDS if len(word) < 5 for tiles in permutations(word) if tiles[0] < "N"}
"""The words that a check of the OSPD finds: half of all words that bad plays are made of."""

GAMES = [
    ("classic", 2, {"scoop": 40, "challenge": "single"}),
    ("classic", 4, {"scoop": 60, "challenge": "five", "most_players": 4, "check_ospd": "official"}),
    ("classic", 3, {"scoop": 50, "challenge": "void", "most_players": 3}),
    ("scrabble-i-classic", 2, {"clock_seconds": 1_500, "scoop": 60}),
    ("scrabble-i-classic", 3, {"scoop": 45}),
    ("scrabble-o", 2, {"scoop": 60}),
    ("scrabble-o", 4, {"scoop": 45}),
    ("scrabble-i", 2, {}),
    ("scrabble-i", 3, {"scoop": 45}),
    ("dover", 2, {"scoop": 60}),
    ("dover", 4, {"scoop": 50}),
]
MORE_GAMES = [
    ("classic", 2, {"scoop": 70}),
    ("scrabble-i-classic", 4, {"scoop": 45}),
    ("scrabble-o", 3, {"scoop": 45}),
    ("scrabble-i", 4, {"scoop": 45}),
    ("dover", 3, {"scoop": 45}),
]
"""The other numbers of players under each rule set."""


@pytest.fixture(scope="module")
def whole(shared_installation):
    """Play each game of the tables to its end once, for a client of its own, and keep what happened in it."""
    install_edition(shared_installation, COMMON_WORDS, number=2, core=COMMON_WORDS, reference=[*COMMON_WORDS, *FOUND])
    services, played = shared_installation.services(), {}

    def play(rules, players, options):
        name = f"{rules} {players} {sorted(options.items())}"
        if name not in played:
            key = shared_installation.register.add(f"table {len(played)}", "home", 0)
            services.games.chance = Random(name)
            game = SealedGame(new_service_sender(services, key), rules, players, options=options)
            game.client = str(services.register.identify(f"Bearer {key}", 0).id)
            played[name] = game, play_out(game, Random(name))
        return played[name]

    play.services = services
    return play


@each_row(("rules", "players", "options"), GAMES)
def test_a_game_comes_to_its_end_and_its_record_is_exact(whole, rules, players, options):
    """Every game must end, with the same scores for all seats and a record that recomputes exactly."""
    game, happened = whole(rules, players, options)
    ends = [game.standing(seat) for seat in range(players)]
    scores = [each["score"] for each in ends[0]["seats"]]
    assert {end["ending"] for end in ends} <= {"out", "idle", "scoreless"}
    assert all([each["score"] for each in end["seats"]] == scores for end in ends)
    assert all(end["winners"] == [at for at, score in enumerate(scores) if score == max(scores)] for end in ends)
    audited = audit_record(read_gcg(game.record()))
    assert audited.is_exact, audited.findings
    assert list(audited.totals.values()) == scores
    assert [each["turn"] for each in happened] == [*range(1, len(happened) + 1)]


@each_row(("rules", "players", "options"), GAMES)
def test_a_seat_sees_its_own_rack_alone(whole, rules, players, options):
    """No reply to a seat may show another's tiles before the end, except where final racks are exposed."""
    game, _ = whole(rules, players, options)
    for seat, bodies in enumerate(game.sent):
        table, _ = whole.services.games.find(game.opened["game"], game.tokens[seat], game.client, NOON)
        for body in [each for each in bodies if each.startswith(b"{")]:
            answer = json.loads(body)
            if "code" in answer:
                continue
            standing = answer.get("standing", answer)
            state = table.states[standing["turn"] - 1]
            is_open = standing["phase"] == "over" or (rules == "scrabble-o" and players == 2 and not state.bag)
            for other in range(players):
                rack = state.seats[other].rack
                shown = standing["seats"][other]["rack"]
                assert shown == (rack if other == seat or is_open else None)
                if other != seat and not is_open and len(rack) > 3 and rack != state.seats[seat].rack:
                    assert rack.encode() not in body
            shown = [rack for rack in standing["position"].split()[1].split("/") if rack]
            assert len(shown) <= (players if is_open else 1)
            last = standing["last"]
            if last and last["outcome"] == "exchanged" and last["seat"] != seat:
                assert re.fullmatch(r"-[1-9]", last["move"])


@each_row(("rules", "players", "options"), [GAMES[0], GAMES[5], GAMES[-1]])
def test_every_submission_gets_the_same_reply_again(whole, rules, players, options):
    """After the end each submission, sent again, must get the same bytes, and any other gets 409."""
    game, _ = whole(rules, players, options)
    submissions = list(game.accepted)
    assert len(submissions) > 10
    for seat, turn, fields, answer in submissions:
        assert game.post(seat, turn, **fields) == (200, answer)
        assert game.refusal(seat, "-QQQ", turn=turn) == (409, "turn-taken")
        assert game.refusal((seat + 1) % players, turn=turn, **fields) == (409, "turn-taken")


def test_the_games_cover_every_outcome(whole):
    """The games together must contain every outcome of plays, challenges, checks, swaps, exchanges and replays."""
    happened = [each for one in GAMES for each in whole(*one)[1]]
    assert {each["outcome"] for each in happened} == {
        "stands",
        "rejected",
        "unacceptable",
        "laid",
        "upheld",
        "failed",
        "found",
        "not-found",
        "exchanged",
        "passed",
    }
    assert any(each["swaps"] for each in happened)
    assert {whole(*one)[0].standing()["ending"] for one in GAMES} >= {"out", "idle"}


@pytest.mark.long
@each_row(("rules", "players", "options"), MORE_GAMES)
def test_games_of_other_numbers_of_players(whole, rules, players, options):
    """Every rule set must come to an exact end with two, three and four players, who see their own racks alone."""
    test_a_game_comes_to_its_end_and_its_record_is_exact.__wrapped__(whole, rules, players, options)
    test_a_seat_sees_its_own_rack_alone.__wrapped__(whole, rules, players, options)


@pytest.mark.long
def test_a_game_over_a_real_server(installation, tmp_path):
    """Two workers must take the moves of one game in turn, with an exact record."""
    install_edition(installation, COMMON_WORDS, number=2, core=COMMON_WORDS, reference=COMMON_WORDS)
    server = Server(installation, tmp_path)
    try:
        game = SealedGame(server.send, "scrabble-o", options={"scoop": 40})
        play_out(game, Random(1))
        audited = audit_record(read_gcg(game.record()))
        assert audited.is_exact, audited.findings
        assert list(audited.totals.values()) == [each["score"] for each in game.standing()["seats"]]
        log = server.log.read_text()
        assert not [word for word in ("ordws_seat_", game.opened["game"], "ann") if word in log]
    finally:
        server.stop()
