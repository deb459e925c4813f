/** The page *Keep a game*: the address selects the view, by `#new`, or `#` and a game's id, with `?turn=5` a turn of it. */

import { showList } from "./keep-list.js";
import { showSetup } from "./keep-setup.js";
import { showGame } from "./keep-game.js";
import { stepThrough } from "./keep-score-sheet.js";
import { loadGame } from "./keep-store.js";
import { rulesDocument, startViews } from "./views.js";

await startViews({
  root: document.getElementById("keep"), published: await rulesDocument(),
  list: showList, setup: showSetup, game: async (app, to) => {
    const [id, turn] = to.split("?turn=");
    await showGame(app, id);
    if (turn) await stepThrough(app, await loadGame(id), Number(turn));
  },
});
