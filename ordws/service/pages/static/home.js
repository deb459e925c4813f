// Home check: two questions of two books, one at a time. Words and answers stay in this window alone.

import { fold } from "./fold.js";
import { ways } from "./formatives.js";
import { settle } from "./home-settings.js";
import { ownBase, question, ruling, waiting } from "./home-view.js";
import { ask } from "./net.js";
import { lawOf, questionOf, ruleOn, told } from "./ruling.js";
import { t } from "./texts.js";

const start = document.getElementById("start");
const begin = document.getElementById("begin");
const field = document.getElementById("word");
const fault = document.getElementById("word-fault");
const talk = document.getElementById("talk");

/**
 * @typedef {{about: string, word: string, is: boolean, by: "player"|"before"|"service", since?: number}} Answer `since`:
 *   the place of the first of several that were given at once
 */

/** What the player said since the page was opened, so that nothing is asked twice. */
const remembered = new Map();

/** The conversation on one word, its answers in the order in which they were given. */
let said = silence();

let law, settings;

async function open() {
  const documents = ["rules", "affixes", "sentences"].map(async (name) => (await fetch(`/app/${name}.json`)).json());
  law = lawOf(...await Promise.all(documents));
  settings = await settle({ onChange: changed });
  begin.addEventListener("click", beginTalk);
  field.addEventListener("keydown", (event) => event.key === "Enter" && beginTalk());
  field.addEventListener("input", () => { fault.textContent = ""; });
  window.addEventListener("pagehide", forgetAll);
  begin.disabled = false;
}

/** @returns {{word: string, answers: Answer[], isServiceLost: boolean}} */
function silence(word = "") {
  return { word, answers: [], isServiceLost: false };
}

function beginTalk() {
  const word = fold(field.value.trim());
  fault.textContent = word ? "" : t("home.bad-word");
  if (!word) return field.focus();
  field.value = "";
  said = silence(word);
  start.hidden = true;
  return step();
}

function endTalk(word = "") {
  said = silence();
  talk.replaceChildren();
  start.hidden = false;
  field.value = word;
  field.focus();
}

/** A page that the browser keeps for the way back holds nothing of what was asked. */
function forgetAll() {
  remembered.clear();
  if (said.word || field.value) endTalk();
}

/** Other rules or books: what was said of another book is forgotten, and the word is looked at anew. */
function changed({ forget }) {
  if (forget) remembered.clear();
  if (!said.word) return;
  said = { ...silence(said.word), answers: forget ? [] : said.answers.filter(({ by }) => by !== "service") };
  step({ focus: false });
}

/** Show what comes next: the ruling, or what has to be looked up, unless that is known or the service can tell. */
function step({ focus = true } = {}) {
  const outcome = rule(shelves());
  if (outcome.rule) return show(showRuling(outcome), focus);
  const asked = firstOfAll(outcome), known = remembered.get(keyOf(asked.about, asked.words[0]));
  if (known !== undefined) return take(asked, known, "before");
  const isForService = asked.about === "reference" && settings.isByService && !said.isServiceLost;
  if (isForService && navigator.onLine) return askService(asked);
  return show(showQuestion(asked), focus);
}

function rule(shelves) {
  const { rules, edition, isExclusion } = settings;
  return ruleOn(law, said.word, rules, { ...shelves, edition, isExclusion });
}

/** The player's files, or what he has said so far. */
function shelves() {
  const of = (about) => new Map(said.answers.filter((each) => each.about === about).map(({ word, is }) => [word, is]));
  const { dictionary, reference } = settings.books;
  return {
    dictionary: dictionary?.book ?? told(of("dictionary"), of("main-entry")),
    reference: reference?.book ?? told(of("reference")),
  };
}

/** A family looks for the word itself before it looks for any base of it. */
function firstOfAll(asked) {
  const wasAsked = said.answers.some(({ about, word }) => about === "dictionary" && word === said.word);
  return asked.about === "dictionary" && !wasAsked ? { ...asked, words: [said.word] } : asked;
}

function take({ about, words: [word] }, is, by) {
  if (by === "player") remembered.set(keyOf(about, word), is);
  const others = said.answers.filter((each) => each.about !== about || each.word !== word);
  said.answers = [...others, { about, word, is, by }];
  return step();
}

function keyOf(about, word) {
  return `${about} ${word}`;
}

