/** How play passes from one player to the next: ordws/rules/turn.py for the browser; racks fill themselves. Pure. */

import { findEnding, finished } from "./game-ending.js";
import {
  followerOf, hasLost, isOver, moverOf, refused, turnsOver, withSeat, withTiles, withTurn,
} from "./game-state.js";

/** Why a player cannot move now; null where it is his turn. */
export function findNotToMove(state, player) {
  if (isOver(state)) return refused("game-over");
  if (moverOf(state) === null) return refused("play-in-question", { player: state.phase.player });
  return moverOf(state) === player ? null : refused("not-your-turn", { player: moverOf(state) });
}

/** The game when nobody challenges the play that could be. */
export function settled(state) {
  return state.phase.name === "may-be-challenged" ? completed(state, state.phase.player) : state;
}

/** The game after a turn: the player draws what he lacks, then play passes on. (RULES 3.1) */
export function completed(state, player) {
  const ending = findEnding(state);
  const seat = state.seats[player];
  const draws = hasLost(seat) || ["time", "forfeit"].includes(ending)
    ? 0
    : Math.max(0, Math.min(state.rules.rack_size - seat.tiles, state.bag));
  if (!draws) return ending ? finished(state, ending) : nextTurn(state, player);
  const bag = state.bag - draws + state.aside;
  return passedOn(withTiles({ ...state, bag, aside: 0 }, player, draws), player);
}

/** The game over, or the turn of whoever follows a player. */
export function passedOn(state, player) {
  const ending = findEnding(state);
  return ending ? finished(state, ending) : nextTurn(state, player);
}

/** The turn of whoever follows a player; who has lost it to a challenge is passed over. */
export function nextTurn(state, player) {
  const follower = followerOf(state, player), at = state.skips.indexOf(follower);
  if (at < 0) return { ...state, phase: { name: "to-move", player: follower } };
  return passedOn(turnLost({ ...state, skips: state.skips.toSpliced(at, 1) }, follower), follower);
}

/** The game with a turn of a player in which he made no move. */
export function turnLost(state, player) {
  return withTurn(state, { player, move: { pass: true }, fate: "lost" });
}

/** The game without a player; a turn in which he was to play again is lost. (RULES 8.2, A-44) */
export function leave(state, player, why) {
  const gone = withSeat(state, player, { left: { why, turns: turnsOver(state) } });
  const { phase } = state;
  return continued(phase.name === "may-replay" && phase.player === player ? turnLost(gone, player) : gone);
}

/** How a game goes on when somebody has left it, or points or the board are others than they were. */
export function continued(state) {
  const { phase } = state, ending = findEnding(state);
  if (isOver(state)) return state;
  if (ending === "forfeit") return finished(state, ending);
  if (phase.name === "may-be-challenged") return state;
  const hasLeft = state.seats[phase.player].left !== null;
  if (phase.name === "may-check") return hasLeft ? completed(state, phase.player) : state;
  if (ending) return finished(state, ending);
  return hasLeft ? nextTurn(state, phase.player) : state;
}
