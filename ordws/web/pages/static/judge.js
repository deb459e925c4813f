// The word judge: the order of its screens. Words live in the screen that shows them, and nowhere else.

import { showOspdCheck } from "./judge-ospd-check.js";
import { button, h } from "./dom.js";
import { initTableMode } from "./judge-table-mode.js";
import { showPairing, takeCodeFromUrl } from "./judge-pairing.js";
import { describeRules, typedWords, showCount, showVerdict } from "./judge-screens.js";
import { optionsOf, readSettings } from "./judge-settings.js";
import { keepAwake } from "./judge-feedback.js";
import { createStage } from "./judge-stage.js";
import { describeError, showError } from "./judge-errors.js";
import { rulesOf } from "./rules.js";
import { showTwoLetterList } from "./judge-two-letter-list.js";
import { fetchJson, requestVerdict, getPairing, forgetPairing } from "./api.js";
import { t } from "./texts.js";

const TIMEOUT_MS = 10_000;
const code = takeCodeFromUrl();
initTableMode();
const published = await (await fetch("/app/rules.json")).json(), ruleSets = published.rules;

const table = {
  stage: createStage(document.getElementById("stage"), () => table.toCount()),
  settings: readSettings(ruleSets),
  ruleSets,
  place: null,
  rules: () => rulesOf(published, table.settings.rules, optionsOf(table.settings)),
  toCount: () => showCount(table),
  toVerdict,
  toCheck: (words) => showOspdCheck(table, words),
  sendRequest,
  begin,
  forget,
  showFoot,
};

/**
 * Have words judged. Words on the published list of disallowed words need no request: the play is taken back
 * (docs/rules.md 6.7).
 */
function toVerdict(words) {
  const struck = new Set(table.rules().disallowed_words);
  if (words.some((word) => struck.has(word))) return showVerdict(table, words, { valid: false, isStruck: true });
  const key = crypto.randomUUID();
  const options = optionsOf(table.settings);
  const send = (signal) => requestVerdict(words, table.settings.rules, { key, signal, options });
  return sendRequest(words, send, (answer) => showVerdict(table, words, answer));
}

/**
 * Send a request about words and show its reply; after a failure the same request may be repeated, and is charged once.
 */
async function sendRequest(words, send, onReply) {
  const ended = table.stage.show({
    name: "asking", isPrivate: true, keys: (event) => event.key === "Escape" && table.toCount(),
    body: [h("h1", {}, t("judge.judging")), typedWords(words)],
  });
  const reply = await send(AbortSignal.any([ended, AbortSignal.timeout(TIMEOUT_MS)]));
  if (ended.aborted) return;
  if (reply.status === 200) onReply(reply.body);
  else if (reply.status === 401) endPairing();
  else showError(table, words, reply, () => sendRequest(words, send, onReply));
}

/** Get the pairing of this device, and begin. */
async function begin() {
  const reply = await getPairing();
  table.place = reply.body?.edition ? reply.body : null;
  showFoot();
  if (reply.status === 200) table.toCount();
  else if (reply.status === 401) showPairing(table);
  else showUnavailable(reply);
}

/** Pair this device by a code from a link, at once where it is not paired. */
async function pairByLink(given) {
  const { status, body } = await getPairing();
  const notice = status === 401 ? "" : t("judge.pair-anew", { table: body?.table || t("judge.pair-another") });
  showPairing(table, { code: given, notice });
}

function endPairing() {
  forgetPairing();
  table.place = null;
  showFoot();
  showPairing(table, { notice: t("judge.pairing-ended") });
}

async function forget() {
  const reply = await fetchJson("POST", "/v1/device/forget", {});
  if (reply.status === 200 || reply.status === 401) endPairing();
  else showUnavailable(reply);
}

function showUnavailable(reply) {
  const { title, text } = describeError(reply);
  const again = button(t("judge.try-again"), begin, "main");
  table.stage.show({
    name: "closed",
    body: [
      h("div", { role: "alert" }, h("h1", {}, title), h("p", {}, text)), h("p", { class: "actions" }, again),
    ],
  });
}

function showFoot() {
  const { table: name, edition } = table.place ?? {};
  document.getElementById("place").textContent = [name, edition, ...describeRules(table)].filter(Boolean).join(" · ");
}

const openTwoLetterList = () => showTwoLetterList(table.rules());
document.getElementById("twos").addEventListener("click", openTwoLetterList);
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest("input, dialog")) openTwoLetterList();
});
window.addEventListener("online", () => document.documentElement.dataset.screen === "closed" && begin());
window.addEventListener("hashchange", () => {
  const given = takeCodeFromUrl();
  if (given) pairByLink(given);
});
keepAwake();
showFoot();
if (code) await pairByLink(code);
else await begin();
