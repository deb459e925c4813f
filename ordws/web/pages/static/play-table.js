/**
 * A table while a game is on: the board, the rack, the moves, the clocks and the score sheet of one seat.
 *
 * What may be done comes from `standing.acts`. The tentative score is computed here, by the rules and the tiles alone;
 * whether a word is acceptable is known only after the move.
 */

import { unseenList } from "./keep-unseen.js";
import { createBoard } from "./board.js";
import { h } from "./dom.js";
import { keepAwake } from "./judge-feedback.js";
import { createActs, runShortcut } from "./play-acts.js";
import { createClocks } from "./play-clocks.js";
import { createConnection } from "./play-connection.js";
import { enableDragging } from "./play-drag.js";
import * as draft from "./play-draft.js";
import * as laying from "./play-laying.js";
import { isCalledOff, isPractice, rulesOfGame, whyCalledOff } from "./play-facts.js";
import { notifyTurn } from "./play-notices.js";
import { createPresence } from "./play-presence.js";
import { createRack } from "./play-rack.js";
import { createSeats } from "./play-seats.js";
import { createSheet, describeTurn, lastPlay, namesOf, newSquares, rejectedPlay } from "./play-sheet.js";
import { playSound, prepareSound } from "./play-sound.js";
import { judge, readBoard, squareName, stretchedSquares, writeTurn } from "./rules.js";
import { describeFault, describeScore } from "./alt-text.js";
import { t } from "./texts.js";

const ZOOMS = ["whole", "inner", "large"];
const PHONE = "(max-width: 40rem), (max-height: 30rem)";
const MOVED = ["play", "exchange", "pass", "propose"];
const LAYING = ["play", "propose"];
const DRAFT = "ordws.play.draft";
let isAwake = false;

/**
 * Show a table in an element until the signal ends it.
 *
 * @param {{standing: object, published: object, send: (action: object) => Promise<object>,
 *   refresh: () => Promise<void>, turns: () => Promise<object>, step: (at: number|null) => void,
 *   game: {callOff: () => Promise<object>}, signal: AbortSignal}} given `standing` as
 *   `GET /v1/games/{id}` has it; `published` the document `/app/rules.json`; `send` posts `{turn, move, swaps?, words?,
 *   word?}`, resolves to `{happened, standing}` and rejects with an error that has the `code` of a problem, or with one
 *   that has none where there is no connection; `refresh` fetches the standing and hands it to `update`; `turns`
 *   fetches all turns, and `step` shows them one by one; `game` calls itself off
 * @returns {{update(standing: object): void, connection(state: "live"|"polling"|"offline"|"replaced"): void,
 *   presence(presence: object|null): void}}
 */
export function showTable(root, { standing, published, send, refresh, turns, step, game, signal }) {
  const table = createTable({ standing, published, send, refresh, game, signal });
  table.slots = loadDraft(standing.game, draft.slotsOf(rackOf(standing)));
  table.parts = build(root, table);
  createViews(table, turns, step);
  listen(table);
  document.body.classList.add("at-play");
  signal.addEventListener("abort", () => {
    document.body.classList.remove("at-play");
    document.title = table.title;
  });
  if (!isAwake) keepAwake();
  isAwake = true;
  follow(table, standing);
  if (document.activeElement === document.body) table.board.focus();
  return {
    update: (next) => follow(table, next),
    connection: (state) => onConnection(table, state),
    presence: (presence) => table.presence.update(presence),
  };
}

function createTable({ standing, published, send, refresh, game, signal }) {
  const table = {
    title: document.title, published, rules: rulesOfGame(published, standing), send, refresh, game, signal,
    standing: { ...standing, turn: 0, last: null }, names: namesOf(standing), lies: liesOf(standing),
    slots: [], ruling: null, isBusy: false, unsent: null,
    // The place of the tile that was picked, and whether tiles that are tapped go to the cursor.
    picked: null, isArmed: false,
    boardNow: () => table.lies, placed: () => draft.placedOf(table.slots),
    swaps: () => {
      const names = draft.swapsOf(table.slots);
      return names.length ? { swaps: names.map((name) => `=${name}`) } : {};
    },
    cursorName: () => squareName(table.board.cursor()),
    draw: () => drawDraft(table), say: (text) => say(table, text), play: () => play(table),
    recall: () => laying.recall(table), shuffle: () => laying.setSlots(table, draft.shuffle(table.slots)),
    swapOn: (name) => laying.swapOn(table, name),
    zoomOn: () => zoomOn(table), commit: (action, turn) => commit(table, action, turn),
  };
  return table;
}

