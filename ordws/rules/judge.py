"""Whether a play fits, and what it scores. Nothing is copied or placed to judge it."""

from __future__ import annotations

from typing import Final, TypeAlias

from ordws.rules.board import EMPTY, Axis, Board, square_name
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Legal, Play, Ruling, Span
from ordws.rules.ruleset import MinimumLength, RuleSet, Wings
from ordws.rules.scoring import play_bonus, word_score
from ordws.rules.tiles import BLANK

_Spans: TypeAlias = list[Span]
_RACK_TILES: Final = [chr(letter) if letter < ord("a") else BLANK for letter in range(256)]
"""What a letter on the board is on a rack."""

# A member costs a tenth of a microsecond to reach through its class, which is much for what every play asks.
_ACROSS: Final = Axis.ACROSS
_DOWN: Final = Axis.DOWN
_ANYWHERE: Final = Wings.ANYWHERE


def judge(rules: RuleSet, board: Board, play: Play, rack: str | None = None) -> Ruling:
    """The ruling on a play: its new words, score and bonus, or the fault that a player would be told first.

    The board has the side of the rule set's layout. `rack` is written in capitals, `?` for a blank; without one, only
    the number of tiles is held against the rule set.
    """
    spans = form_words(board, play)
    if not isinstance(spans, list):
        return spans
    if len(spans) == 2 and len(spans[0][2]) == 1 and len(spans[0][0]) == len(spans[1][0]):
        spans.sort(key=lambda span: (-word_score(rules, span), span[3]))  # RULES A-02
    illegal = find_fault(rules, board, spans, rack)
    if illegal is not None:
        return illegal
    extra = points = play_bonus(rules, spans[0])
    for span in spans:
        points += word_score(rules, span)
    return Legal(rules, spans, points, extra)


def form_words(board: Board, play: Play) -> _Spans | Illegal:
    """The new words, the main one first: slices of the two texts of the board, which stay as they are.

    A lone tile gives its longer word first; a tile that touches nothing gives a word of one letter.
    """
    row, column, axis, letters = play
    side, lines, others = board
    turned = _DOWN
    if axis:
        lines, others, row, column, turned = others, lines, column, row, _ACROSS
    n = len(letters)
    if not (n and 0 <= row < side and 0 <= column <= side - n):
        return Illegal(Fault.OFF_BOARD, f"the play does not stay within the {side} rows and columns of the board")
    stride = side + 1
    at, there = (row + 1) * stride + column, (column + 1) * stride + row
    end, word = at + n, letters
    new: list[int] = []
    crosses: _Spans = []
    for i, letter in enumerate(letters):
        under = lines[at + i]
        if under != EMPTY:
            if letter == EMPTY:
                word = word.replace(b".", lines[at + i : at + i + 1], 1)
            elif letter != under:
                return _find_placement_fault(board, play, lines[at:end])
        elif letter == EMPTY:
            return _find_placement_fault(board, play, lines[at:end])
        else:
            new.append(at + i)
            k = there + i * stride
            if others[k - 1] != EMPTY or others[k + 1] != EMPTY:
                a, b = _extend_run(others, k, k + 1)
                crosses.append((others[a:k] + letters[i : i + 1] + others[k + 1 : b], a, [k], turned))
    if not new:
        return _no_new_tile()
    if lines[at - 1] != EMPTY or lines[end] != EMPTY:
        a, b = _extend_run(lines, at, end)
        at, word = a, lines[a:at] + word + lines[end:b]
    return _order_words((word, at, new, axis), crosses)


def _extend_run(lines: bytes, start: int, end: int) -> tuple[int, int]:
    """Where the tiles before and after some places begin and end."""
    while lines[start - 1] != EMPTY:
        start -= 1
    while lines[end] != EMPTY:
        end += 1
    return start, end


def _order_words(main: Span, crosses: _Spans) -> _Spans:
    """The words of a play, the one that holds all its tiles first: of a lone tile's two the longer. (RULES 3.3)"""
    if len(main[2]) == 1 and crosses:
        if len(main[0]) == 1:
            return crosses
        if len(crosses[0][0]) > len(main[0]):
            return [crosses[0], main]
    crosses.insert(0, main)
    return crosses


