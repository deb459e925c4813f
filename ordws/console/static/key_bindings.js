// The keys of all actions: single keys without modifiers, stored for each member in this browser.

import { openDialog } from "./dialogs.js";
import { button, h } from "./dom.js";
import { texts } from "./texts.js";

const DEFAULT_KEYS = { in: "j", out: "f", doubt: "d", skip: "s", undo: "u", note: "n", forms: "g", recuse: "r", hold: "h", help: "?" };
const TEXT_INPUTS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

export class KeyBindings {
  constructor(member) {
    this.storageKey = `ordws-keys:${member}`;
    const stored = JSON.parse(localStorage.getItem(this.storageKey) ?? "{}");
    this.isOn = stored.isOn ?? true;
    this.keys = { ...DEFAULT_KEYS, ...stored.keys };
  }

  /** The label of an action's key on its button; empty where it has none. */
  name(action) {
    return this.keys[action].toUpperCase();
  }

  /** The action of a key press; null while somebody types a text, and for keys with modifiers. */
  find(event) {
    if (!this.#isSingleKey(event)) return null;
    const key = event.key.toLowerCase();
    return Object.keys(this.keys).find((action) => this.keys[action] === key) ?? null;
  }

  /** The form that a digit stands for, from 0; null for any other key. */
  findForm(event) {
    return this.#isSingleKey(event) && /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : null;
  }

  save(isOn, keys) {
    Object.assign(this, { isOn, keys });
    localStorage.setItem(this.storageKey, JSON.stringify({ isOn, keys }));
  }

  #isSingleKey(event) {
    const { key, target } = event;
    if (!this.isOn || event.repeat || event.isComposing || key.length !== 1) return false;
    if (event.ctrlKey || event.altKey || event.metaKey || event.getModifierState("AltGraph")) return false;
    // Shift makes a sign such as "?", and of a letter a capital, which is another key.
    if (event.shiftKey && key.toLowerCase() !== key.toUpperCase()) return false;
    return !target.closest(TEXT_INPUTS) && !document.querySelector("dialog[open]");
  }
}

/** Let the member choose the keys, or switch them off; resolves to true where that was saved. */
export function askKeys(keys) {
  return openDialog(texts.keysTitle, (answer) => {
    const isOn = h("input", { type: "checkbox", id: "keys-on", checked: keys.isOn });
    const fields = Object.entries(texts.actions).map(([action, name]) => [action, name, drawField(action, keys.keys[action])]);
    const fault = h("p", { class: "fault", role: "alert" });
    const submit = (event) => {
      event.preventDefault();
      const chosen = Object.fromEntries(fields.map(([action, , field]) => [action, field.value.trim().toLowerCase()]));
      const twice = Object.values(chosen).find((key, at, all) => key && all.indexOf(key) !== at);
      const digit = Object.values(chosen).some((key) => /^[0-9]$/.test(key));
      if (twice || digit) fault.textContent = twice ? texts.keysTwice(twice.toUpperCase()) : texts.keysDigit;
      else {
        keys.save(isOn.checked, chosen);
        answer(true);
      }
    };
    const reset = () => fields.forEach(([action, , field]) => (field.value = DEFAULT_KEYS[action].toUpperCase()));
    return [
      h(
        "form",
        { onsubmit: submit },
        h("p", { class: "tick" }, isOn, h("label", { for: "keys-on" }, texts.keysOn)),
        h("p", { class: "hint" }, `${texts.keysHint} ${texts.keysDigit}`),
        h("div", { class: "keyboard" }, fields.map(([, name, field]) => h("label", {}, field, name))),
        fault,
        h(
          "div",
          { class: "end" },
          button(texts.keysReset, reset),
          button(texts.cancel, () => answer(null)),
          h("button", { class: "main" }, texts.save),
        ),
      ),
    ];
  });
}

function drawField(action, key) {
  const field = h("input", { name: action, maxlength: 1, size: 2, autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  field.value = key.toUpperCase();
  field.addEventListener("focus", () => field.select());
  return field;
}
