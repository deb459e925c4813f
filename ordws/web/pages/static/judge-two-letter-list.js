// The two-letter list of the rule set, which is published and open to every player during play (docs/rules.md 6.6).

import { h } from "./dom.js";
import { isDialogOpen, showInDialog } from "./keep-dialogs.js";
import { t } from "./texts.js";

/** Show the list over the current screen, until a button or a touch beside it closes it. */
export function showTwoLetterList({ title, two_letter_words: words }) {
  if (isDialogOpen()) return;
  const list = h("p", { class: "words" }, words.join(" "));
  showInDialog(t("judge.twos-of", { n: words.length, rules: title }), [list], undefined, "twos");
  const dialog = list.closest("dialog");
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
