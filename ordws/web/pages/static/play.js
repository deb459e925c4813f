// The page of play: the address selects the lobby or a game, and a game's standing what is shown of it.

import { showSteps } from "./game-viewer.js";
import { namesOf, newSquares, sheetLine } from "./play-sheet.js";
import { readBoard } from "./rules.js";
import { isAnchor } from "./views.js";
import { rulesOfGame } from "./play-facts.js";
import { isDialogOpen } from "./keep-dialogs.js";
import { createClient } from "./client.js";
import { h } from "./dom.js";
import { showInvitation, showTrouble } from "./play-invitation.js";
import { findGame, isPast, knownOf, readPlayLink, saveGame, setPlayLink } from "./play-games.js";
import { showLobby } from "./play-lobby.js";
import { showResult } from "./play-result.js";
import { showOath, showWaitingRoom } from "./play-room.js";
import { showTable } from "./play-table.js";
import { t } from "./texts.js";

const VIEWS = { room: showWaitingRoom, oath: showOath, table: showTable, result: showResult };
const AT_TABLE = "at-table";
const app = {
  published: await (await fetch("/app/rules.json")).json(), root: document.getElementById("play"),
  client: createClient(), shown: new AbortController(), go, goToNew, show,
  showLobby: (fault) => showLobby(app, fault), showTrouble: (game, error) => showTrouble(app, game, error),
  isGone: (game) => isPast(findGame(game)?.expires ?? ""),
};

/** Go to an address of this page without loading it anew; `replaced` leaves no way back to the last one. */
async function go(path, replaced = false) {
  history[replaced ? "replaceState" : "pushState"](null, "", path);
  await show();
  app.root.querySelector("h1")?.focus();
}

/** Keep a game that was opened for a player of that name, and go to it. */
async function goToNew({ game, expires, rules, seat, recovery, invitations }, name, players = []) {
  saveGame({ game, name, expires, rules, seat, recovery, invitations, players });
  await go(`/play/${game}`);
}

/** Show the view of the address; the listeners and requests of the last view end. */
async function show() {
  app.shown.abort();
  app.shown = new AbortController();
  document.body.classList.remove(AT_TABLE);
  document.title = t("play.page-title", { title: t("play.title") });
  const [, game] = /^\/play\/([^/]+)$/.exec(location.pathname) ?? [];
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!game) {
    showLobby(app, keepLink(fragment.get("link")));
  } else if (fragment.get("seat")) await showInvitation(app, game, fragment.get("seat"));
  else if (fragment.get("code")) showTrouble(app, game, null, fragment.get("code"));
  else {
    const turn = fragment.get("turn");
    if (turn) step(app.client.game(game), Number(turn));
    await openGame(game);
  }
}

/** Keep the play link of the address, which leaves the address; return what is wrong with it. */
function keepLink(text) {
  if (!text) return "";
  const token = readPlayLink(text);
  if (token) setPlayLink(token);
  history.replaceState(null, "", location.pathname);
  return token ? "" : t("play.link-fault");
}

/** Follow a game, as long as it is shown. */
async function openGame(id) {
  const { signal } = app.shown, game = app.client.game(id);
  const table = { id, game, signal, kind: "", view: null, ends: new AbortController(), connection: "live",
    presence: null };
  app.root.replaceChildren(h("h1", { tabindex: "-1" }, t("play.title")), h("p", { role: "status" }, t("play.asking")));
  const onConnection = (state) => {
    table.connection = state;
    table.view?.connection(state);
    // What this page does not hear, it does not know.
    if (state !== "live") onPresence(null);
  };
  const onPresence = (presence) => {
    table.presence = presence;
    table.view?.presence?.(presence);
  };
  try {
    const end = await game.watch((standing) => draw(table, standing), { signal, onConnection, onPresence });
    if (end === "replaced") onConnection("replaced");
  } catch (error) {
    table.ends.abort();
    document.body.classList.remove(AT_TABLE);
    if (!signal.aborted) showTrouble(app, id, error);
  }
}

/** Show the turns of a game one by one, from one of them on. */
async function step(game, at) {
  if (isDialogOpen()) return;
  const [standing, { turns }] = await Promise.all([game.standing(), game.turns()]).catch(() => [null, {}]);
  // A move between the two replies would be in one of them alone.
  if (!turns || standing.last?.turn !== turns.at(-1)?.happened.turn) return;
  await stepThrough(rulesOfGame(app.published, standing), standing, turns, at);
}

/** Show the turns of a standing from one of them on; the address names the turn that is shown. */
async function stepThrough(rules, standing, turns, at = null) {
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

/** Show a standing: in the view that is shown, or in the next one. */
function draw(table, standing) {
  const kind = kindOf(standing);
  saveGame(knownOf(standing));
  if (kind === table.kind) {
    table.view.update(standing);
    return;
  }
  table.ends.abort();
  table.ends = new AbortController();
  table.signal.addEventListener("abort", () => table.ends.abort(), { signal: table.ends.signal });
  document.title = t("play.page-title", { title: kind === "oath" ? t("play.oath-title") : t("play.title") });
  document.body.classList.toggle(AT_TABLE, kind === "table");
  table.kind = kind;
  table.view = VIEWS[kind](app.root, viewed(table, standing));
  table.view.connection(table.connection);
  table.view.presence?.(table.presence);
  if (kind === "table") return;
  app.root.querySelector("h1").focus();
  scrollTo(0, 0);
}

/** Return the view that a standing needs; a game whose players promise nothing begins at once. */
function kindOf({ phase, seats }) {
  if (phase === "over") return "result";
  if (phase !== "waiting") return "table";
  return seats.every(({ taken }) => taken) ? "oath" : "room";
}

/** Return what a view is given: the table gets a signal of its own, and the others the page. */
function viewed({ id, game, ends }, standing) {
  const turns = () => game.turns({ signal: ends.signal });
  return {
    app, id, entry: () => findGame(id) ?? saveGame(knownOf(standing)), turns, signal: ends.signal, standing,
    published: app.published, send: (action) => game.turn(action), refresh: () => game.standing(),
    game, step: (at) => step(game, at),
  };
}

window.addEventListener("popstate", () => isAnchor() || show());
await show();
