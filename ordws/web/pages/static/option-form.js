// A form of all options of a rule set: in groups, each of which says what differs from the rule set.

import { field, select, textField } from "./keep-dialogs.js";
import { changedOptions, findFault, originalValue, parseOption } from "./options.js";
import { h } from "./dom.js";
import { describeValue, nameOf, shortNameOf, titleOf } from "./option-text.js";
import { rulesOf } from "./rules.js";
import { t } from "./texts.js";

const GROUPS = {
  equipment: ["board", "wings", "tiles", "scoop", "three_i_to_aeo", "rack_size", "layout"],
  scoring: ["premium", "small_word_cap", "big_play", "stretch", "stretch_from"],
  words: [
    "minimum", "challenge", "check_ospd", "two_letter_words", "twos", "disallowed_words", "offensive", "allow",
    "strike",
  ],
  play: ["swap", "exchange_min", "overdraw", "late_bad_play", "expose_final_rack", "most_players"],
  end: ["end", "scoreless_turns", "unplayed_tiles", "unplayed_tiles_round", "unplayed_reward", "ties"],
  time: ["clock", "clock_seconds", "overtime_points", "overtime_minutes"],
};
const HINTS = { layout: "layout", scoop: "scoop", twos: "twos", clock_seconds: "clock-seconds" };
const MINUTE = 60;
const REWARDS = [5, 10, 15, 20, 25, 30, 40, 50];

/**
 * Build the form of all options.
 *
 * @param {object} document `/app/rules.json`
 * @param {(form: object) => void} onChange called after a player changed an option
 * @returns {{groups: HTMLElement, clock: HTMLElement, show(id: string, given?: object): void,
 *   read(): {options: object} | {fault: string}, value(name: string): any}} `clock` holds the time for a player or a
 *   turn, which a page may put where it likes; `read` returns the options that differ from the rule set, or a sentence
 *   that says what is wrong
 */
export function createOptionForm(document, onChange = () => {}) {
  const groups = Object.keys(GROUPS).map((name) => buildGroup(name));
  const form = { document, id: "", given: {}, groups, fields: {}, clock: h("div", {}) };
  const root = h("div", { class: "options" }, groups.map(({ element }) => element));
  const changed = (event) => {
    const name = event.target.closest("[data-option]")?.dataset.option;
    if (!name) return;
    form.given = valuesOf(form);
    if (["layout", "clock"].includes(name)) redraw(form);
    showChanges(form);
    onChange(form);
  };
  for (const element of [root, form.clock]) element.addEventListener("change", changed);
  const show = (id, given = {}) => {
    Object.assign(form, { id, given });
    redraw(form);
    showChanges(form);
  };
  root.addEventListener("click", ({ target }) => {
    if (target.name !== "back") return;
    const names = GROUPS[target.value];
    show(form.id, Object.fromEntries(Object.entries(form.given).filter(([name]) => !names.includes(name))));
    onChange(form);
  });
  return { groups: root, clock: form.clock, show, read: () => read(form), value: (name) => valueOf(form, name) };
}

/** Return the choice of a rule set. */
export function selectRules(published, chosen = published.default) {
  return select(Object.keys(published.rules).map((id) => [id, titleOf(published, id)]), chosen);
}

function buildGroup(name) {
  const fields = h("div", { class: "fields" }), changes = h("span", { class: "changes" });
  const back = h("button", { type: "button", name: "back", value: name, disabled: true }, t("options.back"));
  const element = h("details", { class: "group" },
    h("summary", {}, h("b", {}, t(`options.group-${name}`)), " ", changes), fields, back);
  return { name, element, fields, changes, back };
}

/** Draw all controls anew, as what one option is decides what another may be. */
function redraw(form) {
  const infos = Object.fromEntries(form.document.options.map((info) => [info.name, info]));
  for (const { name, fields } of form.groups) {
    const names = GROUPS[name].filter((each) => each !== "clock_seconds");
    fields.replaceChildren(...names.map((each) => buildField(form, infos[each])));
  }
  form.clock.replaceChildren(buildField(form, infos.clock_seconds));
}

function valueOf({ document, id, given }, name) {
  if (name === "board") return rulesOf(document, id, given).layout.side;
  return given[name] ?? originalValue(document, id, name);
}

/** Return the field of an option; `form.fields` gets the function that reads it. */
function buildField(form, info) {
  const { name, kind } = info, value = valueOf(form, name), label = nameOf(name, valueOf(form, "clock"));
  const { element, get } = CONTROLS[kind](form, info, value, label);
  form.fields[name] = get;
  element.dataset.option = name;
  return element;
}

function withHint(label, control, { name, most }, key = HINTS[name]) {
  return field(label, control, key ? t(`options.hint-${key}`, { most }) : null);
}

