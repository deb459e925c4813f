// The panel of the player to move: the score that the placed play would have, and the other moves.

import { askOrCancel, confirm, field, select, selectCount, textField } from "./keep-dialogs.js";
import { isJudgedAtOnce, refused } from "./game.js";
import { describeRefusal } from "./keep-event-text.js";
import { getVerdict, verdictByLists } from "./keep-verdict.js";
import { button, h, scrollable } from "./dom.js";
import { legendOf, receiptTable } from "./receipt-tables.js";
import {
  at, blanksOn, disallowedOf, judge, squareName, stretchedSquares, tilesOf, unlistedTwosOf, unseen, writeTurn,
} from "./rules.js";
import { t } from "./texts.js";
import { describeScore, pointsOf } from "./alt-text.js";

/** Return a field for the rack, where the players write racks down. */
export function rackField(onChange) {
  const input = textField({ maxlength: 12 });
  input.addEventListener("input", onChange);
  return { input, line: field(t("keep.rack"), input, t("keep.rack-hint")) };
}

/** Return the panel below the board while a player is to move. */
export function turnPanel(table) {
  const { placed, play } = table.board.laid(), { state } = table;
  const rack = table.game.racks ? [table.rack.line] : [];
  if (!placed.length) return [...rack, hint(state), h("p", { class: "actions" }, otherMoves(table))];
  if (!play) return [...rack, h("p", { class: "fault" }, t("score.one-line")), takeOff(table)];
  const ruling = judge(table.rules, state.board, play, rackOf(table));
  table.board.show({ stretched: ruling.legal ? stretchedSquares(ruling.receipt) : [], last: [] });
  const tiles = ruling.receipt?.bonus.tiles ?? 0, most = state.seats[state.phase.player].tiles;
  const tooMany = tiles > most ? refused("too-many-tiles", { tiles, most }) : null;
  const fault = ruling.legal ? tooMany ?? findTileFault(table, play) : ruling;
  if (fault) return [...rack, h("p", { class: "fault" }, describeRefusal(fault)), takeOff(table)];
  const put = button(t("keep.play", { points: pointsOf(ruling.score) }), () => putDown(table, play, ruling), "main");
  const off = button(t("keep.take-off"), () => table.board.clear());
  const actions = h("p", { class: "actions" }, put, off, swapButton(table));
  return [...rack, playPreview(table, play, ruling), ...listNotes(table.rules, ruling.words), actions];
}

/** Return the refusal of a play with more tiles of a letter than the set has left, where a page counts them; or null. */
function findTileFault({ checksTiles, rules, state }, play) {
  const left = unseen(rules, state.board), tiles = checksTiles ? tilesOf(state.board, play) : "";
  const missing = [...tiles].find((tile) => [...tiles].filter((other) => other === tile).length > (left[tile] ?? 0));
  return missing ? refused("no-such-tile", { tile: missing, n: left[missing] ?? 0 }) : null;
}

function hint({ phase }) {
  return h("p", { class: "hint" }, phase.name === "may-replay" ? t("keep.play-again") : t("keep.lay"));
}

function takeOff(table) {
  return h("p", { class: "actions" }, button(t("keep.take-off"), () => table.board.clear()), swapButton(table));
}

function rackOf(table) {
  const tiles = table.game.racks ? table.rack.input.value.toUpperCase().replace(/[^A-Z?]/g, "") : "";
  return tiles || null;
}

/** Return the receipt of the placed play. No word of it is judged before it is put down (docs/rules.md 6.1). */
function playPreview(table, play, ruling) {
  const move = writeTurn({ move: { play } });
  const receipt = scrollable(t("score.receipt"),
    receiptTable(ruling.receipt, table.rules.premium, move), h("p", { class: "hint" }, legendOf(ruling.receipt)));
  return h("div", { class: "would-be" }, h("p", { role: "status" }, describeScore(ruling)),
    h("details", {}, h("summary", {}, t("score.receipt")), receipt));
}

