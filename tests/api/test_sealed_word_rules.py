"""Sealed games by the word rule of their rule set, with a club's own words and an installation's own players' list."""

from __future__ import annotations

import pytest
from each_row import each_row
from sealed_game import ACCEPTED_WORDS, CORE_WORDS, REFERENCE_WORDS, budget_left, game_opener, install_edition
from small_installation import FakeClock, InProcessService

from ordws.lexicon.sealed_edition import SealedLists

LISTS = SealedLists(
    dover_forms=frozenset({"HAET"}),
    dover_retired=frozenset({"THAE"}),
    labelled=frozenset({"HEAT"}),
    own_reference=frozenset({"TEAH"}),
    own_name="OSPD 7",
)
DOVER_RACKS, RACKS = ("AEHLTVZZ", "CEILOQUU"), ("AEHLTVZ", "CEILOQU")


@pytest.fixture
def service(installation):
    install_edition(
        installation, ACCEPTED_WORDS, number=2, core=CORE_WORDS, reference=REFERENCE_WORDS, sealed_lists=LISTS
    )
    service = InProcessService(installation.services(), installation.key, FakeClock())
    yield service
    service.services.register.close()


@pytest.fixture
def play(service):
    return game_opener(service)


def outcome(game, move, **fields):
    return game.take(0, move, **fields)["happened"]["outcome"]


@each_row(
    ("rules", "options", "move", "expected"),
    [
        ("dover", {}, "11H HAET", "stands"),
        ("dover", {}, "11H HEAT", "rejected"),
        ("dover", {"offensive": "allowed"}, "11H HEAT", "stands"),
        ("dover", {}, "11H TEAH", "rejected"),
        ("dover", {"allow": "TEAH"}, "11H TEAH", "stands"),
        ("dover", {"allow": "HEAT"}, "11H HEAT", "stands"),
        ("dover", {"strike": ["HAET"]}, "11H HAET", "rejected"),
        ("scrabble-o", {}, "8E HAET", "rejected"),
        ("scrabble-o", {}, "8E HEAT", "stands"),
        ("scrabble-o", {"offensive": "disallowed"}, "8E HEAT", "rejected"),
        ("scrabble-o", {"strike": "HEAT"}, "8E HEAT", "rejected"),
    ],
)
def test_a_play_is_judged_by_the_word_rule_of_its_game(play, rules, options, move, expected):
    """Dover's forms, labels, and a club's own words decide plays of sealed games (docs/rules.md 6.3, 6.9, 6.10)."""
    game = play(rules, *(DOVER_RACKS if rules == "dover" else RACKS), options=options)
    assert outcome(game, move) == expected


def test_words_of_a_club_cost_nothing(play, service):
    """A play of words that the club allows or strikes counts as a play, and costs no unit and no core word."""
    game = play("scrabble-o", *RACKS, options={"allow": "TEAH", "strike": "HEAT"})
    before = budget_left(service, game)
    assert outcome(game, "8E HEAT") == "rejected"
    after = budget_left(service, game)
    assert after == before | {"plays": before["plays"] - 1}


@pytest.mark.parametrize(
    ("options", "move", "expected"),
    [
        ({}, "11H TEAH", "found"),
        ({}, "11H THAE", "found"),
        ({}, "11H HETA", "not-found"),
        ({"strike": "TEAH"}, "11H TEAH", "not-found"),
    ],
)
def test_a_check_of_the_ospd_asks_the_own_list(play, service, options, move, expected):
    """The installation's own list answers a check, and what was a form of Dover's is found; struck words never are.

    It costs what a check outside a game costs.
    """
    game = play("dover", *DOVER_RACKS, options=options)
    assert outcome(game, move) == "rejected"
    before = service.quota()["reference"]
    assert outcome(game, "check-ospd", word=move[4:]) == expected
    assert service.quota()["reference"] == before - 1


def test_a_base_of_a_form_is_charged_to_the_day_and_not_to_the_game(installation, service, play):
    """A form under Dover costs a unit of the game, and a base outside the core list one more of the day."""
    words = ("HEATED", "HEAT")
    install_edition(installation, ("HEAT",), number=3, core=("CAT",), reference=words)
    service.services.editions.refresh()
    left = service.quota()
    assert service.judge("HEATED", rules="dover", game="g").data == b'{"valid":false}'
    after = service.quota("?game=g")
    assert (after["units"], after["game"]) == (left["units"] - 2, 27)
    assert service.judge("HEAT", rules="dover", game="g").data == b'{"valid":true }'
    assert service.quota("?game=g") == after | {"plays": after["plays"] - 1}
    service.judge("HEAT", game="g")
    assert service.quota()["units"] == after["units"] - 1


def test_words_and_plays_take_the_options_of_a_rule_set(service):
    """`/v1/judge` and `/v1/plays` judge under the options that they are sent."""
    assert service.judge("HAET", rules="dover").data == b'{"valid":true }'
    assert service.judge("HAET", rules="dover", options={"strike": "HAET"}).data == b'{"valid":false}'
    assert service.judge("ZIG", rules="dover", options={"allow": ["ZIG", "ZAG"]}).data == b'{"valid":true }'
    assert service.judge("QI", rules="classic", options={"twos": "ZA"}).data == b'{"valid":false}'
    assert service.judge("CAT", options={"allow": "CAT", "strike": "CAT"}).json["code"] == "unknown-option"
    assert service.judge("CAT", options={"allow": "C4T"}).json["code"] == "unknown-option"
    empty = "/".join(["21"] * 21)
    body = {"position": empty, "move": "11J ZIG", "rules": "dover"}
    assert service.post(body, None, "/v1/plays").json["code"] == "disallowed-word"
    assert service.post({**body, "options": {"allow": "ZIG"}}, None, "/v1/plays").json["valid"] is True
