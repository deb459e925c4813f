/**
 * A board to lay tiles on, by touch, mouse or keys; a page adds `/app/board.css`.
 *
 * Letters go to the cursor and then along its direction, skipping tiles that lie there. Arrow keys, Home and End move
 * it, Space turns it, Shift with a letter lays a blank, Backspace and Delete take back, Escape takes the play off. A
 * tap moves the cursor, a second tap turns it, and the keys below the board do the rest. A page whose tiles come from
 * a rack has no such keys: it says by `take` which letters there are, and lays tiles that are tapped or dragged.
 *
 * @typedef {import("./notation.js").Square} Square
 * @typedef {import("./notation.js").Play} Play
 * @typedef {{board: string[], placed: {square: Square, letter: string}[], play: Play|null}} Laid the tiles that lie,
 *   those of the play, and the play: null without tiles, or where they are not in one line
 * @typedef {object} Shown what to show differently; all are optional
 * @property {object} [layout] of the rule set; of another size, it empties the board
 * @property {Object<string, number>} [values] of the tiles
 * @property {string[]} [board] the tiles that lie, as `readBoard` gives them; takes the play off
 * @property {{square: Square, letter: string}[]} [placed] tiles of the play being placed
 * @property {"play"|"board"} [laying] whether letters are tiles of a play, or tiles that already lie there
 * @property {string[]} [last] names of squares to outline beside the play, as H8
 * @property {string[]} [stretched] names of squares to underline
 * @property {string[]} [swapped] names of squares whose blank the move swaps
 */

import { h } from "./dom.js";
import { EMPTY, at, emptyBoard, isInner, put, squareName } from "./rules.js";
import { t } from "./texts.js";
import { describeSquare, isStart, premiumOf } from "./alt-text.js";

const KEYBOARD_ROWS = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"];
const LARGEST_FITTING_SIDE = 15;
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Build a board in an element.
 *
 * @param {HTMLElement} root emptied, and filled with the board and its keys
 * @param {Shown & {onChange?: (laid: Laid) => void, onEnter?: (laid: Laid) => void,
 *   onTap?: (square: Square) => boolean, take?: (letter: string, placed: object[]) => string|null,
 *   hasKeys?: boolean}} given layout and values at least;
 *   `onChange` is called after a player laid or took back a tile, `onEnter` when the player is done; where `onTap` is
 *   true, the page has done what the tap asks for; `take` returns what is laid for a letter beside the tiles placed,
 *   null where the player has no such tile
 * @returns {{show(shown: Shown): void, laid(): Laid, type(letter: string): void, takeBack(): void, clear(): void,
 *   focus(): void, grid: HTMLElement, cursor(): Square, moveTo(square: Square): void, zoom(size: string): void,
 *   squareAt(x: number, y: number): Square|null, hover(square: Square|null): void}} `type` lays a capital, or a blank
 *   for a lower case letter; `clear` takes the play off; `onChange` is called for these too, but not for `show`;
 *   `zoom` shows the board "whole", the "inner" board in its width, or "large" squares
 */
export function createBoard(root, given) {
  const { onChange = () => {}, onEnter = () => {}, onTap = () => false, take = (letter) => letter } = given;
  const state = {
    layout: given.layout, values: given.values, board: emptyBoard(given.layout.side), placed: [], laying: "play",
    last: [], stretched: [], swapped: [], cursor: given.layout.start, down: false, isBlank: false,
  };
  const parts = build(root, given.hasKeys ?? true);
  const view = { state, parts, take, cells: [], seen: "", changed: () => (draw(view), onChange(laidTiles(state))) };
  listen(view, onEnter, onTap);
  const show = (shown) => change(view, shown);
  show(given);
  return {
    show, laid: () => laidTiles(state), type: (letter) => type(view, letter), takeBack: () => takeBack(view),
    clear: () => clear(view), focus: () => cellAt(view, state.cursor).focus(),
    grid: parts.grid, cursor: () => state.cursor, moveTo: (square) => moveTo(view, square),
    squareAt: (x, y) => squareAt(view, x, y), hover: (square) => hover(view, square), zoom: (size) => zoom(view, size),
  };
}

