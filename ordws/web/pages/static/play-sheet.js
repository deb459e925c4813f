// The turns of a game as sentences, and as a score sheet with the receipt of each play.

import { h } from "./dom.js";
import { pointsOf } from "./alt-text.js";
import { receiptTable } from "./receipt-tables.js";
import { t } from "./texts.js";

const LAID = ["stands", "laid"];
const OUTCOMES = [
  "stands", "rejected", "unacceptable", "laid", "exchanged", "passed", "upheld", "failed", "found", "not-found",
  "resigned", "time-up", "proposed",
];

/** Return the names of the seats; a seat without one is called by its number. */
export function namesOf({ seats }) {
  return seats.map(({ player }, i) => player ?? t("play-table.player", { n: i + 1 }));
}

/**
 * Return the sentence of a turn, `{turn, seat, move, swaps, outcome, words, score}` as a standing has it.
 *
 * @param {object|null} before the turn before it: a pass after a rejected play is no pass
 */
export function describeTurn({ seat, move, swaps, outcome, words, score }, names, before = null) {
  const name = names[seat], swapped = swaps.map((swap) => swap.slice(1)).join(", ");
  const first = swapped ? [t("play-table.told-swap", { name, squares: swapped })] : [];
  const isUnchecked = outcome === "passed" && before?.seat === seat && ["rejected", "found"].includes(before.outcome);
  const values = { name, move, words: words.join(", "), points: pointsOf(Math.abs(score)) };
  if (outcome === "proposed") return t(`play-table.told-proposed${proposalOf(move, words, score)}`, values);
  if (outcome === "exchanged") return [...first, describeExchange(name, move)].join(" ");
  return [...first, t(`play-table.told-${isUnchecked ? "unchecked" : outcome}`, values)].join(" ");
}

/** Return the kind of a proposal: it is opened with the other one, if there is another. */
function proposalOf(move, words, score) {
  if (words.length) return score > 0 ? "" : "-off";
  return move === "-" ? "-none" : "-sealed";
}

function describeExchange(name, move) {
  const n = /^-\d+$/.test(move) ? Number(move.slice(1)) : move.length - 1;
  return n === 1 ? t("play-table.told-exchanged-one", { name }) : t("play-table.told-exchanged", { name, n });
}

/** Return the last play that lies on the board among the turns; null where there is none. */
export function lastPlay(turns) {
  const at = turns.findLastIndex(({ outcome }) => LAID.includes(outcome));
  const isOff = turns.slice(at + 1).some(({ outcome }) => outcome === "upheld");
  if (at < 0) return null;
  return isOff ? lastPlay(turns.slice(0, at)) : turns[at];
}

/** Return the play that was taken off and may still be checked; undefined where it is not known. */
export function rejectedPlay(turns) {
  return turns.findLast(({ outcome }) => ["rejected", "laid"].includes(outcome));
}

/**
 * Build the score sheet in an element.
 *
 * @param {{premium: string, load: () => Promise<{turns: {happened: object, scores: number[]}[]}>,
 *   onLoad: () => void}} given `load` fetches all turns; `onLoad` is called when turns have come that `update` lacked
 * @returns {{update(standing: object): void, turns(): object[]}} `turns` gives the turns that are known
 */
export function createSheet(root, { premium, load, onLoad }) {
  const body = h("tbody", {});
  const names = ["turn", "move", "points", "scores"];
  const heads = names.map((name) => h("th", { scope: "col" }, t(`play-table.head-${name}`)));
  const table = h("table", {}, h("thead", {}, h("tr", {}, heads)), body);
  const label = t("play-table.sheet");
  const frame = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
  const nothing = h("p", { class: "hint" }, t("play-table.sheet-empty"));
  root.append(frame, nothing);
  const sheet = { frame, body, nothing, premium, load, onLoad, entries: [], names: [], isLoading: false };
  return {
    update: (standing) => update(sheet, standing),
    turns: () => sheet.entries.map(({ happened }) => happened),
  };
}

/** Add the last turn of a standing; where turns before it are unknown, fetch all. */
function update(sheet, standing) {
  const { last, seats } = standing, { entries } = sheet, known = entries.at(-1)?.happened.turn ?? 0;
  const entry = { happened: last, scores: seats.map(({ score }) => score) };
  sheet.names = namesOf(standing);
  if (last && OUTCOMES.includes(last.outcome)) {
    const isNext = last.turn === known + 1;
    if (isNext || !entries.length) sheet.entries = [...entries, entry];
    if (last.turn > known && !isNext) fetchAll(sheet);
  }
  draw(sheet);
}

async function fetchAll(sheet) {
  if (sheet.isLoading) return;
  sheet.isLoading = true;
  try {
    const { turns } = await sheet.load();
    const isNewer = (turns.at(-1)?.happened.turn ?? 0) >= (sheet.entries.at(-1)?.happened.turn ?? 0);
    if (isNewer) sheet.entries = turns.filter(({ happened }) => OUTCOMES.includes(happened.outcome));
    draw(sheet);
    sheet.onLoad();
  } catch {
    // Without a connection the sheet has what this page saw; the next standing tries again.
  } finally {
    sheet.isLoading = false;
  }
}

function draw({ frame, body, nothing, premium, entries, names }) {
  frame.hidden = !entries.length;
  nothing.hidden = entries.length > 0;
  const rows = entries.map((entry, i) => rowOf(i, entry, entries[i - 1], names, premium));
  rows.forEach((row, i) => {
    // A row that is open stays as it is, so that nobody loses the receipt that they read.
    const old = body.children[i];
    if (!old) body.append(row);
    else if (old.dataset.is !== row.dataset.is) old.replaceWith(row);
  });
  while (body.children.length > rows.length) body.lastChild.remove();
  frame.scrollTop = frame.scrollHeight;
}

function rowOf(i, { happened, scores }, before, names, premium) {
  // The rewards of the unplayed tiles round are added together, with the last proposal.
  const isProposal = happened.outcome === "proposed";
  const gain = isProposal ? happened.score : scores[happened.seat] - (before?.scores[happened.seat] ?? 0);
  const text = describeTurn(happened, names, before?.happened ?? null);
  const total = scores.length > 2 ? String(scores[happened.seat]) : scores.join(" : ");
  const told = happened.receipt
    ? h("details", {}, h("summary", {}, text), receiptTable(happened.receipt, premium, t("score.receipt")))
    : text;
  return h("tr", { "data-is": `${text} ${total}` },
    h("td", {}, String(i + 1)), h("td", {}, told), h("td", {}, gain > 0 ? `+${gain}` : String(gain)),
    h("td", {}, total));
}
