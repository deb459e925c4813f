// The actions of a director at a table station. Nothing stops its clocks; time is given back, with a reason.

import { isOver } from "./game.js";
import { isTimed } from "./keep-clock.js";
import { askForm, askOrCancel, confirm, field, selectPlayer, showInDialog, textField } from "./keep-dialogs.js";
import { chooseAction, leave, scoreActions } from "./keep-director.js";
import { isLocked, isPhrase } from "./judge-table-mode.js";
import { isClosed } from "./station-events.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const MAX_MINUTES = 120;
const MAX_REASON_LENGTH = 80;
const MINUTE_MS = 60_000;

/** Ask a director which action is taken, after the pass-phrase of table mode or, without it, a tap. */
export async function openStationDirector(table) {
  if (!(await isDirector())) return;
  const { state, book } = table, isOpen = !isOver(state);
  await chooseAction(table, [
    ...scoreActions(table),
    isTimed(table) && isOpen && [neutralise, t("station.neutralise")],
    isOpen && [leave, t("keep.leave")],
    state.phase.name === "over" && !isClosed(book.stored, book.chain) && [close, t("station.close-game")],
  ]);
}

/** Return whether a director is at the table: by the pass-phrase that began table mode, or a tap. */
export async function isDirector() {
  if (!isLocked()) return confirm(t("station.directors-only"), t("station.directors-tap"), t("station.i-am"));
  const phrase = h("input", { type: "password", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const body = [field(t("station.phrase"), phrase)];
  const given = await askOrCancel(t("station.directors-only"), body, t("station.continue"), () => phrase.value);
  if (given === null) return false;
  if (await isPhrase(given)) return true;
  const wrong = h("p", { role: "alert" }, t("station.wrong-phrase"));
  await showInDialog(t("station.directors-only"), [wrong], t("keep.understood"));
  return false;
}

/** Give time back to a player, with a reason. */
async function neutralise(table) {
  const player = selectPlayer(table.game.players), reason = reasonField();
  const minutes = h("input", {
    type: "number", inputmode: "decimal", autocomplete: "off", min: 0, max: MAX_MINUTES, step: "any",
  });
  const read = () => {
    const milliseconds = Math.round(Number(minutes.value) * MINUTE_MS);
    const isGiven = minutes.value && minutes.checkValidity() && milliseconds > 0 && reason.value.trim();
    return isGiven ? { player: Number(player.value), milliseconds, reason: reason.value.trim() } : null;
  };
  const event = await askForm(t("station.neutralise"), [
    h("p", {}, t("station.neutralise-text")), field(t("keep.who"), player),
    field(t("station.minutes"), minutes), field(t("keep.adjust-reason"), reason),
  ], t("station.neutralise-do"), { read, fault: t("station.neutralise-fault", { most: MAX_MINUTES }) });
  if (event) await table.commit({ kind: "neutralise", ...event });
}

/** Close a game that a player has not attested, with a reason. */
async function close(table) {
  const reason = reasonField();
  const text = await askForm(t("station.close-game"), [
    h("p", {}, t("station.close-text")), field(t("keep.adjust-reason"), reason),
  ], t("station.close-do"), { read: () => reason.value.trim() || null, fault: t("station.close-fault") });
  if (text) await table.append({ kind: "close", reason: text }, t("station.is-closed"));
}

function reasonField() {
  return textField({ maxlength: MAX_REASON_LENGTH, autocapitalize: "sentences" });
}
