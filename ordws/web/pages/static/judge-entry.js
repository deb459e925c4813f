// The second screen of a challenge: the challenger types so many words, and the opponent has them judged.

import { h } from "./dom.js";
import { letterKeypad } from "./judge-keypad.js";
import { addLetter, nextWord, isEmpty, isLast, isComplete, move, takeBack, newEntry } from "./judge-typing.js";
import { t } from "./texts.js";

/** Have so many words typed. */
export function showEntry(table, count) {
  const typed = newEntry(count);
  const act = (name, ...given) => (acts[name](...given), view.draw());
  const view = build(table, typed, act);
  const acts = actions(table, typed, view.tell);
  table.stage.show({
    name: "entry", isPrivate: true, idle: [table.settings.seconds.idle, table.toCount],
    keys: (event) => onKey(event, act), body: [view.element],
  });
  view.draw();
}

/** What may be done; the last Tab is the opponent's. */
function actions(table, typed, tell) {
  const n = typed.words.length;
  const judge = () => (isComplete(typed) ? table.toVerdict(typed.words) : tell(t("judge.not-yet", { n })));
  const next = () => {
    if (nextWord(typed)) tell(t("judge.word-of", { n: typed.at + 1, count: n }));
    else tell(isComplete(typed) ? typed.words.join(", ") : t("judge.not-yet", { n }));
  };
  return {
    judge, next,
    tab: () => (isLast(typed) ? judge() : next()),
    letter: (letter) => (tell(""), addLetter(typed, letter)),
    back: () => takeBack(typed),
    move: (by) => move(typed, typed.at + by),
    to: (at) => move(typed, at),
    escape: () => (isEmpty(typed) ? table.toCount() : showEntry(table, n)),
  };
}

/** The words as they are typed, what the opponent presses, and keys to touch. */
function build(table, typed, act) {
  const { words } = typed;
  const fields = words.map((_, at) => h("li", { onclick: () => act("to", at) }));
  const told = h("p", { class: "unseen", role: "status" });
  const confirm = h("button", { type: "button", class: "main", onclick: () => act("judge") },
    t("judge.judge"), h("kbd", {}, t("judge.tab")));
  const restart = h("button", { type: "button", onclick: table.toCount },
    t("judge.start-again"), h("kbd", {}, t("judge.escape")));
  const element = h("div", { role: "application", "aria-labelledby": "step" },
    h("p", { class: "step" }, t("judge.challenger")),
    h("h1", { id: "step" }, words.length === 1 ? t("judge.enter-word") : t("judge.enter-words", { n: words.length })),
    h("ol", { class: "typed" }, fields), told,
    h("p", { class: "step" }, t("judge.opponent"), " ", h("span", {}, t("judge.check-typing"))),
    h("p", { class: "actions" }, confirm, restart),
    letterKeypad({
      onLetter: (letter) => act("letter", letter), onBack: () => act("back"), onNext: () => act("next"),
    }));
  return { element, tell: (text) => (told.textContent = text), draw: () => draw(fields, confirm, typed) };
}

function draw(fields, confirm, typed) {
  fields.forEach((field, at) => {
    field.textContent = typed.words[at];
    field.classList.toggle("here", at === typed.at);
  });
  confirm.disabled = !isComplete(typed);
}

const KEY_ACTIONS = {
  Backspace: ["back"], Enter: ["next"], " ": ["next"], ArrowDown: ["move", 1], ArrowUp: ["move", -1],
  Escape: ["escape"], Tab: ["tab"],
};

function onKey(event, act) {
  const { key, shiftKey, repeat } = event;
  if (/^[a-z]$/i.test(key)) return act("letter", key);
  if (!(key in KEY_ACTIONS) || (key === "Tab" && shiftKey)) return;
  event.preventDefault();
  if (!repeat || key === "Backspace") act(...KEY_ACTIONS[key]);
}
