/**
 * The ruling on a word at home, under any rule set (docs/rules.md 6.3, 6.7, 6.8): ordws/homeplay/decide.py, official.py
 * and exclusion.py for the browser, held equal to them by tests/pages/test_formatives_js.py. Pure.
 *
 * @typedef {import("./word-check.js").Case} Case
 * @typedef {import("./word-check.js").Ruling} Ruling
 * @typedef {import("./word-check.js").Ask} Ask
 */

import { affixesOf } from "./affixes.js";
import {
  allow, askDictionary, askReference, findBaseDerivations, lookUpInBooks, refuse, playerAnswers, refuseWithoutBase,
} from "./word-check.js";
import { doverListsOf, ruleByDover, ruleByLists } from "./dover.js";

export { questionOf, playerAnswers } from "./word-check.js";

const SHORT_HEBREW_LETTERS = "FEH HEH HET KAF MEM PEH TAV TET VAU VAV VAW WAW YOD".split(" ");

/**
 * Return the data of all rulings, from the documents `/app/rules.json`, `/app/affixes.json` and `/app/sentences.json`.
 */
export function ruleDataOf(rules, table, sentences) {
  const dover = doverListsOf(rules.rules.dover);
  return {
    sentences, dover, strict: affixesOf(table, "strict"), extended: affixesOf(table, "extended"),
    hebrew: new Set([...dover.hebrew, ...SHORT_HEBREW_LETTERS]),
    twos: Object.fromEntries(Object.entries(rules.rules).map(([id, set]) => [id, new Set(set.two_letter_words)])),
  };
}

/**
 * Return the ruling on a folded word, or the request for what has to be looked up first.
 *
 * With `isExclusion` the players' reference and the published lists decide, and there is no dictionary.
 *
 * @returns {Ruling | Ask}
 */
export function decideWord(law, word, rules, {
  dictionary = playerAnswers(), reference = playerAnswers(), edition = "print", affixes = "extended", isExclusion = false,
} = {}) {
  const twos = law.twos[rules];
  const kase = { ...law, word, dictionary, reference, edition, twos, affixes: law[affixes] };
  if (twos.has(word)) return allow(kase, "two-letter-list");
  const ways = HOME_RULES[rules];
  return ways.byLists(kase) ?? (isExclusion ? ways.byExclusion(kase) : ways.byBooks(kase));
}

const SCRABBLE_I = { byLists: ruleByTwoLetterList, byBooks: ruleByTwoBooks, byExclusion: ruleByExclusion };
const CLASSIC = {
  byLists: ruleByTwoLetterList,
  byBooks: (kase) => byReference(kase, "in-reference", "not-in-reference"),
  byExclusion: (kase) => byReference(kase, "in-reference", "not-in-reference"),
};
const DOVER = {
  byLists: ruleByLists,
  byBooks: ruleByDover,
  byExclusion: (kase) => byReference(kase, "dover-lists-fair", "dover-lists-missing"),
};
const HOME_RULES = {
  classic: CLASSIC, "scrabble-i-classic": SCRABBLE_I, "scrabble-o": SCRABBLE_I, "scrabble-i": SCRABBLE_I, dover: DOVER,
};

function ruleByTwoLetterList(kase) {
  return kase.word.length === 2 ? refuse(kase, "not-on-two-letter-list") : null;
}

function byReference(kase, fair, missing) {
  const { inReference } = lookUpInBooks(kase);
  if (inReference === null) return askReference(kase);
  return inReference ? allow(kase, fair) : refuse(kase, missing);
}

/** Refuse Q without U and Hebrew letters; accept everything else that the reference has. */
function ruleByExclusion(kase) {
  const { word, hebrew } = kase;
  if (word.replaceAll("QU", "").includes("Q")) return refuse(kase, "exclusion-q-without-u");
  if (hebrew.has(word) || hebrew.has(word.replace(/S$/, ""))) return refuse(kase, "exclusion-hebrew-letter");
  return byReference(kase, "exclusion-fair", "exclusion-missing");
}

/** Ask two questions of two books, in the order in which a family would look. */
function ruleByTwoBooks(kase) {
  const { inDictionary, inReference } = lookUpInBooks(kase);
  if (inDictionary) return allow(kase, "in-dictionary");
  if (inReference === false) return refuseMissing(kase, inDictionary);
  const made = findBaseDerivations(kase);
  if (made.about) return made;
  if (made.notMadeOf || !made.length) return inDictionary === null ? askDictionary(kase) : refuseWithoutBase(kase, made);
  return inReference === null ? askReference(kase) : allow(kase, made[0].base.length === 2 ? "formative-of-two" : "formative", made[0]);
}

function refuseMissing(kase, inDictionary) {
  if (inDictionary === null) return askDictionary(kase);
  const made = findBaseDerivations(kase);
  const isMade = Array.isArray(made) && made.length > 0;
  return isMade ? refuse(kase, "base-not-in-reference", made[0]) : refuse(kase, "in-neither");
}