def _find_placement_fault(board: Board, play: Play, covered: bytes) -> _Spans | Illegal:
    """What is wrong where letters and squares do not match, if it is more than the case of a letter."""
    pairs = list(zip(covered, play.letters, strict=True))
    for i, (under, letter) in enumerate(pairs):
        if EMPTY not in (under, letter) and under ^ letter not in (0, 32):
            return Illegal(Fault.SQUARE_TAKEN, f'{_letter_square_name(play, i)} is taken by "{chr(under).upper()}"')
    if not any(under == EMPTY != letter for under, letter in pairs):
        return _no_new_tile()
    for i, (under, letter) in enumerate(pairs):
        if under == EMPTY == letter:
            return Illegal(Fault.GAP, f"there is no tile on {_letter_square_name(play, i)}, which the play runs over")
    dotted = bytes([letter if under == EMPTY else EMPTY for under, letter in pairs])
    return form_words(board, play._replace(letters=dotted))


def _letter_square_name(play: Play, i: int) -> str:
    """The square of the letter at index i of a play."""
    row, column, axis, _ = play
    return square_name(row + i, column) if axis else square_name(row, column + i)


def _no_new_tile() -> Illegal:
    return Illegal(Fault.NO_NEW_TILE, "the play puts no tile on the board")


def find_fault(rules: RuleSet, board: Board, spans: _Spans, rack: str | None) -> Illegal | None:
    """The first rule that a play breaks though its letters lie on free squares; None where it breaks none."""
    tiles, _, new, axis = spans[0]
    if len(spans) == 1 and len(tiles) == len(new):
        if not board.is_empty:
            return Illegal(Fault.NOT_CONNECTED, "the play touches no tile on the board")
        start = rules.layout.start
        if (start[axis] + 1) * (board.side + 1) + start[1 - axis] not in new:
            return Illegal(Fault.MISSES_CENTRE, f"the first play has to cover {square_name(*start)}")
    if rack is not None:
        lacking = find_missing_tile(rack, spans[0])
        if lacking is not None:
            what = "no blank left" if lacking == BLANK else f'no "{lacking}" left'
            return Illegal(Fault.NOT_ON_RACK, f"the rack has {what} for this play")
    if len(new) > rules.rack_size:
        return Illegal(Fault.TOO_MANY_TILES, f"the play puts {len(new)} tiles down, a rack holds {rules.rack_size}")
    if len(tiles) < 3:
        short = _find_short_word(rules, spans)
        if short is not None:
            return short
    return None if rules.wings is _ANYWHERE else _find_wings_fault(rules, spans)


def find_missing_tile(rack: str, main: Span) -> str | None:
    """The first tile that a rack has too few of for the new letters of a word, a lower case one being a blank."""
    tiles, first, new, _ = main
    left = list(rack)
    for at in new:
        tile = _RACK_TILES[tiles[at - first]]
        if tile not in left:
            return tile
        left.remove(tile)
    return None


def _find_short_word(rules: RuleSet, spans: _Spans) -> Illegal | None:
    """What is wrong with a main word of less than three letters. (RULES 3.4)"""
    if len(spans[0][0]) == 1:
        return Illegal(Fault.NO_WORD_FORMED, "a tile alone forms no word")
    if rules.minimum is MinimumLength.MAIN3:
        return Illegal(Fault.MAIN_WORD_TOO_SHORT, "the main word has 2 letters, 3 are needed")
    if rules.minimum is MinimumLength.ANY3 and max([len(span[0]) for span in spans]) < 3:
        return Illegal(Fault.ONLY_TWO_LETTER_WORDS, "all new words have 2 letters, one of them needs 3")
    return None


def _find_wings_fault(rules: RuleSet, spans: _Spans) -> Illegal | None:
    """RULES 3.5. The inner board is the same across and down, so that a place of either text will do."""
    inner, new = rules.layout.inner, spans[0][2]
    if rules.wings is Wings.NEW_TILE:
        for at in new:
            if inner[at]:
                return None
        return Illegal(Fault.NO_TILE_ON_INNER_BOARD, "none of the tiles lies on the inner board")
    mains = spans if len(new) == 1 and len(spans[-1][0]) >= 3 else spans[:1]
    for tiles, first, _, _ in mains:
        if 1 in inner[first : first + len(tiles)]:
            return None
    return Illegal(Fault.MAIN_WORD_IN_WINGS, "the main word lies wholly in the wings")
