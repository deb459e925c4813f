// The surroundings of the cards: the line at the top, the buttons, and the announcements to screen readers.

import { button, h } from "./dom.js";
import { texts } from "./texts.js";

const ANSWER_ACTIONS = ["out", "doubt", "in"];
const FREQUENT_ACTIONS = ["undo", "skip", "note", "forms"];
const MENU_ACTIONS = ["recuse", "hold", "help", "keys"];
const ACTION_ICONS = { in: "✓", out: "✕", doubt: "?" };
const SAVING_NOTICE_DELAY_MS = 300;

export class Page {
  #savingTimer = 0;

  constructor(root, keys, act) {
    Object.assign(this, { keys, act, buttons: new Map() });
    this.progress = h("p", { class: "progress" });
    this.last = h("p", { class: "last" });
    this.sent = h("p", { class: "sent", "data-state": "saved" }, texts.sent.saved);
    this.notices = h("div", { class: "notices" });
    this.revotes = h("div", {});
    this.stage = h("div", { class: "stage" });
    this.announcer = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
    const line = h("div", { class: "line" }, this.progress, this.last, this.sent);
    root.append(h("div", { class: "workspace" }, line, this.revotes, this.notices, this.stage, this.#drawBar()), this.announcer);
    this.labelKeys();
  }

  /** Show a card; the view and the focus begin at the top of a new one. */
  showCard(article, isNew) {
    this.#replaceStage([article]);
    if (isNew && article.getBoundingClientRect().top < 0) article.scrollIntoView();
  }

  showEmpty(children) {
    const section = h("section", { class: "empty" }, ...children);
    if (this.stage.textContent !== section.textContent) this.#replaceStage([section]);
  }

  /** Show what was done, and announce it together with what follows. */
  announce(done, then = "") {
    if (done) this.last.textContent = done;
    if (!done && !then) return;
    this.announcer.textContent = [done && `${done.replace(/\.$/, "")}.`, then].filter(Boolean).join(" ");
  }

  /** Show a notice that stays until it is closed. */
  warn(text) {
    const notice = h("p", { class: "notice warning", role: "alert" }, text, " ");
    notice.append(button(texts.close, () => notice.remove()));
    this.notices.append(notice);
  }

  showProgress(progress) {
    const standings = h("span", { title: texts.standingsHint }, texts.standings(progress));
    this.progress.replaceChildren(h("b", {}, texts.progress(progress)), standings);
    const note = progress.revotes ? texts.revotes(progress.revotes) : "";
    // Replaced only when it changes, or screen readers would read it after each card.
    if (this.revotes.textContent !== note) this.revotes.replaceChildren(...(note ? [h("p", { class: "notice", role: "status" }, note)] : []));
  }

  /** Show whether everything is saved; saving is shown only where it takes longer than usual. */
  showSent(state, unsent) {
    clearTimeout(this.#savingTimer);
    this.sent.dataset.unsent = unsent;
    const show = () => {
      const labels = { saved: texts.sent.saved, sending: texts.sent.sending, offline: texts.sent.offline(unsent) };
      this.sent.textContent = labels[state] ?? texts.sent.signedOut(unsent);
      if (state === "offline" && this.sent.dataset.state !== state) this.announce("", this.sent.textContent);
      this.sent.dataset.state = state;
    };
    if (state === "sending") this.#savingTimer = setTimeout(show, SAVING_NOTICE_DELAY_MS);
    else show();
  }

  /** Propose a pause; `onClose` is called when the notice is closed. */
  showPause(onClose) {
    const notice = h("p", { class: "notice", role: "status" }, texts.pause, " ");
    const close = () => {
      notice.remove();
      onClose();
    };
    notice.append(button(texts.goOn, close));
    this.notices.append(notice);
  }

  /** Write the present keys on their buttons. */
  labelKeys() {
    for (const [action, each] of this.buttons) {
      const key = this.keys.isOn && action in this.keys.keys ? this.keys.name(action) : "";
      each.querySelector("kbd").textContent = key;
      if (key) each.setAttribute("aria-keyshortcuts", key);
      else each.removeAttribute("aria-keyshortcuts");
    }
  }

  /** Mark the actions that would do nothing now; they can still be reached, and then say why. */
  markAvailable(isAvailable) {
    for (const [action, each] of this.buttons) each.setAttribute("aria-disabled", isAvailable[action] === false);
  }

  focusForms() {
    this.stage.querySelector("[data-form]")?.focus();
  }

  /** Tick or untick a form. */
  toggleForm(form) {
    this.stage.querySelector(`[data-form="${form}"]`)?.click();
  }

  /** Replace the content of the stage; a focus inside it moves to the same form, or else to the new head. */
  #replaceStage(children) {
    const form = document.activeElement?.dataset.form;
    const wasInside = this.stage.contains(document.activeElement);
    this.stage.replaceChildren(...children);
    if (!wasInside) return;
    const next = this.stage.querySelector(`[data-form="${form}"]`) ?? this.stage.querySelector("#head");
    next?.focus();
  }

  #drawBar() {
    const more = h("div", { id: "more", popover: true, class: "seldom" }, MENU_ACTIONS.map((action) => this.#drawButton(action)));
    const open = h("button", { type: "button", "data-action": "more", popovertarget: "more" }, h("span", {}, texts.more));
    return h(
      "div",
      { class: "bar" },
      h("div", { class: "answers", role: "group", "aria-label": texts.answers }, ANSWER_ACTIONS.map((action) => this.#drawButton(action))),
      h("div", { class: "others", role: "group", "aria-label": texts.others }, FREQUENT_ACTIONS.map((action) => this.#drawButton(action)), open, more),
    );
  }

  #drawButton(action) {
    const icon = action in ACTION_ICONS && h("span", { class: "sign", "aria-hidden": "true" }, ACTION_ICONS[action]);
    const name = h("span", {}, texts.actions[action] ?? texts.keys);
    const onclick = (event) => {
      // The second click of a double click would answer a card that nobody has read.
      if (event.detail > 1 && action !== "undo") return;
      if (MENU_ACTIONS.includes(action)) made.parentElement.hidePopover();
      this.act(action);
    };
    const made = button([icon, name, h("kbd", { "aria-hidden": "true" })], onclick);
    made.dataset.action = action;
    this.buttons.set(action, made);
    return made;
  }
}
