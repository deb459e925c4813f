// The JavaScript client of ORDWS, for browsers and for node from version 18 on. It needs no other package; types are
// in clients/javascript/client.d.ts, and docs/client.md describes it beside the Python client, which behaves alike.

import { Transport, abortWith, checkVisible } from "./client-http.js";
import { Bell, StreamReplaced, TIMES, Watcher } from "./client-watch.js";

export { OrdwsProblem, Unreachable, UnexpectedReply } from "./client-http.js";
export { StreamReplaced } from "./client-watch.js";

/**
 * Return a client. `baseUrl` may have a path, and is this page's origin where it is left out; without a `key` only
 * public requests are answered, and those of a seat that this browser, or `storage`, has the cookie of.
 */
export function createClient(options = {}) {
  return new Client(options);
}

class Client extends Transport {
  constructor(options) {
    super(options);
    this.times = { ...TIMES, ...options.times };
  }

  /** Return one verdict for one to eight words: `{valid}`, true only if all are acceptable. */
  judge(words, { signal, idempotencyKey, ...fields } = {}) {
    const sending = { signal, idempotencyKey, isKeyed: fields.game !== undefined };
    return this.#post("/v1/judge", { words: [words].flat(), ...fields }, sending);
  }

  /** Return the verdict and the receipt of a play, as `"8D STAiNER"`, on a position in CGP. */
  play(position, move, { signal, idempotencyKey, ...fields } = {}) {
    const sending = { signal, idempotencyKey, isKeyed: fields.game !== undefined };
    return this.#post("/v1/plays", { position, move, ...fields }, sending);
  }

  /** Return the receipt of a play: no word is looked up, and nothing is charged. */
  score(position, move, { signal, ...fields } = {}) {
    return this.#post("/v1/score", { position, move, ...fields }, { signal });
  }

  /** Return whether one of the words is in the players' reference; with a rule set, also what a no deducts. */
  ospd(words, { signal, idempotencyKey, ...fields } = {}) {
    return this.#post("/v1/ospd", { words: [words].flat(), ...fields }, { signal, idempotencyKey });
  }

  /** Return the two-book check of a word at home, as far as the look-ups in the player's dictionary decide it. */
  home(word, { signal, ...fields } = {}) {
    return this.#post("/v1/home", { word, ...fields }, { signal });
  }

  /** Return each budget by its name. */
  async quota({ signal, ...query } = {}) {
    const { budgets } = await this.request("GET", withQuery("/v1/quota", query), undefined, { signal });
    return Object.fromEntries(budgets.map((budget) => [budget.budget, budget]));
  }

  /** Return all rule sets. */
  async rules(options) {
    return (await this.request("GET", "/v1/rules", undefined, options)).rules;
  }

  /** Return a rule set with all its options. */
  ruleSet(id, options) {
    return this.request("GET", `/v1/rules/${encodeURIComponent(id)}`, undefined, options);
  }

  /** Return the two-letter words of a rule set. */
  async twoLetterWords(rules, options) {
    return (await this.request("GET", withQuery("/v1/two-letter-words", { rules }), undefined, options)).words;
  }

  /** Return the words that a rule set disallows. */
  async disallowedWords(rules, options) {
    return (await this.request("GET", withQuery("/v1/disallowed-words", { rules }), undefined, options)).words;
  }

  /** Open a game that the service deals, with a seat for each player; with `invitations`, each seat has one. */
  openGame(players, { signal, idempotencyKey, ...fields } = {}) {
    const seats = players.map((player) => (player === null ? {} : { player }));
    return this.#post("/v1/games", { seats, ...fields }, { signal, idempotencyKey, isKeyed: true });
  }

  /** Return the name of a play link, and how many whole games can be opened by it today. */
  playLink(link, { signal } = {}) {
    return this.#post("/v1/play-link", { link }, { signal, takesKey: false });
  }

