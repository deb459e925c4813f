"""On-line rounds: the desk opens their games, reads the results, forfeits on time, and goes on by itself.

What is to be done follows from the facts of the event and from what the service tells, whenever a step begins; the
service opens a game of one place once, and the event takes a result once. So a desk that is killed anywhere loses and
doubles nothing: its next step does the rest. A thread steps every event again and again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from ordws.client import (
    BudgetSpent,
    Client,
    EventGame,
    OrdwsClientError,
    ProblemError,
    ServiceUnavailable,
    TableOfEvent,
)
from ordws.desk.events import DeskEvent, Events
from ordws.desk.online_games import (
    Place,
    TableGameToPlay,
    dropped_games,
    forfeit_of,
    games_to_play,
    games_to_review,
    result_of,
    seats_by_name,
    table_of,
)
from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide_rounds import check_may_draft, find_missing
from ordws.tournament.facts import SERVICE_ACTOR, ResultSource
from ordws.tournament.personal_data import pseudonyms_before
from ordws.tournament.played_event import event_pairings

MINUTE: Final = 60
_BATCH: Final = 100
_LONGEST_PAUSE: Final = 60


class OnlineRounds:
    """The games of one event at the service; `site` is the address at which players reach it.

    Under `players_key` entrants with a member number have their pseudonyms; without it all have those of the event.
    """

    def __init__(self, event: DeskEvent, client: Client, site: str, players_key: bytes | None = None) -> None:
        self._event, self._client, self._site = event, client, site.rstrip("/")
        self._players_key = players_key
        self._pseudonyms: dict[int, Mapping[int, str]] = {}
        self._invitations: dict[tuple[str, int], str] = {}
        self._stations: dict[tuple[Place, str, tuple[int, int]], str] = {}
        self._called_off: set[str] = set()
        self._refused: dict[Place, tuple[int, str]] = {}
        self._waiting: dict[str, int] = {}
        self._told_over = frozenset[str]()
        self._operator = ""
        self.remarks: list[str] = []
        """What a director should know after the last step; nobody waits for it."""

    def step(self, now: int) -> None:
        """Do everything that can be done now, `now` being in seconds since 1970; network errors become remarks."""
        self.remarks = []
        try:
            if not self._may_play():
                self._go_on(now)
                return
            for dropped, is_of_voided_round in dropped_games(self._event.snapshot()).items():
                if dropped not in self._called_off:
                    # A director may have bound another game by mistake, and the one that runs may count again.
                    self._client.call_off(dropped, begun=is_of_voided_round)
                    self._called_off.add(dropped)
            found = {game.place: self._find_or_open(game, now) for game in games_to_play(self._event.snapshot())}
            games = games_to_play(self._event.snapshot())
            asked = {id: game for game in games if (id := found.get(game.place)) is not None}
            ids = [*asked]
            for at in range(0, len(ids), _BATCH):
                for told in self._client.event_games(ids[at : at + _BATCH]):
                    self._settle(asked[told.game], told, now)
            self._go_on(now)
            self._tell_over(now)
        except ServiceUnavailable as err:
            self.remarks.append(f"The word judge cannot answer now, and games go on there: {err.detail}.")
        except ProblemError as err:
            self.remarks.append(f"The word judge refuses what the desk asks: {err.detail}.")
        except OrdwsClientError as err:
            self.remarks.append(f"The word judge does not answer, and games go on there: {err}.")

    def is_told_over(self, now: int) -> bool:
        """Return whether nothing is left to do, as the event is over and the service knows it."""
        snapshot = self._event.snapshot()
        return snapshot.state.is_finished and self._told_over.issuperset(games_to_review(snapshot, now))

    def _tell_over(self, now: int) -> None:
        """Tell the service once that the event is over, so that its games may be reviewed."""
        ids = games_to_review(self._event.snapshot(), now)
        if not self._told_over.issuperset(ids):
            for at in range(0, len(ids), _BATCH):
                self._client.event_games(ids[at : at + _BATCH], event_over=True)
            self._told_over = frozenset(ids)

    def _may_play(self) -> bool:
        """Return whether games are played under this key, on its operator's budget; directors read why they are not.

        An event without an owner, as on a laptop, is played under any key.
        """
        snapshot = self._event.snapshot()
        owner = snapshot.state.operators[:1]
        if not owner:
            return True
        self._operator = self._operator or self._client.event_operator()
        is_theirs = owner == (self._operator,)
        if not is_theirs and games_to_play(snapshot):
            self.remarks.append(
                f'The event belongs to the operator "{owner[0]}", and this desk has the key of another:'
                " the word judge neither opens its games nor tells their results. Key the results in, or let the owner"
                " run a desk by a key of their own."
            )
        return is_theirs

    def seat_link(self, entrant: int, sealed_game: str) -> str | None:
        """Return the link to an entrant's seat, to be shown to that entrant alone; None before it is known."""
        invitation = self._invitations.get((sealed_game, entrant))
        return None if invitation is None else f"{self._site}/play/{sealed_game}#seat={invitation}"

    def begin_by(self, sealed_game: str) -> datetime | None:
        """Return when a game is forfeited by whoever has not sworn; None for one that has begun."""
        deadline = self._waiting.get(sealed_game)
        return None if deadline is None else datetime.fromtimestamp(deadline, UTC)

    def _find_or_open(self, game: TableGameToPlay, now: int) -> str | None:
        """Return the id of a game at the service, after opening or binding it; None where it is played elsewhere."""
        if game.bound is not None and not game.bound.device:
            return game.bound.sealed_game
        return self._ask(game, now, self._bind_station if game.bound is not None else self._open)

    def _ask(self, game: TableGameToPlay, now: int, ask: Callable[[TableGameToPlay, int], str | None]) -> str | None:
        """Return what the service answers about a game.

        After a refusal it is not asked for up to a minute, and the director reads why; other games go on.
        """
        until, remark = self._refused.pop(game.place, (0, ""))
        if until <= now:
            try:
                return ask(game, now)
            except ProblemError as err:
                pause = err.retry_after if isinstance(err, BudgetSpent) and err.retry_after else _LONGEST_PAUSE
                until, remark = now + min(pause, _LONGEST_PAUSE), f"{game.place} cannot be opened: {err.detail}"
        self._refused[game.place] = until, remark
        self.remarks.append(remark)
        return None

    def _bind_station(self, game: TableGameToPlay, _: int) -> str | None:
        """Return the id of the game that the station of a table plays, after telling the station of it."""
        assert game.bound is not None
        known = game.place, game.bound.device, game.order
        if known not in self._stations:
            self._stations[known] = self._client.bind_station(self._table_of(game), game.bound.device).game
        return self._stations[known]

    def _table_of(self, game: TableGameToPlay) -> TableOfEvent:
        snapshot = self._event.snapshot()
        if game.drawn not in self._pseudonyms:
            self._pseudonyms[game.drawn] = pseudonyms_before(snapshot.facts, game.drawn, self._players_key)
        return table_of(snapshot, game, self._pseudonyms[game.drawn])

    def _open(self, game: TableGameToPlay, now: int) -> str | None:
        """Open a sealed game of an on-line round, or learn again what was opened, and bind it to its table."""
        if game.bound is None and not self._event.snapshot().state.settings.on_line:
            return None
        opened = self._client.open_event_game(self._table_of(game))
        for entrant, seat in zip(game.order, opened.seats, strict=True):
            self._invitations[opened.game, entrant] = seat.invitation
        if game.bound is None:
            place = game.place
            bind = f.Bound(round=place.round, table=place.table, game=place.game, sealed_game=opened.game)
            if not self._apply(now, bind):
                return None
        return opened.game

    def _settle(self, game: TableGameToPlay, told: EventGame, now: int) -> None:
        """Add to the event what follows from how a game stands."""
        state, place = self._event.snapshot().state, game.place
        deadline = game.bound_at + MINUTE * state.settings.forfeit_minutes
        match told.status:
            case "running":
                if not game.pairing.began:
                    self._apply(now, f.Began(round=place.round, table=place.table))
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
            self._ask(game, now, self._open)

    def _report(self, game: TableGameToPlay, told: EventGame, now: int) -> None:
        state, pairing = self._event.snapshot().state, game.pairing
        seats = seats_by_name(told.seats, *[state.name_of(entrant) for entrant in pairing.entrants])
        if game.is_ours or (game.bound is not None and game.bound.device):
            # A name that was put right since the game was opened, or bound to a station, does not matter.
            seats = told.seats[game.order.index(pairing.first)], told.seats[game.order.index(pairing.second)]
        if seats is None:
            self.remarks.append(f"{game.place}: the game that is bound there was not played by its two entrants.")
        elif told.late_noes:
            self.remarks.append(f"{game.place}: a play was found bad late; decide, then key in the result.")
        else:
            source: ResultSource = "station" if told.kind == "station" else "game"
            place = game.place._asdict()
            report = f.Reported(**place, result=result_of(*seats), source=source, digest=told.digest or "")
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
        report = f.Reported(**game.place._asdict(), result=result, source="game", digest="")
        self._apply(now, report, *[f.CheckedOut(entrant=entrant) for entrant in absent])

    def _go_on(self, now: int) -> None:
        """Close a round whose results are all in, and publish the next one or finish, where the event is automatic.

        The first round, and one that follows a voided one, are published by a director.
        """
        state = self._event.snapshot().state
        if not state.settings.automatic or state.is_finished or not state.rounds or state.rounds[-1].status == "void":
            return
        if find_missing(state):
            return
        if state.open_round is not None and not self._apply(now, f.Closed(round=state.open_round.number)):
            return
        snapshot = self._event.snapshot()
        if snapshot.state.next_round > snapshot.state.rounds_planned:
            self._apply(now, f.Finished(), expected=snapshot.state.version)
            return
        try:
            check_may_draft(snapshot.state)
        except BadInput as err:
            self.remarks.append(f"Round {snapshot.state.next_round} cannot be drawn: {err}.")
            return
        state, draft = snapshot.state, snapshot.draft
        publish = f.Published(round=state.next_round, pairings=event_pairings(draft), bye=draft.bye)
        self._apply(now, publish, expected=state.version)

    def _apply(self, now: int, *commands: c.Command, expected: int | None = None) -> bool:
        """Carry commands out, all or none; where a director was faster, the next step sees what is left to do."""
        try:
            self._event.apply(*commands, actor=SERVICE_ACTOR, now=now, expected=expected)
        except c.EventConflict:
            return False
        except BadInput as err:
            self.remarks.append(f"{err}.")
            return False
        return True


