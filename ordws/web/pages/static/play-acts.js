// What a seat can do besides laying tiles. Which acts there are comes from the standing alone; the buttons keep their
// places and are only switched on and off, so that nothing moves below a finger.

import { showUnseen } from "./keep-unseen.js";
import { confirm, isDialogOpen } from "./keep-dialogs.js";
import { showTwoLetterList } from "./judge-two-letter-list.js";
import { swappable, swapsOf } from "./play-draft.js";
import {
  askChallenge, askExchange, askSwap, callOff, explainOspd, showKeys, showReceipt, showTurn,
} from "./play-dialogs.js";
import { stateNow, switchNotices } from "./play-notices.js";
import { lastPlay } from "./play-sheet.js";
import { isQuiet, setQuiet } from "./play-sound.js";
import { titleOf } from "./option-text.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";
import { describeScore } from "./alt-text.js";

/** The keys that act from the board and the rack, which letters lay tiles on. */
const SHORTCUTS = {
  2: (table) => showTwoLetterList({ ...table.rules, title: titleOf(table.published, table.rules.id) }),
  3: (table) => showUnseen(table.rules, table.standing.unseen, t("play-table.unseen-all")),
  4: (table) => showLast(table),
  5: (table) => showOwn(table),
  0: (table) => table.shuffle(),
  "-": (table) => exchange(table),
  "=": (table) => swapByKey(table),
  "+": (table) => table.zoomOn(),
  "?": () => showHelp(),
};

/** Do what a key asks for; returns whether it is a key of the table. */
export function runShortcut(table, key) {
  const act = Object.hasOwn(SHORTCUTS, key) && SHORTCUTS[key];
  if (act) act(table);
  return Boolean(act);
}

/**
 * Build the buttons of a table.
 *
 * @returns {{main: HTMLElement, more: HTMLElement, question: HTMLElement, update(): void}} the buttons of every move,
 *   those for a look and for the rare acts, and the question about a play that came off; `update` shows what can be done
 */
export function createActs(table) {
  const acts = {
    table,
    play: button(t("play-table.play"), () => table.play(), "main"),
    back: button(t("play-table.shuffle"), () => (table.placed().length ? table.recall() : table.shuffle())),
    exchange: button(t("play-table.exchange"), () => exchange(table)),
    pass: button(t("play-table.pass"), () => pass(table)),
    swap: button(t("play-table.swap"), () => swapByList(table)),
    challenge: button(t("play-table.challenge"), () => challenge(table)),
    resign: button(t("play-table.resign"), () => resign(table)),
    off: button(t("play.call-off"), () => isDialogOpen() || callOff(table.game)),
    sound: button(t("play-table.sound"), () => switchSound(acts.sound)),
    notices: button(t("play-table.notices"), async () => {
      await switchNotices();
      acts.notices.setAttribute("aria-pressed", String(stateNow() === "on"));
    }),
    question: h("div", { class: "question" }), asked: "",
  };
  acts.sound.setAttribute("aria-pressed", String(!isQuiet()));
  acts.notices.setAttribute("aria-pressed", String(stateNow() === "on"));
  const look = (label, key) => button(label, () => SHORTCUTS[key](table));
  const zoom = look(t("play-table.zoom"), "+"), hasChallenges = !["none", "void"].includes(table.rules.challenge);
  zoom.classList.add("zoom");
  const main = h("div", { class: "acts" }, acts.play, acts.back, hasChallenges ? acts.challenge : null, zoom);
  const more = h("div", { class: "more" },
    acts.exchange, acts.pass, table.rules.swap ? acts.swap : null, look(t("play-table.twos"), 2),
    look(t("keep.unseen"), 3), acts.sound, acts.notices, look(t("play-table.keys"), "?"),
    h("div", { class: "leave" }, acts.off, acts.resign));
  return { main, more, question: acts.question, update: () => update(acts) };
}

function update(acts) {
  const { table } = acts, { standing, ruling, isBusy, slots } = table;
  const may = (act) => standing.acts.includes(act) && !isBusy;
  const enable = (each, isOn) => each.setAttribute("aria-disabled", String(!isOn));
  const proposes = standing.acts.includes("propose");
  enable(acts.play, (may("play") || may("propose")) && ruling?.legal);
  if (proposes) acts.play.textContent = t("play-table.propose");
  else acts.play.textContent = ruling?.legal
    ? t("play-table.play-for", { points: ruling.score }) : t("play-table.play");
  acts.back.textContent = table.placed().length ? t("play-table.recall") : t("play-table.shuffle");
  enable(acts.exchange, may("exchange"));
  enable(acts.pass, may("pass") && !standing.acts.includes("check-ospd"));
  acts.pass.textContent = t(`play-table.${passOf(standing)}`);
  enable(acts.swap, may("swap") && swappable(slots, table.boardNow()).length + swapsOf(slots).length > 0);
  enable(acts.challenge, may("challenge"));
  enable(acts.resign, may("resign"));
  acts.off.hidden = !standing.may_call_off;
  const asked = JSON.stringify([standing.turn, standing.acts, isBusy, table.sheet.turns().length]);
  // The question is built anew only with the game, so that a button under a finger or with the focus stays.
  if (asked !== acts.asked) drawQuestion(acts, may);
  acts.asked = asked;
}