function laidTiles({ board, placed, down }) {
  if (!placed.length) return { board, placed: [], play: null };
  const sorted = [...placed].sort((a, b) => a.square[0] - b.square[0] || a.square[1] - b.square[1]);
  const first = sorted[0].square, last = sorted.at(-1).square;
  const isDown = first[1] === last[1] && (first[0] !== last[0] || down);
  const along = isDown ? 0 : 1;
  const isInLine = sorted.every(({ square }) => square[1 - along] === first[1 - along]);
  if (!isInLine) return { board, placed: sorted, play: null };
  const letters = Array(last[along] - first[along] + 1).fill(EMPTY);
  for (const { square, letter } of sorted) letters[square[along] - first[along]] = letter;
  const play = { row: first[0], column: first[1], down: isDown, letters: letters.join("") };
  return { board, placed: sorted, play };
}

function change(view, { layout, board, placed, ...shown }) {
  const { state } = view;
  if (layout && layout.side !== state.board.length) {
    Object.assign(state, { board: emptyBoard(layout.side), placed: [], cursor: layout.start });
  }
  if (layout) state.layout = layout;
  if (board) Object.assign(state, { board, placed: [] });
  if (placed) state.placed = placed;
  for (const name of ["values", "laying", "last", "stretched", "swapped"]) state[name] = shown[name] ?? state[name];
  if (view.cells.length !== state.board.length) lay(view);
  draw(view);
}

function isOn(side, square) {
  return square.every((along) => 0 <= along && along < side);
}

// Actions of the player.

function type(view, letter) {
  const { state } = view;
  const square = state.laying === "board" ? state.cursor : nextFree(state, state.cursor);
  const others = square ? without(state.placed, square) : [], taken = square && view.take(letter, others);
  if (!taken) return;
  state.placed = others;
  if (state.laying === "board") state.board = put(state.board, [{ square, letter: taken }]);
  else state.placed.push({ square, letter: taken });
  state.cursor = (state.laying === "board" ? null : nextFree(state, step(state, square, 1))) ?? onward(state, square);
  state.isBlank = false;
  view.changed();
}

function without(placed, square) {
  return placed.filter((tile) => squareName(tile.square) !== squareName(square));
}

function step({ down }, [row, column], by) {
  return down ? [row + by, column] : [row, column + by];
}

function onward(state, square) {
  const next = step(state, square, 1);
  return isOn(state.board.length, next) ? next : square;
}

/** Return the first square without a tile, from this one on; null where the board ends before. */
function nextFree(state, square) {
  let next = square;
  while (at(state.board, next) !== EMPTY) next = step(state, next, 1);
  return isOn(state.board.length, next) ? next : null;
}

/** Take back the tile under the cursor, or else the tile before it. */
function takeBack(view) {
  const { state } = view;
  const isThere = (square) => (state.laying === "board" ? at(state.board, square) !== EMPTY : tileAt(state, square));
  let square = state.cursor;
  if (!isThere(square)) square = step(state, square, -1);
  while (state.laying === "play" && at(state.board, square) !== EMPTY) square = step(state, square, -1);
  if (!isOn(state.board.length, square)) return;
  state.cursor = square;
  remove(view);
}

function tileAt(state, square) {
  return state.placed.find((tile) => squareName(tile.square) === squareName(square));
}

function remove(view) {
  const { state } = view;
  if (state.laying === "board") state.board = put(state.board, [{ square: state.cursor, letter: EMPTY }]);
  else state.placed = without(state.placed, state.cursor);
  view.changed();
}

function clear(view) {
  view.state.placed = [];
  view.changed();
}

function turn(view) {
  view.state.down = !view.state.down;
  view.parts.status.textContent = directionOf(view.state);
  draw(view);
}

function directionOf({ down }) {
  return down ? t("board.down") : t("board.across");
}

function moveTo(view, square) {
  if (!isOn(view.state.board.length, square)) return;
  view.state.cursor = square;
  draw(view);
  cellAt(view, square).focus();
}

function listen(view, onEnter, onTap) {
  const { grid, keys } = view.parts, { state } = view;
  // Typing moves the cursor too; a first tap on its square selects it, and only the second tap turns the direction.
  let tapped = null;
  grid.addEventListener("keydown", (event) => pressed(view, event, onEnter));
  grid.addEventListener("click", (event) => {
    const square = squareOf(event.target);
    if (square && onTap(square)) {
      tapped = null;
      return;
    }
    const isSecond = square && tapped === squareName(square) && isCursor(state, square);
    if (square) moveTo(view, square);
    if (isSecond) turn(view);
    tapped = square && squareName(square);
  });
  // The square keeps the focus, so that letters may also come from a real keyboard.
  keys.addEventListener("mousedown", (event) => event.preventDefault());
  keys.addEventListener("click", (event) => touched(view, event.target.closest("button")?.value));
}

