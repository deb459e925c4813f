// The review of a finished game: what each play lost against the best that public words allow, as a table and as a
// chart; each turn leads to the board as it was before it.

import { faultLine } from "./keep-dialogs.js";
import { pointsOf } from "./alt-text.js";
import { button, h, tableHead } from "./dom.js";
import { actButton } from "./play-problems.js";
import { t } from "./texts.js";

const ASK_AGAIN_MS = 1500;
const WHOLE = 100;

/**
 * Return the section that asks for a review of a finished game, and shows it.
 *
 * @param {{client: object, signal: AbortSignal, about: string[], names: string[], you: number|null,
 *   review: () => Promise<{state: string, turns: object[]}>, step: (turn: number) => void}} given `you` is the seat of
 *   this browser, null where the players share it; `step` shows the board before the turn of that number
 */
export function reviewSection(given) {
  const { client, signal, about } = given;
  const shown = h("div", {}, about.map((text) => h("p", { class: "hint" }, text))), fault = faultLine();
  const ask = actButton(t("play.review-ask"), async () => {
    await showReview(given, shown);
    ask.hidden = true;
  }, { fault, signal }, null);
  const section = h("section", { class: "review", "aria-labelledby": "review", hidden: true },
    h("h2", { id: "review" }, t("play.review-title")), shown, fault, h("p", { class: "actions" }, ask));
  // Without the program there is nothing to ask for.
  client.practice({ signal }).then(({ program }) => { section.hidden = !program; }).catch(() => {});
  return section;
}

/** Ask until the program has made the review, and draw it. */
async function showReview(given, shown) {
  let reviewed = await given.review();
  while (reviewed.state === "waiting") {
    shown.replaceChildren(h("p", { class: "notice", role: "status" }, t("play.review-waits")));
    await new Promise((resolve) => { setTimeout(resolve, ASK_AGAIN_MS); });
    reviewed = await given.review();
  }
  const { turns } = reviewed;
  shown.replaceChildren(...(turns.length ? drawReview(turns, given) : [h("p", { role: "status" }, t("play.review-none"))]));
}

function drawReview(turns, { names, you, step }) {
  const titles = ["turn", "player", "played", "lost", "best"].map((each) => t(`play.review-${each}`));
  const rows = turns.map((each, i) => h("tr", { class: each.seat === you ? "own" : "" },
    h("th", { scope: "row" }, button(String(i + 1), () => step(each.turn), "inline")),
    h("td", {}, names[each.seat]), h("td", {}, `${each.move} ${each.score}`), h("td", {}, each.lost.toFixed(1)),
    h("td", {}, each.best.map(({ move, score }) => `${move} ${score}`).join(", "))));
  return [
    h("p", { role: "status" },
      names.flatMap((_, seat) => (you === null || seat === you ? [describeLost(turns, seat, names, you)] : [])).join(" ")),
    chart(turns, names, you),
    h("div", { class: "scroll" }, h("table", {}, tableHead(titles), h("tbody", {}, rows))),
    h("p", { class: "hint" }, t("play.review-notation")), h("p", { class: "hint" }, t("play.review-words")),
  ];
}

/** Return how many points the turns of a seat lost, as a sentence. */
export function describeLost(turns, seat, names, you) {
  const own = turns.filter((each) => each.seat === seat), lost = own.reduce((sum, each) => sum + each.lost, 0);
  const n = own.length, counted = n === 1 ? t("play.review-turns-one") : t("play.review-turns", { n });
  const values = { name: names[seat], points: pointsOf(Math.round(lost)), turns: counted };
  return you === null ? t("play.review-total-of", values) : t("play.review-total", values);
}

/** Return a bar for each turn: how many points it lost. */
function chart(turns, names, you) {
  const most = Math.max(1, ...turns.map(({ lost }) => lost));
  const told = turns.map(({ seat, lost }) => `${names[seat]} ${lost.toFixed(0)}`).join(", ");
  const bars = turns.map(({ seat, lost }) => {
    const bar = h("span", { class: seat === (you ?? 0) ? "own" : "" });
    bar.style.setProperty("--share", String((WHOLE * lost) / most));
    return bar;
  });
  return h("figure", { class: "lost" }, h("div", { class: "bars", role: "img", "aria-label": told }, bars),
    h("figcaption", { class: "hint" },
      t("play.review-chart", { name: names[you ?? 0], points: pointsOf(Math.round(most)) })));
}
