/** The same play under every rule set: ordws/api/plays.py for the browser. Pure. */

import { EMPTY, emptyBoard, judgeTurn, rulesOf, tilesOn } from "./rules.js";

/**
 * Return the ruling on a turn's play by rule set, all with the same options. On a board with wings the position stands
 * in the middle, so that the inner board stays where it is.
 *
 * @returns {Object<string, object>} the ruling of `judgeTurn`, or the fault that the play does not fit on that board
 */
export function compare(document, given, board, rack, turn) {
  const judgeUnder = (id) => judgeCentred(rulesOf(document, id, given), board, rack, turn);
  const rulings = Object.keys(document.rules).map((id) => [id, judgeUnder(id)]);
  return Object.fromEntries(rulings);
}

function judgeCentred(rules, board, rack, { swaps, play }) {
  const { side } = rules.layout, by = (side - board.length) / 2;
  const resized = resize(board, side);
  if (!resized) return { legal: false, fault: "bad-position", details: { side } };
  const squares = [[play.row, play.column], ...swaps].map(([row, column]) => [row + by, column + by]);
  if (Math.min(...squares.flat()) < 0) return { legal: false, fault: "off-board", details: { rows: side } };
  const [[row, column], ...others] = squares;
  return judgeTurn(rules, resized, rack, { swaps: others, play: { ...play, row, column } });
}

/** Return the tiles of a board in the middle of a board of another size; null where some would not lie on it. */
export function resize(board, side) {
  const by = (side - board.length) / 2;
  if (by >= 0) {
    const bare = emptyBoard(side).slice(0, by), edge = EMPTY.repeat(by);
    return [...bare, ...board.map((row) => edge + row + edge), ...bare];
  }
  const kept = board.slice(-by, by).map((row) => row.slice(-by, by));
  return tilesOn(kept) === tilesOn(board) ? kept : null;
}
