/**
 * A kept game is its events: ordws/rules/game.py and event.py for the browser, held equal to them by
 * tests/pages/test_game_js.py. Pure.
 *
 * Every event has a `kind` and, where time counts, `at` in milliseconds; players are numbered from 0.
 *
 * @typedef {{kind: "swap", player: number, square: [number, number]}
 *   | {kind: "play", player: number, play: import("./notation.js").Play, accepted?: boolean, rack?: string}
 *   | {kind: "exchange", player: number, count: number, rack?: string}
 *   | {kind: "pass", player: number, rack?: string}
 *   | {kind: "challenge", player: number, words: string[], upheld: boolean}
 *   | {kind: "stand"}
 *   | {kind: "check", player: number, found: boolean, word?: string}
 *   | {kind: "catch", turn: number}
 *   | {kind: "clock", runs: boolean}
 *   | {kind: "time", player: number, seconds: number}
 *   | {kind: "time-up", player: number}
 *   | {kind: "adjust", player: number, points: number, reason: string}
 *   | {kind: "leave", player: number}
 *   | {kind: "overdraw", player: number, count: number, mixed: boolean, returned?: string}
 *   | {kind: "end", out: number|null, counts: boolean}
 *   | {kind: "unplayed", racks: string[]}
 *   | {kind: "propose", player: number, play: import("./notation.js").Play|null, accepted: boolean}} Event
 * @typedef {{id: string, rules: string, options: object, players: string[], begun: number, events: Event[],
 *   undone: Event[]}} Game as it is stored; the event that was undone last comes last in `undone`
 */

import { judge, rulesOf, swap, unseen } from "./rules.js";
import { applyLateBadPlay, applyChallenge, applyOspdCheck, resolvePlay } from "./game-challenges.js";
import {
  applyUnplayedTiles, findExpiry, finishGame, hasGameLimit, hasTurnLimit, overtimePenalty, winnersOf,
} from "./game-ending.js";
import {
  completedTurns, idleTurns, initialState, isOver, isRefusal, nextPlayer, onClock, playerToMove, refused, scoresOf,
  withEntry, withSeat, withTiles, withTurn,
} from "./game-state.js";
import {
  completeTurn, findTurnFault, recordLostTurn, removePlayer, resumeGame, settleUnchallenged,
} from "./game-turn-order.js";
import { applyProposal } from "./game-unplayed-round.js";

export { findProposers } from "./game-unplayed-round.js";
export { failedCheckCost, findCatchableTurns } from "./game-challenges.js";
export {
  applyUnplayedTiles, findExpiry, hasGameLimit, hasTurnLimit, isUntimed, pointsFor, tilesLeft,
} from "./game-ending.js";
export * from "./game-state.js";

export const MOST_OVERDRAWN = 6;
const ALLOWED_AFTER_END = ["adjust", "catch", "time", "unplayed", "propose", "clock"];

/** Return the states at the opening and after each event; null where an event does not fit, as under other rules. */
export function statesOf(rules, { players, events }) {
  const states = [initialState(rules, players.length)];
  for (const event of events) {
    const next = states.at(-1) && applyEvent(states.at(-1), event);
    if (!next || isRefusal(next)) return null;
    states.push(next);
  }
  return states;
}

/** Return the state of a game, by the document of all rule sets; null where they do not have it. */
export function currentState(document, game) {
  if (!document.rules[game.rules]) return null;
  return statesOf(rulesOf(document, game.rules, game.options), game)?.at(-1) ?? null;
}

/** Return what a page shows of a state. */
export function summaryOf(state) {
  return {
    scores: scoresOf(state), mover: playerToMove(state), phase: state.phase.name, board: state.board, bag: state.bag,
    turn: completedTurns(state) + 1, idle: idleTurns(state), unseen: unseen(state.rules, state.board),
    isOver: isOver(state), mayEnd: !isOver(state) && playerToMove(state) !== null, winners: winnersOf(state),
  };
}

