// How the JavaScript client (client.js) learns of new rows of a game: by the stream, which only wakes, and by polling
// where there is no stream. Streams are read with fetch: unlike EventSource it works in node, and shows heartbeats.

import { OrdwsProblem, TimeLimit, Unreachable, abortWith, noAnswerIfThrown, parseObject } from "./client-http.js";

/** The times of a watched game, in milliseconds. */
export const TIMES = {
  firstPoll: 1000, lastPoll: 5000, hiddenPoll: 15_000,
  firstReconnect: 500, lastReconnect: 30_000,
  // A stream has a heartbeat every 15 seconds; one that is silent for longer is cut somewhere on its way.
  silence: 20_000, connect: 5000,
};
const WAKING_EVENTS = ["visibilitychange", "pageshow", "online", "offline"];
const MAY_PASS = [408, 409, 425, 429];

/** A newer stream of the same seat has replaced this one, which does not come back. */
export class StreamReplaced extends Error {
  name = "StreamReplaced";

  constructor() {
    super("this seat is watched elsewhere: in another tab, or by another program");
  }
}

/** A bell that is waited for; one ring is remembered. */
export class Bell {
  #hasRung = false;
  #answer = () => {};

  ring() {
    this.#hasRung = true;
    this.#answer();
  }

  /** Resolve when the bell rings, or has rung since the last wait; with `ms`, no later than that. */
  async wait(ms = Infinity) {
    let timer;
    await new Promise((resolve) => {
      if (this.#hasRung) return resolve();
      this.#answer = resolve;
      if (Number.isFinite(ms)) timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#hasRung = false;
  }
}

/** One watched game: a loop that keeps a stream, and one that fetches the standing when there is news. */
export class Watcher {
  #client;
  #game;
  #calls;
  #over;
  #outcome = "aborted";
  #connection = null;
  #shown = -1;
  #known = -1;
  #stream = null;
  #heard = 0;
  #news = new Bell();
  #reconnect = new Bell();

  constructor(client, game, { signal, ...calls }) {
    this.#client = client;
    this.#game = game;
    this.#calls = calls;
    this.#over = abortWith(signal);
  }

  /** Watch until the signal aborts or the stream is replaced: return "aborted" or "replaced". */
  async run() {
    const { signal } = this.#over;
    const wake = () => this.#wake();
    for (const target of [globalThis, globalThis.document]) {
      for (const type of WAKING_EVENTS) target?.addEventListener?.(type, wake, { signal });
    }
    signal.addEventListener("abort", () => { this.#news.ring(); this.#reconnect.ring(); });
    try {
      await Promise.all([this.#follow(), this.#keepStream()]);
      return this.#outcome;
    } finally {
      this.#over.abort();
    }
  }

  /** Hand on a standing that is newer than the last one, whichever request brought it. */
  show(standing) {
    const row = standing.turn - 1;
    if (row <= this.#shown || this.#over.signal.aborted) return;
    this.#shown = row;
    this.#calls.onStanding(standing);
  }

  #report(connection) {
    if (connection === this.#connection || this.#over.signal.aborted) return;
    this.#connection = connection;
    this.#calls.onConnection(connection);
  }

  /** Catch up after a sleep, or when the network comes back; a stream that slept too long has to be opened anew. */
  #wake() {
    if (globalThis.navigator?.onLine === false) this.#report("offline");
    if (Date.now() - this.#heard > this.#client.times.silence) this.#stream?.pass();
    this.#news.ring();
    this.#reconnect.ring();
  }

  async #follow() {
    const { firstPoll, lastPoll, hiddenPoll } = this.#client.times;
    for (let pause = firstPoll; !this.#over.signal.aborted;) {
      const before = this.#shown;
      const isReached = await this.#fetchStanding();
      const last = globalThis.document?.hidden ? hiddenPoll : lastPoll;
      pause = this.#shown > before ? firstPoll : Math.min(pause * 1.5, last);
      const isIdle = isReached && this.#connection === "live" && this.#known <= this.#shown;
      await this.#news.wait(isIdle ? Infinity : this.#spread(pause));
    }
  }

  async #fetchStanding() {
    try {
      await this.#game.standing({ signal: this.#over.signal, patienceSeconds: 0 });
      if (this.#connection === "offline") {
        this.#report(this.#stream ? "live" : "polling");
        this.#reconnect.ring();
      }
      return true;
    } catch (error) {
      if (this.#over.signal.aborted) return false;
      const isProblem = error instanceof OrdwsProblem;
      if (!isProblem && !(error instanceof Unreachable)) throw error;
      if (isProblem && error.status < 500 && !MAY_PASS.includes(error.status)) throw error;
      this.#report("offline");
      return false;
    }
  }

  async #keepStream() {
    const { firstReconnect, lastReconnect, silence } = this.#client.times;
    for (let pause = firstReconnect; !this.#over.signal.aborted;) {
      const began = Date.now();
      const wasLive = await this.#readStream();
      if (this.#over.signal.aborted) return;
      if (!wasLive) {
        if (this.#connection !== "offline") this.#report("polling");
        this.#news.ring();
      }
      // A stream that ends again and again is tried ever more seldom.
      pause = wasLive && Date.now() - began > silence ? firstReconnect : Math.min(pause * 2, lastReconnect);
      await this.#reconnect.wait(this.#spread(pause));
    }
  }

  /** Read one stream to its end; return true if it was live. */
  async #readStream() {
    const { connect, silence } = this.#client.times;
    const limit = new TimeLimit(connect, this.#over.signal);
    let isLive = false;
    try {
      const reply = await this.#game.openStream({ signal: limit.signal });
      for await (const { event, data } of readEvents(reply, () => { this.#heard = Date.now(); })) {
        limit.renew(silence);
        if (event === "replaced") return this.#end("replaced");
        isLive = this.#hear(event, data, limit) || isLive;
      }
    } catch (error) {
      // What is final, such as a seat that was lost, is what the standing says.
      if (!(error instanceof OrdwsProblem || error instanceof Unreachable || limit.signal.aborted)) throw error;
    } finally {
      limit.end();
      this.#stream = null;
    }
    return isLive;
  }

  #hear(event, data, limit) {
    if (event === "nonce") this.#game.keepNonce(parseObject(data)?.nonce, this.#known);
    if (event === "presence") this.#calls.onPresence(parseObject(data) ?? {});
    if (event !== "row") return false;
    this.#known = Math.max(this.#known, parseObject(data)?.row ?? 0);
    this.#stream = limit;
    this.#report("live");
    if (this.#known > this.#shown) this.#news.ring();
    return true;
  }

  #end(outcome) {
    this.#outcome = outcome;
    this.#over.abort();
    return true;
  }

  /** Return a pause with chance in it, so that a thousand pages do not come back in one moment. */
  #spread(pause) {
    return pause / 2 + (this.#client.random() * pause) / 2;
  }
}

/** Yield the events of a stream, and one with the name "" for each heartbeat; `onBytes` is called when any come. */
async function* readEvents(reply, onBytes = () => {}) {
  if (!reply.ok || !reply.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    await reply.body?.cancel();
    return;
  }
  const reader = reply.body.getReader(), decoder = new TextDecoder();
  let text = "", fields = { event: "", data: "" };
  try {
    for (;;) {
      const chunk = await noAnswerIfThrown(reader.read());
      if (chunk.done) return;
      onBytes();
      const lines = (text + decoder.decode(chunk.value, { stream: true })).split("\n");
      text = lines.pop();
      for (const line of lines.map((each) => each.replace(/\r$/, ""))) {
        const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
        if (name === "event" || name === "data") fields[name] = value;
        const isHeartbeat = line.startsWith(":");
        if (isHeartbeat) yield { event: "", data: "" };
        if (line !== "") continue;
        if (fields.event) yield fields;
        fields = { event: "", data: "" };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
