"""The end of a recorded game: points for unplayed tiles and for time, and whether the game had ended (docs/rules.md 7).

`ordws.rules.ending` says when a game ends and what it costs. Here the lines of a record are held against that: they may
be missing, doubled, or stand before the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ordws.records.finding import FindingKind
from ordws.records.record import DirectorAdjustment, GcgEvent, GcgExtension, UnplayedTilesScore
from ordws.records.replay import Replay
from ordws.rules.ending import REASONS_WITH_UNPLAYED_TILES, find_idle_end, overtime_rate, unplayed_tiles_factor

_REASONS_THAT_COUNT_RACKS: Final = (None, *(reason.value for reason in REASONS_WITH_UNPLAYED_TILES))
"""The ends after which tiles on racks count, as a note writes them; None if there is no such note."""


def replay_unplayed_tiles(replay: Replay, event: GcgEvent, move: UnplayedTilesScore) -> None:
    """Add the points of a line of unplayed tiles: a gain for going out, or the loss of one's own rack."""
    # Tiles worth nothing, blanks alone, are a gain if the line has no rack: a loss is written behind the rack.
    gains = (event.points or 0) > 0 or (event.points == 0 and not event.rack)
    likely = replay.plays[-1].seat if gains and replay.plays else None
    seat = replay.find_seat(event) if likely is None else replay.score_sheet.find_seat(event, likely)
    tiles = replay.distribution.split_rack(move.tiles)
    if tiles is None:
        replay.report(event, FindingKind.LINE, f'"{move.tiles}" are no tiles', move.tiles)
        replay.score_sheet.record_points(seat, event, None)
    elif gains:
        _record_gain(replay, event, seat, tiles)
    else:
        _record_loss(replay, event, seat, tiles)
    replay.ended = True


def _record_gain(replay: Replay, event: GcgEvent, seat: int, tiles: Sequence[str]) -> None:
    """Add the tiles gained by going out (docs/rules.md 7.3, A-27)."""
    explanation = None
    if not replay.plays or replay.plays[-1].seat != seat:
        explanation = f"{replay.nick(seat)} did not make the last play and has not gone out"
    elif replay.went_out is not None:
        explanation = "the unplayed tiles are counted already"
    if explanation is not None:
        replay.score_sheet.record_points(seat, event, 0, FindingKind.END, explanation)
        return
    replay.went_out = seat
    factor = unplayed_tiles_factor(replay.rules, replay.score_sheet.count)
    left = _remaining_tiles(replay, event, tiles)
    replay.uncounted_tiles.update(left)
    value = replay.distribution.total_value(left)
    explanation = f"the unplayed tiles are worth {value}, which counts {'twice' if factor == 2 else 'once'}"
    if left is not tiles:
        written, computed = "".join(tiles), "".join(left)
        if event.points == factor * value:
            message = f'the unplayed tiles are "{computed}", not "{written}"'
            replay.report(event, FindingKind.RACK, message, written, computed)
        explanation = f'{explanation}: they are "{computed}"'
    if factor == 2 and event.points == value:
        explanation += "; once would be unplayed_tiles=transfer"
    replay.end_lines.append((seat, event))
    replay.score_sheet.record_points(seat, event, factor * value, FindingKind.END, explanation)


def _remaining_tiles(replay: Replay, event: GcgEvent, tiles: Sequence[str]) -> Sequence[str]:
    """Return the tiles that are left: those written, unless a board that is certain shows others."""
    tracker = replay.tile_tracker
    left = tracker.total - tracker.on_board
    if not replay.is_clean():
        return tiles
    is_known = tracker.is_whole and 0 < left <= replay.rules.rack_size * (replay.score_sheet.count - 1)
    if left != len(tiles) and not is_known:
        message = f"{left} tiles are not on the board, {len(tiles)} are counted as unplayed"
        replay.report(event, FindingKind.BAG, message, len(tiles), left)
        return tiles
    if not tracker.is_whole or Counter(tiles) == tracker.unseen():
        return tiles
    return sorted(tracker.unseen().elements())


