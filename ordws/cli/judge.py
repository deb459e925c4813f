"""`ordws judge` and `play`: one verdict on words, or on a play with its receipt, on this machine."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Final, TypeAlias

import click
from rich.console import Console
from rich.table import Table

from ordws.api import replies
from ordws.api.plays import JudgePlay, check_disallowed, compare, read_play, rule_on_request
from ordws.api.problems import Problem
from ordws.api.verdicts import are_acceptable
from ordws.cli import instance_option
from ordws.cli.editions import open_to_judge
from ordws.cli.rules_option import read_options, read_rules, rules_options, variation_option
from ordws.errors import BadWord
from ordws.fold import fold
from ordws.instance import Instance
from ordws.lexicon.edition import Edition
from ordws.pictures.terminal import comparison_table, receipt_table
from ordws.rules.board import Board
from ordws.rules.move import Legal
from ordws.rules.receipt import Receipt, build_receipt
from ordws.rules.ruleset import RuleSet
from ordws.rules.statistics import words_on

VERDICT_TEXT: Final = {True: "acceptable", False: "not acceptable"}


@click.command("judge")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option("--rules", metavar="ID", default="scrabble-i", show_default=True, help="The rule set.")
@variation_option
@click.option("--json", "as_json", is_flag=True, help='Print {"valid":true} or {"valid":false}.')
@instance_option
def judge(words: tuple[str, ...], rules: str, options: tuple[str, ...], as_json: bool, instance: str | None) -> int:
    """Print one verdict for all the words, and never which word is not acceptable.

    Ends with status 0 for acceptable, 1 for not acceptable. Nothing is charged and nothing is recorded, since anybody
    who holds the opening key could read the set anyway.

    \b
    Example:
      ordws judge word lovers
      ordws judge --rules dover --option allow=ZIG,ZAG revote zig
    """
    chosen = read_rules(rules, options)
    edition = open_to_judge(Instance.locate(instance))
    valid = are_acceptable(edition, chosen, fold_words(words))
    click.echo(json.dumps({"valid": valid}, separators=(",", ":")) if as_json else VERDICT_TEXT[valid])
    return 0 if valid else 1


def judge_board(edition: Edition, rules: RuleSet, board: Board) -> bool | None:
    """Return one verdict for all words of a board; None for a board with tiles beyond A to Z."""
    words = words_on(board)
    return are_acceptable(edition, rules, words) if board.across.isascii() else None


def fold_words(words: tuple[str, ...]) -> list[str]:
    """Return the words in their normal form; raise BadWord, with the place but not the word, for any that has none."""
    folded = []
    for place, word in enumerate(words, start=1):
        try:
            folded.append(fold(word))
        except BadWord as err:
            raise BadWord(f"word {place}: {err}") from err
    return folded


_JudgeWords: TypeAlias = Callable[[Legal], bool | None]

_PIPE_WIDTH = 1_000
_UNREADABLE_CODES = ("bad-position", "bad-move", "bad-rack", "unknown-rules", "unknown-option")


@click.command("play")
@rules_options
@click.option("--position", metavar="CGP", help="The position, at least its rows.")
@click.option("--move", metavar="MOVE", help="The play, as 8D STAiNER; swaps for the blank first, as =H8.")
@click.option("--rack", metavar="TILES", help="The rack, in capitals, ? for a blank; without it that of the position.")
@click.option("--no-words", is_flag=True, help="Only score the play: no word is looked up.")
@click.option("--compare", is_flag=True, help="Show the receipts under all rule sets, side by side.")
@click.option(
    "--batch", is_flag=True, help="Read a request of POST /v1/plays from each line of standard input, and answer it."
)
@click.option("--json", "as_json", is_flag=True, help="Print what POST /v1/plays answers, or POST /v1/score.")
@instance_option
def play(
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

    Ends with status 0 if all words are acceptable, 1 if not or if the play does not fit, 2 if the input cannot be
    read; --compare and --batch end with 0 when they have answered. With --no-words no word set is needed. The default
    rule set is scrabble-i. On a board with wings, --compare puts a position of 15 rows in the middle: H8 becomes K11.

    With --batch --rules is for requests that name none, and replies are in the order of the lines. With --json a play
    that is refused is {"code":"gap","detail":"..."}, and --compare prints a line a rule set, each with its rules.

    \b
    Example:
      ordws play --rules scrabble-o --no-words --move "8L ING" \\
        --position 15/15/15/15/15/15/15/7FiSH4/15/15/15/15/15/15/15
    """
    judge_words: _JudgeWords = _judge_no_words if no_words else _judge_by_edition(instance)
    if batch:
        if compare or options or position or move or rack:
            raise click.UsageError("--batch reads plays from its lines; only --no-words and --rules go with it")
        _answer_lines(rules, judge_words)
        return 0
    if position is None or move is None:
        raise click.UsageError("--position and --move are needed, or --batch")
    # The play is read as from POST /v1/plays, so that both accept and refuse the same.
    fields = {"position": position, "move": move, "rack": rack, "options": read_options(options)}
    try:
        request = read_play(json.dumps(fields).encode(), rules)
        if compare:
            return _compare(request, judge_words, as_json)
    except Problem as problem:
        raise click.UsageError(f"{problem.code}: {problem.detail}") from problem
    try:
        ruling = rule_on_request(request)
        valid = judge_words(ruling)
    except Problem as problem:
        is_unreadable = problem.code in _UNREADABLE_CODES
        if is_unreadable and not as_json:
            raise click.UsageError(f"{problem.code}: {problem.detail}") from problem
        click.echo(_encode_problem(problem) if as_json else f"{problem.code}: {problem.detail}")
        return 2 if is_unreadable else 1
    if as_json:
        click.echo(_encode_reply(ruling, valid))
    else:
        _print_table(receipt_table(build_receipt(ruling)))
        if valid is not None:
            click.echo(VERDICT_TEXT[valid])
    return 1 if valid is False else 0


