/**
 * The word rules of the Dover club, in order, rule 7 before rule 4 (docs/rules.md 6.7): ordws/homeplay/dover.py for the
 * browser. Pure.
 */

import {
  ANOTHER_PLAY, TURN_LOST, allow, allowByDictionary, askDictionary, askReference, checkLabel, findBaseDerivations,
  isBarred, lookUpInBooks, refuse, refuseWithoutBase,
} from "./word-check.js";
import { findDerivations, wordsOf } from "./formatives.js";

const DISQUALIFIED = new Set(
  "AA AE JO PE QI SI WO ZA AZO DEX DIS HOS IGG JEE MEM POO QOPH SUQ TAV VAU VAV WAW ZAG ZIG ZEP ZOA".split(" "),
);
const SECONDARY = new Set(["BALER noun", "EXPORTER noun", "HOARDER noun", "DEMO verb", "LUGE verb"]);
const ADJECTIVAL_AFFIXES = new Set(["-Y", "-EY", "-LY", "-ISH", "-FUL", "-SOME", "UN-"]);
const RULE_BY_AFFIX = { "RE-": "dover-5-re", "UN-": "dover-5-un", "-ER": "dover-5-er", "-ED": "dover-5-ed" };
const CERTAIN_COST = 2;

/** Return the club's lists, from what its rule set publishes; its longer words are Hebrew letters alone. */
export function doverListsOf({ disallowed_words, granted_words }) {
  return {
    disqualified: DISQUALIFIED, hebrew: new Set(disallowed_words.filter((word) => word.length > 3)),
    disallowed: new Set(disallowed_words), plurals: new Set(granted_words),
  };
}

/** Return the ruling of the club's lists, except for the acceptable twos; null where they do not decide. */
export function ruleByLists(check) {
  const { word, dover } = check;
  if (dover.disqualified.has(word)) return refuse(check, "dover-3-disqualified", null, ANOTHER_PLAY);
  if (dover.hebrew.has(word)) return refuse(check, "dover-3-hebrew-letter", null, ANOTHER_PLAY);
  if (dover.disallowed.has(word)) return refuse(check, "dover-7-disallowed", null, ANOTHER_PLAY);
  if (dover.plurals.has(word)) return allow(check, "dover-6-special-3");
  if (word.length > 2) return null;
  return refuse(check, word[1] === "S" ? "dover-6-special-4" : "not-on-two-letter-list");
}

/** Return the ruling of the club on a word that no list decides. */
export function ruleByDover(check) {
  const { word } = check, { inDictionary, inReference } = lookUpInBooks(check);
  if (inDictionary) return checkLabel(check, word) ?? allowByDictionary(check, "dover-4-in-dictionary");
  if (inReference === false && inDictionary === null) return askDictionary(check);
  const made = findBaseDerivations(check);
  if (made.about) return inReference === false ? refuse(check, "dover-in-neither") : made;
  if (made.notMadeOf || !made.length) return refuseWithoutRoot(check, made);
  return ruleOnFormative(check, made);
}

function refuseWithoutRoot(check, made) {
  const { inDictionary, inReference } = lookUpInBooks(check);
  if (inDictionary === null) return askDictionary(check);
  return inReference === false ? refuse(check, "dover-in-neither") : refuseWithoutBase(check, made, "dover-");
}

function ruleOnFormative(check, made) {
  const best = made.find(({ base }) => exclusionRule(check, base) === null);
  if (!best) return refuse(check, exclusionRule(check, made[0].base), made[0]);
  const { inReference } = lookUpInBooks(check);
  const label = inReference === false ? null : checkLabel(check, best.base, best);
  if (label) return label;
  const found = findRule(check, best);
  if (found.about) return found;
  const { rule, under, kind } = found;
  if (rule === "dover-5-main-adjective") return refuse(check, rule, best);
  if (inReference === null) return askReference(check);
  const isPlural = kind === "noun" && best.steps.length === 1;
  if (!inReference) return refuse(check, isPlural ? "dover-6-neither" : "dover-5-missing", best, TURN_LOST);
  if (rule === "dover-6-electronic") return refuse(check, rule, best, ANOTHER_PLAY);
  return allowByDictionary(check, rule, best, { under, kind });
}

/** Return the rule that strikes out a base and every formative of it, or null. */
function exclusionRule(check, base) {
  if (check.dover.disqualified.has(base) || check.dover.hebrew.has(base)) return "dover-3-base";
  return isBarred(check, base) ? "dover-2-label-base" : null;
}

