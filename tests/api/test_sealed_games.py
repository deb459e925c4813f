"""Tests of sealed games: actions, charges and replies."""

from __future__ import annotations

import json
from random import SystemRandom

import pytest
from each_row import each_row
from sealed_game import NOON, budget_left, game_opener, install_game_edition

DAY = 86_400


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


@pytest.fixture
def play(service):
    return game_opener(service)


def test_a_game_is_opened(play):
    """A new game has an id, an edition, an end after a day, turn 1, and a token for each seat."""
    game = play("scrabble-o", options={"small_word_cap": "on"}, clock=600)
    opened = dict(game.opened)
    assert {len(opened.pop("game")), *(len(seat.pop("token")) for seat in opened["seats"])} == {32, 110}
    assert opened == {
        "rules": "scrabble-o",
        "edition": "ORDWS 2026",
        "expires": "2026-11-22T12:00:00Z",
        "turn": 1,
        "seats": [{"player": "ann"}, {"player": "ben"}],
    }
    assert game.standing()["options"] == {"small_word_cap": "on", "clock_seconds": "600"}


def test_the_standing_shows_a_seat_no_other_rack(play):
    """The standing must show a seat all it may know, and of the other rack only its size."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    standing = game.standing(1)
    assert standing.pop("game") == game.opened["game"]
    assert sum(standing.pop("unseen").values()) == 93
    no_time = {"seconds": 0, "milliseconds": 0}
    no_turn = {"turns": 0, "points_per_turn": None, "seconds_per_turn": None}
    new = {**no_turn, "taken": None, "sworn": None, "attested": None, "program": None}
    assert standing == {
        "rules": "scrabble-o",
        "options": {},
        "edition": "ORDWS 2026",
        "expires": "2026-11-22T12:00:00Z",
        "turn": 1,
        "row": 0,
        "moment_ms": 1_000 * NOON,
        "phase": "to-move",
        "mover": 0,
        "acts": ["resign"],
        "may_call_off": True,
        "called_off": None,
        "check_price": None,
        "check_words": [],
        "clock": {"kind": "total", "milliseconds": 0, "overtime_minutes": 10, "overtime_points": 10, "running_ms": 0},
        "credit_ms": 0,
        "you": 1,
        "position": "/".join(["15"] * 15) + " /CEILOQU 0/0 0",
        "rack": "CEILOQU",
        "seats": [
            {"player": "ann", "score": 0, "tiles": 7, "rack": None, **no_time, "left": None, **new},
            {"player": "ben", "score": 0, "tiles": 7, "rack": "CEILOQU", **no_time, "left": None, **new},
        ],
        "board": {"words": 0, "mean_length": 0.0},
        "bag": 86,
        "last": None,
        "ending": None,
        "winners": [],
        "unplayed_round": None,
        "event_table": None,
        "promises": None,
        "rematch": None,
    }


def test_tiles_come_from_the_systems_randomness(service):
    """Tiles must be drawn by the system's randomness, so that no bag can be predicted."""
    assert isinstance(service.services.games.chance, SystemRandom)