  /** Open a game by the installation's play link, and take its first seat. A lost reply is not asked for again. */
  openGuestGame(fields, { signal } = {}) {
    return this.#post("/v1/guest-games", fields, { signal, isKeyed: true, takesKey: false });
  }

  /** Return whether the program plays here, and how many more games it can play now. */
  practice({ signal } = {}) {
    return this.request("GET", "/v1/practice", undefined, { signal });
  }

  /** Open a game against the program, and take a seat. With every place taken, the refusal comes at once. */
  openPractice(fields = {}, { signal } = {}) {
    return this.#post("/v1/practice", fields, { signal, isKeyed: true, takesKey: false, patienceSeconds: 0 });
  }

  /** Return the review of a game that was kept at a table, by its record (GCG); asking queues it. */
  reviewRecord(record, { signal } = {}) {
    return this.#post("/v1/practice/records", { record }, { signal, takesKey: false });
  }

  /** Return to what an invitation invites; no seat is taken. */
  invitation(game, invitation, { signal } = {}) {
    return this.#post(`${pathOf(game)}/invitation`, { invitation }, { signal });
  }

  /** Take the seat of `{invitation, name}`, or get one's own back by `{recovery}`. */
  async takeSeat(game, fields, { signal } = {}) {
    const options = { signal, isKeyed: "invitation" in fields, takesKey: false };
    const send = (body) => this.#post(`${pathOf(game)}/seat`, body, options);
    try {
      return await send(fields);
    } catch (error) {
      if (!(error.wasSent && fields.invitation)) throw error;
      // Where the seat was taken and the answer lost, nobody has its cookie.
      return send({ ...fields, again: true });
    }
  }

  /** Promise the oath of a game whose seat this browser has, or whose `seatToken` is given. */
  takeOath(game, { seatToken, ...options } = {}) {
    return this.game(game, { seatToken }).takeOath(options);
  }

  /** Attest a finished game. */
  attest(game, { seatToken, ...options } = {}) {
    return this.game(game, { seatToken }).attest(options);
  }

  /** Open the next game of the same players, or return the one that another has opened. */
  rematch(game, { seatToken, ...options } = {}) {
    return this.game(game, { seatToken }).rematch(options);
  }

  /** Return a game as one seat plays it; no request is sent. */
  game(id, { seatToken } = {}) {
    return new Game(this, id, seatToken);
  }

  #post(path, body, options) {
    return this.request("POST", path, body, options);
  }
}

class Game {
  #client;
  #seatToken;
  #watchers = new Set();
  #nonce = null;
  #seen = null;

  constructor(client, id, seatToken) {
    this.id = id;
    this.#client = client;
    this.#seatToken = checkVisible(seatToken, "seat token");
  }

  /** Return the state of the game, as this seat may see it. */
  async standing(options) {
    return this.#show(await this.#request("GET", "", undefined, options));
  }

  /** Return every turn, as this seat may see it. */
  turns(options) {
    return this.#request("GET", "/turns", undefined, options);
  }

  /** Return the record of a finished game as GCG. */
  record(options) {
    return this.#request("GET", "", undefined, { ...options, accept: "text/plain" });
  }