def _record_loss(replay: Replay, event: GcgEvent, seat: int, tiles: Sequence[str]) -> None:
    """Deduct the tiles on a player's own rack (docs/rules.md 7.3)."""
    explanation = None
    if replay.went_out is not None and unplayed_tiles_factor(replay.rules, replay.score_sheet.count) == 2:
        explanation = f"{replay.nick(replay.went_out)} has been given these tiles twice, nobody loses them"
    elif seat in replay.losers:
        explanation = f"the unplayed tiles of {replay.nick(seat)} are counted already"
    if explanation is not None:
        replay.score_sheet.record_points(seat, event, 0, FindingKind.END, explanation)
        return
    written = "".join(tiles)
    if event.rack and sorted(event.rack) != sorted(written):
        message = f'the rack "{event.rack}" is not what is lost'
        replay.report(event, FindingKind.RACK, message, event.rack, written)
    else:
        replay.tile_tracker.check_rack(event.line, written)
    # The plays of a damaged record may be missing, so that its empty board does not keep the game from having ended.
    idle_end = find_idle_end(replay.rules, replay.idle_bag_counts, replay.active_players, board_is_empty=False)
    if not replay.losers and idle_end is None:
        replay.stopped_early = event
    replay.losers.add(seat)
    replay.end_lines.append((seat, event))
    replay.uncounted_tiles.subtract(tiles)
    value = replay.distribution.total_value(tiles)
    replay.score_sheet.record_points(seat, event, -value, FindingKind.END, f"the tiles are worth {value}")


def replay_overtime(replay: Replay, event: GcgEvent, extensions: Sequence[GcgExtension]) -> None:
    """Deduct the points lost for time, which have to be those of whole minutes, unless the director took them off.

    See docs/rules.md 8.1. A record does not say how many minutes they were.
    """
    seat = replay.find_seat(event)
    rate, lost = overtime_rate(replay.rules), -(event.points or 0)
    computed, explanation = None, f"overtime costs {rate} points a minute, {lost} are taken off"
    if any(isinstance(extension, DirectorAdjustment) for extension in extensions):
        pass
    elif not rate:
        computed, explanation = 0, f"these rules take no points off for overtime, {lost} are"
    elif lost < 0 or lost % rate:
        computed = -rate * max(-(-abs(lost) // rate), 1)  # the inner minus signs round the minutes up
    replay.score_sheet.record_points(seat, event, computed, FindingKind.END, explanation)


def find_unfinished(replay: Replay, last: int) -> tuple[int, str] | None:
    """Return the line at which a record is found not to be that of a whole game, and the reason; None if it is.

    `last` is the line of its last event.
    """
    tracker = replay.tile_tracker
    if not replay.moves:
        return last, "no move is recorded"
    # With every tile of value on the board there is nothing left to count.
    if tracker.is_whole and not replay.distribution.total_value(tracker.unseen().elements()):
        return None
    if not replay.ended:
        left = max(tracker.total - tracker.on_board, 0)
        return last, f"the record stops with {left} tiles not on the board, and no unplayed tiles are counted"
    if replay.end_reason not in _REASONS_THAT_COUNT_RACKS:
        return None
    out = replay.went_out
    if replay.stopped_early is not None and out is None and replay.end_reason is None:
        return replay.stopped_early.line, "the unplayed tiles are counted, but by the moves the game had not ended"
    if replay.end_reason == "out" and out is None:
        return last, "somebody has gone out, and no unplayed tiles are counted for it"
    if out is None:
        is_counted = not replay.losers and replay.end_reason is None
    else:
        is_doubled = unplayed_tiles_factor(replay.rules, replay.score_sheet.count) == 2
        is_counted = is_doubled or not replay.distribution.total_value((+replay.uncounted_tiles).elements())
    seats = enumerate(replay.score_sheet.seats)
    missing = [seat.nick for at, seat in seats if at not in replay.losers and at != out]
    if missing and not is_counted:
        return last, f"the unplayed tiles of {', '.join(missing)} are not counted"
    return None