const CONTROLS = {
  switch: (form, info, value, label) => {
    const box = h("input", { type: "checkbox", checked: value });
    return { element: h("p", { class: "field" }, h("label", {}, box, label)), get: () => box.checked };
  },
  choice: (form, info, value, label) => {
    const choices = info.values.map((each) => [each, describeValue(form.document, info.name, each)]);
    const control = select(choices, value);
    return { element: withHint(label, control, info), get: () => control.value };
  },
  reward: (form, info, value, label) => {
    const values = [...new Set([...info.values, ...REWARDS, value])];
    const control = select(values.map((each) => [String(each), describeValue(form.document, info.name, each)]), String(value));
    return { element: withHint(label, control, info), get: () => parseOption(form.document, info.name, control.value) };
  },
  number: (form, info, value, label) => {
    const unit = info.name === "clock_seconds" && valueOf(form, "clock") !== "turn" ? MINUTE : 1;
    const most = Math.floor(info.most / unit);
    const control = numberField(value / unit, info.least, most);
    const get = () => (control.value && control.checkValidity() ? Math.round(Number(control.value) * unit) : NaN);
    return { element: withHint(label, control, info), get };
  },
  words: (form, info, value, label) => {
    const control = textField({ value: value.join(", "), class: "listed" });
    const get = () => control.value.toUpperCase().split(/[\s,;]+/).filter(Boolean).sort();
    return { element: withHint(label, control, info, HINTS[info.name] ?? "words"), get };
  },
  layout: (form, info, value, label) => {
    const size = { rows: value.length + 1, cols: value.length + 2, wrap: "off" };
    const control = h("textarea", { ...size, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    control.value = value.join("\n");
    return { element: withHint(label, control, info), get: () => control.value.split(/\s+/).filter(Boolean) };
  },
  board: (form, info, value, label) => {
    const { inner } = rulesOf(form.document, form.id, form.given).layout;
    const sides = [...new Set([inner.length, inner.length + 2 * info.wings, value])];
    const control = select(sides.map((side) => [String(side), t("board.size", { side })]), String(value));
    return { element: withHint(label, control, info), get: () => Number(control.value) };
  },
  bonus: bonusControl,
};

/** Return a field of points for each number of tiles; an empty field after the last one says nothing. */
function bonusControl(form, { most }, value, label) {
  const size = Math.max(valueOf(form, "rack_size"), value.length - 1);
  const counts = Array.from({ length: Math.min(size, most) }, (_, i) => i + 1);
  const isShown = (n) => n < value.length && (value[n] || n === value.length - 1);
  const inputs = counts.map((n) => numberField(isShown(n) ? value[n] : "", 0, 9_999));
  const cells = inputs.map((input, i) => {
    input.setAttribute("aria-label", t("options.bonus-for", { name: label, n: counts[i] }));
    return h("span", {}, h("span", { "aria-hidden": "true" }, String(counts[i])), input);
  });
  const get = () => {
    const last = inputs.findLastIndex((input) => input.value !== "");
    return last < 0 ? [] : [0, ...inputs.slice(0, last + 1).map((input) => Number(input.value))];
  };
  const hint = h("span", { class: "hint" }, t("options.hint-bonus"));
  return { element: h("fieldset", { class: "bonus" }, h("legend", {}, label), h("div", {}, cells), hint), get };
}

function numberField(value, min, max) {
  const step = Number.isInteger(Number(value)) ? 1 : "any";
  return h("input", { type: "number", inputmode: "numeric", autocomplete: "off", value, min, max, step });
}

/** Return all options that are not as in the rule set; the board's side counts where the layout does not give it. */
function valuesOf(form) {
  const { document, id } = form, { layout: base } = document.rules[id];
  const values = Object.fromEntries(Object.entries(form.fields).map(([name, get]) => [name, get()]));
  const { board, layout, ...others } = values, original = (name) => String(originalValue(document, id, name));
  const given = Object.fromEntries(Object.entries(others).filter(([name, value]) => String(value) !== original(name)));
  const isOwn = String(layout) !== original("layout"), inner = isOwn ? layout : base.inner;
  const wings = (board - inner.length) / 2, most = document.options.find(({ kind }) => kind === "board").wings;
  // Another number of rows leaves the wings as they are.
  const side = wings === 0 || wings === most ? board : inner.length + 2 * base.wings;
  return { ...given, ...(isOwn ? { layout } : {}), ...(side === inner.length + 2 * base.wings ? {} : { board: side }) };
}

/** Show in each group what differs from the rule set. */
function showChanges(form) {
  const isBad = findFault(form.document, form.id, form.given) !== null;
  const changed = isBad ? [] : changedOptions(form.document, form.id, form.given);
  for (const { name, changes, back } of form.groups) {
    const own = changed.filter((option) => GROUPS[name].includes(option.name));
    const clock = valueOf(form, "clock");
    const texts = own.map((option) =>
      `${shortNameOf(option.name, clock)}: ${describeValue(form.document, option.name, option.value)}`);
    changes.textContent = texts.join("; ") || t("options.as-is");
    changes.classList.toggle("changed", texts.length > 0);
    back.disabled = !Object.keys(form.given).some((option) => GROUPS[name].includes(option));
  }
}

function read(form) {
  const options = valuesOf(form), found = findFault(form.document, form.id, options);
  if (!found) return { options };
  const { fault, details, name } = found;
  const unit = name === "clock_seconds" && valueOf(form, "clock") !== "turn" ? MINUTE : 1;
  const label = name ? shortNameOf(name, valueOf(form, "clock")) : "";
  return { fault: t(`options.fault-${fault}`, { ...details, name: label, most: Math.floor(details.most / unit) }) };
}