/** Return the tiles to lay: one's own, or in the unplayed tiles round those of the other player (docs/rules.md 9.5). */
function rackOf({ rack, seats, acts, you }) {
  return acts.includes("propose") ? seats[1 - you].rack : rack;
}

/** Keep the draft of a move for this window, so that neither a reload nor a second window costs the tiles laid. */
function saveDraft(game, slots) {
  sessionStorage.setItem(DRAFT, JSON.stringify({ game, slots }));
}

/** Return the slots that were kept for a game; otherwise the given ones. */
function loadDraft(game, slots) {
  const kept = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
  return kept?.game === game ? kept.slots : slots;
}

/** Return the board of a standing. */
function liesOf({ position }) {
  return readBoard(position.split(" ")[0]);
}

function build(root, table) {
  const parts = {
    seats: h("ul", { class: "seats tile-colours", "aria-label": t("keep.scores") }),
    trouble: h("div", { class: "trouble" }), told: h("div", { class: "told", role: "status" }),
    bag: h("p", { class: "bag" }),
    board: h("div", {}), rack: h("div", { class: "rack tile-colours" }),
    preview: h("p", { class: "preview", role: "status" }), side: h("div", { class: "beside" }),
    unseen: h("section", { class: "unseen-open" }), sheet: h("section", { class: "sheet-of-game" }, h("h2", {}, t("play-table.sheet"))),
  };
  const receipt = (label, key) => h("button", {
    type: "button", class: "inline", "aria-label": label, onclick: () => runShortcut(table, key),
  }, t("score.receipt"));
  const places = Math.max(table.rules.rack_size, table.slots.length);
  parts.lastReceipt = receipt(t("play-table.receipt-last"), "4");
  parts.ownReceipt = receipt(t("play-table.receipt-own"), "5");
  parts.whole = h("div", { class: "play-table" },
    h("h1", { class: "unseen", tabindex: "-1" }, t("play-table.title", { names: table.names.join(", ") })),
    h("div", { class: "top" },
      h("div", { class: "seats-and-bag" }, parts.seats, parts.bag),
      h("div", { class: "line" }, parts.told, parts.lastReceipt, parts.trouble)),
    h("div", { class: "middle" },
      parts.board, parts.rack, h("div", { class: "line" }, parts.preview, parts.ownReceipt)),
    parts.side);
  parts.whole.style.setProperty("--places", places);
  root.replaceChildren(parts.whole);
  return parts;
}

function createViews(table, turns, step) {
  const { parts, rules, standing, signal } = table;
  table.board = createBoard(parts.board, {
    layout: rules.layout, values: rules.values, hasKeys: false,
    take: (letter, placed) => laying.takeLetter(table, letter, placed), onTap: (square) => laying.onTap(table, square),
    onChange: ({ placed }) => laying.onLaid(table, placed), onEnter: () => play(table),
  });
  table.rack = createRack(parts.rack, {
    values: rules.values, size: Math.max(rules.rack_size, table.slots.length),
    onPick: (place) => laying.onPick(table, place),
    onMove: (from, to) => laying.setSlots(table, draft.move(table.slots, from, to)),
  });
  table.seats = createSeats(parts.seats, standing.seats.length);
  table.clocks = createClocks({
    draw: table.seats.clock, flag: () => table.refresh(), low: (seat) => onLowClock(table, seat),
  }, signal);
  table.presence = createPresence(standing.seats.length, table.seats.presence, signal);
  table.sheet = createSheet(parts.sheet, { premium: rules.premium, load: turns, onLoad: () => drawDraft(table), step });
  table.connection = createConnection(parts.trouble);
  table.acts = createActs(table);
  parts.preview.parentElement.after(table.acts.question, table.acts.main);
  parts.side.append(table.acts.more, ...(isPractice(standing) ? [h("p", { class: "hint practice" }, t("play.practice-words"))] : []),
    parts.unseen, parts.sheet);
  const isWide = rules.layout.wings > 0;
  table.zooms = isWide ? ZOOMS : ZOOMS.filter((size) => size !== "inner");
  setZoom(table, isWide && matchMedia(PHONE).matches ? "inner" : "whole");
}

