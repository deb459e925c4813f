"""The commands of `ordws tournament` that show how an event, or a season, stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ordws.cli import format_utc
from ordws.cli.tournament.event import event_argument, json_option, print_table
from ordws.desk.events import DeskEvent
from ordws.desk.views import describe_certificate, view_phase
from ordws.errors import BadInput
from ordws.tournament.decide_rounds import find_missing, get_round
from ordws.tournament.exchange.tables import write_csv
from ordws.tournament.facts import kind_of_fact
from ordws.tournament.fold import find_undone
from ordws.tournament.history import describe_facts, history_in_words
from ordws.tournament.names import find_entrant
from ordws.tournament.personal_data import export_entrant
from ordws.tournament.results import format_result
from ordws.tournament.season import invitations, open_quarter, open_season
from ordws.tournament.standings import FILE
from ordws.tournament.standings import standings as standing_lines
from ordws.tournament.state import RoundState, TournamentState
from ordws.tournament.store import EventFile


@click.command("status")
@event_argument
@json_option
def status(event: EventFile, as_json: bool) -> None:
    """Show where the event stands, the entrants, which results are missing, and what is to be done next.

    The JSON has event, rules, phase (entry, playing, between, finished), round, rounds, games_a_round, version, missing
    with table, game, first, second and state (no result, not confirmed, disputed), and entrants with number, name,
    club, status and has_member_number; member numbers are in `data` and `export` alone.

    \b
    Example:
      ordws tournament status club.event
    """
    state = event.state
    entrants: list[dict[str, Any]] = [
        {
            "number": each.number,
            "name": each.name,
            "club": each.club,
            "status": each.status,
            "has_member_number": bool(each.member),
        }
        for each in state.entrants.values()
    ]
    missing: list[dict[str, Any]] = [
        {
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
        row = {
            "event": state.event.name,
            "rules": state.event.rules,
            "phase": state.phase,
            "round": state.last_round.number if state.last_round else 0,
            "rounds": state.rounds_planned,
            "games_a_round": state.event.games_a_round,
            "missing": missing,
            "entrants": entrants,
            "version": state.version,
        }
        click.echo(json.dumps(row, ensure_ascii=False))
        return
    phase = view_phase(state)
    click.echo(f"{state.event.name}, {state.event.rules}: {phase.title}. {phase.detail}")
    if entrants:
        print_table(
            ("#", "name", "club", "status"),
            [(each["number"], each["name"], each["club"], each["status"]) for each in entrants],
            right=(0,),
        )
    if missing:
        click.echo()
        print_table([*missing[0]], [[*each.values()] for each in missing], right=(0, 1))
    click.echo(f'next: ordws tournament do {event.path} "{phase.example}"')


@click.command("standings")
@event_argument
@click.option("--after", type=click.IntRange(1), metavar="ROUND", help="As they were after this round.")
@json_option
def standings(event: EventFile, after: int | None, as_json: bool) -> None:
    """Show the standings: by winning percentage, then by points per turn. Results count as soon as they are keyed in.

    The JSON is an object a line, with rank, name, wins, ties, losses, games, win_pct, points, turns and ppt, in
    order; equal ranks have equal numbers. Decimals are rounded (half to even) for show alone, and are zero without a
    game.

    \b
    Example:
      ordws tournament standings club.event
    """
    if after is not None:
        get_round(event.state, after)
    print_standings(event.state, after=after, as_json=as_json)


def print_standings(state: TournamentState, *, after: int | None = None, as_json: bool = False) -> None:
    """Print the standings as a table, or as a JSON object a line."""
    lines = standing_lines(state, after=after)
    if as_json:
        for line in lines:
            click.echo(json.dumps(line.to_json(), ensure_ascii=False))
        return
    rows = [[*line.to_json().values()] for line in lines]
    print_table([heading for _, heading in FILE], rows, right=[0, *range(2, len(FILE))])


@click.command("history")
@event_argument
@json_option
def history(event: EventFile, as_json: bool) -> None:
    """Show everything that happened, with the numbers that undo takes.

    The JSON is an object a line, with number, at, actor, kind, text and undone.

    \b
    Example:
      ordws tournament history club.event
    """
    facts = event.facts
    undone = find_undone(facts)
    sentences = describe_facts(facts, facts) if as_json else history_in_words(facts, facts)
    for each, words in zip(facts, sentences, strict=True):
        if as_json:
            row = {
                "number": each.number,
                "at": format_utc(each.at),
                "actor": each.actor,
                "kind": kind_of_fact(each.fact),
                "text": words,
                "undone": each.number in undone,
            }
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            mark = "undone: " if each.number in undone else ""
            click.echo(f"{each.number:>4}  {format_utc(each.at)}  {mark}{words}")


@click.command("certificate")
@event_argument
@json_option
def certificate(event: EventFile, as_json: bool) -> None:
    """Show how near everybody's opponents are to the average player, beside 1,000 random schedules.

    The JSON has rms_residual, worst_residual, repeats, byes, worst_start_imbalance, digest, head (the last link of
    the facts), the comparison, and stayed and stayed_rms_residual: the players who were there for two thirds of the
    rounds, and the residual among them alone.

    \b
    Example:
      ordws tournament certificate club.event
    """
    made = DeskEvent("event", event).snapshot().certificate
    if made is None:
        raise BadInput("no round is closed, so that there is nothing to certify")
    if as_json:
        click.echo(json.dumps(made.as_json()))
        return
    for text, value in describe_certificate(made):
        click.echo(f"{text}: {value}")


@click.command("pairings")
@event_argument
@click.argument("number", type=int, required=False, metavar="[ROUND]")
@json_option
def pairings(event: EventFile, number: int | None, as_json: bool) -> None:
    """Show who plays whom in a published round, the last one if none is named, with the results so far.

    The JSON has round, status, pairings (table, first, second, results) and bye.

    \b
    Example:
      ordws tournament pairings club.event 2
    """
    state = event.state
    if number is None and state.last_round is None:
        raise BadInput("no round is published", hint=f"ordws tournament do {event.path} publish")
    found = state.last_round if number is None else get_round(state, number)
    assert found is not None
    _print_round(state, found, as_json=as_json)


@click.command("data")
@event_argument
@click.argument("name")
@json_option
def data(event: EventFile, name: str, as_json: bool) -> None:
    """Print everything that the file holds about one entrant, as JSON to hand over; with `--json` on one line.

    The words that they agreed to are in it, as agreed and agreed_wording.

    \b
    Example:
      ordws tournament data club.event "Ben Ode"
    """
    held = export_entrant(event.state, event.facts, find_entrant(event.state, name).number)
    click.echo(json.dumps(held, ensure_ascii=False, indent=None if as_json else 2))


def _print_round(state: TournamentState, played: RoundState, *, as_json: bool) -> None:

    def results(index: int) -> list[str | None]:
        games = played.pairings[index].games
        return [format_result(game.result) if game is not None and game.is_settled else None for game in games]

    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "table": each.table,
                "first": state.name_of(each.first),
                "second": state.name_of(each.second),
                "results": results(index),
            }
            for index, each in enumerate(played.pairings)
        ]
        bye = None if played.bye is None else state.name_of(played.bye)
        row = {"round": played.number, "status": played.status, "pairings": rows, "bye": bye}
        click.echo(json.dumps(row, ensure_ascii=False))
        return
    click.echo(f"round {played.number}, {played.status}")
    print_table(
        ("table", "first", "second", "result"),
        [
            (each.table, *map(state.name_of, each.entrants), ", ".join([text or "-" for text in results(index)]))
            for index, each in enumerate(played.pairings)
        ],
        right=(0,),
    )
    if played.bye is not None:
        click.echo(f"bye: {state.name_of(played.bye)}")
    if played.absent:
        click.echo(f"not paired: {', '.join([state.name_of(each) for each in played.absent])}")


@click.command("season")
@click.argument("season_file", metavar="SEASON", type=click.Path(path_type=Path))
@click.argument("quarter", type=int)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print those who are invited as CSV, which import takes.")
def season(season_file: Path, quarter: int, as_json: bool, as_csv: bool) -> None:
    """Show who is invited to the final of a quarter, by rank, and who is passed over and why.

    SEASON is a small file that you write, beside those of its events: docs/tournaments.md 12 shows one.

    The JSON is an array with rank, name, status (invited, declined, other-final, absent) and case_open.

    \b
    Example:
      ordws tournament season 2027.toml 1
      ordws tournament season 2027.toml 1 --csv | ordws tournament import spring-final.db -
    """
    read = open_season(season_file)
    found = invitations(read, quarter, open_quarter(season_file, read, quarter))
    if as_json:
        click.echo(json.dumps([each.to_json() for each in found], ensure_ascii=False))
    elif as_csv:
        invited = [each for each in found if each.status == "invited"]
        columns = 2 if any(each.member for each in invited) else 1
        rows = [("name", "member"), *[(each.name, each.member) for each in invited]]
        click.echo(write_csv([row[:columns] for row in rows]), nl=False)
    else:
        print_table(("rank", "name", ""), [(each.rank, each.name, each.describe()) for each in found], right=(0,))
