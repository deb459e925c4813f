// The curator's page: what lies on top, what a key or a button does to it, and what is said of it.

import { askDoubt, askText, askToSignIn, showHelp } from "./dialogs.js";
import { drawCard, sentence } from "./card.js";
import { Deck } from "./deck.js";
import { h } from "./dom.js";
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
const watch = new Stopwatch();
const page = new Page(root, keys, act);
const outbox = new Outbox({
  member, csrf: document.querySelector("meta[name=csrf]").content, onAnswer, onRefused, onState,
});

/** The votes that may be taken back, the newest last: those given on this page, and before them the server's latest. */
const given = [];
let wasUndoListLoaded = false;
let picked = null;
let progress = null;
let isAsking = false;

const actions = {
  in: (card) => vote(card, "in", card.note ?? ""),
  out: (card) => vote(card, "out", card.note ?? ""),
  async doubt(card) {
    const reason = await askDoubt(card.head, reasons, keys.isOn);
    if (reason) vote(card, "doubt", [reason, card.note].filter(Boolean).join(": "));
  },
  skip(card) {
    outbox.send("/api/skip", { card: card.id }, { isDeed: true, card });
    showNextCard(card, texts.did.skip(card.head));
  },
  async recuse(card) {
    const asked = { label: texts.recuseLabel, hint: texts.recuseHint, action: texts.recuseDo };
    const said = await askText(texts.recuseTitle(card.head), asked);
    if (!said) return;
    outbox.send("/api/recuse", { card: card.id, reason: said.text }, { isDeed: true, card });
    showNextCard(card, texts.did.recuse(card.head));
  },
  async note(card) {
    const said = await askText(texts.noteTitle(card.head), { label: texts.noteLabel, value: card.note });
    if (!said) return;
    card.note = said.text;
    show(texts.noteKept);
  },
  forms(card) {
    if (card.forms.length < 2) return page.say(texts.formsOne);
    picked = picked === null ? new Set() : null;
    show(picked === null ? texts.formsShut : texts.formsOpen);
    if (picked !== null) page.focusForms();
  },
  async hold(card) {
    if (!card.classes.length) return page.say(texts.noClass);
    const asked = { label: texts.holdLabel, hint: texts.holdHint, action: texts.holdDo, isNeeded: true, classes: card.classes };
    const said = await askText(texts.holdTitle, asked);
    if (!said) return;
    outbox.send("/api/hold", { card: card.id, class: said.name, reason: said.text }, { isDeed: true, card });
    page.say(texts.did.hold(card.head, said.name));
  },
};

const always = { undo, help: () => showHelp(keys), keys: async () => (await askKeys(keys)) && page.labelKeys() };

async function act(action) {
  if (always[action]) return always[action]();
  return deck.top ? actions[action](deck.top) : page.say(texts.noCard);
}

function vote(card, answer, reason) {
  const forms = picked === null ? [] : [...picked];
  if (picked?.size === 0) return page.say(texts.formsNone);
  const ballot = crypto.randomUUID();
  const body = { card: card.id, ballot, vote: answer, forms, reason, seconds: watch.take(card.id) };
  outbox.send("/api/votes", body, { isDeed: true, card });
  given.push({ ballot, card });
  const did = texts.did[answer](card.head);
  showNextCard(card, forms.length ? texts.someForms(did, forms.length) : did);
}

/** Take the vote before back: at once here, and by the server unless it never heard of it. */
function undo() {
  const last = given.pop();
  if (!last) return page.say(texts.nothingToUndo);
  if (!last.card.id) {
    outbox.send("/api/undo", { ballot: last.ballot }, { isDeed: true, card: last.card });
    return show(texts.did.undo(last.card.head));
  }
  if (!outbox.withdraw(last.ballot)) outbox.send("/api/undo", { ballot: last.ballot }, { isDeed: true, card: last.card });
  deck.putBack(last.card);
  picked = null;
  show(texts.did.undo(last.card.head), { isNew: true });
}

/** The card is done with: the next one lies on top already. */
function showNextCard(card, did) {
  deck.answer(card);
  picked = null;
  show(did, { isNew: true });
}

