/** The page *Table station*: the address selects the view, by `#new` or `#` and a game's id. */

import { initTableMode } from "./judge-table-mode.js";
import { showStationGame } from "./station-game.js";
import { showStationList } from "./station-list.js";
import { showStationSetup } from "./station-setup.js";
import { rulesDocument, startViews } from "./views.js";

initTableMode();
await startViews({
  root: document.getElementById("station"), published: await rulesDocument(),
  promises: await (await fetch("/app/promises.json")).json(),
  list: showStationList, setup: showStationSetup, game: showStationGame,
});
