// A game step by step, in a dialog: the board, the racks, the bag and the scores after each move, by buttons and keys.

import { showInDialog } from "./keep-dialogs.js";
import { signed } from "./alt-text.js";
import { positionPicture } from "./svg.js";
import { emptyBoard, rulesOf } from "./rules.js";
import { button, h } from "./dom.js";
import { readGcg, seatLines, sideOf, stepsOf } from "./game-steps.js";
import { readOptions } from "./options.js";
import { t } from "./texts.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const STANDARD_NAMES = /^(crosswordgame( with wings)?|standard(15|21)?|classic|scrabble-?i|dover)$/i;

/**
 * Show the steps of a game until the dialog is closed.
 *
 * @param {{rules: object, names: string[], steps: import("./game-steps.js").Step[], texts: string[], at: number|null,
 *   onStep?: (at: number|null) => void}} given `texts` say what led to each step; `at` is the first to show, by default
 *   the last; `onStep` is called with the number of each step that is shown, and with null at the end
 */
export async function showSteps({ rules, names, steps, texts, at, onStep = () => {} }) {
  const last = steps.length - 1, picture = h("img", { width: 672, height: 744 });
  const told = h("p", { class: "told", role: "status" }), place = h("span", { class: "place" });
  const racks = h("tbody", {}), bag = h("p", { class: "hint" });
  const go = (by) => show(Math.min(last, Math.max(0, now + by)));
  const way = (name, by) => button(t(`steps.${name}`), () => go(by));
  const ways = [way("first", -Infinity), way("back", -1), place, way("on", 1), way("last", Infinity)];
  let now = Math.min(at ?? last, last);
  function show(next) {
    const { board, last: squares, racks: tiles, scores, bag: left } = steps[next];
    now = next;
    const title = names.map((name, i) => `${name} ${scores[i] ?? 0}`).join(", ");
    Object.assign(picture, positionPicture(rules, board, { title, last: squares }));
    told.textContent = texts[next];
    place.textContent = t("steps.place", { n: next, of: last });
    racks.replaceChildren(...names.map((name, i) => h("tr", {}, h("th", { scope: "row" }, name),
      h("td", { class: "tiles-of" }, tiles[i] ? [...tiles[i]].join(" ") : t("steps.not-known")),
      h("td", {}, String(scores[i] ?? 0)))));
    bag.textContent = t("steps.bag", { n: left });
    onStep(next);
  }
  const body = h("div", { class: "stepper" }, picture, h("div", {}, told,
    h("table", {}, h("caption", { class: "unseen" }, t("steps.racks")), racks), bag,
    h("p", { class: "ways" }, ways), h("p", { class: "hint" }, t("steps.hint"))));
  show(now);
  const closed = showInDialog(t("steps.title"), [body], undefined, "wide");
  body.closest("dialog").addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(KEYS[event.key]);
  });
  ways[1].focus();
  await closed;
  onStep(null);
}

/** Show the steps of a record (GCG); returns false for a text that is none. Nothing is sent, and no word is judged. */
export async function showRecord(published, text, { at = null, onStep } = {}) {
  const record = readGcg(text);
  if (!record) return false;
  const rules = rulesOfRecord(published, record), { names, lines } = seatLines(record);
  const isTurned = /lettered-rows/.test(record.pragmas.orientation ?? "");
  const steps = stepsOf(lines, {
    players: names.length, side: rules.layout.side, tiles: rules.scoop, rackSize: rules.rack_size, hasSwap: rules.swap,
    isTurned, racks: record.racks,
  });
  const texts = [t("steps.begin"), ...lines.map((line, i) => textOf(line, names, steps[i + 1]))];
  await showSteps({ rules, names, steps, texts, at, onStep });
  return true;
}

/** Return the rules that a record names, or the regular game's on a board that its plays fit. */
function rulesOfRecord(published, record) {
  const [, id, options] = /^ordws\s+rules=(\S+)\s*(.*)$/.exec(record.pragmas.description ?? "") ?? [];
  const given = published.rules[id] ? readOptions(published, id, options.replaceAll(" ", "&")) : null;
  if (given) return rulesOf(published, id, given);
  const rules = published.rules.classic, side = sideOf(record, null);
  const name = record.pragmas["board-layout"] ?? record.pragmas["game-board"] ?? "CrosswordGame";
  const fitting = Object.values(published.rules).find(({ layout }) => layout.side === side);
  if (fitting && STANDARD_NAMES.test(name)) return { ...rules, layout: fitting.layout };
  // Of a board that no rule set has, its size alone is known.
  const middle = side >> 1, layout = { ...rules.layout, side, wings: 0, inner: emptyBoard(side), start: [middle, middle] };
  return { ...rules, layout };
}

function textOf({ seat, move, points }, names, { scores, play }) {
  return `${names[seat]}: ${play ?? describeMove(move)} ${signed(points)} (${scores[seat]})`;
}

function describeMove(move) {
  const tiles = [...move.replace(/[()-]/g, "")].join(" ");
  if (move === "-") return t("steps.passed");
  if (move === "--") return t("steps.taken-off");
  if (move.startsWith("-")) return t("steps.exchanged", { tiles });
  if (/^\(time\)$/i.test(move)) return t("play-table.sheet-time");
  if (/^\(challenge\)$/i.test(move)) return t("steps.challenge");
  return move.startsWith("(") ? t("play-table.sheet-tiles", { tiles }) : move;
}
