// One game at a table station: every event is signed and kept before it is shown, and nothing is taken back.

import { every } from "./views.js";
import { applyEvent, findProposers, isJudgedAtOnce, isOver, isRefusal, summaryOf } from "./game.js";
import { createTable, drawPanel, drawTable, keepFocus, unseenButton } from "./game-table.js";
import { showRunningClocks, isTimed } from "./keep-clock.js";
import { challengePanel, checkPanel } from "./keep-challenges.js";
import { showNotes } from "./keep-director.js";
import { askToEnd, countingPanel, resultPanel } from "./keep-ending.js";
import { settleOverdraw } from "./keep-overdraw.js";
import { showScoreSheet } from "./keep-score-sheet.js";
import { lockGame } from "./keep-store.js";
import { describeEvent, describeRefusal } from "./keep-event-text.js";
import { turnPanel } from "./keep-turn.js";
import { loadStored, openBook } from "./station-book.js";
import { placeOf } from "./station-bound.js";
import { openStationDirector } from "./station-director.js";
import { awaitedEntry, eventsOf, hasKind, lateEntries, turnOf } from "./station-events.js";
import { isReady, keepLateVerdicts, keepVerdict, sendGame } from "./station-judge.js";
import { showStationList } from "./station-list.js";
import { roundPanel } from "./station-round.js";
import { attestations, oathPanel } from "./station-promises.js";
import { keepAwake } from "./judge-feedback.js";
import { getDevice } from "./api.js";
import { button, h } from "./dom.js";
import { writeTurn } from "./rules.js";
import { t } from "./texts.js";

const CATCH_UP_MS = 5_000;

const PANELS = {
  "to-move": movePanel, "may-replay": movePanel, "may-check": checkPanel, "may-be-challenged": inQuestionPanel,
  counting: countingPanel, over: closingPanel,
};

/** Show the game with that id, until another view is shown. */
export async function showStationGame(app, id) {
  const { signal } = app.shown;
  // Until another window gives the lock up, it may add events to the game.
  const hasLock = await lockGame(id, signal), stored = await loadStored(id);
  if (signal.aborted) return;
  if (!hasLock || !stored) {
    await showStationList(app, stored ? t("keep.open-elsewhere") : t("keep.no-such-game"));
    return;
  }
  document.body.classList.add("at-table");
  const table = createView(app, openBook(app.published, stored), signal);
  table.draw();
  keepAwake();
  if (isTimed(table)) showRunningClocks(table);
  await settleAwaited(table);
  catchUpWhileShown(table);
  table.device = await getDevice();
  // No other panel depends on the pairing, and a player may be pressing a button of it.
  if (table.state.phase.name === "may-check" && !signal.aborted) drawPanel(table);
}

function createView(app, book, signal) {
  const title = book.stored.bound ? placeOf(book.stored.bound) : t("station.title");
  const table = createTable(app, book.game, { signal, title, panels: PANELS, more });
  Object.assign(table, {
    book, checksTiles: true, states: book.states, draw: () => draw(table),
    append: (event, text) => append(table, event, text), commit: (event) => commit(table, event),
    makePlay: (play) => makePlay(table, play),
    propose: (given) => propose(table, given),
    makeChallenge: (given) => {
      const event = { kind: "challenge", ...given };
      return ask(table, event, { ...event, upheld: false });
    },
  });
  table.parts.notices = h("div", { class: "notices", role: "status" });
  const place = book.stored.bound ? h("p", { class: "faint" }, placeOf(book.stored.bound)) : "";
  table.parts.board.before(place, table.parts.notices);
  return table;
}

function draw(table) {
  drawTable(table);
  const lines = [...noticesOf(table)].map((text) => h("p", { class: "notice warning" }, text));
  table.parts.notices.replaceChildren(...lines);
}

/** Return what the players have to know about verdicts that did not come in time. */
function noticesOf({ book, game, states, state }) {
  const late = lateEntries(book.chain), waiting = late.filter(({ verdict }) => !verdict).length;
  const turn = (play) => turnOf({ game, states }, play);
  const isBad = ({ play, verdict }) => verdict?.valid === false && state.turns[turn(play)]?.fate === "made";
  return [
    waiting > 0 && t("station.waiting", { n: waiting }),
    ...late.filter(isBad).map(({ play }) =>
      t("station.late-no", { name: game.players[play.player], move: play.move, turn: turn(play) + 1 })),
    late.some(({ verdict }) => verdict && verdict.valid === null) && t("station.refused"),
  ].filter(Boolean);
}

// Events.

/** Sign and keep an event that changes nothing in the game itself, or that was found to fit; then show it. */
async function append(table, event, text) {
  if (table.isBusy) return false;
  const isKept = await table.busy(() => table.book.append(event).then(() => true, () => false));
  table.announce(isKept ? text ?? describeLast(table.book) : t("keep.not-stored"));
  if (isKept) show(table);
  return isKept;
}

/** Show what the book holds now. */
function show(table) {
  const { game, states } = table.book;
  Object.assign(table, { game, states });
  table.draw();
  keepFocus(table);
}

