// Dialogs: each asks one question and resolves to its answer, or null where it was cancelled.

import { button, h } from "./dom.js";
import { texts } from "./texts.js";

/** Show a dialog; `draw(answer)` makes its content, which calls `answer(value)` to end it.
 *
 *  In a dialog that is only read the focus begins at the title, so that a screen reader begins there too.
 */
export function openDialog(title, draw, { isReadOnly = false } = {}) {
  return new Promise((resolve) => {
    let result = null;
    const dialog = h("dialog", { "aria-labelledby": "dialog-title", class: isReadOnly ? "read" : "" });
    const answer = (value) => {
      result = value;
      dialog.close();
    };
    const heading = h("h2", { id: "dialog-title", tabindex: isReadOnly && "-1", autofocus: isReadOnly }, title);
    dialog.append(heading, ...draw(answer));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function drawDialogButtons(answer, ...buttons) {
  const cancel = button(texts.cancel, () => answer(null));
  return h("div", { class: "end" }, cancel, ...buttons);
}

/** Ask for the reason of a doubtful vote, by button or by number. */
export function askDoubt(head, reasons, hasKeys) {
  return openDialog(texts.doubtTitle(head), (answer) => {
    const buttons = reasons.map((reason, at) =>
      button([h("kbd", { "aria-hidden": "true" }, `${at + 1}`), reason], () => answer(reason)),
    );
    const list = h("div", { class: "choices", role: "group", "aria-describedby": "doubt-hint" }, buttons);
    list.addEventListener("keydown", (event) => moveFocus(event, buttons));
    const whole = [h("p", { id: "doubt-hint", class: "hint" }, texts.doubtHint), list, drawDialogButtons(answer)];
    if (hasKeys) document.addEventListener("keydown", onDigit);
    function onDigit(event) {
      if (!list.isConnected) return document.removeEventListener("keydown", onDigit);
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
      buttons[Number.parseInt(event.key, 10) - 1]?.click();
    }
    return whole;
  });
}

function moveFocus(event, buttons) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
}

/** Ask for a text; resolves to {text} or, with `classes` to choose from, {text, name}. */
export function askText(title, { label, hint = "", value = "", action = texts.save, isNeeded = false, classes = null }) {
  return openDialog(title, (answer) => {
    const text = h("textarea", { id: "text", rows: 4, maxlength: 2000, required: isNeeded, "aria-describedby": "fault" });
    const name = classes && h("select", { id: "class" }, classes.map((each) => h("option", {}, each)));
    const fault = h("p", { id: "fault", class: "fault", role: "alert" });
    const submit = (event) => {
      event.preventDefault();
      if (isNeeded && !text.value.trim()) {
        fault.textContent = texts.needed;
        text.focus();
      } else answer({ text: text.value.trim(), name: name?.value });
    };
    text.value = value;
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
    });
    return [
      h(
        "form",
        { onsubmit: submit, novalidate: true },
        hint && h("p", { class: "hint" }, hint),
        name && h("p", {}, h("label", { for: "class" }, texts.holdClass), name),
        h("p", {}, h("label", { for: "text" }, label), text),
        fault,
        drawDialogButtons(answer, h("button", { class: "main" }, action)),
      ),
    ];
  });
}

/** Explain the keys and the parts of a card. */
export function showHelp(keys) {
  return openDialog(texts.helpTitle, (answer) => {
    const rows = Object.entries(texts.actions).map(([action, name]) => {
      const key = keys.isOn ? keys.name(action) : "";
      const label = key ? h("kbd", {}, key) : h("span", { class: "faint" }, texts.noKey);
      return h("div", {}, h("dt", {}, label, h("b", {}, name)), h("dd", {}, texts.meanings[action]));
    });
    return [
      h("p", {}, texts.question),
      h("h3", {}, texts.helpKeys),
      h("dl", { class: "keys" }, rows),
      h("p", { class: "hint" }, texts.keysDigit),
      h("h3", {}, texts.helpEvidence),
      h("p", {}, texts.helpOrder),
      h("p", {}, texts.helpWords),
      h("p", {}, texts.helpBlind),
      h("div", { class: "end" }, button(texts.close, () => answer(null), "main")),
    ];
  }, { isReadOnly: true });
}

/** Ask to sign in on another page; `resume()` resolves to "back" once that was done, or to why it was not. */
export function askToSignIn({ member, unsent, isUndeclared, resume }) {
  return openDialog(texts.signInTitle, (answer) => {
    const fault = h("p", { class: "fault", role: "alert" });
    const tryAgain = async () => {
      const outcome = await resume();
      if (outcome === "back") answer(true);
      else fault.textContent = outcome === "other" ? texts.signInOther(member) : texts.notBack;
    };
    window.addEventListener("focus", function onFocus() {
      if (fault.isConnected) tryAgain();
      else window.removeEventListener("focus", onFocus);
    });
    return [
      h("p", {}, isUndeclared ? texts.signInDeclare : texts.signInWhy(unsent)),
      fault,
      h(
        "div",
        { class: "end" },
        h("a", { class: "button main", href: "/", target: "_blank" }, texts.signIn),
        button(texts.signedIn, tryAgain),
      ),
    ];
  });
}
