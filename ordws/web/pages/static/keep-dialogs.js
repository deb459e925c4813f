// The dialogs of a kept game: a question, its controls, and buttons.

import { button, h } from "./dom.js";
import { t } from "./texts.js";

/**
 * Ask in a dialog, of a `kind` of its own where it looks different; resolves to the value of the button, null where the
 * dialog was closed without one.
 *
 * @param {{label: string, value: any, main?: boolean}[]} buttons a value that is a function is called for the value,
 *   and undefined keeps the dialog open
 */
export function askInDialog(title, body, buttons, kind = null) {
  const dialog = h("dialog", { class: kind, "aria-labelledby": "asked" });
  return new Promise((resolve) => {
    let answer = null;
    const choose = ({ value }) => {
      answer = typeof value === "function" ? value() : value;
      if (answer !== undefined) dialog.close();
    };
    const made = buttons.map((each) => button(each.label, () => choose(each), each.main ? "main" : null));
    dialog.append(h("h2", { id: "asked" }, title), ...body, h("div", { class: "end" }, made));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer ?? null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Return the button that closes a dialog without doing anything. */
export function cancel() {
  return { label: t("keep.cancel"), value: null };
}

/** Ask what one button answers, with the value that `askInDialog` has; resolves to null where that was cancelled. */
export function askOrCancel(title, body, label, value) {
  return askInDialog(title, body, [cancel(), { label, value, main: true }]);
}

/**
 * Ask for what several fields hold; `read` returns it, or null while something is missing, which `fault` then says.
 */
export function askForm(title, body, label, { read, fault }) {
  const line = faultLine();
  const given = () => {
    const answer = read();
    if (answer !== null) return answer;
    line.textContent = fault;
    return undefined;
  };
  return askOrCancel(title, [...body, line], label, given);
}

/** Return whether a question is answered with yes. */
export async function confirm(title, text, yes) {
  return Boolean(await askOrCancel(title, text ? [h("p", {}, text)] : [], yes, true));
}

/** Show something until the dialog is closed. */
export function showInDialog(title, body, label = t("keep.close"), kind = null) {
  return askInDialog(title, body, [{ label, value: true, main: true }], kind);
}

/** Return whether a dialog is open, which has all keys and buttons to itself. */
export function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

let fields = 0;

/** Return a labelled control with an `id` of its own. */
export function field(label, control, hint = null) {
  fields += 1;
  const id = `field-${fields}`;
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  const hinted = hint ? h("p", { class: "hint", id: `${id}-hint` }, hint) : null;
  return h("div", { class: "field" }, h("label", { for: id }, label), control, hinted);
}

/** Return a field for text that suggests, corrects and remembers nothing. */
export function textField(attributes = {}) {
  return h("input", {
    type: "text", autocomplete: "off", autocorrect: "off", spellcheck: "false", autocapitalize: "characters",
    ...attributes,
  });
}

/** Return a choice of `[value, label]`. */
export function select(choices, chosen) {
  const options = choices.map(([value, label]) => h("option", { value, selected: value === chosen }, label));
  return h("select", { autocomplete: "off" }, options);
}

/** Return a choice of players by name; its value is a number as text. */
export function selectPlayer(players, chosen = 0) {
  return select(players.map((name, i) => [String(i), name]), String(chosen));
}

/** Return a choice of the numbers from 1 on, as text. */
export function selectCount(most) {
  return select(Array.from({ length: most }, (_, i) => [String(i + 1), String(i + 1)]), "1");
}

/** Return a choice of words, at first of all of them, and the function that gives those that are chosen. */
export function wordBoxes(legend, words) {
  const boxes = words.map((word) => [word, h("input", { type: "checkbox", checked: true })]);
  const element = h("fieldset", {}, h("legend", {}, legend), boxes.map(([word, box]) => h("label", {}, box, word)));
  return { element, chosen: () => boxes.filter(([, box]) => box.checked).map(([word]) => word) };
}

/** Return the line in which a dialog says what is wrong. */
export function faultLine() {
  return h("p", { class: "fault", role: "alert" });
}
