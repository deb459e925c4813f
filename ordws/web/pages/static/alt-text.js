/**
 * A board and the fault of a play in words, for players who do not see them: ordws/pictures/alt_text.py for the
 * browser.
 */

import { allSquares, at, columnsOf, EMPTY, isEmpty, premiumAt, squareName, tilesOn } from "./rules.js";
import { t } from "./texts.js";

const PREMIUMS = { "2,1": "2l", "3,1": "3l", "4,1": "4l", "1,2": "2w", "1,3": "3w", "1,4": "4w" };

/** Return the label of a square's premium, such as `2l`; undefined where the square multiplies nothing. */
export function premiumOf(layout, square) {
  return PREMIUMS[premiumAt(layout, square).join()];
}

export function isStart(layout, square) {
  return squareName(square) === squareName(layout.start);
}

/** Describe one square: `H8: Q, 10 points, last play`, `H8: a blank for Q, 0 points`, or `A1: triple word`. */
export function describeSquare({ layout, values }, square, letter, marks = []) {
  const parts = letter === EMPTY ? wordsOf(layout, square) : wordsOfTile(values, letter);
  const start = letter === EMPTY && isStart(layout, square) ? [t("board.start")] : [];
  return `${squareName(square)}: ${[...parts, ...marks, ...start].join(", ")}`;
}

function wordsOf(layout, square) {
  const premium = premiumOf(layout, square);
  return [premium ? t(`board.premium-${premium}`) : t("board.empty")];
}

function wordsOfTile(values, letter) {
  const tile = letter.toUpperCase();
  if (letter !== tile) return [t("board.blank-for", { letter: tile }), t("board.points", { n: 0 })];
  // A record in another language has letters that these rules do not know.
  return tile in values ? [tile, pointsOf(values[tile])] : [tile];
}

/** Return `1 point` or `12 points`. */
export function pointsOf(n) {
  return n === 1 ? t("board.point") : t("board.points", { n });
}

/** Return a number with its sign: `+12`, `0`, `-5`. */
export function signed(n) {
  return n > 0 ? `+${n}` : String(n);
}

/** Return a time such as `12:04`. */
export function minutesText(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Return the sentence that says what a play scores. */
export function describeScore({ words, score }) {
  return t("score.scores", { words: words.join(", "), points: pointsOf(score) });
}

/** Describe a whole board: its size, every word with its square, the last play and the tiles it stretched. */
export function describeBoard(layout, board, last, stretched) {
  const { side, wings } = layout, columns = columnsOf(board);
  const tiles = tilesOn(board);
  const size = wings ? t("board.size-with-wings", { side, wings }) : t("board.size", { side });
  const counted = tiles === 1 ? t("board.one-tile") : t("board.tiles", { n: tiles || t("board.none") });
  return [
    t("board.whole", { size, tiles: counted }),
    ...listSentence("across", findWords(board, false).map(({ name, run }) => `${name.slice(1)}${name[0]} ${run}`)),
    ...listSentence("down", findWords(columns, true).map(({ name, run }) => `${name} ${run}`)),
    ...listSentence("alone", loneTiles(board).map((square) => `${squareName(square)} ${at(board, square)}`)),
    ...listSentence("last", last),
    ...listSentence("stretched", stretched),
    ...(/[a-z]/.test(board.join("")) ? [t("board.lower-case")] : []),
  ].join(" ");
}

function listSentence(head, items) {
  return items.length ? [t(`board.list-${head}`, { items: items.join(", ") })] : [];
}

/** Return the words of some lines, each with the name of its first square. */
function findWords(lines, isTurned) {
  return lines.flatMap((line, number) => [...line.matchAll(/[A-Za-z]{2,}/g)].map((found) => {
    const square = isTurned ? [found.index, number] : [number, found.index];
    return { name: squareName(square), run: found[0] };
  }));
}

/** Return the squares of the tiles that are part of no word. */
function loneTiles(board) {
  const isFree = (square) => at(board, square) === EMPTY;
  return isEmpty(board) ? [] : allSquares(board).filter(([r, c]) =>
    !isFree([r, c]) && [[r - 1, c], [r + 1, c], [r, c - 1], [r, c + 1]].every(isFree));
}

/** Return a sentence that says why a play does not fit. */
export function describeFault({ fault, details }) {
  return details.tile === "?" ? t("board.fault-no-blank") : t(`board.fault-${fault}`, details);
}
