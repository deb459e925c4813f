/**
 * A game record (GCG) as the steps of its game: what lay on the board after each line, who had which tiles, and the
 * scores as they are written. `ordws replay` finds the same boards (tests/pages/test_game_steps_js.py); it also
 * computes every score again, which is not done here. Pure.
 *
 * @typedef {object} Line a line of a player; `move` is `8D WORD`, `-`, `-TILES`, `--` or `(...)`
 * @property {number} seat
 * @property {string} rack before the move; empty where it is not known
 * @property {string} move
 * @property {number} points
 * @property {number|null} total of the player, as it is written
 * @property {string[]} [swaps] names of squares whose blank was swapped before the move
 * @property {string} [caught] the number of the line, or the text, of an earlier play that this line takes off
 * @property {number} [number] of the line in its file
 * @typedef {object} Step
 * @property {import("./notation.js").Board} board
 * @property {string[]} last names of the squares of the last play, if this line made it
 * @property {string[]} racks of all seats; empty where they are not known
 * @property {number[]} scores
 * @property {number} bag the tiles to draw if every rack is full
 * @property {string|null} play of the line, as `8D WORD` with the letters that lay there
 */

import { at, EMPTY, emptyBoard, findStart, put, squareName, tilesOn, wordThrough } from "./rules.js";

const LINE_ENDS = /\r*\n|\r/;
const NUMBER = /^\+?([-\u2212]?)(\d{1,12})$/;
const START = /^(?:\d{1,2}[A-Za-z]|[A-Za-z]\d{1,2})$/;
const LARGE_BOARDS = /super|wings|scrabble-?i$|dover|standard21/i;
const SMALL_BOARDS = /duel/i;
const SIDES = { small: 11, usual: 15, large: 21 };

