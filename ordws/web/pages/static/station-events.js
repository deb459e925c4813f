/**
 * A game at a table station is a chain of signed events; the events of game.js follow from it, so that a verdict that
 * comes late changes nothing by itself. ordws/api/station_events.py reads the same chain. Pure.
 *
 * @typedef {{kind: string, n: number, at: number, previous: string, clocks: number[]}} Entry an event of the chain,
 *   with more fields by its kind
 */

import { isJudgedAtOnce, readClock, statesOf } from "./game.js";
import { readTurn } from "./rules.js";

/** The longest time between a play and its verdict that belongs to no player; after that the next clock runs. */
export const MAX_WAIT_MS = 5_000;

/** Return the game of game.js that follows from a chain. @param {Entry[]} chain */
export function gameOf(rules, stored, chain) {
  const { id, label, options, players, begun } = stored;
  return {
    id, label, rules: stored.rules, options, players, begun, racks: false, counts: true, undone: [],
    events: eventsOf(rules, chain),
  };
}

/** Return the events of game.js, each with the number `n` of the entry that it follows from. @param {Entry[]} chain */
export function eventsOf(rules, chain) {
  const verdicts = new Map(chain.filter(({ kind }) => kind === "verdict").map((entry) => [entry.of, entry]));
  return chain.flatMap((entry) => {
    const make = MAKERS[entry.kind];
    return make ? make(entry, verdicts.get(entry.n), rules).map((event) => ({ ...event, n: entry.n })) : [];
  });
}

const itself = (entry) => [entry];

const MAKERS = {
  start: ({ at }) => [{ kind: "clock", runs: true, at }],
  play: playOf,
  propose: proposalOf,
  challenge: challengeOf,
  neutralise: ({ player, milliseconds, reason, at }) =>
    [{ kind: "time", player, seconds: -milliseconds / 1000, reason, at }],
  ...Object.fromEntries([
    "swap", "exchange", "pass", "stand", "check", "catch", "time-up", "adjust", "overdraw", "leave", "end", "unplayed",
  ].map((kind) => [kind, itself])),
};

function playOf({ player, move, at }, verdict, rules) {
  const { play } = readTurn(move).move;
  if (!isJudgedAtOnce(rules)) return [{ kind: "play", player, play, at }];
  if (!verdict) return [{ kind: "clock", runs: false, at }];
  const isRefused = rules.challenge === "void" && verdict.valid === false;
  const made = isRefused ? [] : [{ kind: "play", player, play, accepted: verdict.valid !== false, at }];
  return [...made, ...waitedFor(at, verdict)];
}

/** Return the proposal of the unplayed tiles round, once it has its verdict; nothing proposed needs none. */
function proposalOf({ player, move, at }, verdict) {
  if (!move) return [{ kind: "propose", player, play: null, accepted: false, at }];
  return verdict ? [{ kind: "propose", player, play: readTurn(move).move.play, accepted: verdict.valid === true, at }] : [];
}

/** Return the events of a challenge; where nobody can be asked, the play stands until a verdict comes late. */
function challengeOf({ player, words, at }, verdict) {
  if (!verdict) return [{ kind: "clock", runs: false, at }];
  const made = verdict.valid === null
    ? { kind: "stand", at }
    : { kind: "challenge", player, words, upheld: !verdict.valid, at };
  return [made, ...waitedFor(at, verdict)];
}

/** Return the events of the time until a verdict, which belongs to nobody. */
function waitedFor(at, verdict) {
  const until = Math.min(verdict.at, at + MAX_WAIT_MS);
  return until > at ? [{ kind: "clock", runs: false, at }, { kind: "clock", runs: true, at: until }] : [];
}

/** Return the milliseconds that each player has used after the last entry. @param {Entry[]} chain */
export function clocksAfter(rules, stored, chain) {
  const state = statesOf(rules, gameOf(rules, stored, chain)).at(-1);
  return readClock(state, chain.at(-1).at).seats.map(({ ms }) => ms);
}

/** Return the entry that waits for its verdict before the game goes on; null where there is none. */
export function awaitedEntry(rules, chain) {
  const last = chain.at(-1);
  const isAwaited = last.kind === "challenge" || (last.kind === "propose" && last.move !== "") || (last.kind === "play" && isJudgedAtOnce(rules));
  return isAwaited ? last : null;
}

/** Return the plays and challenges that had no verdict in time, each with the one that came late, if it has come. */
export function lateEntries(chain) {
  const late = new Map(chain.filter(({ kind }) => kind === "late-verdict").map((entry) => [entry.of, entry]));
  // A proposal waits for its verdict, and has none only where the judge gives no more.
  const isLate = ({ kind, valid, of }) => kind === "verdict" && valid === null && chain[of].kind !== "propose";
  return chain.filter(isLate)
    .map(({ of }) => ({ entry: chain[of], play: lastPlayAt(chain, of), verdict: late.get(of) ?? null }));
}

function lastPlayAt(chain, n) {
  return chain.slice(0, n + 1).findLast(({ kind }) => kind === "play");
}

/** Return the turn, counted from 0, that the play of an entry made; -1 where it made none. */
export function turnOf({ game, states }, { n }) {
  const at = game.events.findIndex((event) => event.kind === "play" && event.n === n);
  return at < 0 ? -1 : states[at + 1].turns.length - 1;
}

/** Return whether the chain has an entry of this kind. */
export function hasKind(chain, kind) {
  return chain.some((entry) => entry.kind === kind);
}

/** Return the numbers of the players who have made a promise: "oath" or "attest". */
export function playersWho(chain, kind) {
  return new Set(chain.filter((entry) => entry.kind === kind).map(({ player }) => player));
}

/** Return whether a game is over for good: all players attested it, or a director closed it. */
export function isClosed({ players }, chain) {
  return hasKind(chain, "close") || playersWho(chain, "attest").size === players.length;
}
