"""The commands of `ordws tournament` about results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import click

from ordws.cli.tournament.event import (
    EventSender,
    F,
    director_options,
    file_argument,
    json_option,
    open_event,
    print_note,
    print_table,
)
from ordws.errors import BadInput

_MOST_NAMED: Final = 12
"""The tables without a result that are named after each result; a large hall has more."""
_SIDES = click.Choice(["first", "second"])


def result_arguments(command: F) -> F:
    """Add the arguments and options of a result: the table, both sides, and how the game ended if not as usual."""
    for parameter in (
        director_options,
        click.option("--time-up", type=_SIDES, help="Whose time was used up, where the other played on."),
        click.option("--resigned", type=_SIDES, help="Who gave up after a turn; the scores are given too."),
        click.option("--forfeit", type=click.Choice(["first", "second", "both"]), help="Who did not play: no scores."),
        click.option("--game", type=int, default=1, metavar="N", help="2: the second game of a round with two."),
        click.argument("sides", nargs=-1, metavar="[SCORE1:POINTS1/TURNS1 SCORE2:POINTS2/TURNS2]"),
        click.argument("table", type=int),
        click.argument("number", type=int, metavar="ROUND"),
        file_argument,
    ):
        command = parameter(command)
    return command


# A score below zero begins with "-": click would take it for an option.
@click.command("result", context_settings={"ignore_unknown_options": True})
@result_arguments
def result(file: Path, number: int, table: int, sides: tuple[str, ...], **options: Any) -> None:
    """Key in the result of a table.

    A side is the final score, the points of the turns, and their number. The first player stands in front, as in the
    list of pairings, in a second game too.

    \b
    Example:
      ordws tournament result club.event 1 3 412:398/13 371:380/13
      ordws tournament result club.event 1 4 --forfeit second
    """
    _store_result(file, number, table, sides, **options)


@click.command("correct", context_settings={"ignore_unknown_options": True})
@click.option("--reason", required=True, metavar="TEXT", help="The reason.")
@result_arguments
def correct(file: Path, number: int, table: int, sides: tuple[str, ...], reason: str, **options: Any) -> None:
    """Replace a wrong result, of any round. Published rounds stay; standings and later drafts follow.

    \b
    Example:
      ordws tournament correct club.event 1 3 412:398/13 381:380/13 --reason "slip misread"
    """
    _store_result(file, number, table, sides, reason=reason, **options)


@click.command("confirm")
@file_argument
@click.argument("number", type=int, metavar="ROUND")
@click.argument("table", type=int)
@click.option("--game", type=int, default=1, metavar="N", help="2: the second game of a round with two.")
@click.option("--reason", required=True, metavar="TEXT", help="The reason, such as the signed slip.")
@director_options
def confirm(
    file: Path,
    number: int,
    table: int,
    game: int,
    reason: str,
    sender: EventSender,
) -> None:
    """Confirm a result that one player has told and the opponent has not confirmed.

    \b
    Example:
      ordws tournament confirm club.event 2 3 --reason "both signed the slip"
    """
    from ordws.tournament.commands import ConfirmResult

    sender.change(
        file, lambda _: [ConfirmResult(round=number, table=table, game=game, reason=reason, expected=sender.expected)]
    )


@click.command("no-show")
@file_argument
@click.argument("names", nargs=-1, metavar="NAME...", required=True)
@director_options
def no_show(file: Path, names: tuple[str, ...], sender: EventSender) -> None:
    """Forfeit the games of those who did not come to the round, and check them out.

    \b
    Example:
      ordws tournament no-show club.event "Ben Ode"
    """
    from ordws.tournament.commands import CheckOut, Command, RecordResult
    from ordws.tournament.facts import ForfeitedBy, TableResult
    from ordws.tournament.names import find_entrant

    with open_event(file) as event:
        played = event.state.open_round
        if played is None:
            raise BadInput("no round is being played", hint=f"ordws tournament check-out {file} NAME...")
        absent = [find_entrant(event.state, name) for name in names]
        numbers = {each.number for each in absent}
        commands: list[Command] = []
        for entrant in absent:
            pairing = played.of_entrant(entrant.number)
            if pairing is None:
                raise BadInput(f'"{entrant.name}" has no game in round {played.number}')
            side: ForfeitedBy = "first" if pairing.first == entrant.number else "second"
            forfeit = TableResult(forfeit="both" if numbers >= {*pairing.entrants} else side)
            commands += [
                RecordResult(
                    round=played.number, table=pairing.table, game=game, result=forfeit, expected=sender.expected
                )
                for game, known in enumerate(pairing.games, 1)
                if known is None or not known.is_settled
            ]
            commands.append(CheckOut(entrant=entrant.number))
        sender.show(event, sender.apply(event, commands))


@click.command("missing")
@file_argument
@json_option
def missing(file: Path, as_json: bool) -> None:
    """Show the games of the round whose results are missing; status 1 where there are any.

    \b
    Example:
      ordws tournament missing club.event
    """
    from ordws.tournament.decide_rounds import find_missing

    with open_event(file) as event:
        state = event.state
        rows = [
            {
                "round": state.live_rounds[-1].number,
                "table": pairing.table,
                "game": game,
                "first": state.name_of(pairing.first),
                "second": state.name_of(pairing.second),
                "state": "no result" if known is None else "disputed" if known.dispute else "not confirmed",
            }
            for pairing, game in find_missing(state)
            for known in [pairing.games[game - 1]]
        ]
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    elif rows:
        print_table([*rows[0]], [[*row.values()] for row in rows], right=(0, 1, 2))
    else:
        click.echo("no result is missing")
    click.get_current_context().exit(1 if rows else 0)


def _store_result(
    file: Path,
    number: int,
    table: int,
    sides: tuple[str, ...],
    *,
    game: int,
    forfeit: Any,
    resigned: Any,
    time_up: Any,
    sender: EventSender,
    reason: str | None = None,
) -> None:
    """Store a result, or with a reason a correction, and print what is unusual about it."""
    from ordws.tournament.commands import CorrectResult, RecordResult
    from ordws.tournament.decide_rounds import find_missing, get_pairing
    from ordws.tournament.facts import TableResult
    from ordws.tournament.results import find_doubts, format_result, parse_side
    from ordws.tournament.standings import winner_of

    if len(sides) != (0 if forfeit else 2):
        expects = "a forfeited game has no scores" if forfeit else "a result has two sides, the first player's in front"
        raise BadInput(f"{expects}: {len(sides)} given", hint="412:398/13 371:380/13, or --forfeit first|second|both")
    told = TableResult(
        **dict(zip(("first", "second"), map(parse_side, sides), strict=False)),
        forfeit=forfeit,
        resigned=resigned,
        time_up=time_up,
    )
    where = {"round": number, "table": table, "game": game, "result": told, "expected": sender.expected}
    command = RecordResult(**where) if reason is None else CorrectResult(**where, reason=reason)  # type: ignore[arg-type]
    with open_event(file) as event:
        added = sender.apply(event, [command])
        if sender.as_json:
            sender.show(event, added)
        else:
            pairing = get_pairing(event.state, number, table)
            names = {"first": event.state.name_of(pairing.first), "second": event.state.name_of(pairing.second)}
            winner = winner_of(told)
            outcome = "a tie" if winner is None else "nobody wins" if winner == "none" else f"{names[winner]} wins"
            again = "" if added else " (known already)"
            text = f"{names['first']} - {names['second']}: {format_result(told)}, {outcome}{again}"
            click.echo(f"round {number}, table {table}: {text}")
            if played := event.state.open_round:
                tables = list(dict.fromkeys([str(each.table) for each, _ in find_missing(event.state)]))
                more = f" and {len(tables) - _MOST_NAMED} more" if len(tables) > _MOST_NAMED else ""
                named = f"{'table' if len(tables) == 1 else 'tables'} {', '.join(tables[:_MOST_NAMED])}{more}"
                click.echo(f"missing in round {played.number}: {named if tables else 'nothing'}")
        for doubt in find_doubts(told):
            print_note(f"{doubt}: if that is a mistake, correct it")
