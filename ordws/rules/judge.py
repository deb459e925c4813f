"""Whether a play fits, and what it scores. Nothing is copied or placed to judge it."""

from __future__ import annotations

from typing import TypeAlias

from ordws.rules.board import EMPTY, Board, square_name
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Legal, Play, Ruling, Span
from ordws.rules.ruleset import Minimum, RuleSet, Wings
from ordws.rules.scoring import bonus, score
from ordws.rules.tiles import BLANK

_Spans: TypeAlias = list[Span]


def judge(rules: RuleSet, board: Board, play: Play, rack: str | None = None) -> Ruling:
    """The ruling on a play: its new words, score and bonus, or the fault that a player would be told first.

    The board has the side of the rule set's layout. `rack` is written in capitals, `?` for a blank; without one, only
    the number of tiles is held against the rule set.
    """
    spans = lay(board, play)
    if isinstance(spans, Illegal):
        return spans
    illegal = find_fault(rules, board, spans, rack)
    if illegal is not None:
        return illegal
    if len(spans) == 2 and len(spans[0][2]) == 1 and len(spans[0][0]) == len(spans[1][0]):
        spans.sort(key=lambda span: (-score(rules, span), span[3]))  # RULES A-02
    extra = bonus(rules, spans[0])
    return Legal(rules, spans, sum([score(rules, span) for span in spans]) + extra, extra)


def lay(board: Board, play: Play) -> _Spans | Illegal:
    """The new words, the main one first: slices of the two texts of the board, which stay as they are.

    A lone tile gives its longer word first; a tile that touches nothing gives a word of one letter.
    """
    row, column, axis, letters = play
    if axis:
        lines, others, row, column = board.down, board.across, column, row
    else:
        lines, others = board.across, board.down
    side, n = board.side, len(letters)
    if not (n and 0 <= row < side and 0 <= column <= side - n):
        return Illegal(Fault.OFF_BOARD, f"the play does not stay within the {side} rows and columns of the board")
    stride = side + 1
    at, there = (row + 1) * stride + column, (column + 1) * stride + row
    lain = lines[at : at + n]
    new: list[int] = []
    crosses: _Spans = []
    for i, under in enumerate(lain):
        letter = letters[i]
        if under != EMPTY:
            if letter not in (EMPTY, under):
                return _find_misfit(board, play, lain)
        elif letter == EMPTY:
            return _find_misfit(board, play, lain)
        else:
            new.append(at + i)
            k = there + i * stride
            if others[k - 1] != EMPTY or others[k + 1] != EMPTY:
                a, b = others.rfind(b".", 0, k) + 1, others.find(b".", k + 1)
                crosses.append((others[a:k] + letters[i : i + 1] + others[k + 1 : b], a, [k], axis.other))
    if not new:
        return _no_new_tile()
    a, b = lines.rfind(b".", 0, at) + 1, lines.find(b".", at + n)
    word = letters if len(new) == n else bytes(map(max, lain, letters))
    main: Span = (lines[a:at] + word + lines[at + n : b], a, new, axis)
    if len(new) == 1 and crosses:
        if len(main[0]) == 1:
            return crosses
        if len(crosses[0][0]) > len(main[0]):  # RULES 3.3
            return [crosses[0], main]
    return [main, *crosses]


def _find_misfit(board: Board, play: Play, lain: bytes) -> _Spans | Illegal:
    """What is wrong where letters and squares do not match, if it is more than the case of a letter."""
    pairs = list(zip(lain, play.letters, strict=True))
    for i, (under, letter) in enumerate(pairs):
        if EMPTY not in (under, letter) and under ^ letter not in (0, 32):
            return Illegal(Fault.SQUARE_TAKEN, f'{_name(play, i)} is taken by "{chr(under).upper()}"')
    if not any(under == EMPTY != letter for under, letter in pairs):
        return _no_new_tile()
    for i, (under, letter) in enumerate(pairs):
        if under == EMPTY == letter:
            return Illegal(Fault.GAP, f"there is no tile on {_name(play, i)}, which the play runs over")
    dotted = bytes([letter if under == EMPTY else EMPTY for under, letter in pairs])
    return lay(board, play._replace(letters=dotted))


def _name(play: Play, i: int) -> str:
    """The square of the letter at index i of a play."""
    row, column, axis, _ = play
    return square_name(row + i, column) if axis else square_name(row, column + i)


def _no_new_tile() -> Illegal:
    return Illegal(Fault.NO_NEW_TILE, "the play puts no tile on the board")


def find_fault(rules: RuleSet, board: Board, spans: _Spans, rack: str | None) -> Illegal | None:
    """The first rule that a play breaks though its letters lie on free squares; None where it breaks none."""
    tiles, first, new, axis = spans[0]
    if len(spans) == 1 and len(tiles) == len(new):
        if not board.is_empty:
            return Illegal(Fault.NOT_CONNECTED, "the play touches no tile on the board")
        start = rules.layout.start
        if (start[axis] + 1) * (board.side + 1) + start[1 - axis] not in new:
            return Illegal(Fault.MISSES_CENTRE, f"the first play has to cover {square_name(*start)}")
    if rack is not None:
        lacking = find_lacking(rack, [tiles[at - first] for at in new])
        if lacking is not None:
            what = "no blank left" if lacking == BLANK else f'no "{lacking}" left'
            return Illegal(Fault.NOT_ON_RACK, f"the rack has {what} for this play")
    if len(new) > rules.rack_size:
        return Illegal(Fault.TOO_MANY_TILES, f"the play puts {len(new)} tiles down, a rack holds {rules.rack_size}")
    if len(tiles) == 1:
        return Illegal(Fault.NO_WORD_FORMED, "a tile alone forms no word")
    return _find_short(rules, spans) or _find_outside(rules, spans)


def find_lacking(rack: str, letters: list[int]) -> str | None:
    """The first tile that a rack has too few of for these letters, a lower case one being a blank."""
    left = list(rack)
    for letter in letters:
        tile = chr(letter) if letter < ord("a") else BLANK
        if tile not in left:
            return tile
        left.remove(tile)
    return None


def _find_short(rules: RuleSet, spans: _Spans) -> Illegal | None:
    """RULES 3.4"""
    if rules.minimum is Minimum.MAIN3 and len(spans[0][0]) < 3:
        return Illegal(Fault.MAIN_WORD_TOO_SHORT, "the main word has 2 letters, 3 are needed")
    if rules.minimum is Minimum.ANY3 and max([len(span[0]) for span in spans]) < 3:
        return Illegal(Fault.ONLY_TWO_LETTER_WORDS, "all new words have 2 letters, one of them needs 3")
    return None


def _find_outside(rules: RuleSet, spans: _Spans) -> Illegal | None:
    """RULES 3.5. The inner board is the same across and down, so that a place of either text will do."""
    if rules.wings is Wings.ANYWHERE:
        return None
    inner, new = rules.layout.inner, spans[0][2]
    if rules.wings is Wings.NEW_TILE:
        if any(inner[at] for at in new):
            return None
        return Illegal(Fault.NO_TILE_ON_INNER_BOARD, "none of the tiles lies on the inner board")
    mains = spans[:1]
    if len(new) == 1:
        mains = [span for span in spans if len(span[0]) >= 3] or mains
    if any(1 in inner[first : first + len(tiles)] for tiles, first, _, _ in mains):
        return None
    return Illegal(Fault.MAIN_WORD_IN_WINGS, "the main word lies wholly in the wings")