/** Draw what is on top, and say what was done and, of a new card, its sentence. */
function show(did = "", { isNew = false } = {}) {
  const card = deck.top;
  watch.show(card?.id ?? null);
  if (card) page.showCard(drawCard(card, picked, pick), isNew);
  else if (outbox.waiting.length) page.showEmpty([h("p", {}, outbox.state === "offline" ? texts.waiting : texts.loading)]);
  else page.showEmpty(drawEmpty());
  page.offer(availableActions(card));
  page.say(did, isNew && card ? [did && texts.next, sentence(card)].filter(Boolean).join(" ") : "");
}

function availableActions(card) {
  const onCard = Object.fromEntries(Object.keys(actions).map((action) => [action, card !== null]));
  return { ...onCard, forms: card?.forms.length > 1, hold: card?.classes.length > 0, undo: given.length > 0 };
}

function drawEmpty() {
  const open = progress.families - progress.decided;
  return [
    h("h1", { id: "head", tabindex: "-1" }, texts.empty),
    h("p", {}, open ? texts.emptyWhy(open) : texts.emptyAll(progress.families)),
    open > 0 && h("p", {}, texts.emptyThen, " ", h("button", { type: "button", onclick: fetchCards }, texts.lookAgain)),
  ];
}

function pick(word, isPicked) {
  isPicked ? picked.add(word) : picked.delete(word);
}

function fetchCards() {
  if (!outbox.holds("/api/cards")) outbox.send("/api/cards", {});
}

function sendHeartbeat() {
  if (document.hidden || !deck.top || outbox.holds("/api/heartbeat")) return;
  outbox.send("/api/heartbeat", { cards: deck.cards.slice(0, MAX_LEASED_CARDS).map(({ id }) => id) });
}

function onAnswer({ path, body: sent, card }, body) {
  const before = deck.top;
  if (path === "/api/heartbeat") return dropLostCards(sent.cards, body.cards);
  if (path === "/api/undo" && body.cards[0]?.head === card.head) {
    if (card.id) {
      deck.renew(card, body.cards[0]);
      outbox.renew(card, body.cards[0]);
    } else deck.putBack(body.cards[0]);
  }
  if (body.given && !wasUndoListLoaded) {
    wasUndoListLoaded = true;
    const known = new Set(given.map(({ ballot }) => ballot));
    given.unshift(...body.given.filter(({ ballot }) => !known.has(ballot)).map(({ ballot, head }) => ({ ballot, card: { head } })));
    page.offer(availableActions(deck.top));
  }
  deck.receive(body.cards);
  progress = body.progress;
  page.showProgress(progress);
  if (deck.top?.id !== before?.id || !deck.top) show("", { isNew: deck.top?.head !== before?.head });
}

/** A card whose lease is over is somebody else's by now: it goes, and another comes. */
function dropLostCards(asked, held) {
  const top = deck.top;
  const lost = deck.cards.filter(({ id }) => asked.includes(id) && !held.includes(id));
  lost.forEach((card) => deck.drop(card));
  if (deck.top === top) return;
  picked = null;
  fetchCards();
  show(texts.passedOn, { isNew: true });
}

function onRefused({ path, body: sent, card }, { code, detail }) {
  if (path === "/api/undo") {
    page.warn(code === "decided" ? texts.notUndone(card.head) : texts.notCounted(card.head, detail));
    deck.drop(card);
  } else if (card) {
    page.warn(texts.notCounted(card.head, detail));
    const at = given.findIndex(({ ballot }) => ballot === sent.ballot);
    if (at >= 0) given.splice(at, 1);
  }
  fetchCards();
  show("", { isNew: true });
}

function onState() {
  page.showSent(outbox.state, outbox.unsent);
  if (outbox.state === "signed-out" || outbox.state === "undeclared") askForSignIn();
}

/** Whoever signed in again elsewhere goes on at once; else the page asks, and keeps what waits. */
async function askForSignIn() {
  if (isAsking) return;
  isAsking = true;
  const resume = () => outbox.resume();
  const isBack = !outbox.wasResumed && (await resume()) === "back";
  while (!isBack && !(await askToSignIn({ member, unsent: outbox.unsent, isUndeclared: outbox.state === "undeclared", resume })));
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
  action ? act(action) : page.tick(form);
});
document.addEventListener("visibilitychange", sendHeartbeat);
setInterval(sendHeartbeat, HEARTBEAT_MS);
setInterval(() => !deck.top && !document.hidden && fetchCards(), REFRESH_MS);
setTimeout(remindToPause, PAUSE_REMINDER_MS);
fetchCards();
show();
