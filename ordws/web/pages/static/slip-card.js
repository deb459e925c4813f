// The slip of a rule set as a card.

import { describeChanges, titleOf } from "./option-text.js";
import { h } from "./dom.js";
import { rulesOf } from "./rules.js";
import { slipContent } from "./slip-content.js";
import { t } from "./texts.js";

const DRAWN_ELSEWHERE = ["allow", "strike"];

/** Return the card of a rule set with these options, by the document of all rule sets. */
export function slipCard(document, id, options) {
  const rules = rulesOf(document, id, options);
  const content = slipContent(rules, options.tiles ?? document.originals[id].tiles);
  const listed = Object.entries(options).filter(([name]) => !DRAWN_ELSEWHERE.includes(name));
  const changes = describeChanges(document, id, Object.fromEntries(listed));
  const stretch = t("slips.stretch-on", { words: content.stretchFrom });
  return h("article", { class: "card", "aria-label": t("slips.one", { rules: titleOf(document, id) }) },
    h("header", {}, h("h2", {}, titleOf(document, id)), h("p", {}, content.minimum)),
    h("div", { class: "bonuses" },
      bonusTable(content.bigPlay, t("slips.big-play"), "", t("slips.tiles")),
      bonusTable(content.stretch, t("slips.stretch"), stretch, t("slips.letters"))),
    h("h3", {}, t("slips.twos-count", { n: content.twos.length })),
    h("ul", { class: "twos" }, byInitial(content.twos).map((words) =>
      h("li", {}, h("b", { "aria-hidden": "true" }, words[0][0]), " ", words.join(" ")))),
    h("ul", { class: "notes" }, content.notes.map((note) => h("li", {}, note))),
    changes.length ? h("section", { class: "changed" }, h("h3", {}, t("slips.changed")),
      h("ul", {}, changes.map((change) => h("li", {}, change)))) : "",
    options.layout ? h("pre", { "aria-label": t("slips.layout") }, options.layout.join("\n")) : "");
}

/** Return a bonus as a table of two lines; nothing where there is none. */
function bonusTable(lines, name, about, head) {
  if (!lines.length) return "";
  const row = (label, cells) => h("tr", {}, h("th", { scope: "row" }, label), cells.map((cell) => h("td", {}, cell)));
  return h("table", {}, h("caption", {}, h("b", {}, name), about ? ` ${about}` : ""), h("tbody", {},
    row(head, lines.map(({ tiles }) => String(tiles))),
    row(t("slips.points"), lines.map(({ points, isStarred }) => `${points}${isStarred ? "*" : ""}`))));
}

/** Return sorted words, those with the same first letter together. */
function byInitial(words) {
  const groups = new Map();
  for (const word of words) groups.set(word[0], [...groups.get(word[0]) ?? [], word]);
  return [...groups.values()];
}