function squareOf(element) {
  const cell = element.closest("[role=gridcell]");
  return cell ? [Number(cell.dataset.row), Number(cell.dataset.column)] : null;
}

function isCursor({ cursor }, square) {
  return squareName(cursor) === squareName(square);
}

function pressed(view, event, onEnter) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const { state } = view, { key } = event, [row, column] = state.cursor, end = state.board.length - 1;
  if (/^[a-z]$/i.test(key)) type(view, event.shiftKey ? key.toLowerCase() : key.toUpperCase());
  else if (key in ARROWS) moveTo(view, [row + ARROWS[key][0], column + ARROWS[key][1]]);
  else if (key === "Home" || key === "End") moveTo(view, [row, key === "Home" ? 0 : end]);
  else if (key === " ") turn(view);
  else if (key === "Backspace") takeBack(view);
  else if (key === "Delete") remove(view);
  else if (key === "Escape") clear(view);
  else if (key === "Enter") onEnter(laidTiles(state));
  else return;
  event.preventDefault();
}

function touched(view, value) {
  if (value === "blank") view.state.isBlank = !view.state.isBlank;
  if (value === "turn") turn(view);
  else if (value === "back") takeBack(view);
  else if (value === "size") changeSize(view);
  else if (value?.length === 1) type(view, view.state.isBlank ? value.toLowerCase() : value);
  draw(view);
}

/** Return the square at a point of the window, null where there is none. */
function squareAt({ parts: { grid }, state }, x, y) {
  const box = grid.getBoundingClientRect(), side = state.board.length, edge = grid.firstChild.offsetHeight;
  const size = (box.height - edge) / side, from = [y - box.top - edge, x - box.left - edge];
  const square = from.map((along) => Math.floor(along / size));
  const frame = grid.parentElement.getBoundingClientRect();
  const isSeen = frame.left <= x && x <= frame.right && frame.top <= y && y <= frame.bottom;
  return isSeen && isOn(side, square) ? square : null;
}

/** Mark the square on which a dragged tile would land. */
function hover(view, square) {
  view.hovered?.classList.remove("hovered");
  view.hovered = square && cellAt(view, square);
  view.hovered?.classList.add("hovered");
}

/** Show the squares in one of three sizes, with the inner board in the middle of its frame. */
function zoom(view, size) {
  const { grid } = view.parts, frame = grid.parentElement;
  for (const [name, kind] of [["whole", "all"], ["inner", "inner"], ["large", "large"]]) {
    grid.classList.toggle(kind, name === size);
  }
  frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
  frame.scrollTop = (frame.scrollHeight - frame.clientHeight) / 2;
  keepInSight(cellAt(view, view.state.cursor), frame);
}

/** Show a large board whole, or a small one with larger squares; or as before. */
function changeSize({ parts: { grid, size } }) {
  const isChanged = size.getAttribute("aria-pressed") === "false";
  size.setAttribute("aria-pressed", String(isChanged));
  grid.classList.toggle(grid.classList.contains("wide") ? "all" : "large", isChanged);
}

// Drawing.

function build(root, hasKeys) {
  const grid = h("div", { role: "grid", class: "squares" });
  const status = h("p", { class: "unseen", role: "status" });
  const key = (value, label, more = {}) => h("button", { type: "button", value, ...more }, label);
  const letters = KEYBOARD_ROWS.map((row) => h("div", {}, [...row].map((letter) => key(letter, letter))));
  const others = [
    key("blank", t("board.blank"), { "aria-pressed": "false" }), key("turn", ""), key("back", t("board.take-back")),
    key("size", ""),
  ];
  const keys = h("div", { class: "keys", role: "group", "aria-label": t("board.keys") }, letters, h("div", {}, others));
  root.classList.add("board");
  root.replaceChildren(h("div", { class: "frame" }, grid), hasKeys ? keys : "", status);
  return { grid, keys, status, blank: others[0], turn: others[1], size: others[3] };
}

