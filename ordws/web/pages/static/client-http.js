// How the JavaScript client (client.js) sends requests, and sends them again as ordws/client/wire.py does.

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4000;
const MAX_DIGITS = 9;
const MAX_KEY_LENGTH = 255;
const NOT_CARRIED_OUT = [409, 429, 503];
const AT_GATEWAYS = [502, 504];
const NEVER_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];
const STORED_REPLIES = "replies";

/** The service's reason not to answer (RFC 9457); `code` is from a published list, `details` the whole body. */
export class OrdwsProblem extends Error {
  constructor(details, retryAfter = null) {
    super(`${details.code}: ${details.detail}`);
    const { code, status, title, detail, instance, budget = null } = details;
    Object.assign(this, { name: "OrdwsProblem", code, status, title, detail, instance, budget, details, retryAfter });
    this.attempts = 1;
  }
}

/** No answer of the service came; `wasSent` is false if the request cannot have reached it. */
export class Unreachable extends Error {
  constructor(reason, wasSent = true) {
    super(wasSent ? `${reason}: the request may have been carried out` : reason);
    Object.assign(this, { name: "Unreachable", wasSent, status: 0, retryAfter: null, attempts: 1 });
  }
}

/** An answer came that is not of the service, but of a proxy, say. Its text is dropped, as it may repeat what was sent. */
export class UnexpectedReply extends Unreachable {
  constructor(status, contentType, reason, retryAfter = null) {
    super(reason);
    this.message = `status ${status}, "${contentType}": ${reason}; is there an ORDWS at this address?`;
    Object.assign(this, { name: "UnexpectedReply", status, contentType, retryAfter });
  }
}

/**
 * Return the milliseconds after which a request is sent again, or null if it is not, or not within `msLeft`.
 *
 * `attempt` counts from 1; a status of 0 means that no answer came. A 409 is sent again only with a Retry-After.
 */
function retryDelay(attempt, status, retryAfter, msLeft, random = Math.random) {
  const isRetried = status === 0 || NOT_CARRIED_OUT.includes(status) || AT_GATEWAYS.includes(status);
  if (!isRetried || (status === 409 && retryAfter === null)) return null;
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
  // Chance is added, so that clients that were refused in one moment do not come back in one.
  const pause = (retryAfter === null ? backoff / 2 : retryAfter * 1000) + (random() * backoff) / 2;
  return pause < msLeft ? pause : null;
}

/** What a client sends by: the address, the key, the seats of guests, and how long it tries. */
export class Transport {
  #key;
  #fetch;
  #seats;

