/**
 * The fate of plays: ordws/rules/challenges.py for the browser (docs/rules.md 6, 9.3). Verdicts are facts in the
 * events. Pure.
 */

import { apply, disallowedOf, EMPTY, laidSquares, put, squareOf, tilesOf } from "./rules.js";
import { recountUnplayedTiles, removeEndEntries } from "./game-ending.js";
import {
  hasAdded, hasLost, isOver, refused, completedTurns, withEntry, withTiles, withTurn, replaceTurn,
} from "./game-state.js";
import { completeTurn, resumeGame, removePlayer, finishOrAdvance } from "./game-turn-order.js";

/** Return the game after a play that fits: it stands, waits for a challenge, is rejected, or is refused. */
export function resolvePlay(state, { player, play, accepted = true }, ruling) {
  const { challenge } = state.rules;
  if (challenge === "none" && !accepted) return rejectPlay(state, player, play, ruling);
  if (challenge === "void" && !accepted) return refused("unacceptable-play");
  const laid = placePlay(state, player, play, ruling);
  if (challenge === "none" || challenge === "void") return completeTurn(laid, player);
  return { ...laid, phase: { name: "may-be-challenged", player, ruling } };
}

function placePlay(state, player, play, ruling) {
  const turn = withTurn(state, { player, move: { play }, points: ruling.score, ruling });
  const laid = { ...turn, board: apply(state.board, play) };
  return withTiles(laid, player, -tilesOf(state.board, play).length);
}

function rejectPlay(state, player, play, ruling) {
  const [word] = disallowedOf(state.rules, ruling.words);
  if (word) return refused("disallowed-word", { word });
  return offerOspdCheck(withTurn(state, { player, move: { play }, fate: "off", ruling }), player, ruling);
}

/**
 * Return the game after a play was taken off: the player may check the OSPD unless out of time, or the turn is over.
 */
function offerOspdCheck(state, player, ruling) {
  const { check_ospd: check } = state.rules;
  if (state.seats[player].left || check === "none") return completeTurn(state, player);
  const words = check === "dover" ? [...new Set(ruling.words)] : [];
  return { ...state, phase: { name: "may-check", player, ruling, words } };
}

/** Return the game after a challenge, whose loser pays the penalty of the rule set (docs/rules.md 6.2). */
export function applyChallenge(state, { player, words, upheld }) {
  const { phase, rules } = state;
  const mayChallenge = phase.name === "may-be-challenged" && player !== phase.player && !hasLost(state.seats[player]);
  if (!mayChallenge) return refused("challenge-not-allowed");
  const strange = words.find((word) => count(words, word) > count(phase.ruling.words, word));
  if (strange) return refused("not-a-new-word", { word: strange });
  if (upheld) return upholdChallenge(withdrawPlay(state), phase);
  const award = (points) => completeTurn(withEntry(state, phase.player, points, "challenge"), phase.player);
  switch (rules.challenge) {
    case "double": return completeTurn({ ...state, skips: [...state.skips, player] }, phase.player);
    case "five": return award(5 * Math.max(1, words.length));
    case "ten": return award(10);
    case "triple": return loseGame(state, player, phase.player);
    default: return completeTurn(state, phase.player);
  }
}

function count(words, word) {
  return words.filter((each) => each === word).length;
}

function upholdChallenge(state, { player, ruling }) {
  return state.rules.challenge === "triple" ? loseGame(state, player, player) : offerOspdCheck(state, player, ruling);
}

/** Return the game without the loser of a challenge of a player's play. */
function loseGame(state, loser, player) {
  const remaining = removePlayer(state, loser, "challenge");
  return isOver(remaining) ? remaining : completeTurn(remaining, player);
}

/** Take the last play off the board again, with its points. */
function withdrawPlay(state) {
  const { player, ruling } = state.phase, squares = laidSquares(ruling.receipt);
  const turns = replaceTurn(state, state.turns.length - 1, { points: 0, fate: "off" });
  return withTiles(clearCaughtPlays({ ...turns, board: clearSquares(state.board, squares) }), player, squares.length);
}

/**
 * Return the game after a check of the OSPD: another play, more words to check, or the deduction
 * (docs/rules.md 6.4, 6.5).
 */