/** Build the squares, when the board has another size than before. */
function lay(view) {
  const { state, parts } = view, side = state.board.length, numbers = [...Array(side).keys()];
  const head = (text) => h("span", { class: "edge", "aria-hidden": "true" }, text);
  view.cells = numbers.map((row) =>
    numbers.map((column) => h("div", { role: "gridcell", "data-row": row, "data-column": column })));
  const columns = numbers.map((column) => head(squareName([0, column])[0]));
  const heads = h("div", { class: "heads", "aria-hidden": "true" }, head(""), columns);
  const rows = view.cells.map((cells, row) => h("div", { role: "row" }, head(String(row + 1)), cells));
  const isWide = side > LARGEST_FITTING_SIDE;
  parts.grid.className = isWide ? "squares wide" : "squares";
  parts.grid.style.setProperty("--side", side);
  parts.grid.style.setProperty("--inner", state.layout.inner.length);
  parts.size.textContent = isWide ? t("board.all") : t("board.larger");
  parts.size.setAttribute("aria-pressed", "false");
  parts.grid.setAttribute("aria-label", t("board.label", { side }));
  parts.grid.replaceChildren(heads, ...rows);
  const frame = parts.grid.parentElement;
  frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
}

function cellAt(view, [row, column]) {
  return view.cells[row][column];
}

function draw(view) {
  const { state, parts } = view;
  const hadFocus = parts.grid.contains(document.activeElement);
  view.cells.forEach((cells, row) => cells.forEach((cell, column) => drawSquare(state, cell, [row, column])));
  parts.blank.setAttribute("aria-pressed", String(state.isBlank));
  parts.turn.textContent = `${directionOf(state)} ${state.down ? "\u2193" : "\u2192"}`;
  const cell = cellAt(view, state.cursor);
  if (hadFocus && cell !== document.activeElement) cell.focus();
  // A move of somebody else must not scroll the board away from where this player looks.
  const seen = squareName(state.cursor);
  if (parts.grid.isConnected && view.seen !== seen) {
    keepInSight(cell, parts.grid.parentElement);
    view.seen = seen;
  }
}

/** Scroll the frame, and nothing else, so that a square is visible. */
function keepInSight(cell, frame) {
  const square = cell.getBoundingClientRect(), box = frame.getBoundingClientRect();
  // The row number is sticky and covers the squares that scroll below it.
  const head = cell.parentElement.firstChild.getBoundingClientRect();
  const beyond = (low, high, least, most) => Math.min(low - least, 0) || Math.max(high - most, 0);
  frame.scrollLeft += beyond(square.left, square.right, Math.max(box.left, head.right), box.right);
  frame.scrollTop += beyond(square.top, square.bottom, box.top, box.bottom);
}

function drawSquare(state, cell, square) {
  const tile = tileAt(state, square), name = squareName(square);
  const letter = tile?.letter ?? at(state.board, square), premium = premiumOf(state.layout, square);
  const isStretched = state.stretched.includes(name), isLast = state.last.includes(name);
  const isSwapped = state.swapped.includes(name);
  const marks = [tile && t("board.new"), isLast && t("board.last"), isStretched && t("board.stretched"),
    isSwapped && t("board.swapped")];
  const ground = letter === EMPTY ? premium ?? (isInner(state.layout, square) ? "plain" : "wing") : "tile";
  const kinds = [
    `g-${ground}`, letter !== letter.toUpperCase() && "blank", (tile || isLast) && "last", isStretched && "stretched",
    tile && "laid", isSwapped && "swapped",
    isCursor(state, square) && (state.down ? "cursor down" : "cursor across"),
    letter === EMPTY && premium?.endsWith("w") && "word",
  ];
  cell.className = kinds.filter(Boolean).join(" ");
  cell.tabIndex = isCursor(state, square) ? 0 : -1;
  const label = describeSquare(state, square, letter, marks.filter(Boolean));
  if (cell.getAttribute("aria-label") === label) return;
  cell.setAttribute("aria-label", label);
  if (letter !== EMPTY) cell.replaceChildren(...faceOf(state.values, letter));
  else if (isStart(state.layout, square)) cell.replaceChildren("\u2605");
  else cell.replaceChildren(...(premium ? [labelOf(premium.toUpperCase())] : []));
}

/** Return a label such as `3W`, of which a page may show the number alone. */
function labelOf([factor, kind]) {
  return h("span", {}, factor, h("i", {}, kind));
}

function faceOf(values, letter) {
  const tile = letter.toUpperCase();
  return [h("b", {}, tile), h("small", {}, String(letter === tile ? values[tile] : 0))];
}
