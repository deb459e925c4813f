// The tiles that nobody has seen on the board yet, by letter.

import { askInDialog } from "./keep-dialogs.js";
import { summaryOf } from "./game.js";
import { h } from "./dom.js";
import { countTiles } from "./rules.js";
import { t } from "./texts.js";

/** Show how many of each tile are not on the board; they are in the bag, on racks, or out of the game. */
export async function showUnseen({ state, rules }) {
  const { unseen } = summaryOf(state), pool = countTiles(rules.tiles);
  const tiles = Object.keys(rules.tiles).map((tile) => {
    const count = unseen[tile] ?? 0, name = tile === "?" ? t("tiles.blank") : tile;
    return h("li", { class: count ? null : "none" }, h("b", {}, name), " ", h("span", {}, String(count)));
  });
  await askInDialog(t("keep.unseen-title", { n: countTiles(unseen) }), [
    h("ul", { class: "unseen-tiles" }, tiles),
    h("p", { class: "hint" }, rules.scoop < pool
      ? t("keep.unseen-scoop", { pool, scoop: rules.scoop })
      : t("keep.unseen-all")),
  ], [{ label: t("keep.close"), value: true, main: true }]);
}
