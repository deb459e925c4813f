// The games kept on this device, each under its own name in the store. One window at a time writes in a game.

import { drop, get, names, put } from "./store.js";

const GAME = "game:";
const ALIVE = "alive:";
const PATIENCE_MS = 1_500;

/** All games that are kept, the one written in last first. */
export async function gamesKept() {
  const kept = (await names()).filter((name) => name.startsWith(GAME));
  const games = await Promise.all(kept.map(get));
  return games.sort((a, b) => lastAt(b) - lastAt(a));
}

/** When a game was written in last. */
export function lastAt({ begun, events }) {
  return events.findLast(({ at }) => at)?.at ?? begun;
}

/** The game of that id; undefined where there is none. */
export function gameKept(id) {
  return get(GAME + id);
}

/** When this is done the game is on the device, also if the power goes. */
export function keepGame(game) {
  return put(GAME + game.id, game);
}

export async function forgetGame(id) {
  await drop(GAME + id);
  await drop(ALIVE + id);
}

/** Note that a game was on the screen, for when its clock ran on without anybody. */
export function keepAlive(id) {
  return put(ALIVE + id, Date.now());
}

/** When a game was on the screen last. */
export async function lastAlive(game) {
  return Math.max((await get(ALIVE + game.id)) ?? 0, lastAt(game));
}

/** Ask the browser to drop nothing of this for want of room; it may say no. */
export async function askToPersist() {
  await navigator.storage?.persist?.();
}

/** Whether this window has a game for itself, which lasts until the signal is aborted or the window closes. */
export function hold(id, signal) {
  return new Promise((resolve) => {
    const wait = AbortSignal.timeout(PATIENCE_MS);
    const kept = () => new Promise((release) => {
      resolve(true);
      if (signal.aborted) release();
      signal.addEventListener("abort", release);
    });
    navigator.locks.request(`ordws.${GAME}${id}`, { signal: wait }, kept).catch(() => resolve(false));
  });
}