/** Ask the players' list of the service: the regular game goes by it alone, so that its ruling is what the list says. */
async function askService(asked) {
  const talking = said;
  show(waiting({ word: said.word, text: t("home.asking-service") }));
  const { status, body } = await ask("POST", "/v1/home", { word: said.word, rules: "classic" });
  if (said !== talking) return;
  if (status === 200) return take(asked, body.acceptable, "service");
  said.isServiceLost = true;
  return step();
}

/** Back to the last thing that the player said, to say it otherwise; before the first, back to the word. */
function back() {
  const place = said.answers.findLastIndex(({ by }) => by !== "service");
  if (place < 0) return endTalk(said.word);
  const { about, word, since = place } = said.answers[place];
  remembered.delete(keyOf(about, word));
  said.answers = said.answers.slice(0, since);
  return step();
}

// What is shown.

function show(section, focus = true) {
  talk.replaceChildren(section);
  if (focus) talk.querySelector("h2, input").focus();
}

function showQuestion(asked) {
  const isBase = asked.about === "dictionary" && asked.words[0] !== said.word, isLast = asked.words.length === 1;
  return question({
    word: said.word, text: questionOf(law.sentences, asked), note: noteOn(asked, isBase), answers: toldSoFar(),
    no: isBase && !isLast ? t("home.try-another") : t("home.no"), say: (is) => take(asked, is, "player"), back,
    others: [
      ...(isBase && !isLast ? [{ label: t("home.no-base"), act: () => sayNoToAll(asked) }] : []),
      ...(isBase ? [{ label: t("home.own-base"), act: nameBase }] : []),
      { label: t("home.back"), act: back },
    ],
  });
}

function noteOn({ about }, isBase) {
  if (about === "reference" && said.isServiceLost) return t("home.service-lost");
  return isBase ? t("home.base-note") : "";
}

function sayNoToAll({ about, words }) {
  const since = said.answers.length;
  said.answers = [...said.answers, ...words.map((word) => ({ about, word, is: false, by: "player", since }))];
  return step();
}

function nameBase() {
  show(ownBase({ word: said.word, back: () => step(), take: takeBase }));
}

/** Go on with the base that the player names; or what is wrong with it. */
function takeBase(text) {
  const { word } = said, base = fold(text.trim());
  if (!base) return t("home.bad-word");
  if (base === word || !ways(word, base, law.extended).length) return t("home.not-made-of", { word, base });
  take({ about: "dictionary", words: [base] }, true, "player");
  return "";
}

function showRuling(outcome) {
  const { rule: id, acceptable, because, source, follows, steps, signs, affix } = outcome;
  const kind = acceptable ? "in" : follows === "another-play" ? "again" : "out";
  const isOpen = id.endsWith("no-base") && !settings.books.dictionary;
  return ruling({
    kind, title: t(`home.ruling-${kind}`), word: said.word, because, source, affix,
    chain: steps.length > 1 ? steps.map((word, place) => ({ word, affix: signs[place - 1] })) : [],
    follows: follows ? law.sentences.follows[follows] : t("home.follows-in"),
    answers: toldWithFiles(outcome), next: () => endTalk(),
    others: [
      ...(isOpen ? [{ label: t("home.own-base"), act: nameBase }] : []),
      ...(said.answers.length ? [{ label: t("home.back"), act: back }] : []),
    ],
  });
}

function toldSoFar() {
  return said.answers.map(({ about, word, is, by }) => toldOf(about, word, t(`home.said-${is ? "yes" : "no"}-${by}`)));
}

/** What was said on the way to a ruling, with what the player's files answered. */
function toldWithFiles({ rule: id, base, word }) {
  const { dictionary, reference } = settings.books;
  const isByLists = Boolean(rule({}).rule), isRegular = settings.rules === "classic";
  const answer = ({ book, about: { name } }, about, asked) =>
    toldOf(about, asked, t(`home.said-${book.has(asked) ? "yes" : "no"}-file`, { name }));
  const lookedUp = isByLists || isRegular || settings.isExclusion ? [] : [...new Set([word, base ?? word])];
  const isInReference = !isByLists && !id.endsWith("in-dictionary");
  return [
    ...(dictionary ? lookedUp.map((each) => answer(dictionary, "dictionary", each)) : []),
    ...toldSoFar(),
    ...(reference && isInReference ? [answer(reference, "reference", word)] : []),
  ];
}

function toldOf(about, word, answer) {
  return { text: questionOf(law.sentences, { about, words: [word] }), said: answer };
}

await open();
