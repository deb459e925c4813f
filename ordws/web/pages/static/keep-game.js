// One game on the screen: the scores, the board, and the possible actions. Everything shown follows from its events.

import { createBoard } from "./board.js";
import {
  addEvent, applyEvent, currentState, isOver, isRefusal, onClock, playerToMove, redo, scoresOf, statesOf, summaryOf,
  undo,
} from "./game.js";
import { isTimed, showClocks, startClock } from "./keep-clock.js";
import { challengePanel, checkPanel } from "./keep-challenges.js";
import { button, confirm } from "./keep-dialogs.js";
import { openDirectorMenu, showNotes } from "./keep-director.js";
import { askToEnd, countingPanel, overPanel } from "./keep-ending.js";
import { showList } from "./keep-list.js";
import { settleOverdraw } from "./keep-overdraw.js";
import { showScoreSheet } from "./keep-score-sheet.js";
import { loadGame, lockGame, saveGame } from "./keep-store.js";
import { lastPlay, describeRefusal, describeEvent } from "./keep-event-text.js";
import { showUnseen } from "./keep-unseen.js";
import { rackField, turnPanel } from "./keep-turn.js";
import { h, visuallyHidden } from "./dom.js";
import { keepAwake } from "./judge-feedback.js";
import { getDevice } from "./api.js";
import { titleOf } from "./option-text.js";
import { rulesOf, stretchedSquares } from "./rules.js";
import { t } from "./texts.js";

const PANELS = {
  "to-move": turnPanel, "may-replay": turnPanel, "may-check": checkPanel, "may-be-challenged": challengePanel,
  counting: countingPanel, over: overPanel,
};

/** Show the game with that id, until another view is shown. */
export async function showGame(app, id) {
  const { signal } = app.shown;
  const game = await loadGame(id), isReadable = game && currentState(app.published, game) !== null;
  const hasLock = isReadable && await lockGame(id, signal);
  if (signal.aborted) return;
  if (!hasLock) {
    const elsewhere = isReadable ? t("keep.open-elsewhere") : t("keep.unreadable");
    await showList(app, game ? elsewhere : t("keep.no-such-game"));
    return;
  }
  document.body.classList.add("at-table");
  const table = createGameView(app, game, signal);
  draw(table);
  keepAwake();
  await startClock(table);
  table.device = await getDevice();
  if (!signal.aborted) drawPanel(table);
}

function createGameView(app, game, signal) {
  const rules = rulesOf(app.published, game.rules, game.options);
  const table = {
    app, game, rules, signal, states: statesOf(rules, game), device: null, isBusy: false, drawn: "",
    get state() { return table.states.at(-1); },
    commit: (event) => commit(table, event), draw: () => draw(table), announce: (text) => announce(table, text),
    busy: (act) => busy(table, act),
  };
  table.parts = build(table);
  table.rack = rackField(() => drawPanel(table));
  table.board = createBoard(table.parts.board, {
    layout: rules.layout, values: rules.values, onChange: () => onLaid(table),
    onEnter: () => table.parts.panel.querySelector("button.main")?.focus(),
  });
  const keys = table.parts.board.querySelector(".keys");
  keys.before(table.parts.panel);
  keys.after(table.parts.more);
  return table;
}

/** Add an event: keep it first, then show it. Return whether it could happen. */
async function commit(table, event) {
  const stamped = { ...event, at: Date.now() }, next = applyEvent(table.state, stamped);
  if (isRefusal(next)) {
    announce(table, describeRefusal(next));
    return false;
  }
  return saveAndDraw(table, addEvent(table.game, stamped), describeEvent(table.game, stamped, table.state, next));
}

/** Keep the game as it is now and show it; where it cannot be kept, nothing changes. */
async function saveAndDraw(table, game, text) {
  if (table.isBusy) return false;
  const isKept = await busy(table, () => saveGame(game).then(() => true, () => false));
  if (isKept) Object.assign(table, { game, states: statesOf(table.rules, game) });
  announce(table, isKept ? text : t("keep.not-stored"));
  if (isKept) draw(table);
  if (document.activeElement === document.body) focusNext(table);
  return isKept;
}

/** Call a function during which nothing else can be done in this game. */
async function busy(table, act) {
  table.isBusy = true;
  table.parts.panel.inert = true;
  try {
    return await act();
  } finally {
    table.isBusy = false;
    table.parts.panel.inert = false;
  }
}

function announce(table, text) {
  table.parts.status.textContent = text;
}

/** Move the focus, whose element is gone, to where the next player continues. */
function focusNext({ state, board, parts }) {
  if (playerToMove(state) !== null) board.focus();
  else parts.panel.querySelector("button, input").focus();
}

async function undoLast(table) {
  const at = table.game.events.findLastIndex(({ kind }) => kind !== "clock");
  const what = describeEvent(table.game, table.game.events[at], table.states[at], table.states[at + 1]);
  if (await confirm(t("keep.undo-title"), what, t("keep.undo"))) {
    await saveAndDraw(table, undo(table.game), t("keep.undone"));
  }
}

