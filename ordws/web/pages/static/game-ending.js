/** The end of a kept game and what it does to the scores: ordws/rules/ending.py for the browser. Pure. */

import { countTiles, isEmpty, worth } from "./rules.js";
import { activePlayers, hasAdded, hasLost, idleTurns, isOver, refused, scoresOf, withEntry } from "./game-state.js";

const EMPTY_BELOW = 1;
const MAX_IDLE_ALONE = 2;
const COUNTED = ["out", "scoreless", "idle", "agreed"];

/**
 * Return whether no clock limits the whole game: none exists, it is not set, or it limits each turn
 * (docs/rules.md A-25).
 */
export function isUntimed(rules) {
  return ["none", "turn"].includes(rules.clock) || !rules.clock_seconds;
}

/** Return whether each turn has a time limit of its own (docs/rules.md 8.3). */
export function hasTurnLimit(rules) {
  return rules.clock === "turn" && rules.clock_seconds > 0;
}

/** Return whether a player whose time is up is out of the game (docs/rules.md 8.2). */
export function hasGameLimit(rules) {
  return rules.clock === "total" && !isUntimed(rules);
}

/** Return the points, zero or negative, for having used so much time: each minute begun counts (docs/rules.md 8.1). */
export function overtimePenalty(rules, ms) {
  const over = Math.floor(ms / 1000) - rules.clock_seconds;
  if (rules.clock !== "overtime" || isUntimed(rules) || over <= 0) return 0;
  return -rules.overtime_points * Math.ceil(over / 60);
}

/** Return the reason for which a player who has used so much time is out of the game; null if not out. */
export function findExpiry(rules, ms) {
  const over = Math.floor(ms / 1000) - rules.clock_seconds;
  if (hasGameLimit(rules) && over >= 0) return "time-up";
  const isLate = rules.clock === "overtime" && !isUntimed(rules) && over > 60 * rules.overtime_minutes;
  return isLate ? "overtime" : null;
}

/** Return the reason for which the game is over now that a turn is complete; null if it goes on. */
export function findEndReason(state) {
  if (state.seats.filter((seat) => !hasLost(seat)).length <= 1) return "forfeit";
  if (isOut(state)) return "out";
  const active = activePlayers(state);
  if (!active.length) return "time";
  return active.length > 1 ? findIdleEnd(state, active.length) : findLonePlayerEnd(state, active[0]);
}

/** Return whether the last turn's play, which stands, left its player without tiles and none to draw. */
function isOut({ bag, turns, seats }) {
  const last = turns.at(-1);
  if (bag || !last || !hasAdded(last)) return false;
  const seat = seats[last.player];
  return !seat.tiles && !hasLost(seat);
}

/** Return the end by turns that added nothing (docs/rules.md 7.2, A-25), or null. */
function findIdleEnd(state, players) {
  const { rules } = state;
  const isCounted = (rules.end === "scoreless" || isUntimed(rules)) && !isEmpty(state.board);
  if (isCounted && idleTurns(state) >= rules.scoreless_turns) return "scoreless";
  if (rules.end === "scoreless") return null;
  const isCycle = rules.end === "cycle";
  const low = isCycle ? EMPTY_BELOW : rules.exchange_min;
  return countIdleWhileLow(state, state.turns, low) >= players + !isCycle ? "idle" : null;
}

/** Return the end for the last player with time left (docs/rules.md 8.2, A-28), or null. */
function findLonePlayerEnd(state, alone) {
  const since = Math.max(...state.seats.filter((seat) => seat.left).map((seat) => seat.left.turns));
  const turns = state.turns.slice(since).filter((turn) => turn.player === alone);
  const hasPassed = turns.at(-1)?.fate === "made" && Boolean(turns.at(-1).move.pass);
  const isFruitless = countIdleWhileLow(state, turns, state.rules.exchange_min) >= MAX_IDLE_ALONE;
  const scores = scoresOf(state);
  const rivals = scores.filter((_, player) => player !== alone && !hasLost(state.seats[player]));
  return hasPassed || isFruitless || scores[alone] > Math.max(...rivals) ? "time" : null;
}

/** Count the turns that added nothing and began with fewer than `low` tiles in the bag; 0 if it holds more again. */
function countIdleWhileLow(state, turns, low) {
  if (state.bag >= low) return 0;
  const idle = idleTurns({ turns });
  const others = idle ? turns.slice(-idle) : [];
  return others.length - 1 - others.findLastIndex((turn) => turn.bag >= low);
}

