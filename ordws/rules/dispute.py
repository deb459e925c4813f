"""What becomes of a play: good words only, challenges, checks of the OSPD, a bad play caught later. (RULES 6, 9.3)

The verdicts are facts that the events bring; no word is looked up here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ordws.rules.bag import arranged, without
from ordws.rules.ending import recounted, without_end
from ordws.rules.event import Caught, Challenged, Checked, Kind, Played
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Legal, squares_of
from ordws.rules.ruleset import Challenge, CheckOspd, LateBadPlay
from ordws.rules.rulesets import published
from ordws.rules.state import (
    Ending,
    Entry,
    Fate,
    Leaving,
    MayBeChallenged,
    MayCheck,
    MayReplay,
    Over,
    State,
    Turn,
)
from ordws.rules.tiles import BLANK, FACE
from ordws.rules.turn import completed, continued, leave, passed_on


def put_down(state: State, event: Played, ruling: Legal) -> State | Illegal:
    """The game after a play that fits: it stands, waits for a challenge, is rejected or cannot be made."""
    match state.rules.challenge:
        case Challenge.NONE if not event.accepted:
            return _rejected(state, event, ruling)
        case Challenge.VOID if not event.accepted:
            return Illegal(Fault.UNACCEPTABLE_PLAY, "a play with an unacceptable word cannot be made here")
        case Challenge.NONE | Challenge.VOID:
            return completed(_laid(state, event, ruling), event.player)
        case Challenge.SINGLE | Challenge.DOUBLE | Challenge.FIVE | Challenge.TEN | Challenge.TRIPLE:
            return _laid(state, event, ruling)._replace(phase=MayBeChallenged(event.player, ruling))


def challenged(state: State, event: Challenged) -> State | Illegal:
    """The game after a challenge, whose loser pays what the rule set says. (RULES 6.2)"""
    phase = state.phase
    if not isinstance(phase, MayBeChallenged) or not _may_challenge(state, phase, event.player):
        return Illegal(Fault.CHALLENGE_NOT_ALLOWED, "there is no play that this player could challenge")
    if strange := Counter(event.words) - Counter(phase.ruling.words):
        return Illegal(Fault.NOT_A_NEW_WORD, f'the play forms no "{next(iter(strange))}"')
    if event.upheld:
        lifted = _lifted(state, phase)
        if state.rules.challenge is Challenge.TRIPLE:
            return _lose(lifted, phase.player, phase.player)
        return _off(lifted, phase.player, phase.ruling)
    match state.rules.challenge:
        case Challenge.DOUBLE:
            return completed(state._replace(skips=(*state.skips, event.player)), phase.player)
        case Challenge.FIVE:
            return completed(_awarded(state, phase.player, 5 * max(1, len(event.words))), phase.player)
        case Challenge.TEN:
            return completed(_awarded(state, phase.player, 10), phase.player)
        case Challenge.TRIPLE:
            return _lose(state, event.player, phase.player)
        case Challenge.SINGLE | Challenge.VOID | Challenge.NONE:
            return completed(state, phase.player)


def checked(state: State, event: Checked) -> State | Illegal:
    """The game after a look into the OSPD: another play, other words to look up, or the deduction. (RULES 6.4, 6.5)

    In Dover's form a player plays again when all words of the play were found: which of them was rejected is never
    told (A-04), and one that is acceptable counts as found (A-22).
    """
    phase = state.phase
    if not isinstance(phase, MayCheck):
        return Illegal(Fault.CHECK_NOT_ALLOWED, "there is no rejected play to check")
    if event.player != phase.player:
        return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {phase.player + 1} was rejected")
    if event.word and event.word not in phase.words:
        return Illegal(Fault.NOT_A_NEW_WORD, f'"{event.word}" is no word of the play that could be checked')
    match state.rules.check_ospd:
        case CheckOspd.DOVER if not event.word:
            return Illegal(Fault.NOT_A_NEW_WORD, "the player names the word that is checked")
        case CheckOspd.DOVER:
            cost, left = _face_value(phase.ruling, event.word), phase.words
        case CheckOspd.OFFICIAL | CheckOspd.NONE:
            cost, left = phase.ruling.score, ()
    if not event.found:
        turn = state.turns[-1]._replace(points=-cost)
        return completed(state._replace(turns=(*state.turns[:-1], turn)), phase.player)
    if rest := tuple([word for word in left if word != event.word]):
        return state._replace(phase=MayCheck(phase.player, phase.ruling, rest))
    return continued(state._replace(phase=MayReplay(phase.player), turns=state.turns[:-1]))


def caught(state: State, event: Caught) -> State | Illegal:
    """The game after a bad play has come to light: its points go, and its tiles where nothing hangs on them."""
    if not 0 <= event.turn < state.turns_over:
        return Illegal(Fault.PLAY_STANDS, f"there is no turn {event.turn + 1} that is over")
    turn = state.turns[event.turn]
    if turn.ruling is None or turn.fate is not Fate.MADE:
        return Illegal(Fault.PLAY_STANDS, f"turn {event.turn + 1} has put nothing on the board that counts")
    match state.rules.late_bad_play:
        case LateBadPlay.STANDS:
            return Illegal(Fault.PLAY_STANDS, "a play that nobody challenged stands")
        case LateBadPlay.UNTIL_NEXT_TURN if event.turn != state.turns_over - 1:
            return Illegal(Fault.PLAY_STANDS, "a play stands when the next player has completed a turn")
        case LateBadPlay.UNTIL_NEXT_TURN if isinstance(state.phase, Over):
            return passed_on(_undone(without_end(state), event.turn), turn.player)
        case LateBadPlay.ALWAYS if state.phase == Over(Ending.OUT) and event.turn == len(state.turns) - 1:
            return recounted(_undone(state, event.turn))
        case LateBadPlay.UNTIL_NEXT_TURN | LateBadPlay.ALWAYS:
            return continued(_undone(state, event.turn))


def _may_challenge(state: State, phase: MayBeChallenged, player: int) -> bool:
    """Whether a player is an opponent who has not lost; one whose time is up may doubt a play. (RULES 8.2)"""
    return player != phase.player and not state.seats[player].has_lost


def _rejected(state: State, event: Played, ruling: Legal) -> State | Illegal:
    if struck := published(state.rules).struck.intersection(ruling.words):
        return Illegal(Fault.DISALLOWED_WORD, f'"{min(struck)}" is on the list of disallowed words; play again')
    turn = Turn(event.player, event.play, 0, Fate.OFF, len(state.bag), ruling)
    return _off(state.with_turn(turn), event.player, ruling)


def _off(state: State, player: int, ruling: Legal) -> State:
    """The game after a play came off: the turn is over, or the player, if his time is not, may check the OSPD."""
    if state.seats[player].left is not None:
        return completed(state, player)
    match state.rules.check_ospd:
        case CheckOspd.NONE:
            return completed(state, player)
        case CheckOspd.OFFICIAL:
            return state._replace(phase=MayCheck(player, ruling, ()))
        case CheckOspd.DOVER:
            return state._replace(phase=MayCheck(player, ruling, tuple(dict.fromkeys(ruling.words))))


def _laid(state: State, event: Played, ruling: Legal) -> State:
    """The play on the board, and its points with its player."""
    tiles = ruling.tiles
    turn = Turn(event.player, event.play, ruling.score, Fate.MADE, len(state.bag), ruling)
    rack = without(state.seats[event.player].rack, _on_rack(tiles.values()))
    return state._replace(board=state.board.put(tiles)).with_turn(turn).with_rack(event.player, rack)


def _lifted(state: State, phase: MayBeChallenged) -> State:
    """The play that was just put down off the board again, and its points gone."""
    tiles = phase.ruling.tiles
    turn = state.turns[-1]._replace(points=0, fate=Fate.OFF)
    lifted = state._replace(board=state.board.put(dict.fromkeys(tiles, ".")), turns=(*state.turns[:-1], turn))
    return _cleared(lifted).with_rack(phase.player, state.seats[phase.player].rack + _on_rack(tiles.values()))


def _undone(state: State, number: int) -> State:
    """The game without the points of a bad play, and without its tiles if nothing hangs on them. (RULES 9.3)"""
    turn = state.turns[number]._replace(points=0, fate=Fate.CAUGHT)
    return _cleared(_with_turn_at(state, number, turn))


def _cleared(state: State) -> State:
    """The game without the tiles of plays caught on which nothing hangs; the last first, since it may free others."""
    for number in reversed(range(len(state.turns))):
        turn = state.turns[number]
        if turn.fate is Fate.CAUGHT and turn.ruling and not _has_hanging(state, number, turn.ruling):
            state = _removed(state, number, turn, turn.ruling)
    return state


def _has_hanging(state: State, number: int, ruling: Legal) -> bool:
    """Whether a later play that lies on the board has made a word with tiles of this one."""
    later = [other.ruling for other in state.turns[number + 1 :] if other.ruling and other.added]
    side = state.board.side
    words = {square for each in later for span in each.spans for square in squares_of(side, span)}
    return not words.isdisjoint(ruling.new_squares)


def _removed(state: State, number: int, turn: Turn, ruling: Legal) -> State:
    """RULES 9.3, A-32: not the player, but the bag gets the tiles."""
    squares = ruling.new_squares
    tiles = _on_rack([state.board.at(*square) for square in squares])
    cleared = state._replace(board=state.board.put(dict.fromkeys(squares, ".")), bag=arranged(state.bag + tiles))
    return _with_turn_at(cleared, number, turn._replace(fate=Fate.REMOVED))


def _with_turn_at(state: State, number: int, turn: Turn) -> State:
    return state._replace(turns=(*state.turns[:number], turn, *state.turns[number + 1 :]))


def _awarded(state: State, player: int, points: int) -> State:
    return state.with_entry(Entry(player, points, Kind.CHALLENGE))


def _lose(state: State, loser: int, player: int) -> State:
    """The game without the loser of a challenge of somebody's play."""
    without_loser = leave(state, loser, Leaving.CHALLENGE)
    return without_loser if isinstance(without_loser.phase, Over) else completed(without_loser, player)


def _face_value(ruling: Legal, word: str) -> int:
    """RULES 6.5, A-14: without premiums, without the cap; blanks are 0."""
    tiles = next(tiles for tiles, _, _, _ in ruling.spans if tiles.decode().upper() == word)
    return sum(tiles.translate(FACE))


def _on_rack(letters: Iterable[str]) -> str:
    """Tiles of the board as a rack writes them."""
    return "".join([letter if letter.isupper() else BLANK for letter in letters])
