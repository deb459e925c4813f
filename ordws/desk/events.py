"""The events of a desk: one file of a director's, or all files of an installation's folder."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ordws.errors import BadInput, Missing, OrdwsError
from ordws.tournament.commands import Command, NameOperators
from ordws.tournament.decide_rounds import check_may_draft
from ordws.tournament.facts import SERVICE_ACTOR, Created, Frozen, Published, RecordedFact, Unfrozen
from ordws.tournament.fold import fold
from ordws.tournament.pairing.problem import Draft, DraftedPairing, PairingProblem, explain, explain_bye
from ordws.tournament.played_event import problem_of
from ordws.tournament.season import read_seasons
from ordws.tournament.standings import StandingLine, standings
from ordws.tournament.state import TournamentState
from ordws.tournament.store import EventFile

if TYPE_CHECKING:
    from ordws.tournament.certificate import Certificate
    from ordws.tournament.played_event import PlayedEvent

SUFFIX: Final = ".db"
_MAX_RENDERED: Final = 64
"""The parts of pages that are kept of one state: those for everybody, and some that mark the player who asked."""
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}", re.ASCII)


class NotTheirs(OrdwsError):
    """An event is not the operator's who asks."""


def shown_to_players(facts: Sequence[RecordedFact]) -> tuple[RecordedFact, ...]:
    """Return the facts that players' pages show: those of fair play are told to whom they concern alone."""
    return tuple([each for each in facts if not isinstance(each.fact, Frozen | Unfrozen)])


@dataclass(frozen=True)
class Snapshot:
    """An event as it is after one of its facts; what follows from that is derived once, when it is asked for."""

    state: TournamentState
    facts: Sequence[RecordedFact]
    head: str
    played_digest: str
    """The hash of the fact that finished the event; until then that of the last."""

    problems: dict[int, PairingProblem]
    """The problems of published rounds by the number of the fact, shared by all snapshots of the event."""

    certificates: dict[PlayedEvent, Certificate] = field(default_factory=dict, compare=False)
    """The last certificate by what was played, shared likewise: most facts leave it as it is but for its digests."""

    _lock: threading.Lock = field(default_factory=threading.Lock, compare=False)
    _rendered: dict[Hashable, str] = field(default_factory=dict, compare=False)

    def render_once(self, key: Hashable, render: Callable[[], str]) -> str:
        """Return a part of a page that follows from this state alone, rendered when it is first asked for."""
        with self._lock:
            if key not in self._rendered:
                if len(self._rendered) >= _MAX_RENDERED:
                    del self._rendered[next(iter(self._rendered))]
                self._rendered[key] = render()
            return self._rendered[key]

    @cached_property
    def lines(self) -> list[StandingLine]:
        return standings(self.state)

    @cached_property
    def players_version(self) -> int:
        """The number of facts that players' pages show."""
        return len(self._shown_to_players)

    def fact_at(self, players_version: int) -> int:
        """Return the number of the last fact that may be known where players' pages had this version."""
        later = self._shown_to_players[players_version:]
        return later[0].number - 1 if later else self.state.version

    @cached_property
    def _shown_to_players(self) -> tuple[RecordedFact, ...]:
        return shown_to_players(self.facts)

    @cached_property
    def names(self) -> dict[int, str]:
        return {number: each.name for number, each in self.state.entrants.items()}

    @cached_property
    def problem(self) -> PairingProblem:
        return problem_of(self.state)

    @cached_property
    def draft(self) -> Draft:
        """The draft of the next round; raises BadInput where none can be drawn now."""
        check_may_draft(self.state)
        from ordws.tournament.pairing.draft import draft_round

        return draft_round(self.problem)

    def draft_as_json(self) -> dict[str, Any]:
        """Return the draft of the next round for programs, with the reason for each pairing; raises as `draft`."""
        names = self.names
        pairings = [
            {
                "table": table,
                "first": names[each.first],
                "second": names[each.second],
                "why": explain(self.problem, each, each.first, names),
            }
            for table, each in enumerate(self.draft.pairings, 1)
        ]
        bye = None if self.draft.bye is None else names[self.draft.bye]
        return {"round": self.state.next_round, "pairings": pairings, "bye": bye}

    def why(self, entrant: int) -> str:
        """Return why an entrant of the last round is paired so or has the bye; empty for one who came late."""
        fact = next((each for each in reversed(self.facts) if isinstance(each.fact, Published)), None)
        if fact is None or not isinstance(fact.fact, Published):
            return ""
        if fact.number not in self.problems:
            # A published round cannot be undone, so that its problem stays what it was.
            self.problems[fact.number] = problem_of(fold(self.facts[: fact.number - 1]))
        problem = self.problems[fact.number]
        if fact.fact.bye == entrant:
            return explain_bye(problem, entrant, self.names)
        pairing = next((each for each in fact.fact.pairings if entrant in (each.first, each.second)), None)
        if pairing is None:
            return ""
        met = next(each.opponents for each in problem.players if each.number == pairing.first)
        drafted = DraftedPairing(pairing.first, pairing.second, is_repeat=pairing.second in met)
        return explain(problem, drafted, entrant, self.names)

    @cached_property
    def certificate(self) -> Certificate | None:
        """The certificate of the closed rounds; None before there is one."""
        if not any(each.status == "closed" for each in self.state.rounds):
            return None
        from ordws.tournament.certificate import certificate
        from ordws.tournament.played_event import played_event

        played = played_event(self.state, self.played_digest)
        without_digest = played._replace(facts_digest="")
        if without_digest not in self.certificates:
            self.certificates.clear()
            self.certificates[without_digest] = certificate(played)
        return self.certificates[without_digest]._replace(digest=played.digest, head=played.facts_digest)


