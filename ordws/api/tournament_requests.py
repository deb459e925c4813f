"""The JSON shapes of the requests by which the games of an event are opened, looked up and called off."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api.request_faults import EXPECTED, PRINTABLE
from ordws.api.requests import OPTIONS, ClockField, OptionValue, PlayerField, RulesField, check_printable
from ordws.identity.devices import MAX_TABLE_NAME_LENGTH
from ordws.rules.rulesets import DEFAULT_RULES_ID

MOST_GAMES_FOUND: Final = 100
MOST_TABLES: Final = 1_000_000

_EventField = Annotated[
    str,
    Meta(min_length=1, max_length=64, description="The event's own id, which no other event has.", extra=PRINTABLE),
]
_NameField = Annotated[str, Meta(min_length=1, max_length=64, description="As both players see it.", extra=PRINTABLE)]


class WhichTable(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A game of an event by its place: round and table, the first or second game, and which draw of the round."""

    event: _EventField
    title: Annotated[
        str, Meta(min_length=1, max_length=100, description="The name of the event, for players.", extra=PRINTABLE)
    ]
    round: Annotated[int, Meta(ge=1, le=10_000)]
    table: Annotated[int, Meta(ge=1, le=MOST_TABLES)]
    game: Annotated[int, Meta(ge=1, le=9, description="Which game of the two entrants in this round.")] = 1
    draw: Annotated[
        int, Meta(ge=1, le=1_000, description="Which draw of the round: one that was voided is drawn again.")
    ] = 1

    def __post_init__(self) -> None:
        check_printable(self.event)
        check_printable(self.title)


class SeatOfEntrant(Struct, forbid_unknown_fields=True, frozen=True):
    """A seat for an entrant: the pseudonym that is charged, and the name that the players see."""

    player: PlayerField
    name: _NameField

    def __post_init__(self) -> None:
        check_printable(self.player)
        check_printable(self.name)


class OpenEventGame(WhichTable, frozen=True, kw_only=True):
    """A sealed game at a table of an event."""

    seats: Annotated[list[SeatOfEntrant], Meta(min_length=2, max_length=4, description="In the order of play.")]
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    clock: ClockField | None = None


class CallOff(Struct, forbid_unknown_fields=True, frozen=True):
    """A game that an event goes on without."""

    begun: Annotated[bool, Meta(description="Stop it even if it has begun: its round was drawn again.")] = False


class BindStation(WhichTable, frozen=True, kw_only=True):
    """A game of an event that is played at a table station."""

    device: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_TABLE_NAME_LENGTH,
            description="The table for which the device was paired.",
            extra=PRINTABLE,
        ),
    ]
    players: Annotated[list[_NameField], Meta(min_length=2, max_length=4, description="In the order of play.")]
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    clock: ClockField | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for label in (self.device, *self.players):
            check_printable(label)


class FindEventGames(Struct, forbid_unknown_fields=True, frozen=True):
    """The games to look at: sealed games, games bound to a station, and games that a station has kept."""

    games: Annotated[
        list[
            Annotated[
                str,
                Meta(
                    min_length=32,
                    max_length=32,
                    pattern="^[0-9a-f]{32}$",
                    extra={EXPECTED: "the id of a game, 32 digits and letters a to f"},
                ),
            ]
        ],
        Meta(min_length=1, max_length=MOST_GAMES_FOUND),
    ]
    event_over: Annotated[
        bool, Meta(description="True says that their event is over: those that are over may be reviewed from now on.")
    ] = False
