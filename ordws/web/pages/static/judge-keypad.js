// Keys on the screen, so that no keyboard of the system comes up, which suggests and remembers.

import { h } from "./dom.js";
import { t } from "./texts.js";

const ROWS = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"];
const DIGITS = ["123", "456", "789", "0"];

/** Letters, one that takes back, and one that goes on to the next word. */
export function letterKeypad({ onLetter, onBack, onNext }) {
  const rows = ROWS.map((row) => [...row].map((letter) => key(letter, () => onLetter(letter))));
  rows[2].unshift(key("⌫", onBack, t("judge.take-back")));
  rows[2].push(key("→", onNext, t("judge.next-word")));
  return pad("letters", rows);
}

/** Digits, and one that takes back. */
export function digitKeypad({ onDigit, onBack }) {
  const rows = DIGITS.map((row) => [...row].map((digit) => key(digit, () => onDigit(digit))));
  rows[3].unshift(key("⌫", onBack, t("judge.take-back")));
  return pad("digits", rows);
}

function pad(kind, rows) {
  return h("div", { class: `pad ${kind}`, role: "group", "aria-label": t(`judge.keys-${kind}`) },
    rows.map((row) => h("div", { class: "pad-row" }, row)));
}

/** A key does not take the focus, for Enter would press it again. */
function key(shown, onPress, name = null) {
  const stay = (event) => event.preventDefault();
  return h("button", {
    type: "button", tabindex: "-1", "aria-label": name, onpointerdown: stay, onmousedown: stay, onclick: onPress,
  }, shown);
}