/**
 * Return the rule that applies to a formative; the OSPD still has to be checked.
 *
 * @typedef {import("./word-check.js").LookupRequest} LookupRequest
 * @returns {{rule: string, under: string, kind: string} | LookupRequest} `under` is the word before the last affix,
 *   `kind` the part of speech that it is inflected as
 */
function findRule(check, made) {
  const { affix } = made.steps.at(-1), under = wordsOf(made).at(-2), isOneStep = made.steps.length === 1;
  if (isPluralSign(check, affix) && mayBePartOfSpeech(check, made, "noun")) return findPluralRule(check, made, under);
  if (isOneStep && ["-S", "-ED", "-ING"].includes(affix) && isSecondary(check, under, "verb")) {
    return { rule: "dover-6-special-1", under, kind: "verb" };
  }
  if (affix === "-EST" || (affix === "-ER" && isComparative(check, made))) {
    const isMain = isOneStep && check.dictionary.hasMainEntry(under, "adjective");
    if (isMain === null && check.dictionary.isPlayerAnswers) {
      return { word: check.word, about: "main-entry", words: [under] };
    }
    const degree = affix === "-ER" ? "dover-5-comparative" : "dover-5-superlative";
    return { rule: isMain ? "dover-5-main-adjective" : degree, under, kind: "" };
  }
  return { rule: RULE_BY_AFFIX[affix] ?? "dover-5-affix", under, kind: "" };
}

function isPluralSign({ extended }, sign) {
  const isPlural = ([of, makes]) => of === "noun" && makes === "plural";
  return [...extended.suffixes.values()].flat().some((affix) => affix.sign === sign && affix.kinds.some(isPlural));
}

function findPluralRule(check, made, under) {
  if (isGerund(check, made, under)) return { rule: "dover-6-special-2", under, kind: "noun" };
  const isSecondaryHeadword = made.steps.length > 1 || isSecondary(check, under, "noun");
  if (isSecondaryHeadword) return { rule: "dover-6-special-1", under, kind: "noun" };
  if (check.edition === "print") return { rule: "dover-6-print", under, kind: "noun" };
  if (isSecondaryHeadword === null) return { word: check.word, about: "main-entry", words: [under] };
  return { rule: "dover-6-electronic", under, kind: "noun" };
}

/** Return whether a plural is that of a verb's -ING form, whether or not the -ING form is a headword. */
function isGerund({ dictionary, affixes }, made, under) {
  if (made.steps.length > 1) return made.steps.at(-2).affix === "-ING";
  if (!under.endsWith("ING") || dictionary.isPlayerAnswers) return false;
  return findDerivations(under, dictionary, affixes)
    .some(({ steps }) => steps.length === 1 && steps[0].affix === "-ING");
}

/**
 * Return whether a headword stands only in the entry of another word; null where nobody has said.
 *
 * Where a file does not say so, a headword that surely derives from another headword counts as secondary.
 */
function isSecondary({ dictionary, affixes }, word, kind) {
  const isMain = dictionary.hasMainEntry(word, kind);
  if (isMain !== null) return !isMain;
  if (SECONDARY.has(`${word} ${kind}`)) return true;
  if (dictionary.isPlayerAnswers) return null;
  return kind === "noun" && findDerivations(word, dictionary, affixes).some(({ cost }) => cost <= CERTAIN_COST);
}

/** Return whether the word before the last affix may be this part of speech. */
function mayBePartOfSpeech({ dictionary }, made, kind) {
  if (made.steps.length > 1 || dictionary.isPlayerAnswers) return true;
  const kinds = dictionary.kinds(made.base);
  return !kinds.length || kinds.includes(kind);
}

/** Return whether -ER makes a comparative here, rather than one that does it. */
function isComparative({ word, dictionary, reference }, made) {
  if (made.steps.length > 1) return ADJECTIVAL_AFFIXES.has(made.steps.at(-2).affix);
  const kinds = dictionary.isPlayerAnswers ? [] : dictionary.kinds(made.base);
  if (kinds.length) return kinds.includes("adjective") && !kinds.includes("verb") && !kinds.includes("noun");
  // Few bases on -Y are verbs, and the -ER forms of those stand in dictionaries: CARRIER, WORRIER.
  if (reference.isPlayerAnswers) return word.endsWith("IER");
  return reference.holds(`${word.slice(0, -2)}EST`);
}