/** Return the name of a pass: it may mean only that the last play stands, which ends the game, or no proposal. */
function passOf({ phase, acts }) {
  if (acts.includes("propose")) return "propose-nothing";
  return phase === "may-be-challenged" && acts.includes("pass") && !acts.includes("play") ? "stand" : "pass";
}

function drawQuestion({ table, question }, may) {
  const hadFocus = question.contains(document.activeElement);
  question.replaceChildren(...(may("check-ospd") ? checkButtons(table) : []));
  if (hadFocus) (question.querySelector("button") ?? table.board).focus();
}

/** Return the answers after a play was taken off: check the OSPD at a price, or go on (docs/rules.md 6.4, 6.5). */
function checkButtons(table) {
  const { check_price: points, check_words: words } = table.standing;
  const check = words.length
    ? words.map(({ word, price }) => button(t("play-table.check-word", { word, points: price }),
      () => table.commit({ move: "check-ospd", word })))
    : [button(t("play-table.check", { points }), () => table.commit({ move: "check-ospd" }))];
  return [
    ...check, button(t("play-table.no-check"), () => table.commit({ move: "-" })),
    button(t("base.ospd-what"), () => explainOspd(table)),
  ];
}

/** Ask, and send the answer as a move of the turn in which the question was asked. */
async function askAndSend(table, act, ask, moveOf) {
  const { turn, acts } = table.standing;
  if (!acts.includes(act) || table.isBusy || isDialogOpen()) return;
  const answer = await ask();
  if (answer !== null && answer !== false) await table.commit(moveOf(answer), turn);
}

function challenge(table) {
  const play = lastPlay(table.sheet.turns());
  return askAndSend(table, "challenge", () => (play ? askChallenge(play.words, table.rules.challenge) : null),
    (doubted) => ({ move: "challenge", ...(doubted.length ? { words: doubted } : {}) }));
}

function exchange(table) {
  const { standing, slots, rules } = table, rack = slots.map(({ tile }) => tile).join("");
  return askAndSend(table, "exchange", () => askExchange({ rack, bag: standing.bag, values: rules.values }),
    (tiles) => ({ move: `-${tiles}`, ...table.swaps() }));
}

function pass(table) {
  const name = passOf(table.standing), title = t(`play-table.${name}`);
  // A swap is made with a move; the pass that lets a play stand takes none.
  return askAndSend(table, "pass", () => confirm(title, t(`play-table.${name}-text`), title),
    () => ({ move: "-", ...(name === "pass" ? table.swaps() : {}) }));
}

function resign(table) {
  return askAndSend(table, "resign",
    () => confirm(t("play-table.resign-title"), t("play-table.resign-text"), t("play-table.resign")),
    () => ({ move: "resign" }));
}

/** Swap the blank under the cursor, or else ask which. */
function swapByKey(table) {
  const name = table.cursorName();
  if (!table.swapOn(name)) swapByList(table);
}

async function swapByList(table) {
  if (!table.standing.acts.includes("swap") || isDialogOpen()) return;
  const names = swappable(table.slots, table.boardNow()), done = swapsOf(table.slots);
  const name = names.length + done.length ? await askSwap(names, done) : null;
  if (name) table.swapOn(name);
}

/** Show the receipt of the last play; then keys go on laying tiles, and do not open it again. */
async function showLast(table) {
  const last = lastPlay(table.sheet.turns());
  if (!last || isDialogOpen()) return;
  await showTurn(last, table.names, table.rules.premium);
  table.board.focus();
}

async function showOwn({ ruling, rules, board }) {
  if (!ruling?.legal || isDialogOpen()) return;
  await showReceipt(describeScore(ruling), ruling.receipt, rules.premium);
  board.focus();
}

function switchSound(each) {
  setQuiet(!isQuiet());
  each.setAttribute("aria-pressed", String(!isQuiet()));
}

function showHelp() {
  if (isDialogOpen()) return;
  const names = [
    "arrows", "letter", "blank", "space", "enter", "backspace", "escape", "2", "3", "4", "5", "0", "minus", "equals",
    "plus", "rack",
  ];
  showKeys(names.map((name) => [t(`play-table.key-${name}`), t(`play-table.does-${name}`)]));
}
