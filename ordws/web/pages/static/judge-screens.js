// The first and the last screen of a challenge: the number of words, and the verdict.

import { button, h } from "./dom.js";
import { showEntry } from "./judge-entry.js";
import { prepareSound, signalVerdict } from "./judge-feedback.js";
import { isLocked, openTableModeDialog, showUnlock } from "./judge-table-mode.js";
import { openSettingsDialog, ownWordsText, writeSettings } from "./judge-settings.js";
import { t } from "./texts.js";

const MAX_WORDS = 8;
const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  yes: ["M50 6a44 44 0 1 0 0 88a44 44 0 1 0 0-88Z", "M27 52l16 17 31-36"],
  no: ["M32 6h36l26 26v36l-26 26h-36l-26-26v-36Z", "M32 32l36 36M68 32l-36 36"],
};

/** Return the line that says whose step a screen is, of the two persons of a challenge. */
export function step(number, person) {
  return h("p", { class: "step", "data-step": String(number) }, h("b", {}, person), " ", t("judge.step", { n: number }));
}

/** Ask the challenger for the number of challenged words. */
export function showCount(table) {
  const buttons = Array.from({ length: MAX_WORDS }, (_, at) => button(String(at + 1), () => choose(at + 1), "count"));
  let chosen = false;
  const choose = (count) => {
    if (chosen) return;
    chosen = true;
    prepareSound();
    buttons[count - 1].classList.add("chosen");
    table.stage.after(table.settings.seconds.shown, () => showEntry(table, count));
  };
  const offline = h("p", { class: "notice warning", role: "status" }, t("judge.offline"));
  const ended = table.stage.show({
    name: "count",
    keys: (event) => {
      if (/^[1-8]$/.test(event.key)) choose(Number(event.key));
      if (event.key === "Escape" && isLocked()) showUnlock(table);
    },
    body: [
      step(1, t("judge.challenger")), h("h1", {}, t("judge.how-many")),
      h("div", { class: "counts", role: "group", "aria-label": t("judge.words") }, buttons),
      offline, isLocked() ? lockedActions(table) : openActions(table),
    ],
  });
  const look = () => (offline.hidden = navigator.onLine);
  for (const kind of ["online", "offline"]) window.addEventListener(kind, look, { signal: ended });
  look();
}

function lockedActions(table) {
  return h("p", { class: "actions" },
    button(t("judge.leave-table-mode"), () => showUnlock(table), "quiet"));
}

function openActions(table) {
  const change = (event) => {
    table.settings.rules = event.target.value;
    writeSettings(table.settings);
    table.showFoot();
  };
  const options = Object.values(table.ruleSets).map(({ id, title }) =>
    h("option", { value: id, selected: id === table.settings.rules }, title));
  const showChanged = () => (table.showFoot(), table.toCount());
  const own = ownWordsText(table.settings.ownWords);
  return h("div", { class: "actions" },
    own && h("p", { class: "own hint" }, own),
    h("p", { class: "rules" }, h("label", { for: "rules" }, t("judge.rules")),
      h("select", { id: "rules", autocomplete: "off", onchange: change }, options)),
    button(t("judge.table-mode"), () => openTableModeDialog(table.toCount)),
    button(t("judge.settings"), () => openSettingsDialog(table.settings, table.forget, showChanged)));
}

/** Return the rule set's name, and that the club has words of its own, where it has. */
export function describeRules(table) {
  return [table.rules().title, ownWordsText(table.settings.ownWords) && t("judge.with-own-words")].filter(Boolean);
}

/** Show one verdict for the play, its words as they were typed, and never which of them failed. */
export function showVerdict(table, words, { valid, isStruck = false }) {
  const tone = valid ? "yes" : "no";
  const form = table.rules().check_ospd, canCheck = !valid && !isStruck && form !== "none";
  const check = canCheck && button(t(`judge.check-${form}`), () => table.toCheck(words));
  showResult(table, {
    name: "verdict", tone,
    body: [
      h("div", { class: "verdict", role: "alert" }, icon(tone),
        h("h1", {}, isStruck ? t("judge.disallowed") : valid ? t("judge.yes") : t("judge.no")),
        h("p", {}, isStruck ? t("judge.struck") : valid ? t("judge.acceptable") : t("judge.unacceptable"))),
      typedWords(words),
      h("p", { class: "faint" }, [table.place.edition, ...describeRules(table)].join(" · ")),
      canCheck && h("p", { class: "faint" }, t("judge.check-asks", { list: table.place.reference })),
    ],
    actions: check ? [check] : [],
  });
}

/** Return the words as they were typed. */
export function typedWords(words) {
  return h("ul", { class: "asked", "aria-label": t("judge.words-typed") }, words.map((word) => h("li", {}, word)));
}

/** Show and signal a result: it stays for a moment at least, and is cleared by a key, a touch, or a timer. */
export function showResult(table, { name, tone, body, actions }) {
  const { stays, clears } = table.settings.seconds;
  let hasStayed = false;
  const end = () => hasStayed && table.toCount();
  table.stage.show({
    name, tone, isPrivate: true, touched: end,
    keys: (event) => {
      if (event.key !== "Tab" && event.key !== "?" && !event.repeat) end();
    },
    body: [
      ...body.filter(Boolean),
      h("p", { class: "actions" }, actions, button(t("judge.clear"), end)),
    ],
  });
  table.stage.after(stays, () => (hasStayed = true));
  table.stage.after(clears, table.toCount);
  signalVerdict(tone === "yes", table.settings);
}

/** Return a tick in a disc, or a cross in an octagon. */
export function icon(tone) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", "0 0 100 100");
  drawn.setAttribute("aria-hidden", "true");
  for (const line of ICONS[tone]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", line);
    drawn.append(path);
  }
  return drawn;
}
