// The games on this station: go on with one, begin another, send what could not be sent.

import { dayOf, gameLine } from "./keep-list.js";
import { summaryOf } from "./game.js";
import { confirm } from "./keep-dialogs.js";
import { lockGame } from "./keep-store.js";
import { endTableMode, isLocked, openTableModeDialog } from "./judge-table-mode.js";
import { titleOf } from "./option-text.js";
import { deleteStored, loadAllStored, openBook } from "./station-book.js";
import { boundGames, findBound, placeOf } from "./station-bound.js";
import { findStation } from "./station-device.js";
import { isDirector } from "./station-director.js";
import { isReady, keepLateVerdicts, sendGame } from "./station-judge.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";

/** Show all games; `notice` says why a game is not shown. */
export async function showStationList(app, notice = "") {
  const { root, go, published } = app, { signal } = app.shown;
  const [{ device, why }, stored] = await Promise.all([findStation(), loadAllStored()]);
  const bound = device ? await findBound() : [];
  if (signal.aborted) return;
  const books = stored.map((each) => openBook(published, each)), redraw = () => signal.aborted || showStationList(app);
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, t("station.title")),
    h("p", {}, t("station.about")), h("p", { class: "notice warning", role: "status", hidden: !notice }, notice),
    pairingLine(device, why), boundGames(app, bound, books) ?? "",
    h("p", { class: "actions" },
      device && button(t("keep.new"), () => go("new"), "main"), tableModeButton(redraw)),
    h("h2", {}, t("station.games")),
    books.length
      ? h("ul", { class: "games" }, books.map((book) => line(book, redraw)))
      : h("p", {}, t("station.no-games")),
  );
  catchUpAll(app, books, redraw);
}

function pairingLine(device, why) {
  if (device) return h("p", { class: "hint" }, t("station.paired", device));
  return h("p", { class: "notice" }, t(`station.${why}`), " ", h("a", { href: "/judge" }, t("station.to-pairing")));
}

function tableModeButton(redraw) {
  if (!isLocked()) return button(t("judge.table-mode"), () => openTableModeDialog(redraw));
  return button(t("judge.leave-table-mode"), async () => {
    if (!(await isDirector())) return;
    await endTableMode();
    redraw();
  });
}

function line(book, redraw) {
  const { stored } = book, title = stored.players.join(", ");
  const place = stored.bound ? [placeOf(stored.bound)] : [];
  const about = [...place, describeState(book), titleOf(book.published, stored.rules), dayOf(stored.begun)];
  const forget = async () => {
    const text = stored.sent ? t("keep.delete-text", { title }) : t("station.delete-unsent", { title });
    if (!(await confirm(t("keep.delete-title"), text, t("keep.delete")))) return;
    if (!stored.sent && !(await isDirector())) return;
    await deleteStored(stored.id);
    await redraw();
  };
  return gameLine(stored.id, title, about, forget);
}

function describeState(book) {
  const { scores, phase, turn } = summaryOf(book.states.at(-1)), { sent } = book.stored;
  const whereItIs = sent ? t(`station.${sent.outcome}`) : isReady(book) ? t("station.not-sent") : t("station.open");
  return `${scores.join(" : ")} \u00b7 ${phase === "over" ? whereItIs : t("keep.turn", { n: turn })}`;
}

/** Ask for the late verdicts of the games that are open in no window, and send those that are finished. */
async function catchUpAll(app, books, redraw) {
  const { signal } = app.shown;
  window.addEventListener("online", redraw, { signal, once: true });
  let isChanged = false;
  for (const book of books.filter(({ stored }) => !stored.sent)) {
    const lock = new AbortController();
    if (await lockGame(book.stored.id, lock.signal)) {
      const before = book.stored;
      await keepLateVerdicts(book);
      if (isReady(book)) await sendGame(book);
      isChanged ||= book.stored !== before;
    }
    lock.abort();
  }
  if (isChanged && !signal.aborted) await redraw();
}
