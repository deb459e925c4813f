"""A whole game as a record that other programs read, with what GCG has no form for in notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ordws.records.facts import (
    AdjustedBy,
    Caught,
    CheckedOspd,
    Deducted,
    Ended,
    Fact,
    Left,
    SwappedBefore,
    write_fact,
    write_rules,
)
from ordws.records.moves import Swaps, write_start
from ordws.records.record import (
    ChallengeBonus,
    Deed,
    Event,
    Exchanging,
    Item,
    Note,
    Passing,
    Placing,
    Pragma,
    Record,
    TimePenalty,
    Unplayed,
    Withdrawing,
)
from ordws.rules.event import Checked, Kind, Swapped
from ordws.rules.event import Event as Happening
from ordws.rules.game import Game, states_of
from ordws.rules.move import Exchange, Legal, Pass, Play, squares_of
from ordws.rules.state import Entry, Fate, Over, Seat, State, Turn

_NO_NICK: Final = re.compile(r"[^\w.'-]+")


def keep(game: Game, names: Sequence[str], about: Sequence[Pragma] = ()) -> Record:
    """The record of a game, over or not, between players of these names, with what more is to be told about it.

    A record keeps no draws. Raises ValueError where the events of the game do not fit, or a player has no name.
    """
    if len(names) != game.players:
        raise ValueError(f"{game.players} players have {len(names)} names")
    scribe = _Scribe(_nicks(names))
    state = None
    for event, (before, state) in zip(game.events, pairwise(states_of(game)), strict=True):
        scribe.write(before, event, state)
    players = [
        Pragma(0, f"player{number}", f"{nick} {' '.join(name.split())}".rstrip())
        for number, (nick, name) in enumerate(zip(scribe.nicks, names, strict=True), start=1)
    ]
    description = Pragma(0, "description", write_rules(game.rules))
    return Record((*players, description, *about, *_totalled(scribe.items), *_outcome(state)))


def _totalled(items: list[Item]) -> Iterator[Item]:
    totals: Counter[str] = Counter()
    for item in items:
        if isinstance(item, Event):
            totals[item.nick] += item.points or 0
            item = replace(item, total=totals[item.nick])
        yield item


def _nicks(names: Sequence[str]) -> list[str]:
    """Each name without what would end a nick in a record, and no two alike."""
    nicks: list[str] = []
    for number, name in enumerate(names, start=1):
        nick = _NO_NICK.sub("_", name.strip()) or f"player{number}"
        nicks.append(nick if nick not in nicks else f"{nick}_{number}")
    return nicks


def _outcome(state: State | None) -> list[Item]:
    """Why the game is over; or, where it is not, what is on the racks."""
    if state is None:
        return []
    if isinstance(state.phase, Over):
        return [_note(Ended(state.phase.why.value))] if state.turns else []
    return [Pragma(0, f"rack{n}", seat.rack) for n, seat in enumerate(state.seats, start=1) if seat.rack]


def _note(fact: Fact) -> Note:
    return Note(0, write_fact(fact))


class _Scribe:
    """Writes lines as a game goes on, from how it stood before and after each event."""

    def __init__(self, nicks: list[str]) -> None:
        self.nicks = nicks
        self.items: list[Item] = []
        self._entries: list[tuple[Entry, list[Item]]] = []
        self._swaps: Swaps = ()
        self._swapper: int | None = None
        self._after_withdrawal = 0

    def write(self, before: State, event: Happening, now: State) -> None:
        if isinstance(event, Swapped):
            self._swaps, self._swapper = (*self._swaps, (event.row, event.column)), event.player
        if isinstance(event, Checked):
            self._check(event)
        for old, turn in zip(before.turns, now.turns, strict=False):
            if old != turn:
                self._change(before, old, turn)
        leaving = [
            player
            for player, (old_seat, seat) in enumerate(zip(before.seats, now.seats, strict=True))
            if seat.left is not None and old_seat.left is None
        ]
        turns = now.turns[len(before.turns) :]
        for turn in [turn for turn in turns if turn.player in leaving]:
            self._turn(before, turn)
        for player in leaving:
            self._leave(player, now.seats[player])
        for turn in [turn for turn in turns if turn.player not in leaving]:
            self._turn(before, turn)
        self._match(now)

    def _leave(self, player: int, seat: Seat) -> None:
        """A note; where swaps were made and no move followed, behind a pass that has them."""
        if self._swaps and self._swapper == player:
            self._line(player, seat.rack, Passing(), 0, SwappedBefore(self._swaps))
            self._swaps = ()
        if seat.left is not None:
            self.items.append(_note(Left(self.nicks[player], seat.left.why.value)))

    def _line(self, player: int, rack: str, deed: Deed, points: int, *facts: Fact) -> None:
        self.items.append(Event(0, self.nicks[player], rack, deed, points, None))
        self.items += [_note(fact) for fact in facts]

    def _turn(self, before: State, turn: Turn) -> None:
        """A turn just taken; its swaps come with it."""
        rack = before.seats[turn.player].rack
        swaps, self._swaps = self._swaps, ()
        facts = [SwappedBefore(swaps)] if swaps else []
        match turn.move:
            case Play() if turn.ruling is not None:
                self._line(turn.player, rack, _placing(turn.ruling), turn.ruling.score, *facts)
                if turn.fate is Fate.OFF:
                    self._withdraw(turn.player, rack, turn.ruling.score)
            case Exchange(tiles):
                self._line(turn.player, rack, Exchanging(tiles), 0, *facts)
            case Pass() | Play():
                self._line(turn.player, rack, Passing(), 0, *facts)

    def _withdraw(self, player: int, rack: str, points: int, *facts: Fact) -> None:
        self._line(player, rack, Withdrawing(), -points, *facts)
        self._after_withdrawal = len(self.items)

    def _change(self, before: State, old: Turn, turn: Turn) -> None:
        """An earlier turn that a challenge, a check of the OSPD or a late discovery has changed."""
        if old.fate is turn.fate:
            self._line(turn.player, before.seats[turn.player].rack, TimePenalty(), turn.points - old.points, Deducted())
        elif turn.fate is Fate.OFF and old.ruling is not None:
            self._withdraw(turn.player, self._rack_of(turn.player, _placing(old.ruling)), old.points)
        elif turn.ruling is not None and old.fate is Fate.MADE:
            placing = _placing(turn.ruling)
            swaps, self._swaps = self._swaps, ()  # whose turn it is has swapped blanks that may come off now
            facts = [SwappedBefore(swaps)] if swaps else []
            rack = "" if swaps else self._rack_of(turn.player, placing)
            self._line(turn.player, rack, Withdrawing(), -old.points, *facts, Caught(f"{placing.start} {placing.word}"))

    def _rack_of(self, player: int, placing: Placing) -> str:
        """The rack of a player's last play of this kind."""
        nick = self.nicks[player]
        lines = [item for item in self.items if isinstance(item, Event) and item.deed == placing and item.nick == nick]
        return lines[-1].rack

    def _check(self, event: Checked) -> None:
        self.items.insert(self._after_withdrawal, _note(CheckedOspd(event.found, event.word)))
        self._after_withdrawal += 1

    def _match(self, now: State) -> None:
        """Lines for new entries; those of an end that a late discovery undid are taken out."""
        due = list(now.entries)
        for entry, lines in list(self._entries):
            if entry in due:
                due.remove(entry)
            else:
                self._entries.remove((entry, lines))
                self.items = [item for item in self.items if not any(item is line for line in lines)]
        for entry in due:
            first = len(self.items)
            self._entry(now, entry)
            self._entries.append((entry, self.items[first:]))

    def _entry(self, now: State, entry: Entry) -> None:
        player, points = entry.player, entry.points
        match entry.kind:
            case Kind.CHALLENGE:
                self._line(player, "", ChallengeBonus(), points)
            case Kind.OVERTIME:
                self._line(player, now.seats[player].rack, TimePenalty(), points)
            case Kind.UNPLAYED_TILES:
                racks = [seat.rack for other, seat in enumerate(now.seats) if (other == player) is (points < 0)]
                self._line(player, racks[0] if points < 0 else "", Unplayed("".join(racks)), points)
            case Kind.DIRECTOR | Kind.UNPLAYED_TILES_ROUND:
                deed = TimePenalty() if points < 0 else ChallengeBonus()
                reason = " ".join(entry.reason.split())
                rack = "" if self._swaps else now.seats[player].rack  # what was swapped is told with the move
                self._line(player, rack, deed, points, AdjustedBy(entry.kind.value, reason))


def _placing(ruling: Legal) -> Placing:
    """The main word from its first square on, a dot for each tile that was there."""
    main = ruling.spans[0]
    tiles, first, new, axis = main
    word = "".join([chr(tile) if first + i in new else "." for i, tile in enumerate(tiles)])
    return Placing(write_start(*squares_of(ruling.rules.layout.side, main)[0], axis), word)
