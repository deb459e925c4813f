// The games on this device: continue one, save its record, or delete it.

import { summaryOf, currentState } from "./game.js";
import { decodeRecord } from "./game-steps.js";
import { showRecord } from "./game-viewer.js";
import { confirm, faultLine, field } from "./keep-dialogs.js";
import { deleteGame, loadGames, lastEventTime } from "./keep-store.js";
import { exampleGame } from "./keep-example.js";
import { titleOf } from "./option-text.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";

/** Show all games; `notice` says why a game is not shown. */
export async function showList(app, notice = "") {
  const { root, go } = app, { signal } = app.shown, games = await loadGames();
  if (signal.aborted) return;
  const lines = games.map((game) => line(app, game));
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, t("base.keep")),
    h("div", { class: lines.length ? "" : "columns even" },
      h("div", {},
        h("p", {}, t("keep.about")), h("p", { class: "notice warning", role: "status", hidden: !notice }, notice),
        h("p", {}, button(t("keep.new"), () => go("new"), "main")),
        h("h2", {}, t("keep.games")),
        lines.length ? h("ul", { class: "games" }, lines) : h("p", {}, t("keep.no-games")),
        h("p", { class: "hint" }, t("keep.kept-here")),
        recordField(app.published),
        h("p", { class: "hint" }, `${t("keep.at-a-club")} `, h("a", { href: "/station" }, t("station.title")))),
      lines.length ? "" : exampleGame(app)),
  );
}

/** Return the field that opens a record of any game. */
function recordField(published) {
  const file = h("input", { type: "file", accept: ".gcg,text/plain" }), fault = faultLine();
  file.addEventListener("change", async () => {
    const text = decodeRecord(new Uint8Array(await file.files[0].arrayBuffer()));
    fault.textContent = await showRecord(published, text) ? "" : t("steps.no-record");
    file.value = "";
  });
  return h("div", {}, field(t("steps.open-record"), file, t("steps.record-hint")), fault);
}

function line(app, game) {
  const title = game.players.join(", "), shown = shownOf(app.published, game);
  const forget = async () => {
    if (!(await confirm(t("keep.delete-title"), t("keep.delete-text", { title }), t("keep.delete")))) return;
    await deleteGame(game.id);
    await showList(app);
  };
  return gameLine(game.id, title, [shown, titleOf(app.published, game.rules), dayOf(lastEventTime(game))], forget);
}

/** Return the line of a kept game: its players, which lead to it, what is known of it, and the button that deletes it. */
export function gameLine(id, title, about, forget) {
  return h("li", {},
    h("div", {}, h("a", { href: `#${id}` }, title), h("p", { class: "hint" }, about.join(" \u00b7 "))),
    h("button", { type: "button", "aria-label": t("keep.delete-game", { title }), onclick: forget }, t("keep.delete")));
}

/** Return the scores, and whether the game is over. */
function shownOf(published, game) {
  const state = currentState(published, game);
  if (!state) return t("keep.unreadable");
  const { scores, phase, turn } = summaryOf(state);
  return `${scores.join(" : ")} · ${phase === "over" ? t("keep.is-over") : t("keep.turn", { n: turn })}`;
}

export function dayOf(at) {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
