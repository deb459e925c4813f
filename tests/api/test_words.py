"""Tests that a question is charged first, then looked up whole, and gets one verdict."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace

import pytest
from each_row import each_row
from small_installation import read_rows

from ordws.api.plays import JudgePlay, answer_play
from ordws.api.problems import Problem
from ordws.api.services import Housekeeping
from ordws.api.verdicts import are_acceptable
from ordws.api.words import (
    JudgeWords,
    WhoseQuota,
    answer_question,
    answer_quota,
    charge_and_judge,
    fold_all,
    identity_of,
    published_lists,
)
from ordws.errors import StoreDown
from ordws.guard.charge import Identity, Question, Refused
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.identity.register import SCOPES, RegisteredClient
from ordws.rules.ruleset import RULE_SETS

NOON = 1_795_262_400
LONG_AGO = NOON - 40 * 86_400
HOME = RegisteredClient(1, "home", "home", LONG_AGO, None, None, None, frozenset(SCOPES), False)
CLUB = RegisteredClient(2, "club", "operator", LONG_AGO, None, None, None, frozenset(SCOPES), False)
WHO = Identity("1", LONG_AGO)
RULES = RULE_SETS["scrabble-i"]


def units_left(services, who=WHO):
    return services.gate.quota(who, None, NOON)[1].left


def outcome_of_question(services, *words):
    """Return the outcome of a question of folded words, outside a game."""
    edition = services.editions.current
    return charge_and_judge(services, WHO, Question(words, edition.number), edition, RULES, NOON)


class Watched:
    """A word set that remembers the words looked up in it."""

    def __init__(self, *words):
        self.words, self.asked = set(words), []

    def __contains__(self, word):
        self.asked.append(word)
        return word in self.words


class OneEdition:
    """Editions whose current edition never changes."""

    def __init__(self, edition):
        self.current, self.refusal = edition, None

    def refresh(self):
        pass


@pytest.fixture
def services(installation):
    services = installation.services()
    yield services
    services.register.close()


@pytest.fixture
def watched(services):
    """Give the services a watched word set of BOARD and QUIZ, and return that set."""
    words = Watched("BOARD", "QUIZ")
    editions = OneEdition(replace(services.editions.current, words=words))
    return words, replace(services, editions=editions, housekeeping=Housekeeping(editions, services.gate))


@each_row(
    ("words", "rules", "verdict"),
    [
        (("LOVERS",), "scrabble-i", True),
        (("LOVERS", "CAT", "AB"), "scrabble-i", True),
        (("LOVERS", "MISFEED"), "scrabble-i", False),
        (("QI",), "scrabble-i", False),
        (("QI",), "classic", True),
        (("SI",), "dover", False),
        (("UTS",), "dover", True),
        (("UTS",), "classic", False),
        (("ZAG",), "dover", False),
    ],
)
def test_a_verdict_is_of_all_words_together(services, words, rules, verdict):
    """The verdict is yes only if every word is acceptable under the rule set."""
    assert are_acceptable(services.editions.current, RULE_SETS[rules], words) is verdict


@pytest.mark.parametrize(
    "words", [("ZZZ", "QUIZ", "AB"), ("QUIZ", "ZZZ", "AB"), ("AB", "ZZZ", "ZZZ"), ("QI", "QUIZ", "BOARD")]
)
def test_all_words_are_looked_up(watched, words):
    """Each word of three letters or more must be looked up once, however early one is unacceptable (A-11)."""
    found, services = watched
    assert outcome_of_question(services, *words) is False
    assert tuple(found.asked) == tuple([word for word in words if len(word) > 2])


def test_a_refused_question_is_not_looked_up(watched):
    """A question that a budget does not allow must not be looked up."""
    found, services = watched
    for n in range(20):
        outcome_of_question(services, f"{chr(65 + n)}QQ")
    found.asked.clear()
    assert isinstance(outcome_of_question(services, "QUIZ"), Refused)
    assert found.asked == []


def test_without_its_store_nothing_is_looked_up(watched, installation):
    """When the meters do not answer, no word may be looked up (docs/guard.md Decision 9)."""
    found, services = watched
    shutil.rmtree(installation.instance.meters)
    with pytest.raises(StoreDown):
        outcome_of_question(services, "QUIZ")
    assert found.asked == []


def test_yes_and_no_cost_the_same(services):
    """An acceptable word and an unacceptable word cost a unit each."""
    left = []
    for word in ("QUIZ", "MISFEED"):
        answer_question(services, HOME, JudgeWords(words=[word]), NOON)
        left.append(units_left(services))
    assert left == [355, 354]


def test_two_spellings_are_one_word(services):
    """Words are folded before they are priced, or one word could be charged twice, or answered twice for one charge."""
    answer_question(services, HOME, JudgeWords(words=["quiz", "Quíz", "QUIZ"]), NOON)
    answer_question(services, HOME, JudgeWords(words=["qUiZ"]), NOON)
    assert units_left(services) == 355


@each_row("text", ["", "Q", "Q" * 22, "QUIZ ", "CAN'T", "QU1Z", "qu\u200diz", "日本", "QUIZ\n", "A" * 10_000])
def test_the_refusal_of_an_invalid_word_does_not_repeat_it(text):
    """The problem of a text that is no word names its place and does not repeat it (docs/guard.md A-14)."""
    with pytest.raises(Problem) as raised:
        fold_all(["QUIZ", "CAT", text])
    assert raised.value.code == "bad-word"
    assert raised.value.detail.startswith('"words", item 3: got a')
    assert raised.value.detail.endswith(", expected a word of 2 to 21 letters, A to Z, with or without accents")
    assert len(text) < 2 or text not in raised.value.detail


def test_an_invalid_word_costs_nothing(services):
    """A question with a text that is no word must not be charged."""
    with pytest.raises(Problem):
        answer_question(services, HOME, JudgeWords(words=["QUIZ", "?"]), NOON)
    assert units_left(services) == 356


def test_unknown_rules_are_refused_with_the_list_of_existing_ones():
    """An unknown rule set must be refused with the list of those that exist."""
    with pytest.raises(Problem) as raised:
        published_lists("scrabble-x")
    assert (raised.value.code, raised.value.detail) == (
        "unknown-rules",
        '"rules": got a string of 10 characters, expected "classic", "scrabble-i-classic", "scrabble-o",'
        ' "scrabble-i" or "dover"',
    )


def test_an_operator_must_name_a_player(services):
    """The budgets of an operator's players are separate, and a question without a player is refused."""
    with pytest.raises(Problem) as raised:
        answer_question(services, CLUB, JudgeWords(words=["QUIZ"]), NOON)
    assert raised.value.code == "player-required"
    answer_question(services, CLUB, JudgeWords(words=["QUIZ"], player="ann"), NOON)
    assert units_left(services, Identity("2", LONG_AGO, "ann")) == 75
    assert units_left(services, Identity("2", LONG_AGO, "bob")) == 76