def test_a_game_costs_each_identity_one_game(play, service, installation):
    """A home client pays one game for all seats, and each player of an operator one game; turns cost none."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    game.take(0, "-AE")
    assert budget_left(service, game)["games"] == 11
    key = installation.register.add("club", "operator", 0)
    table = play("scrabble-o", "AEHLTVZ", "CEILOQU", key=key)
    table.take(0, "8E HEAT")
    of = {player: budget_left(service, table, player) for player in ("ann", "ben")}
    assert {player: budgets["units"] for player, budgets in of.items()} == {"ann": 75, "ben": 76}
    assert {player: budgets["game"] for player, budgets in of.items()} == {"ann": 27, "ben": 27}
    assert of["ann"]["games"] == of["ben"]["games"]


@each_row(
    ("body", "expected"),
    [
        ({"rules": "scrabble-x", "seats": [{}, {}]}, (422, "unknown-rules")),
        ({"options": {"bag": 3}, "seats": [{}, {}]}, (422, "unknown-option")),
        ({"options": {"scoop": 13}, "seats": [{}, {}]}, (422, "unknown-option")),
        ({"rules": "classic", "seats": [{}, {}, {}]}, (422, "too-many-players")),
        ({"seats": [{}]}, (400, "bad-request")),
        ({"seats": [{}] * 5}, (400, "bad-request")),
        ({"seats": [{"player": "\u0007"}, {}]}, (400, "bad-request")),
        ({"seats": [{}, {}], "clock": -1}, (400, "bad-request")),
    ],
)
def test_an_invalid_game_is_refused_without_charge(service, body, expected):
    """Each fault of a game to open has its code, and no game is charged."""
    reply = service.post(body, path="/v1/games")
    assert (reply.status_code, reply.json["code"]) == expected
    assert service.quota()["games"] == 12


def test_an_operator_names_all_players(service, installation):
    """An operator must give a pseudonym for each seat."""
    key = installation.register.add("club", "operator", 0)
    reply = service.post({"seats": [{"player": "ann"}, {}]}, key, "/v1/games")
    assert (reply.status_code, reply.json["code"]) == (422, "player-required")


def test_the_thirteenth_game_of_a_day_is_refused(service):
    """The thirteenth game of a day must be refused, with the time when the next day begins."""
    replies = [service.post({"seats": [{}, {}]}, path="/v1/games") for _ in range(13)]
    assert [reply.status_code for reply in replies] == [201] * 12 + [429]
    assert (replies[-1].json["budget"], replies[-1].headers["Retry-After"]) == ("games", "43200")


def test_an_acceptable_play_stands(play, service):
    """An acceptable play scores, its player draws, and each new word outside the core list costs a unit."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU", "IIII")
    answer = game.take(0, "8E HEAT")
    assert answer["happened"]["outcome"] == "stands"
    assert (answer["happened"]["words"], answer["happened"]["score"]) == (["HEAT"], 14)
    standing = answer["standing"]
    assert (standing["rack"], standing["bag"], standing["mover"], standing["turn"]) == ("IIIILVZ", 82, 1, 2)
    assert standing["position"].split()[0].split("/")[7] == "4HEAT7"
    assert standing["position"].split()[1:] == ["/IIIILVZ", "0/14", "0"]
    assert budget_left(service, game) == {
        "core": 540,
        "units": 355,
        "outside": 20,
        "games": 11,
        "game": 27,
        "plays": 59,
    }


def test_an_unacceptable_play_is_withdrawn_and_charged_alike(play, service):
    """An unacceptable play is charged alike, and shown to both seats."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    answer = game.take(0, "8E TEAH")
    happened, standing = answer["happened"], answer["standing"]
    assert (happened["outcome"], happened["words"], happened["score"]) == ("rejected", ["TEAH"], 14)
    assert (standing["phase"], standing["mover"], standing["seats"][0]["score"]) == ("may-check", 0, 0)
    assert (standing["position"].split()[0], standing["rack"]) == ("/".join(["15"] * 15), "AEHLTVZ")
    assert budget_left(service, game) == {
        "core": 540,
        "units": 355,
        "outside": 20,
        "games": 11,
        "game": 27,
        "plays": 59,
    }
    assert game.standing(1)["last"] == happened
    game.take(0, "-")
    assert game.standing()["mover"] == 1


def test_the_score_sheet_has_what_the_standings_said(play, service):
    """The turns of a game must be what each seat was told after and before each, and show all racks after the end."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU", "IIII")
    told = [[], []]
    for seat, move in ((0, "8E HEAT"), (1, "-EU"), (0, "-"), (1, "resign")):
        before = [position_in(game.standing(viewer)) for viewer in (0, 1)]
        game.take(seat, move)
        for viewer, turns in enumerate(told):
            standing = game.standing(viewer)
            scores = [each["score"] for each in standing["seats"]]
            turns.append({"happened": standing["last"], "scores": scores, "before": before[viewer]})
        if move == "-":
            assert [game.turns(0), game.turns(1)] == told
            assert [turn["happened"]["move"] for turn in game.turns(0)] == ["8E HEAT", "-2", "-"]
            assert told[0][0]["before"]["racks"] == ["AEHLTVZ", None]
    assert [turn["before"]["racks"] for turn in game.turns(0)][:2] == [["AEHLTVZ", "CEILOQU"], ["IIIILVZ", "CEILOQU"]]


def position_in(standing):
    """Return what lies on the board of a standing, the racks that its seat sees, and the bag."""
    board = standing["position"].split()[0]
    return {"board": board, "racks": [each["rack"] for each in standing["seats"]], "bag": standing["bag"]}


