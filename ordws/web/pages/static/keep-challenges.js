// A play in question: it was taken off and may be looked up in the OSPD, or it lies on the board and may be challenged.

import { failedCheckCost, nextPlayer, hasLost } from "./game.js";
import { askOrCancel, field, selectPlayer, wordBoxes } from "./keep-dialogs.js";
import { checkByOwnWords, getVerdict, questionedWords, requestOspdCheck } from "./keep-verdict.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";
import { pointsOf } from "./alt-text.js";

/** Return the panel of a rejected play: check the OSPD, or end the turn (docs/rules.md 6.4, 6.5). */
export function checkPanel(table) {
  const { phase } = table.state, name = table.game.players[phase.player];
  const isDover = table.rules.check_ospd === "dover";
  const next = table.game.players[nextPlayer(table.state, phase.player)];
  const points = pointsOf(phase.ruling.score);
  return [
    h("p", { class: "would-be" }, t("keep.came-off", { name, words: phase.ruling.words.join(", ") })),
    h("p", {}, isDover ? t("keep.check-dover", { name }) : t("keep.check-official", { name, points })),
    ...(isDover ? phase.words.map((word) => doverLine(table, word)) : [officialLine(table)]),
    h("p", { class: "actions" }, button(t("keep.no-check", { name: next }), () => table.commit({ kind: "stand" }))),
    h("details", {}, h("summary", {}, t("base.ospd-what")), h("p", {}, t("base.ospd-why"))),
  ];
}

function officialLine(table) {
  const { phase } = table.state, words = questionedWords(table.rules, phase.ruling.words);
  const known = checkByOwnWords(table.rules, words);
  return h("p", { class: "actions" }, table.device && known === null
    ? button(t("keep.check"), () => lookUp(table, words), "main")
    : byBooks(table, known, "", t("keep.all-found"), t("keep.not-found", { points: failedCheckCost(table.state) })));
}

function doverLine(table, word) {
  const points = failedCheckCost(table.state, word), known = checkByOwnWords(table.rules, [word]);
  return h("p", { class: "actions", role: "group", "aria-label": word }, h("b", {}, word), table.device && known === null
    ? button(t("keep.check-word", { word }), () => lookUp(table, [word], word))
    : byBooks(table, known, word, t("keep.found-word", { word }), t("keep.not-found-word", { word, points })));
}

/** Return the answers that players may give by their books; `known` is the only one where it is not null. */
function byBooks(table, known, word, found, notFound) {
  return [[true, found], [false, notFound]].filter(([answer]) => answer === (known ?? answer))
    .map(([answer, label]) => button(label, () => commitCheck(table, answer, word)));
}

/** Check words with the service; where it gives no answer, the players' own book decides. */
async function lookUp(table, words, word = "") {
  const found = await table.busy(() => requestOspdCheck(words));
  if (found !== null) return commitCheck(table, found, word);
  table.device = null;
  table.draw();
}

function commitCheck(table, found, word) {
  return table.commit({ kind: "check", player: table.state.phase.player, found, ...(word ? { word } : {}) });
}

/** Return the panel of a play on the board, under rules with challenges (docs/rules.md 6.2). */
export function challengePanel(table) {
  const { phase } = table.state, name = table.game.players[phase.player], { words, score } = phase.ruling;
  return [
    h("p", { class: "would-be" }, t("keep.played", { name, words: words.join(", "), points: pointsOf(score) })),
    h("p", {}, t("keep.challenge-text")),
    h("p", { class: "actions" },
      button(t("keep.stands"), () => table.commit({ kind: "stand" }), "main"),
      button(t("keep.challenge"), () => challenge(table))),
  ];
}

async function challenge(table) {
  const { state, game } = table, { player: mover, ruling } = state.phase;
  const others = state.seats.flatMap((seat, i) => (i === mover || hasLost(seat) ? [] : [i]));
  const playerSelect = selectPlayer(game.players, others[0]);
  const { element, chosen } = wordBoxes(t("keep.challenge-which"), ruling.words);
  const selection = () => {
    const words = chosen();
    return words.length ? { words, player: others.length > 1 ? Number(playerSelect.value) : others[0] } : undefined;
  };
  const price = h("p", {}, t(`keep.challenge-price-${table.rules.challenge}`));
  const body = [others.length > 1 ? field(t("keep.who"), playerSelect) : "", element, price];
  const given = await askOrCancel(t("keep.challenge"), body, t("keep.judge"), selection);
  if (given) await table.makeChallenge(given);
}

/** Have the challenged words judged, and keep the outcome. */
export async function judgeChallenge(table, given) {
  const valid = await table.busy(() => getVerdict(table, given.words));
  if (valid !== null) await table.commit({ kind: "challenge", ...given, upheld: !valid });
}
