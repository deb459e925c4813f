// Whether the pages of the other players are connected, as the stream tells it; how long one is away, this page counts on.

import { every } from "./views.js";
import { minutesText } from "./alt-text.js";
import { t } from "./texts.js";

// A page that is loaded anew, or changes networks, is back by then.
const GRACE_MS = 5_000;
const TICK_MS = 1_000;

/**
 * Follow who is there until the signal ends it.
 *
 * @param {number} count of the seats
 * @param {(seat: number, isHere: boolean|null, away: string) => void} draw shows a seat: whether its page is connected,
 *   null where nobody knows, and for how long it has not been, as `away 0:40`
 * @returns {{update(presence: {here: number[], away_ms: object}|null): void}}
 */
export function createPresence(count, draw, signal) {
  let known = null, received = 0;
  const tick = () => {
    for (let seat = 0; seat < count; seat += 1) draw(seat, ...stateOf(known, seat, performance.now() - received));
  };
  every(TICK_MS, tick, signal);
  return {
    update(presence) {
      known = presence;
      received = performance.now();
      tick();
    },
  };
}

/** Return whether a seat is connected, and since when it has not been, some time after it was told. */
export function stateOf(presence, seat, passed) {
  if (presence?.here?.includes(seat)) return [true, ""];
  const left = presence?.away_ms?.[seat];
  if (left === undefined) return [null, ""];
  const away = left + passed;
  return away < GRACE_MS ? [true, ""] : [false, t("play-table.away", { time: minutesText(Math.floor(away / 1000)) })];
}
