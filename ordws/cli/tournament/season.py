"""`ordws tournament season`: who is invited to the finals of a year of on-line events."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ordws.cli.tournament.event import json_option, print_table
from ordws.tournament.exchange.tables import write_csv
from ordws.tournament.season import invitations
from ordws.tournament.season_files import open_quarter, open_season


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
