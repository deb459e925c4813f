// A game on the screen of the device at its table: the scores, the board, and the panel of what can be done now.
// Everything shown follows from the events. The pages *Keep a game* and *Table station* say which panels and actions.

import { showUnseen } from "./keep-unseen.js";
import { createBoard } from "./board.js";
import { isOver, onClock, playerToMove, scoresOf, statesOf, summaryOf } from "./game.js";
import { showClocks } from "./keep-clock.js";
import { lastPlay } from "./keep-event-text.js";
import { rackField } from "./keep-turn.js";
import { button, h, unseen } from "./dom.js";
import { titleOf } from "./option-text.js";
import { rulesOf, stretchedSquares } from "./rules.js";
import { t } from "./texts.js";

/**
 * Build the view of a game in the root of the page; `drawTable` draws it.
 *
 * The page adds `commit` to keep an event, and `makePlay` and `makeChallenge` for those that are judged.
 *
 * @param {{signal: AbortSignal, title: string, panels: Object<string, (table: object) => Node[]>,
 *   more: (table: object) => Node[]}} given `panels` by the phase of the game; `more` are the buttons below them
 */
export function createTable(app, game, given) {
  const rules = rulesOf(app.published, game.rules, game.options);
  const table = {
    app, game, rules, ...given, states: statesOf(rules, game), device: null, pairing: null, absentSince: null,
    isBusy: false, drawn: "",
    get state() { return table.states.at(-1); },
    draw: () => drawTable(table), announce: (text) => announce(table, text), busy: (act) => busy(table, act),
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

/** Move the focus, if its element is gone, to where the next player continues. */
export function keepFocus({ state, board, parts }) {
  if (document.activeElement !== document.body) return;
  if (playerToMove(state) !== null) board.focus();
  else parts.panel.querySelector("button, input")?.focus();
}

/** Return whether tiles may be laid: a player is to move, or proposes a play after the end. */
function mayLay({ state, proposer }) {
  return playerToMove(state) !== null || Boolean(proposer);
}

/** Draw the panel after a letter was laid; where nobody may, take the letter off again. */
function onLaid(table) {
  if (mayLay(table)) drawPanel(table);
  else if (table.board.laid().placed.length) table.board.clear();
}

function build(table) {
  const { app, game } = table, part = (tag, attributes) => h(tag, attributes);
  const parts = {
    scores: part("ul", { class: "scores", "aria-label": t("keep.scores") }),
    turn: part("p", { class: "whose" }), clock: part("p", { class: "clock-told", role: "status" }),
    status: part("p", { class: "told", role: "status" }), board: part("div", {}),
    panel: part("div", { class: "panel" }), more: part("div", { class: "more" }),
  };
  const title = h("h1", { tabindex: "-1" }, unseen(`${table.title}: `), game.players.join(", "));
  app.root.replaceChildren(
    title, h("div", { class: "seen" }, parts.scores, parts.turn, parts.clock, parts.status),
    parts.board,
    h("p", { class: "way" }, h("a", { href: "#" }, t("keep.all-games")),
      h("span", { class: "faint" }, titleOf(app.published, game.rules))),
  );
  return parts;
}

/** Draw everything that follows from the events. */
export function drawTable(table) {
  const { state, board, parts, rules } = table;
  parts.scores.replaceChildren(...seats(table));
  parts.turn.textContent = describeTurn(table);
  const { placed } = board.laid(), isSame = table.drawn === positionKey(state);
  board.show({ layout: rules.layout, board: state.board, placed: isSame ? placed : [], ...marksOf(state) });
  table.drawn = positionKey(state);
  parts.board.classList.toggle("still", !mayLay(table));
  if (table.game.racks) table.rack.input.value = "";
  drawPanel(table);
  parts.more.replaceChildren(...table.more(table));
  showClocks(table);
}

/** Return a text that changes whenever the tiles that a player has laid must be taken off. */
function positionKey(state) {
  // A swap changes nothing about the tiles of the play.
  return [playerToMove(state), state.turns.length, ...state.board].join().toUpperCase();
}

/** Draw the panel of what can be done now. */
export function drawPanel(table) {
  const { state, parts, board } = table;
  const hadRack = table.rack?.input === document.activeElement;
  if (playerToMove(state) !== null && !board.laid().placed.length) board.show(marksOf(state));
  parts.panel.replaceChildren(...table.panels[state.phase.name](table));
  if (hadRack) table.rack.input.focus();
}

/** Return the button that shows the tiles which are not on the board. */
export function unseenButton({ rules, state }) {
  return button(t("keep.unseen"), () => showUnseen(rules, summaryOf(state).unseen, t("keep.unseen-all")));
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
