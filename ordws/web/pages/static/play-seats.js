// The seats of a table: names, scores, clocks, and the racks that lie open.

import { h } from "./dom.js";
import { faceOf } from "./play-rack.js";
import { namesOf } from "./play-sheet.js";
import { t } from "./texts.js";

/**
 * Build a line for each seat in a list.
 *
 * @returns {{update(standing: object, values: object): void, clock(seat: number, text: string, label: string,
 *   isLow: boolean): void, presence(seat: number, isHere: boolean|null, away: string): void}}
 */
export function createSeats(root, count) {
  const part = (kind) => h("span", { class: kind });
  const seats = Array.from({ length: count }, () => {
    const [name, clock, tiles, rack] = ["name", "clock", "count", "open"].map(part);
    const seat = { name, score: h("b", {}), clock, tiles, rack };
    seat.line = h("li", {}, seat.name, seat.score, seat.clock, seat.tiles, seat.rack);
    return seat;
  });
  root.append(...seats.map(({ line }) => line));
  return {
    update: (standing, values) => seats.forEach((seat, i) => draw(seat, standing, i, values)),
    presence: (i, isHere, away) => {
      seats[i].line.classList.toggle("here", isHere === true && !seats[i].isOwn);
      seats[i].away = away;
      drawState(seats[i]);
    },
    clock: (i, text, label, isLow) => {
      seats[i].clock.classList.toggle("low", isLow);
      seats[i].clock.replaceChildren(h("span", { "aria-hidden": "true" }, text), h("span", { class: "unseen" }, label));
    },
  };
}

function draw(seat, standing, i, values) {
  const { score, tiles, rack, left } = standing.seats[i], isOwn = i === standing.you, name = namesOf(standing)[i];
  seat.name.replaceChildren(h("span", {}, name));
  seat.score.textContent = String(score);
  const state = left ? t(`play-table.left-${left}`) : tilesText(tiles);
  Object.assign(seat, { isOwn, state: isOwn ? t("play-table.you", { state }) : state });
  drawState(seat);
  for (const [kind, is] of [["moving", i === standing.mover], ["gone", left], ["own", isOwn]]) {
    seat.line.classList.toggle(kind, Boolean(is));
  }
  if (i === standing.mover) seat.line.setAttribute("aria-current", "true");
  else seat.line.removeAttribute("aria-current");
  showRack(seat, isOwn ? null : rack, values, name);
}

/** Show the tiles of a player, or how long their page has been away. */
function drawState({ line, tiles, state, away, isOwn }) {
  const text = !isOwn && away ? away : state, isHere = line.classList.contains("here");
  const key = `${text}${isHere}`;
  if (tiles.dataset.is === key) return;
  tiles.dataset.is = key;
  tiles.replaceChildren(text, isHere ? h("span", { class: "unseen" }, `, ${t("play-table.here")}`) : "");
  line.classList.toggle("away", !isOwn && Boolean(away));
}

function tilesText(n) {
  return n === 1 ? t("play-table.tiles-one") : t("play-table.tiles", { n });
}

/** Show a rack that lies open, as both do in some games when the bag is empty (docs/rules.md 9.4). */
function showRack({ rack: element }, rack, values, name) {
  if (element.dataset.rack === String(rack)) return;
  element.dataset.rack = String(rack);
  element.hidden = !rack;
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", rack ? t("play-table.rack-of", { name, tiles: [...rack].join(" ") }) : "");
  element.replaceChildren(...[...(rack ?? "")].map((tile) => h("span", { class: "tile" }, faceOf(tile, values))));
}
