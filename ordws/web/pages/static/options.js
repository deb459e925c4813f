/**
 * Options of a rule set and their values as text: ordws/rules/options.py for the browser, held equal to it by
 * tests/pages/test_options_js.py. Pure.
 *
 * A kept game and a link hold options by name. A value is a number, a truth value, or a text; a list of words or of the
 * rows of a layout; for a bonus the points by number of tiles, from 0.
 *
 * @typedef {{name: string, kind: string, values?: string[], least?: number, most?: number, longest?: number}} Option
 * @typedef {Object<string, any>} Options values by name
 * @typedef {{fault: string, details: object}} Fault the id of a text, and what it names
 */

import { countTiles, rulesOf } from "./rules.js";

const LONGEST_BONUS = 21;

/** Return the value of an option as text, which `parseOption` reads back. */
export function optionText(document, name, value) {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (!Array.isArray(value)) return String(value);
  if (name === "layout") return value.join() === document.standard_layout.join() ? "standard" : value.join("/");
  if (kindOf(document, name) === "words") return [...value].sort().join(",") || "none";
  const pairs = value.map((points, n) => [n, points]).filter(([n, points]) => points || n === value.length - 1);
  return pairs.map((pair) => pair.join(":")).join(",") || "none";
}

/** Return the value of an option from its text; undefined where it has no such value. */
export function parseOption(document, name, text) {
  const info = document.options.find((each) => each.name === name);
  switch (info?.kind) {
    case "switch": return { on: true, off: false }[text];
    case "reward": return info.values.includes(text) ? text : pointsOf(text, info);
    case "choice": return info.values.includes(text) ? text : undefined;
    case "words": return text === "none" ? [] : text.split(",").sort();
    case "layout": return text === "standard" ? document.standard_layout : text.split("/");
    case "bonus": return parseBonus(text);
    case "number": case "board": return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
    default: return undefined;
  }
}

function pointsOf(text, { least, most }) {
  const points = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return least <= points && points <= most ? points : undefined;
}

function parseBonus(text) {
  if (text === "none") return [];
  const pairs = text.split(",").map((pair) => /^(?=.{3,7}$)(\d+):(\d+)$/.exec(pair)?.slice(1).map(Number));
  if (!pairs.every((pair) => pair && 1 <= pair[0] && pair[0] <= LONGEST_BONUS)) return undefined;
  const points = Array(Math.max(...pairs.map(([n]) => n)) + 1).fill(0);
  for (const [n, each] of pairs) points[n] = each;
  return points;
}

function kindOf(document, name) {
  return document.options.find((each) => each.name === name).kind;
}

/** Return the value that an option has in a rule set without changes. */
export function originalValue(document, id, name) {
  return parseOption(document, name, document.originals[id][name]);
}

/** Return the options that differ from the rule set, in the order in which records name them. */
export function changedOptions(document, id, given) {
  const original = document.originals[id], { layout } = rulesOf(document, id, given), base = document.rules[id].layout;
  const isResized = layout.side !== base.side || layout.wings !== base.wings;
  const values = { ...given, board: layout.side };
  return document.options.filter(({ name }) => name in values)
    .map(({ name }) => ({ name, value: values[name], text: optionText(document, name, values[name]) }))
    .filter(({ name, text }) => (name === "board" ? isResized : text !== original[name]));
}

/** Return the options that differ from the rule set by name, as texts. @returns {Object<string, string>} */
export function changedTexts(document, id, given) {
  return Object.fromEntries(changedOptions(document, id, given).map(({ name, text }) => [name, text]));
}

/** Return options as the part of a link behind `#`; empty where none differs. */
export function writeOptions(document, id, given) {
  return String(new URLSearchParams(changedTexts(document, id, given)));
}

/** Return the options of such a text; null where it names what no option has. */
export function readOptions(document, id, text) {
  return parseOptions(document, id, Object.fromEntries(new URLSearchParams(text)));
}

/** Return options from their texts by name; null where there is no such option or value. */
export function parseOptions(document, id, texts = {}) {
  const given = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseOption(document, name, text)]));
  return Object.values(given).includes(undefined) || findFault(document, id, given) ? null : given;
}

/** Return the first fault of options, alone or together; null where a game can be played by them. @returns {Fault} */
export function findFault(document, id, given) {
  for (const info of document.options) {
    const fault = info.name in given ? faultOf(info, given[info.name]) : null;
    if (fault) return { ...fault, name: info.name };
  }
  return findConflict(document, id, given);
}

function faultOf({ kind, least, most, longest }, value) {
  const number = Number.isInteger(value) && least <= value && value <= most;
  const isSquare = (rows) => rows.length <= most && rows.every((row) => row.length === rows.length);
  if (kind === "number" && !number) return { fault: "number", details: { least, most } };
  if (kind === "layout" && !(isSquare(value) && /^[.'"^=~-]+$/.test(value.join("")))) {
    return { fault: "layout", details: { most } };
  }
  if (kind !== "words") return null;
  const word = value.find((each) => !/^[A-Z]{2,}$/.test(each) || each.length > longest);
  if (word !== undefined) return { fault: "word", details: { word } };
  return new Set(value).size > most ? { fault: "words", details: { most } } : null;
}

/** Return the fault of options that are valid alone and not together. */
function findConflict(document, id, given) {
  const { allow, strike, tiles, scoop, rack_size: size, minimum, layout } = rulesOf(document, id, given);
  const both = allow.find((word) => strike.includes(word)), total = countTiles(tiles);
  const least = minimum === "none" ? 2 : 3, most = LONGEST_BONUS;
  if (both) return { fault: "both", details: { word: both } };
  if (scoop > total) return { fault: "scoop", details: { least: 1, most: total } };
  if (size < least) return { fault: "rack-size", details: { least, size } };
  const wings = document.options.find(({ kind }) => kind === "board").wings;
  const isSide = layout.wings === 0 || layout.wings === wings;
  return layout.side > most || !isSide ? { fault: "board", details: { side: layout.side, most } } : null;
}
