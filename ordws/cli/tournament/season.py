"""`ordws tournament season`: a year of on-line events, and who is invited to their finals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

from ordws.cli.tournament.event import json_option, print_table
from ordws.errors import BadInput
from ordws.tournament.counts import count_of
from ordws.tournament.exchange.tables import write_csv
from ordws.tournament.names import find_entrant, name_key
from ordws.tournament.season import Season, SeasonQuarter, read_season, write_season
from ordws.tournament.season import invitations as invite
from ordws.tournament.season_files import open_quarter, open_season, save_season

season_argument: Final = click.argument("season_file", metavar="SEASON", type=click.Path(path_type=Path))
quarter_argument: Final = click.argument("quarter", type=int)


@click.group("season")
def season() -> None:
    """Keep a season: on-line events, each with a final in person to which its top finishers are invited.

    A season is a small file beside those of its events. A player takes part in one final a year.

    \b
    Example:
      ordws tournament season new 2027.toml --seats 32
      ordws tournament season add 2027.toml spring.db --final spring-final.db
      ordws tournament season invitations 2027.toml 1
    """


@season.command("new")
@season_argument
@click.option("--seats", type=int, required=True, metavar="N", help="How many players each final invites.")
@click.option("--name", metavar="TEXT", help="The name of the season [default: that of the file].")
@json_option
def new(season_file: Path, seats: int, name: str | None, as_json: bool) -> None:
    """Begin a season in a new file.

    The JSON has season and seats.

    \b
    Example:
      ordws tournament season new 2027.toml --seats 32
    """
    if season_file.exists():
        raise BadInput(f'"{season_file}" exists already', hint="name another file")
    made = read_season(write_season(Season(name if name is not None else season_file.stem, seats)))
    save_season(season_file, made)
    said = f"the season {made.name} of {count_of(made.seats, 'seat', 'seats')} a final was begun"
    click.echo(_as_line({"season": made.name, "seats": made.seats}) if as_json else said)


@season.command("add")
@season_argument
@click.argument("event")
@click.option("--final", default="", metavar="FILE", help="The file of its final, now or later.")
@json_option
def add(season_file: Path, event: str, final: str, as_json: bool) -> None:
    """Add an on-line event as the next quarter, or name the final of one that is there.

    Files are named as they stand beside that of the season.

    The JSON has quarter, event and final, null where it has none yet.

    \b
    Example:
      ordws tournament season add 2027.toml spring.db --final spring-final.db
    """
    season = open_season(season_file)
    for name in (event, final):
        if Path(name).name != name:
            raise BadInput(
                f'"{name}" is not beside "{season_file}"', hint="move it there, and name it without a folder"
            )
    if not (season_file.parent / event).exists():
        raise BadInput(f'there is no event "{event}" beside "{season_file}"')
    places = [each.event for each in season.quarter]
    number = places.index(event) + 1 if event in places else len(places) + 1
    before = season.quarter[number - 1] if event in places else SeasonQuarter(event)
    added = SeasonQuarter(event, final or before.final, before.declined)
    save_season(season_file, season.with_quarter(number, added))
    row = {"quarter": number, "event": event, "final": added.final or None}
    click.echo(_as_line(row) if as_json else f"quarter {number}: {event}, final {added.final or 'not named yet'}")


@season.command("invitations")
@season_argument
@quarter_argument
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print those who are invited as CSV, which import takes.")
def invitations(season_file: Path, quarter: int, as_json: bool, as_csv: bool) -> None:
    """Show who is invited to the final of a quarter, by rank, and who is passed over and why.

    The JSON is an array with rank, name, status (invited, declined, other-final, absent) and case_open.

    \b
    Example:
      ordws tournament season invitations 2027.toml 1 --csv | ordws tournament import spring-final.db -
    """
    season = open_season(season_file)
    found = invite(season, quarter, open_quarter(season_file, season, quarter))
    if as_json:
        click.echo(_as_line([each.to_json() for each in found]))
    elif as_csv:
        invited = [each for each in found if each.status == "invited"]
        columns = 2 if any(each.member for each in invited) else 1
        rows = [("name", "member"), *[(each.name, each.member) for each in invited]]
        click.echo(write_csv([row[:columns] for row in rows]), nl=False)
    else:
        print_table(("rank", "name", ""), [(each.rank, each.name, each.describe()) for each in found], right=(0,))


@season.command("decline")
@season_argument
@quarter_argument
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--take-back", is_flag=True, help="They come after all.")
@json_option
def decline(season_file: Path, quarter: int, names: tuple[str, ...], take_back: bool, as_json: bool) -> None:
    """Note that players decline an invitation, so that the next in rank are invited.

    The JSON has quarter and declined, all names of that quarter.

    \b
    Example:
      ordws tournament season decline 2027.toml 1 "Ann Lee"
    """
    season = open_season(season_file)
    before = season.get_quarter(quarter)
    event = open_quarter(season_file, season, quarter)[before.event]
    named = {name_key(each): each for each in [find_entrant(event, name).name for name in names]}
    kept = [name for name in before.declined if name_key(name) not in named]
    declined = tuple(kept if take_back else [*kept, *named.values()])
    save_season(season_file, season.with_quarter(quarter, SeasonQuarter(before.event, before.final, declined)))
    said = f"declined for quarter {quarter}: {', '.join(declined) or 'nobody'}"
    click.echo(_as_line({"quarter": quarter, "declined": declined}) if as_json else said)


def _as_line(row: object) -> str:
    return json.dumps(row, ensure_ascii=False)
