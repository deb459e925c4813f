// The cards of the home check: a question with two buttons, or a ruling with its reasons. They know nothing of rules.

import { button, h } from "./dom.js";
import { t } from "./texts.js";

const ICONS = { in: "✓", out: "✕", again: "↻" };
const MIN_SHARED = 2;

/** @typedef {{text: string, answer: string}} AnswerLine a question, and its answer with its origin */
/** @typedef {{label: string, act: () => void}} Action another button of the card */

/**
 * Return the card of a question about one book.
 *
 * @param {{word: string, progress: string, text: string, answers: AnswerLine[], others: Action[], no: string,
 *   note: string|(string|Node)[], say: (is: boolean) => void, back: () => void}} given `progress` tells which of several
 *   words it is
 */
export function questionCard({ word, progress, text, answers, others, no, note, say, back }) {
  const choice = h("div", { class: "choice" },
    button([t("home.yes"), key(t("home.key-yes"))], () => say(true), "main"),
    button([no, key(t("home.key-no"))], () => say(false)));
  const keys = {
    [t("home.key-yes")]: () => say(true), [t("home.key-no")]: () => say(false), BACKSPACE: back, ESCAPE: back,
  };
  return card({ class: "card", "aria-labelledby": "asked" }, keys,
    progress ? h("p", { class: "hint progress" }, progress) : [],
    tiles(word), h("h2", { id: "asked", tabindex: "-1" }, emphasised(text)),
    note ? h("p", { class: "hint" }, note) : [], choice, more(others), answersList(answers));
}

/** Return the card that is shown while the service is asked. */
export function waitingCard({ word, text }) {
  return h("section", { class: "card" }, tiles(word), h("h2", { tabindex: "-1", role: "status" }, text));
}

/**
 * Return the card on which the player names a base.
 *
 * @param {{word: string, take: (text: string) => string|undefined, back: () => void}} given
 *   `take` returns what is wrong with the base
 */
export function ownBaseCard({ word, take, back }) {
  const fault = h("p", { class: "fault", role: "alert", id: "own-base-fault" });
  const field = h("input", {
    id: "own-base", type: "text", autocomplete: "off", autocorrect: "off", autocapitalize: "characters",
    spellcheck: "false", maxlength: "40", enterkeyhint: "go", "aria-describedby": "own-base-fault",
  });
  const done = () => {
    fault.textContent = take(field.value) ?? "";
    if (fault.textContent) field.focus();
  };
  field.addEventListener("keydown", (event) => event.key === "Enter" && done());
  const asking = h("div", { class: "asking" },
    h("div", {}, h("label", { for: "own-base" }, t("home.own-base-label", { word })), field),
    button(t("home.own-base-take"), done, "main"));
  const others = more([{ label: t("home.back"), act: back }]);
  return card({ class: "card" }, { ESCAPE: back }, tiles(word), asking, fault, others);
}

/**
 * Return the card of a ruling: a word, a colour, an icon, the reason, the derivation, and what follows.
 *
 * @param {{kind: "in"|"out"|"again", title: string, word: string, because: string, source: string, affix: string,
 *   chain: {word: string, affix?: string}[], note: string, follows: string, answers: AnswerLine[], others: Action[],
 *   next: () => void}} given
 */
export function rulingCard({ kind, title, word, because, source, chain, affix, note, follows, answers, others, next }) {
  const keys = { ENTER: next, ...(others.length ? { BACKSPACE: others.at(-1).act } : {}) };
  const sign = h("span", { class: "sign", "aria-hidden": "true" }, ICONS[kind]);
  const onward = button(t("home.next"), next, "main");
  return card({ class: `card ruling ${kind}`, "aria-labelledby": "ruled" }, keys,
    tiles(word), h("h2", { id: "ruled", tabindex: "-1" }, sign, title),
    h("p", { class: "because" }, emphasised(because)), chain.length ? derivationChain(chain, affix) : [],
    note ? h("p", { class: "notice" }, note) : [],
    h("p", { class: "follows" }, follows), h("p", { class: "hint" }, t("home.source", { source })),
    h("div", { class: "end" }, onward, more(others)), answersList(answers));
}

/**
 * Return the card of the rulings on several words, each with its reason.
 *
 * @param {{title: string, isIn: boolean, rulings: {kind: string, title: string, word: string, because: string,
 *   source: string, note: string, follows: string}[], others: Action[], next: () => void}} given
 */
