// Keys on the screen, so that the system's keyboard, which suggests and remembers words, does not open.

import { h } from "./dom.js";
import { t } from "./texts.js";

const ROWS = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"];
const DIGITS = ["123", "456", "789", "0"];

/** Return keys for letters, a key that deletes the last letter, and a key for the next word. */
export function letterKeypad({ onLetter, onBack, onNext }) {
  const rows = ROWS.map((row) => [...row].map((letter) => key(letter, () => onLetter(letter))));
  rows[2].unshift(key("⌫", onBack, t("judge.take-back")));
  rows[2].push(key("→", onNext, t("judge.next-word")));
  return pad("letters", rows);
}

/** Return keys for digits, and a key that deletes the last digit. */
export function digitKeypad({ onDigit, onBack }) {
  const rows = DIGITS.map((row) => [...row].map((digit) => key(digit, () => onDigit(digit))));
  rows[3].unshift(key("⌫", onBack, t("judge.take-back")));
  return pad("digits", rows);
}

function pad(kind, rows) {
  return h("div", { class: `pad ${kind}`, role: "group", "aria-label": t(`judge.keys-${kind}`) },
    rows.map((row) => h("div", { class: "pad-row" }, row)));
}

/** Return a key that does not take the focus, since Enter would press it again. */
function key(shown, onPress, name = null) {
  const keepFocus = (event) => event.preventDefault();
  return h("button", {
    type: "button", tabindex: "-1", "aria-label": name, onclick: onPress,
    onpointerdown: keepFocus, onmousedown: keepFocus,
  }, shown);
}
