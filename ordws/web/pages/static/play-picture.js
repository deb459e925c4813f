// The picture of a final board: drawn on this device, of the board, the names and the scores alone, so that it can be
// shown to anybody. It holds no rack.

import { h } from "./dom.js";
import { readBoard, rulesOf } from "./rules.js";
import { readOptions } from "./options.js";
import { nameOfSeat } from "./play-facts.js";
import { newSquares } from "./play-sheet.js";
import { drawPosition, toPng } from "./svg.js";

const WIDTH_OF_TITLE = 52;

/** Return the picture of a position as SVG, as a page shows it or, without `isOnPage`, as it is shared. */
export function drawFinalBoard(published, standing, { isOnPage }) {
  const { rules: id, options, position, last } = standing;
  const rules = rulesOfGame(published, { rules: id, options });
  const squares = newSquares(last ?? {}), board = readBoard(position.split(" ")[0]);
  const svg = drawPosition(rules, board, { title: titleOf(standing), last: squares, isOnPage });
  return { svg, rules, board, squares };
}

/** Return the rules of a standing. */
export function rulesOfGame(published, { rules, options }) {
  return rulesOf(published, rules, readOptions(published, rules, String(new URLSearchParams(options))) ?? {});
}

/** Return names and scores, the best first, as the line above a board: `Ann 312, Ben 280`. */
function titleOf(standing) {
  const longest = Math.floor(WIDTH_OF_TITLE / standing.seats.length) - 4;
  const shorten = (name) => (name.length > longest ? `${name.slice(0, longest - 1)}\u2026` : name);
  return standing.seats.map(({ score }, seat) => ({ score, name: shorten(nameOfSeat(standing, seat)) }))
    .sort((a, b) => b.score - a.score).map(({ name, score }) => `${name} ${score}`).join(", ");
}

/** Return a PNG of a final board as a file with a name. */
export async function makePicture(published, standing, name) {
  const blob = await toPng(drawFinalBoard(published, standing, { isOnPage: false }).svg);
  return new File([blob], name, { type: "image/png" });
}

/** Return whether the device offers to share a file. */
export function canShare(file) {
  return Boolean(navigator.canShare?.({ files: [file] }));
}

/** Save a file on the device. */
export function save(file) {
  const url = URL.createObjectURL(file);
  h("a", { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
