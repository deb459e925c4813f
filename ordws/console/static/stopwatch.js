// A stopwatch for each card, which runs while the card is on top and the page visible.

const MAX_SECONDS = 3_600;

export class Stopwatch {
  #milliseconds = new Map();
  #id = null;
  #since = 0;

  constructor() {
    document.addEventListener("visibilitychange", () => this.show(this.#id));
  }

  /** Run for this card from now on, or stop where `id` is null. */
  show(id) {
    if (this.#id !== null && this.#since) {
      const spent = this.#milliseconds.get(this.#id) ?? 0;
      this.#milliseconds.set(this.#id, spent + performance.now() - this.#since);
    }
    this.#id = id;
    this.#since = document.hidden ? 0 : performance.now();
  }

  /** Return the seconds spent on a card, and reset them. */
  take(id) {
    this.show(this.#id);
    const milliseconds = this.#milliseconds.get(id) ?? 0;
    this.#milliseconds.delete(id);
    return Math.min(Math.round(milliseconds / 100) / 10, MAX_SECONDS);
  }
}
