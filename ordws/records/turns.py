"""What a turn is spent on: plays, exchanges, passes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ordws.records.facts import Fact
from ordws.records.finding import Kind
from ordws.records.letters import score_with
from ordws.records.record import Event, Exchanging, Passing, Placing, Unclear
from ordws.records.replay import Made, Replay, Square
from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.fault import Fault
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play

_STRAYED = (Fault.OFF_BOARD, Fault.MISSES_CENTRE)


def place(replay: Replay, event: Event, deed: Placing, facts: Sequence[Fact]) -> None:
    """Judge and score a play, and put it on the board; of one that does not fit, what falls on free squares."""
    replay.reopen()
    seat = replay.begin(event, facts)
    letters = replay.letters.find_bytes(deed.word)
    if letters is None:
        replay.tell(event, Kind.LINE, f'"{deed.word}" has what is no letter', deed.word)
        replay.tally.settle(seat, event, None)
        return
    play = Play(*_find_start(deed.start, lettered_rows=replay.lettered_rows), letters)
    ruling = judge(replay.rules, replay.board, play)
    legal, scored, word = None, None, f"{deed.start} {deed.word}"
    if isinstance(ruling, Legal):
        legal, scored, tiles = ruling, _score(replay, ruling), ruling.tiles
        replay.scored.append((event, ruling))
    else:
        tiles = _fitting_tiles(replay.board, play)
        replay.strayed += ruling.fault in _STRAYED
        replay.tell(event, Kind.PLACEMENT, f'"{word}": {ruling.sentence}', word)
    needed = replay.letters.on_rack(tiles.values())
    replay.supply.read_rack(event.line, event.rack, needed, word)
    replay.supply.lay(event.line, needed)
    worth = scored if scored is not None else event.points or 0
    replay.last = Made(replay.moves, seat, event, worth, legal, tiles, replay.idle)
    replay.plays.append(replay.last)
    replay.board, replay.idle = replay.board.put(tiles), ()
    replay.tally.settle(seat, event, scored)


def exchange(replay: Replay, event: Event, deed: Exchanging, facts: Sequence[Fact]) -> None:
    """Hold an exchange against rack and bag; it scores nothing."""
    tiles = replay.letters.find_tiles(deed.tiles)
    bag, seat = replay.in_bag(), replay.begin(event, facts)
    least = max(replay.rules.exchange_min, len(tiles or ()))
    if bag < least and replay.players == replay.tally.count:
        replay.tell(event, Kind.BAG, f"the bag held {bag} tiles, this exchange needs {least}", bag, least)
    if deed.tiles.isdecimal():
        most = len(event.rack) or replay.rules.rack_size
        if int(deed.tiles) > most:
            replay.tell(event, Kind.RACK, f"{deed.tiles} tiles are exchanged, there are {most}", deed.tiles, most)
    elif tiles is None:
        replay.tell(event, Kind.RACK, f'"{deed.tiles}" is exchanged, which are no tiles', deed.tiles)
    replay.supply.read_rack(event.line, event.rack, tiles or (), f"-{deed.tiles}")
    replay.spend(bag)
    replay.tally.settle(seat, event, 0)


def give_up(replay: Replay, event: Event, deed: Passing | Unclear, facts: Sequence[Fact]) -> None:
    """A pass scores nothing; of what is no move the points are taken as they are written."""
    match deed:
        case Passing():
            bag, seat = replay.in_bag(), replay.begin(event, facts)
            replay.supply.read_rack(event.line, event.rack)
            replay.spend(bag)
            replay.tally.settle(seat, event, 0)
        case Unclear(text):
            replay.tell(event, Kind.LINE, f'"{text}" is no move' if text else "the line says no move")
            replay.tally.settle(replay.begin(event, facts), event, None)


@cache
def _find_start(start: str, *, lettered_rows: bool) -> tuple[int, int, Axis]:
    if start[0].isdigit():
        number, letter, axis = start[:-1], start[-1], Axis.ACROSS
    else:
        number, letter, axis = start[1:], start[0], Axis.DOWN
    row, column = int(number) - 1, ord(letter.upper()) - ord("A")
    return (column, row, axis.other) if lettered_rows else (row, column, axis)


def _score(replay: Replay, ruling: Legal) -> int:
    if replay.letters.is_plain:
        return ruling.score
    return score_with(replay.letters, ruling.rules, ruling.spans) + ruling.bonus


def _fitting_tiles(board: Board, play: Play) -> dict[Square, str]:
    row, column, axis, letters = play
    squares = [(row + i, column) if axis else (row, column + i) for i in range(len(letters))]
    return {
        square: chr(letter)
        for square, letter in zip(squares, letters, strict=True)
        if letter != EMPTY and min(square) >= 0 and max(square) < board.side and board.at(*square) == "."
    }
