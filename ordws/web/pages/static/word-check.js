/**
 * A word looked up in the two books, and what the rulings of all rule sets share: ordws/homeplay/word_check.py
 * for the browser. Pure.
 *
 * @typedef {import("./formatives.js").Derivation} Derivation
 * @typedef {{word: string, about: "dictionary"|"main-entry"|"label"|"reference", words: string[]}} LookupRequest
 *   what has to be looked up first: the first of the words, and then, after a no, the next
 * @typedef {{word: string, acceptable: boolean, rule: string, source: string, because: string, base: string|null,
 *   steps: string[], signs: string[], affix: string, follows: "turn-lost"|"another-play"|null,
 *   labels_checked: boolean}} Ruling `steps` from the base to the word, `signs` the affixes between them,
 *   `labels_checked` false if labelled words are barred and the dictionary, a file, states no labels
 * @typedef {{word: string, dictionary: object, reference: object, referenceName: string, twos: Set<string>,
 *   twosName: string, barsLabelled: boolean, edition: "print"|"electronic", affixes: import("./affixes.js").Affixes,
 *   extended: import("./affixes.js").Affixes, sentences: object}} WordCheck its books are made by `openBook` or
 *   `playerAnswers`
 */

import { affixOf, findCandidateBases, findDerivations, findDerivationsFrom, wordsOf } from "./formatives.js";

export const ANOTHER_PLAY = "another-play";
export const TURN_LOST = "turn-lost";
const SHORTEST_PART = 3;

/** The name of the players' reference where the player looks it up. */
export const PLAYERS_COPY = "the OSPD";

/**
 * Return a book of which only a player's answers are known: Maps of words to yes or no, in the order of the answers.
 */
export function playerAnswers(answers = new Map(), mainEntries = new Map(), labels = new Map()) {
  return {
    isPlayerAnswers: true, statesLabels: true, answers, holds: (word) => answers.get(word) ?? null,
    hasMainEntry: (word) => mainEntries.get(word) ?? null, isOut: (word) => labels.get(word) ?? null,
  };
}

/** Return whether its label bars a word of the dictionary; null where the player has to be asked. */
export function isBarred({ barsLabelled, dictionary }, headword) {
  if (!barsLabelled || headword.length === 2) return false;
  if (dictionary.isPlayerAnswers) return dictionary.isOut(headword);
  return dictionary.has(headword) && dictionary.isOut(headword);
}

/** Return the refusal of a word for the label of a headword, or the question about it; null where it is good. */
export function checkLabel(check, headword, derivation = null) {
  const isOut = isBarred(check, headword);
  if (isOut === null) return { word: check.word, about: "label", words: [headword] };
  if (!isOut) return null;
  return derivation ? refuse(check, "dover-2-label-base", derivation) : refuse(check, "dover-2-label");
}

/** Rule that a list lets the word be played; without a derivation it is its own base. @returns {Ruling} */
export function allow(check, rule, derivation = null, details = {}) {
  const made = derivation ?? { base: check.word, steps: [], cost: 0 };
  return makeRuling(check, true, rule, made, null, details);
}

/** Rule that the word may be played, since the dictionary has it or its base. @returns {Ruling} */
export function allowByDictionary(check, rule, derivation = null, details = {}) {
  return { ...allow(check, rule, derivation, details), labels_checked: check.dictionary.statesLabels || !check.barsLabelled };
}

/** Rule on a text that is not one word of letters, so that no rule set knows it. @returns {Ruling} */
export function refuseUnplayable(sentences, text) {
  const check = { word: text, sentences, referenceName: PLAYERS_COPY, twosName: "own" };
  return makeRuling(check, false, "not-playable", null, null, {});
}

/** Rule that the word may not be played. @returns {Ruling} */
export function refuse(check, rule, derivation = null, follows = TURN_LOST, details = {}) {
  return makeRuling(check, false, rule, derivation, follows, details);
}

