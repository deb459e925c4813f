// The unplayed tiles round at a station: each player in turn lays one play with the tiles that the other could not play.

import { findProposers } from "./game.js";
import { describeRefusal } from "./keep-event-text.js";
import { button, h } from "./dom.js";
import { disallowedOf, judge, writeTurn } from "./rules.js";
import { t } from "./texts.js";

const MINUTE_MS = 60_000;
const TICK_MS = 250;

/** Return whether a player is laying a proposal. */
function isProposing(table) {
  return table.proposer != null && findProposers(table.state).includes(table.proposer.player);
}

/**
 * Return the panel of the round: whose minute is next, and then what is laid.
 *
 * @param {{asked: object|null}} given the proposal that has no verdict yet, as the judge could not be reached
 */
export function roundPanel(table, { asked, askAgain }) {
  const title = h("h2", {}, t("station.round-title"));
  if (asked) {
    return [title, h("p", { role: "status" }, t("station.round-unreached")),
      h("p", { class: "actions" }, button(t("station.round-ask"), askAgain, "main"))];
  }
  const { players } = table.game, [player] = findProposers(table.state);
  if (!isProposing(table)) {
    const other = players[1 - player];
    return [title, h("p", {}, t("station.round-text", { name: players[player], other })),
      h("p", { class: "actions" }, button(t("station.round-begin", { name: players[player] }),
        () => begin(table, player), "main"))];
  }
  return [title, ...layingPanel(table, player)];
}

function layingPanel(table, player) {
  const { placed, play } = table.board.laid(), { state, rules, game } = table, rack = state.racks[1 - player];
  const tiles = t("station.round-tiles", { name: game.players[player], tiles: [...rack].join(" ") });
  const ruling = play ? judge(rules, state.board, play, rack) : null, disallowed = ruling?.legal
    ? disallowedOf(rules, ruling.words) : [];
  const fault = ruling && !ruling.legal ? describeRefusal(ruling)
    : disallowed.length ? t("keep.disallowed", { words: disallowed.join(", ") })
      : placed.length && !play ? t("score.one-line") : "";
  const propose = button(t("station.round-propose"), () => send(table, player, play), "main");
  propose.disabled = !ruling?.legal || disallowed.length > 0;
  return [
    h("p", {}, tiles), table.proposer.left, h("p", { class: fault ? "fault" : "would-be" }, fault || ruling?.words.join(", ") || ""),
    h("p", { class: "actions" }, propose, placed.length > 0 && button(t("keep.take-off"), () => table.board.clear()),
      button(t("station.round-nothing"), () => send(table, player, null))),
  ];
}

/** Begin the minute of a player, at whose end nothing is proposed. */
function begin(table, player) {
  const until = Date.now() + MINUTE_MS, left = h("p", { class: "clock-told", role: "timer" });
  const proposer = { player, left };
  table.proposer = proposer;
  const tick = () => {
    const seconds = Math.ceil((until - Date.now()) / 1000);
    left.textContent = t("station.round-left", { seconds: Math.max(0, seconds) });
    if (table.signal.aborted || table.proposer !== proposer) clearInterval(timer);
    else if (seconds <= 0 && !table.isBusy) send(table, player, null);
  };
  const timer = setInterval(tick, TICK_MS);
  tick();
  table.draw();
  table.board.focus();
}

/** Keep the proposal of a player, whose tiles come off the board: the other one does not see it. */
async function send(table, player, play) {
  table.proposer = null;
  table.board.clear();
  await table.propose({ player, move: play ? writeTurn({ move: { play } }) : "" });
}