  constructor({ baseUrl, key, fetch, storage, ...settings }) {
    const address = baseUrl ?? globalThis.location?.origin ?? "";
    if (!/^https?:\/\/[^@?#\s]+$/.test(address)) {
      throw new TypeError('baseUrl is written "https://host/path", without user, query and fragment');
    }
    this.baseUrl = address.replace(/\/+$/, "");
    this.#key = checkVisible(key?.trim(), "client key");
    this.#fetch = fetch ?? globalThis.fetch.bind(globalThis);
    this.#seats = new SeatCookies(storage);
    this.timeoutSeconds = settings.timeoutSeconds ?? 10;
    this.patienceSeconds = settings.patienceSeconds ?? 20;
    this.sleep = settings.sleep ?? sleep;
    this.now = settings.now ?? (() => performance.now());
    this.random = settings.random ?? Math.random;
  }

  /**
   * Send any request, and again as long as that is safe and `patienceSeconds` last; return the JSON of the reply, or
   * its text where `accept` is "text/plain". One that `isKeyed` counts or creates something gets an idempotency key.
   */
  async request(method, path, body, options = {}) {
    const { signal, idempotencyKey, isKeyed = false, takesKey = true } = options;
    const deadline = this.now() + (options.patienceSeconds ?? this.patienceSeconds) * 1000;
    let key = checkIdempotencyKey(idempotencyKey) ?? (isKeyed && takesKey ? randomKey() : undefined);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#send(method, path, body, { ...options, key });
      } catch (error) {
        if (!(error instanceof OrdwsProblem || error instanceof Unreachable)) throw error;
        error.attempts = attempt;
        let pause = 0;
        if (error.budget === STORED_REPLIES && key !== undefined && idempotencyKey === undefined) {
          // The service stores so many answers a day for repeats; without a key it needs to store none.
          key = undefined;
        } else {
          const mayBeDone = error.wasSent !== false && !NOT_CARRIED_OUT.includes(error.status);
          if (isKeyed && key === undefined && mayBeDone) throw error;
          pause = retryDelay(attempt, error.status, error.retryAfter, deadline - this.now(), this.random);
        }
        if (pause === null) throw error;
        await this.sleep(pause, signal);
        signal?.throwIfAborted();
      }
    }
  }

  async #send(method, path, body, { headers, accept = "application/json", key, signal, timeoutSeconds }) {
    const seconds = timeoutSeconds ?? this.timeoutSeconds;
    const limit = new TimeLimit(seconds * 1000, signal);
    const sent = { Accept: accept, ...this.#credentials(path), ...headers };
    if (body !== undefined) sent["Content-Type"] = "application/json";
    if (key !== undefined) sent["Idempotency-Key"] = key;
    try {
      const reply = await this.fetch(path, { method, headers: sent, body: JSON.stringify(body), signal: limit.signal });
      this.#seats.keep(reply);
      return await readReply(reply, accept);
    } catch (error) {
      if (limit.hasPassed) throw new Unreachable(`no answer in ${seconds} seconds`);
      signal?.throwIfAborted();
      throw error;
    } finally {
      limit.end();
    }
  }

  /** Fetch a path of the service, or an address outside it, once; throw Unreachable where no answer comes. */
  async fetch(path, options) {
    const url = /^https?:/.test(path) ? path : `${this.baseUrl}${path}`;
    // Following a redirect would give the key to somebody else.
    return noAnswerIfThrown(this.#fetch(url, { cache: "no-store", redirect: "manual", ...options }));
  }

  #credentials(path) {
    const cookie = this.#seats.find(path);
    return { ...(this.#key && { Authorization: `Bearer ${this.#key}` }), ...(cookie && { Cookie: cookie }) };
  }
}

/** The seats that were taken outside a browser; a browser keeps their cookies itself, and shows them to no script. */
class SeatCookies {
  #storage;

  constructor(storage) {
    const kept = new Map();
    this.#storage = storage ?? { getItem: (name) => kept.get(name), setItem: (name, value) => kept.set(name, value) };
  }

  keep(reply) {
    for (const cookie of reply.headers.getSetCookie?.() ?? []) {
      const [, value] = /^ordws_seat=([^;]+)/.exec(cookie) ?? [];
      const [, game] = /;\s*Path=[^;]*\/v1\/games\/([^;/]+)/i.exec(cookie) ?? [];
      if (value && game) this.#storage.setItem(`ordws.seat.${game}`, value);
    }
  }

  find(path) {
    const [, game] = /^\/v1\/games\/([^/?]+)/.exec(path) ?? [];
    const value = game && this.#storage.getItem(`ordws.seat.${game}`);
    return value ? `ordws_seat=${value}` : null;
  }
}

/** Return the outcome of a promise of fetch; throw Unreachable for the errors by which it tells of a broken network. */
export async function noAnswerIfThrown(outcome) {
  try {
    return await outcome;
  } catch (error) {
    const code = error.cause?.code;
    throw new Unreachable(`no answer: ${code ?? error.message}`, !NEVER_SENT.includes(code));
  }
}

async function readReply(reply, accept) {
  const kind = reply.headers.get("Content-Type") ?? "";
  const retryAfter = retryAfterSeconds(reply.headers.get("Retry-After") ?? "");
  // Browsers show nothing of a redirect that is not followed.
  const status = reply.type === "opaqueredirect" ? 302 : reply.status;
  const fail = (reason) => new UnexpectedReply(status, kind, reason, retryAfter);
  const isProblem = kind.split(";")[0].trim().toLowerCase() === "application/problem+json";
  if (!reply.ok && !isProblem) throw fail("neither an answer nor a problem");
  const text = await noAnswerIfThrown(reply.text());
  if (reply.ok && accept === "text/plain") {
    if (kind.startsWith("text/plain")) return text;
    throw fail("plain text was expected");
  }
  const body = parseObject(text);
  if (reply.ok && body) return body;
  if (isProblem && typeof body?.code === "string") throw new OrdwsProblem({ ...body, status }, retryAfter);
  throw fail(reply.ok ? "not the answer expected" : "a problem that cannot be read");
}

/** Return the object or array that a text holds as JSON; null where it holds none. */
export function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function retryAfterSeconds(text) {
  return /^\d+$/.test(text.trim()) ? Number(text.trim().slice(0, MAX_DIGITS)) : null;
}

/** Return a secret that may stand in a header; the errors of fetch would repeat one that may not. */
export function checkVisible(secret, name) {
  if (secret === undefined || /^[!-~]+$/.test(secret)) return secret;
  throw new TypeError(`a ${name} has visible ASCII characters only`);
}

function checkIdempotencyKey(key) {
  if (key !== undefined && !(key.length <= MAX_KEY_LENGTH && /^[ -~]+$/.test(key))) {
    throw new TypeError(`an idempotency key has 1 to ${MAX_KEY_LENGTH} printable ASCII characters`);
  }
  return key;
}

/** Return a random UUID; `randomUUID` is missing on pages without TLS, and `crypto` in node 18. */
function randomKey() {
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(16)) ??
    Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Resolve after `ms`, or at once when `signal` aborts. */
function sleep(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}

/** Return a controller that aborts with a signal too; it is to be aborted at last, which forgets the signal. */
export function abortWith(signal) {
  const own = new AbortController();
  if (signal?.aborted) own.abort(signal.reason);
  else signal?.addEventListener("abort", () => own.abort(signal.reason), { signal: own.signal });
  return own;
}

/** A signal that aborts when a time has passed; `renew` begins it anew. */
export class TimeLimit {
  #ms;
  #timer;
  #own;
  hasPassed = false;

  constructor(ms, signal) {
    this.#ms = ms;
    this.#own = abortWith(signal);
    this.signal = this.#own.signal;
    this.renew(ms);
  }

  renew(ms = this.#ms) {
    clearTimeout(this.#timer);
    this.#ms = ms;
    if (Number.isFinite(ms)) this.#timer = setTimeout(() => this.pass(), ms);
  }

  pass() {
    this.hasPassed = true;
    this.#own.abort();
  }

  end() {
    clearTimeout(this.#timer);
    this.#own.abort();
  }
}
