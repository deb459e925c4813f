// One game of *Keep a game*: its events can be undone, and its clock stopped.

import { button } from "./dom.js";
import {
  addEvent, applyEvent, currentState, isJudgedAtOnce, isOver, isRefusal, redo, statesOf, summaryOf, undo,
} from "./game.js";
import { createTable, drawPanel, drawTable, keepFocus, unseenButton } from "./game-table.js";
import { absentSince, isTimed, startClock } from "./keep-clock.js";
import { challengePanel, checkPanel, judgeChallenge } from "./keep-challenges.js";
import { confirm } from "./keep-dialogs.js";
import { openDirectorMenu, showNotes } from "./keep-director.js";
import { askToEnd, countingPanel, overPanel } from "./keep-ending.js";
import { showList } from "./keep-list.js";
import { settleOverdraw } from "./keep-overdraw.js";
import { showScoreSheet } from "./keep-score-sheet.js";
import { lastSeen, loadGame, lockGame, saveGame } from "./keep-store.js";
import { describeRefusal, describeEvent } from "./keep-event-text.js";
import { judgeAndPlay, turnPanel } from "./keep-turn.js";
import { getVerdict } from "./keep-verdict.js";
import { keepAwake } from "./judge-feedback.js";
import { getDevice } from "./api.js";
import { t } from "./texts.js";

const PANELS = {
  "to-move": turnPanel, "may-replay": turnPanel, "may-check": checkPanel, "may-be-challenged": challengePanel,
  counting: countingPanel, over: overPanel,
};

/** Show the game with that id, until another view is shown. */
export async function showGame(app, id) {
  const { signal } = app.shown;
  // Until another window gives the lock up, it may add events to the game.
  const hasLock = await lockGame(id, signal), game = await loadGame(id);
  const isReadable = game && currentState(app.published, game) !== null;
  const seen = isReadable && await lastSeen(game);
  if (signal.aborted) return;
  if (!hasLock || !isReadable) {
    const elsewhere = isReadable ? t("keep.open-elsewhere") : t("keep.unreadable");
    await showList(app, game ? elsewhere : t("keep.no-such-game"));
    return;
  }
  document.body.classList.add("at-table");
  const table = createTable(app, game, { signal, title: t("base.keep"), panels: PANELS, more });
  Object.assign(table, {
    commit: (event) => commit(table, event), makePlay: (play, ruling) => judgeAndPlay(table, play, ruling),
    makeChallenge: (given) => judgeChallenge(table, given),
  });
  table.absentSince = absentSince(table, seen);
  drawTable(table);
  keepAwake();
  table.pairing = findDevice(table);
  await startClock(table);
}

/** Find the pairing of this device. A panel that does not depend on it stays: a player may be pressing its button. */
async function findDevice(table) {
  table.device = await getDevice();
  const isShown = ["may-check", "over"].includes(table.state.phase.name) && !table.signal.aborted;
  if (isShown) drawPanel(table);
}

/** Add an event, which happened now or `at` another time: keep it first, then show it. Return whether it could happen. */
async function commit(table, event) {
  const stamped = { at: Date.now(), ...event }, next = applyEvent(table.state, stamped);
  if (isRefusal(next)) {
    table.announce(describeRefusal(next));
    return false;
  }
  return saveAndDraw(table, addEvent(table.game, stamped), describeEvent(table.game, stamped, table.state, next));
}

/** Keep the game as it is now and show it; where it cannot be kept, nothing changes. */
async function saveAndDraw(table, game, text) {
  if (table.isBusy) return false;
  const isKept = await table.busy(() => saveGame(game).then(() => true, () => false));
  if (isKept) Object.assign(table, { game, states: statesOf(table.rules, game) });
  table.announce(isKept ? text : t("keep.not-stored"));
  if (isKept) drawTable(table);
  keepFocus(table);
  return isKept;
}

async function undoLast(table) {
  const at = table.game.events.findLastIndex(({ kind }) => kind !== "clock");
  const what = describeEvent(table.game, table.game.events[at], table.states[at], table.states[at + 1]);
  if (await confirm(t("keep.undo-title"), what, t("keep.undo"))) {
    await saveAndDraw(table, undo(table.game), t("keep.undone"));
  }
}

/** Return the place of the play that was made last and may still be doubted, where players look words up only then. */
function doubtedAt({ game, state, rules }) {
  const at = game.events.findLastIndex(({ kind }) => kind !== "clock"), last = game.events[at];
  const isPlay = last?.kind === "play" && last.accepted !== false && state.phase.name !== "over";
  return game.onDoubt && isJudgedAtOnce(rules) && isPlay ? at : -1;
}

/** Look the words of the last play up; one that is not acceptable becomes what it were if it had been judged at once. */
async function doubtLast(table) {
  const { game, state, rules } = table, at = doubtedAt(table), { words } = table.states[at + 1].turns.at(-1).ruling;
  const accepted = await table.busy(() => getVerdict(table, words));
  if (accepted === null || table.state !== state) return;
  if (accepted) {
    table.announce(t("keep.doubt-good", { words: words.join(", ") }));
    return;
  }
  const { events } = game, rejected = { ...events[at], accepted: false };
  const isVoid = rules.challenge === "void";
  const left = isVoid ? events.toSpliced(at, 1) : events.with(at, rejected);
  const told = isVoid ? t("keep.void") : describeEvent(game, rejected, table.states[at], applyEvent(table.states[at], rejected));
  await saveAndDraw(table, { ...table.game, events: left, undone: [] }, told);
}

async function redoLast(table) {
  const again = redo(table.game);
  if (isRefusal(applyEvent(table.state, again.events.at(-1)))) table.announce(t("keep.not-now"));
  else await saveAndDraw(table, again, t("keep.redone"));
}

function more(table) {
  const { state, game } = table;
  return [
    doubtedAt(table) >= 0 && button(t("keep.doubt"), () => doubtLast(table)),
    game.events.some(({ kind }) => kind !== "clock") && button(t("keep.undo"), () => undoLast(table)),
    game.undone.length > 0 && button(t("keep.redo"), () => redoLast(table)),
    isTimed(table) && !isOver(state) && !state.clock.runs
      && button(t("keep.start-clock"), () => table.commit({ kind: "clock", runs: true })),
    button(t("keep.sheet"), () => showScoreSheet(table)),
    game.counts !== false && unseenButton(table),
    !isOver(state) && state.bag > 0 && button(t("keep.overdraw"), () => settleOverdraw(table)),
    button(t("keep.director"), () => openDirectorMenu(table)),
    summaryOf(state).mayEnd && button(t("keep.end"), () => askToEnd(table)),
    button(t("keep.notes"), () => showNotes(table)),
  ].filter(Boolean);
}