export function resultsCard({ title, isIn, rulings, others, next }) {
  const lines = rulings.map((ruling) => h("li", { class: ruling.kind },
    h("p", { class: "ruled" }, h("span", { class: "sign", "aria-hidden": "true" }, ICONS[ruling.kind]),
      h("b", {}, ruling.word), " ", ruling.title),
    h("p", {}, emphasised(ruling.because), ruling.note ? ` ${ruling.note}` : ""),
    h("p", { class: "hint" }, ruling.kind === "in" ? "" : `${ruling.follows} `, t("home.source", ruling))));
  const onward = button(t("home.next-words"), next, "main");
  return card({ class: `card ruling ${isIn ? "in" : "out"}`, "aria-labelledby": "ruled" }, { ENTER: next },
    h("h2", { id: "ruled", tabindex: "-1" }, title), h("ul", { class: "rulings" }, lines),
    h("div", { class: "end" }, onward, more(others)));
}

/** Return a card that shows, before the first word, what a ruling looks like. */
export function exampleCard({ because, chain, affix, act }) {
  return h("section", { class: "card example", "aria-labelledby": "example-title" },
    h("h2", { id: "example-title" }, t("home.example")), derivationChain(chain, affix),
    h("p", { class: "because" }, emphasised(because)),
    more([{ label: t("home.example-try", { word: chain.at(-1).word }), act }]));
}

/**
 * Return a card whose keys work only while the focus is in it, so that typing elsewhere is never taken for an answer.
 */
function card(attributes, keys, ...children) {
  const onkeydown = (event) => {
    const act = keys[event.key.toUpperCase()];
    const isTyping = event.target.matches("input") && event.key !== "Escape";
    const isPressing = event.key === "Enter" && event.target.matches("button, summary");
    if (!act || isTyping || isPressing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    event.preventDefault();
    act();
  };
  return h("section", { ...attributes, onkeydown }, ...children);
}

function key(letter) {
  return h("kbd", { "aria-hidden": "true" }, letter);
}

/**
 * Return BASH + -INGS, and each word of the derivation in tiles, the new letters marked. Irregular forms are no sum.
 */
function derivationChain(chain, affix) {
  const steps = chain.map(({ word, affix: by }, place) => {
    const before = chain[place - 1]?.word;
    const label = !by ? t("home.base") : by.includes("-") ? t("home.step", { affix: by }) : t("home.irregular");
    return h("li", {}, h("span", { class: "affix" }, label), tiles(word, before ? sharedRun(before, word) : null));
  });
  const signs = affix.split(" "), front = signs.filter((sign) => sign.endsWith("-"));
  const sum = [...front, chain[0].word, ...signs.slice(front.length)].join(" + ");
  const isSum = signs.every((sign) => sign.includes("-"));
  return [
    isSum ? h("p", { class: "sum" }, sum) : [], h("ol", { class: "chain", "aria-label": t("home.chain") }, steps),
  ];
}

/** Return where a word still equals the word before it: the longer of their common prefix and common suffix. */
function sharedRun(before, word) {
  const run = (letter) => {
    let n = 0;
    while (n < Math.min(before.length, word.length) && letter(before, n) === letter(word, n)) n += 1;
    return n;
  };
  const head = run((text, n) => text[n]), tail = run((text, n) => text.at(-1 - n));
  if (Math.max(head, tail) < MIN_SHARED) return [0, 0];
  return head >= tail ? [0, head] : [word.length - tail, word.length];
}

function tiles(word, old = null) {
  const all = [...word].map((letter, place) => {
    const isNew = old !== null && (place < old[0] || place >= old[1]);
    return h("span", { class: isNew ? "tile new" : "tile" }, h("span", {}, letter));
  });
  const row = h("div", { class: "tiles", role: "img", "aria-label": word }, all);
  row.style.setProperty("--letters", word.length);
  return row;
}

function answersList(answers) {
  if (!answers.length) return [];
  const lines = answers.map(({ text, answer }) =>
    h("li", {}, h("span", {}, text), h("span", { class: "said" }, answer)));
  return h("details", { class: "told" }, h("summary", {}, t("home.told", { n: answers.length })),
    h("ul", { class: "answers" }, lines));
}

function more(others) {
  const buttons = others.map(({ label, act }) => button(label, act));
  return buttons.length ? h("p", { class: "others" }, buttons) : [];
}

/** Set words in capitals in bold, and keep the hyphens of affixes with them. */
function emphasised(text) {
  return text.split(/(-?\b[A-Z]{2,}\b-?|-[A-Z]\b)/).map((part, place) => {
    if (place % 2 === 0) return part;
    return h("b", part.includes("-") ? { class: "sign-of-affix" } : {}, part);
  });
}
