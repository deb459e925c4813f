"""On-line rounds: the desk opens their games, reads the results, forfeits on time, and goes on by itself.

What is to be done follows from the facts of the event and from what the service tells, whenever a step begins; the
service opens a game of one place once, and the event takes a result once. So a desk that is killed anywhere loses and
doubles nothing: its next step does the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple

from ordws.client import BudgetSpent, Client, EventGame, OrdwsClientError, ProblemError, TableOfEvent
from ordws.desk.events import DeskEvent, Snapshot
from ordws.desk.game_results import forfeit_of, result_of, seats_by_name
from ordws.errors import BadInput
from ordws.rules.options import with_options
from ordws.rules.rulesets import RULE_SETS
from ordws.tournament import commands as c
from ordws.tournament.decide_rounds import check_may_draft, find_missing
from ordws.tournament.draft_problem import event_pairings
from ordws.tournament.facts import Bound, Published, ResultSource
from ordws.tournament.fold import find_undone
from ordws.tournament.state import PairingState, TournamentState

ACTOR: Final = "service"
"""The actor of the facts that a step adds, as the event's history names it."""

DEFAULT_CLOCK_SECONDS: Final = 25 * 60
"""The time of each player where the rules of the event give none: a game without a clock might never end."""

MINUTE: Final = 60
_BATCH: Final = 100
_LONGEST_PAUSE: Final = 60


class Place(NamedTuple):
    """A game of an event: the round, the table, and which game of the two entrants."""

    round: int
    table: int
    game: int

    def __str__(self) -> str:
        which = f", game {self.game}" if self.game > 1 else ""
        return f"round {self.round}, table {self.table}{which}"


class TableGameToPlay(NamedTuple):
    """A game of the open round without a result, its entrants in the order of play, and where it is played."""

    place: Place
    pairing: PairingState
    order: tuple[int, int]
    bound: Bound | None = None
    bound_at: int = 0
    is_ours: bool = False
    """True where a step opened the game, not a director."""