export function applyOspdCheck(state, { player, found, word = "" }) {
  const { phase, rules } = state;
  if (phase.name !== "may-check") return refused("check-not-allowed");
  if (player !== phase.player) return refused("not-your-turn", { player: phase.player });
  const isDover = rules.check_ospd === "dover";
  if (isDover ? !phase.words.includes(word) : word) return refused("not-a-new-word", { word });
  if (!found) {
    const points = -failedCheckCost(state, word);
    return completeTurn(replaceTurn(state, state.turns.length - 1, { points }), player);
  }
  const rest = phase.words.filter((each) => each !== word);
  if (rest.length) return { ...state, phase: { ...phase, words: rest } };
  return resumeGame({ ...state, phase: { name: "may-replay", player }, turns: state.turns.slice(0, -1) });
}

/** Return the cost of a failed check: in the official form the whole score of the play (docs/rules.md 6.4). */
export function failedCheckCost({ phase, rules }, word) {
  return rules.check_ospd === "dover" ? doverDeduction(phase.ruling.receipt, word) : phase.ruling.score;
}

/**
 * Return the points that Dover's check costs for a named word that is not in the OSPD (docs/rules.md 6.5, A-14).
 *
 * That is the face value of the word, without premiums and without the small word point cap. Of two new words spelt
 * alike the first counts. tests/vectors/rules/dover_deduction.txt holds this equal to `dover_deduction` in Python.
 */
export function doverDeduction({ lines }, named) {
  const { letters } = lines.find(({ word }) => word === named);
  return letters.reduce((sum, { face }) => sum + face, 0);
}

/**
 * Return the game after a bad play was found late: its points go, and its tiles unless a later word depends on them
 * (docs/rules.md 9.3).
 */
export function applyLateBadPlay(state, { turn: number }) {
  const turn = number < completedTurns(state) ? state.turns[number] : undefined;
  if (turn?.fate !== "made" || !turn.ruling || !isLateEnough(state, number)) return refused("play-stands");
  const isLast = number === state.turns.length - 1;
  if (state.rules.late_bad_play === "until-next-turn") {
    if (!isOver(state)) return resumeGame(undoBadPlay(state, number));
    return finishOrAdvance(undoBadPlay(removeEndEntries(state), number), turn.player);
  }
  const wasOut = isOver(state) && state.phase.why === "out" && isLast;
  return wasOut ? recountUnplayedTiles(undoBadPlay(state, number)) : resumeGame(undoBadPlay(state, number));
}

function isLateEnough(state, number) {
  const { late_bad_play: late } = state.rules;
  return late === "always" || (late === "until-next-turn" && number === completedTurns(state) - 1);
}

/** Return the numbers of the turns whose plays may still be found bad. */
export function findCatchableTurns(state) {
  return state.turns.flatMap((_, turn) => ("fault" in applyLateBadPlay(state, { turn }) ? [] : [turn]));
}

/** Return the game without the points of a bad play, and without its tiles if no later word depends on them. */
function undoBadPlay(state, number) {
  return clearCaughtPlays(replaceTurn(state, number, { points: 0, fate: "caught" }));
}

/** Remove the tiles of caught plays that no later word depends on; the latest first, since that may free others. */
function clearCaughtPlays(state) {
  let clear = state;
  for (let number = state.turns.length - 1; number >= 0; number -= 1) {
    const turn = clear.turns[number];
    const isFree = turn.fate === "caught" && !hasDependentPlay(clear, number);
    if (isFree) clear = removePlay(clear, number, laidSquares(turn.ruling.receipt));
  }
  return clear;
}

/** Return whether a later play on the board has formed a word with tiles of this play. */
function hasDependentPlay({ turns }, number) {
  const later = turns.slice(number + 1).filter(hasAdded).flatMap((turn) => turn.ruling.receipt.lines);
  const squares = new Set(later.flatMap((line) => line.letters.map(({ square }) => square)));
  return laidSquares(turns[number].ruling.receipt).some((square) => squares.has(square));
}

/** Take a play off the board; its tiles go to the bag, not to the player (docs/rules.md 9.3, A-32). */
function removePlay(state, number, squares) {
  const clear = replaceTurn(state, number, { fate: "removed" });
  return { ...clear, board: clearSquares(state.board, squares), bag: state.bag + squares.length };
}

function clearSquares(board, names) {
  return put(board, names.map((name) => ({ square: squareOf(name), letter: EMPTY })));
}
