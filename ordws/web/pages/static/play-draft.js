/**
 * The rack of a seat while a move is prepared: the order of its tiles, those that lie on the board, and the blanks that
 * are swapped for. Pure.
 *
 * @typedef {import("./notation.js").Square} Square
 * @typedef {{square: Square, letter: string}} Placed a tile on the board; a lower case letter is a blank
 * @typedef {{tile: string, laid: Placed|null, swapped: string|null}} Slot a place of the rack: its tile, `?` for a
 *   blank; where the tile lies; and the name of the square from which the blank in it is taken
 */

import { at, BLANK, blanksOn, EMPTY, put, squareName, squareOf } from "./notation.js";

/** Return the slots of a rack. @param {string} rack @returns {Slot[]} */
export function slotsOf(rack) {
  return [...rack].map((tile) => ({ tile, laid: null, swapped: null }));
}

/**
 * Return the slots after the game went on: tiles stay in their places, new ones come where others were, and tiles stay
 * laid and blanks swapped as far as the board allows it.
 */
export function update(slots, rack, board) {
  const restored = slots.map((slot) => restore(slot, board));
  const left = [...rack];
  const take = (tile) => (left.includes(tile) ? Boolean(left.splice(left.indexOf(tile), 1)) : false);
  const isPlayed = ({ laid }) => laid !== null && at(board, laid.square) !== EMPTY;
  // Of two equal tiles, the one that was laid is the one that is gone.
  const byPlace = [...restored.keys()].sort((a, b) => isPlayed(restored[a]) - isPlayed(restored[b]));
  const kept = new Set(byPlace.filter((i) => take(realTile(restored[i], board))));
  const filled = restored.map((slot, i) => {
    if (!kept.has(i)) return left.length ? slotsOf(left.shift())[0] : null;
    return isPlayed(slot) ? { ...slot, laid: null } : slot;
  });
  return [...filled.filter(Boolean), ...slotsOf(left.join(""))];
}

/** Return a slot whose swap is undone where the blank has gone from the board. */
function restore(slot, board) {
  return slot.swapped && !isBlank(at(board, squareOf(slot.swapped))) ? { ...slot, swapped: null } : slot;
}

/** Return the tile of a slot as the rack of the game has it: a swap that is only prepared has not been made. */
function realTile({ tile, swapped }, board) {
  return swapped ? at(board, squareOf(swapped)).toUpperCase() : tile;
}

function isBlank(letter) {
  return /[a-z]/.test(letter);
}

/** Return the tiles that lie on the board. @returns {Placed[]} */
export function placedOf(slots) {
  return slots.flatMap(({ laid }) => (laid ? [laid] : []));
}

/** Return the slots of a rack of which these tiles lie on the board; each was free before, or lay there already. */
export function place(slots, placed) {
  const isSame = (a, b) => a?.letter === b.letter && squareName(a.square) === squareName(b.square);
  const kept = slots.map((slot) => (placed.some((each) => isSame(slot.laid, each)) ? slot : { ...slot, laid: null }));
  for (const tile of placed.filter((each) => !kept.some(({ laid }) => isSame(laid, each)))) {
    const free = kept.findIndex((slot) => slot.laid === null && slot.tile === tileFor(tile.letter));
    if (free >= 0) kept[free] = { ...kept[free], laid: tile };
  }
  return kept;
}

/** Return the tile that lies as this letter. */
function tileFor(letter) {
  return isBlank(letter) ? BLANK : letter;
}

/**
 * Return what a player lays who types a letter: the letter, or else a blank for it; null where the rack beside the
 * placed tiles has neither. A lower case letter is a blank.
 */
export function findLetter(slots, letter, placed) {
  const free = place(slots.map((slot) => ({ ...slot, laid: null })), placed).filter(({ laid }) => laid === null);
  const has = (tile) => free.some((slot) => slot.tile === tile);
  if (!isBlank(letter) && has(letter)) return letter;
  return has(BLANK) ? letter.toLowerCase() : null;
}

/** Return the board with the letters of the tiles that are swapped for blanks. */
export function boardAfterSwaps(slots, board) {
  const tiles = slots.filter(({ swapped }) => swapped).map(({ swapped }) => squareOf(swapped));
  return put(board, tiles.map((square) => ({ square, letter: at(board, square).toUpperCase() })));
}

/** Return the names of the squares whose blank is swapped. */
export function swapsOf(slots) {
  return slots.flatMap(({ swapped }) => (swapped ? [swapped] : []));
}

/** Return the names of the squares with a blank for which the rack has a free letter. */
export function swappable(slots, board) {
  const isFree = (tile) => slots.some((slot) => slot.tile === tile && slot.laid === null);
  const done = swapsOf(slots);
  return blanksOn(board).filter((square) => isFree(at(board, square).toUpperCase()))
    .map(squareName).filter((name) => !done.includes(name));
}

/** Return the slots with the letter swapped for the blank on a square, or with that swap undone. */
export function toggleSwap(slots, board, name) {
  const letter = at(board, squareOf(name)).toUpperCase();
  if (swapsOf(slots).includes(name)) {
    return slots.map((slot) => (slot.swapped === name ? { tile: letter, laid: null, swapped: null } : slot));
  }
  const free = slots.findIndex(({ tile, laid }) => tile === letter && laid === null);
  return slots.with(free, { tile: BLANK, laid: null, swapped: name });
}

/** Return the slots without any swap. */
export function undoSwaps(slots, board) {
  return swapsOf(slots).reduce((each, name) => toggleSwap(each, board, name), slots);
}

/** Return the slots with one of them moved to another place. */
export function move(slots, from, to) {
  const moved = slots.toSpliced(from, 1);
  return moved.toSpliced(to, 0, slots[from]);
}

/** Return the slots in another order. */
export function shuffle(slots) {
  return slots.map((slot) => [Math.random(), slot]).sort(([a], [b]) => a - b).map(([, slot]) => slot);
}
