// The cards that are leased to this page: the one on top and those below it.

export class Deck {
  cards = [];
  #answered = new Set();

  get top() {
    return this.cards[0] ?? null;
  }

  /** What the server says is leased, the next first; a card on top stays there, and no answered one comes back. */
  receive(leased) {
    const kept = this.cards.slice(0, 1);
    const fresh = leased.filter((card) => !this.#answered.has(card.id) && kept.every(({ id }) => id !== card.id));
    this.cards = [...kept, ...fresh];
  }

  /** Take an answered card off. */
  answer(card) {
    this.#answered.add(card.id);
    this.cards = this.cards.filter(({ id }) => id !== card.id);
  }

  /** Put a card on top whose answer was taken back. */
  putBack(card) {
    this.#answered.delete(card.id);
    this.cards = [card, ...this.cards.filter(({ id }) => id !== card.id)];
  }

  /** The same family under a new lease. */
  renew(card, renewed) {
    if (this.#answered.has(card.id)) this.#answered.add(renewed.id);
    this.cards = this.cards.map((each) => (each.id === card.id ? { ...renewed, note: card.note } : each));
  }

  /** Take off a card that nobody needs an answer to, or that is no longer ours. */
  drop(card) {
    this.cards = this.cards.filter(({ id }) => id !== card.id);
  }
}