@dataclass
class DeskEvent:
    """An event that the desk has open; `id` is its name in addresses."""

    id: str
    file: EventFile
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _latest: Snapshot | None = None
    _problems: dict[int, PairingProblem] = field(default_factory=dict)
    _certificates: dict[PlayedEvent, Certificate] = field(default_factory=dict)
    failed: int = 0
    """The number of commands, of those that this process was sent, that the file kept out as it failed."""

    def snapshot(self) -> Snapshot:
        """Return the event as it is now, also where another process has written to the file."""
        with self._lock:
            self.file.refresh()
            return self._take()

    def apply(
        self, *commands: Command, actor: str, now: int, command_id: str | None = None, expected: int | None = None
    ) -> Snapshot:
        """Carry out commands, all or none, and return the event after them; raises what `EventFile.apply` raises."""
        with self._lock:
            try:
                self.file.apply(*commands, actor=actor, now=now, command_id=command_id, expected=expected)
            except Exception as error:
                self.failed += not isinstance(error, BadInput)
                raise
            return self._take()

    def _take(self) -> Snapshot:
        if self._latest is None or self._latest.head != self.file.head:
            self._latest = Snapshot(
                self.file.state,
                tuple(self.file.facts),
                self.file.head,
                self.file.played_digest,
                self._problems,
                self._certificates,
            )
        return self._latest

    def admit(self, operator: str, now: int) -> None:
        """Raise NotTheirs where the event is not an operator's to direct; "" is a director on a laptop, who has all.

        An event from before events had owners belongs to the first operator who opens it.
        """
        if not operator:
            return
        state = self.snapshot().state
        if not state.operators:
            state = self.apply(NameOperators(owner=operator, is_claim=True), actor=SERVICE_ACTOR, now=now).state
        if operator not in state.operators:
            raise NotTheirs(
                "this event belongs to another operator",
                hint=f"its owner lets you direct it by the line: directors {operator}",
            )

    def check_owner(self, deed: str, operator: str) -> None:
        """Raise NotTheirs where an operator names the event's owner, or its directors without owning it.

        Games are charged to the owner, who would not be asked.
        """
        if operator and deed == "owner":
            raise NotTheirs("the keeper alone names the owner of an event", hint="ask the keeper of this desk")
        if operator and self.snapshot().state.operators[:1] != (operator,):
            raise NotTheirs("the owner of the event alone names its directors")


