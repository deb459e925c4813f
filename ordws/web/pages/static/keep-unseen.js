// The tiles that nobody has seen on the board yet, or that a seat does not see, by letter.

import { h } from "./dom.js";
import { showInDialog } from "./keep-dialogs.js";
import { BLANK, countTiles } from "./rules.js";
import { t } from "./texts.js";

/** Return how many tiles of each letter are not seen, as a list. */
export function unseenList(rules, unseen) {
  const tiles = Object.keys(rules.tiles).map((tile) => h("li", { class: unseen[tile] ? null : "none" },
    h("b", {}, tile === BLANK ? t("tiles.blank") : tile), " ", h("span", {}, String(unseen[tile] ?? 0))));
  return h("ul", { class: "unseen-tiles" }, tiles);
}

/** Show the tiles that are not seen; `all` says where they are, but of a scoop nobody knows what the bag holds. */
export async function showUnseen(rules, unseen, all) {
  const pool = countTiles(rules.tiles);
  const hint = rules.scoop < pool ? t("keep.unseen-scoop", { pool, scoop: rules.scoop }) : all;
  const title = t("keep.unseen-title", { n: countTiles(unseen) });
  await showInDialog(title, [unseenList(rules, unseen), h("p", { class: "hint" }, hint)]);
}
