/** The player's own books, as files that the player loaded: kept on this device and nowhere else. */

import { openBook } from "./book.js";
import { drop, get } from "./indexed-db.js";

/** @typedef {"dictionary"|"reference"} Kind */
/** @typedef {{name: string, bytes: number, words: number, at: number}} About a file that is kept */

const storageKey = (kind) => `book.${kind}`;

/**
 * Keep a file as a book; a file that cannot be read changes nothing. A worker reads it, so that the page stays
 * responsive.
 *
 * @param {Kind} kind
 * @param {File} file
 * @returns {Promise<{about: About} | {fault: import("./book.js").Fault}>}
 */
export function load(kind, file) {
  navigator.storage?.persist?.();
  return new Promise((resolve) => {
    const reader = new Worker("/app/book-worker.js", { type: "module" });
    const done = (outcome) => {
      reader.terminate();
      resolve(outcome);
    };
    reader.onmessage = (event) => done(event.data);
    reader.onerror = () => done({ fault: { expected: "unread", line: 0, found: "" } });
    reader.postMessage({ name: storageKey(kind), file, at: Date.now() });
  });
}

/** Return the book that is kept, with its description; null where there is none. */
export async function open(kind) {
  const kept = await get(storageKey(kind));
  if (!kept) return null;
  const { lines, ...about } = kept;
  return { about, book: openBook(lines) };
}

/** Forget a book. */
export const remove = (kind) => drop(storageKey(kind));
