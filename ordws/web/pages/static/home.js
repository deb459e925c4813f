// The home check: two books decide, one question at a time, for one word or for many. Words and answers stay in this
// window alone.

import { fold } from "./fold.js";
import { byId, h } from "./dom.js";
import { findDerivationsFrom } from "./formatives.js";
import { initSettings } from "./home-settings.js";
import { exampleCard, ownBaseCard, questionCard, resultsCard, rulingCard, waitingCard } from "./home-view.js";
import { fetchJson } from "./api.js";
import { decideWord, playerAnswers, questionOf, refuseUnplayable, ruleDataOf } from "./decide.js";
import { t } from "./texts.js";

const start = byId("start");
const begin = byId("begin");
const field = byId("word");
const fault = byId("word-fault");
const conversationElement = byId("talk");
const example = byId("example");
const EXAMPLE = { word: "BASHINGS", base: "BASH" };
const MAX_WORDS = 60;

/** Refusals of a service that has its own players' list (docs/guard.md, Decision 13). */
const REFUSALS = { "unauthorized": "unpaired", "budget-spent": "spent" };

/** The width from which base.css puts two columns side by side. */
const WIDE = "(min-width: 60rem)";

/**
 * @typedef {{about: string, word: string, is: boolean, by: "player"|"before"|"service", name?: string, since?: number}}
 *   Answer `name` is that of the service's list, `since` the index of the first of several answers given at once
 */

/** The player's answers since the page was opened, so that nothing is asked twice. */
const remembered = new Map();

/** The conversation on one word, its answers in the order in which they were given. */
let conversation = newConversation();

/**
 * The words that were typed at once, if there are several: those that are left, and the rulings on the others.
 *
 * @type {{texts: string[], left: string[], rulings: import("./word-check.js").Ruling[]} | null}
 */
let batch = null;

let ruleData, settings;

async function open() {
  const documents = ["rules", "affixes", "sentences"].map(async (name) => (await fetch(`/app/${name}.json`)).json());
  ruleData = ruleDataOf(...await Promise.all(documents));
  settings = await initSettings({ onChange: changed });
  byId("settings").open = matchMedia(WIDE).matches;
  byId("playable").textContent = ruleData.sentences.notes.playable;
  example.append(exampleCard({ ...cardOf(exampleRuling()), act: () => endConversation(EXAMPLE.word) }));
  begin.addEventListener("click", beginConversation);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    beginConversation();
  });
  field.addEventListener("input", () => { fault.textContent = ""; });
  window.addEventListener("pagehide", forgetAll);
  begin.disabled = false;
}

/** @returns {{word: string, answers: Answer[], refusal: ""|"lost"|"unpaired"|"spent"}} why the service did not answer */
function newConversation(word = "") {
  return { word, answers: [], refusal: "" };
}

function beginConversation() {
  const texts = field.value.split(/[\s,;]+/).filter(Boolean), word = fold(texts[0] ?? "");
  const isMany = texts.length > 1;
  fault.textContent = texts.length > MAX_WORDS ? t("home.too-many", { n: texts.length, most: MAX_WORDS })
    : isMany || word ? "" : t("home.bad-word");
  if (fault.textContent) return field.focus();
  field.value = "";
  start.hidden = example.hidden = true;
  if (isMany) return beginBatch(texts);
  conversation = newConversation(word);
  return step();
}

function beginBatch(texts) {
  batch = { texts, left: [...texts], rulings: [] };
  return nextOfBatch();
}

/** Go on to the next word; one that cannot be played is named, and leaves the others. */
function nextOfBatch({ focus = true } = {}) {
  while (batch.left.length) {
    const text = batch.left.shift(), word = fold(text);
    if (word) {
      conversation = newConversation(word);
      return step({ focus });
    }
    batch.rulings.push(refuseUnplayable(ruleData.sentences, text.slice(0, 40)));
  }
  return show(showResults(), focus);
}

function endConversation(word = "") {
  batch = null;
  conversation = newConversation();
  conversationElement.replaceChildren();
  start.hidden = example.hidden = false;
  field.value = word;
  field.focus();
}

/** Empty the page before the browser caches it for the back button. */
function forgetAll() {
  remembered.clear();
  if (conversation.word || field.value) endConversation();
}

