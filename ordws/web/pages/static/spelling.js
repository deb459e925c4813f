/** The spelling where affixes join: ordws/homeplay/affixes.py for the browser. Pure. */

const SHORTEST_BASE = 3;
const LONGEST_COINCIDENCE = 5;
const VOWELS = "AEIOU";
const VOWELS_AND_Y = "AEIOUY";
const DOUBLING_CONSONANTS = "BDFGKLMNPRSTVZ";

/** Return the affixes whose letters the word ends or begins with: suffixes first, longer before shorter ones. */
export function matchingAffixes(word, affixes) {
  const found = [];
  for (let cut = Math.min(affixes.longestSuffix, word.length); cut > 0; cut--) {
    found.push(...(affixes.suffixes.get(word.slice(-cut)) ?? []));
  }
  for (let cut = Math.min(affixes.longestPrefix, word.length - SHORTEST_BASE); cut > 0; cut--) {
    found.push(...(affixes.prefixes.get(word.slice(0, cut)) ?? []));
  }
  return found;
}

/** Return the words from which a matching affix may have made this word, the likeliest first. */
export function possibleBases(word, affix) {
  return BASE_SPELLINGS[affix.spelling](word, affix)
    .filter((base) => base.length >= SHORTEST_BASE && /[AEIOUY]/.test(base));
}

const BASE_SPELLINGS = {
  prefix: beforePrefixed,
  combining: (word, affix) => (affix.sign.endsWith("-") ? beforePrefixed : beforeCombining)(word, affix),
  irregular: (word, affix) => [stemOf(word, affix) + affix.drops[0]],
  s: suffixed(beforeS),
  native: suffixed(beforeNative),
  learned: suffixed(beforeLearned),
  ly: suffixed(beforeLy),
  turned: suffixed((stem, affix) => endings(stem, affix)),
  plain: suffixed((stem, affix) => [...beforeConsonant(stem), ...endings(stem, affix)]),
};

const beforeCombining = suffixed(beforeCombiningForm);

function beforePrefixed(word, affix) {
  const base = word.slice(affix.letters.length);
  return !affix.before || affix.before.includes(base[0]) ? [base] : [];
}

function suffixed(before) {
  return (word, affix) => {
    const stem = stemOf(word, affix);
    const found = stem ? before(stem, affix, word) : [];
    return affix.after.length ? found.filter((base) => ends(base, affix.after)) : found;
  };
}

function stemOf(word, affix) {
  return word.slice(0, word.length - affix.letters.length);
}

function endings(stem, affix) {
  return affix.drops.map((ending) => stem + ending);
}

/** Return bases of a plural or third person: BERRIES of BERRY, BASHES of BASH, BUSSES of BUS. */
function beforeS(stem, affix, word) {
  const found = [];
  const isOfY = word.endsWith("IES") && word.length > 4 && isConsonant(word, word.length - 4);
  if (isOfY) found.push(`${word.slice(0, -3)}Y`);
  if (!ends(word.slice(0, -1), ["S", "X", "Z", "SH"])) found.push(word.slice(0, -1));
  if (ends(word, ["SES", "XES", "ZES", "SHES", "CHES", "OES"])) found.push(word.slice(0, -2));
  if (ends(word, ["SSES", "ZZES"])) found.push(word.slice(0, -3));
  return found;
}

/**
 * Return bases before a native suffix: LINTY before -ER, STOP before -ED, SEE and DIE before -ING, BAKE, PANIC, WOLF.
 */
function beforeNative(stem, affix) {
  const last = stem.at(-1), isBeforeI = affix.letters[0] === "I", found = [];
  if (!isBeforeI && isFromY(stem)) found.push(`${stem.slice(0, -1)}Y`);
  if (last === "I" && affix.letters[0] === "E") found.push(`${stem.slice(0, -1)}EY`);
  if (last === "E") {
    if (affix.keepsE || (isBeforeI && ["EE", "OE", "YE", "GE"].includes(stem.slice(-2)))) found.push(stem);
  } else if (!mustDouble(stem) && !(affix.letters[0] === "E" && mustTurnYToI(stem))) {
    found.push(stem);
  }
  const isDoubled = stem.length > 3 && last === stem.at(-2) && DOUBLING_CONSONANTS.includes(last);
  if (isDoubled && isLoneVowel(stem, stem.length - 3)) found.push(stem.slice(0, -1));
  if (last !== "E" || (affix.letters[0] === "E" && !stem.endsWith("EE"))) found.push(`${stem}E`);
  if (stem.endsWith("CK")) found.push(stem.slice(0, -1));
  if (last === "Y" && affix.letters === "ING") found.push(`${stem.slice(0, -1)}IE`);
  if (last === "V") found.push(`${stem.slice(0, -1)}F`, `${stem.slice(0, -1)}FE`);
  return found;
}

