// What a refusal means for a player: what happened, and what to do. The service's own details are for programs.

import { button } from "./dom.js";
import { OrdwsProblem, Unreachable } from "./client.js";
import { t } from "./texts.js";

const DAY_MS = 86_400_000;
const EXPLAINED = [
  "bad-play-link", "too-many-games", "budget-spent", "bad-invitation", "own-invitation", "seat-taken",
  "bad-recovery-code", "too-many-guesses", "bad-seat", "seat-moved", "not-started", "oath-changed", "called-off", "turn-taken",
  "not-your-turn", "game-over", "game-not-over", "cross-site", "unknown-rules", "unknown-option", "too-many-players",
  "bad-request", "not-found", "no-program", "too-busy", "store-down",
];

/** Return the sentences for an error of the client; any other error is a mistake of the page and is thrown again. */
export function explain(error) {
  if (error instanceof Unreachable) return t("play.problem-unreachable");
  if (!(error instanceof OrdwsProblem)) throw error;
  const { code, retryAfter } = error, when = formatWhen(Date.now() + 1000 * (retryAfter ?? 60));
  return EXPLAINED.includes(code) ? t(`play.problem-${code}`, { when }) : t("play.problem-other", { code });
}

/** Return a button that is off while it acts, and on again once a refusal is explained in the line for faults. */
export function actButton(label, act, { fault, signal }, kind = "main") {
  const made = button(label, async () => {
    made.disabled = true;
    fault.textContent = "";
    try {
      await act();
    } catch (error) {
      made.disabled = false;
      if (!signal.aborted) fault.textContent = explain(error);
    }
  }, kind);
  return made;
}

/** Return a moment of today or tomorrow in words, and any other as a date. */
export function formatWhen(moment) {
  const date = new Date(moment), midnight = (day) => new Date(day).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(date) - midnight(Date.now())) / DAY_MS);
  const time = date.toLocaleTimeString(undefined, { timeStyle: "short" });
  if (days === 0) return t("play.today-at", { time });
  if (days === 1) return t("play.tomorrow-at", { time });
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