class OnlineRounds:
    """The games of one event at the service; `site` is the address at which players reach it."""

    def __init__(self, event: DeskEvent, client: Client, site: str) -> None:
        self._event, self._client, self._site = event, client, site.rstrip("/")
        self._invitations: dict[tuple[str, int], str] = {}
        self._stations: dict[tuple[Place, str, tuple[int, int]], str] = {}
        self._called_off: set[str] = set()
        self._not_before: dict[Place, int] = {}
        self._waiting: dict[str, int] = {}
        self.remarks: list[str] = []
        """What a director should know after the last step; nobody waits for it."""

    def step(self, now: int) -> None:
        """Do everything that can be done now, `now` being in seconds since 1970; network errors become remarks."""
        self.remarks = []
        try:
            self._step(now)
        except OrdwsClientError as err:
            self.remarks.append(f"The word judge does not answer, and games go on there: {err}.")

    def seat_link(self, entrant: int, sealed_game: str) -> str | None:
        """Return the link to an entrant's seat, to be shown to that entrant alone; None before it is known."""
        invitation = self._invitations.get((sealed_game, entrant))
        return None if invitation is None else f"{self._site}/play/{sealed_game}#seat={invitation}"

    def begin_by(self, sealed_game: str) -> datetime | None:
        """Return when a game is forfeited by whoever has not sworn; None for one that has begun."""
        deadline = self._waiting.get(sealed_game)
        return None if deadline is None else datetime.fromtimestamp(deadline, UTC)

    def links(self) -> Iterator[tuple[Place, int, str]]:
        """Yield place, entrant and link of the seats in games that wait or run."""
        for game in self._games(self._event.snapshot()):
            for entrant in game.order if game.bound else ():
                if link := self.seat_link(entrant, game.bound.sealed_game if game.bound else ""):
                    yield game.place, entrant, link

    def _step(self, now: int) -> None:
        self._call_off_dropped(self._event.snapshot())
        found = {game.place: self._find_or_open(game, now) for game in self._games(self._event.snapshot())}
        asked = {id: game for game in self._games(self._event.snapshot()) if (id := found.get(game.place)) is not None}
        ids = [*asked]
        for at in range(0, len(ids), _BATCH):
            for told in self._client.event_games(ids[at : at + _BATCH]):
                self._settle(asked[told.game], told, now)
        self._go_on(now)

    def _games(self, snapshot: Snapshot) -> list[TableGameToPlay]:
        """Return the games of the open round that have no result; a second one is played after the first."""
        state, bindings = snapshot.state, _bindings(snapshot)
        if state.open_round is None:
            return []
        found = []
        for pairing in state.open_round.pairings:
            numbers = [number for number, game in enumerate(pairing.games, 1) if game is None or not game.is_settled]
            if not numbers:
                continue
            place = Place(state.open_round.number, pairing.table, numbers[0])
            # The second player of the pairing begins the second game.
            order = pairing.entrants if place.game % 2 else (pairing.second, pairing.first)
            found.append(TableGameToPlay(place, pairing, order, *bindings.get(place, (None, 0, False))))
        return found

    def _find_or_open(self, game: TableGameToPlay, now: int) -> str | None:
        """Return the id of a game at the service, after opening or binding it; None where it is played elsewhere."""
        state, bound = self._event.snapshot().state, game.bound
        if now < self._not_before.get(game.place, 0):
            return bound.sealed_game or None if bound else None
        try:
            if bound is not None and bound.device:
                return self._bind_station(state, game)
            if bound is not None:
                return bound.sealed_game
            if state.settings.on_line:
                return self._open(state, game, now)
        except ProblemError as err:
            pause = err.retry_after if isinstance(err, BudgetSpent) and err.retry_after else _LONGEST_PAUSE
            self._not_before[game.place] = now + min(pause, _LONGEST_PAUSE)
            self.remarks.append(f"{game.place} cannot be opened: {err.detail}")
        return None

    def _open(self, state: TournamentState, game: TableGameToPlay, now: int) -> str | None:
        """Open a sealed game, or learn again what was opened, and bind it to its table."""
        opened = self._client.open_event_game(self._table(state, game))
        for entrant, seat in zip(game.order, opened.seats, strict=True):
            self._invitations[opened.game, entrant] = seat.invitation
        if game.bound is None:
            place = game.place
            bind = c.Bind(round=place.round, table=place.table, game=place.game, sealed_game=opened.game)
            if not self._apply(now, bind):
                return None
        return opened.game

    def _bind_station(self, state: TournamentState, game: TableGameToPlay) -> str:
        assert game.bound is not None
        known = game.place, game.bound.device, game.order
        if known not in self._stations:
            self._stations[known] = self._client.bind_station(self._table(state, game), game.bound.device).game
        return self._stations[known]

    def _table(self, state: TournamentState, game: TableGameToPlay) -> TableOfEvent:
        created, snapshot = state.event, self._event.snapshot()
        options = dict([text.split("=", 1) for text in created.options])
        if state.settings.unplayed_tiles_round:
            options["unplayed_tiles_round"] = "true"
        # At a table a clock may stand beside the station.
        is_at_station = game.bound is not None and bool(game.bound.device)
        is_untimed = with_options(RULE_SETS[created.rules], options).clock_seconds == 0 and not is_at_station
        key = event_key(snapshot)
        return TableOfEvent(
            event=key,
            title=created.name,
            round=game.place.round,
            table=game.place.table,
            game=game.place.game,
            draw=_draw_of(state, game.place.round),
            players=[(player_of(key, entrant), state.name_of(entrant)) for entrant in game.order],
            rules=created.rules,
            options=options or None,
            clock=DEFAULT_CLOCK_SECONDS if is_untimed else None,
        )

    def _settle(self, game: TableGameToPlay, told: EventGame, now: int) -> None:
        """Add to the event what follows from how a game stands."""
        state, place = self._event.snapshot().state, game.place
        deadline = game.bound_at + MINUTE * state.settings.forfeit_minutes
        match told.status:
            case "running":
                if not game.pairing.began:
                    self._apply(now, c.Begin(round=place.round, table=place.table))
            case "waiting" if game.is_ours and now >= deadline:
                # The last oath may be faster, and then the game runs.
                self._settle(game, self._client.call_off(told.game), now)
                return
            case "called-off" if game.is_ours:
                self._forfeit(game, told, now)
            case "over":
                self._report(game, told, now)
            case "unknown":
                self.remarks.append(f"{place}: the word judge knows nothing of its game; key in the result.")
            case _:
                pass
        if game.is_ours and told.status == "waiting":
            self._waiting[told.game] = deadline
        else:
            self._waiting.pop(told.game, None)
        is_playable = game.is_ours and told.status in ("waiting", "running")
        if is_playable and (told.game, game.order[0]) not in self._invitations:
            self._open(state, game, now)

    def _report(self, game: TableGameToPlay, told: EventGame, now: int) -> None:
        state, pairing = self._event.snapshot().state, game.pairing
        seats = seats_by_name(told.seats, *[state.name_of(entrant) for entrant in pairing.entrants])
        if game.is_ours:
            # A name that was put right since the game was opened does not matter.
            seats = told.seats[game.order.index(pairing.first)], told.seats[game.order.index(pairing.second)]
        if seats is None:
            self.remarks.append(f"{game.place}: the game that is bound there was not played by its two entrants.")
        elif told.late_noes:
            self.remarks.append(f"{game.place}: a play was found bad late; decide, then key in the result.")
        else:
            source: ResultSource = "station" if told.kind == "station" else "game"
            place = game.place._asdict()
            report = c.ReportResult(**place, result=result_of(*seats), source=source, digest=told.digest or "")
            self._apply(now, report)

    def _forfeit(self, game: TableGameToPlay, told: EventGame, now: int) -> None:
        """Report a game that did not begin in time; an automatic event does not pair those who did not come again."""
        state, pairing = self._event.snapshot().state, game.pairing
        seats = dict(zip(game.order, told.seats, strict=True))
        result = forfeit_of(seats[pairing.first], seats[pairing.second])
        absent = [
            entrant
            for entrant, seat in seats.items()
            if state.settings.automatic and not seat.sworn and entrant in state.present
        ]
        report = c.ReportResult(**game.place._asdict(), result=result, source="game", digest="")
        self._apply(now, report, *[c.CheckOut(entrant=entrant) for entrant in absent])

    def _call_off_dropped(self, snapshot: Snapshot) -> None:
        """Call off games that will not count, of voided rounds or bound anew, so that nobody waits there."""
        opened = {
            each.fact.sealed_game for each in snapshot.facts if isinstance(each.fact, Bound) and each.actor == ACTOR
        }
        current = {
            bound.sealed_game
            for played in snapshot.state.live_rounds
            for pairing in played.pairings
            for bound in pairing.bound
        }
        for id in opened - current - self._called_off:
            self._client.call_off(id)
            self._called_off.add(id)

    def _go_on(self, now: int) -> None:
        """Close a round whose results are all in, and publish the next one or finish, where the event is automatic.

        The first round, and one that follows a voided one, are published by a director.
        """
        state = self._event.snapshot().state
        if not state.settings.automatic or state.is_finished or not state.rounds or state.rounds[-1].status == "void":
            return
        if find_missing(state):
            return
        if state.open_round is not None and not self._apply(now, c.CloseRound(round=state.open_round.number)):
            return
        snapshot = self._event.snapshot()
        if snapshot.state.next_round > snapshot.state.rounds_planned:
            self._apply(now, c.Finish(expected=snapshot.state.version))
            return
        try:
            check_may_draft(snapshot.state)
        except BadInput as err:
            self.remarks.append(f"Round {snapshot.state.next_round} cannot be drawn: {err}.")
            return
        state, draft = snapshot.state, snapshot.draft
        publish = c.Publish(
            round=state.next_round, pairings=event_pairings(draft), bye=draft.bye, expected=state.version
        )
        self._apply(now, publish)

    def _apply(self, now: int, *commands: c.Command) -> bool:
        """Carry commands out, all or none; where a director was faster, the next step sees what is left to do."""
        try:
            self._event.apply(*commands, actor=ACTOR, now=now)
        except c.EventConflict:
            return False
        except BadInput as err:
            self.remarks.append(f"{err}.")
            return False
        return True


def event_key(snapshot: Snapshot) -> str:
    """Return the id of an event at the service: that of the command that began it, which is random."""
    return snapshot.facts[0].command


def player_of(key: str, entrant: int) -> str:
    """Return the pseudonym under which an entrant is charged: a number in an event, which outlives an erased name."""
    return f"{key[:16]}-{entrant}"


def _draw_of(state: TournamentState, number: int) -> int:
    """Return which draw of a round counts: a voided one is drawn again under its number."""
    return sum(each.number == number for each in state.rounds)


def _bindings(snapshot: Snapshot) -> dict[Place, tuple[Bound, int, bool]]:
    """Return where each game of the open round is played, since when, and whether a step opened it."""
    found: dict[Place, tuple[Bound, int, bool]] = {}
    undone = find_undone(snapshot.facts)
    for each in snapshot.facts:
        match each.fact:
            case Published():
                # Those of earlier rounds, and of an earlier draw of this one, do not count any more.
                found = {}
            case Bound() as bound if each.number not in undone:
                found[Place(bound.round, bound.table, bound.game)] = bound, each.at, each.actor == ACTOR
            case _:
                pass
    return found
