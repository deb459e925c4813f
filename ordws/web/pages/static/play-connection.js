// What is wrong between this page and the service, in a line that says what it means for the game and what to do.

import { button, h } from "./dom.js";
import { t } from "./texts.js";

const LOST_SEAT = ["bad-seat", "seat-moved"];
const STALE = ["turn-taken", "not-your-turn", "play-in-question", "challenge-not-allowed", "check-not-allowed"];
const KNOWN = ["disallowed-word", "budget-spent", "game-over", "not-started"];

/**
 * Show troubles in an element.
 *
 * @param {HTMLElement} root
 * @returns {{state(state: "live"|"polling"|"offline"|"replaced", isRunning: boolean): void,
 *   problem(problem: object): void, unsent(retry: () => void): void, settle(): void}} `problem` shows why a move was
 *   refused, `unsent` that it could not be sent, `settle` that neither holds any more
 */
export function createConnection(root) {
  const line = h("p", { class: "notice warning", role: "alert", hidden: true });
  const state = h("p", { class: "notice warning", role: "status", hidden: true });
  root.append(state, line);
  return {
    state: (name, isRunning) => showState(state, name, isRunning),
    problem: (problem) => show(line, ...describeProblem(problem), " ", button(t("play-table.close"), () => show(line))),
    unsent: (retry) => show(line, t("play-table.unsent"), " ", button(t("play-table.send-again"), retry)),
    settle: () => show(line),
  };
}

function show(line, ...parts) {
  const hadFocus = line.contains(document.activeElement);
  line.replaceChildren(...parts);
  line.hidden = !parts.length;
  if (hadFocus) document.querySelector(".play-table [role=gridcell][tabindex='0']")?.focus();
}

function showState(line, name, isRunning) {
  if (name === "replaced") {
    show(line, t("play-table.replaced"), " ", button(t("play-table.go-on-here"), () => location.reload()));
  } else if (name === "offline") show(line, isRunning ? t("play-table.offline-running") : t("play-table.offline"));
  else show(line);
}

/** Return what happened to a move that the service refused, and what can be done. */
function describeProblem({ code, detail, status }) {
  const toSeat = h("a", { href: "/play" }, t("play-table.to-seat"));
  if (LOST_SEAT.includes(code)) return [t("play-table.problem-seat"), " ", toSeat];
  if (STALE.includes(code)) return [t("play-table.problem-stale")];
  if (KNOWN.includes(code)) return [t(`play-table.problem-${code}`)];
  return [status >= 500 ? t("play-table.problem-service") : t("play-table.problem-other", { detail: detail ?? code })];
}
