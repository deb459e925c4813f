"""The end of a recorded game: what unplayed tiles do to the scores, and whether it is the end at all. (RULES 7)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ordws.records.facts import AdjustedBy, Fact
from ordws.records.finding import Kind
from ordws.records.record import Event, Unplayed
from ordws.records.replay import Replay
from ordws.rules.clock import is_untimed
from ordws.rules.ruleset import Clock, End, UnplayedTiles


def count_unplayed(replay: Replay, event: Event, deed: Unplayed) -> None:
    """Book a line of unplayed tiles: a gain for going out, or the loss of one's own."""
    gains = (event.points or 0) > 0 or (event.points == 0 and not event.rack)
    likely = replay.plays[-1].seat if gains and replay.plays else None
    seat = replay.find_seat(event) if likely is None else replay.tally.find_seat(event, likely)
    tiles = replay.letters.find_tiles(deed.tiles)
    if tiles is None:
        replay.tell(event, Kind.LINE, f'"{deed.tiles}" are no tiles', deed.tiles)
        replay.tally.settle(seat, event, None)
    elif gains:
        _gain(replay, event, seat, tiles)
    else:
        _lose(replay, event, seat, tiles)
    replay.ended = True


def _doubles(replay: Replay) -> bool:
    return replay.tally.count == 2 and replay.rules.unplayed_tiles is UnplayedTiles.DOUBLE


def _gain(replay: Replay, event: Event, seat: int, tiles: Sequence[str]) -> None:
    """RULES 7.3, A-27"""
    if not replay.plays or replay.plays[-1].seat != seat:
        because = f"{replay.name(seat)} did not make the last play and has not gone out"
        replay.tally.settle(seat, event, 0, Kind.END, because)
        return
    if replay.went_out is not None:
        replay.tally.settle(seat, event, 0, Kind.END, "the unplayed tiles are counted already")
        return
    replay.went_out = seat
    factor = 2 if _doubles(replay) else 1
    left = _left(replay, event, tiles)
    replay.uncounted.update(left)
    worth = replay.letters.sum(left)
    because = f"the unplayed tiles are worth {worth}, which counts {'twice' if factor == 2 else 'once'}"
    if left is not tiles:
        written, there = "".join(tiles), "".join(left)
        if event.points == factor * worth:
            replay.tell(event, Kind.RACK, f'the unplayed tiles are "{there}", not "{written}"', written, there)
        because = f'{because}: they are "{there}"'
    if factor == 2 and event.points == worth:
        because += "; once would be unplayed_tiles=transfer"
    replay.end_lines.append((seat, event))
    replay.tally.settle(seat, event, factor * worth, Kind.END, because)


def _left(replay: Replay, event: Event, tiles: Sequence[str]) -> Sequence[str]:
    """The tiles that are left: those written, unless the board shows others and nothing is wrong with it."""
    supply = replay.supply
    left = supply.total - supply.count
    if not replay.is_clean():
        return tiles
    is_known = supply.is_whole and 0 < left <= replay.rules.rack_size * (replay.tally.count - 1)
    if left != len(tiles) and not is_known:
        message = f"{left} tiles are not on the board, {len(tiles)} are counted as unplayed"
        replay.tell(event, Kind.BAG, message, len(tiles), left)
        return tiles
    if not supply.is_whole or Counter(tiles) == supply.unseen():
        return tiles
    return sorted(supply.unseen().elements())


def _lose(replay: Replay, event: Event, seat: int, tiles: Sequence[str]) -> None:
    worth = replay.letters.sum(tiles)
    if replay.went_out is not None and _doubles(replay):
        because = f"{replay.name(replay.went_out)} has been given these tiles twice, nobody loses them"
        replay.tally.settle(seat, event, 0, Kind.END, because)
        return
    if seat in replay.losers:
        replay.tally.settle(seat, event, 0, Kind.END, f"the unplayed tiles of {replay.name(seat)} are counted already")
        return
    if event.rack and sorted(event.rack) != sorted("".join(tiles)):
        replay.tell(event, Kind.RACK, f'the rack "{event.rack}" is not what is lost', event.rack, "".join(tiles))
    else:
        replay.supply.read_rack(event.line, "".join(tiles))
    if not replay.losers and not _is_stopped(replay):
        replay.stopped_early = event
    replay.losers.add(seat)
    replay.end_lines.append((seat, event))
    replay.uncounted.subtract(tiles)
    replay.tally.settle(seat, event, -worth, Kind.END, f"the tiles are worth {worth}")


def _is_stopped(replay: Replay) -> bool:
    """Whether the game has ended though nobody went out. (RULES 7.2, A-25)"""
    rules, idle, players = replay.rules, replay.idle, replay.players
    if len(idle) >= rules.scoreless_turns and (rules.end is End.SCORELESS or is_untimed(rules)):
        return True
    match rules.end:
        case End.SCORELESS:
            return False
        case End.CYCLE_PLUS_ONE:
            return len(idle) > players and max(idle[-players - 1 :]) < rules.exchange_min
        case End.CYCLE:
            return len(idle) >= players and max(idle[-players:]) == 0


def overtime(replay: Replay, event: Event, facts: Sequence[Fact]) -> None:
    """Points lost for time: so many for each minute begun, unless the director took them off. (RULES 8.1)"""
    seat = replay.find_seat(event)
    each, lost = replay.rules.overtime_points, -(event.points or 0)
    computed, because = None, f"overtime costs {each} points a minute, {lost} are taken off"
    if any(isinstance(fact, AdjustedBy) for fact in facts):
        pass
    elif replay.rules.clock is not Clock.OVERTIME or not each:
        computed, because = 0, f"these rules take no points off for overtime, {lost} are"
    elif lost < 0 or lost % each:
        computed = -each * max(-(-abs(lost) // each), 1)
    replay.tally.settle(seat, event, computed, Kind.END, because)


def find_unfinished(replay: Replay, last: int) -> tuple[int, str] | None:
    """In which line, and by what, a record is not that of a whole game; None where it is. `last` is its last event."""
    supply = replay.supply
    if not replay.moves:
        return last, "no move is recorded"
    if supply.is_whole and not replay.letters.sum(supply.unseen().elements()):
        return None
    if not replay.ended:
        left = max(supply.total - supply.count, 0)
        return last, f"the record stops with {left} tiles not on the board, and no unplayed tiles are counted"
    if replay.because not in _COUNTED:
        return None
    if replay.stopped_early is not None and replay.went_out is None and replay.because is None:
        return replay.stopped_early.line, "the unplayed tiles are counted, but by the moves the game had not ended"
    if replay.because == "out" and replay.went_out is None:
        return last, "somebody has gone out, and no unplayed tiles are counted for it"
    if missing := _find_missing(replay):
        return last, f"the unplayed tiles of {', '.join(missing)} are not counted"
    return None


_COUNTED: Final = (None, "out", "scoreless", "idle")
"""Endings after which tiles on racks count, None where the record does not say."""


def _find_missing(replay: Replay) -> list[str]:
    """Whose unplayed tiles count and are not in the record."""
    out = replay.went_out
    if out is not None and (_doubles(replay) or not replay.letters.sum((+replay.uncounted).elements())):
        return []
    if out is None and not replay.losers and replay.because is None:
        return []
    return [seat.nick for i, seat in enumerate(replay.tally.seats) if i not in replay.losers and i != out]
