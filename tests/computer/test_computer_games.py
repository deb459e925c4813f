"""Whole games of the computer player with itself, under all rule sets and many of their options."""

from __future__ import annotations

from functools import cache, partial
from random import Random

import pytest

from ordws.computer.choose import Choice, VisibleGame, choose
from ordws.computer.words import PublicWords, Strength
from ordws.fairplay.synthetic_lexicon import make_lexicon
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, RuleSet
from tests.computer.dealt_games import DealtGame

OPTIONS = (
    {"small_word_cap": "on", "premium": "add", "minimum": "main3"},
    {"challenge": "five", "unplayed_tiles_round": "on", "rack_size": "8"},
    {"challenge": "void", "check_ospd": "none", "end": "cycle", "exchange_min": "1"},
    {"swap": "on", "tiles": "pool-300", "expose_final_rack": "on", "two_letter_words": "72"},
    {"scoop": "40", "unplayed_tiles": "transfer", "three_i_to_aeo": "on", "twos": "AX,XI"},
)


@cache
def made_up_words() -> PublicWords:
    """Return public lists over a made-up lexicon, of which every third word is common."""
    words = sorted(make_lexicon(1, 9_000).tiers)
    return PublicWords(words[::2], words, words[::6], words[::10])


def play(rules: RuleSet, strengths: tuple[Strength, Strength], seed: str) -> list[str]:
    """Play a game and return its turns; raises ValueError for a turn that the rules refuse."""
    words, turns = made_up_words(), list[str]()

    def take(strength: Strength, view: VisibleGame) -> Choice:
        # Without time the strongest looks no further, so that a test can afford whole games.
        return choose(view, words, strength, seed, is_time_up=lambda: True)

    first, second = [partial(take, strength) for strength in strengths]
    DealtGame(rules, words, seed).play((first, second), lambda _, view, choice: turns.append(choice.move))
    return turns


def test_games_under_all_rules_come_to_their_end_by_legal_turns() -> None:
    """Under every rule set, and under changed options, games end, and the rules refuse no turn of any strength."""
    rng = Random(2)
    for rules in RULE_SETS.values():
        for number, options in enumerate([{}, *OPTIONS]):
            first, second = rng.sample([*Strength], 2)
            turns = play(with_options(rules, options), (first, second), f"game {number}")
            assert len([turn for turn in turns if turn[0].isdigit() or turn[0].isalpha()]) > 5, (rules.id, options)


def test_a_seed_repeats_a_game() -> None:
    """The same deal and seed give the same game, move for move; another seed gives another one."""
    easy = (Strength.EASY, Strength.EASY)
    game = play(RULE_SETS["scrabble-o"], easy, "deal")
    assert play(RULE_SETS["scrabble-o"], easy, "deal") == game
    assert play(RULE_SETS["scrabble-o"], easy, "other deal") != game


def test_the_opponents_rack_and_the_order_of_the_bag_change_nothing() -> None:
    """A turn follows from what the seat sees: with the hidden tiles elsewhere it is the same."""
    words, rules = made_up_words(), RULE_SETS["classic"]
    seen: list[tuple[VisibleGame, Choice]] = []

    def take(view: VisibleGame) -> Choice:
        return choose(view, words, Strength.STRONG, "seed", is_time_up=lambda: False)

    DealtGame(rules, words, "a").play((take, take), lambda _, view, choice: seen.append((view, choice)))
    for view, choice in seen[4:20:5]:
        hidden = "".join(Random(1).sample(view.unseen, len(view.unseen)))
        assert take(view._replace(unseen=hidden)) == choice


@pytest.mark.long
def test_the_strongest_plays_whole_games_under_all_rules() -> None:
    """With all its looking ahead, the strongest player makes legal turns to the end of a game of each rule set."""
    words = made_up_words()
    for rules in RULE_SETS.values():
        take = partial(choose, words=words, strength=Strength.STRONG, seed="long")
        DealtGame(rules, words, rules.id).play((take, take))