def test_the_same_submission_gets_the_same_bytes_and_costs_nothing(play, service, clock):
    """The same submission must always get the same bytes at no cost, even when it is written in another way."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    _, first = game.post(0, 1, "8E HEAT")
    before = budget_left(service, game)
    clock.now += 100
    assert game.post(0, 1, " 8e  HEAT ") == (200, first)
    game.take(1, "-CEI")
    clock.now += 100
    assert game.post(0, 1, "8E HEAT", swaps=[]) == (200, first)
    assert budget_left(service, game) == before


def test_a_turn_takes_one_move(play):
    """Another move, another seat, or a turn beyond the next must get 409 and change nothing."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    game.post(0, 1, "8E HEAT")
    before = game.get(1)
    assert game.refusal(0, "8E LEV", turn=1) == (409, "turn-taken")
    assert game.refusal(1, "8E HEAT", turn=1) == (409, "turn-taken")
    assert game.refusal(1, "-", turn=3) == (409, "turn-taken")
    assert game.get(1) == before


@pytest.mark.parametrize(
    ("move", "fields", "expected"),
    [
        ("8E HEAT!", {}, (422, "bad-move")),
        ("8E", {}, (422, "bad-move")),
        ("challenge", {"swaps": ["=H8"]}, (422, "bad-move")),
        ("resign", {"word": "HEAT"}, (422, "bad-move")),
        ("8E HEAT", {"words": ["HEAT"]}, (422, "bad-move")),
        ("challenge", {"words": ["H3AT"]}, (400, "bad-word")),
        ("8A HEAT", {}, (422, "misses-centre")),
        ("8F HEX", {}, (422, "not-on-rack")),
        ("8G HA", {}, (422, "main-word-too-short")),
        ("-Q", {}, (422, "not-on-rack")),
        ("8E HEAT", {"swaps": ["=H8"]}, (422, "no-such-blank")),
        ("challenge", {}, (422, "challenge-not-allowed")),
        ("check-ospd", {}, (422, "check-not-allowed")),
    ],
)
def test_an_illegal_submission_costs_nothing(play, service, move, fields, expected):
    """Each illegal submission has its code, and writes no row, looks up no word and is not charged."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    before = budget_left(service, game)
    assert game.refusal(0, move, **fields) == expected
    assert budget_left(service, game) == before
    assert game.standing()["turn"] == 1


def test_a_seat_that_is_not_to_move_gets_its_own_code(play):
    """A seat with a valid token that is not to move must get its own code, before and after the end."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    assert game.refusal(1, "8E QUE") == (422, "not-your-turn")
    game.take(1, "resign")
    assert game.refusal(0, "8E HEAT") == (422, "game-over")


def test_a_play_under_challenge_rules_is_not_looked_up(play, service):
    """Under classic rules a legal play is laid at no cost and without a look-up, until it is challenged."""
    game = play("classic", "AEHLTVZ", "CEILOQU", "IIII")
    before = budget_left(service, game)
    answer = game.take(0, "8E TEAH")
    assert (answer["happened"]["outcome"], answer["happened"]["score"]) == ("laid", 14)
    standing = answer["standing"]
    assert (standing["phase"], standing["mover"]) == ("may-be-challenged", 1)
    assert (standing["rack"], standing["bag"]) == ("LVZ", 86)
    assert budget_left(service, game) == before


def test_the_next_move_lets_a_play_stand(play):
    """The next move lets the play before it stand: its player draws, and it can no longer be challenged."""
    game = play("classic", "AEHLTVZ", "CEILOQU", "IIII", "EEE")
    game.take(0, "8E TEAH")
    answer = game.take(1, "-CEI")
    assert answer["happened"]["outcome"] == "exchanged"
    assert (answer["standing"]["seats"][0]["tiles"], answer["standing"]["bag"]) == (7, 82)
    assert game.standing(0)["rack"] == "IIIILVZ"
    assert game.refusal(1, "challenge") == (422, "challenge-not-allowed")
    assert game.standing(0)["last"]["move"] == "-3"
    assert game.standing(1)["last"]["move"] == "-CEI"


