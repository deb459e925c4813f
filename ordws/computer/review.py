"""A review of a game: for each turn the best plays from public words, and what the turn that was taken lost on them.

It asks no word set, and does not look at verdicts: a play counts as if it had stood. A record is reviewed as each
player saw the game, a game of the service as it keeps its turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

from ordws.computer.candidates import Breadth, RatedTurn, best_candidates, leave_values, worth_of_leaves
from ordws.computer.choose import VisibleGame, draw_other_rack, position_of
from ordws.computer.look_ahead import look_ahead, play_endgame
from ordws.computer.words import PublicWords, Strength
from ordws.errors import BadInput
from ordws.records.audit import RecordAudit, audit_record, iter_positions
from ordws.records.finding import FindingKind
from ordws.records.gcg import read_gcg
from ordws.records.gcg_export import tile_placement
from ordws.records.notation import MoveWithSwaps, read_board, read_move, read_move_with_swaps, write_move_with_swaps
from ordws.records.record import Record, TileExchange
from ordws.rules.bag import contains_tiles, pool, remove_tiles, sort_tiles
from ordws.rules.board import Board
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Legal, Move, Play
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, RuleSet
from ordws.rules.tiles import BLANK, as_drawn

SHOWN: Final = 5
"""The best turns that are told."""
REVIEW_DISCLAIMER: Final = "by words that everybody may know; a play of yours that is not among them may be better"
_BREADTH: Final = Breadth(candidates=SHOWN, plays=1_000, blanks=2, both=True)
_ROUNDS: Final = ((SHOWN + 1, 16),)
"""All of them and the own turn are answered by the same racks, so that none is looked at less closely."""


class OwnTurn(NamedTuple):
    """A turn as it was taken: what its player saw, the swaps and the move, and the score of the play."""

    player: str
    view: VisibleGame
    swaps: tuple[tuple[int, int], ...]
    move: Move
    score: int
    number: int
    """The number of the turn in its score sheet, or of its line among those of a record's players."""


class ReviewedTurn(NamedTuple):
    """A turn, the best turns that public words allow, and by how many points the best of them is better."""

    number: int
    player: str
    rack: str
    move: str
    score: int
    value: float
    """The equity of the turn, less what the opponent's replies take off it; of the best turns as well."""
    lost: float
    best: tuple[RatedTurn, ...]


def write_turn(turn: RatedTurn) -> str:
    """Return a turn as records write it."""
    return write_move_with_swaps(MoveWithSwaps(turn.swaps, turn.move))


def describe_best(best: Sequence[RatedTurn]) -> list[dict[str, Any]]:
    """Return the best turns as JSON has them."""
    return [{"move": write_turn(each), "score": each.score, "value": round(each.equity, 1)} for each in best]


def review_turns(
    turns: Iterable[OwnTurn], words: PublicWords, seed: str = "review", is_time_up: Callable[[], bool] = lambda: False
) -> Iterator[ReviewedTurn]:
    """Yield the review of each turn; it follows from the turns, the words and the seed alone."""
    for number, taken in enumerate(turns, start=1):
        best, own = _rate(taken, words, Random(f"{seed}/{number}"), is_time_up)
        move = write_move_with_swaps(MoveWithSwaps(taken.swaps, taken.move))
        lost = max(best[0].equity - own.equity, 0.0)
        yield ReviewedTurn(number, taken.player, taken.view.rack, move, taken.score, own.equity, lost, best)


def _rate(
    taken: OwnTurn, words: PublicWords, rng: Random, is_time_up: Callable[[], bool]
) -> tuple[tuple[RatedTurn, ...], RatedTurn]:
    """Return the best turns and the own one, with their values."""
    view = taken.view
    position, other = position_of(view, words.graph(view.rules, Strength.STRONG)), view.known_other_rack
    leaves = leave_values(view.rules.id)
    found = best_candidates(position, leaves, _BREADTH)
    leave = _leave(taken)
    own = RatedTurn(taken.swaps, taken.move, taken.score, leave, 0.0)
    own = own._replace(equity=taken.score + worth_of_leaves(position, leaves, leave)[leave])
    if not view.bag and other is not None:
        end = play_endgame(position, other, is_time_up)
        spread = play_endgame(position, other, is_time_up, own).spread
        return (end.turn._replace(equity=end.spread),), own._replace(equity=spread)
    others = [each for each in found if each[:2] != own[:2]]
    draw_rack = partial(draw_other_rack, view, rng)
    rated = look_ahead(position, [own, *others], leaves, draw_rack, is_time_up, _ROUNDS)
    # The own turn is always rated, but it is listed only where public words have it among the best.
    is_listed = len(others) < len(found)
    listed = [each for each in rated if is_listed or each[:2] != own[:2]]
    return tuple(listed[:SHOWN]), next(each for each in rated if each[:2] == own[:2])