function listen(table) {
  const { parts, board, rack, signal } = table, middle = parts.board.parentElement;
  prepareSound(document.body, signal);
  middle.addEventListener("keydown", (event) => onKey(table, event), { signal });
  middle.addEventListener("keydown", (event) => {
    // A first Escape takes the tiles off, and only the next one undoes what else was prepared.
    if (event.key === "Escape" && !table.placed().length) laying.reset(table);
  }, { signal, capture: true });
  // Where nothing has the focus, a key still finds the board.
  document.addEventListener("keydown", (event) => {
    const isForBoard = document.activeElement === document.body && /^([a-z]|Arrow.*)$/i.test(event.key);
    if (isForBoard && !event.ctrlKey && !event.metaKey && !event.altKey) board.focus();
  }, { signal, capture: true });
  enableDragging(middle, {
    board, rack, grab: (event) => laying.grab(table, event), drop: (held, target) => laying.drop(table, held, target),
  }, signal);
}

// Keys and sizes.

function onKey(table, event) {
  const { key, target } = event, { board } = table;
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (runShortcut(table, key)) event.preventDefault();
  else if (target.closest(".rack") && (/^[a-z]$/i.test(key) || key === "Backspace")) {
    event.preventDefault();
    board.focus();
    if (key === "Backspace") board.takeBack();
    else board.type(event.shiftKey ? key.toLowerCase() : key.toUpperCase());
  } else if (key.startsWith("Arrow") && target.closest("[role=grid]")) table.isArmed = true;
}

function setZoom(table, size) {
  table.zoom = size;
  table.board.zoom(size);
}

function zoomOn(table) {
  setZoom(table, table.zooms[(table.zooms.indexOf(table.zoom) + 1) % table.zooms.length]);
  say(table, t(`play-table.zoom-${table.zoom}`));
}

// Moves.

async function play(table) {
  const { play: laid } = table.board.laid();
  if (!table.ruling?.legal || !LAYING.some((act) => table.standing.acts.includes(act))) return;
  await commit(table, { move: writeTurn({ move: { play: laid } }), ...table.swaps() });
}

/** Send a move of a turn, and follow what became of it; the tiles stay laid until the game has them. */
async function commit(table, action, turn = table.standing.turn) {
  if (table.isBusy) return;
  Object.assign(table, { isBusy: true, unsent: null });
  table.connection.settle();
  drawDraft(table);
  try {
    const { happened, standing } = await table.send({ turn, ...action });
    table.isBusy = false;
    if (happened.outcome !== "unacceptable" && happened.words.length && happened.receipt) laying.recall(table);
    follow(table, standing);
  } catch (problem) {
    table.isBusy = false;
    await onProblem(table, problem, { turn, ...action });
  }
  if (!table.signal.aborted) drawDraft(table);
}

async function onProblem(table, problem, { turn, ...action }) {
  if (table.signal.aborted) return;
  if (!problem.code) {
    if (problem.name !== "Unreachable") throw problem;
    table.unsent = () => commit(table, action, turn);
    table.connection.unsent(() => table.unsent?.());
    return;
  }
  table.connection.problem(problem);
  playSound("off");
  await table.refresh().catch(() => {});
}

function onConnection(table, state) {
  const { mover } = table.standing;
  table.connection.state(state, mover !== null && table.standing.clock?.kind !== "none");
  if (state === "live" || state === "polling") table.unsent?.();
}

// The game goes on.

/** Show another standing; one that is older than what is shown came late. */
function follow(table, standing) {
  const before = table.standing;
  if (standing.turn < before.turn || table.signal.aborted) return;
  const lies = liesOf(standing), isFirst = before.turn === 0;
  const slots = draft.update(table.slots, rackOf(standing), lies);
  Object.assign(table, {
    standing, lies, names: namesOf(standing),
    slots: standing.acts.includes("swap") ? slots : draft.undoSwaps(slots, lies),
  });
  if (table.picked !== null && table.slots[table.picked]?.laid !== null) table.picked = null;
  if (standing.turn !== before.turn && standing.mover !== standing.you) table.connection.settle();
  const isOwn = !standing.acts.includes("propose"), stuck = table.names[1 - standing.you];
  table.parts.rack.setAttribute("aria-label", t(isOwn ? "play-table.rack" : "play-table.rack-stuck", { name: stuck }));
  table.parts.whole.dataset.turn = standing.turn;
  table.seats.update(standing, table.rules.values);
  table.parts.bag.replaceChildren(h("b", {}, String(standing.bag)), h("span", {}, t("play-table.in-bag")));
  // Where there is room, the tiles not seen are always open.
  table.parts.unseen.replaceChildren(h("h2", {}, t("keep.unseen")), unseenList(table.rules, standing.unseen));
  table.clocks.update(standing);
  table.sheet.update(standing);
  drawDraft(table);
  announce(table, before, isFirst);
}

