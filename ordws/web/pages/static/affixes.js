/**
 * The table of affixes, read from `/app/affixes.json` as ordws/homeplay/affixes.py reads its TOML file. Pure.
 *
 * @typedef {object} Affix
 * @property {string} letters
 * @property {string} sign as people write it: RE-, -INGS
 * @property {[string, string][]} kinds the parts of speech before and after it
 * @property {number} cost
 * @property {string} spelling
 * @property {string[]} drops
 * @property {boolean} keepsE
 * @property {string[]} after
 * @property {string} before
 * @property {boolean} inner whether this set has it only under another affix: LINTY under LINTIER
 * @property {boolean} inflects
 * @property {[string, string][]} stems the endings of stems before it, and of the words that they are stems of
 * @typedef {{suffixes: Map<string, Affix[]>, prefixes: Map<string, Affix[]>, longestSuffix: number,
 *   longestPrefix: number, looks: object}} Affixes
 */

const INFLECTED_FORMS = new Set(["plural", "third", "past", "participle", "comparative", "superlative"]);

/**
 * Return the affix set of that name: `strict` has what the rule books name themselves, `extended` has all.
 *
 * @returns {Affixes}
 */
export function affixesOf(table, name) {
  const stems = split(table.stems).map((pair) => pair.split(":"));
  const read = (rows, sign, spelling) => rows.filter((row) => isInSet(row, name))
    .flatMap((row) => split(row.letters).map((letters) => affix(row, letters, sign(letters), spelling, name)))
    .map((each) => (["learned", "combining"].includes(each.spelling) ? { ...each, stems } : each));
  const regular = read(table.suffixes, (letters) => `-${letters}`, "native");
  const suffixes = byLetters([...regular, ...irregular(table.irregular)]);
  const full = read(table.prefixes, (letters) => `${letters}-`, "prefix");
  const prefixes = byLetters([...full, ...full.filter(mayElide).map(elide)]);
  const longestOf = { longestSuffix: longest(suffixes), longestPrefix: longest(prefixes) };
  return { suffixes, prefixes, ...longestOf, looks: looks(table.looks) };
}

function affix(row, letters, sign, spelling, name) {
  const kinds = readConversions(row.kinds);
  return {
    stems: [],
    letters, sign, kinds, cost: row.cost, spelling: row.spelling ?? spelling, drops: split(row.drops),
    keepsE: row.keeps_e ?? false, after: split(row.after), before: row.before ?? "",
    inner: name === "strict" && row.set === "inner", inflects: kinds.some(([, makes]) => INFLECTED_FORMS.has(makes)),
  };
}

/** Return each irregular form as a suffix that replaces its base, so that OUTATE derives from OUTEAT. */
function irregular(table) {
  return Object.entries(table).flatMap(([slot, row]) => split(row.forms).map((pair) => {
    const [letters, base] = pair.split(":");
    return {
      letters, sign: slot, kinds: readConversions(row.kinds), cost: 1, spelling: "irregular", drops: [base],
      keepsE: false, after: [], before: "", inner: false, inflects: true, stems: [],
    };
  }));
}

function mayElide({ letters, spelling }) {
  return spelling === "combining" && letters.length > 3 && "AIO".includes(letters.at(-1));
}

/** Return a combining form as it stands before a vowel: MON- of MONO-, PENT- of PENTA-; O rarely goes before O. */
function elide(form) {
  const letters = form.letters.slice(0, -1);
  return { ...form, letters, sign: `${letters}-`, before: form.letters.endsWith("O") ? "AEIU" : "AEIOU" };
}

function looks(table) {
  return {
    silentE: split(table.silent_e), begins: new Set(split(table.begins)), neverEnds: split(table.never_ends),
    noBase: split(table.no_base), made: split(table.made),
  };
}

function readConversions(kinds) {
  return split(kinds).map((pair) => pair.split(">")).map(([of, makes]) => [of, makes ?? of]);
}

function isInSet(row, name) {
  return name === "extended" || (row.set ?? "extended") !== "extended";
}

function split(text = "") {
  return text.split(/\s+/).filter(Boolean);
}

function byLetters(affixes) {
  const found = new Map();
  for (const each of affixes) found.set(each.letters, [...(found.get(each.letters) ?? []), each]);
  return found;
}

function longest(affixes) {
  return Math.max(...[...affixes.keys()].map((letters) => letters.length));
}
