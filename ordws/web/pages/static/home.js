// The home check: two questions of two books, one at a time. Words and answers stay in this window alone.

import { fold } from "./fold.js";
import { findDerivationsFrom } from "./formatives.js";
import { initSettings } from "./home-settings.js";
import { ownBaseCard, questionCard, rulingCard, waitingCard } from "./home-view.js";
import { fetchJson } from "./api.js";
import { ruleDataOf, questionOf, decideWord, playerAnswers } from "./decide.js";
import { t } from "./texts.js";

const start = document.getElementById("start");
const begin = document.getElementById("begin");
const field = document.getElementById("word");
const fault = document.getElementById("word-fault");
const conversationElement = document.getElementById("talk");

/**
 * @typedef {{about: string, word: string, is: boolean, by: "player"|"before"|"service", since?: number}} Answer
 *   `since` is the index of the first of several answers that were given at once
 */

/** The player's answers since the page was opened, so that nothing is asked twice. */
const remembered = new Map();

/** The conversation on one word, its answers in the order in which they were given. */
let conversation = newConversation();

let ruleData, settings;

async function open() {
  const documents = ["rules", "affixes", "sentences"].map(async (name) => (await fetch(`/app/${name}.json`)).json());
  ruleData = ruleDataOf(...await Promise.all(documents));
  settings = await initSettings({ onChange: changed });
  begin.addEventListener("click", beginConversation);
  field.addEventListener("keydown", (event) => event.key === "Enter" && beginConversation());
  field.addEventListener("input", () => { fault.textContent = ""; });
  window.addEventListener("pagehide", forgetAll);
  begin.disabled = false;
}

/** @returns {{word: string, answers: Answer[], isServiceLost: boolean}} */
function newConversation(word = "") {
  return { word, answers: [], isServiceLost: false };
}

function beginConversation() {
  const word = fold(field.value.trim());
  fault.textContent = word ? "" : t("home.bad-word");
  if (!word) return field.focus();
  field.value = "";
  conversation = newConversation(word);
  start.hidden = true;
  return step();
}

function endConversation(word = "") {
  conversation = newConversation();
  conversationElement.replaceChildren();
  start.hidden = false;
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
  if (!conversation.word) return;
  const answers = forget ? [] : conversation.answers.filter(({ by }) => by !== "service");
  conversation = { ...newConversation(conversation.word), answers };
  step({ focus: false });
}

/** Show the next card: the ruling, or the next question, unless its answer is known or the service can give it. */
function step({ focus = true } = {}) {
  const outcome = rule(currentBooks());
  if (outcome.rule) return show(showRuling(outcome), focus);
  const request = wordFirst(outcome), known = remembered.get(keyOf(request.about, request.words[0]));
  if (known !== undefined) return recordAnswer(request, known, "before");
  const isForService = request.about === "reference" && settings.isByService && !conversation.isServiceLost;
  if (isForService && navigator.onLine) return askService(request);
  return show(showQuestion(request), focus);
}

function rule(books) {
  const { rules, edition, isExclusion } = settings;
  return decideWord(ruleData, conversation.word, rules, { ...books, edition, isExclusion });
}

/** Return the player's files, or the player's answers so far. */
function currentBooks() {
  const of = (about) => {
    const answers = conversation.answers.filter((each) => each.about === about);
    return new Map(answers.map(({ word, is }) => [word, is]));
  };
  const { dictionary, reference } = settings.books;
  return {
    dictionary: dictionary?.book ?? playerAnswers(of("dictionary"), of("main-entry")),
    reference: reference?.book ?? playerAnswers(of("reference")),
  };
}

/** Ask for the word itself before any base of it, as a family looks things up. */
function wordFirst(request) {
  const wasAsked = conversation.answers.some(({ about, word }) => about === "dictionary" && word === conversation.word);
  return request.about === "dictionary" && !wasAsked ? { ...request, words: [conversation.word] } : request;
}

function recordAnswer({ about, words: [word] }, is, by) {
  if (by === "player") remembered.set(keyOf(about, word), is);
  const others = conversation.answers.filter((each) => each.about !== about || each.word !== word);
  conversation.answers = [...others, { about, word, is, by }];
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
  if (status === 200) return recordAnswer(request, body.acceptable, "service");
  conversation.isServiceLost = true;
  return step();
}

/** Go back to the player's last answer, to change it; before the first, back to the word. */
function back() {
  const place = conversation.answers.findLastIndex(({ by }) => by !== "service");
  if (place < 0) return endConversation(conversation.word);
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
  return questionCard({
    word: conversation.word, text: questionOf(ruleData.sentences, request), note: noteOn(request, isBase),
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
  if (about === "reference" && conversation.isServiceLost) return t("home.service-lost");
  return isBase ? t("home.base-note") : "";
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

function showRuling(outcome) {
  const { rule: id, acceptable, because, source, follows, steps, signs, affix } = outcome;
  const kind = acceptable ? "in" : follows === "another-play" ? "again" : "out";
  const isOpen = id.endsWith("no-base") && !settings.books.dictionary;
  return rulingCard({
    kind, title: t(`home.ruling-${kind}`), word: conversation.word, because, source, affix,
    chain: steps.length > 1 ? steps.map((word, place) => ({ word, affix: signs[place - 1] })) : [],
    follows: follows ? ruleData.sentences.follows[follows] : t("home.follows-in"),
    answers: answersWithFiles(outcome), next: () => endConversation(),
    others: [
      ...(isOpen ? [{ label: t("home.own-base"), act: nameBase }] : []),
      ...(conversation.answers.length ? [{ label: t("home.back"), act: back }] : []),
    ],
  });
}

function answersSoFar() {
  return conversation.answers.map(({ about, word, is, by }) =>
    answerLine(about, word, t(`home.said-${is ? "yes" : "no"}-${by}`)));
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
