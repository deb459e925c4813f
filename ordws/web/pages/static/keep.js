/** The page *Keep a game*: what is shown follows from the address, `#new` or `#` and a game's id. */

import { showList } from "./keep-list.js";
import { showSetup } from "./keep-setup.js";
import { showGame } from "./keep-game.js";

const app = {
  published: await (await fetch("/app/rules.json")).json(), root: document.getElementById("keep"),
  shown: new AbortController(),
  go: (to) => {
    if (location.hash.slice(1) === to) show();
    else location.hash = to;
  },
};

/** Show what the address says; what the view before listened to ends. */
async function show() {
  app.shown.abort();
  app.shown = new AbortController();
  document.body.classList.remove("at-table");
  const to = isAnchor() ? "" : location.hash.slice(1);
  if (!to) await showList(app);
  else if (to === "new") showSetup(app);
  else await showGame(app, to);
}

/** Whether the address names a place on the page, as that of the link to skip to it does. */
function isAnchor() {
  return document.getElementById(location.hash.slice(1)) !== null;
}

window.addEventListener("hashchange", () => isAnchor() || show());
await show();