def test_a_challenge_is_charged_to_the_challenger_and_takes_a_bad_play_off(play, service, installation):
    """A successful challenge is charged to the challenger; the play is withdrawn, and its player's turn is lost."""
    key = installation.register.add("club", "operator", 0)
    game = play("classic", "AEHLTVZ", "CEILOQU", key=key)
    game.take(0, "8E TEAH")
    assert game.refusal(0, "challenge") == (422, "challenge-not-allowed")
    answer = game.take(1, "challenge")
    assert (answer["happened"]["outcome"], answer["happened"]["words"]) == ("upheld", ["TEAH"])
    standing = game.standing(0)
    assert (standing["mover"], standing["rack"], standing["seats"][0]["score"]) == (1, "AEHLTVZ", 0)
    assert [budget_left(service, game, player)["units"] for player in ("ann", "ben")] == [76, 75]


def test_a_challenge_of_good_words_costs_the_turn(play, service):
    """Under double challenge a failed challenge costs the challenger's turn, and the words are charged once."""
    game = play("classic", "AEHLTVZ", "CEILOQU", "IIII")
    game.take(0, "8E HEAT")
    assert game.take(1, "challenge", words=["heat"])["happened"]["outcome"] == "failed"
    standing = game.standing(0)
    assert (standing["mover"], standing["seats"][0]["score"], standing["rack"]) == (0, 14, "IIIILVZ")
    assert budget_left(service, game)["units"] == 355


def test_only_new_words_are_challenged_and_none_is_repeated(play):
    """A challenge of a word that the play did not form must be refused without repeating the word."""
    game = play("classic", "AEHLTVZ", "CEILOQU", "IIII")
    game.take(0, "8E TEAH")
    status, body = game.post(1, 2, "challenge", words=["QUIZ"])
    assert (status, json.loads(body)["code"]) == (422, "not-a-new-word")
    assert b"QUIZ" not in body


def test_a_play_that_ends_the_game_can_still_be_challenged(play):
    """After a play that ends the game, the next player may challenge or pass, and any other move is refused."""
    game = play("classic", "AEHILOT", "CEILOQU", options={"scoop": 14})
    game.take(0, "8D AEHILOT")
    assert game.standing(1)["phase"] == "may-be-challenged"
    assert game.refusal(1, "9D QUO") == (422, "game-over")
    answer = game.take(1, "-")
    assert (answer["standing"]["phase"], answer["standing"]["ending"]) == ("over", "out")
    again = play("classic", "AEHILOT", "CEILOQU", options={"scoop": 14})
    again.take(0, "8D AEHILOT")
    assert again.take(1, "challenge")["standing"]["mover"] == 1


def test_an_unacceptable_play_under_the_void_rule_is_undone(play, service):
    """An unacceptable play under the void rule is charged and hidden, its swaps are undone, and its player moves."""
    game = play("scrabble-o", "AEHLTV?", "CEILOQU", options={"challenge": "void"})
    assert game.take(0, "8E HEAt")["happened"]["outcome"] == "stands"
    game.take(1, "-")
    answer = game.take(0, "H8 .LV", swaps=["=H8"])
    assert answer["happened"]["outcome"] == "unacceptable"
    assert (answer["happened"]["words"], answer["happened"]["swaps"]) == (["TLV"], ["=H8"])
    assert (answer["standing"]["mover"], answer["standing"]["turn"]) == (0, 4)
    for seat in (0, 1):
        assert game.standing(seat)["position"].split()[0].split("/")[7:9] == ["4HEAt7", "15"]
    last = game.standing(1)["last"]
    assert (last["move"], last["swaps"], last["words"], last["score"], last["receipt"]) == ("", [], [], 0, None)
    assert budget_left(service, game)["plays"] == 58
    assert game.take(0, "-")["standing"]["mover"] == 1


def test_a_swap_comes_before_the_move(play):
    """A swap puts the letter on the board and the blank on the rack, even where the play is withdrawn."""
    game = play("scrabble-o", "AEHLTV?", "CEILOTT", "EEEE")
    game.take(0, "8E HEAt")
    answer = game.take(1, "9F ICO", swaps=["=H8"])
    assert answer["happened"]["swaps"] == ["=H8"]
    assert (answer["happened"]["outcome"], answer["standing"]["rack"]) == ("rejected", "CEILOT?")
    assert answer["standing"]["position"].split()[0].split("/")[7] == "4HEAT7"


