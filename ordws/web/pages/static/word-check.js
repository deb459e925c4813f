/**
 * A word before the two books, and what the rulings of all rule sets need to know of it: ordws/homeplay/word_check.py and
 * ruling.py for the browser. Pure.
 *
 * @typedef {import("./formatives.js").Derivation} Derivation
 * @typedef {{word: string, about: "dictionary"|"main-entry"|"reference", words: string[]}} Ask what has to be looked up
 *   first: the first of the words, and then, after a no, the next
 * @typedef {{word: string, acceptable: boolean, rule: string, source: string, because: string, base: string|null,
 *   steps: string[], signs: string[], affix: string, follows: "turn-lost"|"another-play"|null}} Ruling `steps` from the
 *   base to the word, `signs` the affixes between them
 * @typedef {{word: string, dictionary: object, reference: object, twos: Set<string>, edition: "print"|"electronic",
 *   affixes: import("./affixes.js").Affixes, extended: import("./affixes.js").Affixes, sentences: object}} Case books
 *   are as `openBook` makes them, or `playerAnswers`
 */

import { affixOf, findCandidateBases, findDerivations, findDerivationsFrom, wordsOf } from "./formatives.js";

export const ANOTHER_PLAY = "another-play";
export const TURN_LOST = "turn-lost";
const SHORTEST_PART = 3;

/** A book of which a player has said something: Maps of words to yes or no, in the order in which he said it. */
export function playerAnswers(answers = new Map(), mainEntries = new Map()) {
  return {
    isTold: true, answers, holds: (word) => answers.get(word) ?? null,
    hasMainEntry: (word) => mainEntries.get(word) ?? null,
  };
}

/** The word may be played; without a derivation it is its own base. @returns {Ruling} */
export function allow(kase, rule, derivation = null, said = {}) {
  const made = derivation ?? { base: kase.word, steps: [], cost: 0 };
  return makeRuling(kase, true, rule, made, null, said);
}

/** The word may not be played. @returns {Ruling} */
export function refuse(kase, rule, derivation = null, follows = TURN_LOST, said = {}) {
  return makeRuling(kase, false, rule, derivation, follows, said);
}

function makeRuling({ word, sentences }, acceptable, rule, derivation, follows, said) {
  const { source, says } = sentences.rules[rule];
  const base = derivation?.base ?? "", steps = derivation ? wordsOf(derivation) : [];
  const affix = derivation ? affixOf(derivation) : "", signs = (derivation?.steps ?? []).map((step) => step.affix);
  const because = fill(says, { word, base, affix, chain: steps.join(", "), ...said });
  return { word, acceptable, rule, source, because, base: base || null, steps, signs, affix, follows };
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** An `Ask` as it is put to the players. */
export function questionOf(sentences, { about, words }) {
  return fill(sentences.question[about], { asked: words[0] });
}

/** @returns {Ask} */
export function askDictionary({ word }) {
  return { word, about: "dictionary", words: [word] };
}

/** @returns {Ask} */
export function askReference({ word }) {
  return { word, about: "reference", words: [word] };
}

/** What the books say of the word itself; null where nobody has looked yet. */
export function lookUpInBooks({ word, dictionary, reference }) {
  return { inDictionary: dictionary.holds(word), inReference: reference.holds(word) };
}

/**
 * How the word is made of words of the player's dictionary, or which words he is to look up there.
 *
 * @returns {Derivation[] | Ask | {notMadeOf: string}} the last: a base that a player named, and that it is not made of
 */
export function findBaseDerivations(kase) {
  const { word, twos, dictionary } = kase;
  const base = word.slice(0, 2), ending = word.slice(2), isTwo = twos.has(base);
  if (isTwo && ending === (/[SX]$/.test(base) ? "ES" : "S")) return [inflectTwoLetterWord(word, "-S")];
  if (dictionary.isTold) return basesFromAnswers(kase);
  const made = findDerivations(word, dictionary, kase.affixes);
  if (made.length || !isTwo || !(ending === "ED" || ending === "ING" || (ending === "ES" && base[1] === "O"))) return made;
  return [inflectTwoLetterWord(word, ending === "ES" ? "-S" : `-${ending}`)];
}

/** An inflection of a two-letter word, whose list alone decides that it is one: AIS, EXES, GOING, AXED, DOES. */
function inflectTwoLetterWord(word, affix) {
  return { base: word.slice(0, 2), steps: [{ word, affix }], cost: 1 };
}

function basesFromAnswers({ word, dictionary, affixes }) {
  const held = [...dictionary.answers].filter(([base, isIn]) => isIn && base !== word).map(([base]) => base);
  const made = held.flatMap((base) => findDerivationsFrom(word, base, affixes));
  if (made.length) return made;
  if (held.length) return { notMadeOf: held[0] };
  const unasked = findCandidateBases(word, affixes).map(({ base }) => base).filter((base) => dictionary.holds(base) === null);
  return unasked.length ? { word, about: "dictionary", words: unasked } : [];
}

/** The word has no base in the dictionary; `of` begins the ids of the rule set's own sentences. @returns {Ruling} */
export function refuseWithoutBase(kase, made, of = "") {
  if (made.notMadeOf) return refuse(kase, `${of}not-made-of`, null, TURN_LOST, { base: made.notMadeOf });
  const parts = findCompoundParts(kase);
  if (parts) return refuse(kase, `${of}compound`, null, TURN_LOST, { parts: parts.join(" and ") });
  return refuse(kase, `${of}no-base`);
}

/** The two words of the dictionary that a word joins, if it does. */
function findCompoundParts({ word, dictionary }) {
  for (let cut = SHORTEST_PART; cut <= word.length - SHORTEST_PART; cut++) {
    const parts = [word.slice(0, cut), word.slice(cut)];
    if (parts.every((part) => dictionary.holds(part))) return parts;
  }
  return null;
}