/** Rule anew under other rules or books; answers about another book are forgotten. */
function changed({ forget }) {
  if (forget) remembered.clear();
  if (batch) {
    batch = { ...batch, left: [...batch.texts], rulings: [] };
    nextOfBatch({ focus: false });
    return;
  }
  if (!conversation.word) return;
  const answers = forget ? [] : conversation.answers.filter(({ by }) => by !== "service");
  conversation = { ...newConversation(conversation.word), answers };
  step({ focus: false });
}

/** Show the next card: the ruling, or the next question, unless its answer is known or the service can give it. */
function step({ focus = true } = {}) {
  const outcome = rule(currentBooks());
  if (outcome.rule && batch) {
    batch.rulings.push(outcome);
    return nextOfBatch({ focus });
  }
  if (outcome.rule) return show(showRuling(outcome), focus);
  const request = wordFirst(outcome), known = remembered.get(keyOf(request.about, request.words[0]));
  if (known !== undefined) return recordAnswer(request, known, "before");
  const isForService = request.about === "reference" && settings.isByService && !conversation.refusal;
  if (isForService && navigator.onLine) return askService(request);
  return show(showQuestion(request), focus);
}

function rule(books) {
  const { rules, edition, isExclusion } = settings;
  return decideWord(ruleData, conversation.word, rules, { ...books, edition, isExclusion, ...referenceName() });
}

/** Name the list that answered for the OSPD, unless it is the player's own copy. */
function referenceName() {
  const kept = settings.books.reference, answer = conversation.answers.find(({ by }) => by === "service");
  if (kept) return { referenceName: t("home.your-list", { name: kept.about.name }) };
  return answer ? { referenceName: answer.name } : {};
}

/** Return the player's files, or the player's answers so far. */
function currentBooks() {
  const of = (about) => {
    const answers = conversation.answers.filter((each) => each.about === about);
    return new Map(answers.map(({ word, is }) => [word, is]));
  };
  const { dictionary, reference } = settings.books;
  return {
    dictionary: dictionary?.book ?? playerAnswers(of("dictionary"), of("main-entry"), of("label")),
    reference: reference?.book ?? playerAnswers(of("reference")),
  };
}

/** Ask for the word itself before any base of it, as a family looks things up. */
function wordFirst(request) {
  const wasAsked = conversation.answers.some(({ about, word }) => about === "dictionary" && word === conversation.word);
  return request.about === "dictionary" && !wasAsked ? { ...request, words: [conversation.word] } : request;
}

function recordAnswer({ about, words: [word] }, is, by, name = "") {
  if (by === "player") remembered.set(keyOf(about, word), is);
  const others = conversation.answers.filter((each) => each.about !== about || each.word !== word);
  conversation.answers = [...others, { about, word, is, by, name }];
  return step();
}

function keyOf(about, word) {
  return `${about} ${word}`;
}

/** Ask the players' list of the service; the regular game goes by it alone, so its ruling is what the list says. */
async function askService(request) {
  const current = conversation;
  show(waitingCard({ word: conversation.word, text: t("home.asking-service") }));
  const { status, body } = await fetchJson("POST", "/v1/home", { word: conversation.word, rules: "classic" });
  if (conversation !== current) return;
  if (status === 200) return recordAnswer(request, body.acceptable, "service", body.reference);
  conversation.refusal = REFUSALS[body?.code] ?? "lost";
  return step();
}

/** Go back to the player's last answer, to change it; before the first, back to the word. */
function back() {
  const place = conversation.answers.findLastIndex(({ by }) => by !== "service");
  if (place < 0) return endConversation(batch ? batch.texts.join(" ") : conversation.word);
  const { about, word, since = place } = conversation.answers[place];
  remembered.delete(keyOf(about, word));
  conversation.answers = conversation.answers.slice(0, since);
  return step();
}

// Cards.

function show(section, focus = true) {
  conversationElement.replaceChildren(section);
  if (focus) conversationElement.querySelector("h2, input").focus();
}

function showQuestion(request) {
  const isBase = request.about === "dictionary" && request.words[0] !== conversation.word;
  const isLast = request.words.length === 1;
  const total = batch?.texts.length, n = total - (batch?.left.length ?? 0);
  return questionCard({
    word: conversation.word, progress: batch ? t("home.progress", { n, total }) : "",
    text: questionOf(ruleData.sentences, request), note: noteOn(request, isBase),
    answers: answersSoFar(), no: isBase && !isLast ? t("home.try-another") : t("home.no"),
    say: (is) => recordAnswer(request, is, "player"), back,
    others: [
      ...(isBase && !isLast ? [{ label: t("home.no-base"), act: () => sayNoToAll(request) }] : []),
      ...(isBase ? [{ label: t("home.own-base"), act: nameBase }] : []),
      { label: t("home.back"), act: back },
    ],
  });
}

