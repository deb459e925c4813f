// How long each card was looked at: while it lies on top and the page can be seen.

const MAX_SECONDS = 3_600;

export class Stopwatch {
  #spent = new Map();
  #id = null;
  #since = 0;

  constructor(now = () => performance.now()) {
    this.now = now;
    document.addEventListener("visibilitychange", () => this.show(this.#id));
  }

  /** From now on the time is that of this card; of none where `id` is null. */
  show(id) {
    if (this.#id !== null && this.#since) this.#spent.set(this.#id, this.#of(this.#id) + this.now() - this.#since);
    this.#id = id;
    this.#since = document.hidden ? 0 : this.now();
  }

  /** The seconds spent on a card so far, which are forgotten with this. */
  take(id) {
    this.show(this.#id);
    const milliseconds = this.#of(id);
    this.#spent.delete(id);
    return Math.min(Math.round(milliseconds / 100) / 10, MAX_SECONDS);
  }

  #of(id) {
    return this.#spent.get(id) ?? 0;
  }
}
