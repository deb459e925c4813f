/** The page *Score a play*: the play is judged on this device, and nothing of it is sent. */

import { createBoard } from "./board.js";
import { compare, resize } from "./compare.js";
import { byId, h, saveFile } from "./dom.js";
import { drawPosition, toPng } from "./svg.js";
import { comparisonTable, legendOf, receiptTable } from "./receipt-tables.js";
import {
  apply, at, blanksOn, disallowedOf, emptyBoard, judgeTurn, laidSquares, put, readBoard, rulesOf, squareName, squareOf,
  stretchedSquares, swapAll, unlistedTwosOf, writeBoard, writeTurn,
} from "./rules.js";
import { t } from "./texts.js";
import { titleOf } from "./option-text.js";
import { describeFault, describeScore, pointsOf } from "./alt-text.js";

const PUBLISHED = await (await fetch("/app/rules.json")).json();
const state = { rules: rulesOf(PUBLISHED, PUBLISHED.default), given: {}, swaps: [] };
const view = createBoard(byId("board"), {
  ...state.rules, laying: "board", onChange: update, onEnter: () => byId("result").focus(),
});

// Rules and options.

/** Return the options whose values differ from the rule set of that name. */
function chosenOptions(id) {
  const own = PUBLISHED.rules[id], side = Number(byId("side").value);
  const set = { small_word_cap: byId("cap").checked, premium: byId("premium").value };
  const others = Object.entries(set).filter(([name, value]) => own[name] !== value);
  return { ...Object.fromEntries(others), ...(side === own.layout.side ? {} : { board: side }) };
}

/** Use other rules, if the tiles fit on their board. */
function choose(id, options) {
  const rules = rulesOf(PUBLISHED, id, options), { board, placed } = view.laid();
  const { side } = rules.layout, by = (side - board.length) / 2, resized = resize(board, side);
  const moved = placed.map(({ letter, square }) => ({ letter, square: square.map((along) => along + by) }));
  const isRoom = resized && moved.every(({ square }) => square.every((along) => 0 <= along && along < side));
  if (isRoom) {
    Object.assign(state, { rules, given: options });
    view.show({ layout: rules.layout, values: rules.values, board: resized, placed: moved });
  }
  showChoice();
  if (isRoom) update();
  else announce(t("score.in-wings", { side }));
}

function showChoice() {
  const { id, layout, premium, small_word_cap: cap } = state.rules;
  Object.assign(byId("rules"), { value: id });
  byId("result").textContent = t("score.receipt-by", { rules: titleOf(PUBLISHED, id) });
  Object.assign(byId("premium"), { value: premium });
  const { wings } = PUBLISHED.options.find(({ kind }) => kind === "board"), inner = layout.inner.length;
  const sizes = [inner, inner + 2 * wings].map((side) => h("option", { value: String(side) }, t("board.size", { side })));
  byId("side").replaceChildren(...sizes);
  Object.assign(byId("side"), { value: String(layout.side) });
  byId("cap").checked = cap;
}

// The score of the play.

function update() {
  const { board, placed, play } = view.laid();
  state.swaps = state.swaps.filter((name) => /[a-z]/.test(at(board, squareOf(name))));
  const isComplete = play && rack() !== undefined;
  const ruling = isComplete ? judgeTurn(state.rules, board, rack(), { swaps: squares(), play }) : null;
  const receipt = ruling?.receipt;
  view.show({ stretched: receipt ? stretchedSquares(receipt) : [], last: [] });
  showSwaps(board);
  announce(sentence(placed, play, ruling));
  byId("begin").hidden = placed.length > 0;
  byId("notes").textContent = ruling?.legal ? notes(ruling.words).join(" ") : "";
  byId("receipt").replaceChildren(...(receipt ? explained(receipt) : []));
  byId("comparison").replaceChildren(...(ruling ? [compared(board, play)] : []));
  byId("lay").disabled = !ruling?.legal;
  return ruling;
}

function announce(words) {
  byId("told").textContent = words;
}

function sentence(placed, play, ruling) {
  if (!placed.length) return t("score.begin");
  if (!play) return t("score.one-line");
  if (!ruling) return t("score.bad-rack");
  if (!ruling.legal) return describeFault(ruling);
  return describeScore(ruling);
}

/** Return what the published lists say of the words; of all other words the page knows nothing. */
function notes(words) {
  const disallowed = disallowedOf(state.rules, words);
  const unlisted = unlistedTwosOf(state.rules, words).filter((word) => !disallowed.includes(word));
  return [
    ...(unlisted.length ? [t("score.unlisted", { words: unlisted.join(", ") })] : []),
    ...(disallowed.length ? [t("score.disallowed", { words: disallowed.join(", ") })] : []),
  ];
}

function explained(receipt) {
  const caption = writeTurn(turn());
  return [receiptTable(receipt, state.rules.premium, caption), h("p", { class: "hint" }, legendOf(receipt))];
}

