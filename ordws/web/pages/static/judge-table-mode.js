// Table mode: the judge fills the screen until somebody enters the pass-phrase. It survives a reload.

import { button, h } from "./dom.js";
import { t } from "./texts.js";

const STORAGE_KEY = "ordws.judge.table";
const PBKDF2_ITERATIONS = 600_000;
const SHORTEST = 4;

export const isLocked = () => localStorage.getItem(STORAGE_KEY) !== null;

/** Show the page as its mode requires, and keep it so. */
export function initTableMode() {
  showMode();
  document.addEventListener("contextmenu", (event) => isLocked() && event.preventDefault());
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, fillScreen);
  document.addEventListener("fullscreenchange", passEscape);
}

function showMode() {
  document.documentElement.dataset.mode = isLocked() ? "table" : "open";
}

/** Request full screen; browsers allow this only in answer to a key or touch, so that a reload waits for the next. */
function fillScreen(event) {
  if (!isLocked() || document.fullscreenElement || event?.key === "Escape") return;
  document.documentElement.requestFullscreen?.({ navigationUI: "hide" })
    .then(() => navigator.keyboard?.lock?.(["Escape"])).catch(() => {});
}

/** Send Escape to the page where the browser ends full screen by it without a key event. */
function passEscape() {
  if (!isLocked() || document.fullscreenElement) return;
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
}

/** Ask for a pass-phrase, and begin table mode with it. */
export function openTableModeDialog(onLocked) {
  const [first, again] = [phraseField("phrase", t("judge.phrase")), phraseField("again", t("judge.phrase-again"))];
  const fault = h("p", { class: "fault", role: "alert" });
  const begin = async () => {
    const phrase = first.lastChild.value;
    if (phrase.length < SHORTEST) fault.textContent = t("judge.phrase-short", { n: SHORTEST });
    else if (phrase !== again.lastChild.value) fault.textContent = t("judge.phrase-differs");
    else {
      dialog.close();
      await lock(phrase);
      onLocked();
    }
  };
  const dialog = h("dialog", {
    "aria-labelledby": "lock-title", onclose: () => dialog.remove(), onkeydown: onEnter(begin),
  },
    h("h2", { id: "lock-title" }, t("judge.table-mode")),
    h("p", {}, t("judge.about-table-mode")), first, again, h("p", { class: "hint" }, t("judge.forgotten")), fault,
    h("p", { class: "end" },
      button(t("judge.cancel"), () => dialog.close()),
      button(t("judge.begin-table-mode"), begin, "main")));
  document.body.append(dialog);
  dialog.showModal();
}

async function lock(phrase) {
  const salt = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const hash = await digest(phrase, salt, PBKDF2_ITERATIONS);
  // The number of rounds is stored too, so that a device locked by an earlier version can be unlocked by a later one.
  const { pathname: page } = location;
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ salt, rounds: PBKDF2_ITERATIONS, hash, page }));
  showMode();
  fillScreen();
}

/** Return whether this is the pass-phrase of table mode. */
export async function isPhrase(phrase) {
  const { salt, rounds, hash } = JSON.parse(localStorage.getItem(STORAGE_KEY));
  return (await digest(phrase, salt, rounds)) === hash;
}

/** End table mode, if this is its pass-phrase; return whether it is. */
async function unlock(phrase) {
  if (!(await isPhrase(phrase))) return false;
  await endTableMode();
  return true;
}

/** End table mode; whoever calls this has checked the pass-phrase. */
export async function endTableMode() {
  localStorage.removeItem(STORAGE_KEY);
  showMode();
  navigator.keyboard?.unlock?.();
  if (document.fullscreenElement) await document.exitFullscreen();
}

async function digest(phrase, salt, iterations) {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", bytes.encode(phrase), "PBKDF2", false, ["deriveBits"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt: bytes.encode(salt), iterations };
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.deriveBits(how, key, 256))));
}

/** Ask for the pass-phrase, with a short time limit. */
export function showUnlock(table) {
  const field = phraseField("leave", t("judge.phrase"));
  const input = field.lastChild;
  input.dataset.focus = "";
  const fault = h("p", { class: "fault", role: "alert" });
  const leave = async () => {
    if (input.disabled || !input.value) return;
    input.disabled = true;
    const isRight = await unlock(input.value);
    input.value = "";
    if (signal.aborted) return;
    if (isRight) return table.toCount();
    fault.textContent = t("judge.wrong-phrase");
    table.stage.after(table.settings.seconds.pause, () => showUnlock(table));
  };
  const signal = table.stage.show({
    name: "leave", isPrivate: true, keys: (event) => event.key === "Escape" && table.toCount(),
    body: [
      h("h1", {}, t("judge.leave-table-mode")), field, fault,
      h("p", { class: "actions" },
        button(t("judge.leave"), leave, "main"),
        button(t("judge.back"), table.toCount)),
    ],
  });
  input.addEventListener("keydown", onEnter(leave));
  table.stage.after(table.settings.seconds.leave, table.toCount);
}

/**
 * Return a listener that acts on Enter alone and stops it, or it would also press the button that gets the focus back.
 */
function onEnter(act) {
  return (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    act();
  };
}

function phraseField(id, text) {
  return h("p", {}, h("label", { for: id }, text),
    h("input", {
      id, type: "password", autocomplete: "off", autocorrect: "off", autocapitalize: "off", spellcheck: "false",
    }));
}
