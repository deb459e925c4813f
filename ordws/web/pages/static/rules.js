/**
 * The placement, scoring and receipts of plays at the table: ordws/rules/judge.py, scoring.py, receipt.py, swap.py and
 * layout.py for the browser, held equal to them by tests/pages/test_rules_js.py. Pure.
 *
 * @typedef {import("./notation.js").Square} Square
 * @typedef {import("./notation.js").Board} Board
 * @typedef {import("./notation.js").Play} Play
 * @typedef {{letter: string, square: Square, isNew: boolean}} Laid
 * @typedef {{down: boolean, letters: Laid[]}} Word a new word, from its first letter on
 * @typedef {{legal: false, fault: string, details: Object<string, string|number>}} Illegal the code of the fault, and its details
 */

import { BLANK, EMPTY, at, isEmpty, put, squareName } from "./notation.js";

export * from "./notation.js";

const CAPPED_LENGTH = 4;

/**
 * Return the rule set with that id of the document `/app/rules.json`, with other values of some options
 * (docs/rules.md 11).
 */
export function rulesOf(document, id, given = {}) {
  const { board, layout, ...changes } = given, base = document.rules[id];
  const rules = withOwnWords({ ...base, ...changes, ...chosenLists(document, id, given) });
  if (!board && !layout) return rules;
  const inner = layout ?? base.layout.inner;
  return { ...rules, layout: resized({ ...base.layout, inner }, board ?? inner.length + 2 * base.layout.wings) };
}

/** Return the tiles and word lists that options choose by name. */
function chosenLists(document, id, given) {
  const original = document.originals[id], { three_i_to_aeo: aeo = document.rules[id].three_i_to_aeo } = given;
  const tiles = { ...document.tile_sets[given.tiles ?? original.tiles] };
  for (const tile of aeo ? "AEO" : "") {
    tiles[tile] += 1;
    tiles.I -= 1;
  }
  const [disallowed, granted] = document.disallowed_lists[given.disallowed_words ?? original.disallowed_words];
  const list = given.two_letter_words ?? original.two_letter_words;
  return {
    tiles, disallowed_words: disallowed, granted_words: granted, two_letter_words: document.two_letter_lists[list],
    two_letter_list: list,
  };
}

/** Return the rule set with the words of the club in its published lists (docs/rules.md 6.10). */
function withOwnWords(rules) {
  const [allow, strike, twos] = [rules.allow, rules.strike, rules.twos].map((words) => [...words].sort());
  if (!allow.length && !strike.length && !twos.length) return rules;
  const chosen = [...(twos.length ? twos : rules.two_letter_words), ...allow.filter((word) => word.length === 2)];
  const twoLetterWords = [...new Set(chosen)].filter((word) => !strike.includes(word)).sort();
  return {
    ...rules, allow, strike, twos, two_letter_words: twoLetterWords,
    two_letter_list: twoLetterWords.join() === rules.two_letter_words.join() ? rules.two_letter_list : "own",
    disallowed_words: rules.disallowed_words.filter((word) => !allow.includes(word) && !twos.includes(word)),
    granted_words: [...new Set([...rules.granted_words, ...allow])].sort(),
  };
}

function resized(layout, side) {
  const middle = Math.floor(side / 2);
  return { ...layout, side, wings: (side - layout.inner.length) / 2, start: [middle, middle] };
}

/** Return the factors of a square: for the letter on it, and for the words through it. */
export function premiumAt(layout, [row, column]) {
  const mark = layout.inner[row - layout.wings]?.[column - layout.wings];
  return layout.marks[mark ?? EMPTY];
}

/** Return whether a square lies outside the wings. */
export function isInner(layout, square) {
  return square.every((line) => layout.wings <= line && line < layout.side - layout.wings);
}

