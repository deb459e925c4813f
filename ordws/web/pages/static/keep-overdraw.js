// Too many tiles drawn: a step for the players, after which the right number is on the rack again.

import { MOST_OVERDRAWN } from "./game.js";
import { askOrCancel, faultLine, field, selectCount, selectPlayer, textField } from "./keep-dialogs.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const SEEN_BEYOND = 2;

/** Ask who drew how many tiles too many, then say what the opponents do with them (docs/rules.md 9.1, 9.2). */
export async function settleOverdraw(table) {
  const drawn = await askWhat(table);
  if (!drawn) return;
  const { count } = drawn, name = table.game.players[drawn.player], returned = textField();
  const details = { name, n: count, seen: count + SEEN_BEYOND }, fault = faultLine();
  const given = () => {
    const tiles = returned.value.toUpperCase().replace(/\s/g, "");
    if (!tiles) return drawn;
    if (/^[A-Z?]+$/.test(tiles) && tiles.length === count) return { ...drawn, returned: tiles };
    fault.textContent = t("keep.overdraw-fault", { n: count });
    return undefined;
  };
  const event = await askOrCancel(t("keep.overdraw-choose"), [
    h("p", {}, t(`keep.overdraw-${procedureOf(table.rules, drawn)}`, details)),
    field(t("keep.overdraw-returned"), returned, t("score.rack-hint")), fault,
  ], t("keep.overdraw-done"), given);
  if (event) await table.commit({ kind: "overdraw", ...event });
}

function procedureOf({ overdraw }, { mixed }) {
  return overdraw === "plus-two" && mixed ? "plus-two-mixed" : overdraw;
}

/** Ask who drew too many tiles, and how many; resolves to null where nobody did. */
function askWhat({ state, game, rules }) {
  const last = state.turns.at(-1)?.player ?? 0, most = Math.min(MOST_OVERDRAWN, state.bag);
  const player = selectPlayer(game.players, last), mixed = h("input", { type: "checkbox" });
  const count = selectCount(most);
  const box = rules.overdraw === "plus-two" ? h("p", {}, h("label", {}, mixed, t("keep.overdraw-mixed"))) : "";
  const given = () => ({ player: Number(player.value), count: Number(count.value), mixed: mixed.checked });
  return askOrCancel(t("keep.overdraw"), [
    field(t("keep.who"), player), field(t("keep.overdraw-count"), count), box,
  ], t("keep.overdraw-next"), given);
}
