"""Tests of `POST /v1/ospd`, which reads the players' reference and no words (docs/guard.md Decision 13, A-13)."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from each_row import each_row
from paired_devices import make_director
from sealed_game import install_edition
from small_installation import NOON, WORDS, FakeClock, FixedEdition, InProcessService, build_installation

from ordws.api.players_reference import find_in_reference
from ordws.guard.charge import Identity
from ordws.lexicon.edition import WordSet

NUMBERS = count(1)
CORE = ("CAT", "TILE")
REFERENCE = ("CAT", "TILE", "THAE", "HAET", "AA", "UTS")
"""The players' reference. LOVERS and QUIZ are in the word set alone; UTS is granted by Dover; LEVOR was once in."""


@pytest.fixture(scope="module")
def installation(shared_installation):
    install_edition(shared_installation, WORDS, number=2, core=CORE, reference=REFERENCE, retired=["LEVOR"])
    return shared_installation


@pytest.fixture(scope="module")
def running(installation):
    return InProcessService(installation.services(), installation.key, FakeClock())


@pytest.fixture
def served(running, installation):
    """The service that all tests of this module use, each with a key of its own."""
    running.key = installation.register.add(f"home {next(NUMBERS)}", "home", 0)
    return running


def check(service, *words, key=None, **fields):
    return service.post({"words": [*words], **fields}, key, "/v1/ospd")


def refusal(reply):
    return reply.status_code, reply.json["code"]


@each_row(
    ("words", "found"),
    [
        (("HAET",), True),
        (("haet", "Thaé", "CAT"), True),
        (("LOVERS",), False),
        (("LEVOR",), False),
        (("HAET", "LOVERS"), False),
        (("LOVERS", "HAET"), False),
        (("AA",), True),
        (("AB",), False),
    ],
)
def test_the_reference_alone_decides(served, words, found):
    """Every word must be in the reference; acceptable, retired and listed two-letter words need not be."""
    assert check(served, *words).data == (b'{"found":true }' if found else b'{"found":false}')


@each_row(
    ("words", "fields", "told"),
    [
        (("TEAH",), {"rules": "scrabble-i", "score": 44}, b'{"found":false,"deduct":44}'),
        (("HAET",), {"rules": "scrabble-i", "score": 44}, b'{"found":true ,"deduct":0 }'),
        (("HAET", "TEAH"), {"rules": "scrabble-o", "score": 7}, b'{"found":false,"deduct":7}'),
        (("HAET", "THAE"), {"rules": "scrabble-i-classic", "score": 7}, b'{"found":true ,"deduct":0}'),
        (("TEAH",), {"score": 120}, b'{"found":false,"deduct":120}'),
        (("HAET",), {"score": 120}, b'{"found":true ,"deduct":0  }'),
        (("TEAH",), {"rules": "scrabble-o", "score": 0}, b'{"found":false,"deduct":0}'),
        (("TEAH",), {"rules": "dover"}, b'{"found":false,"deduct":7}'),
        (("HAET",), {"rules": "dover"}, b'{"found":true ,"deduct":0}'),
        (("TEAh",), {"rules": "dover"}, b'{"found":false,"deduct":3}'),
        (("teah",), {"rules": "dover", "score": 44}, b'{"found":false,"deduct":0}'),
        (("QUIZZES",), {"rules": "dover"}, b'{"found":false,"deduct":34}'),
        (("ZÉBU",), {"rules": "dover"}, b'{"found":false,"deduct":15}'),
    ],
)
def test_the_reply_gives_the_deduction_of_a_check(served, words, fields, told):
    """The official form deducts the would-be score, Dover's the word's face value (docs/rules.md 6.4, 6.5).

    The replies to one request for yes and no must have the same length.
    """
    assert check(served, *words, **fields).data == told


@each_row(
    ("words", "fields", "expected"),
    [
        (("HAET",), {"rules": "classic"}, (422, "check-not-allowed")),
        (("HAET",), {"rules": "classic", "score": 5}, (422, "check-not-allowed")),
        (("HAET",), {"rules": "scrabble-x"}, (422, "unknown-rules")),
        (("HAET",), {"rules": "scrabble-i"}, (400, "bad-request")),
        (("HAET", "THAE"), {"rules": "dover"}, (400, "bad-request")),
        (("HAET",), {"score": -1}, (400, "bad-request")),
        (("HAET",), {"score": 1.5}, (400, "bad-request")),
        (("HAET",), {"game": "g"}, (400, "bad-request")),
        (("HAET",), {"player": "\n"}, (400, "bad-request")),
        ((), {}, (400, "bad-request")),
        (("HAET",) * 9, {}, (400, "bad-request")),
        (("H4ET",), {}, (400, "bad-word")),
        (("HAET", "H4ET"), {"rules": "classic"}, (400, "bad-word")),
    ],
)
def test_an_invalid_check_is_refused_without_charge(served, words, fields, expected):
    """Each fault of a check has its code, and rule sets without a check refuse it."""
    assert refusal(check(served, *words, **fields)) == expected
    assert served.quota()["core"] == 540


