"""Editions that differ in Dover's forms, in labels or in one base answer alike, but for verdicts on these words."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from small_installation import CORE, WORDS
from twin_callers import TwinCallers

from ordws.lexicon.sealed_edition import SealedLists

BASE, FORM, LABELLED = "KEMPT", "UNKEMPT", "GLIME"
"""A base that only `ann` asks for, the form of it that only she asks, and a labelled word that only `ben` asks for."""

REFERENCE = (*CORE, BASE, FORM, "KEMPTLY", "CATLIKE", "WORDLESS")
ASKED = (*(word for word in WORDS if word != LABELLED), "MISFEED", "KEMPTLY", "CATLIKE", "WORDLESS", "ZIG", "AT", "QI")
RULES = (
    {},
    {"rules": "classic"},
    {"rules": "dover"},
    {"rules": "dover", "options": {"offensive": "allowed"}},
    {"rules": "scrabble-o", "options": {"offensive": "disallowed"}},
    {"rules": "dover", "options": {"allow": "ZIG,MISFEED", "strike": "CAT", "twos": "QI,AT"}},
)
REQUESTS = 40 * settings.default.max_examples


def requests(seed, own):
    """Return requests: the caller, the kind, the words, a game, the seconds before, and the rule set of each."""
    rng = Random(seed)
    for number in range(REQUESTS):
        who = rng.choice(("ann", "ben", "club/1", "club/2"))
        kind = rng.choices(("judge", "quota", "bad", "repeat"), (15, 3, 1, 2))[0]
        words = rng.sample(ASKED, rng.choice((1, 1, 1, 2, 3)))
        if number > REQUESTS // 3 and rng.random() < 0.2:
            words = [*rng.choice(own.get(who, [()])), *words[:1]] if rng.random() < 0.5 else [*own.get(who, [words])[0]]
        game = rng.choice((None, "g", f"g{number // 200}"))
        yield (who, kind, words, game, "", rng.choice((0, 1, 60, 600))), rng.choice(RULES)


@pytest.fixture
def callers(tmp_path):
    """Return a function that makes services over lists, each with an installation of its own."""
    opened = []

    def callers(words, **lists):
        opened.append(TwinCallers(tmp_path / str(len(opened)), words, reference=REFERENCE, **lists))
        return opened[-1]

    yield callers
    for each in opened:
        each.close()


def differing(one, other, own):
    """Ask both services alike; return the questions with other verdicts, after which a caller is compared no more."""
    found = {}
    for asked, rules in requests(2, own):
        fields = {} if asked[1] == "quota" else rules
        replies = one.ask(*asked, **fields), other.ask(*asked, **fields)
        who, kind, words = asked[:3]
        if who in found or replies[0] == replies[1]:
            continue
        assert {replies[0][2], replies[1][2]} == {b'{"valid":false}', b'{"valid":true }'}, (asked, rules)
        assert (replies[0][0], replies[0][1], replies[0][3]) == (replies[1][0], replies[1][1], replies[1][3])
        found[who] = kind, words, rules
    return found


def test_lists_that_differ_in_a_base_answer_alike_but_for_it_and_its_form(callers):
    """A base of one list only shows to the caller that asks for it, or for its form under Dover."""
    with_base = callers((*WORDS, BASE), lists=SealedLists(dover_forms=frozenset({FORM})), charged=())
    without = callers(WORDS, charged=())
    found = differing(with_base, without, {"ann": [(FORM,), (BASE,)]})
    assert found.keys() == {"ann"}
    _, words, rules = found["ann"]
    assert BASE in words or (FORM in words and rules.get("rules") == "dover")


def test_editions_that_differ_in_the_new_sets_answer_alike_but_for_verdicts_on_them(callers):
    """Dover's forms and labels show in verdicts alone, of rule sets that ask for them."""
    rich = callers(WORDS, lists=SealedLists(dover_forms=frozenset({FORM}), labelled=frozenset({LABELLED})))
    plain = callers(WORDS)
    found = differing(rich, plain, {"ann": [(FORM,)], "ben": [(LABELLED,)]})
    assert found.keys() == {"ann", "ben"}
    assert FORM in found["ann"][1]
    assert found["ann"][2]["rules"] == "dover"
    assert LABELLED in found["ben"][1]
    assert found["ben"][2] in (RULES[2], RULES[4], RULES[5])


def test_regular_rule_sets_know_nothing_of_the_new_sets(callers):
    """Under rule sets that ask neither set every byte is equal, whatever is asked."""
    rich = callers(WORDS, lists=SealedLists(dover_forms=frozenset({FORM}), labelled=frozenset(WORDS)))
    plain = callers(WORDS)
    for asked, _ in requests(3, {"ann": [(FORM,)], "ben": [(LABELLED,)]}):
        assert rich.ask(*asked) == plain.ask(*asked)
