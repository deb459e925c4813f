// Dragging tiles by pointer events, from the rack and from the board. While a tile is dragged only one element moves:
// the board and the rack are drawn once, when the tile is let go.

import { h } from "./dom.js";

const START_PIXELS = 6;
const EDGE_PIXELS = 28;
const SCROLL_PIXELS = 8;
// A tile that comes from a rack beside the board passes its edge.
const LINGER_MS = 250;
// A finger covers what lies below it, so that the tile is held above it.
const LIFT_PIXELS = 34;

/**
 * Let tiles be dragged from an element.
 *
 * @param {{grab: (event: PointerEvent) => object|null, board: object, rack: object,
 *   drop: (held: object, target: {square: object|null, place: number|null}) => void}} given `grab` returns what is
 *   held, `{face: Node[], source: HTMLElement, value: any}`, or null where there is no tile
 * @param {AbortSignal} signal ends it
 */
export function enableDragging(root, given, signal) {
  const drag = { ...given, held: null, ghost: null, pointer: null, start: null, scroll: 0, justDropped: false };
  const listen = (type, act) => root.addEventListener(type, (event) => act(drag, event), { signal });
  listen("pointerdown", begin);
  listen("pointermove", onMove);
  listen("pointerup", end);
  listen("pointercancel", cancel);
  listen("lostpointercapture", onLostCapture);
  // The click that ends a drag is no tap.
  root.addEventListener("click", (event) => {
    if (drag.justDropped) event.stopPropagation();
    drag.justDropped = false;
  }, { signal, capture: true });
  signal.addEventListener("abort", () => cancel(drag));
}

function begin(drag, event) {
  drag.justDropped = false;
  if (drag.held || event.button !== 0 || !event.isPrimary) return;
  const held = drag.grab(event);
  if (!held) return;
  Object.assign(drag, { held, pointer: event.pointerId, start: [event.clientX, event.clientY] });
}

function onMove(drag, event) {
  if (!drag.held || event.pointerId !== drag.pointer) return;
  const [x, y] = drag.start;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - x, event.clientY - y) < START_PIXELS) return;
    lift(drag, event);
  }
  drag.at = [event.clientX, event.clientY - (event.pointerType === "touch" ? LIFT_PIXELS : 0)];
  // The event's target keeps the pointer, so that moves outside of it come here too.
  drag.finger = [event.clientX, event.clientY];
  drag.ghost.style.transform = `translate(${drag.at[0]}px, ${drag.at[1]}px) translate(-50%, -50%)`;
  point(drag);
  scrollAtEdges(drag);
}

function lift(drag, event) {
  const { source, face } = drag.held;
  source.setPointerCapture(event.pointerId);
  source.classList.add("dragged");
  drag.ghost = h("div", { class: `tile tile-colours ghost ${event.pointerType}`, "aria-hidden": "true" }, face);
  document.body.append(drag.ghost);
}

/** Mark where the tile would land. */
function point(drag) {
  const square = drag.board.squareAt(...drag.at), place = square ? null : drag.rack.placeAt(...drag.finger);
  drag.target = { square, place };
  drag.board.hover(square);
  drag.rack.mark(place);
}

/** Scroll a board that is larger than its frame while the tile is held at an edge of it. */
function scrollAtEdges(drag) {
  const frame = drag.board.grid.parentElement, box = frame.getBoundingClientRect(), [x, y] = drag.at;
  const isInside = box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  const pull = (at, low, high) => SCROLL_PIXELS * ((at > high - EDGE_PIXELS) - (at < low + EDGE_PIXELS));
  const by = isInside ? [pull(x, box.left, box.right), pull(y, box.top, box.bottom)] : [0, 0];
  const isLarger = frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight;
  drag.pull = isLarger && (by[0] || by[1]) ? by : null;
  drag.pulledSince = drag.pull && (drag.pulledSince ?? performance.now());
  if (drag.pull && !drag.scroll) drag.scroll = requestAnimationFrame(() => scrollOn(drag, frame));
}

function scrollOn(drag, frame) {
  drag.scroll = 0;
  if (!drag.ghost || !drag.pull) return;
  if (performance.now() - drag.pulledSince >= LINGER_MS) {
    frame.scrollBy(...drag.pull);
    point(drag);
  }
  drag.scroll = requestAnimationFrame(() => scrollOn(drag, frame));
}

function end(drag, event) {
  if (!drag.held || event.pointerId !== drag.pointer) return;
  const { held, ghost, target } = drag;
  if (ghost) drag.justDropped = true;
  clear(drag);
  if (ghost) drag.drop(held, target);
}

function cancel(drag, event = null) {
  if (drag.held && (!event || event.pointerId === drag.pointer)) clear(drag);
}

// A finger is captured by what it lands on: the letter of a tile loses it to the tile when the tile is lifted.
function onLostCapture(drag, event) {
  if (event.target === drag.held?.source) cancel(drag, event);
}

function clear(drag) {
  drag.held.source.classList.remove("dragged");
  drag.ghost?.remove();
  drag.board.hover(null);
  drag.rack.mark(null);
  Object.assign(drag, { held: null, ghost: null, pointer: null, pull: null });
}
