"""Tests that hold the options of the pages equal to ordws/rules/options.py."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
import pytest
from test_rules_js import Engine, engine

from ordws.api import public
from ordws.rules.options import OPTION_INFO, BadOption, changed_options, option_text, with_options
from ordws.rules.ruleset import RULE_SETS

__all__ = ["engine"]

OTHERS: dict[str, tuple[str, ...]] = {
    "unplayed_reward": ("score", "face", "1", "500", "0", "501", "all"),
    "layout": ("/".join(["." * 15] * 15), "/".join(["=-~", ".'.", '"^.'])),
    "big_play": ("none", "5:11,6:0", "2:1,21:9999"),
    "stretch": ("none", "1:5", "2:20,3:40"),
    "stretch_from": ("2", "7", "8", "21"),
    "allow": ("ZIG", "ZAG,ZA"),
    "strike": ("CAT,AB", "IOTAS"),
    "twos": ("QI,AT", "AB"),
    "board": ("15", "21"),
}
"""Values of the options whose values cannot be listed."""

TOGETHER: tuple[dict[str, str], ...] = (
    {"layout": "/".join(["." * 9] * 9), "board": "15"},
    {"layout": "/".join(["." * 21] * 21), "board": "21"},
    {"tiles": "three-sets", "three_i_to_aeo": "on", "scoop": "110"},
    {"allow": "ZA,AT,ZIG", "strike": "AB", "twos": "QI,AB", "disallowed_words": "dover", "offensive": "disallowed"},
    {"clock": "turn", "clock_seconds": "90", "rack_size": "8", "most_players": "2"},
)
REFUSED: tuple[dict[str, str], ...] = (
    {"scoop": "0"},
    {"scoop": "301"},
    {"tiles": "classic", "scoop": "101"},
    {"rack_size": "13"},
    {"rack_size": "2", "minimum": "main3"},
    {"rack_size": "1", "minimum": "none"},
    {"layout": "..../.../...."},
    {"layout": "x"},
    {"layout": "/".join(["." * 16] * 16), "board": "22"},
    {"board": "17"},
    {"allow": "ZIG,Z"},
    {"allow": "ZIG", "strike": "ZAG,ZIG"},
    {"strike": ",".join(f"A{first}{second}" for first in "ABCDEFGHIJ" for second in "ABCDEF")},
    {"twos": "QI,ZIG"},
    {"big_play": "0:5"},
    {"big_play": "22:5"},
    {"stretch": "2"},
    {"stretch": "21:99999"},
    {"premium": "both"},
    {"swap": "maybe"},
    {"clock_seconds": "86401"},
    {"tile": "classic"},
)
READ = """(engine, [document, cases], rules) => cases.map(([id, text]) => {
  const given = engine.readOptions(document, id, text);
  if (!given) return null;
  const changed = engine.changedOptions(document, id, given).map(({ name, text }) => [name, text]);
  return [rules.rulesOf(document, id, given), changed, engine.writeOptions(document, id, given)];
})"""


def cases() -> Iterator[tuple[str, dict[str, str]]]:
    """Return every value of each option in each rule set, or a few, and options together."""
    described = {each["name"]: each for each in json.loads(public.rules_document())["options"]}
    for id, rules in RULE_SETS.items():
        for name, option in described.items():
            values = {"switch": ("on", "off"), "number": (str(option.get("least")), str(option.get("most")))}
            for value in OTHERS.get(name) or values.get(option["kind"]) or option["values"]:
                yield id, {name: value}
            yield id, {name: option_text(rules, name)}
        yield from [(id, given) for given in TOGETHER]
        yield id, {}


def read(engine: Engine, given: list[tuple[str, dict[str, str]]]) -> list[Any]:
    document = json.loads(public.rules_document())
    answers: list[Any] = engine.run(READ, [document, [(id, urlencode(options)) for id, options in given]], "options")
    return answers


def test_every_option_is_read_alike(engine):
    """Each value of each option, in each rule set, makes the same rules and is written alike, or is refused alike."""
    given = [*cases()]
    refused = 0
    for (id, options), answer in zip(given, read(engine, given), strict=True):
        try:
            rules = with_options(RULE_SETS[id], options)
        except BadOption:
            refused += 1
            assert answer is None, (id, options)
            continue
        described = json.loads(msgspec.json.encode(public.describe_rule_set(rules)))
        assert answer is not None, (id, options)
        assert answer[0] == described, (id, options)
        assert dict(answer[1]) == changed_options(rules), (id, options)
        assert dict(parse_qsl(answer[2])) == dict(answer[1])
    assert {name for _, options in given for name in options} == OPTION_INFO.keys()
    assert refused < len(given) / 10


def test_bad_options_are_refused_alike(engine):
    """What ordws/rules refuses in the default rule set, the pages refuse."""
    for options in REFUSED:
        with pytest.raises(BadOption):
            with_options(RULE_SETS["scrabble-i"], options)
    answers = read(engine, [("scrabble-i", options) for options in REFUSED])
    assert [options for options, answer in zip(REFUSED, answers, strict=True) if answer is not None] == []
