// The rules and books of the home check: chosen by the player, remembered on the player's device.

import { byId } from "./dom.js";
import * as books from "./book-store.js";
import { get, put } from "./indexed-db.js";
import { t } from "./texts.js";

const STORAGE_KEY = "home.settings";
const KINDS = ["dictionary", "reference"];
const DEFAULT = { rules: "scrabble-i", edition: "print", how: "two-books", source: "service" };

/**
 * Show the choices made here before, and listen for changes.
 *
 * @param {{onChange: (change: {forget: boolean}) => void}} given `onChange` is called after a change; `forget` is true
 *   where answers given so far were of another book
 * @returns {Promise<{rules: string, edition: string, isExclusion: boolean, isByService: boolean, books: object}>}
 *   always as they are now
 */
export async function initSettings({ onChange }) {
  const settings = { books: { dictionary: null, reference: null } };
  applySettings(settings, { ...DEFAULT, ...(await get(STORAGE_KEY)) });
  const chosen = (forget) => { draw(settings); onChange({ forget }); };
  rulesField().addEventListener("change", () => choose(settings, { rules: rulesField().value }, chosen));
  for (const name of ["edition", "how", "source"]) {
    for (const radio of radios(name)) {
      radio.addEventListener("change", () => choose(settings, { [name]: radio.value }, chosen));
    }
  }
  for (const kind of KINDS) await bindBookInput(settings, kind, chosen);
  draw(settings);
  return settings;
}

const rulesField = () => byId("rules");
const radios = (name) => document.querySelectorAll(`#settings input[data-of="${name}"]`);

function applySettings(settings, { rules, edition, how, source }) {
  Object.assign(settings, {
    rules, edition, how, source, isExclusion: how === "exclusion", isByService: source === "service",
  });
}

async function choose(settings, change, chosen) {
  applySettings(settings, { ...settings, ...change });
  const { rules, edition, how, source } = settings;
  chosen("edition" in change);
  await put(STORAGE_KEY, { rules, edition, how, source });
}

/** Bind the controls of one book: its description, a file to keep, a button to remove it. */
async function bindBookInput(settings, kind, chosen) {
  const { input, remove, fault, status } = parts(kind);
  const open = async () => { settings.books[kind] = await books.open(kind); };
  await open();
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    input.disabled = true;
    fault.textContent = "";
    status.textContent = t("home.reading", { name: file.name });
    const outcome = await books.load(kind, file);
    if (!outcome.fault) await open();
    input.value = "";
    input.disabled = false;
    status.textContent = outcome.fault ? "" : t("home.read");
    fault.textContent = outcome.fault ? faultOf(file.name, outcome.fault) : "";
    if (!outcome.fault) chosen(true);
  });
  remove.addEventListener("click", async () => {
    await books.remove(kind);
    settings.books[kind] = null;
    fault.textContent = "";
    status.textContent = t("home.removed");
    input.focus();
    chosen(true);
  });
}

function faultOf(name, { line, expected, found }) {
  return t(`home.fault-${expected}`, { name, line, found });
}

function parts(kind) {
  const place = byId(kind);
  const [fault, status] = ["fault", "status"].map((name) => place.querySelector(`[data-${name}]`));
  return {
    fault, status, input: place.querySelector("input[type=file]"), has: place.querySelector(".has"),
    remove: place.querySelector(".has button"), about: place.querySelector(".has span"),
  };
}

function draw(settings) {
  rulesField().value = settings.rules;
  for (const name of ["edition", "how", "source"]) {
    for (const radio of radios(name)) radio.checked = radio.value === settings[name];
  }
  const { isExclusion, rules } = settings, isDover = rules === "dover", isRegular = rules === "classic";
  byId("edition").hidden = !isDover || isExclusion;
  byId("how").hidden = isRegular;
  byId("dictionary").hidden = isExclusion || isRegular;
  byId("source").hidden = Boolean(settings.books.reference);
  for (const kind of KINDS) drawBook(kind, settings.books[kind]?.about);
  byId("in-force").textContent = describeRules(settings);
}

function drawBook(kind, about) {
  const { has, about: text } = parts(kind);
  has.hidden = !about;
  text.textContent = about ? t("home.has", describeBook(about)) : "";
}

function describeBook({ name, words, bytes, at }) {
  const kilobytes = t("home.kilobytes", { n: Math.ceil(bytes / 1e3) });
  const size = bytes < 1e6 ? kilobytes : t("home.megabytes", { n: (bytes / 1e6).toFixed(1) });
  return { name, words: words.toLocaleString(), size, date: new Date(at).toLocaleDateString() };
}

function describeRules({ rules, edition, isExclusion }) {
  const title = rulesField().selectedOptions[0].textContent;
  if (isExclusion && rules !== "classic") return t("home.in-force-exclusion", { title });
  return rules === "dover" ? t(`home.in-force-${edition}`, { title }) : title;
}
