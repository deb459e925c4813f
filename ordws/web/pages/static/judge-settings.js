// The settings of a director on this device: the rule set, the timings, sound and vibration.

import { h } from "./dom.js";
import { t } from "./texts.js";

const STORAGE_KEY = "ordws.judge";

/** The timings in seconds: the default and the bounds of each. */
export const TIMINGS = {
  shown: { usual: 0.75, least: 0.25, most: 5 },
  idle: { usual: 15, least: 5, most: 120 },
  stays: { usual: 0.5, least: 0.25, most: 10 },
  clears: { usual: 10, least: 3, most: 120 },
  leave: { usual: 10, least: 5, most: 60 },
  pause: { usual: 1.5, least: 0.5, most: 10 },
};
const DEFAULT_SECONDS = Object.fromEntries(Object.entries(TIMINGS).map(([name, { usual }]) => [name, usual]));

/** Read the settings of this device; a setting that is missing or out of bounds gets its default. */
export function readSettings(ruleSets) {
  const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
  return {
    rules: kept.rules in ruleSets ? kept.rules : "scrabble-i",
    sound: kept.sound ?? true,
    vibration: kept.vibration ?? true,
    seconds: { ...DEFAULT_SECONDS, ...Object.fromEntries(Object.entries(kept.seconds ?? {}).filter(isWithin)) },
  };
}

/** Keep the settings on this device. */
export function writeSettings(settings) {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
}

function isWithin([name, value]) {
  return name in TIMINGS && TIMINGS[name].least <= value && value <= TIMINGS[name].most;
}

/** Let a director change the settings, each saved at once; `onForget` unpairs this device. */
export function openSettingsDialog(settings, onForget) {
  const keep = () => writeSettings(settings);
  const usual = () => {
    Object.assign(settings.seconds, DEFAULT_SECONDS);
    keep();
    for (const name in TIMINGS) dialog.querySelector(`#seconds-${name}`).value = DEFAULT_SECONDS[name];
  };
  const dialog = h("dialog", { class: "settings", "aria-labelledby": "settings-title", onclose: () => dialog.remove() },
    h("h2", { id: "settings-title" }, t("judge.settings")),
    tick("sound", settings, keep), tick("vibration", settings, keep),
    h("h3", {}, t("judge.timings")),
    Object.keys(TIMINGS).map((name) => seconds(name, settings.seconds, keep)),
    h("p", {}, h("button", { type: "button", onclick: usual }, t("judge.as-usual"))),
    h("h3", {}, t("judge.this-device")),
    h("p", {}, h("button", { type: "button", onclick: () => (dialog.close(), onForget()) }, t("judge.forget"))),
    h("p", { class: "end" },
      h("button", { type: "button", class: "main", onclick: () => dialog.close() }, t("judge.done"))),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function tick(name, settings, keep) {
  const change = (event) => ((settings[name] = event.target.checked), keep());
  const box = h("input", { type: "checkbox", checked: settings[name], onchange: change });
  return h("p", {}, h("label", {}, box, t(`judge.with-${name}`)));
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
