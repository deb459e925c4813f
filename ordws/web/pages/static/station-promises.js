// The oath before the first tile and the attestation after the last, by a tap of each player.

import { hasKind, playersWho } from "./station-events.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";

/** Return the panel before the game: the oath of each player, then the start of the first clock. */
export function oathPanel(table) {
  const { book } = table, { players } = book.stored, { oath } = table.app.promises;
  const sworn = playersWho(book.chain, "oath");
  const isComplete = sworn.size === players.length;
  const start = () => table.append({ kind: "start" }, t("station.told-start", { name: players[0] }));
  return [
    h("h2", {}, t("station.oath-title")), h("p", { class: "promise" }, oath.text),
    promises(table, "oath", oath, sworn),
    isComplete && h("p", {}, t("station.draw", { n: table.rules.rack_size })),
    isComplete && h("p", { class: "actions" }, button(t("station.start", { name: players[0] }), start, "main")),
  ].filter(Boolean);
}

/** Return the attestations after the game; empty once a director has closed it without them. */
export function attestations(table) {
  const { book } = table, { attestation } = table.app.promises;
  if (hasKind(book.chain, "close")) return [h("p", { class: "hint" }, t("station.is-closed"))];
  return [
    h("h3", {}, t("station.attestation-title")), h("p", {}, t("station.about-attestation")),
    h("p", { class: "promise" }, attestation.text),
    promises(table, "attest", attestation, playersWho(book.chain, "attest")),
  ];
}

function promises(table, kind, { version, text }, made) {
  const { players } = table.book.stored;
  const promise = (player) =>
    table.append({ kind, player, version, wording: text }, t(`station.told-${kind}`, { name: players[player] }));
  return h("ul", { class: "promises" }, players.map((name, player) => h("li", {}, made.has(player)
    ? h("span", {}, "\u2713 ", t(`station.${kind}-made`, { name }))
    : button(t(`station.${kind}-make`, { name }), () => promise(player), "main"))));
}
