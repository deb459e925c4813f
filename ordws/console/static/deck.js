// The cards leased to this page: the current one on top, and the next below it.

export class Deck {
  cards = [];
  #answered = new Set();

  get top() {
    return this.cards[0] ?? null;
  }

  /** Take over the leased cards of a reply, next first; the card on top stays, and no answered one comes back. */
  receive(leased) {
    const kept = this.cards.slice(0, 1);
    const fresh = leased.filter((card) => !this.#answered.has(card.id) && kept.every(({ id }) => id !== card.id));
    this.cards = [...kept, ...fresh];
  }

  /** Remove a card that was answered; it does not come back with a reply that was sent before the answer. */
  answer(card) {
    this.#answered.add(card.id);
    this.cards = this.cards.filter(({ id }) => id !== card.id);
  }

  /** Put a card whose answer was taken back on top. */
  putBack(card) {
    this.#answered.delete(card.id);
    this.cards = [card, ...this.cards.filter(({ id }) => id !== card.id)];
  }

  /** Replace a card by its new lease, on the same family. */
  renew(card, renewed) {
    if (this.#answered.has(card.id)) this.#answered.add(renewed.id);
    this.cards = this.cards.map((each) => (each.id === card.id ? { ...renewed, note: card.note } : each));
  }

  /** Remove a card that needs no answer any more, or whose lease has ended. */
  drop(card) {
    this.cards = this.cards.filter(({ id }) => id !== card.id);
  }
}
