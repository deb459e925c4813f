// The games of events that this station is to play: told by the service, and remembered for when there is no connection.

import { fetchJson } from "./api.js";
import { button, h } from "./dom.js";
import { get, put } from "./indexed-db.js";
import { askToPersist } from "./keep-store.js";
import { parseOptions } from "./options.js";
import { beginBook } from "./station-book.js";
import { t } from "./texts.js";

const NAME = "station-bound";

/** Return the games that are bound to this device, as the service told them last. */
export async function findBound() {
  const { status, body } = await fetchJson("GET", "/v1/stations/games");
  if (status === 200) await put(NAME, body.games);
  return (await get(NAME)) ?? [];
}

/** Return the place of a game in its event: `Spring Open, round 2, table 7`. */
export function placeOf(place) {
  return place.number > 1 ? t("station.place-of-two", place) : t("station.place", place);
}

/** Return the games that were not begun here, each with the button that leads to its oath; null where there is none. */
export function boundGames(app, bound, books) {
  const begun = new Set(books.map(({ stored }) => stored.bound?.game));
  const open = bound.filter(({ game }) => !begun.has(game));
  if (!open.length) return null;
  return h("section", { class: "bound", "aria-labelledby": "bound" },
    h("h2", { id: "bound" }, t("station.bound")),
    h("ul", { class: "games" }, open.map((game) => h("li", {},
      h("div", {},
        h("b", {}, placeOf(game)),
        h("p", {}, t("station.order", { names: game.players.join(", "), first: game.players[0] }))),
      button(t("station.begin"), () => begin(app, game), "main")))));
}

async function begin({ published, go }, game) {
  const { rules, players } = game, options = parseOptions(published, rules, game.options) ?? {};
  await askToPersist();
  go((await beginBook(published, { rules, options, players, bound: game })).stored.id);
}