STEP_SECONDS: Final = 5.0
_log = logging.getLogger("ordws.desk")
# It would write a line for each request, with the ids of games.
logging.getLogger("httpx").setLevel(logging.WARNING)


class OnlineLoop:
    """The on-line rounds of all events of a desk, by the key of one operator of the service.

    Under `players_key` entrants with a member number have their pseudonyms; without it there are those of events alone.
    """

    def __init__(
        self, events: Events, client: Client, site: str, clock: Callable[[], int], players_key: bytes | None = None
    ) -> None:
        self._events, self._client, self._site, self._clock = events, client, site, clock
        self._players_key = players_key
        self._rounds: dict[str, OnlineRounds] = {}
        self._ended = threading.Event()
        self._failed = frozenset[str]()
        self._over = set[str]()
        self.stepped_at = 0
        """The end of the last step of all events, in Unix seconds; 0 before that."""

    @property
    def behind(self) -> int:
        """The number of events whose last step failed, or left something to tell directors."""
        return len(self._failed | {id for id, rounds in [*self._rounds.items()] if rounds.remarks})

    def find(self, event: str) -> OnlineRounds | None:
        """Return the on-line rounds of an event; None before its first step."""
        return self._rounds.get(event)

    def step(self) -> None:
        """Do in every event what can be done now; a fault in one holds up no other."""
        failed = set[str]()
        for event in self._events.all():
            try:
                if event.id in self._over and event.snapshot().state.is_finished:
                    continue
                self._over.discard(event.id)
                if event.id not in self._rounds:
                    self._rounds[event.id] = OnlineRounds(event, self._client, self._site, self._players_key)
                rounds = self._rounds[event.id]
                if rounds.is_told_over(self._clock()):
                    self._rounds.pop(event.id)
                    self._over.add(event.id)
                else:
                    rounds.step(self._clock())
            except Exception as err:  # noqa: BLE001 - a thread that ended would leave every event waiting
                failed.add(event.id)
                # The text of an error may name players.
                _log.error("a step of an on-line round failed: %s", type(err).__name__)
        self._failed, self.stepped_at = frozenset(failed), self._clock()

    def start(self) -> None:
        """Step in a thread of its own until the process ends."""
        threading.Thread(target=self._run, name="on-line rounds", daemon=True).start()

    def stop(self) -> None:
        self._ended.set()

    def _run(self) -> None:
        while True:
            try:
                self.step()
            except Exception as err:  # noqa: BLE001 - the next step may find the folder readable again
                _log.error("the events cannot be listed: %s", type(err).__name__)
            if self._ended.wait(STEP_SECONDS):
                return