def _leave(taken: OwnTurn) -> str:
    """Return what the turn left on the rack, in the order of a rack."""
    rack, board = taken.view.rack, taken.view.board
    for row, column in taken.swaps:
        rack = rack.replace(board.letter_at(row, column).upper(), "", 1) + BLANK
    match taken.move:
        case Play(letters=letters):
            return remove_tiles(rack, as_drawn(letters))
        case Exchange(tiles):
            return remove_tiles(rack, tiles)
        case _:
            return rack


def recorded_turns(record: Record, audit: RecordAudit) -> Iterator[OwnTurn]:
    """Yield the turns of a record whose whole racks are written: plays that stood, and exchanges.

    A pass is left out, since a turn that was lost to a challenge is written in the same way.
    The rack of a record is written as it was after swaps for the blank, so that these are no part of the choice.
    """
    rules = audit.rules
    for number, (event, board, placed) in enumerate(iter_positions(record, audit), start=1):
        view = _find_view(rules, board, event.rack)
        if view is None:
            continue
        if placed is not None and (play := placed.play) is not None:
            ruling = judge(rules, board, play, event.rack)
            if isinstance(ruling, Legal):
                yield OwnTurn(event.nick, view, (), play, ruling.score, number)
        elif isinstance(event.move, TileExchange) and contains_tiles(view.rack, event.move.tiles):
            yield OwnTurn(event.nick, view, (), Exchange(event.move.tiles), 0, number)


def _find_view(rules: RuleSet, board: Board, rack: str) -> VisibleGame | None:
    """Return what the player of a rack saw, as far as it follows from the board; None where the rack is not whole."""
    tiles = pool(rules)
    laid = as_drawn(board.across)
    left = rules.scoop - len(laid)
    bag = max(left - 2 * rules.rack_size, 0)
    is_whole = len(rack) == rules.rack_size or (not bag and 0 < len(rack) < rules.rack_size)
    if not is_whole or not board.across.isascii() or not contains_tiles(tiles, laid + rack):
        return None
    unseen = remove_tiles(tiles, laid + rack)
    return VisibleGame(rules, board, sort_tiles(rack), unseen, bag, min(left - len(rack) - bag, rules.rack_size))


_MOST_BEST: Final = 3
_PLAYERS: Final = 2
_REVIEWED: Final = ("stands", "laid", "exchanged")


def review_game(
    standing: dict[str, Any], turns: list[dict[str, Any]], words: PublicWords, is_time_up: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """Yield the review of each play and exchange of a finished game that the service dealt."""
    rules = with_options(RULE_SETS[standing["rules"]], standing["options"])
    taken = [_read_turn(rules, turn) for turn in turns if turn["happened"]["outcome"] in _REVIEWED]
    for turn, review in zip(taken, review_turns(taken, words, standing["game"], is_time_up), strict=True):
        yield _describe(turn, int(turn.player), review)


def review_record(text: str, words: PublicWords, is_time_up: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    """Yield the review of each turn with a whole rack, of an exact record of a finished game of two."""
    try:
        record = read_gcg(text.encode())
    except BadInput:
        return
    audit = audit_record(record)
    is_over = not any(finding.kind is FindingKind.UNFINISHED for finding in audit.findings)
    if not (audit.is_exact and is_over and len(audit.players) == _PLAYERS):
        return
    taken = [*recorded_turns(record, audit)]
    for turn, review in zip(taken, review_turns(taken, words, text, is_time_up), strict=True):
        yield _describe(turn, audit.players.index(turn.player), review)


def _read_turn(rules: RuleSet, turn: dict[str, Any]) -> OwnTurn:
    """Return a turn of the score sheet as its player took it."""
    happened, before = turn["happened"], turn["before"]
    board = read_board(before["board"], (rules.layout.side,))
    rack, other = before["racks"][happened["seat"]], before["racks"][1 - happened["seat"]]
    laid = as_drawn(board.across)
    shown = other if rules.expose_final_rack and not before["bag"] else None
    unseen = remove_tiles(pool(rules), laid + rack)
    view = VisibleGame(rules, board, rack, unseen, before["bag"], len(other), shown)
    swaps, move = read_move_with_swaps(" ".join([*happened["swaps"], happened["move"]]))
    if isinstance(move, Play) and isinstance(ruling := judge(rules, board, move), Legal):
        # Pages write a play from the first tile laid to the last, the best plays are whole words.
        placed = tile_placement(ruling)
        move = read_move(f"{placed.start} {placed.word}")
    return OwnTurn(str(happened["seat"]), view, swaps, move, happened["score"], happened["turn"])


def _describe(turn: OwnTurn, seat: int, review: ReviewedTurn) -> dict[str, Any]:
    told = {"turn": turn.number, "seat": seat, "move": review.move, "score": turn.score}
    return {**told, "lost": round(review.lost, 1), "best": describe_best(review.best[:_MOST_BEST])}
