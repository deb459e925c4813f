// What a game is: its rules, its time, its players; the same on an invitation, in the waiting room and in the list.

import { rulesOf } from "./rules.js";
import { minutesText } from "./alt-text.js";
import { h } from "./dom.js";
import { parseOptions } from "./options.js";
import { describeChanges, describeTime, titleOf } from "./option-text.js";
import { formatWhen } from "./play-problems.js";
import { t } from "./texts.js";

/** Return rule set, time and changed options of a game as a list of terms; by a standing, or by an invitation. */
export function factsOf(published, { rules, options, clock, expires, phase, event_table: event, seats }) {
  const { clock_seconds: _, ...others } = parseOptions(published, rules, options) ?? {};
  const changes = describeChanges(published, rules, others);
  const link = h("a", { href: rulesAddress(rules, options), target: "_blank" }, titleOf(published, rules));
  const facts = [
    ...(event ? [[t("play.facts-event"), describePlace(event)]] : []),
    [t("play.facts-rules"), h("span", {}, link, h("br"), h("small", {}, t(`rules.play-${rules}`)))],
    [t("play.facts-time"), describeClock(clock)],
    ...(isPractice({ seats }) ? [[t("play.facts-words"), t("play.practice-words")]] : []),
    ...(changes.length ? [[t("play.facts-changes"), changes.join("; ")]] : []),
    ...(phase === "over" ? [] : [[t("play.facts-until"), formatWhen(Date.parse(expires))]]),
  ];
  return h("dl", { class: "facts" }, facts.flatMap(([term, fact]) => [h("dt", {}, term), h("dd", {}, fact)]));
}

/** Return the rules of a game, by its standing. */
export function rulesOfGame(published, { rules, options }) {
  return rulesOf(published, rules, parseOptions(published, rules, options) ?? {});
}

/** Return the place of a game in its event: `Spring Open, round 2, table 7`. */
export function describePlace(place) {
  return place.game > 1 ? t("play.event-place-of-two", place) : t("play.event-place", place);
}

/** Return whether the program has a seat of a game; an invitation to one of people tells of no seats in this way. */
export function isPractice({ seats = [] }) {
  return seats.some(({ program }) => program);
}

/** Return whether the program may review a finished game: it reviews those of two, of an event after its end. */
export function hasReview({ seats, event_table: event }) {
  return seats.length === 2 && (!event || event.over);
}

/** Return whether nobody plays a game any more: its event goes on without it, or a player called it off. */
export function isCalledOff({ event_table: event, called_off: seat }) {
  return Boolean(event?.called_off) || Number.isInteger(seat);
}

/** Return why nobody plays a game any more. */
export function whyCalledOff(standing) {
  if (!Number.isInteger(standing.called_off)) return t("play.problem-called-off");
  return t("play.called-off-by", { name: nameOfSeat(standing, standing.called_off) });
}

/** Return the address of the page that tells these rules in plain words. */
export function rulesAddress(rules, options = {}) {
  const query = String(new URLSearchParams(options));
  return `/rules/${rules}${query ? `?${query}` : ""}`;
}

function describeClock({ kind, milliseconds }) {
  const time = describeTime(milliseconds / 1000);
  if (kind === "none" || !milliseconds) return time;
  return kind === "turn" ? t("play.time-each-turn", { time }) : t("play.time-each", { time });
}

/** Return the time that a seat has left as `12:30`, when a standing was sent; null where nothing limits the game. */
export function timeLeft({ clock, seats }, seat) {
  if (!["overtime", "total"].includes(clock.kind) || !clock.milliseconds) return null;
  const left = Math.max(0, Math.floor((clock.milliseconds - seats[seat].milliseconds) / 1000));
  return minutesText(left);
}

/** Return the name of a seat; one that nobody has taken has none yet. */
export function nameOfSeat({ seats }, seat) {
  return seats[seat].player ?? t("play.open-seat", { n: seat + 1 });
}

/** Return names as people say them: `Ann, Ben`. */
export function joinNames(names) {
  return names.join(", ");
}