def test_the_identity_has_verification_total_and_age():
    """The identity holds whether the client is verified, an operator's own total, and the age of the client."""
    club = CLUB._replace(verified=NOON, units=50)
    assert identity_of(club, "ann") == Identity("2", LONG_AGO, "ann", is_verified=True, units=50)
    assert identity_of(HOME._replace(verified=NOON), None) == Identity("1", LONG_AGO, is_verified=True)
    assert identity_of(HOME, None) == WHO


def test_a_home_keys_player_changes_nothing(services):
    """A home key's player must be ignored, or one key would have as many budgets as names."""
    assert identity_of(HOME, "ann") == identity_of(HOME, "bob") == identity_of(HOME, None)


def test_a_refusal_names_the_spent_budget_and_the_wait(services):
    """The refusal must name the budget, in units, and the time to wait."""
    for n in range(20):
        answer_question(services, HOME, JudgeWords(words=[f"{chr(65 + n)}QQ"]), NOON)
    with pytest.raises(Problem) as raised:
        answer_question(services, HOME, JudgeWords(words=["ZZZ"]), NOON)
    assert raised.value.code == "budget-spent"
    assert raised.value.detail == '"outside" (units a day outside a game) does not hold this question; see /v1/quota'
    assert (raised.value.budget, raised.value.retry_after) == ("outside", 43_200)