/**
 * Return the ruling on a play: its words, score and receipt, or the fault that is reported first.
 *
 * The board has the side of the rule set's layout. Without a rack, written in capitals and `?` for a blank, only the
 * number of tiles is checked. The receipt has the shape of that of `/v1/score`.
 *
 * @param {Board} board
 * @param {Play} play
 * @param {string|null} rack
 * @returns {{legal: true, words: string[], score: number, receipt: object} | Illegal}
 */
export function judge(rules, board, play, rack = null) {
  const laid = lay(board, play);
  if (laid.fault) return laid;
  const words = inOrder(rules, laid.main, laid.crosses);
  const fault = findFault(rules, board, words, rack);
  if (fault) return fault;
  const receipt = receiptOf(rules, words);
  return { legal: true, words: receipt.lines.map((line) => line.word), score: receipt.score, receipt };
}

/** Return the ruling on a play after the swaps before it. */
export function judgeTurn(rules, board, rack, { swaps, play }) {
  const before = swapAll(rules, board, rack, swaps);
  return before.legal ? judge(rules, before.board, play, before.rack) : before;
}

/** Return the board and the rack after several swaps, in the form of `swap`. */
export function swapAll(rules, board, rack, squares) {
  const next = (before, square) => (before.legal ? swap(rules, before.board, before.rack, square) : before);
  return squares.reduce(next, { legal: true, board, rack });
}

/** Return the board after a play that fits. */
export function apply(board, play) {
  return put(board, newTiles(pairsOf(board, play)));
}

/** Return the tiles that a play takes from the rack, `?` for a blank, in the order in which they lie. */
export function tilesOf(board, play) {
  return newTiles(pairsOf(board, play)).map(({ letter }) => tileOf(letter)).join("");
}

function illegal(fault, details = {}) {
  return { legal: false, fault, details };
}

/** Return the letters of a play with their squares and the letters that lie there. */
function pairsOf(board, { row, column, down, letters }) {
  return [...letters].map((letter, i) => {
    const square = down ? [row + i, column] : [row, column + i];
    return { letter, square, under: at(board, square) };
  });
}

function newTiles(pairs) {
  return pairs.filter(({ letter, under }) => under === EMPTY && letter !== EMPTY);
}

/** Return the word along a play and those across it, or the fault where letters and squares do not match. */
function lay(board, play) {
  const pairs = pairsOf(board, play), side = board.length;
  const isOn = ({ square }) => square.every((along) => 0 <= along && along < side);
  if (!pairs.length || !pairs.every(isOn)) return illegal("off-board", { rows: side });
  const taken = pairs.find(({ letter, under }) => ![letter, under].includes(EMPTY) && !isSame(letter, under));
  if (taken) {
    return illegal("square-taken", { square: squareName(taken.square), letter: taken.under.toUpperCase() });
  }
  const laid = newTiles(pairs);
  if (!laid.length) return illegal("no-new-tile");
  const gap = pairs.find(({ letter, under }) => under === EMPTY && letter === EMPTY);
  if (gap) return illegal("gap", { square: squareName(gap.square) });
  const after = put(board, laid);
  const crosses = laid.map(({ square }) => wordThrough(board, after, square, !play.down));
  const main = wordThrough(board, after, laid[0].square, play.down);
  return { main, crosses: crosses.filter((word) => word.letters.length > 1) };
}

function isSame(letter, other) {
  return letter.toUpperCase() === other.toUpperCase();
}

/** Return the run of tiles through a square, across or down; those that `board` does not have are new. @returns {Word} */
export function wordThrough(board, after, [row, column], down) {
  const next = ([r, c], by) => (down ? [r + by, c] : [r, c + by]);
  let square = [row, column];
  while (at(after, next(square, -1)) !== EMPTY) square = next(square, -1);
  const letters = [];
  for (; at(after, square) !== EMPTY; square = next(square, 1)) {
    letters.push({ letter: at(after, square), square, isNew: at(board, square) === EMPTY });
  }
  return { down, letters };
}

function newIn(word) {
  return word.letters.filter(({ isNew }) => isNew);
}

