"""The commands of `ordws tournament` about entrants."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordws.cli.tournament.event import (
    EventSender,
    F,
    director_options,
    file_argument,
    json_option,
    open_event,
    print_note,
)
from ordws.errors import BadInput

if TYPE_CHECKING:
    from ordws.tournament.commands import CheckIn, CheckOut, Return, Withdraw
    from ordws.tournament.state import EntrantStatus, TournamentState
    from ordws.tournament.store import EventFile

names_argument = click.argument("names", nargs=-1, metavar="NAME...")


def all_option(text: str) -> Callable[[F], F]:
    """Return the option `--all`, passed to the command as `everybody`."""
    return click.option("--all", "everybody", is_flag=True, help=text)


@click.command("enter")
@file_argument
@names_argument
@click.option("--club", default="", metavar="NAME", help="Their club.")
@click.option("--minor", is_flag=True, help="They are under age.")
@click.option("--member", default="", metavar="NUMBER", help="A number that one player keeps from event to event.")
@director_options
def enter(
    file: Path,
    names: tuple[str, ...],
    club: str,
    minor: bool,
    member: str,
    sender: EventSender,
) -> None:
    """Enter players by NAME; "-" reads names from standard input, one a line. All are entered, or none.

    \b
    Example:
      ordws tournament enter club.event "Ann Lee" "Ben Ode"
    """
    from ordws.tournament.commands import Enter
    from ordws.tournament.names import find_doubles

    typed = [line for name in names for line in (sys.stdin.read().splitlines() if name == "-" else [name])]
    wanted = [name for name in typed if name.strip()]
    if not wanted:
        raise BadInput("no names were given", hint='ordws tournament enter FILE "Ann Lee" "Ben Ode"')
    if member and len(wanted) > 1:
        raise BadInput("a member number is that of one player", hint="enter them one by one, or import a CSV file")
    with open_event(file) as event:
        before = {*event.state.entrants}
        commands = [
            Enter(name=name, club=club, minor=minor, member=member, expected=sender.expected) for name in wanted
        ]
        added = sender.apply(event, commands)
        sender.show(event, added)
        new = {each.name for number, each in event.state.entrants.items() if number not in before}
        for one, other in find_doubles(event.state) if new else ():
            if new & {one, other}:
                print_note(f'"{one}" and "{other}" are much alike: if they are one person, undo, or withdraw one')
        if event.state.open_round is not None and added:
            print_note("a round is being played: check them in for the next; who has the bye may play one with: late")


@click.command("rename")
@file_argument
@click.argument("name")
@click.argument("new_name", required=False, metavar="[NEW_NAME]")
@click.option("--club", metavar="NAME", help="The club.")
@click.option("--minor/--adult", default=None, help="Under age, or not.")
@click.option("--member", metavar="NUMBER", help='The member number; "" takes it away.')
@director_options
def rename(
    file: Path,
    name: str,
    new_name: str | None,
    club: str | None,
    minor: bool | None,
    member: str | None,
    sender: EventSender,
) -> None:
    """Put the name of an entrant right, the club or the member number.

    A member number counts for games from the next round on.

    \b
    Example:
      ordws tournament rename club.event "An Lee" "Ann Lee"
    """
    from ordws.tournament.commands import Rename
    from ordws.tournament.names import find_entrant

    if new_name is None and club is None and minor is None and member is None:
        raise BadInput("nothing to change was given", hint="name the new name, --club, --minor, --adult or --member")
    sender.change(
        file,
        lambda event: [
            Rename(
                entrant=find_entrant(event.state, name).number,
                name=new_name,
                club=club,
                minor=minor,
                member=member,
                expected=sender.expected,
            )
        ],
    )


@click.command("agree")
@file_argument
@names_argument
@all_option("Everybody who has not agreed yet.")
@director_options
def agree(
    file: Path,
    names: tuple[str, ...],
    everybody: bool,
    sender: EventSender,
) -> None:
    """Record that entrants accepted the conditions that are in force, for instance on paper.

    \b
    Example:
      ordws tournament agree club.event "Ann Lee"
    """
    from ordws.tournament.commands import Agree
    from ordws.tournament.consent import current_consent

    wording = current_consent()

    def commands(event: EventFile) -> Sequence[Agree]:
        numbers = _chosen(event.state, names, everybody, ("entered", "present"))
        return [
            Agree(entrant=number, version=wording.version, digest=wording.digest, expected=sender.expected)
            for number in numbers
        ]

    sender.change(file, commands)


def attendance_options(command: F) -> F:
    """Add the arguments and options of the commands that say who is there."""
    return file_argument(names_argument(director_options(command)))


@click.command("check-in")
@attendance_options
@all_option("Everybody who has not withdrawn.")
def check_in(file: Path, names: tuple[str, ...], everybody: bool, **options: Any) -> None:
    """Say who is present: who is not checked in is not paired.

    \b
    Example:
      ordws tournament check-in club.event --all
    """
    from ordws.tournament.commands import CheckIn

    _change_attendance(file, names, everybody, ("entered", "present"), CheckIn, **options)
    with open_event(file) as event:
        there, rounds = len(event.state.present), event.state.rounds_planned
        expected = sum(each.status != "withdrawn" for each in event.state.entrants.values())
    if not event.state.rounds and rounds >= there == expected:
        print_note(f"{rounds} rounds are more than {there} players have opponents: some will meet twice")


@click.command("check-out")
@attendance_options
@all_option("Everybody who is present.")
def check_out(file: Path, names: tuple[str, ...], everybody: bool, **options: Any) -> None:
    """Say who is not present for the next round; a later check-in brings them back.

    \b
    Example:
      ordws tournament check-out club.event "Ben Ode"
    """
    from ordws.tournament.commands import CheckOut

    _change_attendance(file, names, everybody, ("present",), CheckOut, **options)


@click.command("withdraw")
@attendance_options
@click.option("--reason", default="", metavar="TEXT", help="The reason, which can be erased later.")
def withdraw(file: Path, names: tuple[str, ...], reason: str, **options: Any) -> None:
    """Take entrants out of the event. Their games stay, and count for their opponents.

    \b
    Example:
      ordws tournament withdraw club.event "Ben Ode" --reason "fell ill"
    """
    from ordws.tournament.commands import Withdraw

    _change_attendance(file, names, False, (), Withdraw, reason=reason, **options)


@click.command("return")
@attendance_options
def take_back(file: Path, names: tuple[str, ...], **options: Any) -> None:
    """Take entrants back who had withdrawn; they are present for the next round.

    \b
    Example:
      ordws tournament return club.event "Ben Ode"
    """
    from ordws.tournament.commands import Return

    _change_attendance(file, names, False, (), Return, **options)


@click.command("data")
@file_argument
@click.argument("name")
@json_option
def data(file: Path, name: str, as_json: bool) -> None:
    """Print everything that the file holds about one entrant, as JSON to hand over; with `--json` on one line.

    \b
    Example:
      ordws tournament data club.event "Ben Ode"
    """
    from ordws.tournament.names import find_entrant
    from ordws.tournament.personal_data import export_entrant

    with open_event(file) as event:
        held = export_entrant(event.state, event.facts, find_entrant(event.state, name).number)
    click.echo(json.dumps(held, ensure_ascii=False, indent=None if as_json else 2))


@click.command("erase")
@file_argument
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@director_options
def erase(
    file: Path,
    name: str,
    yes: bool,
    sender: EventSender,
) -> None:
    """Erase an entrant's name, club, member number and all reasons that concern them: a number and the results stay.

    Copies and backups of the file that were made before still hold them.

    \b
    Example:
      ordws tournament erase club.event "Ben Ode"
    """
    from ordws.tournament.commands import Erase
    from ordws.tournament.names import find_entrant

    with open_event(file) as event:
        entrant = find_entrant(event.state, name)
    if not yes:
        click.confirm(f'Erase the data of "{entrant.name}" for good?', abort=True, err=True)
    sender.change(file, lambda _: [Erase(entrant=entrant.number, expected=sender.expected)])


def _chosen(
    state: TournamentState, names: Sequence[str], everybody: bool, statuses: Sequence[EntrantStatus]
) -> list[int]:
    """Return the numbers of the entrants who are named, or of everybody with one of these statuses."""
    from ordws.tournament.names import find_entrant

    if bool(names) == everybody:
        if names:
            raise BadInput("names and --all exclude each other")
        raise BadInput("no names were given", hint="--all is for everybody" if statuses else "name the entrants")
    if everybody:
        return [number for number, each in state.entrants.items() if each.status in statuses]
    return [find_entrant(state, name).number for name in names]


def _change_attendance(
    file: Path,
    names: tuple[str, ...],
    everybody: bool,
    statuses: Sequence[EntrantStatus],
    make: type[CheckIn | CheckOut | Withdraw | Return],
    *,
    sender: EventSender,
    **fields: str,
) -> None:
    with open_event(file) as event:
        numbers = _chosen(event.state, names, everybody, statuses)
        commands = [make(entrant=number, expected=sender.expected, **fields) for number in numbers]
        sender.show(event, sender.apply(event, commands))
        played = event.state.open_round
        if played is None:
            return
        for number in numbers:
            pairing, name = played.of_entrant(number), event.state.name_of(number)
            leaves = event.state.entrants[number].status != "present"
            if leaves and pairing is not None and not pairing.is_complete:
                print_note(f"{name} has a game in round {played.number}, at table {pairing.table}: key in its result")
            elif not leaves and pairing is None and played.bye is not None and played.bye != number:
                bye = event.state.entrants[played.bye]
                if bye.status == "present":
                    offer = f"{bye.name} has the bye, and may be played with: late"
                    print_note(f"{name} is not in round {played.number}; {offer}")