/** Say what happened and whose turn it is, once for each turn. */
function announce(table, before, isFirst) {
  const { standing, names } = table, { last, mover, you } = standing, turns = table.sheet.turns();
  const isMine = (mover === you || standing.acts.includes("propose")) && standing.acts.some((act) => MOVED.includes(act));
  document.title = isMine ? t("play-table.title-turn", { title: table.title }) : table.title;
  if (!isFirst && last?.turn === before.last?.turn && mover === before.mover) return;
  const what = last ? [" ", toldLine(...describeTurn(last, names, turns.at(-2) ?? null))] : [];
  table.parts.told.replaceChildren(toldLine(...describeMover(standing, names)), ...what);
  if (isFirst) return;
  playSound(soundOf(standing, isMine));
  // Where the browser refuses, the title and the sound have said it.
  if (isMine) notifyTurn(names.join(", "), standing.game).catch(() => {});
}

function soundOf({ last, you }, isMine) {
  if (last?.outcome === "rejected" && last.seat === you) return "off";
  return isMine ? "turn" : "moved";
}

/** Return whose turn it is, as a name, which may be none, and what is said of it. */
function describeMover(standing, names) {
  const { mover, you, acts, phase, unplayed_round: round } = standing;
  if (isCalledOff(standing)) return ["", t("play.is-called-off")];
  if (acts.includes("propose")) return [names[1 - you], t("play-table.your-proposal")];
  if (phase === "may-propose") return [names[round.seats[0]], t("play-table.their-proposal")];
  if (mover === null) return ["", ""];
  return mover === you ? ["", t("play-table.your-turn")] : [names[mover], t("play-table.their-turn")];
}

/** Return a line that begins with a name, which is shortened where there is no room for both. */
function toldLine(name, text) {
  return h("p", { class: "told-line" }, h("span", {}, name), h("span", {}, text));
}

function say(table, text) {
  table.parts.preview.textContent = text;
}

function onLowClock(table, seat) {
  if (seat !== table.standing.you) return;
  say(table, t("play-table.low-clock"));
  playSound("low");
}

// Drawing.

function drawDraft(table) {
  const { board, rack, slots, parts, rules } = table, last = lastPlay(table.sheet.turns());
  const lies = draft.boardAfterSwaps(slots, table.lies), placed = table.placed();
  board.show({ board: lies, placed, swapped: draft.swapsOf(slots), last: newSquares(last ?? {}), stretched: [] });
  const { play: laid } = board.laid();
  table.ruling = laid ? judge(rules, lies, laid) : null;
  const stretched = table.ruling?.legal ? stretchedSquares(table.ruling.receipt) : [];
  if (stretched.length) board.show({ stretched });
  board.grid.classList.toggle("unarmed", !table.isArmed && !placed.length);
  rack.show(slots, table.picked);
  const preview = describeDraft(table, placed);
  if (parts.preview.textContent !== preview) say(table, preview);
  parts.ownReceipt.hidden = !table.ruling?.legal;
  parts.lastReceipt.hidden = last === null;
  table.acts.update();
  saveDraft(table.standing.game, slots);
}

function describeDraft({ standing, ruling, names, isBusy, sheet }, placed) {
  const { mover, you, phase, acts } = standing;
  if (isBusy) return t("play-table.sending");
  if (isCalledOff(standing)) return whyCalledOff(standing);
  if (ruling?.legal) return describeScore(ruling);
  if (ruling) return describeFault(ruling);
  if (placed.length) return t("score.one-line");
  const rejected = acts.includes("check-ospd") && rejectedPlay(sheet.turns());
  const cameOff = isPractice(standing) ? "came-off-practice" : "came-off";
  if (rejected) return t(`play-table.${cameOff}`, { words: rejected.words.join(", ") });
  if (acts.includes("propose")) return t("play-table.hint-propose");
  if (mover === null) return "";
  if (mover !== you) return t("play-table.hint-wait", { name: names[mover] });
  return phase === "may-replay" ? t("keep.play-again") : t("play-table.hint");
}