function makeRuling({ word, sentences, referenceName, twosName }, acceptable, rule, derivation, follows, details) {
  const { source, says } = sentences.rules[rule];
  const base = derivation?.base ?? "", steps = derivation ? wordsOf(derivation) : [];
  const affix = derivation ? affixOf(derivation) : "", signs = (derivation?.steps ?? []).map((step) => step.affix);
  const names = {
    reference: referenceName, Reference: referenceName[0].toUpperCase() + referenceName.slice(1),
    list: sentences["two-letter-lists"][twosName],
  };
  const because = fill(says, { word, base, affix, chain: steps.join(", "), ...names, ...details });
  return {
    word, acceptable, rule, source, because, base: base || null, steps, signs, affix, follows, labels_checked: true,
  };
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Return the question that a lookup request puts to the players. */
export function questionOf(sentences, { about, words }) {
  return fill(sentences.question[about], { asked: words[0] });
}

/** @returns {LookupRequest} */
export function askDictionary({ word }) {
  return { word, about: "dictionary", words: [word] };
}

/** @returns {LookupRequest} */
export function askReference({ word }) {
  return { word, about: "reference", words: [word] };
}

/** Return what the books say of the word itself; null where nobody has looked yet. */
export function lookUpInBooks({ word, dictionary, reference }) {
  return { inDictionary: dictionary.holds(word), inReference: reference.holds(word) };
}

/**
 * Return the derivations of the word from words of the player's dictionary, or a request for the words to look up
 * there.
 *
 * @returns {Derivation[] | LookupRequest | {notMadeOf: string}} the last: a base that a player named, but from which
 *   the word does not derive
 */
export function findBaseDerivations(check) {
  const { word, twos, dictionary } = check;
  const base = word.slice(0, 2), ending = word.slice(2), isTwo = twos.has(base);
  if (isTwo && ending === (/[SX]$/.test(base) ? "ES" : "S")) return [inflectTwoLetterWord(word, "-S")];
  const isInflection = ending === "ED" || ending === "ING" || (ending === "ES" && base[1] === "O");
  const made = dictionary.isPlayerAnswers ? basesFromAnswers(check) : findDerivations(word, dictionary, check.affixes);
  if (made.length !== 0 || !isTwo || !isInflection) return made;
  return [inflectTwoLetterWord(word, ending === "ES" ? "-S" : `-${ending}`)];
}

/** Return an inflection of a two-letter word, which is decided by its list alone: AIS, EXES, GOING, AXED, DOES. */
function inflectTwoLetterWord(word, affix) {
  return { base: word.slice(0, 2), steps: [{ word, affix }], cost: 1 };
}

function basesFromAnswers({ word, dictionary, affixes }) {
  const held = [...dictionary.answers].filter(([base, isIn]) => isIn && base !== word).map(([base]) => base);
  const made = held.flatMap((base) => findDerivationsFrom(word, base, affixes));
  if (made.length) return made;
  if (held.length) return { notMadeOf: held[0] };
  const candidates = findCandidateBases(word, affixes).map(({ base }) => base);
  const unasked = candidates.filter((base) => dictionary.holds(base) === null);
  return unasked.length ? { word, about: "dictionary", words: unasked } : [];
}

/**
 * Refuse a word without a base in the dictionary; `of` begins the ids of the rule set's own sentences.
 *
 * @returns {Ruling}
 */
export function refuseWithoutBase(check, made, of = "") {
  if (made.notMadeOf) return refuse(check, `${of}not-made-of`, null, TURN_LOST, { base: made.notMadeOf });
  const parts = findCompoundParts(check);
  if (parts) return refuse(check, `${of}compound`, null, TURN_LOST, { parts: parts.join(" and ") });
  return refuse(check, `${of}no-base`);
}

/** Return the two words of the dictionary that a word joins, or null. */
function findCompoundParts({ word, dictionary }) {
  for (let cut = SHORTEST_PART; cut <= word.length - SHORTEST_PART; cut++) {
    const parts = [word.slice(0, cut), word.slice(cut)];
    if (parts.every((part) => dictionary.holds(part))) return parts;
  }
  return null;
}
