"""A whole game as a record that other programs read, with what GCG has no form for in notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ordws.records.gcg_extensions import (
    CaughtPlay,
    CheckedOspd,
    DirectorAdjustment,
    GameEnded,
    GcgExtension,
    OspdDeduction,
    PlayerLeft,
    SwapsBefore,
    write_extension,
    write_rules_description,
)
from ordws.records.move_notation import SwapSquares, write_start
from ordws.records.record import (
    ChallengeBonus,
    GcgEvent,
    GcgMove,
    Note,
    PassedTurn,
    Pragma,
    Record,
    RecordItem,
    TileExchange,
    TilePlacement,
    TimePenalty,
    UnplayedTilesScore,
    Withdrawal,
)
from ordws.rules.event import Checked, ScoreEntryKind, Swapped
from ordws.rules.event import Event as Happening
from ordws.rules.game import Game, iter_states
from ordws.rules.move import Exchange, Legal, Pass, Play, squares_of
from ordws.rules.state import GameOver, GameState, PlayerState, ScoreEntry, Turn, TurnOutcome

_NOT_IN_A_NICK: Final = re.compile(r"[^\w.'-]+")


def to_gcg_record(game: Game, names: Sequence[str], extra_pragmas: Sequence[Pragma] = ()) -> Record:
    """The record of a game, over or not, between players of these names, with what more is to be told about it.

    A record keeps no draws. Raises ValueError where the events of the game do not fit, or a player has no name.
    """
    if len(names) != game.players:
        raise ValueError(f"{game.players} players have {len(names)} names")
    scribe = _RecordWriter(_make_nicks(names))
    state = None
    for event, (before, state) in zip(game.events, pairwise(iter_states(game)), strict=True):
        scribe.write(before, event, state)
    players = [
        Pragma(0, f"player{number}", f"{nick} {' '.join(name.split())}".rstrip())
        for number, (nick, name) in enumerate(zip(scribe.nicks, names, strict=True), start=1)
    ]
    description = Pragma(0, "description", write_rules_description(game.rules))
    return Record((*players, description, *extra_pragmas, *_with_totals(scribe.items), *_closing_items(state)))


def _with_totals(items: list[RecordItem]) -> Iterator[RecordItem]:
    totals: Counter[str] = Counter()
    for item in items:
        if isinstance(item, GcgEvent):
            totals[item.nick] += item.points or 0
            item = replace(item, total=totals[item.nick])
        yield item


def _make_nicks(names: Sequence[str]) -> list[str]:
    """Each name without what would end a nick in a record, and no two alike."""
    nicks: list[str] = []
    for number, name in enumerate(names, start=1):
        nick = _NOT_IN_A_NICK.sub("_", name.strip()) or f"player{number}"
        nicks.append(nick if nick not in nicks else f"{nick}_{number}")
    return nicks


def _closing_items(state: GameState | None) -> list[RecordItem]:
    """Why the game is over; or, where it is not, what is on the racks."""
    if state is None:
        return []
    if isinstance(state.phase, GameOver):
        return [_extension_note(GameEnded(state.phase.reason.value))] if state.turns else []
    return [Pragma(0, f"rack{n}", seat.rack) for n, seat in enumerate(state.seats, start=1) if seat.rack]


def _extension_note(extension: GcgExtension) -> Note:
    return Note(0, write_extension(extension))


class _RecordWriter:
    """Writes lines as a game goes on, from how it stood before and after each event."""

    def __init__(self, nicks: list[str]) -> None:
        self.nicks = nicks
        self.items: list[RecordItem] = []
        self._entries: list[tuple[ScoreEntry, list[RecordItem]]] = []
        self._swaps: SwapSquares = ()
        self._swapping_player: int | None = None
        self._after_withdrawal = 0

    def write(self, before: GameState, event: Happening, after: GameState) -> None:
        if isinstance(event, Swapped):
            self._swaps, self._swapping_player = (*self._swaps, (event.row, event.column)), event.player
        if isinstance(event, Checked):
            self._add_ospd_check(event)
        for old, turn in zip(before.turns, after.turns, strict=False):
            if old != turn:
                self._add_changed_turn(before, old, turn)
        leaving = [
            player
            for player, (old_seat, seat) in enumerate(zip(before.seats, after.seats, strict=True))
            if seat.departure is not None and old_seat.departure is None
        ]
        turns = after.turns[len(before.turns) :]
        for turn in [turn for turn in turns if turn.player in leaving]:
            self._add_turn(before, turn)
        for player in leaving:
            self._add_departure(player, after.seats[player])
        for turn in [turn for turn in turns if turn.player not in leaving]:
            self._add_turn(before, turn)
        self._sync_entries(after)

    def _add_departure(self, player: int, seat: PlayerState) -> None:
        """A note; where swaps were made and no move followed, behind a pass that has them."""
        if self._swaps and self._swapping_player == player:
            self._add_line(player, seat.rack, PassedTurn(), 0, SwapsBefore(self._swaps))
            self._swaps = ()
        if seat.departure is not None:
            self.items.append(_extension_note(PlayerLeft(self.nicks[player], seat.departure.reason.value)))

    def _add_line(self, player: int, rack: str, move: GcgMove, points: int, *extensions: GcgExtension) -> None:
        self.items.append(GcgEvent(0, self.nicks[player], rack, move, points, None))
        self.items += [_extension_note(fact) for fact in extensions]

    def _add_turn(self, before: GameState, turn: Turn) -> None:
        """A turn just taken; its swaps come with it."""
        rack = before.seats[turn.player].rack
        swaps, self._swaps = self._swaps, ()
        facts = [SwapsBefore(swaps)] if swaps else []
        match turn.move:
            case Play() if turn.ruling is not None:
                self._add_line(turn.player, rack, _tile_placement(turn.ruling), turn.ruling.score, *facts)
                if turn.outcome is TurnOutcome.OFF:
                    self._add_withdrawal(turn.player, rack, turn.ruling.score)
            case Exchange(tiles):
                self._add_line(turn.player, rack, TileExchange(tiles), 0, *facts)
            case Pass() | Play():
                self._add_line(turn.player, rack, PassedTurn(), 0, *facts)

    def _add_withdrawal(self, player: int, rack: str, points: int, *extensions: GcgExtension) -> None:
        self._add_line(player, rack, Withdrawal(), -points, *extensions)
        self._after_withdrawal = len(self.items)

    def _add_changed_turn(self, before: GameState, old: Turn, turn: Turn) -> None:
        """An earlier turn that a challenge, a check of the OSPD or a late discovery has changed."""
        if old.outcome is turn.outcome:
            self._add_line(
                turn.player, before.seats[turn.player].rack, TimePenalty(), turn.points - old.points, OspdDeduction()
            )
        elif turn.outcome is TurnOutcome.OFF and old.ruling is not None:
            self._add_withdrawal(turn.player, self._rack_of(turn.player, _tile_placement(old.ruling)), old.points)
        elif turn.ruling is not None and old.outcome is TurnOutcome.MADE:
            placing = _tile_placement(turn.ruling)
            swaps, self._swaps = self._swaps, ()  # whose turn it is has swapped blanks that may come off now
            facts = [SwapsBefore(swaps)] if swaps else []
            rack = "" if swaps else self._rack_of(turn.player, placing)
            self._add_line(
                turn.player, rack, Withdrawal(), -old.points, *facts, CaughtPlay(f"{placing.start} {placing.word}")
            )

    def _rack_of(self, player: int, placing: TilePlacement) -> str:
        """The rack of a player's last play of this kind."""
        nick = self.nicks[player]
        lines = [
            item for item in self.items if isinstance(item, GcgEvent) and item.move == placing and item.nick == nick
        ]
        return lines[-1].rack

    def _add_ospd_check(self, event: Checked) -> None:
        self.items.insert(self._after_withdrawal, _extension_note(CheckedOspd(event.found, event.word)))
        self._after_withdrawal += 1

    def _sync_entries(self, now: GameState) -> None:
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
            self._add_entry(now, entry)
            self._entries.append((entry, self.items[first:]))

    def _add_entry(self, now: GameState, entry: ScoreEntry) -> None:
        player, points = entry.player, entry.points
        match entry.kind:
            case ScoreEntryKind.CHALLENGE:
                self._add_line(player, "", ChallengeBonus(), points)
            case ScoreEntryKind.OVERTIME:
                self._add_line(player, now.seats[player].rack, TimePenalty(), points)
            case ScoreEntryKind.UNPLAYED_TILES:
                racks = [seat.rack for other, seat in enumerate(now.seats) if (other == player) is (points < 0)]
                self._add_line(player, racks[0] if points < 0 else "", UnplayedTilesScore("".join(racks)), points)
            case ScoreEntryKind.DIRECTOR | ScoreEntryKind.UNPLAYED_TILES_ROUND:
                deed = TimePenalty() if points < 0 else ChallengeBonus()
                reason = " ".join(entry.reason.split())
                rack = "" if self._swaps else now.seats[player].rack  # what was swapped is told with the move
                self._add_line(player, rack, deed, points, DirectorAdjustment(entry.kind.value, reason))


def _tile_placement(ruling: Legal) -> TilePlacement:
    """The main word from its first square on, a dot for each tile that was there."""
    main = ruling.spans[0]
    tiles, first, new, axis = main
    word = "".join([chr(tile) if first + i in new else "." for i, tile in enumerate(tiles)])
    return TilePlacement(write_start(*squares_of(ruling.rules.layout.side, main)[0], axis), word)
