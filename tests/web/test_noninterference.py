"""Tests that two lists which differ in one word get equal replies, but for its verdicts (docs/guard.md Decision 7)."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from random import Random

import pytest
from small_installation import CORE, NOON, WORDS
from twin_callers import TwinCallers

TWIN = "FLUTIST"
"""The word that one list has and the other has not; only `ann` ever asks for it."""

ASKED = (*WORDS, "MISFEED", "PLAYED", "ZAG", "FLUTISTS", "FLUTE", "AT", "QI", "SPENT", "LOVERLY", "GLIMES", "BASHED")
MOVES = ("11K CAT", "11I LOVERS", "11J BOARD", "11J MISFEED", "K9 QUIZ", "1A CAT", "11K AT", "11J LOVERS ")


def requests(seed, count):
    """Return the requests in order: the caller, the kind, the words, and the seconds after the request before."""
    rng = Random(seed)
    for number in range(count):
        who = rng.choice(("ann", "ben", "club/1", "club/2", "club/3"))
        kind = rng.choices(("judge", "plays", "score", "quota", "bad", "repeat"), (10, 6, 1, 2, 1, 1))[0]
        words = rng.sample(ASKED, rng.choice((1, 1, 1, 2, 3, 8)))
        if who == "ann" and number > count // 3 and rng.random() < 0.1:
            words = rng.choice(([TWIN], [TWIN, *words[:7]], [*words[:2], TWIN]))
        game = rng.choice((None, "g", "h", f"g{number // 500}"))
        yield who, kind, words, game, rng.choice(MOVES), rng.choice((0, 1, 20, 90))


@pytest.fixture
def callers(tmp_path):
    """Return a function that makes services over word lists, each with an installation of its own."""
    opened = []

    def callers(*words):
        opened.append(TwinCallers(tmp_path / str(len(opened)), words))
        return opened[-1]

    yield callers
    for each in opened:
        each.close()


@pytest.mark.parametrize("count", [800, pytest.param(10_000, marks=pytest.mark.long)])
def test_replies_differ_only_for_callers_that_ask_for_the_word(callers, caplog, count):
    """Of many mixed requests all replies must be equal, but to the caller that asks for the word, from then on."""
    without, with_it = callers(*WORDS), callers(*WORDS, TWIN)
    told, statuses = set(), defaultdict(int)
    for number, asked in enumerate(requests(1, count)):
        one, other = without.ask(*asked), with_it.ask(*asked)
        who, kind, words = asked[:3]
        statuses[one[0]] += 1
        if who not in told:
            if kind in ("judge", "repeat") and TWIN in words and one[2] != other[2]:
                assert (one[2], other[2]) == (b'{"valid":false}', b'{"valid":true }')
                assert (one[0], one[1], one[3]) == (other[0], other[1], other[3])
                told.add(who)
            else:
                assert one == other, (number, asked)
    assert told == {"ann"}
    assert set(statuses) == {200, 400, 422, 429}
    assert min(statuses.values()) > count // 100
    assert TWIN not in caplog.text


def test_refusals_follow_from_a_callers_own_verdicts(callers):
    """A caller with the same verdicts from lists that agree on nothing else must meet the same refusals and quotas."""
    one, other = callers(*CORE, "LOVERS", "QUIZ"), callers(*CORE, "LOVERS", "QUIZ", TWIN, "FLUTE", "ZAG", "GLIME")
    asked = [("ann", "judge", [word], "g", "", 7) for word in ("LOVERS", "MISFEED", "PLAYED", "QUIZ") * 9]
    asked += [("ann", "quota", [], "g", "", 0), ("ann", "judge", ["LOVERS"], None, "", 0)]
    for word in (TWIN, "FLUTE", "ZAG", "GLIME"):
        assert one.ask("ben", "judge", [word], None, "", 0) != other.ask("ben", "judge", [word], None, "", 0)
    assert [one.ask(*each) for each in asked] == [other.ask(*each) for each in asked]


BOARD = """#player1 Ann
#player2 Bob
#description ordws rules=scrabble-i challenge=double
>Ann: ? 11J CAT +0 0
>Bob: ? 11J ...{ending} +0 0
>Ann: ? {move} +0 0
#note ordws ended forfeit
"""
BOARDS = [
    BOARD.format(ending=ending, move=move)
    for ending in ("TIER", "FISH")
    for move in ("K10 G.ME", "K10 Z.G", "L8 FLU.IST", "L8 LIT.LE")
]
"""Eight boards, on two of which the word lies in which the lists differ."""

ID = re.compile(rb"\b[0-9a-f]{32}\b")


def review_requests(seed, count):
    """Return requests of a director about the boards in order: the board, what is asked, and the seconds before it."""
    rng = Random(seed)
    kinds = ("show", "review", "review-plays", "list", "quota", "keep")
    for _ in range(count):
        yield rng.randrange(len(BOARDS)), rng.choice(kinds), rng.choice((0, 20, 200))


class TwinDirector:
    """A director with a device over one of the lists, and the table that keeps the games."""

    def __init__(self, caller):
        self.caller, self.boards = caller, {}
        devices = caller.service.services.devices
        # What a device of a verified club asks is no sign of mining, so that no verdict brings it to an alarm.
        caller.service.services.register.verify("club", NOON)
        (club,) = [each for each in caller.service.services.register.list() if each.name == "club"]
        self.cookies = [
            devices.pair(devices.issue_code(club, "t", NOON, director=is_director).text, NOON).token
            for is_director in (False, True)
        ]

    def ask(self, board, kind, seconds):
        """Send a request and return all that its sender can see of the reply."""
        self.caller.clock.now += seconds
        if kind == "keep" or board not in self.boards:
            body = json.dumps({"game": f"g{board}", "record": BOARDS[board], "checked": [1]}).encode()
            reply = self.send("POST", "/v1/boards", body, cookie=0)
            self.boards[board] = json.loads(reply[2]).get("id", "none")
            return self.without_ids(reply)
        path = f"/v1/boards/{self.boards[board]}"
        match kind:
            case "show":
                return self.without_ids(self.send("GET", path))
            case "list":
                return self.without_ids(self.send("GET", "/v1/boards"))
            case "quota":
                return self.send("GET", "/v1/quota")
            case _:
                return self.send("POST", f"{path}/{kind}", b"{}")

    def send(self, method, path, body=b"", cookie=1):
        return self.caller.call(method, path, {"HTTP_COOKIE": f"ordws_device={self.cookies[cookie]}"}, body)

    @staticmethod
    def without_ids(reply):
        """Return the reply without the ids of boards, which are random; lists of them have an order of their own."""
        status, headers, body = reply
        return status, headers, sorted(ID.sub(b"", body).split(b"{"))


def test_reviews_differ_only_in_verdicts_on_boards_with_the_word(callers):
    """Of 150 requests of directors all replies must be equal, but for verdicts on boards on which the word lies."""
    one, other = (TwinDirector(each) for each in (callers(*WORDS), callers(*WORDS, TWIN)))
    told, statuses = set(), defaultdict(int)
    for board, kind, seconds in review_requests(1, 150):
        replies = one.ask(board, kind, seconds), other.ask(board, kind, seconds)
        statuses[replies[0][0]] += 1
        if replies[0] != replies[1]:
            assert kind.startswith("review")
            assert TWIN in BOARDS[board].replace("L8 FLU.IST", TWIN)
            # Verdicts are padded, so that only the letters of one yes or no differ.
            assert len(replies[0][2]) == len(replies[1][2])
            assert replies[0][2].replace(b"false", b"true ") == replies[1][2].replace(b"false", b"true ")
            told.add((board, kind))
    assert {kind for _, kind in told} == {"review", "review-plays"}
    assert min(statuses[200], statuses[201], statuses[429]) > 3
