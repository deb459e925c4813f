// The clocks on the screen. The time itself follows from the events, each of which says when it was.

import { every } from "./views.js";
import { minutesText } from "./alt-text.js";
import { findExpiry, hasGameLimit, hasTurnLimit, isOver, isUntimed, onClock, readClock } from "./game.js";
import { askInDialog } from "./keep-dialogs.js";
import { saveHeartbeat } from "./keep-store.js";
import { h } from "./dom.js";
import { lowOf } from "./play-clocks.js";
import { t } from "./texts.js";

const TICK_MS = 250;
const ALIVE_MS = 10_000;
const AWAY_MS = 90_000;
const GRACE_MS = 10_000;

/**
 * Return since when the clock ran while the game was on no screen, by when it was `seen` last; null where that was not
 * long.
 */
export function absentSince({ state, rules }, seen) {
  const isRunning = isTimed({ rules }) && state.clock.runs && !isOver(state);
  return isRunning && Date.now() - seen >= AWAY_MS ? seen : null;
}

/** Show the clocks for as long as the game is shown; ask first what to do with time in which nobody was present. */
export async function startClock(table) {
  if (!isTimed(table)) return;
  if (table.absentSince !== null) await askAboutAbsence(table);
  if (table.signal.aborted) return;
  showRunningClocks(table);
  every(ALIVE_MS, () => saveHeartbeat(table.game.id), table.signal);
}

/** Show the clocks as they run, and keep the end of a player's time, until the game is not shown any more. */
export function showRunningClocks(table) {
  every(TICK_MS, () => onTick(table), table.signal);
}

/** Return whether this game has clocks. */
export function isTimed({ rules }) {
  return hasTurnLimit(rules) || !isUntimed(rules);
}

/** Ask whether the time counts during which the game was on no screen. Until that is settled no clock shows it. */
async function askAboutAbsence(table) {
  const since = table.absentSince;
  const text = t("keep.away-text", { minutes: Math.round((Date.now() - since) / 60_000) });
  const counts = await askInDialog(t("keep.away-title"), [h("p", {}, text)], [
    { label: t("keep.away-counts"), value: true }, { label: t("keep.away-leave-out"), value: false, main: true },
  ]);
  if (table.signal.aborted) return;
  if (!counts) await table.commit({ kind: "clock", runs: false, at: since });
  table.absentSince = null;
  showClocks(table);
}

/** Show each player's clock as it is now. */
export function showClocks(table) {
  if (!isTimed(table)) return;
  const now = readClock(table.state, table.absentSince ?? Date.now());
  const shown = table.parts.scores.querySelectorAll(".clock"), low = lowOf({ milliseconds: 1000 * table.rules.clock_seconds });
  shown.forEach((clock, player) => {
    const left = timeLeft(now, player);
    clock.textContent = left === null ? "" : formatClock(left);
    clock.classList.toggle("low", left !== null && left < low && now.clock.runs);
  });
}

/** Return the time left to a player, negative where it is over; null where the player has no clock now. */
function timeLeft(state, player) {
  const all = 1000 * state.rules.clock_seconds;
  if (!hasTurnLimit(state.rules)) return all - state.seats[player].ms;
  return player === onClock(state) ? all - state.clock.turn : null;
}

/** Return a time such as `12:04` or `-0:09`. */
export function formatClock(ms) {
  const seconds = Math.abs(ms < 0 ? Math.floor(ms / 1000) : Math.ceil(ms / 1000));
  return `${ms < 0 ? "-" : ""}${minutesText(seconds)}`;
}

function onTick(table) {
  showClocks(table);
  const now = readClock(table.state, Date.now()), player = onClock(now), { clock } = table.parts;
  const isUp = now.clock.runs && player !== null && timeLeft(now, player) <= 0;
  const message = isUp ? t("keep.time-is-up", { name: table.game.players[player] }) : "";
  if (clock.textContent !== message) clock.textContent = message;
  if (!isUp || table.isBusy) return;
  const isOut = findExpiry(now.rules, now.seats[player].ms) !== null;
  const isTurnOver = hasTurnLimit(now.rules) && timeLeft(now, player) <= -GRACE_MS
    && now.phase.name !== "may-be-challenged";
  if (hasGameLimit(now.rules) || isOut || isTurnOver) table.commit({ kind: "time-up", player });
}
