// The check of one word in advance against the lists of words that are not allowed, which stay out of players' sight.

import { fold } from "./fold.js";
import { t } from "./texts.js";

const { rules: ruleSets } = await (await fetch("/app/rules.json")).json();

for (const form of document.querySelectorAll("form.check")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const word = fold(form.querySelector("input").value.trim());
    form.querySelector("[role=status]").textContent = answer(ruleSets[form.dataset.rules], word);
  });
}

/** Return what the published lists of a rule set say about one word (docs/rules.md 6.6, 6.7). */
function answer(rules, word) {
  if (!word) return t("lists.no-word");
  if (rules.disallowed_words.includes(word)) return t("lists.is-disallowed", { word });
  if (rules.granted_words.includes(word)) return t("lists.is-granted", { word });
  if (word.length > 2) return t("lists.is-open", { word });
  return rules.two_letter_words.includes(word) ? t("lists.is-two", { word }) : t("lists.is-no-two", { word });
}
