/**
 * A player's dictionary or players' reference, read from a file: ordws/homeplay/book.py for the browser. Pure.
 *
 * A file has a word a line, or columns separated by tabs: word, part of speech, `main` or the main entry that the word
 * stands under, label. A book that was read is the bytes of sorted lines, since these can be stored and opened without
 * parsing: a word alone, or a word, a tab and its entries, each its part of speech with `+` for a main entry, `-` for
 * another, `!` for an entry that is labelled offensive or vulgar, `~` for one with other labels.
 *
 * @typedef {{line: number, expected: string, found: string}} Fault `expected` is a code: utf8, word, columns, kind,
 *   entry, words, unread
 */

import { LONGEST, SHORTEST, fold } from "./fold.js";

const KINDS = {
  n: "noun", noun: "noun", v: "verb", vt: "verb", vi: "verb", verb: "verb", adj: "adjective", a: "adjective",
  adjective: "adjective", adv: "adverb", adverb: "adverb", prep: "preposition", preposition: "preposition",
  conj: "conjunction", conjunction: "conjunction", pron: "pronoun", pronoun: "pronoun", interj: "interjection",
  interjection: "interjection", num: "numeral", numeral: "numeral", det: "determiner", determiner: "determiner",
  article: "determiner", other: "other",
};
const COLUMNS = 4;
const MAX_QUOTED = 40;
const OUT = "!";
const OTHER_LABEL = "~";

/** The entry of a word that the book has, of which nothing else is known. */
const NO_ENTRY = "";

/** Read the book in the bytes of a file. @returns {{lines: Uint8Array, words: number} | {fault: Fault}} */
export function readBook(bytes) {
  const text = new TextDecoder().decode(bytes);
  const broken = text.indexOf("\ufffd");
  if (broken >= 0) return fault(text.slice(0, broken).split(/\r\n?|\n/).length, "utf8", "");
  const lined = text.replace(/\r\n?/g, "\n");
  const read = plain(lined) ?? table(lined);
  if (read.fault) return read;
  if (!read.size) return fault(1, "words", "");
  const lines = [...read].map(([word, entries]) => (entries === NO_ENTRY ? word : `${word}\t${entries}`)).sort();
  return { lines: new TextEncoder().encode(lines.join("\n")), words: read.size };
}

function fault(line, expected, found) {
  return { fault: { line, expected, found: [...found].slice(0, MAX_QUOTED).join("") } };
}

/** Return the words of a file that holds only letters A to Z, a word a line; null for any other file. */
function plain(text) {
  if (!/^[A-Za-z\n]*[A-Za-z][A-Za-z\n]*$/.test(text)) return null;
  const words = text.toUpperCase().split("\n").filter((line) => SHORTEST <= line.length && line.length <= LONGEST);
  return words.length ? new Map(words.map((word) => [word, NO_ENTRY])) : null;
}

function table(text) {
  const found = new Map();
  for (const [place, line] of text.split("\n").entries()) {
    const [first, ...cells] = line.split("\t").map((cell) => cell.trim());
    const isHeader = place === 0 && cells.length && ["word", "headword"].includes(first.toLowerCase());
    if ((!first && !cells.some(Boolean)) || first.startsWith("#") || isHeader) continue;
    const word = fold(first);
    if (!word && !isUnplayable(first)) return fault(place + 1, "word", first);
    if (!word) continue;
    const entry = line.slice(line.indexOf("\t") + 1) && cells.length ? parseEntry(word, cells) : NO_ENTRY;
    if (entry.expected) return fault(place + 1, entry.expected, entry.found);
    found.set(word, found.has(word) ? `${found.get(word)} ${entry}` : entry);
  }
  return found;
}

/**
 * Return whether a headword can never be played: too short or long, hyphenated, several words, or with an apostrophe.
 */
function isUnplayable(text) {
  const letters = text.replace(/[ '’.-]/g, "");
  const length = [...text].length;
  return /^\p{L}+$/u.test(letters) && (letters !== text || length < SHORTEST || length > LONGEST);
}

/** @returns {string | {expected: string, found: string}} the entry as it is kept, or what is wrong with it */
function parseEntry(word, cells) {
  const [kind, entry = "", labels = ""] = cells;
  if (cells.slice(COLUMNS - 1).some(Boolean)) return { expected: "columns", found: "" };
  const name = kind.toLowerCase().replace(/[. ]/g, "");
  if (name && !Object.hasOwn(KINDS, name)) return { expected: "kind", found: kind };
  const mark = markOf(word, entry);
  if (mark === null) return { expected: "entry", found: entry };
  const stated = labels.toLowerCase().split(/[\s,]+/).filter(Boolean);
  const isOut = stated.includes("offensive") || stated.includes("vulgar");
  return `${KINDS[name] ?? ""}${mark}${isOut ? OUT : stated.length ? OTHER_LABEL : ""}`;
}

/** Return `+` for a main entry, `-` for a word that stands under another, nothing if not stated; null for no word. */
function markOf(word, entry) {
  const stated = { "": "", main: "+", secondary: "-" }[entry.toLowerCase()];
  if (stated !== undefined) return stated;
  const named = fold(entry);
  return named && (named === word ? "+" : "-");
}

/** Open a book as it was read, to look words up in. @param {Uint8Array} lines */
export function openBook(lines) {
  const entriesOf = (word) => find(lines, word)?.split(" ").map(entryOf);
  return {
    has: (word) => find(lines, word) !== undefined,
    holds: (word) => find(lines, word) !== undefined,
    kinds(word) {
      const kinds = new Set((entriesOf(word) ?? []).map(({ kind }) => kind));
      return kinds.has("") ? [] : [...kinds];
    },
    hasMainEntry(word, kind) {
      const stated = (entriesOf(word) ?? []).filter((each) => each.isMain !== null && ["", kind].includes(each.kind));
      return stated.length ? stated.some(({ isMain }) => isMain) : null;
    },
    isOut: (word) => (entriesOf(word) ?? [entryOf("")]).every((entry) => entry.isOut),
    statesLabels: [OUT, OTHER_LABEL].some((mark) => lines.includes(mark.charCodeAt(0))),
  };
}

function entryOf(text) {
  const [, kind, mark, out] = /^([a-z]*)([+-]?)([!~]?)$/.exec(text);
  return { kind, isMain: mark ? mark === "+" : null, isOut: out === OUT };
}

const NEWLINE = 10;
const TAB = 9;

/** Return the rest of the line of a word by binary search; undefined where the book does not have the word. */
function find(lines, word) {
  let low = 0, high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1, start = middle ? lines.lastIndexOf(NEWLINE, middle - 1) + 1 : 0;
    const order = compare(lines, start, word);
    if (order === 0) return new TextDecoder().decode(lines.subarray(start + word.length + 1, endOf(lines, start)));
    if (order > 0) high = start;
    else low = endOf(lines, start) + 1;
  }
  return undefined;
}

function endOf(lines, start) {
  const end = lines.indexOf(NEWLINE, start);
  return end < 0 ? lines.length : end;
}

/** Return whether the word of a line comes before (-1), is (0) or comes after (1) another word. */
function compare(lines, start, word) {
  for (let place = 0; place < word.length; place++) {
    const difference = (lines[start + place] ?? 0) - word.charCodeAt(place);
    if (difference) return Math.sign(difference);
  }
  return [undefined, TAB, NEWLINE].includes(lines[start + word.length]) ? 0 : 1;
}
