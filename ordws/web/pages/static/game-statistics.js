/**
 * Averages of a kept game: ordws/rules/statistics.py for the browser, held equal to it by tests/pages/test_game_js.py.
 * Pure.
 *
 * @typedef {import("./game-state.js").State} State
 * @typedef {{turns: number, pointsPerTurn: number, secondsPerTurn: number}} Averages NaN before the first turn
 */

import { columnsOf } from "./notation.js";

/** Return the averages of a player (docs/rules.md 10.7, A-44); @returns {Averages} */
export function averagesOf({ turns, seats }, player) {
  const own = turns.filter((turn) => turn.player === player);
  const points = own.reduce((sum, turn) => sum + turn.points, 0);
  return {
    turns: own.length, pointsPerTurn: points / own.length, secondsPerTurn: seats[player].ms / 1000 / own.length,
  };
}

/** Return the number of words on a board and their mean length; every run of two tiles or more is a word. */
export function boardStatistics(board) {
  const lengths = [...board, ...columnsOf(board)].flatMap((line) => line.match(/[^.]{2,}/g) ?? []).map((word) => word.length);
  return { words: lengths.length, meanLength: lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1) };
}
