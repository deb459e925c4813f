"""What a turn is spent on: plays, exchanges, passes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ordws.records.finding import FindingKind
from ordws.records.gcg_extensions import GcgExtension
from ordws.records.record import GcgEvent, PassedTurn, TileExchange, TilePlacement, UnknownMove
from ordws.records.replay import PlacedPlay, Replay, Square
from ordws.records.tile_distributions import score_with_distribution
from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.fault import Fault
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play

_WRONG_BOARD_FAULTS = (Fault.OFF_BOARD, Fault.MISSES_CENTRE)


def replay_play(replay: Replay, event: GcgEvent, move: TilePlacement, extensions: Sequence[GcgExtension]) -> None:
    """Judge and score a play, and put it on the board; of one that does not fit, what falls on free squares."""
    replay.undo_unplayed_tiles()
    seat = replay.begin_turn(event, extensions)
    letters = replay.distribution.encode_word(move.word)
    if letters is None:
        replay.report(event, FindingKind.LINE, f'"{move.word}" has what is no letter', move.word)
        replay.score_sheet.record_points(seat, event, None)
        return
    play = Play(*_find_start(move.start, lettered_rows=replay.lettered_rows), letters)
    ruling = judge(replay.rules, replay.board, play)
    legal, scored, word = None, None, f"{move.start} {move.word}"
    if isinstance(ruling, Legal):
        legal, scored, tiles = ruling, _score_play(replay, ruling), ruling.tiles
        replay.scored_plays.append((event, ruling))
    else:
        tiles = _fitting_tiles(replay.board, play)
        replay.off_board_plays += ruling.fault in _WRONG_BOARD_FAULTS
        replay.report(event, FindingKind.PLACEMENT, f'"{word}": {ruling.message}', word)
    needed = replay.distribution.as_rack_tiles(tiles.values())
    replay.tile_tracker.check_rack(event.line, event.rack, needed, word)
    replay.tile_tracker.place(event.line, needed)
    worth = scored if scored is not None else event.points or 0
    replay.last_play = PlacedPlay(replay.moves, seat, event, worth, legal, tiles, replay.idle_bag_counts)
    replay.plays.append(replay.last_play)
    replay.board, replay.idle_bag_counts = replay.board.with_letters(tiles), ()
    replay.score_sheet.record_points(seat, event, scored)


def replay_exchange(replay: Replay, event: GcgEvent, move: TileExchange, extensions: Sequence[GcgExtension]) -> None:
    """Hold an exchange against rack and bag; it scores nothing."""
    tiles = replay.distribution.split_rack(move.tiles)
    bag, seat = replay.bag_count(), replay.begin_turn(event, extensions)
    least = max(replay.rules.exchange_min, len(tiles or ()))
    if bag < least and replay.active_players == replay.score_sheet.count:
        replay.report(event, FindingKind.BAG, f"the bag held {bag} tiles, this exchange needs {least}", bag, least)
    if move.tiles.isdecimal():
        most = len(event.rack) or replay.rules.rack_size
        if int(move.tiles) > most:
            replay.report(
                event, FindingKind.RACK, f"{move.tiles} tiles are exchanged, there are {most}", move.tiles, most
            )
    elif tiles is None:
        replay.report(event, FindingKind.RACK, f'"{move.tiles}" is exchanged, which are no tiles', move.tiles)
    replay.tile_tracker.check_rack(event.line, event.rack, tiles or (), f"-{move.tiles}")
    replay.record_idle_turn(bag)
    replay.score_sheet.record_points(seat, event, 0)


def replay_pass(
    replay: Replay, event: GcgEvent, move: PassedTurn | UnknownMove, extensions: Sequence[GcgExtension]
) -> None:
    """A pass scores nothing; of what is no move the points are taken as they are written."""
    match move:
        case PassedTurn():
            bag, seat = replay.bag_count(), replay.begin_turn(event, extensions)
            replay.tile_tracker.check_rack(event.line, event.rack)
            replay.record_idle_turn(bag)
            replay.score_sheet.record_points(seat, event, 0)
        case UnknownMove(text):
            replay.report(event, FindingKind.LINE, f'"{text}" is no move' if text else "the line says no move")
            replay.score_sheet.record_points(replay.begin_turn(event, extensions), event, None)


@cache
def _find_start(start: str, *, lettered_rows: bool) -> tuple[int, int, Axis]:
    if start[0].isdigit():
        number, letter, axis = start[:-1], start[-1], Axis.ACROSS
    else:
        number, letter, axis = start[1:], start[0], Axis.DOWN
    row, column = int(number) - 1, ord(letter.upper()) - ord("A")
    return (column, row, axis.other) if lettered_rows else (row, column, axis)


def _score_play(replay: Replay, ruling: Legal) -> int:
    if replay.distribution.has_standard_values:
        return ruling.score
    return score_with_distribution(replay.distribution, ruling.rules, ruling.spans) + ruling.bonus


def _fitting_tiles(board: Board, play: Play) -> dict[Square, str]:
    row, column, axis, letters = play
    squares = [(row + i, column) if axis else (row, column + i) for i in range(len(letters))]
    return {
        square: chr(letter)
        for square, letter in zip(squares, letters, strict=True)
        if letter != EMPTY and min(square) >= 0 and max(square) < board.side and board.letter_at(*square) == "."
    }
