/**
 * The unplayed tiles round of a kept game: ordws/rules/ending.py for the browser (docs/rules.md 9.5). Pure.
 *
 * @typedef {{player: number, play: object|null, ruling: object|null, isAcceptable: boolean, points: number}} Proposal
 */

import { hasAdded, refused, withEntry } from "./game-state.js";
import { judge, laidSquares, tilesOf, worth } from "./rules.js";

const REASONS = ["out", "scoreless", "idle"];

/** Return the players who have yet to propose; nobody where there is no round, or before the tiles left are known. */
export function findProposers(state) {
  const { rules, phase, seats, racks, proposals } = state;
  const isDue = rules.unplayed_tiles_round && seats.length === 2 && racks && phase.name === "over";
  if (!isDue || !REASONS.includes(phase.why)) return [];
  const hasProposed = (player) => proposals.some((made) => made.player === player);
  return [0, 1].filter((player) => !seats[player].left && !hasProposed(player) && isStuck(state, 1 - player));
}

function isStuck({ racks, turns }, player) {
  const last = turns.findLast((turn) => turn.player === player);
  return racks[player] !== "" && last !== undefined && !hasAdded(last);
}

/** Return the game with a proposal; the last one brings the rewards of all. */
export function applyProposal(state, { player, play, accepted }) {
  if (!findProposers(state).includes(player)) return refused("no-proposal");
  const ruling = play ? judge(state.rules, state.board, play, state.racks[1 - player]) : null;
  if (ruling && !ruling.legal) return refused(ruling.fault, ruling.details);
  const isAcceptable = ruling !== null && Boolean(accepted);
  const points = isAcceptable ? rewardOf(state, play, ruling) : 0;
  const next = { ...state, proposals: [...state.proposals, { player, play, ruling, isAcceptable, points }] };
  if (findProposers(next).length) return next;
  return next.proposals.filter((made) => made.isAcceptable).reduce(
    (done, made) => withEntry(done, made.player, made.points, "unplayed-tiles-round", describe(made.ruling)), next);
}

/** Return the points for an acceptable proposal. */
function rewardOf({ rules, board }, play, { score }) {
  if (rules.unplayed_reward === "score") return score;
  return rules.unplayed_reward === "face" ? worth(rules, tilesOf(board, play)) : rules.unplayed_reward;
}

function describe({ words, receipt }) {
  return `${words[0]} with a tile on ${laidSquares(receipt)[0]}`;
}
