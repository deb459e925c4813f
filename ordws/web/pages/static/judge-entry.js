// The two steps of a challenge, each of another person: the challenger types the words, and the opponent checks them.

import { LONGEST, SHORTEST } from "./fold.js";
import { button, h } from "./dom.js";
import { step } from "./judge-screens.js";
import { letterKeypad } from "./judge-keypad.js";
import { t } from "./texts.js";

/** Show the entry of this many words. */
export function showEntry(table, count) {
  const typed = newEntry(count);
  const act = (name, ...given) => (acts[name](...given), view.draw());
  const view = build(table, typed, act);
  const acts = actions(table, typed, view.announce);
  table.stage.show({
    name: "entry", isPrivate: true, idle: [table.settings.seconds.idle, table.toCount],
    keys: (event) => onKey(event, act), body: [view.element],
  });
  view.draw();
}

/** Return the actions of the challenger's step. */
function actions(table, typed, announce) {
  const n = typed.words.length;
  const handOver = () => (isComplete(typed) ? showCheck(table, typed.words) : announce(t("judge.not-yet", { n })));
  const next = () => {
    if (nextWord(typed)) announce(t("judge.word-of", { n: typed.at + 1, count: n }));
    else announce(isComplete(typed) ? typed.words.join(", ") : t("judge.not-yet", { n }));
  };
  return {
    handOver, next,
    tab: () => (isLast(typed) ? handOver() : next()),
    letter: (letter) => (announce(""), addLetter(typed, letter)),
    back: () => takeBack(typed),
    move: (by) => move(typed, typed.at + by),
    to: (at) => move(typed, at),
    escape: () => (isEmpty(typed) ? table.toCount() : showEntry(table, n)),
  };
}

/** Show the step of the opponent: the words as typed, to be checked and judged. A press that was held is not theirs. */
function showCheck(table, words) {
  const judge = () => isReady && table.toVerdict(words);
  let isReady = false;
  table.stage.show({
    name: "check", isPrivate: true, idle: [table.settings.seconds.idle, table.toCount],
    keys: (event) => {
      if (event.key === "Escape") table.toCount();
      if (event.key !== "Tab" || event.shiftKey) return;
      event.preventDefault();
      if (!event.repeat) judge();
    },
    body: [
      step(2, t("judge.opponent")), h("h1", {}, t("judge.check-typing")),
      h("ol", { class: "typed" }, words.map((word) => h("li", {}, word))),
      h("p", {}, t("judge.about-check")),
      h("p", { class: "actions" },
        button([t("judge.judge"), h("kbd", {}, t("judge.tab"))], judge, "main"),
        button([t("judge.start-again"), h("kbd", {}, t("judge.escape"))], table.toCount)),
    ],
  });
  table.stage.after(table.settings.seconds.stays, () => (isReady = true));
}

/** Build the words as they are typed, the button that hands over to the opponent, and keys to touch. */
function build(table, typed, act) {
  const { words } = typed;
  const fields = words.map((_, at) => h("li", { onclick: () => act("to", at) }));
  const status = h("p", { class: "unseen", role: "status" });
  const confirm = button([t("judge.hand-over"), h("kbd", {}, t("judge.tab"))], () => act("handOver"), "main");
  const restart = button([t("judge.start-again"), h("kbd", {}, t("judge.escape"))], table.toCount);
  const element = h("div", { role: "application", "aria-labelledby": "step" },
    step(1, t("judge.challenger")),
    h("h1", { id: "step" }, words.length === 1 ? t("judge.enter-word") : t("judge.enter-words", { n: words.length })),
    h("ol", { class: "typed" }, fields), status,
    h("p", { class: "actions" }, confirm, restart),
    letterKeypad({
      onLetter: (letter) => act("letter", letter), onBack: () => act("back"), onNext: () => act("next"),
    }));
  return { element, announce: (text) => (status.textContent = text), draw: () => draw(fields, confirm, typed) };
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

// The words as they are typed: a fixed number of words, letters A to Z alone, anything beyond dropped.

/** Return this many words, none typed yet. */
function newEntry(count) {
  return { words: Array(count).fill(""), at: 0 };
}

/** Add a letter to the word that is being typed. */
function addLetter(typed, letter) {
  const word = typed.words[typed.at];
  if (word.length < LONGEST) typed.words[typed.at] = word + letter.toUpperCase();
}

/** Delete the last letter, or go back to the word before. */
function takeBack(typed) {
  const word = typed.words[typed.at];
  if (word) typed.words[typed.at] = word.slice(0, -1);
  else if (typed.at > 0) typed.at -= 1;
}

/** Go to the next word; return false where this word is too short or the last. */
function nextWord(typed) {
  if (!isWord(typed.words[typed.at]) || isLast(typed)) return false;
  typed.at += 1;
  return true;
}

/** Go to a word. */
function move(typed, at) {
  typed.at = Math.max(0, Math.min(typed.words.length - 1, at));
}

const isWord = (word) => word.length >= SHORTEST;
const isLast = (typed) => typed.at === typed.words.length - 1;

/** Return whether all words are typed. */
const isComplete = (typed) => typed.words.every(isWord);

/** Return whether nothing is typed. */
const isEmpty = (typed) => typed.words.every((word) => word === "");
