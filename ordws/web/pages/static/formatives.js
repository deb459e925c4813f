/**
 * The derivations of a word from base words: ordws/homeplay/formatives.py for the browser, held equal to it by
 * tests/pages/test_formatives_js.py. Pure.
 *
 * @typedef {{word: string, affix: string}} Step a word that was made, and the affix it was made with
 * @typedef {{base: string, steps: Step[], cost: number}} Derivation the least cost is the likeliest
 * @typedef {{has(word: string): boolean, kinds?: (word: string) => Iterable<string>}} Book of a player; a Set is one
 * @typedef {import("./affixes.js").Affixes} Affixes
 */

import { implausibility, isBase, looksMade } from "./plausibility.js";
import { possibleBases, matchingAffixes } from "./spelling.js";

const MAX_STEPS = 3;
const MAX_DERIVATIONAL_STEPS = 2;
const COST_SPREAD = 2;
const MAX_COST = 5;
const MAX_COST_NAMED_BASE = 9;
const MAX_COST_NO_DICTIONARY = 4;
const MAX_CANDIDATES = 8;
const USUAL_COST = 2;
const LEARNED = ["learned", "turned", "combining"];
const LENGTH_PENALTY = { 3: 1 };
const LENGTH_PENALTY_RARE = { 3: 4, 4: 2, 5: 1 };
const LENGTH_PENALTY_LEARNED = { 3: 5, 4: 3, 5: 1 };
const LONG_WORD = 8;
const START = { steps: [], wanted: [], cost: 0, derived: 0, learned: false, rare: false };

/** Return the derivations of a folded word from words of the book, the likeliest first. */
export function findDerivations(word, book, affixes) {
  return searchDerivations(word, book, affixes, MAX_COST);
}

/** Return the derivation of a word from the base that a player names; at most one. */
export function findDerivationsFrom(word, base, affixes) {
  return searchDerivations(word, new Set([base]), affixes, MAX_COST_NAMED_BASE);
}

/** Return the bases worth looking up where there is no dictionary, the likeliest first; the cost is a rank. */
export function findCandidateBases(word, affixes) {
  const found = [];
  let level = [[word, START, 0]];
  for (let n = 0; n < MAX_STEPS; n++) {
    const deeper = [];
    for (const [left, path, odd] of level) {
      for (const [affix, onward] of stripNextAffix(left, path, affixes, MAX_COST_NO_DICTIONARY)) {
        for (const base of possibleBases(left, affix)) {
          // An inflection costs nothing, but speaks no more for its base than a productive affix.
          const odder = odd + implausibility(base, affix, affixes) + (affix.cost === 0 ? 1 : 0);
          deeper.push([base, onward, odder]);
          if (!isBase(base, affixes)) continue;
          // UNIT is the base of UNITS, but after a second affix UNHAP is not that of UNHAPPIER.
          const made = onward.steps.length > 1 && looksMade(base, affixes) ? 1 : 0;
          const rank = onward.cost - USUAL_COST * onward.steps.length + odder + made;
          found.push({ base, steps: onward.steps, cost: rank });
        }
      }
    }
    level = deeper;
  }
  found.sort((a, b) => a.cost - b.cost || a.steps.length - b.steps.length || a.base.length - b.base.length);
  return rankByCost(found).slice(0, MAX_CANDIDATES);
}

/** Return the words of a derivation, from the base to the word itself. */
export function wordsOf({ base, steps }) {
  return [base, ...steps.map(({ word }) => word)];
}

/** Return all affixes of a derivation together, as people write them: -INGS, -IER, UN- -ED. */
export function affixOf({ steps }) {
  const signs = steps.map(({ affix }) => affix);
  const prefixes = signs.filter((sign) => sign.endsWith("-")).reverse();
  const suffixes = signs.filter((sign) => sign.startsWith("-")).map((sign) => sign.slice(1)).join("");
  const irregular = signs.filter((sign) => !sign.includes("-"));
  return [...prefixes, ...(suffixes ? [`-${joinSuffixes(suffixes)}`] : []), ...irregular].join(" ");
}

const CONTRACTIONS = [["YE", "IE"], ["YLY", "ILY"], ["YNESS", "INESS"], ["YS", "IES"], ["NESSS", "NESSES"], ["IUMA", "IA"]];

function joinSuffixes(suffixes) {
  return CONTRACTIONS.reduce((text, [apart, together]) => text.replaceAll(apart, together), suffixes);
}

/** Search breadth first; paths that cost much more than the best derivation found so far are not followed. */
function searchDerivations(word, book, affixes, limit) {
  const found = [];
  let level = [[word, START]], most = limit;
  for (let n = 0; n < MAX_STEPS; n++) {
    const deeper = [];
    for (const [left, path] of level) {
      for (const [affix, onward] of stripNextAffix(left, path, affixes, most)) {
        for (const base of possibleBases(left, affix)) {
          const cost = onward.cost + lengthPenalty(base, onward);
          if (!book.has(base) || isCombiningForm(base, onward, affixes)) deeper.push([base, onward]);
          else if (cost <= most && mayBePartOfSpeech(book, base, onward.wanted)) {
            found.push({ base, steps: onward.steps, cost });
            most = Math.min(most, cost + COST_SPREAD);
          }
        }
      }
    }
    level = deeper.filter(([left, path]) => path.cost < most + leeway(left));
  }
  return rankByCost(found);
}

/** Sort by cost, then by number of steps, then by the order of discovery; keep the best derivation of each base. */
function rankByCost(found) {
  const best = new Map();
  for (const each of [...found].sort((a, b) => a.cost - b.cost || a.steps.length - b.steps.length)) {
    if (!best.has(each.base)) best.set(each.base, each);
  }
  return [...best.values()];
}

/** Return each affix that may be stripped next, with the path after it. */
function stripNextAffix(left, path, affixes, most) {
  const found = [];
  for (const affix of matchingAffixes(left, affixes)) {
    const cost = path.cost + affix.cost;
    if (cost > most + leeway(left) || (affix.inner && !path.steps.length)) continue;
    const isWanted = ([, makes]) => !path.wanted.length || path.wanted.includes(makes);
    const wanted = affix.kinds.filter(isWanted).map(([of]) => of);
    const derived = path.derived + (affix.inflects ? 0 : 1);
    if (!wanted.length || derived > MAX_DERIVATIONAL_STEPS) continue;
    const learned = path.learned || LEARNED.includes(affix.spelling), rare = path.rare || affix.cost > 1;
    const steps = [{ word: left, affix: affix.sign }, ...path.steps];
    found.push([affix, { steps, wanted, cost, derived, learned, rare }]);
  }
  return found;
}

function leeway(left) {
  return left.length > LONG_WORD ? 1 : 0;
}

/** Return the cost of a base's length: the shorter it is and the rarer its affixes, the likelier a coincidence. */
function lengthPenalty(base, { learned, rare }) {
  if (base.length >= LONG_WORD) return -1;
  return (learned ? LENGTH_PENALTY_LEARNED : rare ? LENGTH_PENALTY_RARE : LENGTH_PENALTY)[base.length] ?? 0;
}

/** Return whether a headword is a mere combining form here: HETEROLYTIC joins two of them and has no base. */
function isCombiningForm(base, { learned }, { prefixes }) {
  return learned && base.endsWith("O") && prefixes.has(base);
}

function mayBePartOfSpeech(book, base, wanted) {
  const kinds = [...(book.kinds?.(base) ?? [])];
  return !kinds.length || kinds.some((kind) => wanted.includes(kind));
}
