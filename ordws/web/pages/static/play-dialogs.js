// The questions of the table: a letter for a blank, tiles to exchange, words to challenge, and what can be looked at.

import { askInDialog, askOrCancel, cancel, confirm, showInDialog, wordBoxes } from "./keep-dialogs.js";
import { isPractice } from "./play-facts.js";
import { describeTurn } from "./play-sheet.js";
import { faceOf } from "./play-rack.js";
import { button, h, scrollable } from "./dom.js";
import { BLANK } from "./notation.js";
import { legendOf, receiptTable } from "./receipt-tables.js";
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
  return askOrCancel(t("play-table.exchange"), [h("p", {}, text), picture, count], t("play-table.exchange"), value);
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
  const { element, chosen } = wordBoxes(t("play-table.challenge-which"), words);
  const doubted = () => {
    if (!chosen().length) return undefined;
    return chosen().length === words.length ? [] : chosen();
  };
  const price = h("p", {}, t("play-table.challenge-text"), " ", t(`keep.challenge-price-${rule}`));
  return askOrCancel(t("play-table.challenge"), [price, element], t("play-table.challenge"), doubted);
}

/** Ask which blank on the board is swapped, or which swap is undone; resolves to the name of a square, or null. */
export async function askSwap(names, done) {
  return askInDialog(t("play-table.swap"), [h("p", {}, t("play-table.swap-text"))], [
    ...names.map((square) => ({ label: t("play-table.swap-take", { square }), value: square })),
    ...done.map((square) => ({ label: t("play-table.swap-undo", { square }), value: square })),
    cancel(),
  ]);
}

/** Call a game off, once its player is sure; where a play was made meanwhile, its standing is shown. */
export async function callOff(game) {
  const isSure = await confirm(t("play.call-off-title"), t("play.call-off-text"), t("play.call-off"));
  if (isSure) await game.callOff().catch(() => game.standing()).catch(() => {});
}

/** Say what the OSPD is, and why it is asked. */
export function explainOspd({ standing }) {
  const answers = isPractice(standing) ? h("p", {}, t("play-table.ospd-practice")) : "";
  return showInDialog(t("base.ospd-what"), [h("p", {}, t("base.ospd-why")), answers]);
}

/** Show a play with its receipt. */
export function showTurn(turn, names, premium) {
  return showReceipt(describeTurn(turn, names).join(""), turn.receipt, premium);
}

/** Show a receipt below a sentence. */
export function showReceipt(text, receipt, premium) {
  const title = t("score.receipt");
  const table = scrollable(title, receiptTable(receipt, premium));
  return showInDialog(title, [h("p", {}, text), table, h("p", { class: "hint" }, legendOf(receipt))]);
}

/** Show the keys of the table. @param {[string, string][]} commands keys with their texts */
export function showKeys(commands) {
  const lines = commands.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]);
  const list = h("dl", { class: "keys-help" }, lines);
  return showInDialog(t("play-table.keys"), [list, h("p", { class: "hint" }, t("play-table.keys-hint"))]);
}
