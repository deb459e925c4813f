"""The options `--rules` and `--option`, shared by every command that plays by rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RULE_SETS, SCRABBLE_I, SCRABBLE_O, RuleSet

F = TypeVar("F", bound=Callable[..., Any])

RULES_BY_SIDE: Final = {rules.layout.side: rules.id for rules in (*RULE_SETS.values(), SCRABBLE_O, SCRABBLE_I)}
"""The default rule set for a board of each size: for the two sizes of the same game, that game."""


def variation_option(command: F) -> F:
    """Add `--option NAME=VALUE`, any number of times, passed to the command as `options`."""
    return click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        help="Change an option of the rule set; may be repeated.",
    )(command)


def rules_options(command: F) -> F:
    """Add `--rules ID` and `--option NAME=VALUE`, passed to the command as `rules` (or None) and `options`."""
    return click.option("--rules", metavar="ID", help="The rule set.")(variation_option(command))


def read_rules(rules_id: str, options: tuple[str, ...] = (), hint: str = "--rules") -> RuleSet:
    """Return the rule set with this id and these options; raise click.BadParameter, which names what exists.

    `hint` is the option or argument that gave the id.
    """
    if rules_id not in RULE_SETS:
        raise click.BadParameter(f'"{rules_id}" is none of {", ".join(RULE_SETS)}', param_hint=hint)
    try:
        return with_options(RULE_SETS[rules_id], read_options(options))
    except BadOption as err:
        raise click.BadParameter(str(err), param_hint="--option") from err


def read_options(options: tuple[str, ...]) -> dict[str, str]:
    """Return the values given as NAME=VALUE by their names; raise click.BadParameter for another form or a repetition.

    The names and values are not checked.
    """
    given: dict[str, str] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f'"{text}" is not of the form NAME=VALUE', param_hint="--option")
        if name in given:
            raise click.BadParameter(f'"{name}" is given twice', param_hint="--option")
        given[name] = value
    return given
