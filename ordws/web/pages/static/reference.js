// The API reference: the language of the examples is remembered, contents are open where they have room, and code is
// copied by a button.

import { button, h } from "./dom.js";
import { t } from "./texts.js";

const LANGUAGE = "ordws.reference.language";
const WIDE = matchMedia("(min-width: 78rem)");
const contents = document.querySelector(".contents details");
const languages = document.querySelectorAll("input[name=language]");

for (const each of languages) {
  each.checked = each.value === (localStorage.getItem(LANGUAGE) ?? languages[0].value);
  each.addEventListener("change", () => localStorage.setItem(LANGUAGE, each.value));
}

contents.open = WIDE.matches;
WIDE.addEventListener("change", () => (contents.open = WIDE.matches));
contents.addEventListener("click", (event) => {
  if (event.target.closest("a") && !WIDE.matches) contents.open = false;
});

for (const code of document.querySelectorAll(".code")) {
  const copy = button(t("reference.copy"), async () => {
    await navigator.clipboard.writeText(code.textContent);
    copy.textContent = t("reference.copied");
  }, "copy");
  const place = h("div", { class: `with-copy ${[...code.classList].filter((name) => name.startsWith("of-")).join(" ")}` });
  code.replaceWith(place);
  place.append(code, copy);
}