/** Return the state after an event, or the refusal of an event that cannot happen now. */
export function applyEvent(state, event) {
  const fault = findPreconditionFault(state, event);
  if (fault) return fault;
  const now = readClock(state, event.at);
  const next = HANDLERS[event.kind](now, event);
  return isRefusal(next) ? next : restartTurnClock(now, next);
}

/** Return the game with its last event undone, ignoring those of the clock; unchanged where there is none. */
export function undo(game) {
  const at = game.events.findLastIndex(({ kind }) => kind !== "clock");
  if (at < 0) return game;
  return { ...game, events: game.events.toSpliced(at, 1), undone: [...game.undone, game.events[at]] };
}

/** Return the game with the last undone event done again. */
export function redo(game) {
  if (!game.undone.length) return game;
  return { ...game, events: [...game.events, game.undone.at(-1)], undone: game.undone.slice(0, -1) };
}

/** Return the game with one more event, after which nothing undone can be redone. */
export function addEvent(game, event) {
  return { ...game, events: [...game.events, event], undone: event.kind === "clock" ? game.undone : [] };
}

/** Return the state with the clock read: the player on the clock has used the time since the last reading. */
export function readClock(state, at) {
  if (at === undefined) return state;
  const player = onClock(state), { clock } = state;
  if (!clock.runs || player === null) return { ...state, clock: { ...clock, at } };
  const used = Math.max(0, at - clock.at);
  const updated = withSeat(state, player, { ms: state.seats[player].ms + used });
  return { ...updated, clock: { ...clock, at: clock.at + used, turn: clock.turn + used } };
}

/** Restart the clock of the turn when another turn begins. */
function restartTurnClock(before, now) {
  const isSame = onClock(before) === onClock(now) && completedTurns(before) === completedTurns(now);
  return isSame ? now : { ...now, clock: { ...now.clock, turn: 0 } };
}

/** Return the refusal of an event that depends on no rule: the game is over, or its player is not in it; or null. */
function findPreconditionFault(state, { kind, player }) {
  if (isOver(state) && !ALLOWED_AFTER_END.includes(kind)) return refused("game-over");
  if (player === undefined) return null;
  if (!state.seats[player]) return refused("no-such-player");
  const isGone = ["time-up", "leave"].includes(kind) && state.seats[player].left;
  return isGone ? refused("has-left", { player }) : null;
}

const HANDLERS = {
  swap: (state, event) => applySwap(settleUnchallenged(state), event),
  play: (state, event) => applyPlay(settleUnchallenged(state), event),
  exchange: (state, event) => applyExchange(settleUnchallenged(state), event),
  pass: (state, event) => applyPass(state, settleUnchallenged(state), event),
  challenge: applyChallenge,
  stand: applyStood,
  check: applyOspdCheck,
  catch: applyLateBadPlay,
  clock: (state, { runs }) => ({ ...state, clock: { ...state.clock, runs } }),
  time: applyTime,
  "time-up": applyTimeUp,
  adjust: applyAdjustment,
  overdraw: applyOverdraw,
  leave: (state, { player }) => removePlayer(state, player, "resigned"),
  end: applyEnd,
  unplayed: applyUnplayedTiles,
  propose: applyProposal,
};

/** Swap a tile for a blank on the board (docs/rules.md 5). */
function applySwap(state, { player, square }) {
  const fault = findTurnFault(state, player);
  if (fault) return fault;
  const done = swap(state.rules, state.board, null, square);
  return done.legal ? { ...state, board: done.board } : refused(done.fault, done.details);
}

function applyPlay(state, event) {
  const fault = findTurnFault(state, event.player);
  if (fault) return fault;
  const ruling = judge(state.rules, state.board, event.play, event.rack || null);
  if (!ruling.legal) return refused(ruling.fault, ruling.details);
  const tiles = ruling.receipt.bonus.tiles, has = state.seats[event.player].tiles;
  return tiles > has ? refused("too-many-tiles", { tiles, most: has }) : resolvePlay(state, event, ruling);
}

