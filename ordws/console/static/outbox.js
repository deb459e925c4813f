// What the page sends, in order, one at a time, and again until the server has acknowledged it.

const TIMEOUT_MS = 15_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

export class Outbox {
  waiting = [];
  state = "saved";
  /** Whether nothing was acknowledged since the last signing in. */
  wasResumed = false;
  #running = false;
  #wake = () => {};

  /** `onAnswer(message, body)`, `onRefused(message, {code, detail})`, `onState()`; all are called in order of sending. */
  constructor({ member, csrf, onAnswer, onRefused, onState }) {
    Object.assign(this, { member, csrf, onAnswer, onRefused, onState });
    window.addEventListener("online", () => this.#wake());
    window.addEventListener("beforeunload", (event) => {
      if (this.unsent) event.preventDefault();
    });
  }

  /** How many things that a curator did are not acknowledged yet. */
  get unsent() {
    return this.waiting.filter(({ isDeed }) => isDeed).length;
  }

  send(path, body, { isDeed = false, card = null } = {}) {
    this.waiting.push({ path, body, isDeed, card, wasTried: false });
    this.#run();
  }

  /** Whether a message of this path already waits. */
  holds(path) {
    return this.waiting.some((message) => message.path === path);
  }

  /** Take back a ballot that was never sent; false where the server may know of it. */
  withdraw(ballot) {
    const at = this.waiting.findIndex(({ path, body, wasTried }) => path === "/api/votes" && body.ballot === ballot && !wasTried);
    if (at < 0) return false;
    this.waiting.splice(at, 1);
    this.#tell(this.state);
    return true;
  }

  /** What waits is about a card that has another lease now. */
  renew(card, renewed) {
    for (const { body } of this.waiting) if (body.card === card.id) body.card = renewed.id;
  }

  /** Go on after signing in: "back", or why not ("signed-out", "other"). */
  async resume() {
    const page = await fetch("/queue", { cache: "no-store" }).then((answer) => answer.text(), () => "");
    const fresh = new DOMParser().parseFromString(page, "text/html");
    const member = fresh.getElementById("queue")?.dataset.member;
    if (member === undefined) return "signed-out";
    if (member !== this.member) return "other";
    this.csrf = fresh.querySelector("meta[name=csrf]").content;
    this.wasResumed = true;
    this.#wake();
    return "back";
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    let wait = FIRST_RETRY_MS;
    while (this.waiting.length) {
      const message = this.waiting[0];
      if (this.state === "saved") this.#tell("sending");
      const outcome = await this.#post(message);
      if (outcome.isDone) {
        this.waiting.shift();
        wait = FIRST_RETRY_MS;
        this.wasResumed = false;
        this.#tell(this.waiting.length ? "sending" : "saved");
        outcome.isTaken ? this.onAnswer(message, outcome.body) : this.onRefused(message, outcome.body);
      } else if (outcome.state === "offline") {
        this.#tell("offline");
        await Promise.race([pause(wait), this.#woken()]);
        wait = Math.min(wait * 2, MAX_RETRY_MS);
      } else {
        this.#tell(outcome.state);
        await this.#woken();
      }
    }
    this.#running = false;
  }

  #woken() {
    return new Promise((go) => (this.#wake = go));
  }

  async #post(message) {
    message.wasTried = true;
    try {
      const answer = await fetch(message.path, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": this.csrf },
        body: JSON.stringify(message.body),
        keepalive: true,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return read(answer.status, await answer.json());
    } catch {
      // No connection, no answer in time, or one that is not ours: the same message is sent again.
      return { isDone: false, state: "offline" };
    }
  }

  #tell(state) {
    this.state = state;
    this.onState();
  }
}

function read(status, body) {
  if (status < 300) return { isDone: true, isTaken: true, body };
  if (status === 401) return { isDone: false, state: "signed-out" };
  if (status === 403) return { isDone: false, state: body.code === "undeclared" ? "undeclared" : "signed-out" };
  if (status === 429 || status >= 500) return { isDone: false, state: "offline" };
  return { isDone: true, isTaken: false, body };
}
