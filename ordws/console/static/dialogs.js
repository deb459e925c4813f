// Dialogs: each asks one thing and answers with what was said, or null.

import { h } from "./dom.js";
import { texts } from "./texts.js";

/** Show a dialog; `draw(answer)` makes its content, which calls `answer(value)` to end it. One that is
 *  only read begins at its title, not at its first button. */
export function openDialog(title, draw, { isRead = false } = {}) {
  return new Promise((done) => {
    let said = null;
    const dialog = h("dialog", { "aria-labelledby": "asked", class: isRead ? "read" : "" });
    const answer = (value) => {
      said = value;
      dialog.close();
    };
    dialog.append(h("h2", { id: "asked", tabindex: isRead && "-1", autofocus: isRead }, title), ...draw(answer));
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(said);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function drawDialogButtons(answer, ...buttons) {
  const cancel = h("button", { type: "button", onclick: () => answer(null) }, texts.cancel);
  return h("div", { class: "end" }, cancel, ...buttons);
}

/** Why a family is doubtful, by button or by number. */
export function askDoubt(head, reasons, hasKeys) {
  return openDialog(texts.doubtTitle(head), (answer) => {
    const buttons = reasons.map((reason, at) =>
      h("button", { type: "button", onclick: () => answer(reason) }, h("kbd", { "aria-hidden": "true" }, `${at + 1}`), reason),
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

/** A text and what goes with it: {text} or, with `classes`, {text, name}. */
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

/** What the keys do and how a card is read. */
export function showHelp(keys) {
  return openDialog(texts.helpTitle, (answer) => {
    const rows = Object.entries(texts.actions).map(([action, name]) => {
      const key = keys.isOn ? keys.name(action) : "";
      const sign = key ? h("kbd", {}, key) : h("span", { class: "faint" }, texts.noKey);
      return h("div", {}, h("dt", {}, sign, h("b", {}, name)), h("dd", {}, texts.meanings[action]));
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
      h("div", { class: "end" }, h("button", { type: "button", class: "main", onclick: () => answer(null) }, texts.close)),
    ];
  }, { isRead: true });
}

/** Ask to sign in on another page; `resume()` says whether that was done. */
export function askToSignIn({ member, unsent, isUndeclared, resume }) {
  return openDialog(texts.signInTitle, (answer) => {
    const fault = h("p", { class: "fault", role: "alert" });
    const goOn = async () => {
      const outcome = await resume();
      if (outcome === "back") answer(true);
      else fault.textContent = outcome === "other" ? texts.signInOther(member) : texts.notBack;
    };
    window.addEventListener("focus", function onFocus() {
      if (fault.isConnected) goOn();
      else window.removeEventListener("focus", onFocus);
    });
    return [
      h("p", {}, isUndeclared ? texts.signInDeclare : texts.signInWhy(unsent)),
      fault,
      h(
        "div",
        { class: "end" },
        h("a", { class: "button main", href: "/", target: "_blank" }, texts.signIn),
        h("button", { type: "button", onclick: goOn }, texts.signedIn),
      ),
    ];
  });
}
