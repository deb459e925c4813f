// The messages that the page sends, in order, one at a time, and again until the server has acknowledged them.

const TIMEOUT_MS = 15_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Outbox {
  waiting = [];
  state = "saved";
  /** True from signing in again until the next acknowledged message. */
  wasResumed = false;
  #running = false;
  #wake = () => {};

  /** Calls `onAnswer(message, body)`, `onRefused(message, {code, detail})` and `onState()` in the order of sending. */
  constructor({ member, csrf, onAnswer, onRefused, onState }) {
    Object.assign(this, { member, csrf, onAnswer, onRefused, onState });
    window.addEventListener("online", () => this.#wake());
    window.addEventListener("beforeunload", (event) => {
      if (this.unsent) event.preventDefault();
    });
  }

  /** The number of the curator's own actions, such as votes, that are not acknowledged yet. */
  get unsent() {
    return this.waiting.filter(({ isUserAction }) => isUserAction).length;
  }

  send(path, body, { isUserAction = false, card = null } = {}) {
    this.waiting.push({ path, body, isUserAction, card, wasTried: false });
    this.#run();
  }

  /** Return whether a message to this path is waiting. */
  holds(path) {
    return this.waiting.some((message) => message.path === path);
  }

  /** Remove a ballot that was never sent; return false where the server may have it. */
  withdraw(ballot) {
    const isBallot = ({ path, body }) => path === "/api/votes" && body.ballot === ballot;
    const index = this.waiting.findIndex((message) => isBallot(message) && !message.wasTried);
    if (index < 0) return false;
    this.waiting.splice(index, 1);
    this.#setState(this.state);
    return true;
  }

  /** Rewrite waiting messages about a card that has a new lease. */
  renew(card, renewed) {
    for (const { body } of this.waiting) if (body.card === card.id) body.card = renewed.id;
  }

  /** Go on after signing in; resolves to "back", or to "signed-out" or, for another member, "other". */
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
      if (this.state === "saved") this.#setState("sending");
      const outcome = await this.#post(message);
      if (outcome.isDone) {
        this.waiting.shift();
        wait = FIRST_RETRY_MS;
        this.wasResumed = false;
        this.#setState(this.waiting.length ? "sending" : "saved");
        if (outcome.isTaken) this.onAnswer(message, outcome.body);
        else this.onRefused(message, outcome.body);
      } else if (outcome.state === "offline") {
        this.#setState("offline");
        await Promise.race([pause(wait), this.#woken()]);
        wait = Math.min(wait * 2, MAX_RETRY_MS);
      } else {
        this.#setState(outcome.state);
        await this.#woken();
      }
    }
    this.#running = false;
  }

  /** Resolves when the browser is online again, or the member has signed in again. */
  #woken() {
    return new Promise((resolve) => (this.#wake = resolve));
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
      // No connection, no reply in time, or one that is not the console's: the same message is sent again.
      return { isDone: false, state: "offline" };
    }
  }

  #setState(state) {
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
