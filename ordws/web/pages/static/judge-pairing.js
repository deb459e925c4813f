// The pairing of this device by a director's one-time code.

import { registerKey } from "./device-key.js";
import { button, h } from "./dom.js";
import { describeError, formatTime } from "./judge-errors.js";
import { pairDevice } from "./api.js";
import { t } from "./texts.js";

const CODE_IN_HASH = /^#pair=([^&]*)/;

/** Return the code in the address, and remove it from there at once; null where there is none. */
export function takeCodeFromUrl() {
  const found = CODE_IN_HASH.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", location.pathname);
  return found[1];
}

/**
 * Ask for a code, or send the code from the address; `notice` says why this device is not paired any more, or that it is
 * paired: then the code is sent by a tap alone, since a link of anybody could take the device out of its club.
 */
export function showPairing(table, { code = "", notice = "" } = {}) {
  const fault = h("p", { class: "fault", role: "alert" });
  const field = h("input", {
    id: "code", class: "code", maxlength: 20, autocomplete: "off", autocorrect: "off", autocapitalize: "characters",
    spellcheck: "false", "data-focus": true,
  });
  const pair = button(t("judge.pair"), () => send(), "main");
  const send = async () => {
    if (pair.disabled || !field.value.trim()) return;
    pair.disabled = true;
    const reply = await pairDevice(field.value);
    if (signal.aborted) return;
    pair.disabled = false;
    if (reply.status === 200) {
      // The key is for table stations; a device without one registers it before its first game there.
      registerKey().catch(() => {});
      table.begin();
    } else fault.textContent = describeFailure(reply);
  };
  field.value = code;
  field.addEventListener("keydown", (event) => event.key === "Enter" && send());
  const signal = table.stage.show({
    name: "pairing",
    body: [
      h("h1", {}, t("judge.pair-this")), notice && h("p", { class: "notice warning", role: "status" }, notice),
      h("p", {}, t("judge.about-pairing")),
      h("p", {}, h("label", { for: "code" }, t("judge.code")), field, pair), fault,
      h("p", { class: "hint" }, t("judge.about-code")),
      h("div", { class: "elsewhere" },
        h("h2", {}, t("judge.no-code")), h("p", {}, t("judge.about-no-code")),
        h("ul", {}, h("li", {}, h("a", { href: "/director" }, t("judge.to-director"))),
          h("li", {}, h("a", { href: "/home" }, t("judge.to-home"))))),
    ].filter(Boolean),
  });
  if (code && !notice) send();
}

function describeFailure(reply) {
  if (reply.status === 403 || reply.status === 400) return t("judge.bad-code");
  if (reply.status === 429) return t("judge.guesses", { when: formatTime(reply.wait) });
  return describeError(reply).text;
}
