/** What becomes of a play: ordws/rules/dispute.py for the browser. The verdicts are facts that events bring. Pure. */

import { apply, disallowedOf, put, tilesOf } from "./rules.js";
import { recounted, withoutEnd } from "./game-ending.js";
import {
  hasAdded, hasLost, isOver, refused, turnsOver, withEntry, withTiles, withTurn, withTurnAt,
} from "./game-state.js";
import { completed, continued, leave, passedOn } from "./game-turns.js";

/** The game after a play that fits: it stands, waits for a challenge, is rejected or cannot be made. */
export function putDown(state, { player, play, accepted = true }, ruling) {
  const { challenge } = state.rules;
  if (challenge === "none" && !accepted) return rejected(state, player, play, ruling);
  if (challenge === "void" && !accepted) return refused("unacceptable-play");
  const laid = lay(state, player, play, ruling);
  if (challenge === "none" || challenge === "void") return completed(laid, player);
  return { ...laid, phase: { name: "may-be-challenged", player, ruling } };
}

function lay(state, player, play, ruling) {
  const turn = withTurn(state, { player, move: { play }, points: ruling.score, ruling });
  const laid = { ...turn, board: apply(state.board, play) };
  return withTiles(laid, player, -tilesOf(state.board, play).length);
}

function rejected(state, player, play, ruling) {
  const [word] = disallowedOf(state.rules, ruling.words);
  if (word) return refused("disallowed-word", { word });
  return off(withTurn(state, { player, move: { play }, fate: "off", ruling }), player, ruling);
}

/** The game after a play came off: the turn is over, or the player, if his time is not, may check the OSPD. */
function off(state, player, ruling) {
  const { check_ospd: check } = state.rules;
  if (state.seats[player].left || check === "none") return completed(state, player);
  const words = check === "dover" ? [...new Set(ruling.words)] : [];
  return { ...state, phase: { name: "may-check", player, ruling, words } };
}

/** The game after a challenge, whose loser pays what the rule set says. (RULES 6.2) */
export function challenged(state, { player, words, upheld }) {
  const { phase, rules } = state;
  const mayChallenge = phase.name === "may-be-challenged" && player !== phase.player && !hasLost(state.seats[player]);
  if (!mayChallenge) return refused("challenge-not-allowed");
  const strange = words.find((word) => count(words, word) > count(phase.ruling.words, word));
  if (strange) return refused("not-a-new-word", { word: strange });
  if (upheld) return takenOff(lifted(state), phase);
  const award = (points) => completed(withEntry(state, phase.player, points, "challenge"), phase.player);
  switch (rules.challenge) {
    case "double": return completed({ ...state, skips: [...state.skips, player] }, phase.player);
    case "five": return award(5 * Math.max(1, words.length));
    case "ten": return award(10);
    case "triple": return lose(state, player, phase.player);
    default: return completed(state, phase.player);
  }
}

function count(words, word) {
  return words.filter((each) => each === word).length;
}

function takenOff(state, { player, ruling }) {
  return state.rules.challenge === "triple" ? lose(state, player, player) : off(state, player, ruling);
}

/** The game without the loser of a challenge of somebody's play. */
function lose(state, loser, player) {
  const without = leave(state, loser, "challenge");
  return isOver(without) ? without : completed(without, player);
}

/** The play that was just put down off the board again, and its points gone. */
function lifted(state) {
  const { player, ruling } = state.phase, squares = newSquares(ruling);
  const turns = withTurnAt(state, state.turns.length - 1, { points: 0, fate: "off" });
  return withTiles(cleared({ ...turns, board: without(state.board, squares) }), player, squares.length);
}

/** The game after a look into the OSPD: another play, other words to look up, or the deduction. (RULES 6.4, 6.5) */
export function checked(state, { player, found, word = "" }) {
  const { phase, rules } = state;
  if (phase.name !== "may-check") return refused("check-not-allowed");
  if (player !== phase.player) return refused("not-your-turn", { player: phase.player });
  const isDover = rules.check_ospd === "dover";
  if (isDover ? !phase.words.includes(word) : word) return refused("not-a-new-word", { word });
  if (!found) {
    const points = -costOf(state, word);
    return completed(withTurnAt(state, state.turns.length - 1, { points }), player);
  }
  const rest = phase.words.filter((each) => each !== word);
  if (rest.length) return { ...state, phase: { ...phase, words: rest } };
  return continued({ ...state, phase: { name: "may-replay", player }, turns: state.turns.slice(0, -1) });
}

/** What a check in vain costs: the whole score of the play, or Dover's face value of the word. (RULES 6.4, 6.5) */
export function costOf({ phase, rules }, word) {
  if (rules.check_ospd !== "dover") return phase.ruling.score;
  const line = phase.ruling.receipt.lines.find((each) => each.word === word);
  return line.letters.reduce((sum, { face }) => sum + face, 0);
}

/** The game after a bad play has come to light: its points go, its tiles where nothing hangs on them. (RULES 9.3) */
export function caught(state, { turn: number }) {
  const turn = number < turnsOver(state) ? state.turns[number] : undefined;
  if (turn?.fate !== "made" || !turn.ruling || !isLateEnough(state, number)) return refused("play-stands");
  const isLast = number === state.turns.length - 1;
  if (state.rules.late_bad_play === "until-next-turn") {
    return isOver(state) ? passedOn(undone(withoutEnd(state), number), turn.player) : continued(undone(state, number));
  }
  const wasOut = isOver(state) && state.phase.why === "out" && isLast;
  return wasOut ? recounted(undone(state, number)) : continued(undone(state, number));
}

function isLateEnough(state, number) {
  const { late_bad_play: late } = state.rules;
  return late === "always" || (late === "until-next-turn" && number === turnsOver(state) - 1);
}

/** The turns whose plays may be found to be bad now. */
export function catchable(state) {
  return state.turns.flatMap((_, turn) => ("fault" in caught(state, { turn }) ? [] : [turn]));
}

/** The game without the points of a bad play, and without its tiles if nothing hangs on them. */
function undone(state, number) {
  return cleared(withTurnAt(state, number, { points: 0, fate: "caught" }));
}

/** The game without the tiles of plays caught on which nothing hangs; the last first, since it may free others. */
function cleared(state) {
  let clear = state;
  for (let number = state.turns.length - 1; number >= 0; number -= 1) {
    const turn = clear.turns[number];
    if (turn.fate === "caught" && !hasHanging(clear, number)) clear = removed(clear, number, newSquares(turn.ruling));
  }
  return clear;
}

/** Whether a later play that lies on the board has made a word with tiles of this one. */
function hasHanging({ turns }, number) {
  const later = turns.slice(number + 1).filter(hasAdded).flatMap((turn) => turn.ruling.receipt.lines);
  const squares = new Set(later.flatMap((line) => line.letters.map(({ square }) => square)));
  return newSquares(turns[number].ruling).some((square) => squares.has(square));
}

/** RULES 9.3, A-32: not the player, but the bag gets the tiles. */
function removed(state, number, squares) {
  const clear = withTurnAt(state, number, { fate: "removed" });
  return { ...clear, board: without(state.board, squares), bag: state.bag + squares.length };
}

function newSquares(ruling) {
  return ruling.receipt.lines[0].letters.filter((letter) => letter.new).map(({ square }) => square);
}

function without(board, names) {
  const square = (name) => [Number(name.slice(1)) - 1, name.charCodeAt(0) - 65];
  return put(board, names.map((name) => ({ square: square(name), letter: "." })));
}