def _judge_no_words(ruling: Legal) -> None:
    return None


def _judge_by_edition(instance: str | None) -> _JudgeWords:
    """Return a function that gives the verdict of this installation's edition, or raises Problem for a struck word."""
    edition = open_to_judge(Instance.locate(instance))

    def judge_words(ruling: Legal) -> bool:
        check_disallowed(ruling)
        return are_acceptable(edition, ruling.rules, ruling.words)

    return judge_words


def _encode_reply(ruling: Legal, valid: bool | None) -> bytes:
    """Return the JSON that POST /v1/plays answers, or POST /v1/score where there is no verdict."""
    scored = replies.scored(ruling)
    return (replies.private(scored) if valid is None else replies.judged_play(valid, scored)).body


def _encode_problem(problem: Problem) -> bytes:
    return json.dumps({"code": problem.code, "detail": problem.detail}, separators=(",", ":")).encode()


def _compare(request: JudgePlay, judge_words: _JudgeWords, as_json: bool) -> int:
    """Print the receipts, or the problems, under all rule sets; raise Problem if the request fits none of them."""
    receipts: dict[str, Receipt | str] = {}
    verdicts: dict[str, str] = {}
    for rules, result in compare(request).items():
        try:
            if isinstance(result, Problem):
                raise result
            valid = judge_words(result)
            body = _encode_reply(result, valid)
            receipts[rules] = build_receipt(result)
            if valid is not None:
                verdicts[rules] = VERDICT_TEXT[valid]
        except Problem as problem:
            body = _encode_problem(problem)
            receipts[rules] = problem.code
        if as_json:
            # The id is put in front of the encoded fields, which stay those of the service.
            click.echo(b'{"rules":"' + rules.encode() + b'",' + body[1:])
    if not as_json:
        _print_table(comparison_table(receipts, verdicts))
    return 0


def _print_table(table: Table) -> None:
    """Print a table as wide as the terminal, or as wide as it needs to be if the output is no terminal."""
    Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH).print(table)


def _answer_lines(rules: str | None, judge_words: _JudgeWords) -> None:
    """Answer each line of standard input, a request of POST /v1/plays, as the service would."""
    for line in sys.stdin.buffer:
        try:
            ruling = rule_on_request(read_play(line, rules))
            click.echo(_encode_reply(ruling, judge_words(ruling)))
        except Problem as problem:
            click.echo(_encode_problem(problem))
