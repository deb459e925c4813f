"""The end of a recorded game: what unplayed tiles do to the scores, and whether it is the end at all. (RULES 7)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ordws.records.finding import FindingKind
from ordws.records.gcg_extensions import DirectorAdjustment, GcgExtension
from ordws.records.record import GcgEvent, UnplayedTilesScore
from ordws.records.replay import Replay
from ordws.rules.clock import is_untimed
from ordws.rules.ruleset import Clock, EndRule, UnplayedTiles


def replay_unplayed_tiles(replay: Replay, event: GcgEvent, move: UnplayedTilesScore) -> None:
    """Book a line of unplayed tiles: a gain for going out, or the loss of one's own."""
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


def _counts_double(replay: Replay) -> bool:
    return replay.score_sheet.count == 2 and replay.rules.unplayed_tiles is UnplayedTiles.DOUBLE


def _record_gain(replay: Replay, event: GcgEvent, seat: int, tiles: Sequence[str]) -> None:
    """RULES 7.3, A-27"""
    if not replay.plays or replay.plays[-1].seat != seat:
        because = f"{replay.nick(seat)} did not make the last play and has not gone out"
        replay.score_sheet.record_points(seat, event, 0, FindingKind.END, because)
        return
    if replay.went_out is not None:
        replay.score_sheet.record_points(seat, event, 0, FindingKind.END, "the unplayed tiles are counted already")
        return
    replay.went_out = seat
    factor = 2 if _counts_double(replay) else 1
    left = _remaining_tiles(replay, event, tiles)
    replay.uncounted_tiles.update(left)
    worth = replay.distribution.total_value(left)
    because = f"the unplayed tiles are worth {worth}, which counts {'twice' if factor == 2 else 'once'}"
    if left is not tiles:
        written, there = "".join(tiles), "".join(left)
        if event.points == factor * worth:
            replay.report(event, FindingKind.RACK, f'the unplayed tiles are "{there}", not "{written}"', written, there)
        because = f'{because}: they are "{there}"'
    if factor == 2 and event.points == worth:
        because += "; once would be unplayed_tiles=transfer"
    replay.end_lines.append((seat, event))
    replay.score_sheet.record_points(seat, event, factor * worth, FindingKind.END, because)


def _remaining_tiles(replay: Replay, event: GcgEvent, tiles: Sequence[str]) -> Sequence[str]:
    """The tiles that are left: those written, unless the board shows others and nothing is wrong with it."""
    supply = replay.tile_tracker
    left = supply.total - supply.on_board
    if not replay.is_clean():
        return tiles
    is_known = supply.is_whole and 0 < left <= replay.rules.rack_size * (replay.score_sheet.count - 1)
    if left != len(tiles) and not is_known:
        message = f"{left} tiles are not on the board, {len(tiles)} are counted as unplayed"
        replay.report(event, FindingKind.BAG, message, len(tiles), left)
        return tiles
    if not supply.is_whole or Counter(tiles) == supply.unseen():
        return tiles
    return sorted(supply.unseen().elements())


def _record_loss(replay: Replay, event: GcgEvent, seat: int, tiles: Sequence[str]) -> None:
    worth = replay.distribution.total_value(tiles)
    if replay.went_out is not None and _counts_double(replay):
        because = f"{replay.nick(replay.went_out)} has been given these tiles twice, nobody loses them"
        replay.score_sheet.record_points(seat, event, 0, FindingKind.END, because)
        return
    if seat in replay.losers:
        replay.score_sheet.record_points(
            seat, event, 0, FindingKind.END, f"the unplayed tiles of {replay.nick(seat)} are counted already"
        )
        return
    if event.rack and sorted(event.rack) != sorted("".join(tiles)):
        replay.report(
            event, FindingKind.RACK, f'the rack "{event.rack}" is not what is lost', event.rack, "".join(tiles)
        )
    else:
        replay.tile_tracker.check_rack(event.line, "".join(tiles))
    if not replay.losers and not _has_ended_idle(replay):
        replay.stopped_early = event
    replay.losers.add(seat)
    replay.end_lines.append((seat, event))
    replay.uncounted_tiles.subtract(tiles)
    replay.score_sheet.record_points(seat, event, -worth, FindingKind.END, f"the tiles are worth {worth}")


def _has_ended_idle(replay: Replay) -> bool:
    """Whether the game has ended though nobody went out. (RULES 7.2, A-25)"""
    rules, idle, players = replay.rules, replay.idle_bag_counts, replay.active_players
    if len(idle) >= rules.scoreless_turns and (rules.end is EndRule.SCORELESS or is_untimed(rules)):
        return True
    match rules.end:
        case EndRule.SCORELESS:
            return False
        case EndRule.CYCLE_PLUS_ONE:
            return len(idle) > players and max(idle[-players - 1 :]) < rules.exchange_min
        case EndRule.CYCLE:
            return len(idle) >= players and max(idle[-players:]) == 0


def replay_overtime(replay: Replay, event: GcgEvent, extensions: Sequence[GcgExtension]) -> None:
    """Points lost for time: so many for each minute begun, unless the director took them off. (RULES 8.1)"""
    seat = replay.find_seat(event)
    each, lost = replay.rules.overtime_points, -(event.points or 0)
    computed, because = None, f"overtime costs {each} points a minute, {lost} are taken off"
    if any(isinstance(fact, DirectorAdjustment) for fact in extensions):
        pass
    elif replay.rules.clock is not Clock.OVERTIME or not each:
        computed, because = 0, f"these rules take no points off for overtime, {lost} are"
    elif lost < 0 or lost % each:
        computed = -each * max(-(-abs(lost) // each), 1)
    replay.score_sheet.record_points(seat, event, computed, FindingKind.END, because)


def find_unfinished(replay: Replay, last: int) -> tuple[int, str] | None:
    """In which line, and by what, a record is not that of a whole game; None where it is. `last` is its last event."""
    supply = replay.tile_tracker
    if not replay.moves:
        return last, "no move is recorded"
    if supply.is_whole and not replay.distribution.total_value(supply.unseen().elements()):
        return None
    if not replay.ended:
        left = max(supply.total - supply.on_board, 0)
        return last, f"the record stops with {left} tiles not on the board, and no unplayed tiles are counted"
    if replay.end_reason not in _REASONS_THAT_COUNT_RACKS:
        return None
    if replay.stopped_early is not None and replay.went_out is None and replay.end_reason is None:
        return replay.stopped_early.line, "the unplayed tiles are counted, but by the moves the game had not ended"
    if replay.end_reason == "out" and replay.went_out is None:
        return last, "somebody has gone out, and no unplayed tiles are counted for it"
    if missing := _find_missing_players(replay):
        return last, f"the unplayed tiles of {', '.join(missing)} are not counted"
    return None


_REASONS_THAT_COUNT_RACKS: Final = (None, "out", "scoreless", "idle")
"""Endings after which tiles on racks count, None where the record does not say."""


def _find_missing_players(replay: Replay) -> list[str]:
    """Whose unplayed tiles count and are not in the record."""
    out = replay.went_out
    if out is not None and (
        _counts_double(replay) or not replay.distribution.total_value((+replay.uncounted_tiles).elements())
    ):
        return []
    if out is None and not replay.losers and replay.end_reason is None:
        return []
    return [seat.nick for i, seat in enumerate(replay.score_sheet.seats) if i not in replay.losers and i != out]
