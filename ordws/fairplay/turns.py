"""The plays of a sealed game as they were made, and their numbers, which name no word (docs/fairplay.md 4)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from ordws.fairplay.flags import player_id
from ordws.fairplay.forms import BANDS_OF_RARITY, FIRST_BORDERLINE_BAND, HonestForms, RankedPlays, likelihoods
from ordws.fairplay.store import SeatNumbers, TurnNumbers
from ordws.movegen.graph import Graph
from ordws.movegen.moves import after_swaps, generate
from ordws.referee.sealed_game import SealedGame, SubmissionOutcome, apply_events
from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.ending import is_untimed
from ordws.rules.event import Clocked, Played, Swapped
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import HomeRules, RuleSet
from ordws.rules.tiles import BLANK


class ChosenPlay(NamedTuple):
    """A play as it was made: the position before any swap, the rack, and the play with its ruling's score."""

    rules: RuleSet
    board: Board
    rack: str
    play: Play
    swaps: tuple[tuple[int, int], ...]
    milliseconds: int = 0


def turns_taken(sealed_game: SealedGame) -> Iterator[tuple[int, ChosenPlay, SubmissionOutcome]]:
    """Yield the plays of a game in their order, with their seats and outcomes.

    A void play (`UNACCEPTABLE`) left only its time in the rows, so its squares and letters are empty here.
    """
    for before, row in zip(sealed_game.states, sealed_game.rows, strict=False):
        state, begun = before, before
        swaps: tuple[tuple[int, int], ...] = ()
        used = sum([each.milliseconds for each in row.events if isinstance(each, Clocked) and each.player == row.seat])
        if row.outcome is SubmissionOutcome.UNACCEPTABLE:
            nothing = Play(0, 0, Axis.ACROSS, b"")
            yield row.seat, ChosenPlay(state.rules, state.board, "", nothing, (), used), row.outcome
        for event in row.events:
            match event:
                case Swapped(_, at_row, column):
                    begun, swaps = begun if swaps else state, (*swaps, (at_row, column))
                case Played(player, play):
                    begun = begun if swaps else state
                    rack = begun.seats[player].rack
                    yield player, ChosenPlay(begun.rules, begun.board, rack, play, swaps, used), row.outcome
            state = apply_events(state, event)


def time_left(sealed_game: SealedGame, seat: int) -> float:
    """Return the share of its time that a seat had after the last row that was its own submission."""
    rules = sealed_game.state.rules
    if is_untimed(rules):
        return 1.0
    own = [at for at, row in enumerate(sealed_game.rows, 1) if row.seat == seat and row.submitted is not None]
    used = sealed_game.states[own[-1]].seats[seat].milliseconds if own else 0
    return max(1 - used / (1_000 * rules.clock_seconds), 0.0)


MOST_PLAYS: Final = 400
"""The plays of a position that are looked at, the best ones; a play further down is as likely as by the random form."""
_MOST_SWAPS: Final = 8
_MOST_BLANKS: Final = 2
"""The choices of swaps, and the blanks on the rack, beyond which a position is left out.

With both blanks of a usual set a player has four and two at most; nine of a large one have a hundred million plays.
"""

_REJECTED: Final = frozenset((SubmissionOutcome.REJECTED, SubmissionOutcome.UNACCEPTABLE))
_LEAST_NATS: Final = -25.0
_LAST_BAND: Final = BANDS_OF_RARITY - 1


class RarityLists(NamedTuple):
    """The public lists of an edition, which tell of the rarity of words."""

    core: Container[str]
    reference: Container[str]

    def band(self, words: Sequence[str]) -> int:
        """Return the band of the rarest of these words; words of two letters are known to everybody."""
        bands = [0 if word in self.core else 1 if word in self.reference else 2 for word in words if len(word) > 2]
        return max(bands, default=0)


class RankedChoice(NamedTuple):
    """The best plays of a position, and the play that was made among them."""

    plays: RankedPlays
    made: int | None
    """The rank of the play that was made, from 0 on, which may lie behind the plays that are kept; None where its words
    are not in the edition."""

    band: int = _LAST_BAND
    """The rarity band of the play that was made."""


