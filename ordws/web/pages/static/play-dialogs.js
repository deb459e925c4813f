// The questions of the table: a letter for a blank, tiles to exchange, words to challenge, and what can be looked at.

import { askInDialog, button, cancel } from "./keep-dialogs.js";
import { describeTurn } from "./play-sheet.js";
import { faceOf } from "./play-rack.js";
import { h } from "./dom.js";
import { BLANK } from "./notation.js";
import { countTiles } from "./rules.js";
import { receiptTable } from "./receipt-tables.js";
import { t } from "./texts.js";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Ask which letter a blank is; resolves to a lower case letter, or null. A letter key answers too. */
export function askLetter() {
  const keys = h("div", { class: "letters" });
  const asked = askInDialog(t("play-table.blank-title"), [keys], [cancel()]);
  const dialog = keys.closest("dialog");
  return new Promise((resolve) => {
    let chosen = null;
    const choose = (letter) => {
      chosen = letter.toLowerCase();
      dialog.close();
    };
    keys.append(...LETTERS.map((letter) => button(letter, () => choose(letter))));
    keys.firstChild.focus();
    dialog.addEventListener("keydown", (event) => {
      if (/^[a-z]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) choose(event.key);
    });
    asked.then(() => resolve(chosen));
  });
}

/** Ask which tiles of the rack are exchanged; resolves to the tiles, or null. */
export async function askExchange({ rack, bag, values }) {
  const tiles = [...rack].map((tile) => h("button", {
    type: "button", class: "tile", value: tile, "aria-pressed": "false",
    "aria-label": tile === BLANK ? t("play-table.blank") : tile,
  }, faceOf(tile, values)));
  const count = h("p", { class: "hint", role: "status" });
  const chosen = () => tiles.filter((tile) => tile.getAttribute("aria-pressed") === "true").map(({ value }) => value);
  const toggle = (tile) => {
    tile.setAttribute("aria-pressed", String(tile.getAttribute("aria-pressed") !== "true"));
    count.textContent = countText(chosen().length);
  };
  tiles.forEach((tile) => tile.addEventListener("click", () => toggle(tile)));
  count.textContent = countText(0);
  const picture = h("div", {
    class: "tiles tile-colours", role: "group", "aria-label": t("play-table.rack"),
    onkeydown: (event) => pickByKey(event, tiles, toggle),
  }, tiles);
  const text = bag === 1 ? t("play-table.exchange-bag-one") : t("play-table.exchange-bag", { n: bag });
  const value = () => chosen().join("") || undefined;
  return askInDialog(t("play-table.exchange"), [h("p", {}, text), picture, count], [
    cancel(), { label: t("play-table.exchange"), value, main: true },
  ]);
}

function countText(n) {
  return n === 1 ? t("play-table.exchange-one") : t("play-table.exchange-count", { n });
}

/** Choose the next tile with the letter that was typed. */
function pickByKey(event, tiles, toggle) {
  const letter = event.key.toUpperCase(), isTile = /^[A-Z?]$/.test(letter) && !event.ctrlKey && !event.metaKey;
  const same = isTile ? tiles.filter(({ value }) => value === letter) : [];
  const tile = same.find((each) => each.getAttribute("aria-pressed") !== "true") ?? same[0];
  if (!tile) return;
  event.preventDefault();
  tile.focus();
  toggle(tile);
}

/** Ask which words are challenged, at the price of the rules; resolves to the words, all of them as an empty list, or null. */
export async function askChallenge(words, rule) {
  const boxes = words.map((word) => [word, h("input", { type: "checkbox", checked: true })]);
  const chosen = () => {
    const doubted = boxes.filter(([, box]) => box.checked).map(([word]) => word);
    if (!doubted.length) return undefined;
    return doubted.length === words.length ? [] : doubted;
  };
  const body = h("fieldset", {}, h("legend", {}, t("play-table.challenge-which")),
    boxes.map(([word, box]) => h("label", {}, box, word)));
  return askInDialog(t("play-table.challenge"), [h("p", {}, t("play-table.challenge-text"), " ", t(`keep.challenge-price-${rule}`)), body], [
    cancel(), { label: t("play-table.challenge"), value: chosen, main: true },
  ]);
}

/** Ask which blank on the board is swapped, or which swap is undone; resolves to the name of a square, or null. */
export async function askSwap(names, done) {
  return askInDialog(t("play-table.swap"), [h("p", {}, t("play-table.swap-text"))], [
    ...names.map((square) => ({ label: t("play-table.swap-take", { square }), value: square })),
    ...done.map((square) => ({ label: t("play-table.swap-undo", { square }), value: square })),
    cancel(),
  ]);
}

function look(title, ...body) {
  return askInDialog(title, body, [{ label: t("play-table.close"), value: true, main: true }]);
}

/** Return how many tiles of each letter this seat does not see, as a list. */
export function unseenList(rules, unseen) {
  const tiles = Object.keys(rules.tiles).map((tile) => h("li", { class: unseen[tile] ? null : "none" },
    h("b", {}, tile === BLANK ? t("tiles.blank") : tile), " ", h("span", {}, String(unseen[tile] ?? 0))));
  return h("ul", { class: "unseen-tiles" }, tiles);
}

/** Show the tiles that this seat does not see; of a scoop nobody knows what the bag holds. */
export function showUnseen(rules, unseen) {
  const pool = countTiles(rules.tiles), all = countTiles(unseen);
  const hint = rules.scoop < pool ? t("keep.unseen-scoop", { pool, scoop: rules.scoop }) : t("play-table.unseen-all");
  return look(t("keep.unseen-title", { n: all }), unseenList(rules, unseen), h("p", { class: "hint" }, hint));
}

/** Say what the OSPD is, and why it is asked. */
export function explainOspd() {
  return look(t("base.ospd-what"), h("p", {}, t("base.ospd-why")));
}

/** Show a play with its receipt. */
export function showTurn(turn, names, premium) {
  return showReceipt(describeTurn(turn, names).join(""), turn.receipt, premium);
}

/** Show a receipt below a sentence. */
export function showReceipt(text, receipt, premium) {
  const title = t("score.receipt");
  const table = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
    receiptTable(receipt, premium, title));
  return look(title, h("p", {}, text), table, h("p", { class: "hint" }, t("score.legend")));
}

/** Show the keys of the table. @param {[string, string][]} commands keys with their texts */
export function showKeys(commands) {
  const lines = commands.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]);
  const list = h("dl", { class: "keys-help" }, lines);
  return look(t("play-table.keys"), list, h("p", { class: "hint" }, t("play-table.keys-hint")));
}