def test_the_quota_is_the_callers_own(services):
    """The quota shows the caller's budgets and the times when they are full again."""
    answer_question(services, HOME, JudgeWords(words=["QUIZ", "CAT"], game="g"), NOON)
    reply = answer_quota(services, HOME, WhoseQuota(game="g"), NOON)
    assert reply.body == (
        b'{"budgets":[{"budget":"core","limit":540,"left":539,"resets":"2026-11-22T00:00:00Z"},'
        b'{"budget":"units","limit":356,"left":355,"resets":"2026-11-22T00:00:00Z"},'
        b'{"budget":"outside","limit":20,"left":20,"resets":"2026-11-22T00:00:00Z"},'
        b'{"budget":"games","limit":12,"left":11,"resets":"2026-11-22T00:00:00Z"},'
        b'{"budget":"game","limit":28,"left":27,"resets":"2026-11-23T00:00:00Z"},'
        b'{"budget":"plays","limit":60,"left":59,"resets":"2026-11-23T00:00:00Z"}]}'
    )


EMPTY = "/".join(["21"] * 21)
ONE = JudgeWords(words=["QUIZ"])
EIGHT = JudgeWords(words=["QUIZ", "CAT", "AB", "BOARD", "ZAX", "HEAT", "LOVERS", "TILE"])
IN_A_GAME = JudgeWords(words=["QUIZ"], game="g")
PLAY = JudgePlay(rules="scrabble-i", position=EMPTY, move="11I LOVERS", game="g")


def costs(services, words, asked, lacking):
    """Return the verdicts, and every row, store call and look-up that they took.

    The word set lacks the words named. The same question is asked three times, so that repeats are covered too.
    """
    services.editions.current.words.words = {"QUIZ", "BOARD", "ZAX", "HEAT", "LOVERS", "CAT", "TILE"} - set(lacking)
    words.asked.clear()
    verbs = Counter()
    store = Counted(services.gate.store, verbs)
    services.gate.store = store
    answers = answer_play if isinstance(asked, JudgePlay) else answer_question
    valid = {b'"valid":true ' in answers(services, HOME, asked, NOON).body for _ in range(3)}
    return valid, sorted(read_rows(store.counted)), verbs, Counter(words.asked)


class Counted:
    """A store of meters that counts its calls."""

    def __init__(self, store, verbs):
        self.counted, self.verbs = store, verbs

    def __getattr__(self, verb):
        self.verbs[verb] += 1
        return getattr(self.counted, verb)


@pytest.mark.parametrize("asked", [ONE, EIGHT, IN_A_GAME, PLAY], ids=["one", "eight", "game", "play"])
def test_a_no_costs_what_a_yes_costs(asked, installation):
    """Yes and no must leave the same rows, byte for byte, and take the same store calls and look-ups."""
    told = []
    for lacking in ((), ("QUIZ", "LOVERS"), ("QUIZ", "LOVERS", "ZAX", "BOARD"), ("TILE", "LOVERS", "QUIZ")):
        shutil.rmtree(installation.instance.meters)
        LmdbMeterStore.create(installation.instance.meters).close()
        words = Watched()
        services = installation.services()
        editions = OneEdition(replace(services.editions.current, words=words))
        services = replace(services, editions=editions, housekeeping=Housekeeping(editions, services.gate))
        told.append(costs(services, words, asked, lacking))
        services.register.close()
        services.gate.store.close()
    verdicts, *costs_of_each = zip(*told, strict=True)
    assert verdicts == ({True}, {False}, {False}, {False})
    for cost in costs_of_each:
        assert cost == (cost[0],) * 4
    assert len(told[0][1]) >= 3
