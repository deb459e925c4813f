"""`ordws cases flags`, `open`, `record` and `hold`."""

from __future__ import annotations

import json
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from ordws.cases.commands import add_exhibit, hold_prize
from ordws.cases.event_prizes import entrants_of_player, find_entrant, is_entrant_minor
from ordws.cases.facts import Opened
from ordws.cases.figures import OFFENCE_OF_KIND, Figures, PeriodFigures, figures_exhibit
from ordws.cases.records import record_exhibit
from ordws.cases.state import CaseState
from ordws.cases.store import CaseSubject
from ordws.cli import instance_option
from ordws.cli.cases.keeper import Keeper, as_keeper, open_keeper
from ordws.cli.output import format_utc
from ordws.errors import Missing, OrdwsError
from ordws.fairplay.flags import Flag, open_flags
from ordws.referee.results import Results
from ordws.referee.stores.sqlite import SqliteResultStore
from ordws.retention import FAIR_PLAY
from ordws.row_cipher import open_key

_holds_option = click.option(
    "--hold",
    "holds",
    nargs=2,
    multiple=True,
    metavar="EVENT NAME",
    help="Hold the prizes of the entrant NAME of an event: its name here, or its file. May be repeated.",
)


@click.command("flags")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
def flags_command(as_json: bool, instance: str | None) -> None:
    """List the flags of players who have no case since: a flag decides nothing.

    The JSON has flag, player, kind, milestone, games, calibrated and raised.

    \b
    Example:
      ordws cases flags
    """
    with open_keeper(instance) as keeper:
        for flag in _flags_to_take_up(keeper):
            line = {
                "flag": flag.number,
                "player": flag.player,
                "kind": flag.kind,
                "milestone": flag.milestone,
                "games": flag.games,
                "calibrated": flag.calibrated,
                "raised": format_utc(flag.raised),
            }
            words = [str(line[name]) for name in ("flag", "raised", "kind", "milestone", "player")]
            click.echo(json.dumps(line) if as_json else "  ".join(words + ["uncalibrated"] * (not flag.calibrated)))


@click.command("open")
@click.argument("flag", type=int)
@click.option("--pseudonym", required=True, metavar="NAME", help="The name under which the player played.")
@click.option("--minor", is_flag=True, help="The player is under age, or may be.")
@_holds_option
@as_keeper
def open_command(kept: Keeper, flag: int, pseudonym: str, minor: bool, holds: tuple[tuple[str, str], ...]) -> None:
    """Open a case on FLAG, a number of `ordws cases flags`, with the player's figures as its evidence.

    Prizes of the installation's own events in which the player was paired within 400 days are held by themselves,
    those of other events by --hold. An entrant who is under age in one of these events is under age in the case.

    \b
    Example:
      ordws cases open 3 --pseudonym Finch --hold autumn-open Finch
    """
    found = next((each for each in _flags_to_take_up(kept) if each.number == flag), None)
    if found is None:
        raise Missing(f"there is no flag {flag} without a case", hint="ordws cases flags")
    entrants = {(event, find_entrant(kept.locate_event(event), name)) for event, name in holds}
    path, since = kept.instance.players_key, kept.now - FAIR_PLAY.seconds
    players_key = open_key(path) if path.exists() else None
    for path in sorted(kept.instance.tournaments.glob("*.db")):
        try:
            behind = entrants_of_player(path, found.player, players_key, since)
        except OrdwsError as error:  # an event that cannot be read keeps nobody from opening a case
            click.echo(f'ordws: warning: "{path.name}" was not searched for the player: {error}', err=True)
            continue
        entrants |= {(path.stem, number) for number in behind}
    is_minor = minor or any(is_entrant_minor(kept.locate_event(event), number) for event, number in entrants)
    state = open_on_flag(kept, found, pseudonym, is_minor=is_minor)
    for event, number in sorted(entrants):
        kept.files.take(state.case, partial(hold_prize, event=event, entrant=number), kept.name, kept.now)
    kept.update()
    click.echo(state.case)


@click.command("record")
@click.argument("case")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--player", required=True, metavar="NICK", help="The nick, or the number, of the player in the record.")
@click.option("--game", metavar="ID", help="The sealed game: the record has to be the one its result has a digest of.")
@as_keeper
def record_command(kept: Keeper, case: str, file: Path, player: str, game: str | None) -> None:
    """Add the record of a game (GCG) to a case, as both players saw it, with their names left out.

    \b
    Example:
      ordws cases record 2026-1 game.gcg --player finch --game 5f0a...
    """
    expected = None
    if game:
        key = kept.instance.games_key.read_bytes()
        with closing(Results(SqliteResultStore(kept.instance.results), key)) as results:
            result = results.find(game)
        if result is None:
            raise Missing(
                f'there is no result of a game "{game}"',
                hint="docs/reference/settings.md says how long results are kept",
            )
        expected = result.record_digest
    exhibit = record_exhibit(file.read_bytes(), player, expected)
    kept.take(case, lambda state: add_exhibit(state, exhibit, kept.now))


@click.command("hold")
@click.argument("case")
@click.argument("event")
@click.argument("name")
@as_keeper
def hold_command(kept: Keeper, case: str, event: str, name: str) -> None:
    """Hold the prizes of the entrant NAME of EVENT, by its name here or its file, while the case is open.

    \b
    Example:
      ordws cases hold 2026-1 autumn-open Finch
    """
    entrant = find_entrant(kept.locate_event(event), name)
    kept.take(case, lambda state: hold_prize(state, event, entrant))


def _flags_to_take_up(keeper: Keeper) -> list[Flag]:
    """Return the flags that were raised after the newest case on their player and offence."""
    newest: dict[tuple[str, str], int] = {}
    for state in keeper.files.cases().values():
        try:
            newest[keeper.files.subject(state).player, state.offence] = state.opened_at
        except Missing:  # a case that led to nothing, whose names were erased
            continue
    flags = open_flags(keeper.instance)
    return [each for each in flags if newest.get((each.player, OFFENCE_OF_KIND[each.kind]), -1) < each.raised]


def open_on_flag(keeper: Keeper, flag: Flag, pseudonym: str, *, is_minor: bool) -> CaseState:
    """Open a case on a flag, with the player's figures in bands as its evidence; no prize is held yet."""
    # Needs numpy, which a host that only reads flags may lack.
    from ordws.fairplay.looks import evidence

    found = evidence(keeper.instance, flag.player, flag.threshold)
    figures = Figures(
        kind=flag.kind,
        milestone=found.counted,
        turns=found.turns,
        games=len(found.games),
        is_calibrated=found.calibrated,
        bands=found.bands,
        periods=tuple([PeriodFigures(*period) for period in found.periods]),
        forms=flag.forms,
        flag_turns=flag.milestone,
        threshold=flag.threshold,
    )
    return keeper.files.open_case(
        CaseSubject(flag.player, pseudonym),
        lambda subject: Opened(
            subject=subject,
            offence=OFFENCE_OF_KIND[flag.kind],
            is_minor=is_minor,
            is_calibrated=flag.calibrated and found.calibrated,
            first_game=found.first_ended,
            last_game=found.last_ended,
        ),
        figures_exhibit(figures),
        keeper.name,
        keeper.now,
    )