async function redoLast(table) {
  const again = redo(table.game);
  if (isRefusal(applyEvent(table.state, again.events.at(-1)))) announce(table, t("keep.not-now"));
  else await saveAndDraw(table, again, t("keep.redone"));
}

/** Draw the panel after a letter was laid; where nobody is to move, take the letter off again. */
function onLaid(table) {
  if (playerToMove(table.state) !== null) drawPanel(table);
  else if (table.board.laid().placed.length) table.board.clear();
}

// Drawing.

function build(table) {
  const { app, game } = table, part = (tag, attributes) => h(tag, attributes);
  const parts = {
    scores: part("ul", { class: "scores", "aria-label": t("keep.scores") }),
    turn: part("p", { class: "whose" }), clock: part("p", { class: "clock-told", role: "status" }),
    status: part("p", { class: "told", role: "status" }), board: part("div", {}),
    panel: part("div", { class: "panel" }), more: part("div", { class: "more" }),
  };
  const title = h("h1", { tabindex: "-1" }, visuallyHidden(`${t("base.keep")}: `), game.players.join(", "));
  app.root.replaceChildren(
    title, h("div", { class: "seen" }, parts.scores, parts.turn, parts.clock, parts.status),
    parts.board,
    h("p", { class: "way" }, h("a", { href: "#" }, t("keep.all-games")),
      h("span", { class: "faint" }, titleOf(app.published, game.rules))),
  );
  return parts;
}

function draw(table) {
  const { state, board, parts, rules } = table;
  parts.scores.replaceChildren(...seats(table));
  parts.turn.textContent = describeTurn(table);
  const { placed } = board.laid(), isSame = table.drawn === positionKey(state);
  board.show({ layout: rules.layout, board: state.board, placed: isSame ? placed : [], ...marksOf(state) });
  table.drawn = positionKey(state);
  parts.board.classList.toggle("still", playerToMove(state) === null);
  if (table.game.racks) table.rack.input.value = "";
  drawPanel(table);
  parts.more.replaceChildren(...more(table));
  showClocks(table);
}

/** Return a text that changes whenever the tiles that a player has laid must be taken off. */
function positionKey(state) {
  // A swap changes nothing about the tiles of the play.
  return [playerToMove(state), state.turns.length, ...state.board].join().toUpperCase();
}

function drawPanel(table) {
  const { state, parts, board } = table;
  const hadRack = table.rack?.input === document.activeElement;
  if (playerToMove(state) !== null && !board.laid().placed.length) board.show(marksOf(state));
  parts.panel.replaceChildren(...PANELS[state.phase.name](table));
  if (hadRack) table.rack.input.focus();
}

/** Return the marks of the last play on the board, to be outlined, and of the tiles it stretched, to be underlined. */
function marksOf(state) {
  const { squares, receipt } = lastPlay(state);
  return { last: squares, stretched: receipt ? stretchedSquares(receipt) : [] };
}

function seats({ state, game }) {
  const scores = scoresOf(state), moving = isOver(state) ? null : onClock(state);
  return game.players.map((name, player) => h("li", {
    class: [player === moving && "moving", state.seats[player].left && "gone"].filter(Boolean).join(" "),
    "aria-current": player === moving ? "true" : null,
  }, h("span", { class: "name" }, name), h("b", {}, String(scores[player])), h("span", { class: "clock" })));
}

/** Return whose turn it is, and what is left in the bag. */
function describeTurn({ state, game }) {
  const { turn, bag, idle, phase } = summaryOf(state);
  if (phase === "over") return t("keep.is-over");
  if (phase === "counting") return t("keep.is-counted");
  const name = game.players[state.phase.player];
  const whoseTurn = phase === "may-check" || phase === "may-be-challenged"
    ? t("keep.in-question", { name })
    : t("keep.whose-turn", { name, n: turn });
  const left = bag === 1 ? t("keep.bag-one") : bag ? t("keep.bag", { n: bag }) : t("keep.bag-empty");
  const isOpen = !bag && state.rules.expose_final_rack && game.players.length === 2;
  const mayEnd = state.rules.end === "scoreless" || bag < state.rules.exchange_min;
  const parts = [whoseTurn, left, mayEnd && idle > 1 && t("keep.idle", { n: idle }), isOpen && t("keep.exposed")];
  return parts.filter(Boolean).join(" \u00b7 ");
}

function more(table) {
  const { state, game } = table;
  return [
    game.events.some(({ kind }) => kind !== "clock") && button(t("keep.undo"), () => undoLast(table)),
    game.undone.length > 0 && button(t("keep.redo"), () => redoLast(table)),
    isTimed(table) && !isOver(state) && !state.clock.runs
      && button(t("keep.start-clock"), () => table.commit({ kind: "clock", runs: true })),
    button(t("keep.sheet"), () => showScoreSheet(table)),
    game.counts !== false && button(t("keep.unseen"), () => showUnseen(table)),
    !isOver(state) && state.bag > 0 && button(t("keep.overdraw"), () => settleOverdraw(table)),
    button(t("keep.director"), () => openDirectorMenu(table)),
    summaryOf(state).mayEnd && button(t("keep.end"), () => askToEnd(table)),
    button(t("keep.notes"), () => showNotes(table)),
  ].filter(Boolean);
}
