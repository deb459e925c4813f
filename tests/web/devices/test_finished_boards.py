"""Tests of finished boards: registered by the devices that kept the games, and looked over by the director."""

from __future__ import annotations

import json

import pytest
from each_row import each_row
from paired_devices import DAY, DeviceBrowser, make_director, refusal

RECORD = """#player1 Ann Ann Lee
#player2 Bob
#description ordws rules=scrabble-i challenge=double
>Ann: ACT 11J CAT +10 10
>Bob: EIRT 11J ...TIER +10 20
>Ann: {rack} {move} +10 20
#note ordws ended forfeit
"""
GOOD = RECORD.format(rack="EGM", move="K10 G.ME")
"""A board with CATTIER, which costs a unit, and GAME, which is core."""
JUNK = RECORD.format(rack="GZ", move="K10 Z.G")
"""A board with CATTIER and ZAG; ZAG is not in the set."""


@pytest.fixture
def director(club, service):
    """The director's own device."""
    reply = club.post("/v1/devices", {"table": "Ann", "director": True})
    browser = DeviceBrowser(service)
    assert browser.pair(reply.json["code"]).status_code == 200
    return browser


def register(device, record=GOOD, game="g", **fields):
    return device.post("/v1/boards", {"game": game, "record": record, **fields})


def review(device, board, part="review"):
    return device.post(f"/v1/boards/{board}/{part}", {})


def test_a_device_registers_a_finished_game_which_the_director_sees(tablet, director):
    """A finished game of a table must be listed for the director, with its board, its plays and what it costs."""
    kept = register(tablet, checked=[2])
    board = kept.json["id"]
    assert (kept.status_code, kept.json) == (201, {"id": board, "game": "g", "words": 2, "plays": 3})
    assert director.get("/v1/boards").json == {
        "boards": [
            {
                "id": board,
                "table": "Table 3",
                "kept": "2026-11-21T12:00:00Z",
                "rules": "scrabble-i",
                "players": ["Ann Lee", "Bob"],
                "words": 2,
            }
        ]
    }
    shown = director.get(f"/v1/boards/{board}").json
    assert (shown["words"], shown["refused"], shown["units"], shown["core"]) == (["CATTIER", "GAME"], [], 1, 1)
    assert shown["position"].split("/")[9:13] == ["10G10", "9CATTIER5", "10M10", "10E10"]
    assert [(play["move"], play["player"], play["words"], play["checked"]) for play in shown["plays"]] == [
        ("11J CAT", "Ann Lee", ["CAT"], False),
        ("11J ...TIER", "Bob", ["CATTIER"], True),
        ("K10 G.ME", "Ann Lee", ["GAME"], False),
    ]


@pytest.mark.parametrize(("record", "body"), [(GOOD, b'{"valid":true }'), (JUNK, b'{"valid":false}')])
def test_a_board_gets_one_verdict_for_all_its_words(tablet, director, record, body):
    """All words of a board must get one verdict, of one length, charged to the director's device and to no other."""
    board = register(tablet, record).json["id"]
    before, table = director.left(), tablet.left()
    assert review(director, board).data == body
    left, units, core = director.left(), *((1, 1) if record is GOOD else (2, 0))
    assert (before["units"] - left["units"], before["core"] - left["core"]) == (units, core)
    assert (before["games"] - left["games"], before["outside"] - left["outside"]) == (1, 0)
    assert tablet.left() == table
    # Within a day the same words are free, as everywhere.
    assert review(director, board).data == body
    assert director.left() == left


def test_a_second_request_tells_one_bit_a_play_and_costs_again(tablet, director):
    """Plays that nobody checked must get a verdict each, for which their words cost again."""
    board = register(tablet, JUNK, checked=[2]).json["id"]
    review(director, board)
    before = director.left()
    reply = review(director, board, "review-plays")
    assert reply.json == {
        "plays": [
            {"move": "11J CAT", "words": ["CAT"], "valid": True},
            {"move": "K10 Z.G", "words": ["ZAG"], "valid": False},
        ]
    }
    left = director.left()
    # CAT is core; ZAG is not, and was charged with the board before.
    assert (before["units"] - left["units"], before["core"] - left["core"]) == (1, 1)
    assert before["games"] - left["games"] == 1
    assert review(director, board, "review-plays").data == reply.data
    assert director.left() == left


