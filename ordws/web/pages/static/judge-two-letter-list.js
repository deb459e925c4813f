// The two-letter list of the rule set, which is published and open to every player during play (docs/rules.md 6.6).

import { h } from "./dom.js";
import { t } from "./texts.js";

/** Show the list over the current screen. */
export function showTwoLetterList({ title, two_letter_words: words }) {
  if (document.querySelector("dialog[open]")) return;
  const close = () => dialog.close();
  const dialog = h("dialog", {
    class: "twos", "aria-labelledby": "twos-title", onclose: () => dialog.remove(),
    onclick: (event) => event.target === dialog && close(),
  },
    h("h2", { id: "twos-title" }, t("judge.twos-of", { n: words.length, rules: title })),
    h("p", { class: "words" }, words.join(" ")),
    h("p", { class: "end" }, h("button", { type: "button", class: "main", onclick: close }, t("judge.close"))));
  document.body.append(dialog);
  dialog.showModal();
}
