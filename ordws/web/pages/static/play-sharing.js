// Links that are passed on, and codes that are kept: shared by the device, copied, or scanned.

import { button, h } from "./dom.js";
import { qrPicture } from "./qr-code.js";
import { t } from "./texts.js";

const ROOM_FOR_CODES = "(min-width: 40rem)";
const THIS_DEVICE = ["localhost", "127.0.0.1", "[::1]"];

/** Return whether the links of this page lead to this device alone. */
export function isThisDevice() {
  return THIS_DEVICE.includes(location.hostname);
}

export function gameAddress(game, fragment = "") {
  return `${location.origin}/play/${game}${fragment}`;
}

/** Return a link that another player is to get: its buttons, its text, and its QR code. */
export function linkToShare({ title, link, text, qr }) {
  const told = h("span", { class: "hint", role: "status" }), copy = copyButton(t("play.copy-link"), link, told);
  const offer = () => navigator.share({ text, url: link }).catch(() => {});
  const share = navigator.share && button(t("play.share"), offer, "main");
  if (!share) copy.classList.add("main");
  return h("div", { class: "to-share" },
    title && h("h3", {}, title),
    h("p", { class: "actions" }, ...[share, copy].filter(Boolean), told),
    h("p", { class: "link" }, link),
    qrDetails(t("play.qr-show"), link, qr, matchMedia(ROOM_FOR_CODES).matches));
}

/** Return the panel of a seat's recovery code, with one sentence that says what it is for. */
export function recoveryPanel({ game, recovery }) {
  const told = h("span", { class: "hint", role: "status" });
  const link = gameAddress(game, `#code=${recovery}`);
  return h("section", { class: "sheet recovery", "aria-labelledby": "recovery" },
    h("h2", { id: "recovery" }, t("play.code-yours")), h("p", {}, t("play.code-means")),
    h("p", { class: "actions" },
      h("code", { class: "code" }, recovery), copyButton(t("play.copy"), recovery, told), told),
    qrDetails(t("play.code-open"), link, t("play.code-qr"), false, t("play.code-scan")));
}

function copyButton(label, text, told) {
  return button(label, async () => {
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    told.textContent = isCopied ? t("play.copied") : t("play.copy-failed");
  });
}

/** Return a QR code of a link, which nobody can use where it leads to this device alone. */
function qrDetails(summary, link, alt, isOpen, hint = "") {
  if (isThisDevice()) return null;
  return h("details", { open: isOpen }, h("summary", {}, summary), hint && h("p", { class: "hint" }, hint),
    h("img", { class: "qr", src: qrPicture(link), alt, width: 180, height: 180 }));
}
