"""`--rules` and `--option`, as every command reads them that plays by rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ordws.rules.ruleset import RuleSet

F = TypeVar("F", bound=Callable[..., Any])


def variation_option(command: F) -> F:
    """`--option NAME=VALUE`, any number of them, given to the command as `options`."""
    return click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        help="Set an option of the rule set otherwise; may be repeated.",
    )(command)


def rules_options(command: F) -> F:
    """`--rules ID` and `--option NAME=VALUE`, given to the command as `rules` and `options`; without ID it is None."""
    return click.option("--rules", metavar="ID", help="The rule set.")(variation_option(command))


def read_rules(rules_id: str, options: tuple[str, ...] = (), hint: str = "--rules") -> RuleSet:
    """The rule set of this name with these options; raises click.BadParameter, naming what exists.

    `hint` is how the command calls the place where the name of the rule set is given.
    """
    from ordws.rules.options import BadOption, with_options
    from ordws.rules.rulesets import RULE_SETS

    if rules_id not in RULE_SETS:
        raise click.BadParameter(f'"{rules_id}" is none of {", ".join(RULE_SETS)}', param_hint=hint)
    try:
        return with_options(RULE_SETS[rules_id], read_options(options))
    except BadOption as err:
        raise click.BadParameter(str(err), param_hint="--option") from err


def read_options(options: tuple[str, ...]) -> dict[str, str]:
    """What was given as NAME=VALUE, by name; raises click.BadParameter."""
    given: dict[str, str] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f'"{text}" is not of the form NAME=VALUE', param_hint="--option")
        if name in given:
            raise click.BadParameter(f'"{name}" is given twice', param_hint="--option")
        given[name] = value
    return given
