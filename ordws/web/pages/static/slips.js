// The page of slips: a rule set, its options, and the cards that are printed. The address holds the options behind `#`.

import { createOptionForm, selectRules } from "./option-form.js";
import { readOptions, writeOptions } from "./options.js";
import { faultLine, field, select } from "./keep-dialogs.js";
import { button, h } from "./dom.js";
import { slipCard } from "./slip-card.js";
import { t } from "./texts.js";

const SHEETS = ["4", "2", "1"];
const published = await (await fetch("/app/rules.json")).json();
const page = {
  rules: selectRules(published),
  count: select(SHEETS.map((n) => [n, t(`slips.sheet-${n}`)]), SHEETS[0]),
  options: createOptionForm(published, draw), fault: faultLine(), cards: h("div", { class: "cards" }),
};

/** Show the cards of the options that are set, and write them into the address. */
function draw() {
  const { options, fault } = page.options.read(), id = page.rules.value, count = Number(page.count.value);
  page.fault.textContent = fault ?? "";
  if (fault) return;
  const link = writeOptions(published, id, options);
  history.replaceState(null, "", `/slips/${id}${link ? `#${link}` : ""}`);
  page.cards.dataset.count = count;
  const copies = Array.from({ length: count }, () => slipCard(published, id, options));
  for (const copy of copies.slice(1)) copy.classList.add("copy");
  page.cards.replaceChildren(...copies);
  const text = document.getElementById("text");
  if (text) text.hidden = id !== text.dataset.rules || link !== "";
}

/** Show the rule set and the options of the address. */
function restore() {
  const [, id = published.default] = /^\/slips\/(.+)$/.exec(location.pathname) ?? [];
  const options = readOptions(published, id, location.hash.slice(1));
  page.rules.value = id;
  page.options.show(id, options ?? {});
  draw();
  if (!options) page.fault.textContent = t("slips.bad-link");
}

page.rules.addEventListener("change", () => {
  page.options.show(page.rules.value);
  draw();
});
page.count.addEventListener("change", draw);
window.addEventListener("hashchange", restore);
restore();
document.getElementById("slips").replaceChildren(h("div", { class: "columns even" },
  h("div", { class: "screen" },
    field(t("slips.rules"), page.rules), page.options.clock, page.options.groups, page.fault),
  h("section", { "aria-label": t("slips.card") },
    h("div", { class: "screen printing" }, field(t("slips.sheet"), page.count),
      button(t("slips.print"), () => window.print(), "main")),
    page.cards)));
