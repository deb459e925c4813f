/**
 * A kept game as a GCG record that other programs read, with notes for what GCG has no form for:
 * ordws/records/gcg_export.py and the notes of record.py for the browser. `ordws replay` finds it exact. Pure.
 *
 * A rack has only the tiles that were played from it, unless the players wrote the rack down.
 *
 * @typedef {{nick: string, rack: string, move: string, points: number}} Line
 * @typedef {{note: string}} Note
 */

import { statesOf } from "./game.js";
import { changedOptions } from "./options.js";
import { rulesOf, squareName, squareOf, tilesOf, writeTurn } from "./rules.js";

const NOT_IN_A_NICK = /[^\p{L}\p{N}_.'-]+/gu;

/** Return the record of a kept game, over or not, by the document of all rule sets. */
export function toGcg(document, game) {
  const rules = rulesOf(document, game.rules, game.options), states = statesOf(rules, game);
  const writer = { nicks: makeNicks(game.players), items: [], entries: [], swaps: [], swapper: null, place: 0 };
  game.events.forEach((event, i) => write(writer, states[i], event, states[i + 1]));
  const end = states.at(-1).phase;
  const lines = [
    "#character-encoding UTF-8",
    ...game.players.map((name, i) => `#player${i + 1} ${writer.nicks[i]} ${plain(name)}`.trimEnd()),
    `#description ${writeRules(document, game)}`, ...withTotals(writer.items),
  ];
  if (end.name === "over" && states.at(-1).turns.length) lines.push(`#note ordws ended ${end.why}`);
  return `${lines.join("\n")}\n`;
}

/** Return a file name for the record. */
export function gcgFileName(game) {
  const day = new Date(game.begun).toISOString().slice(0, 10);
  return `${day}-${makeNicks(game.players).join("-")}.gcg`;
}

/** Return the rule set and its changed options as a description names them. */
function writeRules(document, { rules, options }) {
  const changed = changedOptions(document, rules, options).map(({ name, text }) => `${name}=${text}`);
  return ["ordws", `rules=${rules}`, ...changed].join(" ");
}

/** Return the names without characters that would end a nick in a record, no two alike. */
function makeNicks(names) {
  const nicks = [];
  names.forEach((name, i) => {
    const nick = name.trim().replace(NOT_IN_A_NICK, "_") || `player${i + 1}`;
    nicks.push(nicks.includes(nick) ? `${nick}_${i + 1}` : nick);
  });
  return nicks;
}

function plain(text) {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

function withTotals(items) {
  const totals = {};
  return items.map((item) => {
    if (item.note) return `#note ${item.note}`;
    totals[item.nick] = (totals[item.nick] ?? 0) + item.points;
    const points = item.points < 0 ? item.points : `+${item.points}`;
    return `>${item.nick}: ${item.rack} ${item.move} ${points} ${totals[item.nick]}`;
  });
}

/** Write the lines of an event, from the states before and after it. */
function write(writer, before, event, now) {
  if (event.kind === "swap") {
    writer.swaps.push(squareName(event.square));
    writer.swapper = event.player;
  }
  if (event.kind === "check") addOspdCheck(writer, event);
  if (event.kind === "overdraw") addOverdraw(writer, event);
  before.turns.slice(0, now.turns.length).forEach((old, i) => {
    if (old !== now.turns[i]) addChangedTurn(writer, old, now.turns[i]);
  });
  const isLeaving = (player) => now.seats[player].left && !before.seats[player].left;
  const leaving = now.seats.flatMap((_, player) => (isLeaving(player) ? [player] : []));
  const turns = now.turns.slice(before.turns.length);
  const addTurns = (some) => some.forEach((turn) => addTurn(writer, before, event, turn));
  addTurns(turns.filter(({ player }) => leaving.includes(player)));
  for (const player of leaving) addDeparture(writer, player, now.seats[player]);
  addTurns(turns.filter(({ player }) => !leaving.includes(player)));
  syncEntries(writer, now);
}

function addLine(writer, player, rack, move, points, ...notes) {
  writer.items.push({ nick: writer.nicks[player], rack, move, points }, ...notes.map((note) => ({ note })));
}

/** Return the swaps that were made and not yet written, as a note, if there are any. */
function takeSwaps(writer) {
  const { swaps } = writer;
  writer.swaps = [];
  return swaps.length ? [`ordws swap ${swaps.map((name) => `=${name}`).join(" ")}`] : [];
}

/** Add a note for people: a record keeps no draws. */
function addOverdraw(writer, { player, count, returned }) {
  const tiles = returned ? ` (${returned})` : "";
  writer.items.push({ note: `${writer.nicks[player]} drew ${count} too many, which went back into the bag${tiles}` });
}

/** Add a note; swaps that no move followed are written behind a pass. */
function addDeparture(writer, player, { left }) {
  if (writer.swaps.length && writer.swapper === player) addLine(writer, player, "", "-", 0, ...takeSwaps(writer));
  writer.items.push({ note: `ordws left ${writer.nicks[player]} ${left.why}` });
}

/** Add a turn that was just taken, with its swaps. */
function addTurn(writer, before, { rack = "" }, turn) {
  const swapped = writer.swaps.length, notes = takeSwaps(writer), { player, ruling, move } = turn;
  if (!ruling) {
    addLine(writer, player, rack, move.exchange ? `-${move.exchange}` : "-", 0, ...notes);
    return;
  }
  const held = rack || withBlanks(tilesOf(before.board, move.play), swapped);
  addLine(writer, player, held, tilePlacement(ruling), ruling.score, ...notes);
  if (turn.fate === "off") addWithdrawal(writer, player, held, ruling.score);
}

/** Add the blanks that the swaps before a play brought to the rack, unless they are among its tiles. */
function withBlanks(tiles, swapped) {
  return tiles + "?".repeat(Math.max(0, swapped - [...tiles].filter((tile) => tile === "?").length));
}

function addWithdrawal(writer, player, rack, points, ...notes) {
  addLine(writer, player, rack, "--", -points, ...notes);
  writer.place = writer.items.length;
}

/** Add the lines for an earlier turn that a challenge, a check of the OSPD or a late discovery has changed. */
function addChangedTurn(writer, old, turn) {
  const { player } = turn, move = tilePlacement(old.ruling);
  if (old.fate === turn.fate) {
    addLine(writer, player, "", "(time)", turn.points - old.points, "ordws deducted check-ospd");
  } else if (turn.fate === "off") {
    addWithdrawal(writer, player, rackOf(writer, player, move), old.points);
  } else if (old.fate === "made") {
    // The player to move has swapped blanks in this turn; their letters may come off the board with the caught play.
    const notes = takeSwaps(writer);
    const rack = notes.length ? "" : rackOf(writer, player, move);
    addLine(writer, player, rack, "--", -old.points, ...notes, `ordws caught ${move}`);
  }
}

/** Return the rack of a player's last play of this placement. */
function rackOf(writer, player, move) {
  return writer.items.findLast((item) => item.move === move && item.nick === writer.nicks[player]).rack;
}

function addOspdCheck(writer, { found, word = "" }) {
  writer.items.splice(writer.place, 0, { note: `ordws check-ospd ${found ? "found" : "not-found"} ${word}`.trimEnd() });
  writer.place += 1;
}

/** Add lines for new entries; remove those of an end that a late discovery undid. */
function syncEntries(writer, now) {
  const due = [...now.entries];
  const isSame = (a, b) => ["player", "points", "kind", "reason"].every((name) => a[name] === b[name]);
  for (const previous of writer.entries) {
    const at = due.findIndex((entry) => isSame(entry, previous.entry));
    if (at >= 0) {
      due.splice(at, 1);
    } else {
      writer.entries = writer.entries.filter((each) => each !== previous);
      writer.items = writer.items.filter((item) => !previous.items.includes(item));
    }
  }
  for (const entry of due) {
    const first = writer.items.length;
    addEntry(writer, now, entry);
    writer.entries.push({ entry, items: writer.items.slice(first) });
  }
}

function addEntry(writer, now, { player, points, kind, reason }) {
  if (kind === "challenge") addLine(writer, player, "", "(challenge)", points);
  else if (kind === "overtime") addLine(writer, player, "", "(time)", points);
  else if (kind === "director" || kind === "unplayed-tiles-round") {
    const note = `ordws adjusted ${kind}: ${plain(reason)}`;
    addLine(writer, player, "", points < 0 ? "(time)" : "(challenge)", points, note);
  } else {
    const racks = now.racks.filter((_, other) => (other === player) === points < 0);
    addLine(writer, player, points < 0 ? racks[0] : "", `(${racks.join("")})`, points);
  }
}

/** Return the main word from its first square on, a dot for each tile that lay there: `8D ..AiN`. */
export function tilePlacement({ receipt }) {
  const { letters } = receipt.lines[0], [first, second] = letters, [row, column] = squareOf(first.square);
  const play = {
    row, column, down: first.square[0] === second.square[0],
    letters: letters.map((laid) => (laid.new ? laid.letter : ".")).join(""),
  };
  return writeTurn({ move: { play } });
}