class TurnReader:
    """Works out the numbers of turns under one set of honest forms, with the words of one edition and rule set."""

    def __init__(self, forms: HonestForms, graph: Graph, lists: RarityLists) -> None:
        self.forms, self._graph, self._lists = forms, graph, lists

    def rank(self, turn: ChosenPlay) -> RankedChoice:
        """Return the best plays of a position, and the rank of the one that was made."""
        rules = turn.rules
        moves = generate(rules, self._graph, turn.board, turn.rack)
        boards = {frozenset(reached.squares): reached.board for reached in after_swaps(rules, turn.board, turn.rack)}
        best = moves[:MOST_PLAYS]
        rulings = [judge(rules, boards[frozenset(move.swaps)], move.play) for move in best]
        plays = RankedPlays(
            np.array([0, len(best)]),
            np.array([move.score for move in best], int),
            np.array(
                [self._lists.band(each.words) if isinstance(each, Legal) else _LAST_BAND for each in rulings], int
            ),
            np.array([len(move.play.letters) - move.play.letters.count(EMPTY) for move in best], int),
        )
        swaps = frozenset(turn.swaps)
        made = judge(rules, boards[swaps], turn.play) if swaps in boards else None
        if not isinstance(made, Legal):
            return RankedChoice(plays, None)
        # A play can be written in several ways, so the tiles are compared, of those that score the same.
        for at in [at for at in range(len(moves)) if moves.score(at) == made.score]:
            move = moves[at]
            ruling = judge(rules, boards[swaps], move.play)
            if frozenset(move.swaps) == swaps and isinstance(ruling, Legal) and ruling.tiles == made.tiles:
                return RankedChoice(plays, at, self._lists.band(made.words))
        return RankedChoice(plays, None)

    def read(self, turn: ChosenPlay, outcome: SubmissionOutcome) -> TurnNumbers | None:
        """Return the numbers of a play; None with nothing or too much to choose, and for words of other lists."""
        if outcome in _REJECTED:
            return self._rejected(turn.milliseconds)
        if _is_too_wide(turn):
            return None
        plays, place, band = self.rank(turn)
        if place is None:
            # Nobody looked the words up. Under Dover's rules they may be good by another list than the edition's words.
            is_bad = outcome is SubmissionOutcome.LAID and turn.rules.home_rules is not HomeRules.DOVER
            return self._rejected(turn.milliseconds) if is_bad else None
        if len(plays.scores) < 2:
            return None
        if place >= len(plays.scores):
            logs = np.full(self.forms.count, _LEAST_NATS)
            logs[self.forms.knowers] = -np.log(len(plays.scores))
            place = len(plays.scores) - 1
        else:
            logs = np.log(np.maximum(likelihoods(plays, self.forms)[place], np.exp(_LEAST_NATS)))
        return TurnNumbers(
            tuple([round(1_000 * float(each)) for each in logs]),
            bool(plays.scores[place] == plays.scores[0]),
            int(plays.tied_bests[0]),
            band,
            band >= FIRST_BORDERLINE_BAND,
            False,
            turn.milliseconds,
        )

    def _rejected(self, milliseconds: int) -> TurnNumbers:
        return TurnNumbers((0,) * self.forms.count, False, 0, _LAST_BAND, True, True, milliseconds)


def _is_too_wide(turn: ChosenPlay) -> bool:
    """Return whether a position has more swaps or blanks than anybody weighs up."""
    reached = list(islice(after_swaps(turn.rules, turn.board, turn.rack), _MOST_SWAPS + 1))
    return len(reached) > _MOST_SWAPS or max(each.rack.count(BLANK) for each in reached) > _MOST_BLANKS


def read_game(sealed_game: SealedGame, reader: TurnReader) -> list[SeatNumbers]:
    """Return the numbers of the seats of a game that is over.

    Seats that one identity holds together are left out: nobody knows who sat there.
    """
    turns: list[list[TurnNumbers]] = [[] for _ in sealed_game.header.seats]
    for seat, taken, outcome in turns_taken(sealed_game):
        if (numbers := reader.read(taken, outcome)) is not None:
            turns[seat].append(numbers)
    state, header = sealed_game.state, sealed_game.header
    players = [player_id(holder.client, holder.player) for holder in header.seats]
    return [
        SeatNumbers(
            player,
            header.game,
            seat,
            sealed_game.rows[-1].moment.milliseconds // 1_000,
            reader.forms.version,
            state.seats[seat].departure is not None,
            state.scores[seat] < max(state.scores),
            time_left(sealed_game, seat),
            tuple(turns[seat]),
        )
        for seat, player in enumerate(players)
        if players.count(player) == 1
    ]