def test_replies_about_plays_have_one_length(tablet, director):
    """The replies about plays must have the same length, whatever the verdicts."""
    lengths = set()
    for number, move in enumerate(("Z.G", "B.T")):
        record = RECORD.format(rack="XY", move=f"K10 {move}")
        board = register(tablet, record, game=f"g{number}").json["id"]
        reply = review(director, board, "review-plays")
        lengths.add(len(reply.data))
        assert [each["valid"] for each in reply.json["plays"]] == [True, True, False]
    good = RECORD.format(rack="XY", move="K10 C.T")
    reply = review(director, register(tablet, good, game="good").json["id"], "review-plays")
    assert all(each["valid"] for each in reply.json["plays"])
    assert {len(reply.data)} == lengths


def test_checked_plays_are_not_asked_again(tablet, director):
    """A board whose plays were all checked must have no further plays to judge, and that costs nothing."""
    board = register(tablet, checked=[1, 2, 3]).json["id"]
    before = director.left()
    assert review(director, board, "review-plays").json == {"plays": []}
    assert director.left() == before


def test_published_lists_are_shown_before_anything_is_asked(tablet, director):
    """Words that the published lists refuse must be named, since they are public."""
    record = RECORD.replace("rules=scrabble-i", "rules=scrabble-i disallowed_words=dover")
    board = register(tablet, record.format(rack="GZ", move="K10 Z.G")).json["id"]
    assert director.get(f"/v1/boards/{board}").json["refused"] == ["ZAG"]


def test_a_game_is_registered_once_for_a_label(tablet):
    """A label must have one record: the same again is the same board, another one is refused."""
    first = register(tablet)
    left = tablet.left("g")
    assert (register(tablet).status_code, register(tablet).json) == (201, first.json)
    assert tablet.left("g") == left
    assert refusal(register(tablet, JUNK)) == (409, "board-kept")
    assert refusal(register(tablet, checked=[1])) == (409, "board-kept")


def test_registering_opens_one_of_the_devices_games(tablet):
    """A registered game must count as one of the twelve games of its device, unless a question has opened it."""
    tablet.judge("LOVERS", game="asked")
    left = tablet.left()["games"]
    assert register(tablet, game="asked").status_code == 201
    assert tablet.left()["games"] == left
    statuses = [register(tablet, game=f"game {number}").status_code for number in range(12)]
    assert statuses == [201] * 11 + [429]
    assert register(tablet, game="game 11").json["budget"] == "games"
    assert tablet.left("game 1")["plays"] == 59


def test_labels_belong_to_their_devices(club, director):
    """Two devices may use the same label, each for a game of its own."""
    boards = [register(club.pairs(table)).json["id"] for table in ("Table 1", "Table 2")]
    assert len({*boards}) == 2
    assert {entry["id"] for entry in director.get("/v1/boards").json["boards"]} == {*boards}


@each_row(
    ("record", "says"),
    [
        ("", "it has no line of a game record"),
        ("CAT", "it has no line of a game record"),
        (GOOD.replace("#note ordws ended forfeit\n", ""), "line 6: unfinished"),
        (GOOD.replace("K10", "A10"), "line 6: placement"),
        (GOOD.replace("rules=scrabble-i", "rules=chess"), "line 3: rules"),
        ("#player1 a\n#player2 b\n>a: - +0 0\n#note ordws ended forfeit\n", "line 1: unfinished"),
        (GOOD.replace("CAT +10", "ĆAT +10"), "line 4"),
    ],
)
def test_a_record_that_is_none_of_a_finished_game_is_refused(tablet, record, says):
    """A record that stops early, or whose tiles do not lie as they must, is refused without repeating a word of it."""
    reply = register(tablet, record)
    assert refusal(reply) == (422, "bad-record")
    assert says in reply.json["detail"]
    assert not any(word in json.dumps(reply.json) for word in ("CAT", "GAME", "chess"))
    assert tablet.left()["games"] == 12


def test_checked_plays_lie_on_the_board(tablet):
    """A number of a play that does not lie on the board is refused."""
    assert refusal(register(tablet, checked=[4])) == (422, "bad-record")
    assert refusal(register(tablet, checked=[0])) == (400, "bad-request")


def test_only_a_directors_device_looks_boards_over(tablet, director, service, club, home):
    """Tables, keys and devices of homes must not look over boards, and homes register none."""
    board = register(tablet).json["id"]
    for path in ("/v1/boards", f"/v1/boards/{board}"):
        assert refusal(tablet.get(path)) == (403, "directors-only")
        assert refusal(club.get(path)) == (401, "not-paired")
    for part in ("review", "review-plays"):
        assert refusal(review(tablet, board, part)) == (403, "directors-only")
        assert refusal(club.post(f"/v1/boards/{board}/{part}", {})) == (401, "not-paired")
    kitchen = home.pairs("Kitchen")
    assert refusal(register(kitchen)) == (403, "operators-only")
    assert refusal(kitchen.get("/v1/boards")) == (403, "directors-only")


