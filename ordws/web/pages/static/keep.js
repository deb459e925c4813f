/** The page *Keep a game*: the address selects the view, by `#new` or `#` and a game's id. */

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

/** Show the view of the address; the listeners of the last view end. */
async function show() {
  app.shown.abort();
  app.shown = new AbortController();
  document.body.classList.remove("at-table");
  const to = isAnchor() ? "" : location.hash.slice(1);
  if (!to) await showList(app);
  else if (to === "new") showSetup(app);
  else await showGame(app, to);
}

/** Return whether the address names an element of the page, as that of the link to skip to it does. */
function isAnchor() {
  return document.getElementById(location.hash.slice(1)) !== null;
}

window.addEventListener("hashchange", () => isAnchor() || show());
await show();
