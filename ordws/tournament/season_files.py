"""The files of a season: the season itself in TOML, and the events beside it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ordws.atomic_files import write_atomically
from ordws.errors import BadInput, Missing
from ordws.tournament.season import Season, read_season, write_season
from ordws.tournament.state import TournamentState
from ordws.tournament.store import EventFile


def open_season(path: Path) -> Season:
    """Return the season of a file; raise Missing without the file, BadInput for one that is no season."""
    try:
        return read_season(path.read_text("utf-8"), file=str(path))
    except FileNotFoundError:
        raise Missing(f'there is no season "{path}"', hint=f"ordws tournament season new {path} --seats N") from None
    except UnicodeDecodeError:
        raise BadInput(f'"{path}" is no season: it is not in UTF-8') from None


def save_season(path: Path, season: Season) -> None:
    """Write a season to its file."""
    write_atomically(path, write_season(season).encode())


def open_quarter(path: Path, season: Season, number: int) -> dict[str, TournamentState]:
    """Return the states of the events that decide who is invited to a quarter's final, by their names in the season.

    Files are beside that of the season. A final that has no file yet has no entrants; raises Missing if the quarter's
    event has none.
    """
    event = season.get_quarter(number).event
    finals = {each.final for at, each in enumerate(season.quarter, 1) if each.final and at != number}
    states = {name: TournamentState() for name in finals}
    for name in {event, *[final for final in finals if (path.parent / final).exists()]}:
        with closing(EventFile.open(path.parent / name)) as file:
            states[name] = file.state
    return states


def find_seasons(event: Path) -> list[tuple[Path, Season, int]]:
    """Return the seasons beside an event's file that name it, each with its file and the number of the quarter."""
    found = []
    for path in sorted(event.parent.glob("*.toml")):
        try:
            season = open_season(path)
        except (BadInput, Missing):  # a file of something else
            continue
        found += [
            (path, season, number)
            for number, quarter in enumerate(season.quarter, 1)
            if event.name in (quarter.event, quarter.final)
        ]
    return found
