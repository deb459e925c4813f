// Requests to the service as pages send them, with the cookie of this device: once, and with a status in place of errors.

import { OrdwsProblem, createClient } from "./client.js";

// Pages say themselves that there is no connection, and offer to ask again.
const client = createClient({ patienceSeconds: 0, timeoutSeconds: Infinity });

/**
 * Send a request and return status and JSON of the reply: 200 for every answer, and 0 where there is no connection or
 * `signal` aborted it.
 */
export async function fetchJson(method, path, body, headers = {}, signal = undefined) {
  try {
    return { status: 200, body: await client.request(method, path, body, { headers, signal }), wait: 0 };
  } catch (error) {
    if (!(error instanceof OrdwsProblem)) return { status: 0, body: null, wait: 0 };
    return { status: error.status, body: error.details, wait: error.retryAfter ?? 0 };
  }
}

/**
 * Post a request under an idempotency key, and without one when no more replies are stored for this device today.
 */
export async function postOnce(path, body, key, signal = undefined) {
  const reply = await fetchJson("POST", path, body, { "Idempotency-Key": key }, signal);
  if (!(reply.status === 429 && reply.body?.budget === "replies")) return reply;
  return fetchJson("POST", path, body, {}, signal);
}

const GAME_BUDGETS = ["game", "plays"];
const GAME = "ordws.game";

/** Begin a new game for the budgets of the service. Its label survives a reload, which is not a new game. */
function beginGame() {
  const game = crypto.randomUUID();
  localStorage.setItem(GAME, game);
  return game;
}

/**
 * Request one verdict on words: `{status, valid}`, in the game that this device remembers.
 *
 * A caller that repeats a request because the reply was lost gives the same `key`, and is charged once.
 */
export async function requestVerdict(words, rules, { key = crypto.randomUUID(), signal, options = {} } = {}) {
  const game = { label: () => localStorage.getItem(GAME) ?? beginGame(), renew: beginGame };
  const reply = await judgeInGame({ words, rules, options }, key, game, signal);
  return { ...reply, valid: reply.body?.valid };
}

/**
 * Request one verdict, and return the reply. When the budget of the game is spent, begin a new game, once.
 *
 * @param {{words: string[], rules: string, options: object}} question
 * @param {{label: () => string, renew: () => any}} game `renew` gives the game another label
 */
export async function judgeInGame({ words, rules, options }, key, game, signal = undefined) {
  for (const again of [true, false]) {
    const label = game.label();
    const body = { words, rules, game: label, ...(Object.keys(options).length ? { options } : {}) };
    const reply = await postOnce("/v1/judge", body, `${key}.${label}`, signal);
    if (!(again && reply.status === 429 && GAME_BUDGETS.includes(reply.body?.budget))) return reply;
    await game.renew();
  }
}

const PAIRED = "ordws.paired";

/** Pair this device by a director's code; the reply is 200 with the table and the club, or a refusal. */
export async function pairDevice(code) {
  const reply = await fetchJson("POST", "/v1/pair", { code });
  if (reply.status === 200) localStorage.setItem(PAIRED, "yes");
  return reply;
}

/** Return the reply of `GET /v1/device`; a device that was never paired gets a 401 without a request. */
export async function getPairing() {
  if (!localStorage.getItem(PAIRED)) return { status: 401, body: null, wait: 0 };
  const reply = await fetchJson("GET", "/v1/device");
  if (reply.status === 401) forgetPairing();
  return reply;
}

/** Remember that this device is not paired any more. */
export function forgetPairing() {
  localStorage.removeItem(PAIRED);
}

/** Return the body of `GET /v1/device`; null where the device is not paired or there is no connection. */
export async function getDevice() {
  const reply = await getPairing();
  return reply.status === 200 ? reply.body : null;
}
