// The queue's page: it shows the current card, carries out keys and buttons on it, and announces the results.

import { askDoubt, askText, askToSignIn, showHelp } from "./dialogs.js";
import { drawCard, sentence, shownWord } from "./card.js";
import { Deck } from "./deck.js";
import { button, h } from "./dom.js";
import { askKeys, KeyBindings } from "./key_bindings.js";
import { Outbox } from "./outbox.js";
import { Page } from "./page.js";
import { texts } from "./texts.js";
import { Stopwatch } from "./stopwatch.js";

const HEARTBEAT_MS = 120_000;
const REFRESH_MS = 60_000;
const PAUSE_REMINDER_MS = 25 * 60_000;
const MAX_LEASED_CARDS = 20;

const root = document.getElementById("queue");
const member = root.dataset.member;
const reasons = JSON.parse(root.dataset.reasons);
const keys = new KeyBindings(member);
const deck = new Deck();
const stopwatch = new Stopwatch();
const page = new Page(root, keys, act);
const outbox = new Outbox({
  member, csrf: document.querySelector("meta[name=csrf]").content, onAnswer, onRefused, onState,
});

/** The votes that can be taken back, newest last: the server's latest, then those cast on this page. */
const undoable = [];
let wasUndoListLoaded = false;
let picked = null;
let progress = null;
let isAsking = false;

const actions = {
  in: (card) => vote(card, "in", card.note ?? ""),
  out: (card) => vote(card, "out", card.note ?? ""),
  async doubt(card) {
    const reason = await askDoubt(shownWord(card), reasons, keys.isOn);
    if (reason) vote(card, "doubt", [reason, card.note].filter(Boolean).join(": "));
  },
  skip(card) {
    outbox.send("/api/skip", { card: card.id }, { isUserAction: true, card });
    showNextCard(card, texts.did.skip(shownWord(card)));
  },
  async recuse(card) {
    const options = { label: texts.recuseLabel, hint: texts.recuseHint, action: texts.recuseDo };
    const answer = await askText(texts.recuseTitle(shownWord(card)), options);
    if (!answer) return;
    outbox.send("/api/recuse", { card: card.id, reason: answer.text }, { isUserAction: true, card });
    showNextCard(card, texts.did.recuse(shownWord(card)));
  },
  async note(card) {
    const answer = await askText(texts.noteTitle(shownWord(card)), { label: texts.noteLabel, value: card.note });
    if (!answer) return;
    card.note = answer.text;
    show(texts.noteKept);
  },
  forms(card) {
    if (card.forms.length < 2) return page.announce(texts.formsOne);
    picked = picked === null ? new Set() : null;
    show(picked === null ? texts.formsShut : texts.formsOpen);
    if (picked !== null) page.focusForms();
  },
  async hold(card) {
    if (!card.classes.length) return page.announce(texts.noClass);
    const { classes } = card;
    const options = { label: texts.holdLabel, hint: texts.holdHint, action: texts.holdDo, isNeeded: true, classes };
    const answer = await askText(texts.holdTitle, options);
    if (!answer) return;
    const body = { card: card.id, class: answer.name, reason: answer.text };
    outbox.send("/api/hold", body, { isUserAction: true, card });
    page.announce(texts.did.hold(shownWord(card), answer.name));
  },
};

/** The actions that need no card. */
const pageActions = { undo, help: () => showHelp(keys), keys: async () => (await askKeys(keys)) && page.labelKeys() };

async function act(action) {
  if (pageActions[action]) return pageActions[action]();
  return deck.top ? actions[action](deck.top) : page.announce(texts.noCard);
}

function vote(card, answer, reason) {
  const forms = picked === null ? [] : [...picked];
  if (picked?.size === 0) return page.announce(texts.formsNone);
  // The id makes a repeat of a request whose reply was lost the same vote.
  const ballot = crypto.randomUUID();
  const body = { card: card.id, ballot, vote: answer, forms, reason, seconds: stopwatch.take(card.id) };
  outbox.send("/api/votes", body, { isUserAction: true, card });
  undoable.push({ ballot, card });
  const done = texts.did[answer](shownWord(card));
  showNextCard(card, forms.length ? texts.someForms(done, forms.length) : done);
}

/** Take the latest vote back: on this page at once, and on the server unless the vote was never sent. */
function undo() {
  const last = undoable.pop();
  if (!last) return page.announce(texts.nothingToUndo);
  const { ballot, card } = last;
  if (!outbox.withdraw(ballot)) outbox.send("/api/undo", { ballot }, { isUserAction: true, card });
  // Of a vote that was cast before the page was opened only the head is known; the reply brings its card.
  if (!card.id) return show(texts.did.undo(shownWord(card)));
  deck.putBack(card);
  picked = null;
  show(texts.did.undo(shownWord(card)), { isNew: true });
}

/** Remove a card that is done with, and show the next, which is in the deck already. */
function showNextCard(card, done) {
  deck.answer(card);
  picked = null;
  show(done, { isNew: true });
}

