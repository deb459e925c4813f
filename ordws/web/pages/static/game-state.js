/**
 * The state of a kept game: ordws/rules/state.py for the browser, with numbers of tiles, since the page never sees the
 * tiles on racks. Pure.
 *
 * @typedef {{tiles: number, ms: number, left: null | {why: string, turns: number}}} Seat how many tiles are on the
 *   rack, the time used, and how its player left the game
 * @typedef {"made"|"off"|"lost"|"caught"|"removed"} Fate
 * @typedef {{player: number, move: object, points: number, fate: Fate, bag: number, ruling: object|null}} Turn the
 *   move is `{play}`, `{exchange: number}` or `{pass: true}`; `bag` counts the tiles in the bag when it began;
 *   `ruling` is that of `judge`
 * @typedef {{player: number, points: number, kind: string, reason: string}} Entry points that no turn earned
 * @typedef {{name: string, player?: number, ruling?: object, words?: string[], why?: string, out?: number|null}} Phase
 *   to-move, may-replay, may-check, may-be-challenged, counting (the tiles left are still to be entered) or over
 * @typedef {{runs: boolean, at: number, turn: number}} Clock whether it runs, when it was last read, and the
 *   milliseconds that this turn has taken
 * @typedef {{rules: object, board: string[], bag: number, aside: number, seats: Seat[], phase: Phase, turns: Turn[],
 *   entries: Entry[], skips: number[], clock: Clock, racks: string[]|null, proposals: import("./game-unplayed-round.js").Proposal[]}} State
 * @typedef {{fault: string, details: object}} Refusal why something cannot happen now
 */

import { emptyBoard } from "./rules.js";

/** @returns {State} the opening of a game, all racks full; null where the rules have no game of so many players */
export function initialState(rules, players) {
  const bag = rules.scoop - players * rules.rack_size;
  if (!(2 <= players && players <= rules.most_players) || bag < 0) return null;
  return {
    rules, board: emptyBoard(rules.layout.side), bag, aside: 0,
    seats: Array.from({ length: players }, () => ({ tiles: rules.rack_size, ms: 0, left: null })),
    phase: { name: "to-move", player: 0 }, turns: [], entries: [], skips: [],
    clock: { runs: false, at: 0, turn: 0 }, racks: null, proposals: [],
  };
}

/** @returns {Refusal} */
export function refused(fault, details = {}) {
  return { fault, details };
}

/** Return whether an event was refused. */
export function isRefusal(answer) {
  return "fault" in answer;
}

/** Return whether a play is judged when it is made, and not when it is challenged (docs/rules.md 6.1, 6.2). */
export function isJudgedAtOnce({ challenge }) {
  return ["none", "void"].includes(challenge);
}

/** Return the score of each player; it may be negative (docs/rules.md A-16). */
export function scoresOf(state) {
  const totals = state.seats.map(() => 0);
  for (const { player, points } of [...state.turns, ...state.entries]) totals[player] += points;
  return totals;
}

/** Return the player to move; null while a play is in question, and when the game is over. */
export function playerToMove({ phase }) {
  return ["to-move", "may-replay"].includes(phase.name) ? phase.player : null;
}

/**
 * Return the player whose clock runs: the player to move or to decide on a rejected play, or the next player, who may
 * challenge.
 */
export function onClock(state) {
  const { name, player } = state.phase;
  if (name === "may-be-challenged") return nextPlayer(state, player);
  return isOver(state) ? null : player;
}

/** Return whether nobody moves any more; the tiles left may still have to be counted. */
export function isOver({ phase }) {
  return phase.name === "over" || phase.name === "counting";
}

/** Return the players who are still in the game. */
export function activePlayers(state) {
  return state.seats.flatMap((seat, player) => (seat.left ? [] : [player]));
}

/**
 * Return whether the player has lost whatever the score; a player who ran out of time may still win
 * (docs/rules.md 8.2).
 */
export function hasLost(seat) {
  return seat.left !== null && seat.left.why !== "time-up";
}

/** Return how many turns are over; a turn whose play is in question is not. */
export function completedTurns({ turns, phase }) {
  return turns.length - (phase.name === "may-check" || phase.name === "may-be-challenged");
}

/** Return whether the board has tiles from a turn (docs/rules.md 7.2). */
export function hasAdded(turn) {
  return turn.ruling !== null && (turn.fate === "made" || turn.fate === "caught");
}

/** Return how many turns in a row, back from the last, added nothing. */
export function idleTurns({ turns }) {
  return turns.length - 1 - turns.findLastIndex(hasAdded);
}

/** Return the next player still in the game; the same player where there is no other. */
export function nextPlayer({ seats }, player) {
  const others = seats.map((_, i) => (player + 1 + i) % seats.length).slice(0, -1);
  return others.find((other) => !seats[other].left) ?? player;
}

/** Return the state with changes to a player's seat. */
export function withSeat(state, player, changes) {
  return { ...state, seats: state.seats.map((seat, i) => (i === player ? { ...seat, ...changes } : seat)) };
}

/** Return the state with more tiles on a player's rack; fewer for a negative number. */
export function withTiles(state, player, more) {
  return withSeat(state, player, { tiles: state.seats[player].tiles + more });
}

/** @param {Partial<Turn>} turn */
export function withTurn(state, turn) {
  const whole = { points: 0, fate: "made", bag: state.bag, ruling: null, ...turn };
  return { ...state, turns: [...state.turns, whole] };
}

/** Return the state with changes to a turn. */
export function replaceTurn(state, number, changes) {
  return { ...state, turns: state.turns.map((turn, i) => (i === number ? { ...turn, ...changes } : turn)) };
}

/** Return the state with another entry. */
export function withEntry(state, player, points, kind, reason = "") {
  return { ...state, entries: [...state.entries, { player, points, kind, reason }] };
}
