// Laying tiles: by drag, by tap and tap, and by keys. Every gesture changes the slots of the rack, from which board and
// rack are drawn.

import { h } from "./dom.js";
import { askLetter } from "./play-dialogs.js";
import * as draft from "./play-draft.js";
import { faceOf } from "./play-rack.js";
import { playSound } from "./play-sound.js";
import { BLANK, EMPTY, at, squareName } from "./rules.js";
import { t } from "./texts.js";

export function setSlots(table, slots) {
  table.slots = slots;
  table.picked = null;
  table.draw();
}

export function takeLetter(table, letter, placed) {
  if (table.isBusy) return null;
  const taken = draft.findLetter(table.slots, letter, placed);
  const lacking = letter === letter.toLowerCase() ? t("board.fault-no-blank") : t("play-table.no-letter", { letter });
  if (!taken) table.say(lacking);
  return taken;
}

/** Follow the board, on which tiles were laid or taken back by keys. */
export function onLaid(table, placed) {
  const before = table.placed().length;
  table.isArmed = true;
  setSlots(table, draft.place(table.slots, placed));
  if (placed.length > before) playSound("tile");
}

/** Lay the tile of a place on a square; a blank asks first which letter it is. */
async function layTile(table, place, square) {
  const slot = table.slots[place];
  if (table.isBusy || !slot || at(table.lies, square) !== EMPTY) return table.draw();
  const letter = slot.tile !== BLANK ? slot.tile : slot.laid?.letter ?? await askLetter();
  if (!letter || table.slots[place]?.tile !== slot.tile) return table.draw();
  const others = table.slots.map((each) => (each.laid && squareName(each.laid.square) === squareName(square)
    ? { ...each, laid: null } : each));
  setSlots(table, others.with(place, { ...others[place], laid: { square, letter } }));
  playSound("tile");
}

function liftTile(table, place) {
  setSlots(table, table.slots.with(place, { ...table.slots[place], laid: null }));
}

function placeOn(table, square) {
  return table.slots.findIndex(({ laid }) => laid && squareName(laid.square) === squareName(square));
}

/** Do what a tap on a square asks for; false where it only moves the cursor. */
export function onTap(table, square) {
  const there = placeOn(table, square), { picked } = table;
  if (table.isBusy) return true;
  if (picked !== null && at(table.lies, square) === EMPTY) layTile(table, picked, square);
  else if (there >= 0) {
    liftTile(table, there);
    table.board.moveTo(square);
  } else if (!swapOn(table, squareName(square))) {
    table.isArmed = true;
    table.draw();
    return false;
  }
  return true;
}

/** Swap the blank on a square, or undo its swap; false where it cannot be swapped now. */
export function swapOn(table, name) {
  const slots = swapSlots(table, name);
  if (!slots) return false;
  setSlots(table, slots);
  playSound("tile");
  return true;
}

/** Return the slots after a tap on a square with a blank; null where there is none that can be swapped now. */
function swapSlots({ slots, standing, boardNow }, name) {
  const board = boardNow(), isDone = draft.swapsOf(slots).includes(name);
  const isPossible = standing.acts.includes("swap") && draft.swappable(slots, board).includes(name);
  return isDone || isPossible ? draft.toggleSwap(slots, board, name) : null;
}

/** Do what a tap on a tile of the rack asks for: take it back, lay it at the cursor, pick it, or move another here. */
export async function onPick(table, place) {
  const { picked, slots } = table, slot = slots[place];
  if (table.isBusy) return;
  if (slot.laid) liftTile(table, place);
  else if (picked !== null && picked !== place) setSlots(table, draft.move(slots, picked, place));
  else if (table.isArmed && picked === null) await layAtCursor(table, place);
  else {
    table.picked = picked === null ? place : null;
    table.draw();
  }
}

async function layAtCursor(table, place) {
  const { tile } = table.slots[place], letter = tile === BLANK ? await askLetter() : tile;
  if (!letter) return;
  // Of equal tiles the one that was tapped is laid.
  const equal = table.slots.findIndex((slot) => slot.tile === tile && !slot.laid);
  if (equal !== place && equal >= 0) {
    const slots = table.slots.with(place, table.slots[equal]);
    table.slots = slots.with(equal, table.slots[place]);
  }
  table.board.type(letter);
}

export function grab(table, { target }) {
  const cell = target.closest("[role=gridcell].laid"), { values } = table.rules;
  const place = cell
    ? placeOn(table, [Number(cell.dataset.row), Number(cell.dataset.column)])
    : table.rack.buttons.indexOf(target.closest(".rack button"));
  const slot = table.slots[place];
  if (table.isBusy || !slot || (!cell && slot.laid)) return null;
  const face = slot.laid ? [h("b", {}, slot.laid.letter.toUpperCase())] : faceOf(slot.tile, values);
  return { face, source: cell ?? table.rack.buttons[place], value: { place, tile: slot.tile } };
}

export function drop(table, { value: { place, tile } }, { square, place: to }) {
  if (table.slots[place]?.tile !== tile) return;
  if (square) layTile(table, place, square);
  else if (to === null) liftTile(table, place);
  else setSlots(table, draft.move(table.slots.with(place, { ...table.slots[place], laid: null }), place, to));
}

export function recall(table) {
  table.isArmed = false;
  setSlots(table, draft.place(table.slots, []));
}

export function reset(table) {
  table.isArmed = false;
  setSlots(table, draft.undoSwaps(table.slots, table.lies));
}