/**
 * Return bases before a learned suffix, which replaces the endings in `drops`; VARY before -ATION, and stems that
 * change as the table says.
 */
function beforeLearned(stem, affix) {
  const found = [stem, ...endings(stem, affix)];
  if (stem.at(-1) === "I" && affix.letters[0] !== "I") found.push(`${stem.slice(0, -1)}Y`);
  return [...found, ...beforeChangedStem(stem, affix)];
}

/** Return bases before a combining form: a short base that would lose an ending is a coincidence, except for an O. */
function beforeCombiningForm(stem, affix) {
  const kept = affix.drops.filter((ending) => ending === "O" || stem.length + ending.length > LONGEST_COINCIDENCE);
  return [stem, ...kept.map((ending) => stem + ending), ...beforeChangedStem(stem, affix)];
}

function beforeChangedStem(stem, affix) {
  const changed = affix.stems.filter(([end]) => stem.endsWith(end));
  return changed.map(([end, ending]) => stem.slice(0, -end.length) + ending);
}

/** Return bases before a suffix with a consonant: PENNY before -LESS, GLUEY before -NESS, SKILL before -FUL. */
function beforeConsonant(stem) {
  const found = isFromY(stem) ? [`${stem.slice(0, -1)}Y`, stem] : [stem];
  if (stem.endsWith("I")) found.push(`${stem.slice(0, -1)}EY`);
  return stem.endsWith("L") ? [...found, `${stem}L`] : found;
}

/** Return bases before -LY and -LET: as before any consonant, and TRUE, WHOLE, GENTLE; OWL before -LET. */
function beforeLy(stem, affix) {
  const found = beforeConsonant(stem), last = stem.at(-1);
  if (last === "L" || last === "U") found.push(`${stem}E`);
  if (!VOWELS_AND_Y.includes(last)) found.push(`${stem}LE`);
  if (affix.letters === "LET") found.push(`${stem}L`);
  return found;
}

function isFromY(stem) {
  return stem.endsWith("I") && stem.length > 2 && isConsonant(stem, stem.length - 2);
}

/** Return whether the letter is a consonant; the U of QU counts as one. */
function isConsonant(word, place) {
  return !VOWELS.includes(word[place]) || isAfterQ(word, place);
}

/** Return whether a stem is one closed syllable, whose last letter would be doubled: HOP, not HOOP or HELP. */
function mustDouble(stem) {
  const last = stem.at(-1);
  if (stem.length < 2 || !DOUBLING_CONSONANTS.includes(last) || last === "S") return false;
  if (!isLoneVowel(stem, stem.length - 2)) return false;
  return [...stem].slice(0, -2).every((letter, place) => isConsonant(stem, place) && (place === 0 || letter !== "Y"));
}

/** Return whether a last Y would have turned to I: HAPPY and CARRY, not DRY or BOY. */
function mustTurnYToI(stem) {
  return stem.endsWith("Y") && stem.length > 1 && isConsonant(stem, stem.length - 2)
    && /[AEIOUY]/.test(stem.slice(0, -2));
}

/** Return whether this letter is a vowel with no other vowel before it. */
function isLoneVowel(word, place) {
  if (!VOWELS_AND_Y.includes(word[place]) || isAfterQ(word, place)) return false;
  return place === 0 || isConsonant(word, place - 1);
}

function isAfterQ(word, place) {
  return word[place] === "U" && place > 0 && word[place - 1] === "Q";
}

function ends(word, all) {
  return all.some((ending) => word.endsWith(ending));
}