function describeLast({ game, states }) {
  const at = game.events.findLastIndex(({ kind }) => kind !== "clock");
  return at < 0 ? "" : describeEvent(game, game.events[at], states[at], states[at + 1]);
}

/** Add an event of the game; say why it cannot happen where it cannot. */
async function commit(table, event) {
  const [made] = eventsOf(table.rules, [{ ...event, at: Date.now() }]), next = applyEvent(table.state, made);
  if (!isRefusal(next)) return append(table, event);
  table.announce(describeRefusal(next));
  return false;
}

async function makePlay(table, play) {
  const { player } = table.state.phase, event = { kind: "play", player, move: writeTurn({ move: { play } }) };
  if (isJudgedAtOnce(table.rules)) return ask(table, event, { kind: "play", player, play });
  return commit(table, event);
}

/** Keep what is asked first, which stops the clock, then ask; the game goes on where no verdict comes. */
async function ask(table, event, made) {
  const next = applyEvent(table.state, { ...made, at: Date.now() });
  if (isRefusal(next)) {
    table.announce(describeRefusal(next));
    return;
  }
  if (await append(table, event, t("station.asking"))) await settleAwaited(table);
}

/** Keep a proposal of the unplayed tiles round, and ask for its verdict where there is a play. */
async function propose(table, given) {
  if (await append(table, { kind: "propose", ...given }, t("station.round-kept"))) await settleAwaited(table);
}

/** Ask for the verdict that the game waits for, as it may after a reload; without one the game goes on. */
async function settleAwaited(table) {
  const entry = awaitedEntry(table.rules, table.book.chain);
  if (!entry) return;
  const valid = await table.busy(() => keepVerdict(table.book, entry));
  if (entry.kind === "propose") {
    const isOpen = findProposers(table.book.states.at(-1)).length > 0;
    const isSpent = valid === null && !awaitedEntry(table.rules, table.book.chain);
    table.announce(isSpent ? t("station.round-spent") : isOpen ? t("station.round-kept") : "");
    show(table);
    return;
  }
  const isOff = valid === false && table.rules.challenge === "void";
  table.announce(valid === null ? t("station.unreached") : isOff ? t("keep.void") : describeLast(table.book));
  show(table);
}

/** Ask for late verdicts, and send the finished game, for as long as the game is shown. */
function catchUpWhileShown(table) {
  const act = () => catchUp(table), { signal } = table;
  window.addEventListener("online", act, { signal });
  every(CATCH_UP_MS, act, signal);
  act();
}

async function catchUp(table) {
  const { book } = table, { stored } = book, isLate = lateEntries(book.chain).some(({ verdict }) => !verdict);
  if (table.isCatchingUp || table.isBusy || !(isLate || isReady(book))) return;
  table.isCatchingUp = true;
  try {
    const [bad] = isLate ? await keepLateVerdicts(book) : [];
    if (isReady(book)) await sendGame(book);
    if (bad) table.announce(t("station.told-late-no", { name: table.game.players[bad.player], move: bad.move }));
  } finally {
    table.isCatchingUp = false;
  }
  if (book.stored !== stored && !table.signal.aborted) show(table);
}

// Panels.

function movePanel(table) {
  const { book } = table;
  if (!hasKind(book.chain, "start")) return oathPanel(table);
  return awaitedEntry(table.rules, book.chain) ? awaitPanel() : turnPanel(table);
}

function inQuestionPanel(table) {
  return awaitedEntry(table.rules, table.book.chain)?.kind === "challenge" ? awaitPanel() : challengePanel(table);
}

function awaitPanel() {
  return [h("p", { class: "would-be" }, t("station.asking"))];
}

function closingPanel(table) {
  const asked = awaitedEntry(table.rules, table.book.chain);
  if (asked || findProposers(table.state).length) {
    return table.isBusy && asked ? awaitPanel() : roundPanel(table, { asked, askAgain: () => settleAwaited(table) });
  }
  return [...resultPanel(table), ...attestations(table), sendingLine(table)];
}

/** Return the line that says where the record is. */
function sendingLine({ book }) {
  const { sent } = book.stored;
  const text = sent ? t(`station.${sent.outcome}`) : isReady(book) ? t("station.not-sent") : t("station.not-closed");
  return h("p", { class: "hint" }, text);
}

/** Return what the notes say of a device that cannot ask the service which edition it serves. */
function thisDevice() {
  return { edition: t("station.current-edition") };
}

function more(table) {
  const { state, book } = table, isOn = hasKind(book.chain, "start") && !isOver(state);
  const isSettled = !awaitedEntry(table.rules, book.chain);
  return [
    button(t("keep.sheet"), () => showScoreSheet(table)),
    unseenButton(table),
    isOn && isSettled && state.bag > 0 && button(t("keep.overdraw"), () => settleOverdraw(table)),
    isSettled && !book.stored.sent && hasKind(book.chain, "start")
      && button(t("keep.director"), () => openStationDirector(table)),
    isOn && isSettled && summaryOf(state).mayEnd && button(t("keep.end"), () => askToEnd(table)),
    button(t("keep.notes"), () => showNotes({ ...table, device: table.device ?? thisDevice() })),
  ].filter(Boolean);
}
