// The games kept on this device, each under its own name in the store. One window at a time writes in a game.

import { drop, get, names, put } from "./indexed-db.js";

const GAME = "game:";
const HEARTBEAT = "alive:";
const LOCK_TIMEOUT_MS = 1_500;

/** All games that are kept, the one written in last first. */
export async function loadGames() {
  const kept = (await names()).filter((name) => name.startsWith(GAME));
  const games = await Promise.all(kept.map(get));
  return games.sort((a, b) => lastEventTime(b) - lastEventTime(a));
}

/** When a game was written in last. */
export function lastEventTime({ begun, events }) {
  return events.findLast(({ at }) => at)?.at ?? begun;
}

/** The game of that id; undefined where there is none. */
export function loadGame(id) {
  return get(GAME + id);
}

/** When this is done the game is on the device, also if the power goes. */
export function saveGame(game) {
  return put(GAME + game.id, game);
}

export async function deleteGame(id) {
  await drop(GAME + id);
  await drop(HEARTBEAT + id);
}

/** Note that a game was on the screen, for when its clock ran on without anybody. */
export function saveHeartbeat(id) {
  return put(HEARTBEAT + id, Date.now());
}

/** When a game was on the screen last. */
export async function lastSeen(game) {
  return Math.max((await get(HEARTBEAT + game.id)) ?? 0, lastEventTime(game));
}

/** Ask the browser to drop nothing of this for want of room; it may say no. */
export async function askToPersist() {
  await navigator.storage?.persist?.();
}

/** Whether this window has a game for itself, which lasts until the signal is aborted or the window closes. */
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
