/**
 * What the slip of a rule set says: ordws/pictures/slip.py for the browser, held equal to it by
 * tests/pages/test_slip_js.py. Pure.
 *
 * @typedef {{tiles: number, points: number, isStarred: boolean}} SlipBonus
 * @typedef {{minimum: string, bigPlay: SlipBonus[], stretchFrom: string, stretch: SlipBonus[], twos: string[],
 *   notes: string[]}} SlipContent
 */

import { describeTime } from "./option-text.js";
import { countTiles } from "./rules.js";
import { t } from "./texts.js";

const SUGGESTED_MINUTES = 25;
const CLASSIC_RACK = 7;
const CLASSIC_SCOOP = 100;
const NAMED_LENGTHS = 7;

/**
 * Return what the slip of a rule set says, with the name of its set of tiles.
 *
 * @returns {SlipContent}
 */
export function slipContent(rules, tileSet) {
  const isBigPlay = (n) => (rules.big_play[Math.min(n, rules.big_play.length - 1)] ?? 0) > 0;
  const lines = (table, starred) => table.flatMap((points, n) =>
    (n && (points || starred) ? [{ tiles: n, points, isStarred: starred && isBigPlay(n) }] : []));
  const length = rules.stretch_from;
  return {
    minimum: t(`slips.minimum-${rules.minimum}`), bigPlay: lines(rules.big_play, false),
    stretchFrom: length <= NAMED_LENGTHS ? t(`slips.decent-${length}`) : t("slips.decent-more", { n: length }),
    stretch: rules.stretch.some(Boolean) ? lines(rules.stretch, true) : [],
    twos: [...rules.two_letter_words].sort(), notes: notesOf(rules, tileSet),
  };
}

function notesOf(rules, tileSet) {
  const { check_ospd: check, allow, strike } = rules;
  return [
    ...equipmentOf(rules), tilesOf(rules, tileSet), t(`slips.challenge-${rules.challenge}`),
    rules.disallowed_words.length && t("slips.disallowed"),
    rules.offensive === "disallowed" && t("slips.offensive"),
    allow.length && t("slips.allow", { words: allow.join(", ") }),
    strike.length && t("slips.strike", { words: strike.join(", ") }),
    check !== "none" && t(`slips.check-ospd-${check}`),
    squaresOf(rules), rules.small_word_cap && t("slips.cap"), rules.expose_final_rack && t("slips.expose"),
    clockOf(rules), rules.swap && t("slips.swap"),
    hasStar(rules) && t("slips.star"),
  ].filter(Boolean);
}

function equipmentOf({ layout, rack_size: rack, wings }) {
  const { side } = layout, isClassic = rack === CLASSIC_RACK;
  const whole = isClassic ? t("slips.equipment-classic", { side, rack }) : t("slips.equipment", { side, rack });
  if (!layout.wings) return [whole];
  const inWings = wings === "anywhere" ? "" : t(`slips.wings-${wings}`);
  return [isClassic ? t("slips.rack-classic", { rack }) : t("slips.rack", { rack }), t("slips.extended"), inWings];
}

function tilesOf(rules, tileSet) {
  const tiles = t(`slips.tiles-${tileSet}`), total = countTiles(rules.tiles);
  if (rules.scoop >= total) return t("slips.tiles-whole", { tiles });
  return rules.scoop === CLASSIC_SCOOP
    ? t("slips.tiles-random", { tiles })
    : t("slips.tiles-scoop", { n: rules.scoop, tiles });
}

function squaresOf({ premium }) {
  const isAdded = premium === "add", combined = (n) => (isAdded ? n + n : n * n);
  return t("slips.squares", { how: premium, sign: isAdded ? "+" : "x", two: combined(2), three: combined(3) });
}

function clockOf({ clock, clock_seconds: seconds, overtime_points: points }) {
  if (clock === "total" && !seconds) return t("slips.clock-agree", { n: SUGGESTED_MINUTES });
  return clock === "none" || !seconds ? "" : t(`slips.clock-${clock}`, { time: describeTime(seconds), points });
}

function hasStar({ stretch, big_play: bigPlay }) {
  return stretch.some((_, n) => (bigPlay[Math.min(n, bigPlay.length - 1)] ?? 0) > 0);
}
