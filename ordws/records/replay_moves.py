"""The moves of a recorded game: plays, exchanges and passes (docs/rules.md 3, 7.1).

`ordws.rules` judges and scores a play. Here an illegal play is put on the board as far as its squares are free, so that
the lines after it can be audited.
"""

from __future__ import annotations

from collections.abc import Sequence

from ordws.records.finding import FindingKind
from ordws.records.gcg_extensions import GcgExtension
from ordws.records.move_notation import split_start
from ordws.records.record import GcgEvent, PassedTurn, TileExchange, TilePlacement, UnknownMove
from ordws.records.replay import PlacedPlay, Replay
from ordws.records.tile_distributions import score_with_distribution
from ordws.rules.bag import exchange_needs
from ordws.rules.board import EMPTY
from ordws.rules.fault import Fault
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play

_WRONG_BOARD_FAULTS = (Fault.OFF_BOARD, Fault.MISSES_CENTRE)
_MOST_DIGITS = 12


def replay_play(replay: Replay, event: GcgEvent, move: TilePlacement, extensions: Sequence[GcgExtension]) -> None:
    """Judge and score a play, and put it on the board; of an illegal one, the tiles that fall on free squares."""
    replay.undo_unplayed_tiles()
    seat = replay.begin_turn(event, extensions)
    letters = replay.distribution.encode_word(move.word)
    if letters is None:
        replay.report(event, FindingKind.LINE, f'"{move.word}" has what is no letter', move.word)
        replay.score_sheet.record_points(seat, event, None)
        return
    row, column, axis = split_start(move.start)
    if replay.lettered_rows:
        row, column, axis = column, row, axis.other
    ruling = judge(replay.rules, replay.board, Play(row, column, axis, letters))
    legal, scored, text = None, None, f"{move.start} {move.word}"
    if isinstance(ruling, Legal):
        legal, scored, tiles = ruling, score_with_distribution(replay.distribution, replay.rules, ruling), ruling.tiles
        replay.scored_plays.append((event, ruling))
    else:
        squares = [(row + i, column) if axis else (row, column + i) for i in range(len(letters))]
        tiles = {
            square: chr(letter)
            for square, letter in zip(squares, letters, strict=True)
            if letter != EMPTY
            and min(square) >= 0
            and max(square) < replay.board.side
            and replay.board.letter_at(*square) == "."
        }
        replay.off_board_plays += ruling.fault in _WRONG_BOARD_FAULTS
        replay.report(event, FindingKind.PLACEMENT, f'"{text}": {ruling.message}', text)
    needed = replay.distribution.as_rack_tiles(tiles.values())
    replay.tile_tracker.check_rack(event.line, event.rack, needed, text)
    replay.tile_tracker.place(event.line, needed)
    # The points of an illegal play are believed as they are written, since nothing can be computed.
    points = scored if scored is not None else event.points or 0
    replay.last_play = PlacedPlay(replay.moves, seat, event, points, legal, tiles, replay.idle_bag_counts)
    replay.plays.append(replay.last_play)
    replay.board, replay.idle_bag_counts = replay.board.with_letters(tiles), ()
    replay.score_sheet.record_points(seat, event, scored)


def replay_exchange(replay: Replay, event: GcgEvent, move: TileExchange, extensions: Sequence[GcgExtension]) -> None:
    """Check an exchange against the rack and the bag; it scores nothing (docs/rules.md 7.1)."""
    tiles = replay.distribution.split_rack(move.tiles)
    bag, seat = replay.bag_count(), replay.begin_turn(event, extensions)
    needed = exchange_needs(replay.rules, len(tiles or ()))
    # The count of the bag assumes that every rack is full, which that of a player who has left need not be.
    if bag < needed and replay.active_players == replay.score_sheet.count:
        message = f"the bag held {bag} tiles, this exchange needs {needed}"
        replay.report(event, FindingKind.BAG, message, bag, needed)
    if move.tiles.isdecimal():  # an exchange of which only the number of tiles is known
        most = len(event.rack) or replay.rules.rack_size
        # int() refuses thousands of digits.
        if len(move.tiles) > _MOST_DIGITS or int(move.tiles) > most:
            message = f"{move.tiles} tiles are exchanged, there are {most}"
            replay.report(event, FindingKind.RACK, message, move.tiles, most)
    elif tiles is None:
        replay.report(event, FindingKind.RACK, f'"{move.tiles}" is exchanged, which are no tiles', move.tiles)
    replay.tile_tracker.check_rack(event.line, event.rack, tiles or (), f"-{move.tiles}")
    replay.record_idle_turn(bag)
    replay.score_sheet.record_points(seat, event, 0)


def replay_pass(
    replay: Replay, event: GcgEvent, move: PassedTurn | UnknownMove, extensions: Sequence[GcgExtension]
) -> None:
    """Record a pass, which scores nothing; for a text that is no move, take the points as they are written."""
    match move:
        case PassedTurn():
            bag, seat = replay.bag_count(), replay.begin_turn(event, extensions)
            replay.tile_tracker.check_rack(event.line, event.rack)
            replay.record_idle_turn(bag)
            replay.score_sheet.record_points(seat, event, 0)
        case UnknownMove(text):
            replay.report(event, FindingKind.LINE, f'"{text}" is no move' if text else "the line says no move")
            replay.score_sheet.record_points(replay.begin_turn(event, extensions), event, None)
