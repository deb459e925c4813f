"""Plays in doubt: good words only, challenges, checks of the OSPD, bad plays caught later (docs/rules.md 6, 9.3).

The verdicts are facts that events bring; no word is looked up here. For the browser,
ordws/web/pages/static/game-challenges.js holds these rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from ordws.rules.bag import remove_tiles, sort_tiles
from ordws.rules.ending import recount_unplayed_tiles, remove_end_entries
from ordws.rules.event import Caught, Challenged, Checked, Played, ScoreEntryKind
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Legal, squares_of
from ordws.rules.ruleset import Challenge, CheckOspd, LateBadPlay, RuleSet, published_word_lists
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
    """Return the game after a legal play: it stands, waits for a challenge, is rejected or cannot be made."""
    match state.rules.challenge:
        case Challenge.NONE if not event.accepted:
            if struck := published_word_lists(state.rules).struck.intersection(ruling.words):
                message = f'"{min(struck)}" is on the list of disallowed words; play again'
                return Illegal(Fault.DISALLOWED_WORD, message)
            turn = Turn(event.player, event.play, 0, TurnOutcome.OFF, len(state.bag), ruling)
            return _offer_ospd_check(state.with_turn(turn), event.player, ruling)
        case Challenge.VOID if not event.accepted:
            return Illegal(Fault.UNACCEPTABLE_PLAY, "a play with an unacceptable word cannot be made here")
        case Challenge.NONE | Challenge.VOID:
            return complete_turn(_place_play(state, event, ruling), event.player)
        case Challenge.SINGLE | Challenge.DOUBLE | Challenge.FIVE | Challenge.TEN | Challenge.TRIPLE:
            return _place_play(state, event, ruling)._replace(phase=MayBeChallenged(event.player, ruling))


def apply_challenge(state: GameState, event: Challenged) -> GameState | Illegal:
    """Return the game after a challenge; its loser pays the price of the rule set (docs/rules.md 6.2)."""
    phase, rule = state.phase, state.rules.challenge
    # A player whose time is up has left the game but not lost it, and may still challenge (docs/rules.md 6.2, 8.2).
    has_lost = state.seats[event.player].has_lost
    if not isinstance(phase, MayBeChallenged) or event.player == phase.player or has_lost:
        return Illegal(Fault.CHALLENGE_NOT_ALLOWED, "there is no play that this player could challenge")
    mover, ruling = phase.player, phase.ruling
    if strange := Counter(event.words) - Counter(ruling.words):
        return Illegal(Fault.NOT_A_NEW_WORD, f'the play forms no "{next(iter(strange))}"')
    if event.upheld:
        tiles, turn = ruling.tiles, state.turns[-1]._replace(points=0, outcome=TurnOutcome.OFF)
        lifted = _replace_turn(state, -1, turn)._replace(board=state.board.with_letters(dict.fromkeys(tiles, ".")))
        rack = state.seats[mover].rack + _as_rack_tiles(tiles.values())
        # Of a bad play that was caught before, the tiles may go now: perhaps only this play depended on them.
        lifted = _clear_caught_plays(lifted).with_rack(mover, rack)
        if rule is Challenge.TRIPLE:
            return _lose_game(lifted, mover, mover)
        return _offer_ospd_check(lifted, mover, ruling)
    match rule:
        case Challenge.DOUBLE:
            state = state._replace(lost_turns=(*state.lost_turns, event.player))
        case Challenge.FIVE | Challenge.TEN:
            points = challenge_bonus(rule, len(event.words))
            state = state.with_entry(ScoreEntry(mover, points, ScoreEntryKind.CHALLENGE))
        case Challenge.TRIPLE:
            return _lose_game(state, event.player, mover)
        case Challenge.SINGLE | Challenge.VOID | Challenge.NONE:
            pass
    return complete_turn(state, mover)


def challenge_bonus(rule: Challenge, words: int) -> int:
    """Return the points for a play that stands after a challenge of this many words, 0 for all (docs/rules.md 6.2)."""
    if rule is Challenge.TEN:
        return 10
    return 5 * max(1, words) if rule is Challenge.FIVE else 0


def apply_ospd_check(state: GameState, event: Checked) -> GameState | Illegal:
    """Return the game after a check of the OSPD (docs/rules.md 6.4, 6.5).

    The player makes another play, may check more words, or loses points and the turn. In Dover's form another play
    follows once all words of the play were found, since nobody is told which of them was rejected (docs/rules.md A-04);
    an acceptable word counts as found (docs/rules.md A-22).
    """
    phase = state.phase
    if not isinstance(phase, MayCheckOspd):
        return Illegal(Fault.CHECK_NOT_ALLOWED, "there is no rejected play to check")
    if event.player != phase.player:
        return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {phase.player + 1} was rejected")
    if event.word and event.word not in phase.words:
        return Illegal(Fault.NOT_A_NEW_WORD, f'"{event.word}" is no word of the play that could be checked')
    is_dover = state.rules.check_ospd is CheckOspd.DOVER
    if is_dover and not event.word:
        return Illegal(Fault.NOT_A_NEW_WORD, "the player names the word that is checked")
    if not event.found:
        words = [tiles for tiles, _, _, _ in phase.ruling.spans]
        cost = dover_deduction(words, event.word) if is_dover else phase.ruling.score
        return complete_turn(_replace_turn(state, -1, state.turns[-1]._replace(points=-cost)), phase.player)
    if rest := tuple([word for word in phase.words if word != event.word]):
        return state._replace(phase=MayCheckOspd(phase.player, phase.ruling, rest))
    return resume_game(state._replace(phase=MayReplay(phase.player), turns=state.turns[:-1]))


def dover_deduction(words: Iterable[bytes], named: str, face_values: bytes = FACE_VALUES) -> int:
    """Return the points that Dover's check costs for a named word that is not in the OSPD (docs/rules.md 6.5, A-14).

    That is the face value of the word, without premiums and without the small word point cap. `words` are the new words
    of the play, the main word first, as their tiles lie on the board: a lower case letter is a blank and counts 0. Of
    two new words spelt alike the first counts. Raises ValueError if no new word is spelt so. The cases in
    tests/vectors/rules/dover_deduction.txt hold this function equal to the one of the browser.
    """
    for tiles in words:
        if tiles.decode("latin-1").upper() == named:
            return sum(tiles.translate(face_values))
    raise ValueError(f'the play forms no "{named}"')


def apply_late_bad_play(state: GameState, event: Caught) -> GameState | Illegal:
    """Return the game after a bad play was found: its points go, and its tiles too unless a later word depends on them.

    See docs/rules.md 9.3.
    """
    if not 0 <= event.turn < state.completed_turns:
        return Illegal(Fault.PLAY_STANDS, f"there is no turn {event.turn + 1} that is over")
    turn = state.turns[event.turn]
    if turn.ruling is None or turn.outcome is not TurnOutcome.MADE:
        return Illegal(Fault.PLAY_STANDS, f"turn {event.turn + 1} has put nothing on the board that counts")
    if (illegal := find_late_fault(state.rules, state.completed_turns - 1 - event.turn)) is not None:
        return illegal
    if state.rules.late_bad_play is LateBadPlay.UNTIL_NEXT_TURN and isinstance(state.phase, GameOver):
        return finish_or_advance(_undo_bad_play(remove_end_entries(state), event.turn), turn.player)
    if state.phase == GameOver(EndReason.OUT) and event.turn == len(state.turns) - 1:
        return recount_unplayed_tiles(_undo_bad_play(state, event.turn))
    return resume_game(_undo_bad_play(state, event.turn))


def find_late_fault(rules: RuleSet, later_turns: int) -> Illegal | None:
    """Return why a bad play stands after this many turns of the players since; None if it can be undone.

    See docs/rules.md 9.3, A-31.
    """
    match rules.late_bad_play:
        case LateBadPlay.STANDS:
            return Illegal(Fault.PLAY_STANDS, "a play that nobody challenged stands")
        case LateBadPlay.UNTIL_NEXT_TURN if later_turns > 0:
            return Illegal(Fault.PLAY_STANDS, "a play stands when the next player has completed a turn")
        case LateBadPlay.UNTIL_NEXT_TURN | LateBadPlay.ALWAYS:
            return None


def words_to_check(rules: RuleSet, ruling: Legal) -> tuple[str, ...]:
    """Return the words of a rejected play that have to be found one by one; none if all are asked for at once.

    See docs/rules.md 6.4, 6.5.
    """
    # A word that the play forms twice is looked up once.
    return tuple(dict.fromkeys(ruling.words)) if rules.check_ospd is CheckOspd.DOVER else ()


def supports_later_word(squares: Collection[tuple[int, int]], later: Iterable[Legal]) -> bool:
    """Return whether a word of a later play runs over one of these squares (docs/rules.md 9.3)."""
    return any(
        square in squares
        for ruling in later
        for span in ruling.spans
        for square in squares_of(ruling.rules.layout.side, span)
    )


def _offer_ospd_check(state: GameState, player: int, ruling: Legal) -> GameState:
    """Return the game after a play came off: its player may check the OSPD, unless the rules or the clock forbid it."""
    # A player whose time is up cannot ask for the check (docs/rules.md 6.4).
    if state.seats[player].departure is not None or state.rules.check_ospd is CheckOspd.NONE:
        return complete_turn(state, player)
    return state._replace(phase=MayCheckOspd(player, ruling, words_to_check(state.rules, ruling)))


def _place_play(state: GameState, event: Played, ruling: Legal) -> GameState:
    """Return the game with the play on the board and its points scored."""
    tiles = ruling.tiles
    turn = Turn(event.player, event.play, ruling.score, TurnOutcome.MADE, len(state.bag), ruling)
    rack = remove_tiles(state.seats[event.player].rack, _as_rack_tiles(tiles.values()))
    return state._replace(board=state.board.with_letters(tiles)).with_turn(turn).with_rack(event.player, rack)


def _undo_bad_play(state: GameState, number: int) -> GameState:
    """Return the game without the points of a bad play, and without its tiles unless a later word depends on them."""
    turn = state.turns[number]._replace(points=0, outcome=TurnOutcome.CAUGHT)
    return _clear_caught_plays(_replace_turn(state, number, turn))


def _clear_caught_plays(state: GameState) -> GameState:
    """Return the game without the tiles of caught plays on which no later word depends (docs/rules.md 9.3)."""
    # The last play first: once it is gone, perhaps no later word depends on an earlier one any more.
    for number in reversed(range(len(state.turns))):
        turn = state.turns[number]
        if turn.outcome is not TurnOutcome.CAUGHT or not turn.ruling:
            continue
        squares = turn.ruling.new_squares
        later = [other.ruling for other in state.turns[number + 1 :] if other.ruling and other.added_tiles]
        if supports_later_word(squares, later):
            continue
        # A blank of the play may have been swapped since, so that the board and not the play says what lies there. The
        # tiles go to the bag, not to the player (docs/rules.md A-32).
        tiles = _as_rack_tiles([state.board.letter_at(*square) for square in squares])
        board = state.board.with_letters(dict.fromkeys(squares, "."))
        state = _replace_turn(state, number, turn._replace(outcome=TurnOutcome.REMOVED))
        state = state._replace(board=board, bag=sort_tiles(state.bag + tiles))
    return state


def _replace_turn(state: GameState, number: int, turn: Turn) -> GameState:
    turns = [*state.turns]
    turns[number] = turn
    return state._replace(turns=tuple(turns))


def _lose_game(state: GameState, loser: int, mover: int) -> GameState:
    """Return the game without the player who lost it by a challenge of the mover's play."""
    without_loser = remove_player(state, loser, DepartureReason.CHALLENGE)
    return without_loser if isinstance(without_loser.phase, GameOver) else complete_turn(without_loser, mover)


def _as_rack_tiles(letters: Iterable[str]) -> str:
    """Return tiles of the board as a rack writes them: a blank whatever letter it stands for."""
    return "".join([letter if letter.isupper() else BLANK for letter in letters])
