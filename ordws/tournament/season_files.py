"""The files of a season: the season itself in TOML, and the events beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ordws.errors import BadInput, Missing
from ordws.tournament.season import Season, read_season
from ordws.tournament.state import TournamentState
from ordws.tournament.store import EventFile


def open_season(path: Path) -> Season:
    """Return the season of a file; raise Missing without the file, BadInput for one that is no season."""
    try:
        return read_season(path.read_text("utf-8"), file=str(path))
    except FileNotFoundError:
        raise Missing(f'there is no season "{path}"', hint="docs/tournaments.md 12 shows one") from None
    except UnicodeDecodeError:
        raise BadInput(f'"{path}" is no season: it is not in UTF-8') from None


def open_quarter(path: Path, season: Season, number: int) -> dict[str, TournamentState]:
    """Return the states of the events that decide who is invited to a quarter's final, by their names in the season.

    Files are beside that of the season. A final that has no file yet, or one of another owner than its quarter's event,
    has no entrants; raises Missing if the quarter's event has none.
    """
    event = season.get_quarter(number).event
    states = {event: _read_event(path.parent / event)}
    for at, quarter in enumerate(season.quarter, 1):
        if quarter.final and at != number:
            both = path.parent / quarter.event, path.parent / quarter.final
            there = [_read_event(each) if each.exists() else TournamentState() for each in both]
            owners = [each.operators[:1] for each in there]
            states[quarter.final] = there[1] if owners[1] in ((), owners[0]) else TournamentState()
    return states


def find_seasons(event: Path) -> list[tuple[Path, Season, int]]:
    """Return the seasons beside an event's file that name it, each with its file and the number of the quarter."""
    return [
        (path, season, number)
        for path, season in read_seasons(event.parent)
        for number, quarter in enumerate(season.quarter, 1)
        if event.name in (quarter.event, quarter.final)
    ]


def read_seasons(folder: Path) -> Iterator[tuple[Path, Season]]:
    """Yield the seasons of a folder, each with its file."""
    for path in sorted(folder.glob("*.toml")):
        try:
            yield path, open_season(path)
        except (BadInput, Missing):  # a file of something else
            continue


def _read_event(path: Path) -> TournamentState:
    with closing(EventFile.open(path)) as file:
        return file.state
