// The end of a kept game: the players end it, the tiles left are counted, and the winner is named.

import { hasLost, pointsFor, scoresOf, summaryOf, tilesLeft, applyUnplayedTiles } from "./game.js";
import { averagesOf, boardStatistics } from "./game-statistics.js";
import { askOrCancel, confirm, faultLine, field, textField } from "./keep-dialogs.js";
import { exportButtons, stepThrough } from "./keep-score-sheet.js";
import { toGcg } from "./gcg-export.js";
import { createClient } from "./client.js";
import { directorLine } from "./keep-board.js";
import { reviewSection } from "./review.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";
import { pointsOf, signed } from "./alt-text.js";

/** Ask how the players end their game before the rules do. */
export async function askToEnd(table) {
  const { state, game } = table, last = state.turns.at(-1);
  const isOut = last?.ruling && last.fate === "made";
  const choices = [
    isOut && [{ out: last.player, counts: true }, t("keep.end-out", { name: game.players[last.player] })],
    [{ out: null, counts: true }, t("keep.end-counted")], [{ out: null, counts: false }, t("keep.end-uncounted")],
  ].filter(Boolean);
  const boxes = choices.map(([, label], i) => {
    const box = h("input", { type: "radio", checked: i === choices.length - 2 });
    box.name = "way";
    return h("label", {}, box, label);
  });
  const chosen = () => choices[boxes.findIndex((label) => label.firstChild.checked)][0];
  const body = [h("fieldset", {}, h("legend", {}, t("keep.end-how")), boxes)];
  const end = await askOrCancel(t("keep.end-title"), body, t("keep.end"), chosen);
  if (end) await table.commit({ kind: "end", ...end });
}

/**
 * Return the panel in which the tiles left are entered; their effect is shown before it is kept
 * (docs/rules.md 7.3, A-27).
 */
export function countingPanel(table) {
  const { state, game } = table, { out, why } = state.phase, fault = faultLine(), preview = h("p", { role: "status" });
  const known = tilesLeft(state, summaryOf(state).unseen);
  const fields = game.players.map((_, player) => {
    const isOnly = known !== null && out !== null && game.players.length === 2 && player !== out;
    return textField({ maxlength: state.rules.rack_size, value: isOnly ? known : "" });
  });
  const racks = () => fields.map(({ value }) => value.toUpperCase().replace(/\s/g, ""));
  const show = () => {
    const points = pointsFor(state, racks());
    preview.textContent = game.players.map((name, i) => `${name} ${signed(points[i])}`).join(", ");
    fault.textContent = "";
  };
  const count = async () => {
    const tiles = racks(), refusal = applyUnplayedTiles(state, { racks: tiles });
    if ("fault" in refusal) fault.textContent = t("keep.bad-rack", { most: state.rules.rack_size });
    else if (await isSure(table, known, tiles)) await table.commit({ kind: "unplayed", racks: tiles });
  };
  for (const each of fields) each.addEventListener("input", show);
  show();
  return [
    h("h2", {}, t("keep.tiles-left")), h("p", {}, t(`keep.why-${why}`)),
    ...game.players.map((name, i) => (i === out
      ? h("p", {}, t("keep.has-gone-out", { name }))
      : field(t("keep.rack-of", { name }), fields[i], t("score.rack-hint")))),
    preview, fault,
    h("p", { class: "actions" }, button(t("keep.count"), count, "main")),
  ];
}

/** Ask for confirmation of tiles that the board should not leave, or too many of them. */
async function isSure({ state, checksTiles, announce }, known, racks) {
  const { unseen } = summaryOf(state), tiles = racks.join("");
  const tooMany = [...new Set(tiles)].filter((tile) => tiles.split(tile).length - 1 > (unseen[tile] ?? 0)).join("");
  const doubt = known === null ? t("keep.too-many", { tiles: tooMany }) : t("keep.should-be", { tiles: known });
  if (!tooMany && isKnown(known, racks)) return true;
  if (!checksTiles) return confirm(t("keep.other-tiles"), doubt, t("keep.count"));
  announce(`${t("keep.other-tiles")}. ${doubt}`);
  return false;
}

/** Return whether the tiles entered are those that the board leaves; true where that cannot be known. */
function isKnown(known, racks) {
  return known === null || [...racks.join("")].sort().join() === [...known].sort().join();
}

/** Return the panel with the winner and the record of the game, its review, and what the director has of it. */
export function overPanel(table) {
  const { racks, players } = table.game;
  // A panel that is drawn again keeps the review that is shown.
  table.review ??= racks && players.length === 2 ? reviewOf(table) : null;
  return [...resultPanel(table), table.review, directorLine(table)].filter(Boolean);
}

/** Return the section of the review, which the program makes of the record and its racks. */
function reviewOf({ app, game, signal }) {
  const client = createClient(), record = toGcg(app.published, game);
  return reviewSection({
    client, signal, about: [t("play.review-about"), t("keep.review-sent")], names: game.players, you: null,
    review: () => client.reviewRecord(record, { signal }), step: (turn) => stepThrough(app, game, turn - 1),
  });
}

/** Return the winner, the scores and the buttons of the record. */
export function resultPanel(table) {
  const { state, game } = table, { winners } = summaryOf(state), scores = scoresOf(state);
  const names = winners.map((player) => game.players[player]);
  const order = scores.map((score, player) => ({ score, player })).sort((a, b) => b.score - a.score);
  return [
    h("h2", {}, verdict(names, scores[winners[0]])), h("p", {}, t(`keep.why-${state.phase.why}`)),
    h("ol", { class: "final" }, order.map(({ score, player }) => h("li", {},
      h("span", {}, game.players[player], hasLost(state.seats[player]) ? ` (${t("keep.has-left")})` : "",
        h("small", {}, averagesText(state, player))),
      h("b", {}, String(score))))),
    h("p", { class: "hint" }, boardText(state)),
    exportButtons(table),
  ];
}

/** Return the points per turn, and the seconds where clocks ran; nothing before the first turn. */
function averagesText(state, player) {
  const { turns, pointsPerTurn, secondsPerTurn } = averagesOf(state, player);
  if (!turns) return "";
  const points = t("keep.ppt", { points: pointsPerTurn.toFixed(1) });
  return secondsPerTurn ? `${points}, ${t("keep.seconds-a-turn", { seconds: Math.round(secondsPerTurn) })}` : points;
}

function boardText({ board }) {
  const { words, meanLength } = boardStatistics(board);
  const letters = meanLength.toFixed(2);
  return words === 1 ? t("keep.board-one", { letters }) : t("keep.board-words", { n: words, letters });
}

function verdict(names, score) {
  if (!names.length) return t("keep.no-winner");
  if (names.length > 1) return t("keep.tie", { names: names.join(", "), points: pointsOf(score) });
  return t("keep.wins", { name: names[0], points: pointsOf(score) });
}
