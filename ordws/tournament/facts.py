"""The facts of an event, of a closed list of kinds; everything else about the event is derived from them. Pure.

Entrants are numbered from 1 in the order in which they entered, rounds and tables from 1. A round that was voided is
drawn again under the same number. Names, clubs and reasons may be erased later: `PERSONAL` lists these fields, which a
fact holds as empty after that.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

ForfeitedBy: TypeAlias = Literal["first", "second", "both"]
"""The side of a pairing that did not play, as the pairing names first and second."""

OneSide: TypeAlias = Literal["first", "second"]
ResultSource: TypeAlias = Literal["director", "player", "game", "station"]
"""The origin of a result: keyed in by a director, claimed by a player, or told by a sealed game or a table station."""

PairKind: TypeAlias = Literal["forbid", "together"]


class SideResult(NamedTuple):
    """One side of a game: the final score, and the points and number of its turns (docs/rules.md 10.7, A-44)."""

    score: int
    points: int
    turns: int


class TableResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one game of a pairing: both sides, or the side that forfeited it.

    `first` and `second` are the pairing's, in its second game too, which the second player begins. `resigned` names the
    side that gave up after it had made a turn, and lost whatever the score; `time_up` the side whose time was used up
    while the other played on (docs/rules.md 8.2).
    """

    first: SideResult | None = None
    second: SideResult | None = None
    forfeit: ForfeitedBy | None = None
    resigned: OneSide | None = None
    time_up: OneSide | None = None


class EventPairing(NamedTuple):
    """Two entrants at one table; the first begins the first game."""

    table: int
    first: int
    second: int


class EventSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings of an event that may be changed while it runs; amounts of money are in hundredths.

    An `automatic` event closes, draws and publishes its rounds without a director. `forfeit_minutes` is the time after
    which an on-line game that a player has not begun is forfeited. Of the entry fees, `fee_percent` goes to the prizes,
    beside `prize_fund`; of the prizes, `equal_percent` is shared equally, the rest by rank.
    """

    on_line: bool = False
    automatic: bool = False
    consent_required: bool = False
    forfeit_minutes: int = 10
    unplayed_tiles_round: bool = False
    pairing: str = "average"
    """One of `PAIRING_METHODS`."""

    entry_fee: int = 0
    prize_fund: int = 0
    fee_percent: int = 0
    equal_percent: int = 50
    currency: str = ""


class _FactBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """The base of all kinds of facts, which are written as a JSON object with the name of the kind."""


class Created(_FactBase, frozen=True, tag="created"):
    """An event begins. All chance in its draws follows from `seed`."""

    name: str
    rules: str
    rounds: int
    seed: int
    games_a_round: int = 1
    options: tuple[str, ...] = ()
    """Options of the rule set as NAME=VALUE."""

    settings: EventSettings = EventSettings()
    prize_days: int = 60
    """The days after the end of an on-line event for which all its prizes are pending: time to look at flags."""

    owner: str = ""
    """The operator whose desk made it; empty for one that was made without an operator's key."""


class OperatorsNamed(_FactBase, frozen=True, tag="operators-named"):
    """The operators who may direct the event on a desk of several, by the names of the word judge's register."""

    owner: str
    directors: tuple[str, ...] = ()


class Configured(_FactBase, frozen=True, tag="configured"):
    """The number of rounds, the settings or the name of the event change; an empty name leaves it as it is."""

    rounds: int
    settings: EventSettings
    name: str = ""


class Entered(_FactBase, frozen=True, tag="entered"):
    """A player enters, under the next number; `minor` marks a player under age, of whom nothing more is kept.

    `member` is a number of theirs that stays the same from event to event, such as that of a league or a club.
    """

    entrant: int
    name: str
    minor: bool = False
    club: str = ""
    member: str = ""


class Renamed(_FactBase, frozen=True, tag="renamed"):
    """The name, the club or the member number of an entrant is put right."""

    entrant: int
    name: str
    minor: bool = False
    club: str = ""
    member: str = ""


class Erased(_FactBase, frozen=True, tag="erased"):
    """An entrant's name, club, member number and the reasons that concern them are erased; the results stay."""

    entrant: int


class CheckedIn(_FactBase, frozen=True, tag="checked-in"):
    """An entrant is present, and is paired from the next draft on."""

    entrant: int


class CheckedOut(_FactBase, frozen=True, tag="checked-out"):
    """An entrant is not present, and is paired again after the next check-in."""

    entrant: int


class Withdrawn(_FactBase, frozen=True, tag="withdrawn"):
    """An entrant leaves the event; the games played stay."""

    entrant: int
    reason: str = ""


class Returned(_FactBase, frozen=True, tag="returned"):
    """An entrant who had withdrawn is back, and present."""

    entrant: int


class Agreed(_FactBase, frozen=True, tag="agreed"):
    """An entrant accepts the conditions of the event: the version of the text, and its SHA-256."""

    entrant: int
    version: str
    digest: str


class Frozen(_FactBase, frozen=True, tag="frozen"):
    """No prize is paid to an entrant while a case is open."""

    entrant: int
    case: str


class Unfrozen(_FactBase, frozen=True, tag="unfrozen"):
    """The case is closed, and the prize may be paid."""

    entrant: int
    case: str


