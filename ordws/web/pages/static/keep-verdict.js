// The verdict on the words of a play: by the published lists, the service where the device is paired, or the players'
// books.

import { withJudged } from "./keep-board.js";
import { askInDialog, showInDialog } from "./keep-dialogs.js";
import { saveGame } from "./keep-store.js";
import { h } from "./dom.js";
import { judgeInGame, postOnce } from "./api.js";
import { disallowedOf, unlistedTwosOf } from "./rules.js";
import { t } from "./texts.js";

const WORD_OPTIONS = ["two_letter_words", "twos", "disallowed_words", "offensive", "allow", "strike"];
const HOME = "/home";

/** Return the verdict of the published lists on all words; null where they do not decide (docs/rules.md 6.6, 6.10). */
export function verdictByLists(rules, words) {
  if (words.some((word) => isStruck(rules, word)) || disallowedOf(rules, words).length) return false;
  return words.every((word) => isListed(rules, word)) ? true : null;
}

function isStruck(rules, word) {
  return rules.strike.includes(word) || unlistedTwosOf(rules, [word]).length > 0;
}

function isListed(rules, word) {
  return word.length === 2 || rules.granted_words.includes(word);
}

/** Return one verdict on all words, or null where there is none and the play is not put down. */
export async function getVerdict(table, words) {
  const listed = verdictByLists(table.rules, words);
  if (listed !== null) return listed;
  await table.pairing;
  if (!table.device) return askBooks(table, words);
  const key = crypto.randomUUID();
  for (;;) {
    const reply = await requestVerdict(table, words, key);
    if (reply.status === 200) {
      if (reply.body.valid) await saveGame(table.game = withJudged(table.game, words));
      return reply.body.valid;
    }
    const next = await askWhatNow(reply);
    if (next === "books") return askBooks(table, words);
    if (next === null) return null;
  }
}

/** Request the service's verdict under the game's own label, with those of its options that concern words. */
function requestVerdict(table, words, key) {
  const { rules, options } = table.game;
  const own = Object.fromEntries(Object.entries(options).filter(([name]) => WORD_OPTIONS.includes(name)));
  const renew = () => saveGame(table.game = { ...table.game, label: crypto.randomUUID() });
  return judgeInGame({ words, rules, options: own }, key, { label: () => table.game.label, renew });
}

/** Return what a club's own words say in a check of the OSPD; null where it is looked into (docs/rules.md A-50). */
export function checkByOwnWords({ allow, strike }, words) {
  if (words.some((word) => strike.includes(word))) return false;
  return words.every((word) => allow.includes(word)) ? true : null;
}

/** Return whether the OSPD has the words, by the service; null where it gave no answer (docs/rules.md 6.4, 6.5). */
export async function requestOspdCheck(words) {
  const reply = await postOnce("/v1/ospd", { words }, crypto.randomUUID());
  if (reply.status === 200) return reply.body.found;
  await showInDialog(t("keep.no-answer"), [h("p", {}, describeFailure(reply))], t("keep.understood"));
  return null;
}

function askWhatNow(reply) {
  return askInDialog(t("keep.no-answer"), [h("p", {}, describeFailure(reply))], [
    { label: t("keep.back-to-board"), value: null }, { label: t("keep.by-books"), value: "books" },
    { label: t("keep.try-again"), value: "again", main: true },
  ]);
}

function describeFailure({ status }) {
  if (status === 0) return t("keep.no-connection");
  if (status === 401) return t("keep.not-paired");
  return status === 429 ? t("keep.spent") : t("keep.busy");
}

/** Ask the players to look all words up in their own books. */
function askBooks(table, words) {
  const lines = words.map((word) => h("li", {}, h("b", {}, word), " ", isListed(table.rules, word)
    ? h("span", { class: "hint" }, word.length === 2 ? t("keep.on-the-list") : t("keep.granted"))
    : h("a", { href: HOME, target: "_blank", rel: "noopener", "aria-label": t("keep.home-check-of", { word }) },
      t("keep.home-check"))));
  const body = [h("p", {}, t("keep.books-text")), h("ul", { class: "looked-up" }, lines)];
  return askInDialog(t("keep.books-title"), body, [
    { label: t("keep.back-to-board"), value: null }, { label: t("keep.books-no"), value: false },
    { label: t("keep.books-yes"), value: true, main: true },
  ]);
}

/** Return the words to look up in the OSPD: those that no published list makes acceptable. */
export function questionedWords(rules, words) {
  const left = words.filter((word) => !isListed(rules, word) || isStruck(rules, word));
  return left.length ? left : words;
}

