// The games of a table station on this device: each is a chain of events, signed one by one, and only ever added to.

import { digestOf, sign } from "./device-key.js";
import { statesOf } from "./game.js";
import { drop, get, getAll, put } from "./indexed-db.js";
import { clocksAfter, gameOf } from "./station-events.js";
import { rulesOf } from "./rules.js";
import { changedTexts } from "./options.js";

const GAME = "station:";
const VERSION = 1;

/**
 * Return the book of a stored game: `append` signs and keeps an event before anything else sees it.
 *
 * Events that are added at once follow each other, as each names the digest of the one before it.
 */
export function openBook(published, stored) {
  let last = Promise.resolve();
  const inOrder = (act) => {
    last = last.catch(() => {}).then(act);
    return last;
  };
  const book = {
    published, stored, rules: rulesOf(published, stored.rules, stored.options),
    append: (event) => inOrder(() => append(book, event)),
    save: (changes) => inOrder(() => save(book, { ...book.stored, ...changes })),
  };
  follow(book);
  return book;
}

async function append(book, { kind, ...fields }) {
  const { chain, stored, rules } = book, before = stored.entries.at(-1);
  const at = Math.max(Date.now(), chain.at(-1)?.at ?? 0);
  const previous = before ? await digestOf(before.text) : "";
  const entry = { kind, n: chain.length, at, previous, ...fields };
  const text = JSON.stringify({ ...entry, clocks: clocksAfter(rules, stored, [...chain, entry]) });
  await save(book, { ...stored, entries: [...stored.entries, { text, signature: await sign(text) }] });
}

async function save(book, stored) {
  await put(GAME + stored.id, stored);
  book.stored = stored;
  follow(book);
}

/** Read what follows from the stored entries. */
function follow(book) {
  book.chain = book.stored.entries.map(({ text }) => JSON.parse(text));
  book.game = gameOf(book.rules, book.stored, book.chain);
  book.states = statesOf(book.rules, book.game);
}

/** Begin a game, of an event where it is `bound` to one, and return its book once its first event is kept. */
export async function beginBook(published, { rules, options, players, bound = null }) {
  const id = crypto.randomUUID();
  const stored = { id, label: id, rules, options, players, bound, begun: Date.now(), entries: [], sent: null };
  const book = openBook(published, stored);
  const changed = changedTexts(published, rules, options);
  const event = { kind: "open", version: VERSION, game: id, rules, options: changed, players };
  if (bound) event.bound = bound.game;
  await book.append(event);
  return book;
}

/** Return the options of a game as the service reads them, by name. */
export function sentOptions({ chain }) {
  return chain[0].options;
}

/** Return the stored game with that id; undefined where there is none. */
export function loadStored(id) {
  return get(GAME + id);
}

/** Return all stored games, the newest first. */
export async function loadAllStored() {
  return (await getAll(GAME)).sort((a, b) => b.begun - a.begun);
}

export function deleteStored(id) {
  return drop(GAME + id);
}
