"""The state of an event, derived from its facts alone. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.tournament.facts import Constrained, Created, Disputed, EventSettings, ResultSource, TableResult

EntrantStatus: TypeAlias = Literal["entered", "present", "withdrawn"]
"""Entered and not (or no longer) checked in; checked in, and so paired; gone for good or until `return`."""

RoundStatus: TypeAlias = Literal["published", "closed", "void"]
EventPhase: TypeAlias = Literal["entry", "playing", "between", "finished"]
"""Before the first round; while a round is published; after a round was closed or voided; after the end."""

NO_SETTINGS: Final = EventSettings()
MOST_TURNS_A_GAME: Final = 100
MOST_GAMES: Final = 320
"""The games of one entrant: with the turns a game they stay below 2^15 turns, up to which keys are exact."""


class Entrant(NamedTuple):
    """A player of the event; `version` is the number of the last fact that concerns the entrant."""

    number: int
    name: str
    version: int
    status: EntrantStatus = "entered"
    club: str = ""
    minor: bool = False
    agreed: tuple[str, str] | None = None
    """The version and the digest of the conditions that the entrant accepted."""

    cases: frozenset[str] = frozenset()
    """The open cases for which no prize is paid."""

    code_digest: str = ""
    erased: bool = False
    member: str = ""
    """A number of theirs that stays the same from event to event; for directors alone."""


class TableGame(NamedTuple):
    """A game of a pairing with the result that was told last: it counts once it `is_settled`."""

    result: TableResult
    source: ResultSource
    by: int | None = None
    """The entrant who claimed the result, where the source is a player."""

    confirmed: bool = False
    digest: str = ""
    dispute: Disputed | None = None

    @property
    def is_settled(self) -> bool:
        """True unless a player claimed the result and nobody has confirmed it."""
        return self.source != "player" or self.confirmed


class GameBinding(NamedTuple):
    """The place where a game of a pairing is played: a sealed game, or a table station."""

    game: int
    sealed_game: str
    device: str


class PairingState(NamedTuple):
    """A pairing of a round; `games` has a place for each game of the round, None until a result is told."""

    table: int
    first: int
    second: int
    games: tuple[TableGame | None, ...]
    version: int
    began: bool = False
    bound: tuple[GameBinding, ...] = ()

    @property
    def entrants(self) -> tuple[int, int]:
        return self.first, self.second

    @property
    def is_complete(self) -> bool:
        """True if every game has a result that counts."""
        return all(game is not None and game.is_settled for game in self.games)

    @property
    def have_met(self) -> bool:
        """True if the two have begun a game: a forfeited one was not begun (docs/rules.md A-45)."""
        return self.began or any(game is not None and not game.result.forfeit for game in self.games)

    def results(self) -> Iterator[TableResult]:
        """Yield the results that count."""
        for game in self.games:
            if game is not None and game.is_settled:
                yield game.result

    def opponent_of(self, entrant: int) -> int:
        return self.second if entrant == self.first else self.first


class RoundState(NamedTuple):
    """A round as it was published; a voided round stays, and another of the same number follows."""

    number: int
    status: RoundStatus
    pairings: tuple[PairingState, ...]
    bye: int | None
    absent: tuple[int, ...]
    version: int
    void_reason: str = ""

    def at_table(self, table: int) -> PairingState | None:
        """Return the pairing at a table; tables are numbered in the order of the pairings."""
        return self.pairings[table - 1] if 1 <= table <= len(self.pairings) else None

    def with_pairing(self, changed: PairingState) -> RoundState:
        """Return the round with the pairing at the same table exchanged."""
        before, after = self.pairings[: changed.table - 1], self.pairings[changed.table :]
        return self._replace(pairings=(*before, changed, *after))

    def of_entrant(self, entrant: int) -> PairingState | None:
        return next((pairing for pairing in self.pairings if entrant in pairing.entrants), None)


@dataclass(frozen=True)
class TournamentState:
    """The state of an event; `version` is the number of its last fact, 0 before it was created."""

    created: Created | None = None
    rounds_planned: int = 0
    settings: EventSettings = NO_SETTINGS
    entrants: dict[int, Entrant] = field(default_factory=dict)
    numbers_by_name: dict[str, int] = field(default_factory=dict)
    """The number of each entrant by `name_key` of the name."""

    numbers_by_member: dict[str, int] = field(default_factory=dict)
    """The number of each entrant who has a member number, by that."""

    rounds: tuple[RoundState, ...] = ()
    """All rounds in the order in which they were published, voided ones too."""

    constraints: tuple[Constrained, ...] = ()
    operators: tuple[str, ...] = ()
    """The operators who may direct the event, its owner first; none in a file of a director's own."""

    finished_at: int | None = None
    """The end of the event in Unix seconds; None before it."""

    version: int = 0
    event_version: int = 0
    """The number of the last fact that changed the event as a whole: its rounds, its settings, its end."""

    draft_version: int = 0
    """The number of the last fact on which the next draft depends."""

    entrants_ever: int = 0
    """The highest number given to an entrant, also to one whose entry was undone."""

    @property
    def event(self) -> Created:
        """The first fact, which every stored event has."""
        assert self.created is not None
        return self.created

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None

    @property
    def live_rounds(self) -> tuple[RoundState, ...]:
        """The rounds that count, published or closed; the index is the number less 1."""
        return tuple([each for each in self.rounds if each.status != "void"])

    @property
    def last_round(self) -> RoundState | None:
        """The last round that counts."""
        return next((each for each in reversed(self.rounds) if each.status != "void"), None)

    @property
    def open_round(self) -> RoundState | None:
        """The round being played: published, and not yet closed."""
        last = self.last_round
        return last if last is not None and last.status == "published" else None

    @property
    def next_round(self) -> int:
        """The number of the round to be drawn next."""
        return 1 + len(self.live_rounds)

    @property
    def phase(self) -> EventPhase:
        if self.is_finished:
            return "finished"
        if self.open_round is not None:
            return "playing"
        return "between" if self.rounds else "entry"

    @property
    def present(self) -> tuple[int, ...]:
        """The entrants who are paired in the next draft, by number."""
        return tuple([number for number, each in sorted(self.entrants.items()) if each.status == "present"])

    def find_round(self, number: int) -> RoundState | None:
        """Return the round of this number that counts; None if there is none."""
        live = self.live_rounds
        return live[number - 1] if 1 <= number <= len(live) else None

    def name_of(self, entrant: int) -> str:
        return self.entrants[entrant].name

    def own(self) -> TournamentState:
        """Return the state with entrants of its own, for a fold that changes these in place: one copy for all facts."""
        return replace(
            self,
            entrants={**self.entrants},
            numbers_by_name={**self.numbers_by_name},
            numbers_by_member={**self.numbers_by_member},
        )

    def with_round(self, changed: RoundState) -> TournamentState:
        """Return the state with the live round of this number exchanged."""
        rounds = [changed if each.number == changed.number and each.status != "void" else each for each in self.rounds]
        return replace(self, rounds=tuple(rounds))