/**
 * Return the words of a play, the word with all its tiles first: of a lone tile's two words the longer
 * (docs/rules.md 3.3, A-02).
 */
function inOrder(rules, main, crosses) {
  const [cross] = crosses, length = main.letters.length;
  if (!cross || newIn(main).length > 1) return [main, ...crosses];
  if (length === 1) return crosses;
  const points = (word) => lineOf(rules, word).score;
  const isLater = cross.letters.length - length || points(cross) - points(main) || main.down - cross.down;
  return isLater > 0 ? [cross, main] : [main, cross];
}

/** Return the first rule that a play on free squares breaks; null where it breaks none. */
function findFault(rules, board, words, rack) {
  const [main] = words, laid = newIn(main);
  if (words.length === 1 && main.letters.length === laid.length) {
    if (!isEmpty(board)) return illegal("not-connected");
    const start = squareName(rules.layout.start);
    if (!laid.some(({ square }) => squareName(square) === start)) return illegal("misses-centre", { square: start });
  }
  const lacking = rack === null ? null : findLacking(rack, laid);
  if (lacking) return illegal("not-on-rack", { tile: lacking });
  if (laid.length > rules.rack_size) return illegal("too-many-tiles", { tiles: laid.length, most: rules.rack_size });
  return findShort(rules, words) ?? findOutside(rules, words);
}

/** Return the first tile of which a rack has too few. */
function findLacking(rack, laid) {
  let left = rack;
  for (const tile of laid.map(({ letter }) => tileOf(letter))) {
    if (!left.includes(tile)) return tile;
    left = left.replace(tile, "");
  }
  return null;
}

function tileOf(letter) {
  return /[a-z]/.test(letter) ? BLANK : letter;
}

/** Return the fault of words of fewer than three letters (docs/rules.md 3.4), or null. */
function findShort(rules, words) {
  const lengths = words.map((word) => word.letters.length);
  if (lengths[0] >= 3) return null;
  if (lengths[0] === 1) return illegal("no-word-formed");
  if (rules.minimum === "main3") return illegal("main-word-too-short");
  return rules.minimum === "any3" && Math.max(...lengths) < 3 ? illegal("only-two-letter-words") : null;
}

/** Return the fault of a play that does not reach the inner board as it must (docs/rules.md 3.5), or null. */
function findOutside(rules, words) {
  const reaches = ({ square }) => isInner(rules.layout, square);
  const laid = newIn(words[0]);
  if (rules.wings === "anywhere") return null;
  if (rules.wings === "new-tile") return laid.some(reaches) ? null : illegal("no-tile-on-inner-board");
  const isEither = laid.length === 1 && words.at(-1).letters.length >= 3;
  const mains = isEither ? words : words.slice(0, 1);
  return mains.some((word) => word.letters.some(reaches)) ? null : illegal("main-word-in-wings");
}

/** Return every point of a play (docs/rules.md 4). */
function receiptOf(rules, words) {
  const lines = words.map((word) => lineOf(rules, word));
  const bonus = bonusOf(rules, words[0]);
  return { lines, bonus, score: sum(lines.map((line) => line.score)) + bonus.points };
}

/**
 * Return the line of a new word: its letters, the word squares newly covered, their factor, and its score
 * (docs/rules.md 4.1, 4.2, 4.3).
 */
function lineOf(rules, word) {
  const letters = word.letters.map((laid) => letterLine(rules, laid, word.letters.length));
  const premiums = newIn(word).map(({ square }) => premiumAt(rules.layout, square)[1]).filter((factor) => factor > 1);
  const factor = rules.premium === "add" ? sum(premiums) || 1 : premiums.reduce((a, b) => a * b, 1);
  const score = sum(letters.map((line) => line.points)) * factor;
  return { word: letters.map((line) => line.letter).join("").toUpperCase(), letters, premiums, factor, score };
}

