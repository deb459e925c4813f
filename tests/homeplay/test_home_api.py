"""`POST /v1/home`, and the documents by which the pages rule without a connection."""

from __future__ import annotations

import json
import tomllib
from importlib import resources

import pytest
from each_row import each_row

from ordws.api.public import affixes_document, sentences_document


@pytest.fixture
def ask(service):
    """Ask without a key; the installation's reference has BOARD CAT GAME LETTER PLAY TABLE TILE WORD."""

    def ask(**body):
        return service.http.post("/v1/home", json=body)

    return ask


def test_the_answer_names_the_bases_to_look_up(ask):
    """Before anything was looked up, the answer names the bases to look up, the likeliest first."""
    reply = ask(word="letter")
    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.json["because"] == "Is LET in your dictionary?"
    assert (reply.json["acceptable"], reply.json["about"], reply.json["ask"][0]) == (None, "dictionary", "LET")


def test_a_word_that_both_books_decide(ask):
    """A base in the dictionary and a form in the reference make a ruling with its reason."""
    reply = ask(word="letter", base_in_dictionary="let").json
    assert (reply["acceptable"], reply["base"], reply["steps"]) == (True, "LET", ["LET", "LETTER"])
    assert (
        reply["because"] == "LET is in your dictionary, and the open players' list has LETTER, which is LET with -ER."
    )
    assert reply["reference"] == "the open players' list"
    assert (reply["ask"], reply["about"], reply["follows"]) == ([], None, None)


def test_a_word_not_in_the_reference_is_refused(ask):
    """BASHINGS, which the edition has and the reference lacks, is refused: the edition is not asked."""
    reply = ask(word="BASHINGS", base_in_dictionary="BASH").json
    assert (reply["acceptable"], reply["rule"], reply["follows"]) == (False, "base-not-in-reference", "turn-lost")
    assert ask(word="BASHINGS").json["ask"] == ["BASHINGS"]
    assert ask(word="BASHINGS", word_in_dictionary=True).json["acceptable"] is True
    assert ask(word="BASHINGS", word_in_dictionary=False).json["rule"] == "in-neither"


def test_a_word_not_in_the_dictionary_is_not_requested_again(ask):
    """A word that is known not to be in the dictionary is not asked for again."""
    first = ask(word="tiler").json["ask"]
    assert first == ["TILER"]
    rest = ask(word="letter", not_in_dictionary=["LET"]).json["ask"]
    assert "LET" not in rest
    ruling = ask(word="letter", not_in_dictionary=["LET", *rest, "LETTER"]).json
    assert (ruling["acceptable"], ruling["rule"]) == (False, "no-base")


def test_rules_and_edition(ask):
    """The rule set and the edition of the dictionary decide."""
    assert ask(word="qi").json["acceptable"] is False
    assert ask(word="qi", rules="classic").json["acceptable"] is True
    assert ask(word="dex", rules="dover", word_in_dictionary=True).json["follows"] == "another-play"
    plural = {"word": "tiles", "rules": "dover", "base_in_dictionary": "tile", "labelled_offensive": False}
    assert ask(**plural, edition="electronic").json["ask"] == ["TILE"]
    assert ask(**plural, edition="electronic", base_has_main_entry=True).json["rule"] == "dover-6-neither"
    assert ask(**plural).json["rule"] == "dover-6-neither"
    assert ask(word="game", by_exclusion=True).json["rule"] == "exclusion-fair"


def test_labels(ask):
    """Under Dover the answer asks whether the dictionary labels the word or its base, and takes the answer."""
    asked = ask(word="letter", rules="dover", base_in_dictionary="let").json
    assert (asked["acceptable"], asked["about"], asked["ask"]) == (None, "label", ["LET"])
    assert asked["because"] == "Does your dictionary label LET offensive or vulgar in every sense?"
    body = {"word": "letter", "rules": "dover", "base_in_dictionary": "let"}
    assert ask(**body, labelled_offensive=True).json["rule"] == "dover-2-label-base"
    assert ask(**body, labelled_offensive=False).json["acceptable"] is True
    own = {"word": "hag", "word_in_dictionary": True}
    assert ask(**own, rules="dover").json["about"] == "label"
    assert ask(**own, rules="dover", labelled_offensive=True).json["rule"] == "dover-2-label"
    assert ask(**own).json["acceptable"] is True
    assert ask(**own, options={"offensive": "disallowed"}).json["about"] == "label"


def test_a_comparative_is_no_agent(ask):
    """LINTIER from LINTY is a comparative: where LINTY has a main entry as an adjective, the OSPD is not asked."""
    body = {"word": "lintier", "rules": "dover", "base_in_dictionary": "linty", "labelled_offensive": False}
    # The reference has no LINTIEST, by which the service would know the adjective.
    assert ask(**body).json["rule"] == "dover-5-missing"
    body |= {"word": "lintiest"}
    assert ask(**body).json["about"] == "main-entry"
    refused = ask(**body, base_has_main_entry=True).json
    assert (refused["acceptable"], refused["rule"]) == (False, "dover-5-main-adjective")
    assert "the open players' list is not asked" in refused["because"]


def test_words_of_a_club(ask):
    """The options of a game decide here as they do in the game."""
    assert ask(word="zig", rules="dover", options={"allow": ["ZIG"]}).json["rule"] == "own-list-good"
    assert ask(word="board", options={"strike": ["BOARD"]}).json["rule"] == "own-list-out"


@each_row(
    ("body", "code"),
    [
        ({"word": "c4t"}, "bad-word"),
        ({"word": "cats", "base_in_dictionary": "c4t"}, "bad-word"),
        ({"word": "cat", "rules": "chess"}, "unknown-rules"),
        ({"word": "cat", "options": {"allow": "Z1G"}}, "unknown-option"),
        ({"word": "cat", "edition": "parchment"}, "bad-request"),
        ({}, "bad-request"),
    ],
)
def test_a_bad_request_is_refused(ask, body, code):
    """A bad request is refused with a published problem code."""
    assert ask(**body).json["code"] == code


@pytest.mark.parametrize(("document", "file"), [(affixes_document, "affixes"), (sentences_document, "sentences")])
def test_the_pages_have_the_same_tables(document, file):
    """The documents for the pages hold what the tables hold, and are made once."""
    table = resources.files("ordws.homeplay").joinpath(f"{file}.toml").read_text("utf-8")
    assert json.loads(document()) == tomllib.loads(table)
    assert document() is document()