class CodeIssued(_FactBase, frozen=True, tag="code-issued"):
    """An entrant has a new entry code, of which only a keyed digest is kept; earlier codes are void."""

    entrant: int
    digest: str


class Constrained(_FactBase, frozen=True, tag="constrained"):
    """Two entrants may not meet, or have to meet in the next draft; `round` limits that to the draft of one round."""

    a: int
    b: int
    constraint: PairKind
    reason: str = ""
    round: int | None = None


class Unconstrained(_FactBase, frozen=True, tag="unconstrained"):
    """The constraints on two entrants end."""

    a: int
    b: int


class Published(_FactBase, frozen=True, tag="published"):
    """A round is drawn and made known; it never changes silently. `absent` were not paired."""

    round: int
    pairings: tuple[EventPairing, ...]
    bye: int | None = None
    absent: tuple[int, ...] = ()


class PairedLate(_FactBase, frozen=True, tag="paired-late"):
    """An entrant who came after the draw plays the one who had the bye, at a table of its own."""

    round: int
    pairing: EventPairing


class Bound(_FactBase, frozen=True, tag="bound"):
    """A game of a pairing is played as a sealed game, or at the table station `device`."""

    round: int
    table: int
    sealed_game: str = ""
    device: str = ""
    game: int = 1
    """1, or 2 for the second game of a round with two games."""


class Began(_FactBase, frozen=True, tag="began"):
    """The players of a pairing have begun: they have met, even if the round is voided."""

    round: int
    table: int


class Resulted(_FactBase, frozen=True, tag="resulted"):
    """A result is keyed in by a director, or claimed by the player `by` until the opponent confirms it."""

    round: int
    table: int
    result: TableResult
    game: int = 1
    source: ResultSource = "director"
    by: int | None = None


class Reported(_FactBase, frozen=True, tag="reported"):
    """A sealed game or a table station tells its result, with the SHA-256 of its record."""

    round: int
    table: int
    result: TableResult
    digest: str
    source: ResultSource
    game: int = 1


class Confirmed(_FactBase, frozen=True, tag="confirmed"):
    """A claimed result is confirmed by the opponent, or by a director (`entrant` is None) with a reason."""

    round: int
    table: int
    entrant: int | None
    game: int = 1
    reason: str = ""


class Disputed(_FactBase, frozen=True, tag="disputed"):
    """A player tells another result than the opponent has claimed; a director decides by keying one in."""

    round: int
    table: int
    entrant: int
    result: TableResult
    game: int = 1


class Corrected(_FactBase, frozen=True, tag="corrected"):
    """A result was wrong. Standings and drafts that are not published follow the new one."""

    round: int
    table: int
    result: TableResult
    reason: str
    game: int = 1


class Voided(_FactBase, frozen=True, tag="voided"):
    """The last round does not count and is drawn again; the pairs at the tables that began have met."""

    round: int
    reason: str
    began: tuple[int, ...] = ()


class Closed(_FactBase, frozen=True, tag="closed"):
    """All results of a round are in."""

    round: int


class Finished(_FactBase, frozen=True, tag="finished"):
    """The event is over."""


class Undone(_FactBase, frozen=True, tag="undone"):
    """The facts with these numbers, which one command made, are as if they had never been."""

    numbers: tuple[int, ...]


ChangeOfEntrant: TypeAlias = (
    Renamed | Erased | CheckedIn | CheckedOut | Withdrawn | Returned | Agreed | Frozen | Unfrozen | CodeIssued
)
"""The facts about one entrant who is there."""

ChangeOfRound: TypeAlias = Published | PairedLate | Voided | Closed
ChangeOfTable: TypeAlias = Bound | Began | Resulted | Reported | Confirmed | Disputed | Corrected
Fact: TypeAlias = (
    Created
    | Configured
    | OperatorsNamed
    | Entered
    | ChangeOfEntrant
    | Constrained
    | Unconstrained
    | ChangeOfRound
    | ChangeOfTable
    | Finished
    | Undone
)

PERSONAL: Final[dict[type[Fact], tuple[str, ...]]] = {
    Entered: ("name", "minor", "club", "member"),
    Renamed: ("name", "minor", "club", "member"),
    Withdrawn: ("reason",),
    Constrained: ("reason",),
    Confirmed: ("reason",),
    Corrected: ("reason",),
}
"""The fields that the store keeps apart from the chain, so that they can be erased."""


class RecordedFact(NamedTuple):
    """A fact as the store has it: its number in the event from 1 on, time in Unix seconds, actor and command."""

    number: int
    at: int
    actor: str
    command: str
    """The id of the command that made the fact; a command repeated under its id is carried out once."""

    fact: Fact


SERVICE_ACTOR: Final = "service"
"""The actor of what the desk does by itself in on-line rounds."""

_ENTRANT: Final = "entrant "


def actor_of(entrant: int) -> str:
    """Return the actor of what an entrant does: a number, since names could not be erased from the chain."""
    return f"{_ENTRANT}{entrant}"


def entrant_of_actor(actor: str) -> int | None:
    """Return the entrant who acted; None for a director or a program."""
    number = actor.removeprefix(_ENTRANT)
    return int(number) if number != actor and number.isdecimal() else None


def kind_of_fact(fact: Fact) -> str:
    """Return the name of a fact's kind, as the store keeps it."""
    return str(fact.__struct_config__.tag)