function noteOn({ about }, isBase) {
  if (about === "reference" && conversation.refusal) return refusalNote();
  if (about === "label") return t("home.label-note");
  return isBase ? t("home.base-note") : "";
}

/** Return why the service did not answer, with a link to the page that pairs devices where that would help. */
function refusalNote() {
  const said = t(`home.service-${conversation.refusal}`);
  return conversation.refusal === "unpaired" ? [said, " ", h("a", { href: "/judge" }, t("home.pair"))] : said;
}

function sayNoToAll({ about, words }) {
  const since = conversation.answers.length;
  const refusals = words.map((word) => ({ about, word, is: false, by: "player", since }));
  conversation.answers = [...conversation.answers, ...refusals];
  return step();
}

function nameBase() {
  show(ownBaseCard({ word: conversation.word, back: () => step(), take: takeBase }));
}

/** Continue with the base that the player names, or return what is wrong with it. */
function takeBase(text) {
  const { word } = conversation, base = fold(text.trim());
  if (!base) return t("home.bad-word");
  const isDerived = base !== word && findDerivationsFrom(word, base, ruleData.extended).length > 0;
  if (!isDerived) return t("home.not-made-of", { word, base });
  recordAnswer({ about: "dictionary", words: [base] }, true, "player");
  return "";
}

function exampleRuling() {
  const { word, base } = EXAMPLE, dictionary = playerAnswers(new Map([[word, false], [base, true]]));
  return decideWord(ruleData, word, "scrabble-i", { dictionary, reference: playerAnswers(new Map([[word, true]])) });
}

/** Return a ruling as cards show it. */
function cardOf({ word, acceptable, because, source, follows, steps, signs, affix, labels_checked }) {
  const kind = acceptable ? "in" : follows === "another-play" ? "again" : "out", { sentences } = ruleData;
  return {
    kind, title: t(`home.ruling-${kind}`), word, because, source, affix,
    chain: steps.length > 1 ? steps.map((each, place) => ({ word: each, affix: signs[place - 1] })) : [],
    note: labels_checked ? "" : sentences.notes["labels-unchecked"],
    follows: follows ? sentences.follows[follows] : acceptable ? t("home.follows-in") : "",
  };
}

function showResults() {
  const { texts, rulings } = batch, out = rulings.filter(({ acceptable }) => !acceptable).length, n = rulings.length;
  return resultsCard({
    title: out ? t("home.some-out", { out, n }) : t("home.all-in", { n }), isIn: !out, rulings: rulings.map(cardOf),
    next: () => endConversation(), others: [{ label: t("home.change"), act: () => endConversation(texts.join(" ")) }],
  });
}

function showRuling(outcome) {
  const isOpen = outcome.rule.endsWith("no-base") && !settings.books.dictionary;
  return rulingCard({
    ...cardOf(outcome),
    answers: answersWithFiles(outcome), next: () => endConversation(),
    others: [
      ...(isOpen ? [{ label: t("home.own-base"), act: nameBase }] : []),
      ...(conversation.answers.length ? [{ label: t("home.back"), act: back }] : []),
    ],
  });
}

function answersSoFar() {
  return conversation.answers.map(({ about, word, is, by, name }) =>
    answerLine(about, word, t(`home.said-${is ? "yes" : "no"}-${by}`, { name })));
}

/** Return the answers on the way to a ruling, with those of the player's files. */
function answersWithFiles({ rule: id, base, word }) {
  const { dictionary, reference } = settings.books;
  const isByLists = Boolean(rule({}).rule), isRegular = settings.rules === "classic";
  const fileAnswer = ({ book, about: { name } }, kind, looked) =>
    answerLine(kind, looked, t(`home.said-${book.has(looked) ? "yes" : "no"}-file`, { name }));
  const lookedUp = isByLists || isRegular || settings.isExclusion ? [] : [...new Set([word, base ?? word])];
  const isInReference = !isByLists && !id.endsWith("in-dictionary");
  return [
    ...(dictionary ? lookedUp.map((each) => fileAnswer(dictionary, "dictionary", each)) : []),
    ...answersSoFar(),
    ...(reference && isInReference ? [fileAnswer(reference, "reference", word)] : []),
  ];
}

function answerLine(about, word, answer) {
  return { text: questionOf(ruleData.sentences, { about, words: [word] }), answer };
}

await open();
