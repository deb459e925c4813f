// The events of a kept game as sentences.

import { hasAdded, scoresOf, completedTurns } from "./game.js";
import { at, laidSquares, squareName } from "./rules.js";
import { tilePlacement } from "./gcg-export.js";
import { t } from "./texts.js";
import { pointsOf, describeFault, signed } from "./alt-text.js";

const PLAY_FAULTS = [
  "off-board", "square-taken", "no-new-tile", "gap", "misses-centre", "not-connected", "not-on-rack", "too-many-tiles",
  "no-word-formed", "main-word-too-short", "only-two-letter-words", "main-word-in-wings", "no-tile-on-inner-board",
  "swap-not-allowed", "no-such-blank",
];

/** Return a sentence that says why an event cannot happen now. */
export function describeRefusal({ fault, details }) {
  if (PLAY_FAULTS.includes(fault)) return describeFault({ fault, details });
  if (fault === "no-such-tile") {
    return t("keep.no-such-tile", { ...details, tile: details.tile === "?" ? t("tiles.blank") : details.tile });
  }
  if (fault === "bag-too-low") return t("keep.bag-too-low", details);
  if (fault === "disallowed-word") return t("keep.disallowed", { words: details.word });
  return t("keep.not-now");
}

/** Describe an event, by the states before and after it. */
export function describeEvent({ players }, event, before, now) {
  const name = players[event.player ?? before.phase.player];
  return DESCRIPTIONS[event.kind](name, event, before, now);
}

const DESCRIPTIONS = {
  swap: (name, { square }, before) =>
    t("keep.told-swap", { name, square: squareName(square), letter: at(before.board, square).toUpperCase() }),
  play: (name, event, before, now) => describePlay(name, now.turns.findLast(({ move }) => move.play)),
  exchange: (name, { count: n }) =>
    n === 1 ? t("keep.told-exchange-one", { name }) : t("keep.told-exchange", { name, n }),
  pass: (name) => t("keep.told-pass", { name }),
  challenge: (name, { upheld }) =>
    upheld ? t("keep.told-challenge-holds", { name }) : t("keep.told-challenge-fails", { name }),
  stand: (name, _, { phase }) =>
    phase.name === "may-check" ? t("keep.told-no-check", { name }) : t("keep.told-stands", { name }),
  check: (name, { found, word }, _, now) => describeCheck(name, found, word, now),
  catch: (_, { turn }, before) => t("keep.told-catch", { move: tilePlacement(before.turns[turn].ruling) }),
  clock: (_, { runs }) => (runs ? t("keep.told-clock-runs") : t("keep.told-clock-stops")),
  time: (name, { seconds, reason = "" }) => t("keep.told-time", { name, seconds: signed(seconds), reason }).trim(),
  "time-up": (name) => t("keep.told-time-up", { name }),
  adjust: (name, { points, reason }) => t("keep.told-adjust", { name, points: signed(points), reason }),
  overdraw: (name, { count: n, returned }) => (returned
    ? t("keep.told-overdraw-tiles", { name, n, tiles: returned })
    : t("keep.told-overdraw", { name, n })),
  leave: (name) => t("keep.told-leave", { name }),
  end: () => t("keep.told-end"),
  unplayed: () => t("keep.told-unplayed"),
  propose: (name, { player }, _, now) => describeProposal(name, now.proposals.find((made) => made.player === player)),
};

function describeProposal(name, { ruling, isAcceptable, points }) {
  const words = ruling?.words.join(", ");
  if (!ruling) return t("keep.told-propose-nothing", { name });
  return isAcceptable ? t("keep.told-propose", { name, words, points: pointsOf(points) })
    : t("keep.told-propose-off", { name, words });
}

function describePlay(name, { ruling, fate }) {
  const move = tilePlacement(ruling), words = ruling.words.join(", ");
  if (fate === "off") return t("keep.told-off", { name, move, words });
  return t("keep.told-play", { name, move, words, points: pointsOf(ruling.score) });
}

function describeCheck(name, found, word, now) {
  const subject = word || t("keep.the-play");
  if (!found) return t("keep.told-not-found", { name, word: subject });
  const isOne = now.phase.name === "may-check";
  return isOne ? t("keep.told-found-one", { name, word: subject }) : t("keep.told-found", { name, word: subject });
}

/** Return the lines of a score sheet: one for each event, and one for each other player whose score it changed. */
export function scoreSheetOf(game, states) {
  const linesFor = (event, i) => (event.kind === "clock" ? [] : linesOf(game, event, states[i], states[i + 1]));
  return game.events.flatMap(linesFor);
}

function linesOf(game, event, before, now) {
  const old = scoresOf(before), totals = scoresOf(now), gains = totals.map((total, player) => total - old[player]);
  const mover = event.player ?? before.phase.player;
  const others = gains.flatMap((gain, player) => (gain && player !== mover ? [player] : []));
  const line = (text, player) => ({ text, turn: null, receipt: null, points: gains[player], total: totals[player] });
  const receipt = event.kind === "play" ? now.turns.at(-1).ruling.receipt : null;
  const first = { ...line(describeEvent(game, event, before, now), mover), receipt, turn: completedTurns(before) + 1 };
  const lost = event.kind === "time-up" ? [] : now.turns.map((turn, i) => ({ ...turn, number: i + 1 }))
    .slice(before.turns.length).filter(({ fate }) => fate === "lost");
  return [
    first, ...others.map((player) => line(game.players[player], player)),
    ...lost.map(({ player, number }) =>
      ({ ...line(t("keep.told-turn-lost", { name: game.players[player] }), player), points: 0, turn: number })),
  ];
}

/** Return the names of the squares of the last play on the board, and its receipt. */
export function lastPlay({ turns }) {
  const receipt = turns.findLast(hasAdded)?.ruling.receipt ?? null;
  return { squares: receipt ? laidSquares(receipt) : [], receipt };
}