def test_a_successful_check_gives_another_play(play, service):
    """A check that finds the words costs no unit and no play, and another play follows as a turn of its own."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    game.take(0, "8E HAET")
    before = budget_left(service, game)
    assert game.refusal(1, "check-ospd") == (422, "not-your-turn")
    answer = game.take(0, "check-ospd")
    assert (answer["happened"]["outcome"], answer["happened"]["words"]) == ("found", ["HAET"])
    assert (answer["standing"]["phase"], answer["standing"]["turn"]) == ("may-replay", 3)
    assert budget_left(service, game) == before
    assert game.refusal(0, "-AE") == (422, "exchange-not-allowed")
    assert game.take(0, "8E HEAT")["happened"]["outcome"] == "stands"


def test_a_check_finds_retired_words(play):
    """A word that an edition has retired counts as found, in the play just rejected (docs/rules.md A-22)."""
    game = play("scrabble-o", "EELORVZ", "CEILOQU")
    assert game.take(0, "8D LEVOR")["happened"]["outcome"] == "rejected"
    assert game.take(0, "check-ospd")["happened"]["outcome"] == "found"


def test_a_failed_check_deducts_the_score_of_the_play(play):
    """A check that does not find the words deducts the would-be score and ends the turn (docs/rules.md 6.4)."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    game.take(0, "8E TEAH")
    answer = game.take(0, "check-ospd")
    assert (answer["happened"]["outcome"], answer["happened"]["score"]) == ("not-found", -14)
    assert (answer["standing"]["seats"][0]["score"], answer["standing"]["mover"]) == (-14, 1)


def test_dovers_check_is_of_one_word_that_the_player_names(play):
    """A found word leaves the rest in question, and a word not found costs its face value (docs/rules.md 6.5)."""
    game = play("dover", "AEHLTVZZ", "CEILOQUU")
    game.take(0, "11H TEAH")
    assert game.refusal(0, "check-ospd") == (422, "not-a-new-word")
    assert game.refusal(0, "check-ospd", word="HEAT") == (422, "not-a-new-word")
    answer = game.take(0, "check-ospd", word="TEAH")
    assert (answer["happened"]["outcome"], answer["happened"]["score"]) == ("not-found", -7)
    assert answer["happened"]["words"] == ["TEAH"]


def test_a_published_word_that_is_disallowed_costs_nothing(play, service):
    """Dover's player takes a disallowed word back and plays again, without a row or a charge (docs/rules.md 6.7)."""
    game = play("dover", "AGZOOOOO", "CEILOQUU")
    before = budget_left(service, game)
    assert game.refusal(0, "11J ZAG") == (422, "disallowed-word")
    assert (budget_left(service, game), game.standing()["turn"]) == (before, 1)


def test_final_racks_are_exposed_under_scrabble_o_alone(play):
    """Two players must see both racks once the bag is empty under Scrabble O, and under no other rule set."""
    seen = {}
    for rules in ("scrabble-o", "scrabble-i-classic"):
        standing = play(rules, "AEHILOT", "CEILOQU", options={"scoop": 14}).standing(0)
        seen[rules] = (standing["seats"][1]["rack"], standing["position"].split()[1])
    assert seen == {
        "scrabble-o": ("CEILOQU", "AEHILOT/CEILOQU"),
        "scrabble-i-classic": (None, "AEHILOT/"),
    }


def test_a_record_is_for_games_that_are_over(play):
    """The record of a game, GCG in UTF-8, must not be given before the end, because it shows all racks."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    game.take(0, "8E HEAT")
    status, body = game.get(1, Accept="text/plain")
    assert (status, json.loads(body)["code"]) == (409, "game-not-over")
    game.take(1, "resign")
    for accept in ("application/json, text/plain, */*", "text/plain;q=0.5, application/json", "*/*", "image/png", ""):
        assert json.loads(game.get(1, Accept=accept)[1])["phase"] == "over"
    status, headers, body = game.send("GET", game.path, {"Seat-Token": game.tokens[0], "Accept": "text/plain"}, None)
    assert (status, headers["Content-Type"], headers["Cache-Control"]) == (200, "text/plain; charset=utf-8", "no-store")
    assert body.decode().splitlines() == [
        "#character-encoding UTF-8",
        "#player1 ann ann",
        "#player2 ben ben",
        "#description ordws rules=scrabble-o",
        f"#id ordws {game.opened['game']}",
        "#lexicon ORDWS 2026",
        ">ann: AEHLTVZ 8E HEAT +14 14",
        "#note ordws left ben resigned",
        "#note ordws ended forfeit",
    ]
