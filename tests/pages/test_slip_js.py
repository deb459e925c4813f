"""Tests that hold what slips say on the pages equal to ordws/pictures/slip.py."""

from __future__ import annotations

import json
from typing import Any

from test_options_js import cases
from test_rules_js import Engine, engine

from ordws.api import public
from ordws.pictures.slip import SlipContent, slip_content
from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RULE_SETS

__all__ = ["engine"]

CONTENT = """(engine, [document, cases]) => cases.map(([rules, tiles]) => engine.slipContent(rules, tiles))"""


def test_a_slip_says_what_the_printed_one_says(engine: Engine) -> None:
    """Under every value of every option the card has the bonuses, two-letter words and notes of the text."""
    described, expected = [], []
    for id, options in cases():
        try:
            rules = with_options(RULE_SETS[id], options)
        except BadOption:
            continue
        described.append([public.describe_rule_set(rules), rules.tiles.name])
        expected.append(to_page(slip_content(rules)))
    answers = engine.run(CONTENT, [json.loads(public.rules_document()), described], "slip-content")
    assert len(answers) > 400
    for (rules, _), answer, content in zip(described, answers, expected, strict=True):
        assert answer == content, rules["id"]


def to_page(content: SlipContent) -> dict[str, Any]:
    """Return the content in the form of the page."""

    def lines(table: list[Any]) -> list[dict[str, Any]]:
        return [{"tiles": line.tiles, "points": line.points, "isStarred": line.is_starred} for line in table]

    return {
        "minimum": ": ".join(content.minimum),
        "bigPlay": lines(content.big_play),
        "stretchFrom": content.stretch_from,
        "stretch": lines(content.stretch),
        "twos": content.twos,
        "notes": content.notes,
    }
