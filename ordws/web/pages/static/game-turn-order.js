/** The order of turns: ordws/rules/turn_order.py for the browser, where racks fill themselves. Pure. */

import { findEndReason, finishGame } from "./game-ending.js";
import {
  nextPlayer, hasLost, isOver, playerToMove, refused, completedTurns, withSeat, withTiles, withTurn,
} from "./game-state.js";

/** Return the refusal of a move by this player; null where it is the player's turn. */
export function findTurnFault(state, player) {
  if (isOver(state)) return refused("game-over");
  if (playerToMove(state) === null) return refused("play-in-question", { player: state.phase.player });
  return playerToMove(state) === player ? null : refused("not-your-turn", { player: playerToMove(state) });
}

/** Return the game after nobody challenged the play that could be challenged. */
export function settleUnchallenged(state) {
  return state.phase.name === "may-be-challenged" ? completeTurn(state, state.phase.player) : state;
}

/** Return the game after a turn: the player refills the rack, then play passes on (docs/rules.md 3.1). */
export function completeTurn(state, player) {
  const ending = findEndReason(state);
  const seat = state.seats[player];
  const draws = hasLost(seat) || ["time", "forfeit"].includes(ending)
    ? 0
    : Math.max(0, Math.min(state.rules.rack_size - seat.tiles, state.bag));
  if (!draws) return ending ? finishGame(state, ending) : advanceTurn(state, player);
  const bag = state.bag - draws + state.aside;
  return finishOrAdvance(withTiles({ ...state, bag, aside: 0 }, player, draws), player);
}

/** Return the game over, or at the turn of the next player. */
export function finishOrAdvance(state, player) {
  const ending = findEndReason(state);
  return ending ? finishGame(state, ending) : advanceTurn(state, player);
}

/** Return the game at the turn of the next player; a player who lost the turn to a challenge is skipped. */
function advanceTurn(state, player) {
  const follower = nextPlayer(state, player), at = state.skips.indexOf(follower);
  if (at < 0) return { ...state, phase: { name: "to-move", player: follower } };
  return finishOrAdvance(recordLostTurn({ ...state, skips: state.skips.toSpliced(at, 1) }, follower), follower);
}

/** Return the game with a turn of a player without a move. */
export function recordLostTurn(state, player) {
  return withTurn(state, { player, move: { pass: true }, fate: "lost" });
}

/** Return the game without a player; a turn in which the player was to play again is lost (docs/rules.md 8.2, A-44). */
export function removePlayer(state, player, why) {
  const gone = withSeat(state, player, { left: { why, turns: completedTurns(state) } });
  const { phase } = state;
  return resumeGame(phase.name === "may-replay" && phase.player === player ? recordLostTurn(gone, player) : gone);
}

/** Return the game as it goes on after a player has left it, or points or the board were changed. */
export function resumeGame(state) {
  const { phase } = state, ending = findEndReason(state);
  if (isOver(state)) return state;
  if (ending === "forfeit") return finishGame(state, ending);
  if (phase.name === "may-be-challenged") return state;
  const hasLeft = state.seats[phase.player].left !== null;
  if (phase.name === "may-check") return hasLeft ? completeTurn(state, phase.player) : state;
  if (ending) return finishGame(state, ending);
  return hasLeft ? advanceTurn(state, phase.player) : state;
}
