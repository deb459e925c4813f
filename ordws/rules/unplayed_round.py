"""The unplayed tiles round: one play with the tiles that an opponent could not play (docs/rules.md 9.5, A-30).

A game at a table has it as a director's adjustment instead (`Adjusted`).
"""

from __future__ import annotations

from typing import Final

from ordws.rules.board import square_name
from ordws.rules.ending import REASONS_WITH_UNPLAYED_TILES
from ordws.rules.event import Proposed, ScoreEntryKind
from ordws.rules.fault import Fault, Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet, UnplayedReward
from ordws.rules.state import GameOver, GameState, MayPropose, Proposal, ScoreEntry
from ordws.rules.tiles import BLANK, face_value

PROPOSAL_SECONDS: Final = 60
"""The time that a player has for a proposal."""


def find_proposers(state: GameState) -> tuple[int, ...]:
    """Return the players who may propose a play once the game is over; nobody where there is no such round.

    A player may whose opponent, in a game of two, has tiles left and added nothing to the board in the last turn.
    """
    phase = state.phase
    is_due = state.rules.unplayed_tiles_round and len(state.seats) == 2 and not state.proposals
    if not (is_due and isinstance(phase, GameOver) and phase.reason in REASONS_WITH_UNPLAYED_TILES):
        return ()
    return tuple([player for player in state.active_players if _is_stuck(state, 1 - player)])


def open_round(state: GameState) -> GameState | Illegal:
    """Return the finished game with the round open, or why there is none."""
    players = find_proposers(state)
    if not (players and isinstance(state.phase, GameOver)):
        return Illegal(Fault.ADJUSTMENT_NOT_ALLOWED, "there is no unplayed tiles round in this game now")
    return state._replace(phase=MayPropose(state.phase.reason, players))


def apply_proposal(state: GameState, event: Proposed) -> GameState | Illegal:
    """Return the game with a proposal; the last one opens all of them and ends the round, or the fault of this one."""
    player, play, phase = event.player, event.play, state.phase
    if not isinstance(phase, MayPropose) or player not in phase.players:
        return Illegal(Fault.NOT_YOUR_TURN, f"player {player + 1} has no play to propose")
    ruling = None if play is None else judge(state.rules, state.board, play, state.seats[1 - player].rack)
    if isinstance(ruling, Illegal):
        return ruling
    points = reward(state.rules, ruling) if ruling is not None and event.accepted else 0
    proposals = (*state.proposals, Proposal(player, ruling, event.accepted and ruling is not None, points))
    waiting = tuple([other for other in phase.players if other != player])
    if waiting:
        return state._replace(proposals=proposals, phase=MayPropose(phase.reason, waiting))
    entries = [
        ScoreEntry(made.player, made.points, ScoreEntryKind.UNPLAYED_TILES_ROUND, describe_reward(made.ruling))
        for made in proposals
        if made.ruling is not None and made.is_acceptable
    ]
    return state._replace(proposals=proposals, phase=GameOver(phase.reason), entries=(*state.entries, *entries))


def reward(rules: RuleSet, ruling: Legal) -> int:
    """Return the points for an acceptable proposal: its score, the face value of its tiles, or a fixed number."""
    match rules.unplayed_reward:
        case UnplayedReward.SCORE:
            return ruling.score
        case UnplayedReward.FACE:
            return face_value("".join([tile if tile.isupper() else BLANK for tile in ruling.tiles.values()]))
        case int() as points:
            return points


def _is_stuck(state: GameState, player: int) -> bool:
    last = next((turn for turn in reversed(state.turns) if turn.player == player), None)
    return bool(state.seats[player].rack) and last is not None and not last.added_tiles


def describe_reward(ruling: Legal) -> str:
    """Return the reason of a reward as records have it: the main word, and the square of a tile of it."""
    (row, column), *_ = ruling.new_squares
    return f"{ruling.words[0]} with a tile on {square_name(row, column)}"
