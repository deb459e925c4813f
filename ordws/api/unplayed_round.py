"""The unplayed tiles round of a sealed game as both seats see it (docs/rules.md 9.5)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ordws.api.replies import ReceiptOfPlay, scored
from ordws.referee.moments import Moment
from ordws.referee.sealed_game import SealedGame
from ordws.referee.time_control import time_of_round
from ordws.rules.state import MayPropose, Proposal
from ordws.rules.unplayed_round import PROPOSAL_SECONDS


class ViewedProposal(Struct, frozen=True):
    """A proposal of the unplayed tiles round; no words where there was none, no points if not acceptable."""

    seat: int
    words: list[str]
    acceptable: bool
    points: int
    receipt: ReceiptOfPlay | None


class UnplayedRound(Struct, frozen=True):
    """The unplayed tiles round: the seats that have yet to propose a play with the other's tiles, and the time."""

    seats: list[int]
    milliseconds: Annotated[int, Meta(description="The time for a proposal.")]
    running_ms: Annotated[int, Meta(description="The time that has passed.")]
    proposals: Annotated[list[ViewedProposal], Meta(description="Empty until all are made.")]


def view_unplayed_round(sealed_game: SealedGame, now: Moment) -> UnplayedRound | None:
    """Return the unplayed tiles round of a game, whose proposals are opened together (docs/rules.md 9.5)."""
    state = sealed_game.state
    waiting = list(state.phase.players) if isinstance(state.phase, MayPropose) else []
    if not waiting and not state.proposals:
        return None
    proposals = [] if waiting else [view_proposal(proposal) for proposal in state.proposals]
    return UnplayedRound(waiting, 1_000 * PROPOSAL_SECONDS, time_of_round(sealed_game, now), proposals)


def view_proposal(proposal: Proposal) -> ViewedProposal:
    """Return a proposal once it is open."""
    player, ruling, is_acceptable, points = proposal
    explained = None if ruling is None else scored(ruling)
    words, receipt = (explained.words, explained.receipt) if explained else ([], None)
    return ViewedProposal(player, words, is_acceptable, points, receipt)
