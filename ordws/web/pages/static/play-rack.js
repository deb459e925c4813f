// The rack on the screen: a row of tiles of which one has the focus. Arrow keys go along it, with Shift they take the
// tile along; Enter, Space or a tap picks it.

import { h } from "./dom.js";
import { BLANK, squareName } from "./notation.js";
import { t } from "./texts.js";
import { pointsOf } from "./alt-text.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * Build a rack in an element.
 *
 * @param {{values: object, size: number, onPick: (i: number) => void, onMove: (from: number, to: number) => void}}
 *   given `onPick` is called with the place of the tile that was picked, `onMove` with two places of tiles
 * @returns {{show(slots: object[], picked: number|null): void, placeAt(x: number, y: number): number|null,
 *   mark(place: number|null): void, buttons: HTMLElement[]}}
 */
export function createRack(root, { values, size, onPick, onMove }) {
  const buttons = Array.from({ length: size }, () => h("button", { type: "button", class: "tile" }));
  const view = { root, buttons, values, current: 0, count: 0 };
  root.setAttribute("role", "toolbar");
  root.setAttribute("aria-label", t("play-table.rack"));
  root.append(...buttons);
  root.addEventListener("click", (event) => {
    const i = buttons.indexOf(event.target.closest("button"));
    if (0 <= i && i < view.count) onPick(i);
  });
  root.addEventListener("keydown", (event) => pressed(view, event, onMove));
  root.addEventListener("focusin", (event) => {
    const i = buttons.indexOf(event.target);
    if (i >= 0) setCurrent(view, i);
  });
  return {
    buttons, show: (slots, picked) => show(view, slots, picked), placeAt: (x, y) => placeAt(view, x, y),
    mark: (place) => buttons.forEach((button, i) => button.classList.toggle("marked", i === place)),
  };
}

function setCurrent(view, i) {
  view.current = i;
  view.buttons.forEach((button, at) => {
    button.tabIndex = at === i ? 0 : -1;
  });
}

function pressed(view, event, onMove) {
  const step = STEPS[event.key], from = view.buttons.indexOf(document.activeElement);
  if (!step || from < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const to = from + step;
  if (to < 0 || to >= view.count) return;
  if (event.shiftKey) onMove(from, to);
  view.buttons[to].focus();
}

function show(view, slots, picked) {
  view.count = slots.length;
  if (view.current >= view.count) view.current = Math.max(0, view.count - 1);
  view.buttons.forEach((button, i) => drawTile(button, slots[i] ?? null, view.values, i === picked));
  setCurrent(view, view.current);
}

function drawTile(button, slot, values, isPicked) {
  const name = slot && (slot.tile === BLANK ? t("play-table.blank") : slot.tile);
  const state = slot && (slot.laid ? layPlace(slot.laid) : pointsOf(values[slot.tile]));
  const label = slot ? `${name}, ${state}` : t("play-table.no-tile");
  const kinds = ["tile", !slot && "none", slot?.laid && "gone", slot?.swapped && "swapped", isPicked && "picked"];
  button.className = kinds.filter(Boolean).join(" ");
  // A place without a tile keeps its room, so that the rack never changes its width; only tiles can be reached by keys.
  button.setAttribute("aria-disabled", String(!slot));
  if (slot) button.setAttribute("aria-pressed", String(isPicked));
  else button.removeAttribute("aria-pressed");
  if (button.getAttribute("aria-label") === label) return;
  button.setAttribute("aria-label", label);
  button.replaceChildren(...(slot && !slot.laid ? faceOf(slot.tile, values) : []));
}

function layPlace({ square }) {
  return t("play-table.lies-on", { square: squareName(square) });
}

/** Return the letter and the value of a tile; a blank shows neither. */
export function faceOf(tile, values) {
  return tile === BLANK ? [] : [h("b", {}, tile), h("small", {}, String(values[tile]))];
}

/** Return the place of the rack at a point of the window, null beside the rack. */
function placeAt({ root, buttons, count }, x, y) {
  const box = root.getBoundingClientRect(), reach = box.height / 2;
  const isNear = (at, low, high) => low - reach <= at && at <= high + reach;
  if (!count || !isNear(x, box.left, box.right) || !isNear(y, box.top, box.bottom)) return null;
  const width = buttons[0].getBoundingClientRect().width, first = buttons[0].getBoundingClientRect().left;
  return Math.min(count - 1, Math.max(0, Math.floor((x - first) / (width || 1))));
}
