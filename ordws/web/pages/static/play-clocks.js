// The clocks of a game as they run between two standings. The server's time alone counts: a standing says how much each
// seat has used, and from then on this page counts by its own monotonic clock.

import { every } from "./views.js";
import { minutesText } from "./alt-text.js";
import { t } from "./texts.js";

const TICK_MS = 100;
const TENTHS_BELOW_MS = 10_000;
const LOW_MS = 60_000;
const LOW_PART = 0.2;
// The server waits a little before it takes a move as too late, and calls upon a player whose turn has lasted too long:
// only then is there news to fetch.
const ASK_AFTER_MS = 700;
const ASK_AGAIN_MS = 2_000;

/**
 * Show the clocks of the seats until the signal ends them.
 *
 * @param {{draw: (seat: number, text: string, label: string, isLow: boolean) => void, flag: () => void,
 *   low: (seat: number) => void}} given `draw` shows a clock, and is called when it changes; `flag` is called when the
 *   time of the mover is up by this page's clock, and again until a standing shows what became of it; `low` once, when
 *   the mover has one minute left
 * @returns {{update(standing: object): void}}
 */
export function createClocks({ draw, flag, low }, signal) {
  const clocks = { draw, flag, low, standing: null, received: 0, shown: [], asked: 0, told: new Set() };
  every(TICK_MS, () => tick(clocks), signal);
  return {
    update(standing) {
      Object.assign(clocks, { standing, received: performance.now(), asked: 0 });
      tick(clocks);
    },
  };
}

function tick(clocks) {
  const { standing, received } = clocks;
  if (!standing) return;
  const passed = performance.now() - received;
  standing.seats.forEach((_, seat) => show(clocks, seat, timeLeft(standing, seat, passed)));
  const { clock, unplayed_round: round } = standing, mover = standing.mover ?? round?.seats[0] ?? null;
  const left = mover === null ? null : timeLeft(standing, mover, passed);
  if (left === null) return;
  if (left < LOW_MS && clock.milliseconds > 2 * LOW_MS && !clocks.told.has(mover)) {
    clocks.told.add(mover);
    if (left > LOW_MS - 5 * TICK_MS) clocks.low(mover);
  }
  if (left < -(round ? 0 : allowance(clock)) - ASK_AFTER_MS && passed - clocks.asked > ASK_AGAIN_MS) {
    clocks.asked = passed;
    clocks.flag();
  }
}

/** Return the time that is little: a minute, or of a shorter clock a fifth. */
export function lowOf({ milliseconds }) {
  return Math.min(LOW_MS, milliseconds * LOW_PART);
}

/** Return the time after the end of a clock in which the game goes on. */
function allowance({ kind, overtime_minutes: minutes }) {
  return kind === "overtime" ? 60_000 * minutes : 0;
}

/**
 * Return the milliseconds that are left to a seat, negative where its time is over; null where it has no clock now.
 */
export function timeLeft({ clock, seats, mover, unplayed_round: round }, seat, passed) {
  if (round?.seats.includes(seat)) return round.milliseconds - round.running_ms - passed;
  const runs = seat === mover ? passed : 0;
  const isUntimed = clock.kind === "none" || !clock.milliseconds;
  if (isUntimed || (seats[seat].left && clock.kind !== "overtime")) return null;
  if (clock.kind !== "turn") return clock.milliseconds - seats[seat].milliseconds - runs;
  return seat === mover ? clock.milliseconds - clock.running_ms - runs : null;
}

function show({ shown, standing, draw }, seat, left) {
  const text = left === null ? "" : formatTime(left), isLow = left !== null && left < lowOf(standing.clock) && seat === standing.mover;
  const key = `${text}${isLow}`;
  if (shown[seat] === key) return;
  shown[seat] = key;
  draw(seat, text, left === null ? "" : describeTime(left), isLow);
}

/** Return a time such as `12:04`, `0:09.3` or `-0:09`. */
function formatTime(ms) {
  const isShort = 0 <= ms && ms < TENTHS_BELOW_MS;
  // A clock shows 0:00 only when nothing is left.
  const seconds = ms < 0 ? Math.floor(-ms / 1000) : Math.ceil(ms / 1000);
  if (isShort) return `0:0${(Math.ceil(ms / 100) / 10).toFixed(1)}`.replace("0:010.0", "0:10");
  return `${ms < 0 ? "-" : ""}${minutesText(seconds)}`;
}

/** Return a time as a screen reader says it, to the minute above two of them: `1 minute 58 seconds left`. */
export function describeTime(ms) {
  const minutes = Math.floor(Math.abs(ms) / 60_000), seconds = Math.floor((Math.abs(ms) % 60_000) / 1000);
  if (ms === 0) return t("play-table.time-none");
  const counted = [minutes && counting("minute", minutes), (minutes < 2 || ms < 0) && seconds && counting("second", seconds)];
  const time = counted.filter(Boolean).join(" ") || counting("second", 0);
  return ms < 0 ? t("play-table.time-over", { time }) : t("play-table.time-left", { time });
}

function counting(unit, n) {
  return t(`play-table.${n === 1 ? `one-${unit}` : `${unit}s`}`, { n });
}