/** Return the game over, with the overtime penalties; where they count, the tiles left are still to be entered. */
export function finishGame(state, why, out = why === "out" ? state.turns.at(-1).player : null) {
  let over = { ...state, bag: state.bag + state.aside, aside: 0, phase: { name: "over", why, out } };
  state.seats.forEach((seat, player) => {
    const points = overtimePenalty(state.rules, seat.ms);
    if (points) over = withEntry(over, player, points, "overtime");
  });
  return COUNTED.includes(why) ? { ...over, phase: { name: "counting", why, out } } : over;
}

/** Return the game without the entries that its end has made. */
export function removeEndEntries(state) {
  const made = ["overtime", "unplayed-tiles", "unplayed-tiles-round"];
  return { ...state, racks: null, proposals: [], entries: state.entries.filter(({ kind }) => !made.includes(kind)) };
}

/** Return the game over, its unplayed tiles, if known, counted as if nobody had gone out. */
export function recountUnplayedTiles(state) {
  const phase = { ...state.phase, out: null };
  const entries = state.entries.filter(({ kind }) => kind !== "unplayed-tiles");
  return state.racks ? counted({ ...state, phase, entries }, state.racks) : { ...state, phase };
}

/**
 * Return the game after the tiles left on the racks were entered, with their effect on the scores
 * (docs/rules.md 7.3, A-27).
 */
export function applyUnplayedTiles(state, { racks }) {
  const { rules, phase, seats } = state;
  if (phase.name !== "counting") return refused("not-counting");
  const areRacks = racks.length === seats.length && racks.every((rack) => isRack(rules, rack));
  if (!areRacks) return refused("bad-rack", { most: rules.rack_size });
  if (phase.out !== null && racks[phase.out]) return refused("has-gone-out", { player: phase.out });
  return counted(state, racks);
}

function isRack(rules, rack) {
  return rack.length <= rules.rack_size && [...rack].every((tile) => tile in rules.values);
}

function counted(state, racks) {
  const { out } = state.phase, left = racks.map((rack) => worth(state.rules, rack));
  const all = left.reduce((a, b) => a + b, 0);
  const isDoubled = out !== null && left.length === 2 && state.rules.unplayed_tiles === "double";
  const points = left.map((value) => (isDoubled ? 0 : -value));
  if (out !== null) points[out] = isDoubled ? 2 * all : all;
  const over = { ...state, racks, phase: { ...state.phase, name: "over" } };
  return points.reduce(
    (next, gain, player) => (gain ? withEntry(next, player, gain, "unplayed-tiles") : next), over,
  );
}

/** Return the points that each player gains or loses by these unplayed tiles. */
export function pointsFor(state, racks) {
  const ended = applyUnplayedTiles(state, { racks });
  if (!("entries" in ended)) return racks.map(() => 0);
  const before = scoresOf(state);
  return scoresOf(ended).map((score, player) => score - before[player]);
}

/** Return the tiles that must be left on all racks if the whole set is in play; null where that is not known. */
export function tilesLeft(state, unseen) {
  const isWhole = countTiles(state.rules.tiles) === state.rules.scoop;
  if (!isWhole || state.bag || !isOver(state)) return null;
  return Object.entries(unseen).map(([tile, count]) => tile.repeat(count)).join("");
}

/** Return the winners of a game that is over: several for a tie, none where all have lost or the game goes on. */
export function winnersOf(state) {
  if (state.phase.name !== "over") return [];
  const ranks = scoresOf(state).map((score, player) => [score, rankOf(state, player, score)]);
  const rivals = ranks.flatMap((rank, player) => (hasLost(state.seats[player]) ? [] : [{ rank, player }]));
  const isBelow = (a, b) => a[0] - b[0] || a[1] - b[1];
  const best = rivals.map(({ rank }) => rank).sort(isBelow).at(-1);
  return rivals.filter(({ rank }) => isBelow(rank, best) === 0).map(({ player }) => player);
}

/** Return the number that decides among equal scores. */
function rankOf({ rules, entries }, player, score) {
  if (rules.ties === "tie") return 0;
  const unplayed = entries.filter((entry) => entry.player === player && entry.kind === "unplayed-tiles");
  return score - unplayed.reduce((sum, { points }) => sum + points, 0);
}
