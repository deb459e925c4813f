// The element in which the screens are shown, one at a time. Nothing of the last screen is left: no element, no timer,
// no request.

const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Fn", "NumLock"];
const PRESSES = ["Enter", " "];

/**
 * @typedef {object} Screen
 * @property {string} name
 * @property {"yes"|"no"} [tone] of the whole page
 * @property {Node[]} body with one heading, which takes the focus where nothing in it has `data-focus`
 * @property {(event: KeyboardEvent) => void} [keys] called for a key, except Enter and Space on a button
 * @property {() => void} [touched] called for a touch outside buttons
 * @property {[number, () => void]} [idle] seconds without a key or touch, and the function that is called after them
 * @property {boolean} [isPrivate] whether the screen ends when the page loses the focus or is hidden
 */

/** Create a stage in an element. `home` shows the first screen again, when a screen ends by itself. */
export function createStage(root, home) {
  let screen = null, ending = null, resting = null;

  /** Show a screen instead of the last one; return the signal that is aborted when it ends. */
  function show(next) {
    clear();
    screen = next;
    ending = new AbortController();
    root.replaceChildren(...next.body);
    Object.assign(document.documentElement.dataset, { screen: next.name, tone: next.tone ?? "" });
    const heading = root.querySelector("h1");
    heading.tabIndex = -1;
    (root.querySelector("[data-focus]") ?? heading).focus();
    rest();
    return ending.signal;
  }

  function clear() {
    ending?.abort();
    clearTimeout(resting);
    screen = null;
    root.replaceChildren();
  }

  /** Call a function after some seconds, unless the screen has ended by then. */
  function after(seconds, act) {
    const timer = setTimeout(act, seconds * 1000);
    ending.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  function rest() {
    clearTimeout(resting);
    if (screen?.idle) resting = setTimeout(screen.idle[1], screen.idle[0] * 1000);
  }

  function key(event) {
    rest();
    const isOfField = event.target.closest(PRESSES.includes(event.key) ? "select, button, a" : "select");
    const isTaken = event.ctrlKey || event.metaKey || event.altKey || MODIFIERS.includes(event.key) || isOfField;
    if (screen?.keys && !isTaken && !document.querySelector("dialog[open]")) screen.keys(event);
  }

  function touch(event) {
    rest();
    if (screen?.touched && !event.target.closest("button, a, dialog")) screen.touched();
  }

  function away() {
    if (screen?.isPrivate) home();
  }

  document.addEventListener("keydown", key);
  document.addEventListener("pointerdown", rest);
  document.addEventListener("click", touch);
  document.addEventListener("visibilitychange", () => document.hidden && away());
  window.addEventListener("blur", away);
  window.addEventListener("pagehide", away);
  return { show, after };
}
