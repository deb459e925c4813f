"""`ordws cases flags`, `open`, `record`, `hold` and `notice`: a case from its flag to the letter to the player.

The letter needs a rate of false flags, and a page that the player can reach.
"""

from __future__ import annotations

import json
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from ordws.cases.commands import add_exhibit, give_notice, hold_prize
from ordws.cases.event_prizes import entrants_of_player, find_entrant, is_entrant_minor
from ordws.cases.exhibits import (
    OFFENCE_OF_KIND,
    Figures,
    PeriodFigures,
    figures_exhibit,
    read_figures,
    read_record,
    record_exhibit,
)
from ordws.cases.facts import Opened
from ordws.cases.letters import KEPT_CODE, NoticeParts, write_notice
from ordws.cases.state import CaseState
from ordws.cases.store import CaseSubject
from ordws.cli import format_utc, instance_option
from ordws.cli.cases.keeper import Keeper, as_keeper, find_rehearsal, open_keeper, pages_address
from ordws.errors import BadInput, Missing, OrdwsError
from ordws.fairplay.flags import Flag, RaisedFlag, open_flags, rate_in_words, read_false_flags
from ordws.frame.sessions import new_code
from ordws.instance import Instance
from ordws.listeners import is_loopback
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


@click.command("notice")
@click.argument("case")
@click.option(
    "--contact", required=True, metavar="TEXT", help="Whom the player may ask: a name, and an address or a telephone."
)
@click.option("--url", metavar="URL", help="The player's page in browsers [default: where ordws cases serve last ran].")
@as_keeper
def notice_command(kept: Keeper, case: str, contact: str, url: str | None) -> None:
    """Give the player notice: print the letter, with a code that is shown only this once. 14 days run from now.

    The letter says how often honest players are flagged. Where no figure holds for the honest forms in force, and
    where the player's page is on this machine alone, no notice goes out.

    \b
    Example:
      ordws cases notice 2026-1 --contact "Kay, fair@example.org" > letter.txt
    """
    state = kept.files.find(case)
    parts = _gather(kept, state, url or pages_address(kept.instance), contact)
    code = new_code()
    kept_letter = write_notice(state, parts, KEPT_CODE, kept.now)
    kept.take(case, lambda now: give_notice(now, kept_letter, kept.files.digest_code(code), kept.now))
    click.echo(write_notice(state, parts, code, kept.now), nl=False)


def _gather(keeper: Keeper, state: CaseState, url: str, contact: str) -> NoticeParts:
    """Return the parts of the letter; raise BadInput where one that the player needs is missing."""
    if is_loopback(url) and find_rehearsal() is None:
        raise BadInput(f'"{url}" is on this machine alone, and the player cannot answer there', hint="--url URL")
    if not contact.strip():
        raise BadInput("the letter needs somebody whom the player may ask", hint="--contact TEXT")
    files = keeper.files
    newest = [each.digest for each in state.exhibits if each.kind == "figures"][-1]
    figures = read_figures(files.exhibit(newest))
    return NoticeParts(
        pseudonym=files.subject(state).pseudonym,
        figures=figures,
        records=[read_record(files.exhibit(each.digest)) for each in state.exhibits if each.kind == "record"],
        rate=_find_rate(keeper.instance, figures),
        address=f"{url.rstrip('/')}/answer",
        contact=contact.strip(),
    )


def _find_rate(instance: Instance, figures: Figures) -> str:
    """Return the rate of false flags behind the figures of a case; raise BadInput where none holds here."""
    # Needs numpy, which a host that only reads flags may lack.
    from ordws.fairplay.forms import read_forms

    flag = RaisedFlag(figures.kind, figures.forms, figures.flag_turns, figures.threshold)
    forms = read_forms(instance.fairplay_forms)
    return rate_in_words(flag, read_false_flags(instance.fairplay_false_flags), forms.version)