class Events:
    """The events of a desk, each opened when it is first asked for."""

    def __init__(self, path: Path) -> None:
        """Serve one file, or all events in a folder, which is made where it is not there."""
        self._path, self._lock = path, threading.Lock()
        self._open: dict[str, DeskEvent] = {}
        if not path.is_file():
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.is_folder = path.is_dir()

    def find(self, id: str) -> DeskEvent | None:
        """Return the event of this name in addresses; None where there is none."""
        with self._lock:
            if id not in self._open:
                path = self._path / f"{id}{SUFFIX}" if self.is_folder else self._path
                if not (path.is_file() and id == self._id_of(path)):
                    return None
                self._open[id] = DeskEvent(id, EventFile.open(path))
            return self._open[id]

    def only(self) -> DeskEvent:
        """Return the event of a desk of one file; raises Missing where the file is gone, Broken for a damaged one."""
        found = self.find(self._id_of(self._path))
        if found is None:
            raise Missing("the file of the event is gone", hint="put it back to where this desk found it")
        return found

    def of(self, operator: str) -> Iterator[DeskEvent]:
        """Yield the events that an operator may open; all of them for "", a director on a laptop."""
        for each in self.all():
            if not operator or not (of := each.snapshot().state.operators) or operator in of:
                yield each

    def count_events(self, operator: str) -> tuple[int, int]:
        """Return how many events that an operator made or owns are not finished, and how many there are."""
        states = [each.snapshot().state for each in self.all()]
        counted = [each for each in states if operator in (each.event.owner, *each.operators[:1])]
        return sum(not each.is_finished for each in counted), len(counted)

    def all(self) -> Iterator[DeskEvent]:
        """Yield the events, by name; a file that is damaged, foreign or cannot be read now is left out."""
        for path in sorted(self._path.glob(f"*{SUFFIX}")) if self.is_folder else [self._path]:
            try:
                found = self.find(self._id_of(path))
            except OrdwsError:
                continue
            if found is not None:
                yield found

    @property
    def failed(self) -> int:
        """The number of commands that the files of all events kept out."""
        return sum(each.failed for each in [*self._open.values()])

    def create(self, command: Created, *, actor: str, now: int) -> DeskEvent:
        """Begin an event in a file of the folder, named after it; raise BadInput where that cannot be."""
        if not self.is_folder:
            raise BadInput("this desk has one event", hint="ordws tournament new FILE")
        base = re.sub(r"[^a-z0-9]+", "-", command.name.casefold()).strip("-")[:50] or "event"
        taken = {path.stem for path in self._path.glob(f"*{SUFFIX}")} | self._names_of_finals(command.owner)
        id = next(
            name
            for count in range(1, len(taken) + 2)
            if (name := base if count == 1 else f"{base}-{count}") not in taken
        )
        file = EventFile.create(self._path / f"{id}{SUFFIX}", command, actor=actor, now=now)
        with self._lock:
            self._open[id] = DeskEvent(id, file)
            return self._open[id]

    def _names_of_finals(self, owner: str) -> set[str]:
        """Return the names that seasons keep for the finals of other owners' events."""
        kept = set()
        for _, season in read_seasons(self._path):
            for quarter in season.quarter:
                event = self.find(Path(quarter.event).stem) if quarter.final else None
                if event is not None and event.snapshot().state.operators[:1] not in ((), (owner,)):
                    kept.add(Path(quarter.final).stem)
        return kept

    def _id_of(self, path: Path) -> str:
        """Return the name of a file in addresses: its own where it is fit for that, else "event"."""
        return path.stem if _ID.fullmatch(path.stem) else "event" if not self.is_folder else ""