function letterLine(rules, { letter, square, isNew }, length) {
  const face = rules.values[tileOf(letter)];
  const value = rules.small_word_cap && length <= CAPPED_LENGTH ? Math.min(face, length) : face;
  const premium = isNew ? premiumAt(rules.layout, square)[0] : 1;
  return { letter, square: squareName(square), new: isNew, face, value, premium, points: value * premium };
}

/**
 * Return the bonus of a play: that of a stretch, which includes the big play, or else the big play (docs/rules.md 4.6).
 */
function bonusOf(rules, main) {
  const tiles = newIn(main).length, run = longestRun(main.letters.map(({ isNew }) => isNew));
  const isStretch = rules.stretch.length > 0 && run.length >= rules.stretch_from;
  const table = isStretch ? rules.stretch : rules.big_play;
  const points = table[Math.min(tiles, table.length - 1)] ?? 0;
  if (!points) return { points: 0, reason: "none", tiles, stretched: "" };
  const stretched = main.letters.slice(run.start, run.start + run.length).map(({ letter }) => letter).join("");
  if (!isStretch) return { points, reason: "big-play", tiles, stretched: "" };
  return { points, reason: "stretch", tiles, stretched: stretched.toUpperCase() };
}

/** Return the names of the squares that a play stretched, by its receipt. */
export function stretchedSquares({ lines, bonus }) {
  const { start, length } = longestRun(lines[0].letters.map((line) => line.new));
  return bonus.reason === "stretch" ? lines[0].letters.slice(start, start + length).map((line) => line.square) : [];
}

/** Return the names of the squares on which a play laid its tiles, by its receipt. */
export function laidSquares({ lines }) {
  return lines[0].letters.filter((line) => line.new).map((line) => line.square);
}

/** Return start and length of the first of the longest runs of old tiles along a word. */
function longestRun(isNew) {
  const runs = [...isNew.map((each) => (each ? "n" : "t")).join("").matchAll(/t+/g)];
  const longest = runs.reduce((best, run) => (run[0].length > best[0].length ? run : best), { 0: "", index: 0 });
  return { start: longest.index, length: longest[0].length };
}

function sum(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}

/**
 * Return the board with the letter in place of its blank, and the rack with the blank (docs/rules.md 5). Without a
 * rack, any letter will do.
 *
 * @returns {{legal: true, board: Board, rack: string|null} | Illegal}
 */
export function swap(rules, board, rack, square) {
  const name = squareName(square), letter = at(board, square), tile = letter.toUpperCase();
  if (!rules.swap) return illegal("swap-not-allowed");
  if (!/[a-z]/.test(letter)) return illegal("no-such-blank", { square: name });
  if (rack !== null && !rack.includes(tile)) return illegal("not-on-rack", { tile, square: name });
  return { legal: true, board: put(board, [{ square, letter: tile }]), rack: rack?.replace(tile, BLANK) ?? null };
}

/**
 * Return the face value of tiles as a rack writes them, which they count when they are left unplayed
 * (docs/rules.md 7.3).
 */
export function worth(rules, tiles) {
  return sum([...tiles].map((tile) => rules.values[tile]));
}

/**
 * Count each tile of the whole pool that is neither on the board nor on the racks that are seen (docs/rules.md 2.2.3).
 */
export function unseen(rules, board, racks = "") {
  const left = { ...rules.tiles };
  for (const tile of [...board.join("").replaceAll(EMPTY, ""), ...racks]) left[tileOf(tile)] -= 1;
  return Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0));
}

/** Return how many tiles there are of all letters, blanks included. @param {Object<string, number>} tiles by letter */
export function countTiles(tiles) {
  return sum(Object.values(tiles));
}

/** Return the words that the rule set disallows by a published list (docs/rules.md 6.7). */
export function disallowedOf(rules, words) {
  return words.filter((word) => rules.disallowed_words.includes(word));
}

/** Return the two-letter words that are not on the published list, which alone decides them (docs/rules.md 6.6). */
export function unlistedTwosOf(rules, words) {
  return words.filter((word) => word.length === 2 && !rules.two_letter_words.includes(word));
}
