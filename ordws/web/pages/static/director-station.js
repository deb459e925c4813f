// What a director sees of a game at a table station: the result, who attested it, and what needs a decision.

import { formatClock } from "./keep-clock.js";
import { h, scrollable, tableHead } from "./dom.js";
import { t } from "./texts.js";

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

// A verdict takes seconds, and stops the clocks for so long; more than this beside plays is for a director to ask about.
const STANDING_MS = 60_000;

/** Return the report of a game that a station sent; every time in it is the word of its device. */
export function stationReport({ players, station }) {
  const { scores, milliseconds, late, neutralised, attested, closed, began, ended, standing } = station;
  const rows = players.map((name, i) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, String(scores[i])),
    h("td", {}, formatClock(milliseconds[i])),
    h("td", {}, attested[i] ? t("boards.attested") : t("boards.not-attested"))));
  const titles = ["player", "score", "time-used", "result"].map((name) => t(`boards.${name}`));
  return [
    h("h4", {}, t("boards.station")),
    scrollable(t("boards.station"), h("table", { class: "station" }, tableHead(titles), h("tbody", {}, rows))),
    h("p", { class: "hint" }, t("boards.device-word", { began: timeOf(began), ended: timeOf(ended) })),
    closed && h("p", { class: "notice" }, t("boards.closed", { reason: closed })),
    standing > STANDING_MS && h("p", { class: "notice warning" }, t("boards.standing", { time: formatClock(standing) })),
    ...late.map((play) => h("p", { class: play.valid ? "hint" : "notice warning" }, describeLate(play))),
    ...neutralised.map(({ player, milliseconds: given, reason, at }) => h("p", { class: "notice" },
      t("boards.neutralised", { player, time: formatClock(given), reason, at: timeOf(at) }))),
  ].filter(Boolean);
}

function describeLate({ player, move, at, valid }) {
  const details = { player, move, at: timeOf(at) };
  if (valid === null) return t("boards.late-unjudged", details);
  return valid ? t("boards.late-yes", details) : t("boards.late-no", details);
}

function timeOf(text) {
  return timeFormat.format(Date.parse(text));
}
