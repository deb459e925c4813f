/**
 * The ruling on a word at home, under any rule set (docs/rules.md 6.3, 6.7, 6.8): ordws/homeplay/decide.py for the
 * browser, held equal to it by tests/pages/test_formatives_js.py. Pure.
 *
 * @typedef {import("./word-check.js").WordCheck} WordCheck
 * @typedef {import("./word-check.js").Ruling} Ruling
 * @typedef {import("./word-check.js").LookupRequest} LookupRequest
 */

import { affixesOf } from "./affixes.js";
import {
  PLAYERS_COPY, allow, allowByDictionary, askDictionary, askReference, checkLabel, findBaseDerivations, isBarred,
  lookUpInBooks, playerAnswers, refuse, refuseWithoutBase,
} from "./word-check.js";
import { doverListsOf, ruleByDover, ruleByLists } from "./dover.js";

export { questionOf, playerAnswers, refuseUnplayable } from "./word-check.js";

const SHORT_HEBREW_LETTERS = "FEH HEH HET KAF MEM PEH TAV TET VAU VAV VAW WAW YOD".split(" ");

/**
 * Return the data of all rulings, from the documents `/app/rules.json`, `/app/affixes.json` and `/app/sentences.json`.
 */
export function ruleDataOf(rules, table, sentences) {
  const dover = doverListsOf(rules.rules.dover);
  return {
    sentences, dover, strict: affixesOf(table, "strict"), extended: affixesOf(table, "extended"),
    hebrew: new Set([...dover.hebrew, ...SHORT_HEBREW_LETTERS]),
    ruleSets: Object.fromEntries(Object.entries(rules.rules).map(([id, set]) => [id, homeRulesOf(set)])),
  };
}

function homeRulesOf(set) {
  const [twos, own, struck] = [set.two_letter_words, set.allow, set.strike].map((words) => new Set(words));
  return {
    twos, own, struck, twosName: set.two_letter_list, procedure: PROCEDURES[set.home_rules],
    barsLabelled: set.offensive === "disallowed",
  };
}

/**
 * Return the ruling on a folded word, or the request for what has to be looked up first.
 *
 * With `isExclusion` the players' reference and the published lists decide, and there is no dictionary.
 *
 * @returns {Ruling | LookupRequest}
 */
export function decideWord(ruleData, word, rules, {
  dictionary = playerAnswers(), reference = playerAnswers(), edition = "print", affixes = "extended",
  isExclusion = false, referenceName = PLAYERS_COPY,
} = {}) {
  const { own, struck, twos, procedure, ...ruleSet } = ruleData.ruleSets[rules];
  const books = { dictionary, reference, edition, referenceName, affixes: ruleData[affixes] };
  const check = { ...ruleData, ...ruleSet, ...books, word, twos };
  if (own.has(word)) return allow(check, "own-list-good");
  if (struck.has(word)) return refuse(check, "own-list-out");
  if (twos.has(word)) return allow(check, "two-letter-list");
  return procedure.byLists(check) ?? (isExclusion ? procedure.byExclusion(check) : procedure.byBooks(check));
}

/** The procedures by the values of `HomeRules` in ordws/rules/ruleset.py. */
const PROCEDURES = {
  reference: {
    byLists: ruleByTwoLetterList,
    byBooks: (check) => byReference(check, "in-reference", "not-in-reference"),
    byExclusion: (check) => byReference(check, "in-reference", "not-in-reference"),
  },
  "two-books": { byLists: ruleByTwoLetterList, byBooks: ruleByTwoBooks, byExclusion: ruleByExclusion },
  dover: {
    byLists: ruleByLists,
    byBooks: ruleByDover,
    byExclusion: (check) => byReference(check, "dover-lists-fair", "dover-lists-missing"),
  },
};

function ruleByTwoLetterList(check) {
  return check.word.length === 2 ? refuse(check, "not-on-two-letter-list") : null;
}

function byReference(check, fair, missing) {
  const { inReference } = lookUpInBooks(check);
  if (inReference === null) return askReference(check);
  return inReference ? allow(check, fair) : refuse(check, missing);
}

/** Refuse Q without U and Hebrew letters; accept everything else that the reference has. */
function ruleByExclusion(check) {
  const { word, hebrew } = check;
  if (word.replaceAll("QU", "").includes("Q")) return refuse(check, "exclusion-q-without-u");
  if (hebrew.has(word) || hebrew.has(word.replace(/S$/, ""))) return refuse(check, "exclusion-hebrew-letter");
  return byReference(check, "exclusion-fair", "exclusion-missing");
}

/** Ask two questions of two books, in the order in which a family would look. */
function ruleByTwoBooks(check) {
  const { word } = check, { inDictionary, inReference } = lookUpInBooks(check);
  if (inDictionary) return checkLabel(check, word) ?? allowByDictionary(check, "in-dictionary");
  if (inReference === false) return refuseMissing(check, inDictionary);
  const made = findBaseDerivations(check);
  if (made.about) return made;
  if (made.notMadeOf || !made.length) {
    return inDictionary === null ? askDictionary(check) : refuseWithoutBase(check, made);
  }
  const best = made.find(({ base }) => !isBarred(check, base)) ?? made[0], label = checkLabel(check, best.base, best);
  if (label) return label;
  if (inReference === null) return askReference(check);
  return allowByDictionary(check, best.base.length === 2 ? "formative-of-two" : "formative", best);
}

function refuseMissing(check, inDictionary) {
  if (inDictionary === null) return askDictionary(check);
  const made = findBaseDerivations(check);
  const isMade = Array.isArray(made) && made.length > 0;
  return isMade ? refuse(check, "base-not-in-reference", made[0]) : refuse(check, "in-neither");
}
