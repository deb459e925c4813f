// The settings of a director on this device: the rule set, the words of the club, the timings, sound and vibration.

import { showInDialog } from "./keep-dialogs.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";

const STORAGE_KEY = "ordws.judge";

/** The timings in seconds: the default and the bounds of each. */
const TIMINGS = {
  shown: { usual: 0.75, least: 0.25, most: 5 },
  idle: { usual: 15, least: 5, most: 120 },
  stays: { usual: 0.5, least: 0.25, most: 10 },
  clears: { usual: 10, least: 3, most: 120 },
  leave: { usual: 10, least: 5, most: 60 },
  pause: { usual: 1.5, least: 0.5, most: 10 },
};
/** The lists of a club's own words: allowed, not allowed, and its own two-letter words (docs/rules.md 6.10). */
const OWN_WORDS = ["allow", "strike", "twos"];
const MAX_OWN_WORDS = 50;
const MAX_OWN_TWOS = 200;
const OWN_WORD = { allow: /^[A-Z]{2,21}$/, strike: /^[A-Z]{2,21}$/, twos: /^[A-Z]{2}$/ };
const DEFAULT_SECONDS = Object.fromEntries(Object.entries(TIMINGS).map(([name, { usual }]) => [name, usual]));

/** Read the settings of this device; a setting that is missing or out of bounds gets its default. */
export function readSettings(ruleSets) {
  const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
  return {
    rules: kept.rules in ruleSets ? kept.rules : "scrabble-i",
    ownWords: Object.fromEntries(OWN_WORDS.map((name) => [name, readOwnWords(name, kept.ownWords?.[name]) ?? []])),
    sound: kept.sound ?? true,
    vibration: kept.vibration ?? true,
    seconds: { ...DEFAULT_SECONDS, ...Object.fromEntries(Object.entries(kept.seconds ?? {}).filter(isWithin)) },
  };
}

/** Keep the settings on this device. */
export function writeSettings(settings) {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
}

/** Return the words of a list, in capitals and each once; null where one is none, or there are too many. */
function readOwnWords(name, words) {
  if (!Array.isArray(words)) return null;
  const list = [...new Set(words.map((word) => String(word).toUpperCase()))].sort();
  const most = name === "twos" ? MAX_OWN_TWOS : MAX_OWN_WORDS;
  return list.length <= most && list.every((word) => OWN_WORD[name].test(word)) ? list : null;
}

/** Return the options of the rule set that the club's words are, for requests and for the published lists. */
export function optionsOf({ ownWords }) {
  return Object.fromEntries(OWN_WORDS.filter((name) => ownWords[name].length).map((name) => [name, ownWords[name]]));
}

/** Return what is shown of the club's own words; empty where it has none. */
export function ownWordsText(ownWords) {
  return OWN_WORDS.filter((name) => ownWords[name].length)
    .map((name) => t(`judge.own-${name}`, { words: ownWords[name].join(" "), n: ownWords[name].length })).join(" ");
}

function isWithin([name, value]) {
  return name in TIMINGS && TIMINGS[name].least <= value && value <= TIMINGS[name].most;
}

/** Let a director change the settings, each saved at once; `onForget` unpairs this device, `onClose` shows the rest. */
export async function openSettingsDialog(settings, onForget, onClose) {
  const keep = () => writeSettings(settings);
  const usual = () => {
    Object.assign(settings.seconds, DEFAULT_SECONDS);
    keep();
    for (const name in TIMINGS) document.getElementById(`seconds-${name}`).value = DEFAULT_SECONDS[name];
  };
  const forget = ({ target }) => {
    target.closest("dialog").close();
    onForget();
  };
  await showInDialog(t("judge.settings"), [
    tick("sound", settings, keep), tick("vibration", settings, keep),
    h("h3", {}, t("judge.own-words")), h("p", { class: "hint" }, t("judge.about-own-words")),
    ...OWN_WORDS.map((name) => ownWordsField(name, settings, keep)),
    h("h3", {}, t("judge.timings")),
    ...Object.keys(TIMINGS).map((name) => seconds(name, settings.seconds, keep)),
    h("p", {}, button(t("judge.as-usual"), usual)),
    h("h3", {}, t("judge.this-device")), h("p", {}, button(t("judge.forget"), forget)),
  ], t("judge.done"), "settings");
  onClose();
}

function tick(name, settings, keep) {
  const change = (event) => ((settings[name] = event.target.checked), keep());
  const box = h("input", { type: "checkbox", checked: settings[name], onchange: change });
  return h("p", {}, h("label", {}, box, t(`judge.with-${name}`)));
}

function ownWordsField(name, settings, keep) {
  const id = `own-${name}`, fault = h("p", { class: "fault", role: "alert" });
  const change = ({ target }) => {
    const words = readOwnWords(name, target.value.split(/[\s,;]+/).filter(Boolean));
    const others = name === "allow" ? settings.ownWords.strike : name === "strike" ? settings.ownWords.allow : [];
    const both = (words ?? []).filter((word) => others.includes(word));
    if (!words) fault.textContent = t(`judge.bad-${name}`, { n: MAX_OWN_WORDS });
    else fault.textContent = both.length ? t("judge.both-lists", { words: both.join(" ") }) : "";
    if (fault.textContent) return;
    settings.ownWords[name] = words;
    target.value = words.join(" ");
    keep();
  };
  return h("div", { class: "own" }, h("label", { for: id }, t(`judge.field-${name}`)),
    h("input", {
      id, value: settings.ownWords[name].join(" "), onchange: change, autocomplete: "off", autocorrect: "off",
      autocapitalize: "characters", spellcheck: "false",
    }), fault);
}

function seconds(name, settings, keep) {
  const { least, most } = TIMINGS[name];
  const change = (event) => {
    if (isWithin([name, event.target.valueAsNumber])) settings[name] = event.target.valueAsNumber;
    event.target.value = settings[name];
    keep();
  };
  return h("p", { class: "seconds" },
    h("label", { for: `seconds-${name}` }, t(`judge.seconds-${name}`)),
    h("input", {
      id: `seconds-${name}`, type: "number", min: least, max: most, step: 0.25, value: settings[name], onchange: change,
      autocomplete: "off", inputmode: "decimal",
    }),
    h("span", { class: "hint" }, t("judge.from-to", { least, most })));
}
