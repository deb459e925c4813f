// The games kept on this device, each under its own name in the store. Only one window at a time may change a game.

import { drop, get, getAll, put } from "./indexed-db.js";

const GAME = "game:";
const HEARTBEAT = "alive:";
const LOCK_TIMEOUT_MS = 1_500;

/** Return all games, the last changed first. */
export async function loadGames() {
  return (await getAll(GAME)).sort((a, b) => lastEventTime(b) - lastEventTime(a));
}

/** Return when a game was last changed. */
export function lastEventTime({ begun, events }) {
  return events.findLast(({ at }) => at)?.at ?? begun;
}

/** Return the game with that id; undefined where there is none. */
export function loadGame(id) {
  return get(GAME + id);
}

/** Keep a game; once the promise resolves it is on the disk, even if the power fails. */
export function saveGame(game) {
  return put(GAME + game.id, game);
}

export async function deleteGame(id) {
  await drop(GAME + id);
  await drop(HEARTBEAT + id);
}

/** Record that a game was on the screen now, in case its clock runs on while nobody is present. */
export function saveHeartbeat(id) {
  return put(HEARTBEAT + id, Date.now());
}

/** Return when a game was last on the screen. */
export async function lastSeen(game) {
  return Math.max((await get(HEARTBEAT + game.id)) ?? 0, lastEventTime(game));
}

/** Ask the browser not to evict the games when storage runs low; it may refuse. */
export async function askToPersist() {
  await navigator.storage?.persist?.();
}

/**
 * Return whether this window got the lock of a game, which it holds until the signal is aborted or the window closes.
 */
export function lockGame(id, signal) {
  return new Promise((resolve) => {
    const wait = AbortSignal.timeout(LOCK_TIMEOUT_MS);
    const kept = () => new Promise((release) => {
      resolve(true);
      if (signal.aborted) release();
      signal.addEventListener("abort", release);
    });
    navigator.locks.request(`ordws.${GAME}${id}`, { signal: wait }, kept).catch(() => resolve(false));
  });
}
