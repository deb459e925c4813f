"""Games of an event at table stations: a desk binds them to devices, and a device asks for its own."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.boards import device_of
from ordws.api.bound_stations import MOST_UNSENT, BoundStation, StationTable
from ordws.api.games import rules_of_game
from ordws.api.problems import Problem, ProblemCode
from ordws.api.replies import Reply
from ordws.api.request_faults import PRINTABLE
from ordws.api.requests import OPTIONS, ClockField, Nothing, OptionValue, RulesField, check_printable
from ordws.api.services import Services
from ordws.api.station_events import OpenEvent
from ordws.api.tournament_games import NameField, WhichTable
from ordws.api.words import rule_set_with_options
from ordws.identity.devices import MAX_TABLE_NAME_LENGTH
from ordws.identity.register import RegisteredClient
from ordws.referee.sealed_game import EventTable
from ordws.rules.options import changed_options
from ordws.rules.rulesets import DEFAULT_RULES_ID

BIND_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "unknown-rules",
    "unknown-option",
    "too-many-players",
    "no-device",
    "table-bound",
)


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
    players: Annotated[list[NameField], Meta(min_length=2, max_length=4, description="In the order of play.")]
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    clock: ClockField | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for label in (self.device, *self.players):
            check_printable(label)


class GameAtStation(Struct, frozen=True):
    """A game of an event that a station is to play: its place, its players in the order of play, its rules."""

    game: Annotated[str, Meta(description="What the game's `open` event names as `bound`.")]
    event: Annotated[str, Meta(description="The name of the event.")]
    round: int
    table: int
    number: Annotated[int, Meta(description="Which game of the two entrants in this round.")]
    players: list[str]
    rules: str
    options: Annotated[dict[str, str], Meta(description="The options that differ from the rule set's.")]


class GamesAtStation(Struct, frozen=True):
    """The games of events that a station has yet to play, or to send."""

    games: list[GameAtStation]


class StationBound(Struct, frozen=True):
    """A game that was bound to a station, by the id under which its result is looked up."""

    game: str
    device: int


def bind_station(services: Services, client: RegisteredClient, request: BindStation, now: int) -> Reply:
    """Give a game of an event to the device of this table; it may move to another device until it is sent.

    `device` is the table for which the device was paired, and `game` of the reply the id to find it by.
    """
    rules = rules_of_game(request.rules, request.options, request.clock, len(request.players))
    if len(set(request.players)) < len(request.players):
        raise Problem("bad-request", '"players": two of one name, which the record of the game could not tell apart')
    named = [each for each in services.devices.list(client) if each.table == request.device and not each.is_director]
    if len(named) != 1:
        found = "two devices are" if named else "no device is"
        raise Problem("no-device", f'"device": {found} paired for this table; GET /v1/devices lists them')
    table = EventTable(request.event, request.title, request.round, request.table, request.game, request.draw)
    # A game at a station and a sealed game of the same table have two ids.
    id = services.games.event_game_id(f"station {client.id}", table)
    told = StationTable(
        request.event,
        request.title,
        request.round,
        request.table,
        request.game,
        request.players,
        rules.id,
        changed_options(rules),
    )
    if services.bound_stations.is_full(client.id, named[0].id, id):
        raise Problem("table-bound", f"the device of this table has {MOST_UNSENT} games that it has yet to send")
    bound = services.bound_stations.bind(id, client.id, named[0].id, told, now)
    if bound.device != named[0].id:
        raise Problem("table-bound", "another device has sent this game already")
    return replies.private(StationBound(id, bound.device))


def list_station_games(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """List the games of events that the calling device is to play."""
    games = [
        GameAtStation(
            each.id,
            each.table.title,
            each.table.round,
            each.table.table,
            each.table.game,
            each.table.players,
            each.table.rules,
            each.table.options,
        )
        for each in services.bound_stations.list(client.id, device_of(client).id)
    ]
    return replies.private(GamesAtStation(games))


def find_bound_game(services: Services, client: RegisteredClient, opened: OpenEvent) -> BoundStation | None:
    """Return the game of an event that a station has played; None where its names or rules are not those of the event.

    Such a game is kept all the same, and a director keys its result in.
    """
    bound = services.bound_stations.find(client.id, opened.bound) if opened.bound else None
    if bound is None or bound.device != device_of(client).id or opened.players != bound.table.players:
        return None
    rules = rule_set_with_options(bound.table.rules, bound.table.options)
    return bound if rule_set_with_options(opened.rules, opened.options) == rules else None