function compared(board, play) {
  const rulings = compare(PUBLISHED, state.given, board, rack(), { swaps: squares(), play });
  const premiums = Object.keys(rulings).map((id) => [id, rulesOf(PUBLISHED, id, state.given).premium]);
  const titles = Object.fromEntries(Object.keys(rulings).map((id) => [id, titleOf(PUBLISHED, id)]));
  return comparisonTable(rulings, Object.fromEntries(premiums), titles, writeTurn(turn()));
}

function turn() {
  return { swaps: squares(), move: { play: view.laid().play } };
}

/** Return the rack in capitals, null where none is given, undefined where the text is no rack. */
function rack() {
  const tiles = byId("rack").value.replace(/\s/g, "").toUpperCase();
  if (!tiles) return null;
  return /^[A-Z?]+$/.test(tiles) ? tiles : undefined;
}

// Swaps for the blank.

function squares() {
  return state.swaps.map(squareOf);
}

function showSwaps(board) {
  const lines = state.rules.swap ? blanksOn(board).map((square) => swapLine(board, square)) : [];
  if (!state.rules.swap) state.swaps = [];
  byId("swaps").hidden = !lines.length;
  byId("swaps").replaceChildren(byId("swaps").querySelector("legend"), ...lines);
}

function swapLine(board, square) {
  const name = squareName(square), letter = at(board, square).toUpperCase();
  const box = h("input", { type: "checkbox", value: name, checked: state.swaps.includes(name) });
  return h("label", {}, box, ` ${t("score.swap", { square: name, letter })}`);
}

// Pictures and links.

function draw() {
  const { board, play } = view.laid(), ruling = update();
  if (!ruling?.legal) return drawPosition(state.rules, board, { title: t("score.position") });
  const last = laidSquares(ruling.receipt);
  const title = t("score.picture", { move: writeTurn(turn()), points: pointsOf(ruling.score) });
  const after = apply(swapAll(state.rules, board, null, squares()).board, play);
  return drawPosition(state.rules, after, { title, last, stretched: stretchedSquares(ruling.receipt) });
}

function save(content, name, type) {
  saveFile(new File([content], name, { type }));
}

function showLink() {
  const { board } = view.laid();
  byId("url").value = `${location.origin}${location.pathname}#${writeBoard(board)}`;
  byId("linked").hidden = false;
  byId("url").focus();
  byId("url").select();
}

/** Show the position of the link with which the page was opened. */
function restore() {
  const text = location.hash.slice(1), board = readBoard(text), ids = [state.rules.id, ...Object.keys(PUBLISHED.rules)];
  if (!text) return;
  const id = ids.find((each) => PUBLISHED.rules[each].layout.side === board?.length);
  if (!id) return void announce(t("score.bad-link"));
  Object.assign(state, { rules: rulesOf(PUBLISHED, id), given: {}, swaps: [] });
  view.show({ ...state.rules, board, laying: "play" });
  byId("score").elements.laying.value = "play";
  showChoice();
  update();
}

// Actions of the player.

function layDown() {
  const { board, play } = view.laid();
  view.show({ board: apply(swapAll(state.rules, board, null, squares()).board, play) });
  state.swaps = [];
  update();
}

/** Show a play that stretches a word, in the middle of the board. */
function showExample() {
  const { layout } = state.rules, [row, column] = layout.start;
  const tiles = (letters, from) => [...letters].map((letter, i) => ({ square: [row, from + i], letter }));
  const board = put(emptyBoard(layout.side), tiles("FISH", column));
  view.show({ board, placed: tiles("ERY", column + 4), laying: "play" });
  byId("score").elements.laying.value = "play";
  update();
}

function empty() {
  view.show({ board: emptyBoard(state.rules.layout.side) });
  update();
}

function listen() {
  const on = (id, kind, act) => byId(id).addEventListener(kind, act);
  on("rules", "change", () => choose(byId("rules").value, {}));
  const chooseOptions = () => choose(state.rules.id, chosenOptions(state.rules.id));
  for (const id of ["cap", "premium", "side"]) on(id, "change", chooseOptions);
  on("rack", "input", update);
  on("swaps", "change", ({ target: { value, checked } }) => {
    state.swaps = [...state.swaps.filter((name) => name !== value), ...(checked ? [value] : [])];
    update();
  });
  on("score", "change", ({ target }) => target.name === "laying" && view.show({ laying: target.value }));
  on("score", "submit", (event) => event.preventDefault());
  on("lay", "click", layDown);
  on("off", "click", view.clear);
  on("empty", "click", empty);
  on("example", "click", showExample);
  on("svg", "click", () => save(draw(), "position.svg", "image/svg+xml"));
  on("png", "click", async () => save(await toPng(draw()), "position.png", "image/png"));
  on("link", "click", showLink);
  window.addEventListener("hashchange", restore);
}

listen();
showChoice();
update();
restore();
