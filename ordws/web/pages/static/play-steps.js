// The steps of a game at /play: one's own racks while it is on, and all of them when it is over.

import { readBoard } from "./rules.js";
import { namesOf, newSquares, sheetLine } from "./play-sheet.js";
import { showSteps } from "./game-viewer.js";
import { t } from "./texts.js";

/** Show the turns of a standing from one of them on; the address names the turn that is shown. */
export async function stepThrough(rules, standing, turns, at = null) {
  const names = namesOf(standing), scores = [standing.seats.map(() => 0), ...turns.map((each) => each.scores)];
  const positions = [...turns.map(({ before }) => before), positionOf(standing)];
  const steps = positions.map((each, i) => ({
    ...each, board: readBoard(each.board), scores: scores[i], last: i ? newSquares(turns[i - 1].happened) : [],
  }));
  const texts = [t("steps.begin"), ...turns.map((turn, i) => sheetLine(turn, turns[i - 1], names))];
  await showSteps({ rules, names, steps, texts, at, onStep: nameTurn });
}

function positionOf({ position, seats, bag }) {
  return { board: position.split(" ")[0], racks: seats.map(({ rack }) => rack), bag };
}

function nameTurn(at) {
  history.replaceState(null, "", at === null ? location.pathname : `#turn=${at}`);
}
