/** The page *Keep a game*: the address selects the view, by `#new` or `#` and a game's id. */

import { showList } from "./keep-list.js";
import { showSetup } from "./keep-setup.js";
import { showGame } from "./keep-game.js";
import { rulesDocument, startViews } from "./views.js";

await startViews({
  root: document.getElementById("keep"), published: await rulesDocument(),
  list: showList, setup: showSetup, game: showGame,
});
