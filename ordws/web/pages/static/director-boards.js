// Finished boards: the director's own device looks each over, with one verdict for all its words, and on request one for
// each play that nobody checked (docs/rules.md 9.3).

import { getDevice, postOnce } from "./api.js";
import { button, byId, h, scrollable, tableHead } from "./dom.js";
import { readBoard, rulesOf } from "./rules.js";
import { positionPicture } from "./svg.js";
import { stationReport } from "./director-station.js";
import { t } from "./texts.js";

const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Return the boards: `open` lists them on a director's device, and offers to make this one, `clear` forgets them. */
export function createBoards(desk) {
  let published = null;

  async function open({ isOffered }) {
    const device = await getDevice();
    const isDirector = Boolean(device?.director);
    byId("boards").hidden = !isDirector && !isOffered;
    byId("not-director").hidden = isDirector;
    byId("looking").hidden = true;
    if (!isDirector) return;
    const found = await desk.requestAsDevice("GET", "/v1/boards");
    if (found) list(found.boards);
    byId("looking").hidden = false;
  }

  function list(boards) {
    byId("no-boards").hidden = boards.length > 0;
    byId("boards").querySelector("ul").replaceChildren(...boards.map((each) => h("li", {},
      h("div", {}, h("b", {}, each.players.join(", ")),
        h("p", { class: "hint" }, [
          each.table, dateTimeFormat.format(Date.parse(each.kept)), t("boards.words", { n: each.words }),
        ].join(" · ")),
        each.late_noes > 0 && h("p", { class: "notice warning" }, t("boards.late-noes", { n: each.late_noes }))),
      h("button", {
        type: "button", "aria-label": t("boards.look-at", { players: each.players.join(", "), table: each.table }),
        onclick: () => look(each.id),
      }, t("boards.look")))));
  }

  async function look(id) {
    const board = await desk.requestAsDevice("GET", `/v1/boards/${encodeURIComponent(id)}`);
    if (!board) return;
    published ??= await (await fetch("/app/rules.json")).json();
    const rules = rulesOf(published, board.rules), rows = readBoard(board.position);
    byId("board").replaceChildren(...shown(board, rules, rows));
    byId("board").hidden = false;
    byId("board").querySelector("h3").focus();
  }

  function shown(board, rules, rows) {
    const title = board.players.join(", "), unchecked = board.plays.filter(({ checked }) => !checked).length;
    const fits = rows.length === rules.layout.side;
    const picture = fits && h("img", { class: "drawn", ...positionPicture(rules, rows, { title }) });
    const verdict = h("div", { class: "answer", role: "status" }), plays = h("div", { class: "answer", role: "status" });
    const ask = (path, into, show) => async (event) => {
      event.target.disabled = true;
      const reply = await review(board.id, path);
      event.target.disabled = false;
      if (reply) into.replaceChildren(...show(reply));
    };
    const cost = t("boards.cost", { units: board.units, core: board.core });
    return [
      h("h3", { tabindex: "-1" }, `${title}: ${rules.title}`), picture,
      ...(board.station ? stationReport(board) : []),
      h("h4", {}, t("boards.all-words", { n: board.words.length })),
      h("p", { class: "words" }, [...board.words].sort().join(" ")),
      board.refused.length > 0 && h("p", { class: "notice warning" },
        t("boards.refused", { words: board.refused.join(", ") })),
      h("p", {}, button(t("boards.judge"), ask("review", verdict, ofBoard), "main"), " ",
        h("span", { class: "hint" }, cost)),
      verdict,
      unchecked > 0 && h("p", {},
        button(t("boards.judge-plays", { n: unchecked }), ask("review-plays", plays, ofPlays)), " ",
        h("span", { class: "hint" }, t("boards.cost-again"))),
      unchecked === 0 && h("p", { class: "hint" }, t("boards.all-checked")),
      plays,
    ].filter(Boolean);
  }

  async function review(id, path) {
    const url = `/v1/boards/${encodeURIComponent(id)}/${path}`;
    return desk.readReply(await postOnce(url, {}, crypto.randomUUID()));
  }

  function clear() {
    byId("boards").querySelector("ul").replaceChildren();
    byId("board").replaceChildren();
    byId("board").hidden = true;
    byId("dealt").value = "";
  }

  const lookAtDealt = () => byId("dealt").value.trim() && look(byId("dealt").value.trim());
  byId("look-dealt").addEventListener("click", lookAtDealt);
  byId("dealt").addEventListener("keydown", (event) => event.key === "Enter" && lookAtDealt());
  return { open, clear };
}

function ofBoard({ valid }) {
  return [h("p", { class: valid ? "notice" : "notice warning" }, valid ? t("boards.yes") : t("boards.no"))];
}

function ofPlays({ plays }) {
  const rows = plays.map(({ move, words, valid }) => h("tr", { class: valid ? "" : "junk" },
    h("th", { scope: "row" }, move), h("td", {}, words.join(", ")),
    h("td", {}, valid ? t("boards.play-yes") : t("boards.play-no"))));
  const titles = ["play", "play-words", "play-verdict"].map((name) => t(`boards.${name}`));
  return [scrollable(t("boards.plays"), h("table", {}, tableHead(titles), h("tbody", {}, rows)))];
}
