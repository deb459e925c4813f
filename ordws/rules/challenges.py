"""What becomes of a play: good words only, challenges, checks of the OSPD, a bad play caught later. (RULES 6, 9.3)

The verdicts are facts that the events bring; no word is looked up here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ordws.rules.bag import remove_tiles, sort_tiles
from ordws.rules.ending import recount_unplayed_tiles, remove_end_entries
from ordws.rules.event import Caught, Challenged, Checked, Played, ScoreEntryKind
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Legal, squares_of
from ordws.rules.ruleset import Challenge, CheckOspd, LateBadPlay
from ordws.rules.rulesets import published_word_lists
from ordws.rules.state import (
    DepartureReason,
    EndReason,
    GameOver,
    GameState,
    MayBeChallenged,
    MayCheckOspd,
    MayReplay,
    ScoreEntry,
    Turn,
    TurnOutcome,
)
from ordws.rules.tiles import BLANK, FACE_VALUES
from ordws.rules.turn_order import complete_turn, finish_or_advance, remove_player, resume_game


def resolve_play(state: GameState, event: Played, ruling: Legal) -> GameState | Illegal:
    """The game after a play that fits: it stands, waits for a challenge, is rejected or cannot be made."""
    match state.rules.challenge:
        case Challenge.NONE if not event.accepted:
            return _reject_play(state, event, ruling)
        case Challenge.VOID if not event.accepted:
            return Illegal(Fault.UNACCEPTABLE_PLAY, "a play with an unacceptable word cannot be made here")
        case Challenge.NONE | Challenge.VOID:
            return complete_turn(_place_play(state, event, ruling), event.player)
        case Challenge.SINGLE | Challenge.DOUBLE | Challenge.FIVE | Challenge.TEN | Challenge.TRIPLE:
            return _place_play(state, event, ruling)._replace(phase=MayBeChallenged(event.player, ruling))


def apply_challenge(state: GameState, event: Challenged) -> GameState | Illegal:
    """The game after a challenge, whose loser pays what the rule set says. (RULES 6.2)"""
    phase = state.phase
    if not isinstance(phase, MayBeChallenged) or not _may_challenge(state, phase, event.player):
        return Illegal(Fault.CHALLENGE_NOT_ALLOWED, "there is no play that this player could challenge")
    if strange := Counter(event.words) - Counter(phase.ruling.words):
        return Illegal(Fault.NOT_A_NEW_WORD, f'the play forms no "{next(iter(strange))}"')
    if event.upheld:
        lifted = _withdraw_play(state, phase)
        if state.rules.challenge is Challenge.TRIPLE:
            return _lose_game(lifted, phase.player, phase.player)
        return _offer_ospd_check(lifted, phase.player, phase.ruling)
    match state.rules.challenge:
        case Challenge.DOUBLE:
            return complete_turn(state._replace(lost_turns=(*state.lost_turns, event.player)), phase.player)
        case Challenge.FIVE:
            return complete_turn(
                _award_challenge_points(state, phase.player, 5 * max(1, len(event.words))), phase.player
            )
        case Challenge.TEN:
            return complete_turn(_award_challenge_points(state, phase.player, 10), phase.player)
        case Challenge.TRIPLE:
            return _lose_game(state, event.player, phase.player)
        case Challenge.SINGLE | Challenge.VOID | Challenge.NONE:
            return complete_turn(state, phase.player)


def apply_ospd_check(state: GameState, event: Checked) -> GameState | Illegal:
    """The game after a look into the OSPD: another play, other words to look up, or the deduction. (RULES 6.4, 6.5)

    In Dover's form a player plays again when all words of the play were found: which of them was rejected is never
    told (A-04), and one that is acceptable counts as found (A-22).
    """
    phase = state.phase
    if not isinstance(phase, MayCheckOspd):
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
        return complete_turn(state._replace(turns=(*state.turns[:-1], turn)), phase.player)
    if rest := tuple([word for word in left if word != event.word]):
        return state._replace(phase=MayCheckOspd(phase.player, phase.ruling, rest))
    return resume_game(state._replace(phase=MayReplay(phase.player), turns=state.turns[:-1]))


def apply_late_bad_play(state: GameState, event: Caught) -> GameState | Illegal:
    """The game after a bad play has come to light: its points go, and its tiles where nothing hangs on them."""
    if not 0 <= event.turn < state.completed_turns:
        return Illegal(Fault.PLAY_STANDS, f"there is no turn {event.turn + 1} that is over")
    turn = state.turns[event.turn]
    if turn.ruling is None or turn.outcome is not TurnOutcome.MADE:
        return Illegal(Fault.PLAY_STANDS, f"turn {event.turn + 1} has put nothing on the board that counts")
    match state.rules.late_bad_play:
        case LateBadPlay.STANDS:
            return Illegal(Fault.PLAY_STANDS, "a play that nobody challenged stands")
        case LateBadPlay.UNTIL_NEXT_TURN if event.turn != state.completed_turns - 1:
            return Illegal(Fault.PLAY_STANDS, "a play stands when the next player has completed a turn")
        case LateBadPlay.UNTIL_NEXT_TURN if isinstance(state.phase, GameOver):
            return finish_or_advance(_undo_bad_play(remove_end_entries(state), event.turn), turn.player)
        case LateBadPlay.ALWAYS if state.phase == GameOver(EndReason.OUT) and event.turn == len(state.turns) - 1:
            return recount_unplayed_tiles(_undo_bad_play(state, event.turn))
        case LateBadPlay.UNTIL_NEXT_TURN | LateBadPlay.ALWAYS:
            return resume_game(_undo_bad_play(state, event.turn))


def _may_challenge(state: GameState, phase: MayBeChallenged, player: int) -> bool:
    """Whether a player is an opponent who has not lost; one whose time is up may doubt a play. (RULES 8.2)"""
    return player != phase.player and not state.seats[player].has_lost


def _reject_play(state: GameState, event: Played, ruling: Legal) -> GameState | Illegal:
    if struck := published_word_lists(state.rules).struck.intersection(ruling.words):
        return Illegal(Fault.DISALLOWED_WORD, f'"{min(struck)}" is on the list of disallowed words; play again')
    turn = Turn(event.player, event.play, 0, TurnOutcome.OFF, len(state.bag), ruling)
    return _offer_ospd_check(state.with_turn(turn), event.player, ruling)


def _offer_ospd_check(state: GameState, player: int, ruling: Legal) -> GameState:
    """The game after a play came off: the turn is over, or the player, if his time is not, may check the OSPD."""
    if state.seats[player].departure is not None:
        return complete_turn(state, player)
    match state.rules.check_ospd:
        case CheckOspd.NONE:
            return complete_turn(state, player)
        case CheckOspd.OFFICIAL:
            return state._replace(phase=MayCheckOspd(player, ruling, ()))
        case CheckOspd.DOVER:
            return state._replace(phase=MayCheckOspd(player, ruling, tuple(dict.fromkeys(ruling.words))))


def _place_play(state: GameState, event: Played, ruling: Legal) -> GameState:
    """The play on the board, and its points with its player."""
    tiles = ruling.tiles
    turn = Turn(event.player, event.play, ruling.score, TurnOutcome.MADE, len(state.bag), ruling)
    rack = remove_tiles(state.seats[event.player].rack, _as_rack_tiles(tiles.values()))
    return state._replace(board=state.board.with_letters(tiles)).with_turn(turn).with_rack(event.player, rack)


def _withdraw_play(state: GameState, phase: MayBeChallenged) -> GameState:
    """The play that was just put down off the board again, and its points gone."""
    tiles = phase.ruling.tiles
    turn = state.turns[-1]._replace(points=0, outcome=TurnOutcome.OFF)
    lifted = state._replace(board=state.board.with_letters(dict.fromkeys(tiles, ".")), turns=(*state.turns[:-1], turn))
    return _clear_caught_plays(lifted).with_rack(
        phase.player, state.seats[phase.player].rack + _as_rack_tiles(tiles.values())
    )


def _undo_bad_play(state: GameState, number: int) -> GameState:
    """The game without the points of a bad play, and without its tiles if nothing hangs on them. (RULES 9.3)"""
    turn = state.turns[number]._replace(points=0, outcome=TurnOutcome.CAUGHT)
    return _clear_caught_plays(_replace_turn(state, number, turn))


def _clear_caught_plays(state: GameState) -> GameState:
    """The game without the tiles of plays caught on which nothing hangs; the last first, since it may free others."""
    for number in reversed(range(len(state.turns))):
        turn = state.turns[number]
        if turn.outcome is TurnOutcome.CAUGHT and turn.ruling and not _has_dependent_play(state, number, turn.ruling):
            state = _remove_play(state, number, turn, turn.ruling)
    return state


def _has_dependent_play(state: GameState, number: int, ruling: Legal) -> bool:
    """Whether a later play that lies on the board has made a word with tiles of this one."""
    later = [other.ruling for other in state.turns[number + 1 :] if other.ruling and other.added_tiles]
    side = state.board.side
    words = {square for each in later for span in each.spans for square in squares_of(side, span)}
    return not words.isdisjoint(ruling.new_squares)


def _remove_play(state: GameState, number: int, turn: Turn, ruling: Legal) -> GameState:
    """RULES 9.3, A-32: not the player, but the bag gets the tiles."""
    squares = ruling.new_squares
    tiles = _as_rack_tiles([state.board.letter_at(*square) for square in squares])
    cleared = state._replace(
        board=state.board.with_letters(dict.fromkeys(squares, ".")), bag=sort_tiles(state.bag + tiles)
    )
    return _replace_turn(cleared, number, turn._replace(outcome=TurnOutcome.REMOVED))


def _replace_turn(state: GameState, number: int, turn: Turn) -> GameState:
    return state._replace(turns=(*state.turns[:number], turn, *state.turns[number + 1 :]))


def _award_challenge_points(state: GameState, player: int, points: int) -> GameState:
    return state.with_entry(ScoreEntry(player, points, ScoreEntryKind.CHALLENGE))


def _lose_game(state: GameState, loser: int, player: int) -> GameState:
    """The game without the loser of a challenge of somebody's play."""
    without_loser = remove_player(state, loser, DepartureReason.CHALLENGE)
    return without_loser if isinstance(without_loser.phase, GameOver) else complete_turn(without_loser, player)


def _face_value(ruling: Legal, word: str) -> int:
    """RULES 6.5, A-14: without premiums, without the cap; blanks are 0."""
    tiles = next(tiles for tiles, _, _, _ in ruling.spans if tiles.decode().upper() == word)
    return sum(tiles.translate(FACE_VALUES))


def _as_rack_tiles(letters: Iterable[str]) -> str:
    """Tiles of the board as a rack writes them."""
    return "".join([letter if letter.isupper() else BLANK for letter in letters])
