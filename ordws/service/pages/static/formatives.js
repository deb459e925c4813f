/**
 * Whether a word is a formative of a base: ordws/homeplay's formatives for the browser, held equal by tests. Pure.
 *
 * @typedef {{word: string, affix: string}} Step a word that was made, and the affix it was made with
 * @typedef {{base: string, steps: Step[], cost: number}} Derivation the least cost is the likeliest
 * @typedef {{has(word: string): boolean, kinds?: (word: string) => Iterable<string>}} Book of a player; a Set is one
 * @typedef {import("./affixes.js").Affixes} Affixes
 */

import { oddness } from "./looks.js";
import { bases, fitting } from "./spelling.js";

const MOST_STEPS = 3;
const MOST_DERIVED = 2;
const SPREAD = 2;
const MOST = 5;
const MOST_NAMED = 9;
const MOST_UNSEEN = 4;
const MOST_CANDIDATES = 8;
const USUAL = 2;
const LEARNED = ["learned", "turned"];
const CHANCE = { 3: 1 };
const CHANCE_RARE = { 3: 4, 4: 2, 5: 1 };
const CHANCE_LEARNED = { 3: 5, 4: 3, 5: 1 };
const LONG = 8;
const START = { steps: [], wanted: [], cost: 0, derived: 0, learned: false };

/** How a folded word may have been made of words of the book, the likeliest first; none where it was not. */
export function derivations(word, book, affixes) {
  return search(word, book, affixes, MOST);
}

/** How a word may have been made of the base that a player names; at most one. */
export function ways(word, base, affixes) {
  return search(word, new Set([base]), affixes, MOST_NAMED);
}

/** The bases that one might look up, the likeliest first, where there is no dictionary to ask; the cost is a rank. */
export function candidates(word, affixes) {
  const found = [];
  let level = [[word, START, 0]];
  for (let n = 0; n < MOST_STEPS; n++) {
    const deeper = [];
    for (const [left, path, odd] of level) {
      for (const [affix, onward] of shorter(left, path, affixes, MOST_UNSEEN)) {
        for (const base of bases(left, affix)) {
          const odder = odd + oddness(base, affix, affixes);
          deeper.push([base, onward, odder]);
          found.push({ base, steps: onward.steps, cost: onward.cost - USUAL * onward.steps.length + odder });
        }
      }
    }
    level = deeper;
  }
  found.sort((a, b) => a.cost - b.cost || a.steps.length - b.steps.length || a.base.length - b.base.length);
  return ranked(found).slice(0, MOST_CANDIDATES);
}

/** From the base to the word itself. */
export function wordsOf({ base, steps }) {
  return [base, ...steps.map(({ word }) => word)];
}

/** All affixes together, as people write them: -INGS, -IER, UN- -ED. */
export function affixOf({ steps }) {
  const signs = steps.map(({ affix }) => affix);
  const prefixes = signs.filter((sign) => sign.endsWith("-")).reverse();
  const suffixes = signs.filter((sign) => sign.startsWith("-")).map((sign) => sign.slice(1)).join("");
  const irregular = signs.filter((sign) => !sign.includes("-"));
  return [...prefixes, ...(suffixes ? [`-${runTogether(suffixes)}`] : []), ...irregular].join(" ");
}

const TOGETHER = [["YE", "IE"], ["YLY", "ILY"], ["YNESS", "INESS"], ["YS", "IES"], ["NESSS", "NESSES"]];

function runTogether(suffixes) {
  return TOGETHER.reduce((text, [apart, together]) => text.replaceAll(apart, together), suffixes);
}

/** Breadth first; what is much less likely than the best found so far is not followed. */
function search(word, book, affixes, limit) {
  const found = [];
  let level = [[word, START]], most = limit;
  for (let n = 0; n < MOST_STEPS; n++) {
    const deeper = [];
    for (const [left, path] of level) {
      for (const [affix, onward] of shorter(left, path, affixes, most)) {
        for (const base of bases(left, affix)) {
          const cost = onward.cost + chance(base, onward);
          if (!book.has(base)) deeper.push([base, onward]);
          else if (cost <= most && isOf(book, base, onward.wanted)) {
            found.push({ base, steps: onward.steps, cost });
            most = Math.min(most, cost + SPREAD);
          }
        }
      }
    }
    level = deeper.filter(([left, path]) => path.cost < most + leeway(left));
  }
  return ranked(found);
}

/** The least cost first, then the fewest steps, then as they were found; of each base the best. */
function ranked(found) {
  const best = new Map();
  for (const each of [...found].sort((a, b) => a.cost - b.cost || a.steps.length - b.steps.length)) {
    if (!best.has(each.base)) best.set(each.base, each);
  }
  return [...best.values()];
}

/** Each affix that may be taken off next, and the path with it. */
function shorter(left, path, affixes, most) {
  const found = [];
  for (const affix of fitting(left, affixes)) {
    const cost = path.cost + affix.cost;
    if (cost > most + leeway(left) || (affix.inner && !path.steps.length)) continue;
    const isWanted = ([, makes]) => !path.wanted.length || path.wanted.includes(makes);
    const wanted = affix.kinds.filter(isWanted).map(([of]) => of);
    const derived = path.derived + (affix.inflects ? 0 : 1);
    if (!wanted.length || derived > MOST_DERIVED) continue;
    const learned = path.learned || LEARNED.includes(affix.spelling);
    found.push([affix, { steps: [{ word: left, affix: affix.sign }, ...path.steps], wanted, cost, derived, learned }]);
  }
  return found;
}

function leeway(left) {
  return left.length > LONG ? 1 : 0;
}

/** What the length of a base costs: the shorter, and the rarer its affixes, the likelier it is a chance. */
function chance(base, { learned, cost, steps }) {
  if (base.length >= LONG) return -1;
  const isRare = cost > steps.length;
  return (learned ? CHANCE_LEARNED : isRare ? CHANCE_RARE : CHANCE)[base.length] ?? 0;
}

function isOf(book, base, wanted) {
  const kinds = [...(book.kinds?.(base) ?? [])];
  return !kinds.length || kinds.some((kind) => wanted.includes(kind));
}
