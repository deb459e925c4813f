// The turns of a game as sentences, and as a score sheet: a line for each, with the receipt of a play.

import { laidSquares } from "./rules.js";
import { button, h, scrollable, tableHead } from "./dom.js";
import { pointsOf, signed } from "./alt-text.js";
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
 * Return what a player did, `{turn, seat, move, swaps, outcome, words, score}` as a standing has it: the name, and the
 * rest of a sentence that begins with it.
 *
 * @param {object|null} before the turn before it: a pass after a rejected play is no pass
 * @returns {[string, string]}
 */
export function describeTurn(turn, names, before = null) {
  const { seat, swaps, words, score } = turn, squares = swaps.map((swap) => swap.slice(1)).join(", ");
  const values = { word: words[0], words: words.join(", "), points: pointsOf(Math.abs(score)), n: exchanged(turn) };
  const swapped = swaps.length ? t("play-table.told-swap", { squares }) : "";
  return [names[seat], `${t(`play-table.told-${kindOf(turn, before)}`, values)}${swapped}`];
}

/** Return the kind of a turn, for its texts. */
function kindOf({ seat, move, outcome, words, score }, before) {
  const isUnchecked = outcome === "passed" && before?.seat === seat && ["rejected", "found"].includes(before.outcome);
  if (isUnchecked) return "unchecked";
  if (outcome === "exchanged") return exchanged({ move, outcome }) === 1 ? "exchanged-one" : "exchanged";
  // A proposal is opened with the other one, if there is another.
  if (outcome !== "proposed") return outcome;
  if (words.length) return score > 0 ? "proposed" : "proposed-off";
  return move === "-" ? "proposed-none" : "proposed-sealed";
}

function exchanged({ move }) {
  return /^-\d+$/.test(move) ? Number(move.slice(1)) : move.length - 1;
}

/** Return a turn as the score sheet has it: `8H SEIZE`. */
function sheetText(turn, before) {
  const { swaps, words, outcome } = turn, kind = kindOf(turn, before);
  const play = [...swaps, startOf(turn), words[0]].join(" ");
  if (LAID.includes(outcome)) return play;
  return t(`play-table.sheet-${kind}`, { play, words: words.join(", "), n: exchanged(turn) });
}

/** Return where the word of a play begins, as `8H` across: a move may begin at the first tile laid, behind that. */
function startOf({ move, receipt }) {
  const [first, second] = receipt?.lines[0].letters.map(({ square }) => square) ?? [];
  if (!second) return move.split(" ")[0];
  return first[0] === second[0] ? first : first.slice(1) + first[0];
}

/** Return a turn in one line: `Ann: 8H SEIZE +40 (40)`. */
export function sheetLine({ happened, scores }, before, names) {
  const { seat } = happened, gain = scores[seat] - (before?.scores[seat] ?? 0);
  return `${names[seat]}: ${sheetText(happened, before?.happened ?? null)} ${signed(gain)} (${scores[seat]})`;
}

/** Return the names of the squares on which a play that stands laid tiles. */
export function newSquares({ outcome, receipt } = {}) {
  return LAID.includes(outcome) && receipt ? laidSquares(receipt) : [];
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
 *   onLoad: () => void, step: (at: number|null) => void}} given `load` fetches all turns; `onLoad` is called when turns
 *   have come that `update` lacked; `step` shows a game step by step from one of them on
 * @returns {{update(standing: object): void, turns(): object[],
 *   end(entries: {seat: number, text: string, points: number}[]): void}} `turns` gives the turns that are known; `end`
 *   adds what tiles left and time gave or cost after the last one
 */
export function createSheet(root, { premium, load, onLoad, step }) {
  const body = h("tbody", {}), label = t("play-table.sheet");
  const titles = ["player", "move", "points", "total"].map((name) => t(`play-table.head-${name}`));
  const frame = scrollable(label, h("table", {}, tableHead(titles, { class: "unseen" }), body));
  const nothing = h("p", { class: "hint" }, t("play-table.sheet-empty"));
  const stepping = button(t("steps.open"), () => step(null), "inline");
  root.append(frame, nothing, stepping);
  const sheet = { frame, body, nothing, stepping, step, premium, load, onLoad, entries: [], ends: [], names: [], isLoading: false };
  return {
    update: (standing) => update(sheet, standing),
    turns: () => sheet.entries.map(({ happened }) => happened),
    end: (ends) => draw(Object.assign(sheet, { ends })),
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

function draw({ frame, body, nothing, stepping, step, premium, entries, ends, names }) {
  frame.hidden = !entries.length;
  stepping.hidden = !entries.length;
  nothing.hidden = entries.length > 0;
  const after = entries.map((_, i) => (i === entries.length - 1 ? ends : []));
  const rows = entries.map((entry, i) => rowOf(i, entry, entries[i - 1], after[i], { names, premium, step }));
  rows.push(...endRows(entries, ends, names));
  rows.forEach((row, i) => {
    // A row that is open stays as it is, so that nobody loses the receipt that they read.
    const old = body.children[i];
    if (!old) body.append(row);
    else if (old.dataset.is !== row.dataset.is) old.replaceWith(row);
  });
  while (body.children.length > rows.length) body.lastChild.remove();
  frame.scrollTop = frame.scrollHeight;
}

/** Return the row of a turn; what followed the last one at the end has rows of its own. */
function rowOf(i, { happened, scores }, before, after, { names, premium, step }) {
  const { seat, outcome, receipt } = happened, later = sum(after.filter((each) => each.seat === seat));
  const total = scores[seat] - later;
  // The rewards of the unplayed tiles round are added together, with the last proposal.
  const gain = outcome === "proposed" ? happened.score : total - (before?.scores[seat] ?? 0);
  const text = sheetText(happened, before?.happened ?? null);
  const told = receipt ? h("details", {}, h("summary", {}, text), receiptTable(receipt, premium, t("score.receipt"))) : text;
  const onclick = (event) => {
    event.preventDefault();
    step(i + 1);
  };
  return lineOf(h("a", { href: `#turn=${i + 1}`, onclick }, names[seat]), told, gain, total, text);
}

function endRows(entries, ends, names) {
  return ends.map(({ seat, text, points }, i) => {
    const later = sum(ends.slice(i + 1).filter((each) => each.seat === seat));
    return lineOf(h("span", {}, names[seat]), text, points, (entries.at(-1)?.scores[seat] ?? 0) - later, text);
  });
}

function sum(entries) {
  return entries.reduce((points, each) => points + each.points, 0);
}

function lineOf(name, told, gain, total, text) {
  return h("tr", { "data-is": `${name.textContent} ${text} ${gain} ${total}` },
    h("td", {}, name), h("td", {}, told), h("td", {}, signed(gain)), h("td", {}, `(${total})`));
}
