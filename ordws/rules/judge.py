"""The ruling on a play: whether it fits the board, the rack and the rules, and what it scores (docs/rules.md 3, 4).

Nothing is copied or placed to judge a play. For the browser, ordws/web/pages/static/rules.js holds these rules.
"""

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
"""The tile of a rack by the byte that it is on a board."""

# Reaching a member through its class costs a tenth of a microsecond, too much for what every play asks.
_ACROSS: Final = Axis.ACROSS
_DOWN: Final = Axis.DOWN
_ANYWHERE: Final = Wings.ANYWHERE


def judge(rules: RuleSet, board: Board, play: Play, rack: str | None = None) -> Ruling:
    """Return the ruling on a play: its new words, score and bonus, or the first fault (docs/rules.md 3.6).

    The board has the side of the rule set's layout. `rack` is written in capitals, `?` for a blank; without it only the
    number of tiles is checked.
    """
    spans = form_words(board, play)
    if not isinstance(spans, list):
        return spans
    if len(spans) == 2 and len(spans[0][2]) == 1 and len(spans[0][0]) == len(spans[1][0]):
        # Of a lone tile's two words of equal length the main one scores more, or reads across (docs/rules.md A-02).
        spans.sort(key=lambda span: (-word_score(rules, span), span[3]))
    illegal = find_fault(rules, board, spans, rack)
    if illegal is not None:
        return illegal
    bonus = score = play_bonus(rules, spans[0])
    for span in spans:
        score += word_score(rules, span)
    return Legal(rules, spans, score, bonus)


def form_words(board: Board, play: Play) -> _Spans | Illegal:
    """Return the new words as slices of the board's texts, the main word first, or the fault in the placement.

    A lone tile's longer word comes first (docs/rules.md 3.3); a tile that touches nothing gives a word of one letter.
    """
    row, column, axis, letters = play
    side, lines, others = board
    turned = _DOWN
    # A play down is formed as one across on the board with rows and columns exchanged.
    if axis:
        lines, others, row, column, turned = others, lines, column, row, _ACROSS
    n = len(letters)
    # Beyond the edge an index would meet a byte of another line.
    if not (n and 0 <= row < side and 0 <= column <= side - n):
        return Illegal(Fault.OFF_BOARD, f"the play does not stay within the {side} rows and columns of the board")
    stride = side + 1
    at, across = (row + 1) * stride + column, (column + 1) * stride + row
    end, word = at + n, letters
    new: list[int] = []
    crosses: _Spans = []
    for i, letter in enumerate(letters):
        under = lines[at + i]
        if under != EMPTY:
            if letter == EMPTY:
                # The first dot left is this one, since those before it have been replaced.
                word = word.replace(b".", lines[at + i : at + i + 1], 1)
            elif letter != under:
                return _find_placement_fault(board, play, lines[at:end])
        elif letter == EMPTY:
            return _find_placement_fault(board, play, lines[at:end])
        else:
            new.append(at + i)
            k = across + i * stride
            if others[k - 1] != EMPTY or others[k + 1] != EMPTY:
                a, b = _extend_run(others, k, k + 1)
                crosses.append((others[a:k] + letters[i : i + 1] + others[k + 1 : b], a, [k], turned))
    if not new:
        return _no_new_tile()
    if lines[at - 1] != EMPTY or lines[end] != EMPTY:
        a, b = _extend_run(lines, at, end)
        at, word = a, lines[a:at] + word + lines[end:b]
    main = (word, at, new, axis)
    if crosses and len(new) == 1:
        if len(word) == 1:
            return crosses
        if len(crosses[0][0]) > len(word):
            return [crosses[0], main]
    crosses.insert(0, main)
    return crosses


def _extend_run(lines: bytes, start: int, end: int) -> tuple[int, int]:
    """Return the start and end of the run of tiles that includes those just before `start` and those from `end` on."""
    while lines[start - 1] != EMPTY:
        start -= 1
    while lines[end] != EMPTY:
        end += 1
    return start, end


