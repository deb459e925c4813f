"""A season: on-line events, each with a final to which its top finishers are invited (docs/rules.md 10.6). Pure.

A season is a small file in TOML, written by hand, that names the files of its events; these say who is invited.

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
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from ordws.errors import BadInput
from ordws.tournament.names import find_entrant, name_key
from ordws.tournament.prizes import has_stayed
from ordws.tournament.standings import standings
from ordws.tournament.state import TournamentState

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