def test_each_checked_word_counts_as_a_core_word(served):
    """Each new checked word must count as a core word, for yes and no alike; words of two letters are free."""
    check(served, "HAET", "LOVERS", "AA")
    check(served, "HAET")
    assert served.quota() == {"core": 538, "units": 356, "outside": 20, "games": 12}


def use_up(served, count):
    """Check so many words that are in no list."""
    words = [f"{chr(65 + n // 26)}{chr(65 + n % 26)}QJX" for n in range(count)]
    for first in range(0, count, 8):
        assert check(served, *words[first : first + 8]).status_code == 200


def test_a_check_beyond_the_budget_gets_429(served):
    """After 540 words a day a check must get 429, for yes and no alike; the judge goes on."""
    use_up(served, 540)
    replies = [check(served, word) for word in ("HAET", "LOVERS")]
    assert [(refusal(reply), reply.json["budget"]) for reply in replies] == [((429, "budget-spent"), "core")] * 2
    assert len(replies[0].data) == len(replies[1].data)
    assert served.judge("LOVERS").status_code == 200


def test_an_operator_names_a_player(served, installation):
    """An operator's check needs a player, and a device is one."""
    club = make_director(served, installation)
    assert refusal(check(served, "HAET", key=club.key)) == (422, "player-required")
    assert check(served, "HAET", key=club.key, player="ann").json == {"found": True}
    assert club.pairs("Table 3").post("/v1/ospd", {"words": ["HAET"], "rules": "scrabble-i", "score": 9}).json == {
        "found": True,
        "deduct": 0,
    }


@each_row("words", [("ZZZ", "HAET"), ("HAET", "ZZZ"), ("ZZZ", "ZZX")])
def test_all_words_are_looked_up_in_the_reference_alone(served, words):
    """All words must be looked up in the reference, and none in the words or the retired words (docs/guard.md A-13)."""

    class Watched:
        def __init__(self):
            self.asked = []

        def __contains__(self, word):
            self.asked.append(word)
            return word == b"HAET"

    found, never = Watched(), Watched()
    edition = served.services.editions.current
    edition = replace(edition, reference=WordSet(found), words=WordSet(never), retired=WordSet(never))
    services = replace(served.services, editions=FixedEdition(edition))
    assert find_in_reference(services, Identity("1", 0), words, NOON) is False
    assert (found.asked, never.asked) == ([word.encode() for word in words], [])


def test_a_test_key_checks_the_toy_reference(served, installation):
    """A test key must check the toy reference, and the two words that stand for failures must work."""
    key = installation.register.add("try", "home", 0, test=True)
    told = {word: check(served, word, key=key).data for word in ("QUOIT", "CAT", "ZAX", "HAET")}
    assert told == {
        "QUOIT": b'{"found":true }',
        "CAT": b'{"found":true }',
        "ZAX": b'{"found":true }',
        "HAET": b'{"found":false}',
    }
    assert refusal(check(served, "SPENT", key=key)) == (429, "budget-spent")
    assert refusal(check(served, "DOWN", key=key)) == (503, "store-down")


TWIN = "FLUTIST"
"""The word that one edition has and the other has not."""

ASKED = (*WORDS, *REFERENCE, TWIN, "FLUTISTS", "MISFEED", "ZAG", "QI", "LEVOR", "C4T")


def replies_to_checks(seed, number):
    """Return the replies to checks of every kind, and to some quotas between them."""
    rng = Random(seed)
    for _ in range(number):
        words = rng.sample(ASKED, rng.choice((1, 1, 2, 8, 8)))
        body = {"words": [TWIN, *words[1:]] if rng.random() < 0.3 else words}
        body |= rng.choice(({}, {"rules": "dover"}, {"rules": "scrabble-i", "score": 44}, {"rules": "classic"}))
        yield rng.choice(("/v1/ospd", "/v1/ospd", "/v1/ospd", "/v1/quota")), body


def test_checks_reply_alike_under_editions_that_differ(tmp_path):
    """Every byte, header and log line must be equal, even for checks of the word that differs."""
    told = []
    for name, words in (("without", WORDS), ("with", (*WORDS, TWIN))):
        with build_installation(tmp_path / name) as installation:
            install_edition(installation, words, number=2, core=CORE, reference=REFERENCE, retired=["LEVOR"])
            service = InProcessService(installation.services(), installation.key, FakeClock())
            headers = {"Authorization": f"Bearer {installation.key}"}
            seen = []
            use_up(service, 536)
            for path, body in replies_to_checks(7, 1_200):
                is_get = path == "/v1/quota"
                reply = service.http.get(path, headers=headers) if is_get else service.post(body, path=path)
                line = service.lines[-1]._replace(milliseconds=0)
                seen.append((reply.status_code, sorted(reply.headers), reply.data, line))
            told.append(seen)
    assert told[0] == told[1]
    assert {status for status, *_ in told[0]} == {200, 400, 422, 429}
    answers = {json.loads(body).get("found") for status, _, body, _ in told[0] if status == 200}
    assert answers == {True, False, None}
