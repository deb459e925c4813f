// The picture of a final board: drawn on this device, of the board, the names and the scores alone, so that it can be
// shown to anybody. It holds no rack.

import { readBoard } from "./rules.js";
import { nameOfSeat, rulesOfGame } from "./play-facts.js";
import { newSquares } from "./play-sheet.js";
import { drawPosition, toPng } from "./svg.js";

const WIDTH_OF_TITLE = 52;

/** Return the final board as `drawPosition` draws it: the rules, the board, and what is shown of them. */
export function finalBoard(published, standing) {
  const board = readBoard(standing.position.split(" ")[0]);
  return [rulesOfGame(published, standing), board, { title: titleOf(standing), last: newSquares(standing.last ?? {}) }];
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
  const blob = await toPng(drawPosition(...finalBoard(published, standing)));
  return new File([blob], name, { type: "image/png" });
}

/** Return whether the device offers to share a file. */
export function canShare(file) {
  return Boolean(navigator.canShare?.({ files: [file] }));
}
