/** Receipts as tables, one or several side by side: ordws/pictures/terminal.py for the browser. */

import { h, tableHead } from "./dom.js";
import { t } from "./texts.js";
import { describeFault } from "./alt-text.js";

/** Return a receipt as a table: a line for each word, a line for the bonus, and the score. */
export function receiptTable({ lines, bonus, score }, premium, caption = null) {
  const heads = ["word", "letters", "sum", "times", "points"];
  const words = lines.map((line) => row(line.word, lettersOf(line), sumOf(line), factorOf(line, premium), line.score));
  return h("table", { class: "receipt" },
    caption ? h("caption", {}, caption) : null,
    tableHead(heads.map((head) => t(`score.head-${head}`))),
    h("tbody", {}, words, row(t(`score.bonus-${bonus.reason}`), reasonOf(bonus), "", "", bonus.points)),
    h("tfoot", {}, row(t("score.score"), "", "", "", score)));
}

/** Return what the marks of a receipt mean, of those that it has. */
export function legendOf({ lines }) {
  const letters = lines.flatMap((line) => line.letters);
  return [
    letters.some((line) => !line.new) && t("score.legend-there"),
    letters.some((line) => line.premium > 1) && t("score.legend-premium"),
    letters.some((line) => line.value < line.face) && t("score.legend-capped"),
  ].filter(Boolean).join(" ");
}

function row(head, ...cells) {
  return headed(head, cells.map((cell) => h("td", {}, String(cell))));
}

/**
 * Return rulings side by side, by rule set, each below its title; where a play does not fit, a sentence says why.
 */
export function comparisonTable(rulings, premiums, titles, caption) {
  const ids = Object.keys(rulings), receipts = ids.map((id) => rulings[id].receipt ?? null);
  const words = [...new Set(receipts.flatMap((each) => each?.lines.map((line) => line.word) ?? []))];
  const cells = (cellOf) => receipts.map((each, i) => h("td", {}, each ? cellOf(each, premiums[ids[i]]) : ""));
  const scoreOf = (ruling) => (ruling.legal ? String(ruling.score) : describeFault(ruling));
  const scores = ids.map((id) => h("td", {}, scoreOf(rulings[id])));
  return h("table", { class: "comparison" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("td"), ids.map((id) => h("th", { scope: "col", "data-rules": id }, titles[id])))),
    h("tbody", {}, words.map((word) => headed(word, cells((each, premium) => wordsCell(each, word, premium)))),
      headed(t("score.bonus"), cells(bonusCell))),
    h("tfoot", {}, headed(t("score.score"), scores)));
}

function headed(head, cells) {
  return h("tr", {}, h("th", { scope: "row" }, head), cells);
}

function wordsCell({ lines }, word, premium) {
  const same = lines.filter((line) => line.word === word);
  return same.map((line) => h("div", {}, lettersOf(line), h("br"), total(line, premium)));
}

function total(line, premium) {
  if (!line.premiums.length) return String(line.score);
  return t("score.times", { sum: sumOf(line), factor: factorOf(line, premium), score: line.score });
}

function bonusCell({ bonus }) {
  if (!bonus.points) return "0";
  return [t(`score.bonus-${bonus.reason}`), h("br"), `${reasonOf(bonus)}: ${bonus.points}`];
}

/** Return what each letter counts: `Z10x3` on a premium, `(F4)` if it lay there, `Z10>4` if it is capped. */
function lettersOf({ letters }) {
  return letters.map((line) => {
    const capped = line.value < line.face ? `>${line.value}` : "";
    const counted = `${line.letter}${line.face}${capped}${line.premium > 1 ? `x${line.premium}` : ""}`;
    return line.new ? counted : `(${counted})`;
  }).join(" ");
}

function sumOf({ letters }) {
  return letters.reduce((sum, line) => sum + line.points, 0);
}

/** Return what the bonus is for. */
function reasonOf({ reason, tiles: n, stretched }) {
  const tiles = n === 1 ? t("board.one-tile") : t("board.tiles", { n });
  return reason === "stretch" ? t("score.stretched", { stretched, tiles }) : tiles;
}

/** Return the word premiums and their product or sum, `2+2=4`; empty where there are none. */
function factorOf({ premiums, factor }, premium) {
  if (premiums.length < 2) return factor > 1 ? String(factor) : "";
  return `${premiums.join(premium === "add" ? "+" : "x")}=${factor}`;
}
