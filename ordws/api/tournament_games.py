"""The games of an event: sealed games that its desk opens, calls off and looks at, and those of table stations.

The place in the event makes the id of a game, so that a desk that asks twice gets the same game. What a desk is told
has no words: places, scores, turns, ends, and the digest of the record (docs/guard.md Decision 20).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.device_records import KeptGame
from ordws.api.games import deal_game, rules_of_game
from ordws.api.problems import Problem, ProblemCode, budget_spent
from ordws.api.replies import DATE_TIME, Reply, TimeField
from ordws.api.requests import (
    EXPECTED,
    OPTIONS,
    PRINTABLE,
    ClockField,
    OptionValue,
    PathAndBody,
    PlayerField,
    RulesField,
    check_printable,
)
from ordws.api.services import Services
from ordws.api.words import identity_of
from ordws.errors import StoreDown
from ordws.identity.register import RegisteredClient
from ordws.referee.results import GameResult, take_result
from ordws.referee.sealed_game import (
    CalledOff,
    EventOver,
    EventTable,
    GameHeader,
    SealedGame,
    SeatHolder,
    SeatNote,
    SubmissionOutcome,
)
from ordws.rules.ruleset import DEFAULT_RULES_ID
from ordws.rules.state import DepartureReason, EndReason, GameOver

OPEN_EVENT_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "unknown-rules",
    "unknown-option",
    "too-many-players",
    "table-bound",
    "budget-spent",
)
GameStatus: TypeAlias = Literal["waiting", "running", "over", "called-off", "unknown"]


MOST_GAMES_FOUND: Final = 100
MOST_TABLES: Final = 1_000_000
_EventField = Annotated[
    str,
    Meta(min_length=1, max_length=64, description="The event's own id, which no other event has.", extra=PRINTABLE),
]
NameField = Annotated[str, Meta(min_length=1, max_length=64, description="As both players see it.", extra=PRINTABLE)]


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
    name: NameField

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


class SeatOfEventGame(Struct, frozen=True):
    """A seat of a game of an event; its result is null until the game is over."""

    name: str | None
    taken: Annotated[bool | None, Meta(description="Whether the seat is taken; null at a station.")]
    sworn: Annotated[bool | None, Meta(description="Whether its player has taken the oath; null at a station.")]
    score: int | None = None
    turn_points: Annotated[int | None, Meta(description="The points of the turns alone.")] = None
    turns: int | None = None
    left: Annotated[
        str | None,
        Meta(
            description="The reason for which its player left the game.",
            extra_json_schema={"enum": [*[reason.value for reason in DepartureReason], None]},
        ),
    ] = None
    attested: bool | None = None


class EventGame(Struct, frozen=True):
    """A game of an event, without a word of it."""

    game: str
    kind: Annotated[Literal["sealed", "station"] | None, Meta(description="Null where the game is not known.")]
    status: Annotated[
        GameStatus,
        Meta(
            description="`waiting`: a seat is free, or its player has not sworn; at a station, no game has come yet."
            " `unknown`: no game of this client, or one that expired before it was over."
        ),
    ]
    seats: list[SeatOfEventGame]
    winners: list[int]
    ending: Annotated[str | None, Meta(extra_json_schema={"enum": [*[reason.value for reason in EndReason], None]})]
    ended: Annotated[str | None, DATE_TIME]
    digest: Annotated[str | None, Meta(description="The SHA-256 of the record (GCG), in hexadecimal.")]
    late_noes: Annotated[int, Meta(description="Plays at a station that were found bad late: a director decides.")]


class EventGames(Struct, frozen=True):
    """Games of an event, in the order in which they were asked for."""

    games: list[EventGame]
    operator: Annotated[str, Meta(description="The name of the operator who asks, by which a desk knows its events.")]


class SeatToShow(Struct, frozen=True):
    """A seat of a new game, and the invitation that its player alone may be shown."""

    player: str
    name: str
    invitation: Annotated[str, Meta(description="For the link `/play/{game}#seat=...`.")]


class OpenedEventGame(Struct, frozen=True):
    """A game at a table of an event, as it was opened once; asked for again it is the same."""

    game: str
    rules: str
    edition: str
    expires: TimeField
    seats: list[SeatToShow]


def open_event_game(services: Services, client: RegisteredClient, request: OpenEventGame, now: int) -> Reply:
    """Open the sealed game of a table, or return the one that was opened; nobody plays before all have sworn.

    The client and the place in the event make the id of the game: asked again, however late, the reply is the same,
    and nothing is charged twice. An invitation is for the entrant of its seat alone, as the link
    `/play/{game}#seat={invitation}`; the desk gets no token, and sees no rack.
    """
    table = EventTable(request.event, request.title, request.round, request.table, request.game, request.draw)
    game = services.games.event_game_id(str(client.id), table)
    stored = services.games.find_by_id(game, now)
    header = _open_table(services, client, request, table, game, now) if stored is None else stored.header
    asked = [(seat.player, seat.name) for seat in request.seats]
    if [holder.player for holder in header.seats] != [player for player, _ in asked]:
        raise Problem("table-bound", "a game of other players was opened at this table; a new draw has another number")
    rules = header.dealt_game.rules
    invite = services.games.credentials.write_invitation
    return replies.private(
        OpenedEventGame(
            game,
            rules.id,
            header.edition_name,
            replies.format_utc(header.expires),
            [SeatToShow(player, name, invite(game, seat)) for seat, (player, name) in enumerate(asked)],
        )
    )


def _open_table(
    services: Services, client: RegisteredClient, request: OpenEventGame, table: EventTable, game: str, now: int
) -> GameHeader:
    """Charge a new game to its players and store it; return the header of the one that is stored in the end."""
    players = len(request.seats)
    dealt = deal_game(services, rules_of_game(request.rules, request.options, request.clock, players), players)
    identities = [identity_of(client, seat.player) for seat in request.seats]
    # Under one id it is charged once, however often a desk that was cut off asks again.
    if (refused := services.gate.open_game(identities, game, now)) is not None:
        raise budget_spent(refused)
    holders = tuple([SeatHolder(str(client.id), seat.player, seat.name) for seat in request.seats])
    named = services.editions.current.number, services.editions.current.name
    header = services.games.new_header(dealt, holders, *named, now, game=game, needs_promises=True, event_table=table)
    try:
        services.games.open(header)
    except StoreDown:
        # Another request for the same table may have come first.
        stored = services.games.find_by_id(game, now)
        if stored is None:
            raise
        return stored.header
    return header


def find_event_games(services: Services, client: RegisteredClient, request: FindEventGames, now: int) -> Reply:
    """Tell how games stand, after flagging players whose time is up, so that a game ends though nobody looks at it.

    The ids may be of games of events, of games bound to stations, and of boards of stations. Results are kept for
    `results_days`, those of stations for `kept_games_days`.

    With `event_over` the players of those that are over may have them reviewed, as long as each is kept.
    """
    for game in request.games if request.event_over else ():
        _note_event_over(services, client, game, now)
    games = [_find_game(services, client, game, now) for game in request.games]
    return replies.private(EventGames(games, client.name))


def _note_event_over(services: Services, client: RegisteredClient, game: str, now: int) -> None:
    """Keep that the event of a finished game is over, once."""

    def decide(latest: SealedGame) -> SeatNote | None:
        if latest.is_event_over or not isinstance(latest.state.phase, GameOver):
            return None
        return SeatNote(0, SubmissionOutcome.EVENT_OVER, EventOver())

    sealed_game = services.games.find_opened_by(game, str(client.id), now)
    if sealed_game is not None and sealed_game.header.event_table is not None:
        services.games.append_note(sealed_game, decide)


def call_off(services: Services, client: RegisteredClient, request: PathAndBody[CallOff], now: int) -> Reply:
    """Keep a game from beginning any more or, where that is asked for, from going on, and tell how it stands.

    A seat that has not sworn by then never will: who has is settled by one row of the game. A game that is over stays.

    A game that runs goes on unless `begun` is true: then its clocks stand, and it has neither result nor record. A
    game that its station has not sent is taken from it.
    """
    id, begun = request.path["id"], request.body.begun
    sealed_game = services.games.find_opened_by(id, str(client.id), now)
    if sealed_game is not None and sealed_game.header.event_table is not None:

        def decide(latest: SealedGame) -> SeatNote | None:
            can_end = latest.is_waiting or (begun and not isinstance(latest.state.phase, GameOver))
            if latest.is_called_off or not can_end:
                return None
            return SeatNote(0, SubmissionOutcome.CALLED_OFF, CalledOff())

        services.games.append_note(sealed_game, decide)
    else:
        services.bound_stations.remove(client.id, id)
    return replies.private(_find_game(services, client, id, now))


def _find_game(services: Services, client: RegisteredClient, id: str, now: int) -> EventGame:
    sealed_game = services.games.find_opened_by(id, str(client.id), now)
    if sealed_game is not None:
        return _view_sealed(services.games.apply_time_limits(sealed_game, services.games.clock()))
    kept_result = services.games.results.find(id) if services.games.results is not None else None
    if kept_result is not None and kept_result.seats[0].client == str(client.id):
        return _view_result(kept_result)
    bound = services.bound_stations.find(client.id, id)
    board = id if bound is None else bound.board
    kept = None if board is None else services.kept_games.find(client.id, board)
    if kept is not None and kept.kept.station is not None:
        return _view_kept(id, kept)
    if bound is None:
        return _without_result(id, None, "unknown", [])
    seats = [SeatOfEventGame(name, None, None) for name in bound.table.players]
    return _without_result(id, "station", "waiting", seats)


def _view_sealed(sealed_game: SealedGame) -> EventGame:
    if (result := take_result(sealed_game)) is not None:
        return _view_result(result)
    seats = [
        SeatOfEventGame(name, record.is_taken, record.has_sworn)
        for name, record in zip(sealed_game.seat_names, sealed_game.seat_records, strict=True)
    ]
    begun: GameStatus = "waiting" if sealed_game.is_waiting else "running"
    status: GameStatus = "called-off" if sealed_game.is_called_off else begun
    return _without_result(sealed_game.header.game, "sealed", status, seats)


def _view_result(result: GameResult) -> EventGame:
    seats = [
        SeatOfEventGame(seat.name, True, True, seat.score, seat.turn_points, seat.turns, seat.left, seat.attested)
        for seat in result.seats
    ]
    ended = replies.format_utc(result.ended_ms // 1_000)
    winners = list(result.winners)
    return EventGame(
        result.game, "sealed", "over", seats, winners, result.ending, ended, result.record_digest, late_noes=0
    )


def _view_kept(id: str, kept: KeptGame) -> EventGame:
    """Return a game of a station, whose numbers follow from its record as the rules replay it."""
    station = kept.kept.station
    assert station is not None
    told = zip(
        kept.kept.players,
        station.scores,
        station.turn_points,
        station.turns,
        station.left,
        station.attested,
        strict=True,
    )
    seats = [SeatOfEventGame(name, None, None, *numbers) for name, *numbers in told]
    digest = hashlib.sha256(kept.kept.record.encode()).hexdigest()
    return EventGame(id, "station", "over", seats, [], None, station.ended, digest, station.late_noes)


def _without_result(
    id: str, kind: Literal["sealed", "station"] | None, status: GameStatus, seats: Sequence[SeatOfEventGame]
) -> EventGame:
    return EventGame(id, kind, status, [*seats], [], None, None, None, late_noes=0)
