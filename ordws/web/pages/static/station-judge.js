// The questions of a table station: the verdict on a play under the label of its game, in time or late, and the
// finished game itself. A question keeps its idempotency key, so that it is charged once however often it is sent.

import { postOnce } from "./api.js";
import { registerKey } from "./device-key.js";
import { verdictByLists } from "./keep-verdict.js";
import { eventsOf, isClosed, lateEntries, MAX_WAIT_MS } from "./station-events.js";
import { statesOf } from "./game.js";
import { toGcg } from "./gcg-export.js";
import { judge, readTurn, writeBoard } from "./rules.js";
import { sentOptions } from "./station-book.js";

const REFUSED = [400, 403, 404, 413, 422, 429];
const OUTCOMES = { "board-kept": "kept-before", "bad-record": "not-taken", "bad-events": "not-taken" };

/**
 * Return the verdict on a play or challenge of the chain, and who gave it: `valid` is null where nobody did, and then
 * `isRefused` says that it is no use to ask again.
 */
async function requestVerdictOn(book, entry, signal = undefined) {
  const { board, words } = questionOf(book, entry), listed = verdictByLists(book.rules, words);
  if (listed !== null) return { valid: listed, by: "lists", isRefused: false };
  const own = { rules: book.stored.rules, options: sentOptions(book), game: book.stored.label };
  const isPlay = entry.kind !== "challenge", path = isPlay ? "/v1/plays" : "/v1/judge";
  const body = isPlay ? { position: writeBoard(board), move: entry.move, ...own } : { words, ...own };
  const reply = await postOnce(path, body, `${book.stored.id}.${entry.n}`, signal);
  if (reply.status === 200) return { valid: reply.body.valid, by: "judge", isRefused: false };
  return { valid: null, by: "nobody", isRefused: REFUSED.includes(reply.status) };
}

/** Return the board before a play, and the words in question. */
function questionOf(book, entry) {
  const before = { ...book.game, events: eventsOf(book.rules, book.chain.slice(0, entry.n)) };
  const { board } = statesOf(book.rules, before).at(-1);
  if (entry.kind === "challenge") return { board, words: entry.words };
  return { board, words: judge(book.rules, board, readTurn(entry.move).move.play).words };
}

/** Ask for the verdict that a game waits for, no longer than the players do, and keep it. */
export async function keepVerdict(book, entry) {
  const { valid, by, isRefused } = await requestVerdictOn(book, entry, AbortSignal.timeout(MAX_WAIT_MS));
  if (entry.kind === "propose" && valid === null && !isRefused) return null;
  await book.append({ kind: "verdict", of: entry.n, valid, by });
  return valid;
}

/** Ask for the verdicts that did not come in time, and keep those that come; return the entries that were found bad. */
export async function keepLateVerdicts(book) {
  const bad = [];
  for (const { entry, play } of lateEntries(book.chain).filter(({ verdict }) => !verdict)) {
    const { valid, isRefused } = await requestVerdictOn(book, entry);
    if (valid === null && !isRefused) break;
    await book.append({ kind: "late-verdict", of: entry.n, valid });
    if (valid === false) bad.push(play);
  }
  return bad;
}

/** Return whether a game can be sent: it is closed, and no verdict is missing that may still come. */
export function isReady({ stored, chain }) {
  return !stored.sent && isClosed(stored, chain) && lateEntries(chain).every(({ verdict }) => verdict);
}

/** Send a finished game once, and keep what became of it; return whether the service has answered for good. */
export async function sendGame(book) {
  const { stored, published, game } = book;
  const body = { game: stored.label, record: toGcg(published, game), events: stored.entries };
  let reply = await postOnce("/v1/stations/games", body, `${stored.id}.sent`);
  if (reply.body?.code === "no-key" && (await registerKey()).status === 200) {
    reply = await postOnce("/v1/stations/games", body, `${stored.id}.sent-again`);
  }
  const outcome = reply.status === 200 ? "sent" : OUTCOMES[reply.body?.code];
  const isCounted = outcome === "sent" && stored.bound && reply.body.bound === stored.bound.game;
  const told = outcome === "sent" && stored.bound ? (isCounted ? "counted" : "not-counted") : outcome;
  if (outcome) await book.save({ sent: { outcome: told, detail: reply.body?.detail ?? "" } });
  return Boolean(outcome);
}
