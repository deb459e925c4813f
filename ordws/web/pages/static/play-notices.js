// Notices of the browser that it is one's turn, while the page is out of sight: with the names of the players, and without
// a word or a rack. They are switched on here, and the browser asks for its permission then.

import { showInDialog } from "./keep-dialogs.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const ON = "ordws.play.notices";

/** Return what notices are: "on", "off", "denied" by the browser, or "insecure" or "none" where it has none here. */
export function noticeState({ isSecureContext: isSecure, Notification: notices }, isOn) {
  if (!isSecure) return "insecure";
  if (!notices) return "none";
  if (notices.permission === "denied") return "denied";
  return isOn && notices.permission === "granted" ? "on" : "off";
}

export function stateNow() {
  return noticeState(globalThis, localStorage.getItem(ON) !== null);
}

/** Switch notices on or off; where there can be none, say why, and what the page does instead. */
export async function switchNotices() {
  if (stateNow() === "on") {
    localStorage.removeItem(ON);
    return;
  }
  if (stateNow() === "off" && (await Notification.requestPermission()) === "granted") localStorage.setItem(ON, "yes");
  const state = stateNow();
  if (state === "on" || state === "off") return;
  const texts = [t(`play-table.notices-${state}`), t("play-table.notices-instead")];
  await showInDialog(t("play-table.notices"), texts.map((text) => h("p", {}, text)));
}

/** Show a notice that it is one's turn in a game of these names, where the page is out of sight; it replaces the last. */
export async function notifyTurn(names, game) {
  if (stateNow() !== "on" || !document.hidden) return;
  const title = t("play-table.notice-title"), options = { body: t("play-table.title", { names }), tag: `ordws-${game}` };
  const worker = await navigator.serviceWorker?.getRegistration();
  // Phones show only notices of a service worker.
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options).addEventListener("click", () => window.focus());
}