def _find_placement_fault(board: Board, play: Play, covered: bytes) -> _Spans | Illegal:
    """Return the fault of a play whose letters do not match its squares.

    A letter that differs from the tile under it in case alone is no fault, since it names the letter that is there. The
    result is then the words of the play with dots for such letters.
    """
    pairs = list(zip(covered, play.letters, strict=True))
    for i, (under, letter) in enumerate(pairs):
        if EMPTY not in (under, letter) and under ^ letter not in (0, 32):  # bit 32 is the case of a letter
            return Illegal(Fault.SQUARE_TAKEN, f'{_letter_square_name(play, i)} is taken by "{chr(under).upper()}"')
    if not any(under == EMPTY != letter for under, letter in pairs):
        return _no_new_tile()
    for i, (under, letter) in enumerate(pairs):
        if under == EMPTY == letter:
            return Illegal(Fault.GAP, f"there is no tile on {_letter_square_name(play, i)}, which the play runs over")
    dotted = bytes([letter if under == EMPTY else EMPTY for under, letter in pairs])
    return form_words(board, play._replace(letters=dotted))


def _letter_square_name(play: Play, i: int) -> str:
    """Return the name of the square of the letter at index i of a play."""
    row, column, axis, _ = play
    return square_name(row + i, column) if axis else square_name(row, column + i)


def _no_new_tile() -> Illegal:
    return Illegal(Fault.NO_NEW_TILE, "the play puts no tile on the board")


def find_fault(rules: RuleSet, board: Board, spans: _Spans, rack: str | None) -> Illegal | None:
    """Return the first fault of a play with these new words; None if it has none (docs/rules.md 3.2 to 3.6)."""
    tiles, first, new, axis = spans[0]
    if len(spans) == 1 and len(tiles) == len(new):
        if not board.is_empty:
            return Illegal(Fault.NOT_CONNECTED, "the play touches no tile on the board")
        start = rules.layout.start
        # The index of the centre in the text along which the play reads.
        if (start[axis] + 1) * (board.side + 1) + start[1 - axis] not in new:
            return Illegal(Fault.MISSES_CENTRE, f"the first play has to cover {square_name(*start)}")
    if rack is not None:
        left = list(rack)
        for at in new:
            tile = _RACK_TILES[tiles[at - first]]
            if tile not in left:
                lacking = "no blank left" if tile == BLANK else f'no "{tile}" left'
                return Illegal(Fault.NOT_ON_RACK, f"the rack has {lacking} for this play")
            left.remove(tile)
    if len(new) > rules.rack_size:
        return Illegal(Fault.TOO_MANY_TILES, f"the play puts {len(new)} tiles down, a rack holds {rules.rack_size}")
    if len(tiles) < 3:
        if len(tiles) == 1:
            return Illegal(Fault.NO_WORD_FORMED, "a tile alone forms no word")
        if rules.minimum is MinimumLength.MAIN3:
            return Illegal(Fault.MAIN_WORD_TOO_SHORT, "the main word has 2 letters, 3 are needed")
        if rules.minimum is MinimumLength.ANY3 and max([len(span[0]) for span in spans]) < 3:
            return Illegal(Fault.ONLY_TWO_LETTER_WORDS, "all new words have 2 letters, one of them needs 3")
    if rules.wings is _ANYWHERE:
        return None
    inner = rules.layout.inner  # the same across and down, so that an index into either text of the board will do
    if rules.wings is Wings.NEW_TILE:
        for at in new:
            if inner[at]:
                return None
        return Illegal(Fault.NO_TILE_ON_INNER_BOARD, "none of the tiles lies on the inner board")
    # Of a lone tile's two words, if both have three letters, either may cover an inner square (docs/rules.md 3.5).
    mains = spans if len(new) == 1 and len(spans[-1][0]) >= 3 else spans[:1]
    for tiles, first, _, _ in mains:
        if 1 in inner[first : first + len(tiles)]:
            return None
    return Illegal(Fault.MAIN_WORD_IN_WINGS, "the main word lies wholly in the wings")