  /** Make a move for a turn, and return what happened; the same move sent again gets the same answer. */
  async turn({ turn, move, swaps, words, word }, options) {
    const body = { seat: this.#seatToken, turn, move, swaps, words, word, ...this.#measured(turn - 1) };
    const taken = await this.#request("POST", "/turns", body, options);
    this.#show(taken.standing);
    return taken;
  }

  /** Promise the oath in the wording of `version`; asked again, nothing more happens. */
  async takeOath({ version = 1, ...options } = {}) {
    return this.#show(await this.#request("POST", "/oath", { version }, options));
  }

  /** Attest the finished game in the wording of `version`. */
  async attest({ version = 1, ...options } = {}) {
    return this.#show(await this.#request("POST", "/attestation", { version }, options));
  }

  /** Return the review of a finished game, `{state: "waiting"|"done", turns}`; asking queues it. */
  review(options) {
    return this.#request("POST", "/review", {}, options);
  }

  /** Call the game off, before a play is made. */
  async callOff(options) {
    return this.#show(await this.#request("POST", "/call-off", {}, options));
  }

  /** Open the next game of the same players, or return the one that another has opened. */
  rematch(options) {
    return this.#request("POST", "/rematch", {}, options);
  }

  /**
   * Call `onStanding` with the standing now and after each new row, until `signal` aborts: then "aborted" is returned,
   * and "replaced" when another tab or program watches the same seat. Throws what ends it: a seat that was lost.
   *
   * `onConnection` is called with "live", "polling" or "offline", when that changes; `onPresence` while it is live with
   * the seats that are connected, and for how long others have not been any more: `{ here: [0], away_ms: { 1: 40000 } }`.
   */
  async watch(onStanding, { signal, onConnection = () => {}, onPresence = () => {} } = {}) {
    const watcher = new Watcher(this.#client, this, { onStanding, onConnection, onPresence, signal });
    this.#watchers.add(watcher);
    try {
      return await watcher.run();
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  /** Yield the newest standing, now and after each new row; a loop that is left ends the stream. */
  async *standings({ signal, onConnection } = {}) {
    const left = abortWith(signal);
    const news = new Bell();
    let newest = null, end = null;
    const keep = (standing) => { newest = standing; news.ring(); };
    const watching = this.watch(keep, { signal: left.signal, onConnection })
      .then(() => { end = {}; }, (error) => { end = { error }; }).finally(() => news.ring());
    try {
      for (;;) {
        await news.wait();
        const standing = newest;
        newest = null;
        if (standing) yield standing;
        else if (end) break;
      }
    } finally {
      left.abort();
      await watching;
    }
    signal?.throwIfAborted();
    throw end.error ?? new StreamReplaced();
  }

  /** Return the standing as soon as this seat is to act, or the game is over. */
  async wait(options) {
    for await (const standing of this.standings(options)) {
      if (standing.mover === standing.you || standing.phase === "over") return standing;
    }
  }

  /** Open a stream by a new ticket, and return the reply to read; a part of `watch`. */
  async openStream({ signal }) {
    const options = { signal, patienceSeconds: 0 };
    const { ticket, events } = await this.#request("POST", "/stream-tickets", {}, options);
    // Browsers leave the header Cookie out, and send the cookie that came with the ticket.
    const headers = { Accept: "text/event-stream", Cookie: `ordws_stream=${ticket}` };
    return this.#client.fetch(events, { signal, headers, credentials: "include" });
  }

  /** Keep a nonce of the stream for the move that follows that row. */
  keepNonce(nonce, row) {
    this.#nonce = { nonce, row, at: this.#client.now() };
  }

  #request(method, path, body, options = {}) {
    const headers = this.#seatToken ? { "Seat-Token": this.#seatToken } : {};
    return this.#client.request(method, `${pathOf(this.id)}${path}`, body, { ...options, headers });
  }

  #show(standing) {
    const row = standing.turn - 1;
    if (!(this.#seen?.row >= row)) this.#seen = { row, at: this.#client.now() };
    for (const watcher of this.#watchers) watcher.show(standing);
    return standing;
  }

  /** Return the nonce of a row, and the time for which the player had its standing: all else was the network's. */
  #measured(row) {
    if (this.#nonce?.row !== row) return {};
    const since = this.#seen?.row === row ? Math.max(this.#seen.at, this.#nonce.at) : this.#nonce.at;
    return { nonce: this.#nonce.nonce, held: Math.max(0, Math.round(this.#client.now() - since)) };
  }
}

function pathOf(game) {
  // A slash in an id must not lead to another path.
  return `/v1/games/${encodeURIComponent(game)}`;
}

function withQuery(path, values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}
