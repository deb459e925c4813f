// The score sheet with its receipts, and the record of a game for other programs.

import { signed } from "./alt-text.js";
import { scoreSheetOf } from "./keep-event-text.js";
import { button, h, saveFile, scrollable, tableHead } from "./dom.js";
import { gcgFileName, toGcg } from "./gcg-export.js";
import { showRecord } from "./game-viewer.js";
import { showInDialog } from "./keep-dialogs.js";
import { receiptTable } from "./receipt-tables.js";
import { t } from "./texts.js";

/** Show the score sheet of a game. */
export async function showScoreSheet(table) {
  const { game, states, rules } = table;
  const rows = scoreSheetOf(game, states).map((row) => h("tr", {},
    h("td", {}, String(row.turn ?? "")), h("td", {}, row.receipt ? explained(row, rules) : row.text),
    h("td", {}, row.points ? signed(row.points) : ""), h("td", {}, String(row.total ?? ""))));
  const titles = ["turn", "what", "points", "total"].map((name) => t(`keep.sheet-${name}`));
  const sheet = h("table", { class: "score-sheet" }, tableHead(titles), h("tbody", {}, rows));
  const body = rows.length ? scrollable(t("keep.sheet"), sheet) : h("p", { class: "hint" }, t("keep.sheet-empty"));
  await showInDialog(t("keep.sheet"), [body, exportButtons(table)]);
}

function explained({ text, receipt }, { premium }) {
  return h("details", {}, h("summary", {}, text), receiptTable(receipt, premium, t("score.receipt")));
}

/** Show a kept game step by step; the address names the turn that is shown. */
export async function stepThrough({ published }, game, at = null) {
  if (!game) return;
  const onStep = (turn) => history.replaceState(null, "", turn === null ? `#${game.id}` : `#${game.id}?turn=${turn}`);
  await showRecord(published, toGcg(published, game), { at, onStep });
}

/** Return the buttons that show the steps of a game, and that save its record as a file or copy it. */
export function exportButtons({ app, game }) {
  const status = h("p", { class: "hint", role: "status" });
  const copy = async () => {
    await navigator.clipboard.writeText(toGcg(app.published, game));
    status.textContent = t("keep.copied");
  };
  return h("div", { class: "record" },
    h("p", { class: "actions" }, button(t("steps.open"), () => stepThrough(app, game)),
      button(t("keep.download"), () => download(app.published, game)), button(t("keep.copy"), copy)),
    h("p", { class: "hint" }, t("keep.record-hint")), status);
}

function download(published, game) {
  saveFile(new File([toGcg(published, game)], gcgFileName(game), { type: "text/plain" }));
}
