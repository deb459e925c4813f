"""All that the page of a rule set shows, in plain words and pictures."""

from __future__ import annotations

from textwrap import fill
from typing import Final, NamedTuple

from ordws.pictures.list_notes import DISQUALIFIED_REASONS, WordGroup, group_two_letter_words
from ordws.pictures.rule_chapters import RuleChapter, describe_rules
from ordws.pictures.rule_comparison import compare_rule_sets
from ordws.pictures.rule_examples import DrawnExample, examples_for
from ordws.rules.options import Option, changed_options, list_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS, published_word_lists

WIDTH: Final = 100
"""The columns of the rules as text."""


class RulePage(NamedTuple):
    """A rule set as its page shows it; with options its page has another address."""

    id: str
    title: str
    changed: dict[str, str]
    """The options whose values differ from those of the rule set."""
    chapters: list[RuleChapter]
    examples: list[DrawnExample]
    groups: list[WordGroup]
    """The two-letter words."""
    reasons: dict[str, str]
    """Words that a club's director has struck out, and why."""
    options: list[Option]


def describe_page(rules: RuleSet) -> RulePage:
    """Return the page of a rule set with the options that it has."""
    lists = published_word_lists(rules)
    return RulePage(
        id=rules.id,
        title=rules.title,
        changed=changed_options(rules),
        chapters=describe_rules(rules),
        examples=examples_for(rules),
        groups=group_two_letter_words(lists.twos),
        reasons={word: reason for word, reason in DISQUALIFIED_REASONS.items() if word in lists.struck},
        options=list_options(rules),
    )


def compare_published() -> list[tuple[str, tuple[str, ...]]]:
    """Return the rules of all sets side by side, in the order in which the sets are listed."""
    return compare_rule_sets(RULE_SETS.values())


def render_chapters(rules: RuleSet) -> str:
    """Return the rules in plain words as text, with the tables of bonuses."""
    parts = []
    for chapter in describe_rules(rules):
        paragraphs = [*chapter.paragraphs]
        for table in chapter.tables:
            points = ", ".join([f"{n} tiles {each}" if n > 1 else f"{n} tile {each}" for n, each in table.points])
            paragraphs.append(f"{table.title}: {points}. {table.note}")
        lines = [fill(each, WIDTH, initial_indent="  ", subsequent_indent="  ") for each in paragraphs]
        parts.append("\n".join([chapter.title, *lines]))
    return "\n\n".join(parts)


def render_lists(rules: RuleSet) -> str:
    """Return the published lists as text: the two-letter words in groups, the words that are out, and reasons."""
    lists = published_word_lists(rules)
    parts = [f"{len(lists.twos)} two-letter words:"]
    for name, words in group_two_letter_words(lists.twos):
        parts.append(fill(f"{name} ({len(words)}): {' '.join(words)}", WIDTH, subsequent_indent="    "))
    if lists.struck:
        parts += ["", f"{len(lists.struck)} disallowed words:", fill(" ".join(sorted(lists.struck)), WIDTH)]
    reasons = [f"{word:5} {reason}" for word, reason in DISQUALIFIED_REASONS.items() if word in lists.struck]
    if reasons:
        parts += ["", "struck out by the club's director:", *reasons]
    return "\n".join(parts)
