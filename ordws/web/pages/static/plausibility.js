/** The plausibility of a base by its spelling alone: ordws/homeplay/formatives.py for the browser. Pure. */

const VOWELS = "AEIOUY";
const IMPLAUSIBLE = 3;
const DOUBTFUL = 2;

/** Return how little a base looks like the word before this affix; 0 where nothing is odd. */
export function implausibility(base, affix, { looks, prefixes }) {
  const start = onset(base);
  let odd = base.length === 3 ? 1 : 0;
  if (start && !looks.begins.has(start)) odd += IMPLAUSIBLE;
  if (looks.neverEnds.some((ending) => base.endsWith(ending))) odd += IMPLAUSIBLE;
  if (affix.spelling === "irregular") {
    const front = base.slice(0, base.length - affix.drops[0].length);
    return odd + (front && !prefixes.has(front) ? IMPLAUSIBLE : 0);
  }
  if (affix.spelling === "learned" || affix.spelling === "turned") odd += 1;
  if (affix.spelling === "native" || affix.spelling === "learned") {
    const stem = base.replace(/E$/, "");
    if (hasLostE(stem, looks) !== (stem !== base)) odd += DOUBTFUL;
  }
  return odd;
}

/** Return whether a base looks as if it were made of another one, as UNHAP of HAP. */
export function looksMade(base, { looks }) {
  return looks.made.some((beginning) => base.startsWith(beginning));
}

/** Return whether a text may be asked for as a base: KINDNES and HAPPEY look like none. */
export function isBase(text, { looks }) {
  return !looks.noBase.some((ending) => text.endsWith(ending));
}

/** Return whether a stem looks as if a silent E had stood at its end: BLAZ and RELAT, not BASH or SEAL. */
function hasLostE(stem, looks) {
  if (!looks.silentE.some((ending) => stem.endsWith(ending))) return false;
  const isVowel = (place) => VOWELS.includes(stem.at(place));
  return stem.length < 3 || isVowel(-1) || !isVowel(-2) || !isVowel(-3);
}

/** Return the consonants that a word begins with. */
function onset(base) {
  const place = [...base].findIndex((letter, at) => VOWELS.includes(letter) && (letter !== "Y" || at > 0));
  return place < 0 ? base : base.slice(0, place);
}
