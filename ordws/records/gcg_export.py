"""A game as a GCG record that other programs read, with notes for what GCG has no form for (docs/interfaces.md 4.2).

For the browser, ordws/web/pages/static/gcg-export.js writes the games that a page keeps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ordws.records.notation import SwapSquares, write_start
from ordws.records.record import (
    CaughtPlay,
    ChallengeBonus,
    CheckedOspd,
    DirectorAdjustment,
    GameEnded,
    GcgEvent,
    GcgExtension,
    GcgMove,
    Note,
    OspdDeduction,
    PassedTurn,
    PlayerLeft,
    Pragma,
    Record,
    RecordItem,
    SwapsBefore,
    TileExchange,
    TilePlacement,
    TimePenalty,
    UnplayedTilesScore,
    Withdrawal,
    write_extension,
    write_rules_description,
)
from ordws.rules.event import Checked, Event, ScoreEntryKind, Swapped
from ordws.rules.game import Game, iter_states
from ordws.rules.move import Exchange, Legal, Pass, Play, squares_of
from ordws.rules.state import GameOver, GameState, ScoreEntry, Turn, TurnOutcome

_NOT_IN_A_NICK: Final = re.compile(r"[^\w.'-]+")


def to_gcg_record(game: Game, names: Sequence[str], extra_pragmas: Sequence[Pragma] = ()) -> Record:
    """Return the record of a game, over or not, between players of these names, with further pragmata before it.

    A record keeps no draws. Raises ValueError if the events of the game do not fit, or if a player has no name.
    """
    if len(names) != game.players:
        raise ValueError(f"{game.players} players have {len(names)} names")
    nicks: list[str] = []
    for number, name in enumerate(names, start=1):
        nick = _NOT_IN_A_NICK.sub("_", name.strip()) or f"player{number}"
        nicks.append(nick if nick not in nicks else f"{nick}_{number}")
    writer = _RecordWriter(nicks)
    state = None
    for event, (before, state) in zip(game.events, pairwise(iter_states(game)), strict=True):
        writer.write(before, event, state)
    items: list[RecordItem] = [
        Pragma(0, f"player{number}", f"{nick} {' '.join(name.split())}".rstrip())
        for number, (nick, name) in enumerate(zip(nicks, names, strict=True), start=1)
    ]
    items += [Pragma(0, "description", write_rules_description(game.rules)), *extra_pragmas]
    totals: Counter[str] = Counter()
    for item in writer.items:
        if isinstance(item, GcgEvent):
            totals[item.nick] += item.points or 0
            items.append(replace(item, total=totals[item.nick]))
        else:
            items.append(item)
    if state is not None and isinstance(state.phase, GameOver):
        items += [_extension_note(GameEnded(state.phase.reason.value))] if state.turns else []
    elif state is not None:
        items += [Pragma(0, f"rack{n}", seat.rack) for n, seat in enumerate(state.seats, start=1) if seat.rack]
    return Record(tuple(items))


# Lines of a record that is only written have no numbers yet: theirs is 0.
def _extension_note(extension: GcgExtension) -> Note:
    return Note(0, write_extension(extension))


class _RecordWriter:
    """The lines of a game, written from its states before and after each event; totals are added later.

    A late discovery can take lines out again, so that a total is not certain before the last event.
    """

    def __init__(self, nicks: list[str]) -> None:
        self.nicks = nicks
        self.items: list[RecordItem] = []
        self._entries: list[tuple[ScoreEntry, list[RecordItem]]] = []
        self._swaps: SwapSquares = ()  # swaps that no line has told yet
        self._swapping_player: int | None = None
        self._after_withdrawal = 0  # where the note of a check of the OSPD is put

    def write(self, before: GameState, event: Event, after: GameState) -> None:
        """Add the lines of one event: changed turns first, then departures and new turns, then score entries."""
        if isinstance(event, Swapped):
            self._swaps, self._swapping_player = (*self._swaps, (event.row, event.column)), event.player
        if isinstance(event, Checked):
            self.items.insert(self._after_withdrawal, _extension_note(CheckedOspd(event.found, event.word)))
            self._after_withdrawal += 1
        # An event may add turns, and a check of the OSPD that finds the words takes the last one back.
        for old, turn in zip(before.turns, after.turns, strict=False):
            if old != turn:
                self._add_changed_turn(before, old, turn)
        leaving = {
            player: seat.departure.reason.value
            for player, (old_seat, seat) in enumerate(zip(before.seats, after.seats, strict=True))
            if seat.departure is not None and old_seat.departure is None
        }
        turns = after.turns[len(before.turns) :]
        # A turn that a departure ends is that player's, and one that the departure causes is another player's.
        for turn in [turn for turn in turns if turn.player in leaving]:
            self._add_turn(before, turn)
        for player, reason in leaving.items():
            if self._swaps and self._swapping_player == player:
                # No move followed the swaps: a pass has their note.
                self._add_line(player, after.seats[player].rack, PassedTurn(), 0, SwapsBefore(self._swaps))
                self._swaps = ()
            self.items.append(_extension_note(PlayerLeft(self.nicks[player], reason)))
        for turn in [turn for turn in turns if turn.player not in leaving]:
            self._add_turn(before, turn)
        self._sync_entries(after)

    def _add_line(self, player: int, rack: str, move: GcgMove, points: int, *extensions: GcgExtension) -> None:
        self.items.append(GcgEvent(0, self.nicks[player], rack, move, points, None))
        self.items += [_extension_note(extension) for extension in extensions]

    def _add_turn(self, before: GameState, turn: Turn) -> None:
        """Add a turn just taken, with the swaps that were made before its move."""
        rack = before.seats[turn.player].rack
        extensions = self._take_swaps()
        match turn.move:
            case Play() if turn.ruling is not None:
                self._add_line(turn.player, rack, tile_placement(turn.ruling), turn.ruling.score, *extensions)
                if turn.outcome is TurnOutcome.OFF:
                    self._add_withdrawal(turn.player, rack, turn.ruling.score)
            case Exchange(tiles):
                self._add_line(turn.player, rack, TileExchange(tiles), 0, *extensions)
            case Pass() | Play():
                self._add_line(turn.player, rack, PassedTurn(), 0, *extensions)

    def _take_swaps(self) -> list[SwapsBefore]:
        """Return the swaps that no line has told yet, as a list of one extension or none."""
        swaps, self._swaps = self._swaps, ()
        return [SwapsBefore(swaps)] if swaps else []

    def _add_withdrawal(self, player: int, rack: str, points: int) -> None:
        self._add_line(player, rack, Withdrawal(), -points)
        self._after_withdrawal = len(self.items)

    def _add_changed_turn(self, before: GameState, old: Turn, turn: Turn) -> None:
        """Add an earlier turn that a challenge, a check of the OSPD or a late discovery has changed."""
        player = turn.player
        if old.outcome is turn.outcome:
            self._add_line(player, before.seats[player].rack, TimePenalty(), turn.points - old.points, OspdDeduction())
        elif turn.outcome is TurnOutcome.OFF and old.ruling is not None:
            self._add_withdrawal(player, self._rack_of(player, tile_placement(old.ruling)), old.points)
        elif turn.ruling is not None and old.outcome is TurnOutcome.MADE:
            placement = tile_placement(turn.ruling)
            # The player to move may have swapped blanks of the very play that comes off.
            swaps = self._take_swaps()
            rack = "" if swaps else self._rack_of(player, placement)
            caught = CaughtPlay(f"{placement.start} {placement.word}")
            self._add_line(player, rack, Withdrawal(), -old.points, *swaps, caught)

    def _rack_of(self, player: int, placement: TilePlacement) -> str:
        """Return the rack of a player's last play that is written so."""
        nick = self.nicks[player]
        lines = [
            item for item in self.items if isinstance(item, GcgEvent) and item.move == placement and item.nick == nick
        ]
        return lines[-1].rack

    def _sync_entries(self, state: GameState) -> None:
        """Add lines for new score entries, and take those out that a late discovery after the end has undone."""
        due = list(state.entries)
        for entry, lines in list(self._entries):
            if entry in due:
                due.remove(entry)  # once: two equal entries have a line each
            else:
                self._entries.remove((entry, lines))
                self.items = [item for item in self.items if not any(item is line for line in lines)]
        for entry in due:
            first, player, points = len(self.items), entry.player, entry.points
            rack = state.seats[player].rack
            match entry.kind:
                case ScoreEntryKind.CHALLENGE:
                    self._add_line(player, "", ChallengeBonus(), points)
                case ScoreEntryKind.OVERTIME:
                    self._add_line(player, rack, TimePenalty(), points)
                case ScoreEntryKind.UNPLAYED_TILES if points < 0:
                    self._add_line(player, rack, UnplayedTilesScore(rack), points)
                case ScoreEntryKind.UNPLAYED_TILES:
                    others = [seat.rack for other, seat in enumerate(state.seats) if other != player]
                    self._add_line(player, "", UnplayedTilesScore("".join(others)), points)
                case ScoreEntryKind.DIRECTOR | ScoreEntryKind.UNPLAYED_TILES_ROUND:
                    move = TimePenalty() if points < 0 else ChallengeBonus()
                    adjustment = DirectorAdjustment(entry.kind.value, " ".join(entry.reason.split()))
                    # Swaps are told with the move that follows, and this rack would already show them.
                    self._add_line(player, "" if self._swaps else rack, move, points, adjustment)
            self._entries.append((entry, self.items[first:]))


def tile_placement(ruling: Legal) -> TilePlacement:
    """Return the main word as a record writes it: from its first square on, a dot for each tile that was there."""
    main = ruling.spans[0]
    tiles, first, new, axis = main
    word = "".join([chr(tile) if first + i in new else "." for i, tile in enumerate(tiles)])
    return TilePlacement(write_start(*squares_of(ruling.rules.layout.side, main)[0], axis), word)
