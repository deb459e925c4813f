// What surrounds the cards: the line at the top, the buttons, and what is said aloud.

import { h } from "./dom.js";
import { texts } from "./texts.js";

const ANSWER_ACTIONS = ["out", "doubt", "in"];
const FREQUENT_ACTIONS = ["undo", "skip", "note", "forms"];
const MENU_ACTIONS = ["recuse", "hold", "help", "keys"];
const ACTION_ICONS = { in: "✓", out: "✕", doubt: "?" };
const SAVING_NOTICE_DELAY_MS = 300;

export class Page {
  #late = 0;

  constructor(root, keys, act) {
    Object.assign(this, { keys, act, buttons: new Map() });
    this.progress = h("p", { class: "progress" });
    this.last = h("p", { class: "last" });
    this.sent = h("p", { class: "sent", "data-state": "saved" }, texts.sent.saved);
    this.notices = h("div", { class: "notices" });
    this.stage = h("div", { class: "stage" });
    this.heard = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
    const line = h("div", { class: "line" }, this.progress, this.last, this.sent);
    root.append(h("div", { class: "desk" }, line, this.notices, this.stage, this.#drawBar()), this.heard);
    this.labelKeys();
  }

  /** Put a card on the stage; the eye and the focus start at its top where it is another than before. */
  showCard(article, isNew) {
    this.#stage([article]);
    if (isNew && article.getBoundingClientRect().top < 0) article.scrollIntoView();
  }

  showEmpty(children) {
    const section = h("section", { class: "empty" }, ...children);
    if (this.stage.textContent !== section.textContent) this.#stage([section]);
  }

  /** Show what was done, and let it be heard with what follows. */
  say(did, then = "") {
    if (did) this.last.textContent = did;
    if (did || then) this.heard.textContent = [did && `${did.replace(/\.$/, "")}.`, then].filter(Boolean).join(" ");
  }

  /** A notice that stays until it is closed. */
  warn(text) {
    const notice = h("p", { class: "notice warning", role: "alert" }, text, " ");
    notice.append(h("button", { type: "button", onclick: () => notice.remove() }, texts.close));
    this.notices.append(notice);
  }

  showProgress(progress) {
    this.progress.replaceChildren(h("b", {}, texts.progress(progress)), h("span", {}, texts.standings(progress)));
  }

  /** Whether all is saved; what takes no longer than usual is not worth a word. */
  showSent(state, unsent) {
    clearTimeout(this.#late);
    this.sent.dataset.unsent = unsent;
    const show = () => {
      const says = { saved: texts.sent.saved, sending: texts.sent.sending, offline: texts.sent.offline(unsent) };
      this.sent.textContent = says[state] ?? texts.sent.signedOut(unsent);
      if (state === "offline" && this.sent.dataset.state !== state) this.say("", this.sent.textContent);
      this.sent.dataset.state = state;
    };
    if (state === "sending") this.#late = setTimeout(show, SAVING_NOTICE_DELAY_MS);
    else show();
  }

  showPause(goOn) {
    const notice = h("p", { class: "notice", role: "status" }, texts.pause, " ");
    const close = () => {
      notice.remove();
      goOn();
    };
    notice.append(h("button", { type: "button", onclick: close }, texts.goOn));
    this.notices.append(notice);
  }

  /** Write the keys on their buttons, as they are by now. */
  labelKeys() {
    for (const [action, button] of this.buttons) {
      const key = this.keys.isOn && action in this.keys.keys ? this.keys.name(action) : "";
      button.querySelector("kbd").textContent = key;
      if (key) button.setAttribute("aria-keyshortcuts", key);
      else button.removeAttribute("aria-keyshortcuts");
    }
  }

  /** Which actions would do something now; the others can still be reached, and say why they do nothing. */
  offer(offers) {
    for (const [action, button] of this.buttons) button.setAttribute("aria-disabled", offers[action] === false);
  }

  focusForms() {
    this.stage.querySelector("[data-form]")?.focus();
  }

  /** Turn the tick of a form over. */
  tick(form) {
    this.stage.querySelector(`[data-form="${form}"]`)?.click();
  }

  /** Whoever was inside what goes away finds himself at the head of what comes. */
  #stage(children) {
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
    const sign = action in ACTION_ICONS && h("span", { class: "sign", "aria-hidden": "true" }, ACTION_ICONS[action]);
    const name = h("span", {}, texts.actions[action] ?? texts.keys);
    const button = h("button", { type: "button", "data-action": action }, sign, name, h("kbd", { "aria-hidden": "true" }));
    button.addEventListener("click", (event) => {
      // The second tap of a double tap would answer a card that nobody has read.
      if (event.detail > 1 && action !== "undo") return;
      if (MENU_ACTIONS.includes(action)) button.parentElement.hidePopover();
      this.act(action);
    });
    this.buttons.set(action, button);
    return button;
  }
}
