"""`ordws play`: one play judged, with its receipt."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ordws.cli import instance_option
from ordws.cli.rules_option import read_options, rules_options

if TYPE_CHECKING:
    from rich.table import Table

    from ordws.api.problems import Problem
    from ordws.api.requests import JudgePlay
    from ordws.rules.move import Legal

    Verdict = Callable[[Legal], bool | None]

_PIPE_WIDTH = 1_000
_UNREADABLE_CODES = ("bad-position", "bad-move", "bad-rack", "unknown-rules", "unknown-option")


@click.command("play")
@rules_options
@click.option("--position", metavar="CGP", help="The position, at least its rows.")
@click.option("--move", metavar="MOVE", help="The play, as 8D STAiNER; swaps for the blank first, as =H8.")
@click.option("--rack", metavar="TILES", help="The rack, in capitals, ? for a blank.")
@click.option("--no-words", is_flag=True, help="Score alone: no word is looked up.")
@click.option("--compare", is_flag=True, help="The receipts under all rule sets, side by side.")
@click.option("--batch", is_flag=True, help="One request of POST /v1/plays a line of standard input, one answer each.")
@click.option("--json", "as_json", is_flag=True, help="Print what POST /v1/plays answers.")
@instance_option
def command(
    rules: str | None,
    options: tuple[str, ...],
    position: str | None,
    move: str | None,
    rack: str | None,
    no_words: bool,
    compare: bool,
    batch: bool,
    as_json: bool,
    instance: str | None,
) -> int:
    """Judge and score one play, and explain each point.

    Ends with status 0 if all words are acceptable, 1 if not or if the play does not fit, 2 for what cannot be read;
    --compare and --batch with 0 when they have answered. With --no-words no word set is needed. The default rule set
    is scrabble-i. On a board with wings, --compare puts a position of 15 rows in the middle: H8 becomes K11.

    \b
    Example:
      ordws play --rules scrabble-o --no-words --move "8L ING" \\
        --position 15/15/15/15/15/15/15/7FiSH4/15/15/15/15/15/15/15
    """
    verdict: Verdict = _skip_words if no_words else _edition_verdict(instance)
    if batch:
        if compare or options or position or move or rack:
            raise click.UsageError("--batch reads its plays; beside it go --no-words, and --rules for those without")
        return _answer_batch(verdict, rules)
    if position is None or move is None:
        raise click.UsageError("--position and --move are needed, or --batch")
    asked = _read_request(rules, position, move, rack, options)
    if compare:
        return _compare(asked, verdict, as_json)
    return _print_json(asked, verdict) if as_json else _print_receipt(asked, verdict)


def _skip_words(ruling: Legal) -> None:
    return None


def _edition_verdict(instance: str | None) -> Verdict:
    """Judges words by the edition of this installation."""
    from ordws.api.plays import check_disallowed
    from ordws.api.services import open_editions
    from ordws.api.words import are_acceptable
    from ordws.instance import Instance
    from ordws.rules.rulesets import published_word_lists

    edition = open_editions(Instance.locate(instance), adopting=False).current

    def verdict(ruling: Legal) -> bool:
        check_disallowed(ruling)
        return are_acceptable(edition, published_word_lists(ruling.rules), ruling.words)

    return verdict


def _read_request(rules: str | None, position: str, move: str, rack: str | None, options: tuple[str, ...]) -> JudgePlay:
    from ordws.api.problems import Problem
    from ordws.api.requests import read_play

    given = {"position": position, "move": move, "rack": rack, "options": read_options(options)}
    try:
        return read_play(json.dumps(given).encode(), rules)
    except Problem as problem:
        raise click.UsageError(f"{problem.code}: {problem.detail}") from problem


def _answer_batch(verdict: Verdict, rules: str | None) -> int:
    from ordws.api.problems import Problem
    from ordws.api.requests import read_play

    for line in sys.stdin.buffer:
        try:
            body = _reply_body(read_play(line, rules), verdict)
        except Problem as problem:
            body = _encode_problem(problem)
        click.echo(body)
    return 0


def _print_json(request: JudgePlay, verdict: Verdict) -> int:
    from ordws.api.problems import Problem

    try:
        body = _reply_body(request, verdict)
    except Problem as problem:
        click.echo(_encode_problem(problem))
        return 2 if problem.code in _UNREADABLE_CODES else 1
    click.echo(body)
    return 0 if json.loads(body).get("valid", True) else 1


def _reply_body(request: JudgePlay, verdict: Verdict) -> bytes:
    """What POST /v1/plays answers, or POST /v1/score where there is no verdict."""
    from ordws.api.plays import rule_on_request

    ruling = rule_on_request(request)
    return _encode_reply(ruling, verdict(ruling))


def _encode_reply(ruling: Legal, valid: bool | None) -> bytes:
    from ordws.api import replies

    scored = replies.scored(ruling)
    return (replies.private(scored) if valid is None else replies.judged_play(valid, scored)).body


def _encode_problem(problem: Problem) -> bytes:
    return json.dumps({"code": problem.code, "detail": problem.detail}, separators=(",", ":")).encode()


def _print_receipt(request: JudgePlay, verdict: Verdict) -> int:
    from ordws.api.plays import rule_on_request
    from ordws.api.problems import Problem
    from ordws.pictures.receipt_tables import receipt_table
    from ordws.rules.receipt import build_receipt

    try:
        ruling = rule_on_request(request)
        valid = verdict(ruling)
    except Problem as problem:
        if problem.code in _UNREADABLE_CODES:
            raise click.UsageError(f"{problem.code}: {problem.detail}") from problem
        click.echo(f"{problem.code}: {problem.detail}")
        return 1
    _print_table(receipt_table(build_receipt(ruling)))
    if valid is not None:
        click.echo(_VERDICT_TEXT[valid])
    return 1 if valid is False else 0


_VERDICT_TEXT = {True: "acceptable", False: "not acceptable"}


def _compare(request: JudgePlay, verdict: Verdict, as_json: bool) -> int:
    from ordws.api.compare import compare
    from ordws.api.problems import Problem
    from ordws.pictures.receipt_tables import comparison_table
    from ordws.rules.receipt import build_receipt

    try:
        rulings = {rules: _with_verdict(ruling, verdict) for rules, ruling in compare(request).items()}
    except Problem as problem:
        raise click.UsageError(f"{problem.code}: {problem.detail}") from problem
    if as_json:
        for rules, (ruling, valid) in rulings.items():
            body = _encode_problem(ruling) if isinstance(ruling, Problem) else _encode_reply(ruling, valid)
            click.echo(b'{"rules":"' + rules.encode() + b'",' + body[1:])
        return 0
    receipts = {
        rules: ruling.code if isinstance(ruling, Problem) else build_receipt(ruling)
        for rules, (ruling, _) in rulings.items()
    }
    verdicts = {rules: _VERDICT_TEXT[valid] for rules, (_, valid) in rulings.items() if valid is not None}
    _print_table(comparison_table(receipts, verdicts))
    return 0


def _print_table(table: Table) -> None:
    """On a terminal as wide as that is; elsewhere as wide as it has to be."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH).print(table)


def _with_verdict(ruling: Legal | Problem, verdict: Verdict) -> tuple[Legal | Problem, bool | None]:
    from ordws.api.problems import Problem

    if isinstance(ruling, Problem):
        return ruling, None
    try:
        return ruling, verdict(ruling)
    except Problem as disallowed:
        return disallowed, None
