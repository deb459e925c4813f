"""A season: on-line events, each with a final to which its top finishers are invited (docs/rules.md 10.6).

A season is a small file in TOML, written by hand, that names the files of its events beside it; these say who is
invited.

    name = "2027"
    seats = 64

    [[quarter]]
    event = "spring.db"
    final = "spring-final.db"
    declined = ["Ann Ode"]
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from ordws.errors import BadInput, Missing
from ordws.tournament.names import find_entrant, name_key
from ordws.tournament.prizes import has_stayed
from ordws.tournament.standings import standings
from ordws.tournament.state import TournamentState
from ordws.tournament.store import EventFile

MOST_SEATS: Final = 100_000

FinalInvitationStatus: TypeAlias = Literal["invited", "declined", "other-final", "absent"]
"""`other-final`: takes part in another final of the year. `absent`: was there for too few rounds."""


class SeasonQuarter(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An on-line event and its final, by their files, and who has declined the invitation."""

    event: str
    final: str = ""
    declined: tuple[str, ...] = ()


class Season(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A year of events; `seats` is how many players each final invites."""

    name: str
    seats: int
    quarter: tuple[SeasonQuarter, ...] = ()

    def get_quarter(self, number: int) -> SeasonQuarter:
        """Return a quarter by its number from 1; raise BadInput if there is none."""
        if not 1 <= number <= len(self.quarter):
            there = f"its quarters are 1 to {len(self.quarter)}" if self.quarter else "it has no quarter"
            raise BadInput(f'the season "{self.name}" has no quarter {number}: {there}')
        return self.quarter[number - 1]


class FinalInvitation(NamedTuple):
    """A finisher of an on-line event, and whether there is a seat; the prize is held while a case is open."""

    rank: int
    name: str
    status: FinalInvitationStatus
    has_open_case: bool
    member: str = ""
    """The member number, for the list from which the final is entered; it is shown nowhere."""

    def describe(self) -> str:
        """Return in words whether the player is invited, and why not."""
        words = {
            "invited": "invited",
            "declined": "has declined",
            "other-final": "takes part in another final of the year",
            "absent": "was there for too few rounds",
        }[self.status]
        return f"{words}; a prize would be held while a case is open" if self.has_open_case else words

    def to_json(self) -> dict[str, object]:
        """Return the line as `ordws tournament season --json` prints it."""
        return {"rank": self.rank, "name": self.name, "status": self.status, "case_open": self.has_open_case}


def invitations(season: Season, number: int, events: Mapping[str, TournamentState]) -> list[FinalInvitation]:
    """Return the finishers of a quarter's event down to the last one invited, in order of rank.

    A player takes part in one final a year: whoever has entered another final of the season is passed over, and the
    next in rank is invited. Those who share the rank of the last seat are all invited, since nothing but win % and PPT
    breaks a tie. `events` are the states by the file names of the season. Players of different events are the same
    person if they have the same name, and not two different member numbers.

    Raises BadInput if the quarter's event is not finished, or if somebody has declined who did not enter it.
    """
    quarter = season.get_quarter(number)
    event = events[quarter.event]
    if not event.is_finished:
        raise BadInput(f'the event "{event.event.name}" is not finished, so nobody is invited yet')
    finals = [each.final for at, each in enumerate(season.quarter, 1) if each.final and at != number]
    members_elsewhere: dict[str, set[str]] = defaultdict(set)
    for final in finals:
        for entrant in events[final].entrants.values():
            if entrant.status != "withdrawn" and not entrant.erased:
                members_elsewhere[name_key(entrant.name)].add(entrant.member)
    declined = {find_entrant(event, name).number for name in quarter.declined}
    stayed = has_stayed(event)
    found: list[FinalInvitation] = []
    seats, last_rank = season.seats, 0
    for line in standings(event):
        if seats <= 0 and line.rank != last_rank:
            break
        entrant = event.entrants[line.entrant]
        if entrant.erased:
            continue
        elsewhere = members_elsewhere.get(name_key(line.name), set())
        status: FinalInvitationStatus = (
            "other-final"
            if elsewhere and (not entrant.member or elsewhere & {"", entrant.member})
            else "declined"
            if line.entrant in declined
            else "absent"
            if line.entrant not in stayed
            else "invited"
        )
        found.append(FinalInvitation(line.rank, line.name, status, bool(entrant.cases), entrant.member))
        if status == "invited":
            seats -= 1
            last_rank = line.rank
    return found


def read_season(text: str, *, file: str = "the season") -> Season:
    """Return the season of a TOML text; raise BadInput, which names the file, if it is none."""
    try:
        season = msgspec.convert(tomllib.loads(text), Season)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as fault:
        raise BadInput(f"{file}: {fault}") from None
    if not 1 <= season.seats <= MOST_SEATS:
        raise BadInput(f"{file}: {season.seats} seats: expected 1 to {MOST_SEATS:,}")
    return season


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
