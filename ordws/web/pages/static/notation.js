/**
 * Boards and moves as game records write them: ordws/records/notation.py for the browser. Pure.
 *
 * @typedef {[number, number]} Square row and column, from 0
 * @typedef {string[]} Board the rows, `.` where there is no tile; a lower case letter is a blank
 * @typedef {{row: number, column: number, down: boolean, letters: string}} Play `.` for a tile already there
 * @typedef {{play: Play} | {exchange: string} | {pass: true}} Move
 * @typedef {{swaps: Square[], move: Move}} Turn squares whose blanks are swapped first, and the move
 */

export const EMPTY = ".";
export const BLANK = "?";
const LARGEST_SIDE = 21;

/** @returns {Board} */
export function emptyBoard(side) {
  return Array(side).fill(EMPTY.repeat(side));
}

export function isEmpty(board) {
  return board.every((row) => !/[^.]/.test(row));
}

/** Return the letter on a square; `.` where there is none, on the board or beside it. */
export function at(board, [row, column]) {
  return board[row]?.[column] ?? EMPTY;
}

/** Return the board with other letters on some squares, `.` to clear one. */
export function put(board, tiles) {
  const rows = board.map((row) => [...row]);
  for (const { square, letter } of tiles) rows[square[0]][square[1]] = letter;
  return rows.map((row) => row.join(""));
}

/** Return a square's name in game records: H8 is column H of row 8 (docs/rules.md 0.4). */
export function squareName([row, column]) {
  return String.fromCharCode(65 + column) + (row + 1);
}

/** Return the square of that name. @returns {Square} */
export function squareOf(name) {
  return [Number(name.slice(1)) - 1, name.charCodeAt(0) - 65];
}

/** Return all squares of a board, row by row. @returns {Square[]} */
export function allSquares(board) {
  return board.flatMap((row, r) => [...row].map((_, c) => [r, c]));
}

/** Return the squares with a blank. @returns {Square[]} */
export function blanksOn(board) {
  return allSquares(board).filter((square) => /[a-z]/.test(at(board, square)));
}

/** Return the columns of a board, as it has its rows. */
export function columnsOf(board) {
  return board.map((_, column) => board.map((row) => row[column]).join(""));
}

/** Return how many tiles lie on a board. */
export function tilesOn(board) {
  return board.join("").replaceAll(EMPTY, "").length;
}

/** Read a board of rows joined by `/`; null for any other text. */
export function readBoard(text) {
  const rows = text.split("/");
  const board = rows.map((row) => row.replace(/\d+/g, (run) => EMPTY.repeat(Number(run))));
  const isRead = rows.length <= LARGEST_SIDE && rows.every((row) => /^(?:[A-Za-z]|[1-9]\d?(?!\d))+$/.test(row))
    && board.every((row) => row.length === rows.length);
  return isRead ? board : null;
}

/** Write the rows of a board, joined by `/`. */
export function writeBoard(board) {
  return board.map((row) => row.replace(/\.+/g, (run) => String(run.length))).join("/");
}

/** Read `=H8 8D STAiNER`: the squares whose blanks are swapped first, and the move; null for any other text. */
export function readTurn(text) {
  const tokens = text.split(/\s+/).filter(Boolean);
  const first = tokens.findIndex((token) => !token.startsWith("="));
  const swaps = tokens.slice(0, first < 0 ? tokens.length : first).map((token) => findStart(token.slice(1)));
  const move = first < 0 ? null : readMove(tokens.slice(first));
  const names = new Set(swaps.map((swap) => swap && `${swap.row} ${swap.column}`));
  if (!move || names.size < swaps.length || swaps.includes(null)) return null;
  return { swaps: swaps.map(({ row, column }) => [row, column]), move };
}

function readMove(tokens) {
  const [start, letters] = tokens;
  if (tokens.length === 1) {
    if (start === "-") return { pass: true };
    return /^-[A-Z?]+$/.test(start) ? { exchange: start.slice(1) } : null;
  }
  const found = findStart(start);
  const isRead = tokens.length === 2 && found && letters.length <= LARGEST_SIDE && /^[A-Za-z.]+$/.test(letters);
  return isRead ? { play: { ...found, letters } } : null;
}

/** Return row, column and direction of a square in a play, `8D` across, `D8` down; null for any other text. */
export function findStart(text) {
  const [, rowFirst, letterBehind, letterFirst, rowBehind] =
    /^(?:([1-9]\d?)([A-U])|([A-U])([1-9]\d?))$/i.exec(text) ?? [];
  const row = Number(rowFirst ?? rowBehind) - 1, letter = letterBehind ?? letterFirst;
  if (!letter || row >= LARGEST_SIDE) return null;
  return { row, column: letter.toUpperCase().charCodeAt(0) - 65, down: letterFirst !== undefined };
}

/** Write the text that `readTurn` reads. */
export function writeTurn({ swaps = [], move }) {
  return [...swaps.map((square) => `=${squareName(square)}`), writeMove(move)].join(" ");
}

function writeMove({ play, exchange }) {
  if (!play) return `-${exchange ?? ""}`;
  const name = squareName([play.row, play.column]);
  return `${play.down ? name : name.slice(1) + name[0]} ${play.letters}`;
}
