// The check of one word in advance against the lists of words that are not allowed, which stay out of players' sight.

import { h } from "./dom.js";
import { fold } from "./fold.js";
import { t } from "./texts.js";

const published = fetch("/app/rules.json").then((reply) => reply.json());

for (const form of document.querySelectorAll("form.check")) {
  // Heard from the first moment on, for the browser would send the form, with the word in its address.
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const word = fold(form.querySelector("input").value.trim()), { rules } = await published;
    form.querySelector("[role=status]").textContent = answer(rules[form.dataset.rules], word);
  });
}

for (const button of document.querySelectorAll("button.for-directors")) {
  const lists = document.getElementById(button.getAttribute("aria-controls"));
  button.addEventListener("click", async () => {
    const { rules } = await published, shows = !lists.hasChildNodes();
    // The words leave the page again: a browser's search finds what is only hidden.
    lists.replaceChildren(...shows ? disallowedLists(rules[button.dataset.rules].disallowed_words) : []);
    button.setAttribute("aria-expanded", shows);
  });
}

/** Return headings and paragraphs with the words of two letters, of three, and of more. */
function disallowedLists(words) {
  const sorted = words.toSorted();
  return [
    [t("lists.struck-twos"), (n) => n === 2],
    [t("lists.struck-threes"), (n) => n === 3],
    [t("lists.struck-longer"), (n) => n > 3],
  ].flatMap(([title, holds]) => {
    const chosen = sorted.filter(({ length }) => holds(length));
    return [h("h4", {}, title), h("p", { class: "words" }, chosen.join(" "))];
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