/** Draw the top card; announce what was done and, for a new card, its sentence. */
function show(done = "", { isNew = false } = {}) {
  const card = deck.top;
  stopwatch.show(card?.id ?? null);
  if (card) page.showCard(drawCard(card, picked, pick), isNew);
  else if (outbox.waiting.length) {
    page.showEmpty([h("p", {}, outbox.state === "offline" ? texts.waiting : texts.loading)]);
  } else page.showEmpty(drawEmpty());
  page.markAvailable(availableActions(card));
  page.announce(done, isNew && card ? [done && texts.next, sentence(card)].filter(Boolean).join(" ") : "");
}

function availableActions(card) {
  const onCard = Object.fromEntries(Object.keys(actions).map((action) => [action, card !== null]));
  return { ...onCard, forms: card?.forms.length > 1, hold: card?.classes.length > 0, undo: undoable.length > 0 };
}

function drawEmpty() {
  const open = progress.families - progress.decided;
  return [
    h("h1", { id: "head", tabindex: "-1" }, texts.empty),
    h("p", {}, open ? texts.emptyWhy(open) : texts.emptyAll(progress.families)),
    open > 0 && h("p", {}, texts.emptyThen, " ", button(texts.lookAgain, fetchCards)),
  ];
}

function pick(word, isPicked) {
  if (isPicked) picked.add(word);
  else picked.delete(word);
}

function fetchCards() {
  if (!outbox.holds("/api/cards")) outbox.send("/api/cards", {});
}

function sendHeartbeat() {
  if (document.hidden || !deck.top || outbox.holds("/api/heartbeat")) return;
  outbox.send("/api/heartbeat", { cards: deck.cards.slice(0, MAX_LEASED_CARDS).map(({ id }) => id) });
}

function onAnswer({ path, body: sent, card }, body) {
  const oldTop = deck.top;
  if (path === "/api/heartbeat") return dropLostCards(sent.cards, body.cards);
  if (path === "/api/undo" && body.cards[0]?.head === card.head) {
    if (card.id) {
      deck.renew(card, body.cards[0]);
      outbox.renew(card, body.cards[0]);
    } else deck.putBack(body.cards[0]);
  }
  if (body.given && !wasUndoListLoaded) {
    wasUndoListLoaded = true;
    const known = new Set(undoable.map(({ ballot }) => ballot));
    const earlier = body.given.filter(({ ballot }) => !known.has(ballot));
    undoable.unshift(...earlier.map(({ ballot, head }) => ({ ballot, card: { head } })));
    page.markAvailable(availableActions(deck.top));
  }
  deck.receive(body.cards);
  progress = body.progress;
  page.showProgress(progress);
  if (deck.top?.id !== oldTop?.id || !deck.top) show("", { isNew: deck.top?.head !== oldTop?.head });
}

/** Drop the cards whose leases were not renewed, since other curators have them by now, and fetch new ones. */
function dropLostCards(requested, held) {
  const oldTop = deck.top;
  const lost = deck.cards.filter(({ id }) => requested.includes(id) && !held.includes(id));
  lost.forEach((card) => deck.drop(card));
  if (deck.top === oldTop) return;
  picked = null;
  fetchCards();
  show(texts.passedOn, { isNew: true });
}

function onRefused({ path, body: sent, card }, { code, detail }) {
  if (path === "/api/undo") {
    page.warn(code === "too-late" ? texts.notUndone(shownWord(card)) : texts.notCounted(shownWord(card), detail));
    deck.drop(card);
  } else if (card) {
    page.warn(texts.notCounted(shownWord(card), detail));
    const index = undoable.findIndex(({ ballot }) => ballot === sent.ballot);
    if (index >= 0) undoable.splice(index, 1);
  }
  fetchCards();
  show("", { isNew: true });
}

function onState() {
  page.showSent(outbox.state, outbox.unsent);
  if (outbox.state === "signed-out" || outbox.state === "undeclared") askForSignIn();
}

/** Go on at once where the member has signed in again on another page; else ask until they have. */
async function askForSignIn() {
  if (isAsking) return;
  isAsking = true;
  const resume = () => outbox.resume();
  let isBack = !outbox.wasResumed && (await resume()) === "back";
  while (!isBack) {
    const isUndeclared = outbox.state === "undeclared";
    isBack = await askToSignIn({ member, unsent: outbox.unsent, isUndeclared, resume });
  }
  isAsking = false;
}

function remindToPause() {
  page.showPause(() => setTimeout(remindToPause, PAUSE_REMINDER_MS));
}

document.addEventListener("keydown", (event) => {
  const action = keys.find(event);
  const form = picked && keys.findForm(event);
  if (action === null && form === null) return;
  event.preventDefault();
  if (action) act(action);
  else page.toggleForm(form);
});
document.addEventListener("visibilitychange", sendHeartbeat);
setInterval(sendHeartbeat, HEARTBEAT_MS);
setInterval(() => !deck.top && !document.hidden && fetchCards(), REFRESH_MS);
setTimeout(remindToPause, PAUSE_REMINDER_MS);
fetchCards();
show();