/** Return what the published lists say, which every player may look at (docs/rules.md 6.6, 6.7). */
function listNotes(rules, words) {
  const disallowed = disallowedOf(rules, words);
  const unlisted = unlistedTwosOf(rules, words).filter((word) => !disallowed.includes(word));
  return [
    disallowed.length && h("p", { class: "noted" }, t("score.disallowed", { words: disallowed.join(", ") })),
    unlisted.length && h("p", { class: "noted" }, t("score.unlisted", { words: unlisted.join(", ") })),
  ].filter(Boolean);
}

/** Put the play down; one with a disallowed word comes off again, and costs nothing (docs/rules.md 6.7). */
async function putDown(table, play, ruling) {
  const disallowed = disallowedOf(table.rules, ruling.words);
  if (!disallowed.length) return table.makePlay(play, ruling);
  table.announce(t("keep.disallowed", { words: disallowed.join(", ") }));
  table.board.clear();
}

/** Have the words of a play judged where the rule set requires it, and keep the outcome. */
export async function judgeAndPlay(table, play, ruling) {
  const { rules, state } = table;
  const isAsked = isJudgedAtOnce(rules) && !table.game.onDoubt;
  const accepted = isAsked ? await table.busy(() => getVerdict(table, ruling.words))
    : !isJudgedAtOnce(rules) || verdictByLists(rules, ruling.words) !== false;
  if (accepted === null || table.state !== state) return;
  if (!accepted && rules.challenge === "void") {
    table.announce(t("keep.void"));
    return;
  }
  const rack = rackOf(table);
  await table.commit({ kind: "play", player: state.phase.player, play, accepted, ...(rack ? { rack } : {}) });
}

function otherMoves(table) {
  const { rules, state } = table, { player, name } = state.phase;
  const mayExchange = name === "to-move" && state.bag >= rules.exchange_min && state.seats[player].tiles > 0;
  return [
    mayExchange && button(t("keep.exchange"), () => exchange(table)),
    swapButton(table),
    button(t("keep.pass"), () => pass(table)),
  ].filter(Boolean);
}

/** Return the button for a swap, which leaves the tiles of the play where they are; false where there is none. */
function swapButton(table) {
  const blanks = table.rules.swap ? blanksOn(table.state.board) : [];
  return blanks.length > 0 && button(t("keep.swap"), () => takeBlank(table, blanks));
}

/** Ask how many tiles are exchanged, and not which: the phone lies in the middle of the table. */
async function exchange(table) {
  const { player } = table.state.phase, most = Math.min(table.state.seats[player].tiles, table.state.bag);
  const choice = selectCount(most);
  const count = await askOrCancel(t("keep.exchange-title"), [
    h("p", {}, t("keep.exchange-text", { bag: table.state.bag })), field(t("keep.exchange-count"), choice),
  ], t("keep.exchange"), () => Number(choice.value));
  if (count) await table.commit({ kind: "exchange", player, count });
}

async function pass(table) {
  const { player } = table.state.phase, name = table.game.players[player];
  if (await confirm(t("keep.pass-title", { name }), t("keep.pass-text"), t("keep.pass"))) {
    await table.commit({ kind: "pass", player });
  }
}

/** Ask which blank on the board is swapped (docs/rules.md 5). */
async function takeBlank(table, blanks) {
  const { board, phase } = table.state;
  const choices = blanks.map((square, i) => {
    const letter = at(board, square).toUpperCase();
    return [String(i), t("score.swap", { square: squareName(square), letter })];
  });
  const choice = select(choices, "0");
  const body = [h("p", {}, t("keep.swap-text")), field(t("keep.swap-which"), choice)];
  const chosen = await askOrCancel(t("keep.swap"), body, t("keep.swap-do"), () => choice.value);
  if (chosen !== null) await table.commit({ kind: "swap", player: phase.player, square: blanks[Number(chosen)] });
}
