// A short game that shows what a kept game looks like, where there is none yet.

import { currentState } from "./game.js";
import { saveGame } from "./keep-store.js";
import { lastPlay } from "./keep-event-text.js";
import { positionPicture } from "./svg.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";

const PLAYS = [
  { row: 7, column: 7, down: false, letters: "FISH" },
  { row: 7, column: 7, down: false, letters: "....ERY" },
  { row: 7, column: 7, down: true, letters: ".ACTIoN" },
  { row: 6, column: 11, down: true, letters: "T.N" },
];

/** Return the picture of the example and the button that opens it. */
export function exampleGame({ published, go }) {
  const game = createExample(), state = currentState(published, game), { rules, board } = state;
  const picture = positionPicture(rules, board, { title: t("keep.example-title"), last: lastPlay(state).squares });
  const open = async () => {
    await saveGame(game);
    go(game.id);
  };
  return h("figure", { class: "example" },
    h("img", { ...picture, width: 672, height: 744 }),
    h("figcaption", {}, button(t("keep.example-open"), open)));
}

function createExample() {
  const events = PLAYS.map((play, i) => ({ kind: "play", player: i % 2, play, accepted: true, at: Date.now() }));
  return {
    id: crypto.randomUUID(), label: crypto.randomUUID(), rules: "scrabble-o", options: {}, players: ["Ann", "Bob"],
    racks: false, counts: true, begun: Date.now(), events, undone: [],
  };
}
