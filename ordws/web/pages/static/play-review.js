// The review of a finished game against the program or a friend: what each play lost against the best that public words allow, as a
// table and as a chart; each turn leads to the board as it was before it.

import { button, faultLine } from "./keep-dialogs.js";
import { h } from "./dom.js";
import { namesOf } from "./play-sheet.js";
import { explain } from "./play-problems.js";
import { t } from "./texts.js";

const ASK_AGAIN_MS = 1500;
const WHOLE = 100;

/** Return the section that asks for a review of a finished game, and shows it. */
export function reviewSection({ app, game, standing, turns, step }) {
  const shown = h("div", {}, h("p", { class: "hint" }, t("play.review-about"))), fault = faultLine();
  const ask = button(t("play.review-ask"), async () => {
    ask.disabled = true;
    fault.textContent = "";
    try {
      await showReview({ app, game, standing, turns, step }, shown);
      ask.hidden = true;
    } catch (error) {
      ask.disabled = false;
      if (!app.shown.signal.aborted) fault.textContent = explain(error);
    }
  });
  const section = h("section", { class: "review", "aria-labelledby": "review", hidden: true },
    h("h2", { id: "review" }, t("play.review-title")), shown, fault, h("p", { class: "actions" }, ask));
  // Without the program there is nothing to ask for.
  app.client.practice({ signal: app.shown.signal }).then(({ program }) => { section.hidden = !program; }).catch(() => {});
  return section;
}

/** Ask until the program has made the review, and draw it. */
async function showReview({ app, game, standing, turns, step }, shown) {
  const { signal } = app.shown;
  let review = await game.review({ signal });
  while (review.state === "waiting") {
    shown.replaceChildren(h("p", { class: "notice", role: "status" }, t("play.review-waits")));
    await new Promise((resolve) => { setTimeout(resolve, ASK_AGAIN_MS); });
    review = await game.review({ signal });
  }
  const { turns: played } = await turns(), numbers = played.map(({ happened }) => happened.turn);
  shown.replaceChildren(...(review.turns.length
    ? drawReview(review.turns, standing, (turn) => step(numbers.indexOf(turn)))
    : [h("p", { role: "status" }, t("play.review-none"))]));
}

function drawReview(turns, standing, step) {
  const names = namesOf(standing), { you } = standing, own = turns.filter(({ seat }) => seat === you);
  const lost = own.reduce((sum, each) => sum + each.lost, 0);
  const heads = ["turn", "player", "played", "lost", "best"].map((each) => h("th", { scope: "col" }, t(`play.review-${each}`)));
  const rows = turns.map((each, i) => h("tr", { class: each.seat === you ? "own" : "" },
    h("th", { scope: "row" }, button(String(i + 1), () => step(each.turn), "inline")),
    h("td", {}, names[each.seat]), h("td", {}, `${each.move} ${each.score}`), h("td", {}, each.lost.toFixed(1)),
    h("td", {}, each.best.map(({ move, score }) => `${move} ${score}`).join(", "))));
  return [
    h("p", { role: "status" }, t("play.review-total", { points: lost.toFixed(0), n: own.length })),
    chart(turns, names, you),
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows))),
    h("p", { class: "hint" }, t("play.review-words")),
  ];
}

/** Return a bar for each turn: how many points it lost. */
function chart(turns, names, you) {
  const most = Math.max(1, ...turns.map(({ lost }) => lost));
  const told = turns.map(({ seat, lost }) => `${names[seat]} ${lost.toFixed(0)}`).join(", ");
  const bars = turns.map(({ seat, lost }) => {
    const bar = h("span", { class: seat === you ? "own" : "" });
    bar.style.setProperty("--share", String((WHOLE * lost) / most));
    return bar;
  });
  return h("figure", { class: "lost" }, h("div", { class: "bars", role: "img", "aria-label": told }, bars),
    h("figcaption", { class: "hint" }, t("play.review-chart", { name: names[you], points: most.toFixed(0) })));
}