def test_boards_of_another_club_are_unknown(tablet, service, installation, name):
    """A director must not see the boards of another club, and must get the same answer for them as for none."""
    board = register(tablet).json["id"]
    other = make_director(service, installation, f"not {name}")
    code = other.post("/v1/devices", {"table": "Eve", "director": True}).json["code"]
    eve = DeviceBrowser(service)
    eve.pair(code)
    assert eve.get("/v1/boards").json == {"boards": []}
    for each in (board, "0" * 32, "x"):
        assert refusal(eve.get(f"/v1/boards/{each}")) == (404, "not-found")
        assert refusal(review(eve, each)) == (404, "not-found")
        assert refusal(review(eve, each, "review-plays")) == (404, "not-found")


def test_a_director_looks_over_twelve_boards_a_day(club, director):
    """A review is one of the twelve games of the director's device, so that its budgets bound what it learns."""
    boards = [register(club.pairs(f"Table {number}"), game="g").json["id"] for number in range(13)]
    assert [review(director, board).status_code for board in boards] == [200] * 12 + [429]
    assert review(director, boards[12]).json["budget"] == "games"


def test_no_label_of_a_caller_is_that_of_a_review(tablet, director):
    """A caller must not be able to ask under the label of a review, which has a game of its own."""
    board = register(tablet).json["id"]
    assert refusal(director.judge("LOVERS", game=f"board\N{NO-BREAK SPACE}{board}")) == (400, "bad-request")
    director.judge("LOVERS", game=f"board {board}")
    review(director, board)
    assert director.left()["games"] == 10


def test_boards_are_kept_for_fourteen_days(tablet, director, service, clock):
    """A board must be gone after fourteen days."""
    board = register(tablet).json["id"]
    service.services.kept_games.sweep(clock.now + 14 * DAY - 1)
    assert director.get(f"/v1/boards/{board}").status_code == 200
    service.services.kept_games.sweep(clock.now + 14 * DAY)
    assert refusal(director.get(f"/v1/boards/{board}")) == (404, "not-found")


def test_kept_records_are_encrypted(tablet, installation):
    """The file of kept games must have neither words, nor names of players, nor labels in the clear."""
    register(tablet, game="a label of the table")
    folder = installation.instance.kept_games.parent
    data = b"".join([file.read_bytes() for file in folder.glob(f"{installation.instance.kept_games.name}*")])
    assert not any(text in data for text in (b"CATTIER", b"...TIER", b"Ann Lee", b"a label of the table"))


def test_a_game_that_the_service_dealt_is_looked_over_when_it_is_over(club, director, service):
    """A sealed game of the club can be looked over by its id once it is over; other games are not found."""
    opened = club.post("/v1/games", {"seats": [{"player": "ann"}, {"player": "ben"}], "rules": "classic"}).json
    game, token = opened["game"], opened["seats"][0]["token"]
    assert refusal(director.get(f"/v1/boards/{game}")) == (409, "game-not-over")
    assert club.post(f"/v1/games/{game}/turns", {"seat": token, "turn": 1, "move": "resign"}).status_code == 200
    # Without a play there is no board.
    assert refusal(review(director, game)) == (404, "not-found")


def test_a_dealt_game_with_plays_is_judged(club, director, installation, service):
    """The plays of a dealt game under challenges count as not checked, and each can get its verdict."""
    opened = club.post("/v1/games", {"seats": [{"player": "ann"}, {"player": "ben"}], "rules": "classic"}).json
    game, tokens = opened["game"], [seat["token"] for seat in opened["seats"]]
    headers = {"Authorization": f"Bearer {club.key}", "Seat-Token": tokens[0]}
    rack = service.http.get(f"/v1/games/{game}", headers=headers).json["rack"]
    move = "".join(rack.replace("?", "e")[:3])
    play = {"seat": tokens[0], "turn": 1, "move": f"8G {move}"}
    assert club.post(f"/v1/games/{game}/turns", play).status_code == 200
    assert club.post(f"/v1/games/{game}/turns", {"seat": tokens[1], "turn": 2, "move": "resign"}).status_code == 200
    shown = director.get(f"/v1/boards/{game}").json
    assert [play["checked"] for play in shown["plays"]] == [False]
    assert shown["words"] == [move.upper()]
    verdict = review(director, game).json["valid"]
    assert review(director, game, "review-plays").json == {
        "plays": [{"move": f"8G {move}", "words": [move.upper()], "valid": verdict}]
    }