/** Return the text of a file: UTF-8, UTF-16 with a mark, or what one byte a letter says. */
export function decodeRecord(bytes) {
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "";
  try {
    return new TextDecoder(mark || "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(mark || "windows-1252").decode(bytes);
  }
}

/**
 * Read a record; null for a text that has no line of one.
 *
 * @returns {{players: {nick: string, name: string}[], lines: Line[], pragmas: Object<string, string>,
 *   racks: string[]}|null} `racks` are those left where the game is not over
 */
export function readGcg(text) {
  const record = { players: [], lines: [], pragmas: {}, racks: [] };
  let isRecord = false;
  text.split(LINE_ENDS).map((line) => line.trim()).forEach((line, i) => {
    const [, name, rest] = /^#([A-Za-z][\w-]*)\s*(.*)$/.exec(line) ?? [];
    if (name) readPragma(record, name.toLowerCase(), rest.trim());
    else if (line.startsWith(">")) readEvent(record, line, i + 1);
    isRecord ||= Boolean(name) || line.startsWith(">");
  });
  return isRecord ? record : null;
}

function readPragma(record, name, rest) {
  const { players, lines, pragmas, racks } = record, number = /^(player|rack)([1-4])$/.exec(name);
  if (number?.[1] === "player") {
    const [nick, ...names] = rest.split(/\s+/);
    if (nick) players[number[2] - 1] ??= { nick, name: names.join(" ") || nick };
  } else if (number) racks[number[2] - 1] = rest;
  else if (name === "note") readNote(lines.at(-1), rest, pragmas);
  else pragmas[name] ??= rest;
}

/** Read what a note says of the line before it. */
function readNote(line, rest, pragmas) {
  const [, kind, text] = /^ordws\s+(swap|caught)\s+(.*)$/.exec(rest) ?? [];
  const [, layout] = /^BoardLayout:\s*(.*)$/.exec(rest) ?? [];
  if (layout && !line) pragmas["board-layout"] ??= layout;
  if (!line || !kind) return;
  if (kind === "caught") line.caught = text.trim();
  else line.swaps.push(...text.split(/\s+/).filter(Boolean).map((square) => square.replace(/^=/, "")));
}

function readEvent(record, line, number) {
  const [, nick, rest] = /^>(\S*):(?=\s|$)(.*)$/.exec(line) ?? /^>([^:]*):(.*)$/.exec(line) ?? [];
  if (nick === undefined) return;
  const tokens = rest.split(/\s+/).filter(Boolean), first = tokens[0] ?? "";
  const hasRack = first && !/^[-(]/.test(first) && !START.test(first) && !NUMBER.test(first);
  const rack = hasRack ? tokens.shift() : "", move = takeMove(tokens);
  const points = takeNumber(tokens), total = points === null ? null : takeNumber(tokens);
  record.lines.push({ nick: nick.trim(), rack, move, points: points ?? 0, total, swaps: [], number });
}

/** Take the tokens of a move off; an unclear one is the text before the points. */
function takeMove(tokens) {
  const [first = "", word = ""] = tokens;
  if (first.startsWith("-")) return tokens.shift().replace(/^-0$/, "-");
  const closed = first.startsWith("(") ? tokens.findIndex((token) => token.endsWith(")")) + 1 : 0;
  if (closed) return tokens.splice(0, closed).join("");
  if (START.test(first) && /\p{L}|\./u.test(word)) {
    tokens.splice(0, 2);
    return `${first} ${word.replace(/[()]/g, "")}`;
  }
  const end = tokens.findIndex((token) => NUMBER.test(token));
  return tokens.splice(0, end < 0 ? tokens.length : end).join(" ");
}

function takeNumber(tokens) {
  const [, sign, digits] = NUMBER.exec(tokens[0] ?? "") ?? [];
  if (digits === undefined) return null;
  tokens.shift();
  return sign ? -digits : Number(digits);
}

/**
 * Return the side of the board of a record: that of its rules, of the board that it names, or one that its plays fit.
 *
 * @param {number|null} rulesSide null where the record names no rules
 */
export function sideOf({ pragmas, lines }, rulesSide) {
  if (rulesSide) return rulesSide;
  const name = pragmas["board-layout"] ?? pragmas["game-board"] ?? "";
  if (SMALL_BOARDS.test(name)) return SIDES.small;
  if (name) return LARGE_BOARDS.test(name) ? SIDES.large : SIDES.usual;
  const plays = lines.map(({ move }) => squaresOf(move, false)), middle = String([SIDES.large >> 1, SIDES.large >> 1]);
  const isBeyond = plays.flat().some(({ square }) => Math.max(...square) >= SIDES.usual);
  const isLarge = isBeyond && plays.find((each) => each.length)?.some(({ square }) => String(square) === middle);
  return isLarge ? SIDES.large : SIDES.usual;
}

/**
 * Return the names of the players of a record, and its lines with their seats. A line may name a player by the nick, by
 * the name or by the number; of two with one nick the score tells.
 */
export function seatLines({ players, lines }) {
  const seats = players.filter(Boolean).map((player) => ({ ...player, total: 0 }));
  let last = -1;
  const seated = lines.map((line) => {
    const { nick, points, total } = line, candidates = candidatesFor(seats, nick), next = seats[(last + 1) % seats.length];
    const scoring = candidates.filter((each) => each.total + points === total);
    const fitting = scoring.length ? scoring : candidates, seat = fitting.includes(next) ? next : fitting[0];
    seat.total = total ?? seat.total + points;
    last = seats.indexOf(seat);
    return { ...line, seat: last };
  });
  return { names: seats.map(({ name }) => name), lines: seated };
}

/** Return the seats that a line may mean; where nothing tells, all of two players or more. */
function candidatesFor(seats, nick) {
  const named = seats.filter((each) => each.nick === nick);
  if (named.length) return named;
  const other = seats.find(({ name }, i) => name.toLowerCase() === nick.toLowerCase() || nick === String(i + 1));
  if (other) return [other];
  if (seats.length > 1) return seats;
  seats.push({ nick, name: nick || "?", total: 0 });
  return [seats.at(-1)];
}

/** Return the squares and letters that a play names, `.` where a tile lies; none for another move. */
function squaresOf(move, isTurned) {
  const [start, word] = move.split(" "), isPlay = word && START.test(start) && /^[\p{L}.[\]]+$/u.test(word);
  const found = isPlay ? findStart(start) : null;
  if (!found) return [];
  const letters = word.match(/\[[^\]]*\]|./gu) ?? [], down = found.down !== isTurned;
  const from = isTurned ? [found.column, found.row] : [found.row, found.column];
  return letters.map((tile, i) => ({
    square: [from[0] + (down ? i : 0), from[1] + (down ? 0 : i)], letter: tile.replace("[", "")[0],
  }));
}

/**
 * Return the steps of a game, the first of them before the first line.
 *
 * @param {Line[]} lines
 * @param {{players: number, side: number, tiles: number, rackSize: number, hasSwap: boolean, isTurned?: boolean,
 *   racks?: string[]}} game `tiles` are those the game is played with; a turned record names its rows by letters
 * @returns {Step[]}
 */
export function stepsOf(lines, { players, side, tiles, rackSize, hasSwap, isTurned = false, racks = [] }) {
  const replay = { board: emptyBoard(side), plays: [], lastPlay: null, isTurned, hasSwap };
  const scores = Array(players).fill(0);
  const stepNow = (done, last) => ({
    board: replay.board, last, scores: [...scores], racks: racksAt(lines, done, players, racks),
    bag: Math.max(0, tiles - tilesOn(replay.board) - players * rackSize), play: null,
  });
  const steps = [stepNow(0, [])];
  lines.forEach((line, i) => {
    const made = follow(replay, line);
    scores[line.seat] = line.total ?? scores[line.seat] + line.points;
    const step = stepNow(i + 1, made ? made.tiles.map(({ square }) => squareName(square)) : []);
    steps.push(made ? { ...step, play: made.text } : step);
  });
  return steps;
}

/** Do on the board what a line says; returns the play that it made, if any. */
function follow(replay, line) {
  const { move, swaps = [], caught, seat } = line, isTurn = !/^(--|\()/.test(move);
  if (isTurn) replay.lastPlay = null;
  for (const name of replay.hasSwap ? swaps : []) swapBlank(replay, name);
  if (move === "--" && caught) catchPlay(replay, seat, caught);
  else if (move === "--" && replay.lastPlay?.seat === seat) {
    takeOff(replay, replay.lastPlay);
    replay.lastPlay = null;
  }
  const named = isTurn ? squaresOf(move, replay.isTurned) : [], side = replay.board.length;
  if (!named.length) return null;
  const isFree = ({ square, letter }) => letter !== EMPTY && square.every((along) => 0 <= along && along < side)
    && at(replay.board, square) === EMPTY;
  const word = named.map(({ square, letter }) => (letter === EMPTY ? at(replay.board, square) : letter)).join("");
  const play = { seat, line, tiles: named.filter(isFree), isCaught: false, text: `${move.split(" ")[0]} ${word}` };
  replay.board = put(replay.board, play.tiles);
  play.runs = runsOf(replay.board, play.tiles);
  replay.plays.push(play);
  replay.lastPlay = play;
  return play;
}

/** A swap lays the letter that the blank stands for. */
function swapBlank(replay, name) {
  const { row, column } = findStart(name) ?? {}, letter = at(replay.board, [row, column]);
  if (letter !== letter.toUpperCase()) {
    replay.board = put(replay.board, [{ square: [row, column], letter: letter.toUpperCase() }]);
  }
}

/** Take off an earlier play of a seat; one that a later word needs stays until that is gone (docs/rules.md 9.3). */
function catchPlay(replay, seat, caught) {
  const isNamed = ({ line }) => [String(line.number), line.move].includes(caught);
  const play = replay.plays.findLast((each) => each.seat === seat && !each.isCaught && isNamed(each));
  if (!play) return;
  if (play === replay.lastPlay) replay.lastPlay = null;
  if (isNeeded(replay, play)) play.isCaught = true;
  else takeOff(replay, play);
}

function isNeeded({ plays }, play) {
  const own = play.tiles.map(({ square }) => squareName(square));
  return plays.slice(plays.indexOf(play) + 1).some(({ runs }) => own.some((name) => runs.has(name)));
}

/** Take a play off, and plays that were caught and are needed no more; the last first. */
function takeOff(replay, play) {
  replay.plays = replay.plays.filter((each) => each !== play);
  replay.board = put(replay.board, play.tiles.map(({ square }) => ({ square, letter: EMPTY })));
  const free = replay.plays.findLast((each) => each.isCaught && !isNeeded(replay, each));
  if (free) takeOff(replay, free);
}

/** Return the names of all squares of the words through some tiles. */
function runsOf(board, tiles) {
  const runs = tiles.flatMap(({ square }) => [true, false].map((down) => wordThrough(board, board, square, down).letters));
  return new Set(runs.filter((letters) => letters.length > 1).flat().map(({ square }) => squareName(square)));
}

/** Return the racks at a step: a rack is that of the seat's next move, or what is left of it at the end. */
function racksAt(lines, done, players, left) {
  return Array.from({ length: players }, (_, seat) => {
    const next = lines.slice(done).find((line) => line.seat === seat && line.rack && !/^(--|\()/.test(line.move));
    return next ? next.rack : left[seat] ?? "";
  });
}
