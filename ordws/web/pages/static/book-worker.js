// The worker that reads a player's file and keeps it, so that a large file does not block the page.

import { readBook } from "./book.js";
import { put } from "./indexed-db.js";

const UNREAD = { fault: { expected: "unread", line: 0, found: "" } };

self.onmessage = ({ data: { name, file, at } }) => {
  storeBook(name, file, at).catch(() => UNREAD).then((outcome) => self.postMessage(outcome));
};

async function storeBook(name, file, at) {
  const read = readBook(await file.arrayBuffer());
  if (read.fault) return read;
  const about = { name: file.name, bytes: file.size, words: read.words, at };
  await put(name, { ...about, lines: read.lines });
  return { about };
}