/** Exchange tiles (docs/rules.md 7.1). */
function applyExchange(state, { player, count }) {
  const fault = findTurnFault(state, player), needed = Math.max(state.rules.exchange_min, count);
  if (fault) return fault;
  if (state.phase.name === "may-replay" || !(1 <= count && count <= state.seats[player].tiles)) {
    return refused("exchange-not-allowed");
  }
  if (state.bag < needed) return refused("bag-too-low", { bag: state.bag, needed });
  const turn = withTurn(state, { player, move: { exchange: count } });
  return completeTurn(withTiles({ ...turn, aside: count }, player, -count), player);
}

/** Pass; where the last play, if it stands, ends the game, the next player's pass means only that it stands. */
function applyPass(state, now, { player }) {
  const next = isOver(now) ? nextPlayer(state, state.phase.player) : null;
  if (next !== null) return player === next ? now : refused("not-your-turn", { player: next });
  return findTurnFault(now, player) ?? completeTurn(withTurn(now, { player, move: { pass: true } }), player);
}

function applyStood(state) {
  const isOpen = ["may-be-challenged", "may-check"].includes(state.phase.name);
  return isOpen ? completeTurn(state, state.phase.player) : refused("challenge-not-allowed");
}

/**
 * Add time used; it counts after the end too, when the clocks are read, and a director may give time back
 * (docs/rules.md 8.1).
 */
function applyTime(state, { player, seconds }) {
  const { rules } = state, seat = state.seats[player], ms = seat.ms + Math.round(1000 * seconds);
  if (ms < 0) return refused("bad-time");
  const updated = withSeat(state, player, { ms }), more = overtimePenalty(rules, ms) - overtimePenalty(rules, seat.ms);
  const counted = isOver(state) && more ? withEntry(updated, player, more, "overtime") : updated;
  const expiry = findExpiry(rules, ms);
  return expiry && !seat.left ? removePlayer(counted, player, expiry) : counted;
}

/** Apply the end of a player's time: the game or the turn is lost (docs/rules.md 8). */
function applyTimeUp(state, { player }) {
  const { rules, phase } = state, expiry = findExpiry(rules, state.seats[player].ms);
  if (hasGameLimit(rules)) return removePlayer(state, player, "time-up");
  if (expiry) return removePlayer(state, player, expiry);
  if (!hasTurnLimit(rules)) return refused("bad-time");
  if (phase.name === "may-check" && phase.player === player) return completeTurn(state, player);
  return findTurnFault(state, player) ?? completeTurn(recordLostTurn(state, player), player);
}

/** Apply a director's adjustment (docs/rules.md 9.5, A-30). */
function applyAdjustment(state, { player, points, reason }) {
  if (!reason.trim() || !Number.isInteger(points)) return refused("adjustment-not-allowed");
  return resumeGame(withEntry(state, player, points, "director", reason.trim()));
}

/** Note that a player drew too many tiles, which are back in the bag (docs/rules.md 9.1, 9.2). */
function applyOverdraw(state, { player, count }) {
  const isPossible = Number.isInteger(count) && 1 <= count && count <= Math.min(MOST_OVERDRAWN, state.bag);
  return isPossible && !state.seats[player].left ? state : refused("not-so-many-tiles", { bag: state.bag });
}

/** Apply the end that the players agree on: a player has gone out, nobody can, or they stop and count nothing. */
function applyEnd(state, { out, counts }) {
  const now = settleUnchallenged(state), last = now.turns.at(-1);
  if (isOver(now)) return now;
  if (playerToMove(now) === null) return refused("play-in-question", { player: now.phase.player });
  if (out === null) return finishGame(now, counts ? "agreed" : "stopped");
  const isLast = last?.player === out && last.fate === "made" && last.ruling;
  return isLast ? finishGame(now, "out", out) : refused("has-not-gone-out", { player: out });
}
