// After the last move: the result with the tiles left and their deductions, the attestation, the record, the picture of
// the board, and the next game of the same players.

import { positionPicture } from "./svg.js";
import { signed } from "./alt-text.js";
import { faultLine } from "./keep-dialogs.js";
import { button, h, saveFile } from "./dom.js";
import { describePlace, factsOf, hasReview, isPractice, joinNames, nameOfSeat } from "./play-facts.js";
import { canShare, finalBoard, makePicture } from "./play-picture.js";
import { practiceAgain } from "./play-practice.js";
import { actButton } from "./play-problems.js";
import { connectionLine, wordingOf } from "./play-room.js";
import { createSheet, namesOf } from "./play-sheet.js";
import { reviewSection } from "./review.js";
import { t } from "./texts.js";

const ENTRY_AT_END = /^>([^:]+):.* \((?!challenge)([^)]*)\) ([+-]\d+) -?\d+/;

/** Show the result of a game; `update` draws who has attested since, and that the next game is open. */
export function showResult(root, given) {
  const { app, game, standing, turns } = given;
  const shown = finalBoard(app.published, standing), [rules] = shown;
  const parts = {
    places: h("ol", { class: "final" }), promise: h("div", {}), again: h("div", { class: "again" }),
    seen: h("p", { class: "hint", role: "status" }), fault: faultLine(),
    review: h("div", {}),
    sheet: h("section", { class: "sheet-of-game" }, h("h2", {}, t("play-table.sheet"))), connection: connectionLine(), gains: {},
  };
  const sheet = createSheet(parts.sheet, { premium: rules.premium, load: turns, onLoad: () => {}, step: given.step });
  const draw = (next) => {
    drawPlaces(parts, next);
    drawPromise(parts, given, next);
    drawRematch(parts, given, next);
    if (!parts.review.firstChild && hasReview(next)) parts.review.replaceChildren(reviewOf(given));
    sheet.update(next);
  };
  const picture = h("img", { ...positionPicture(...shown), width: 672, height: 744 });
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, verdictOf(standing)), h("p", {}, reasonOf(standing)), parts.connection.element,
    h("div", { class: "columns even" },
      h("div", {}, parts.places, h("p", { class: "hint" }, boardText(standing.board)),
        parts.promise, parts.again, parts.seen, parts.fault, h("p", {}, h("a", { href: "/play" }, t("play.all-games")))),
      h("figure", { class: "final-board" }, picture, h("figcaption", {}, fileButtons(given, standing)))),
    parts.review, parts.sheet, factsOf(app.published, standing));
  draw(standing);
  showDeductions(parts, sheet, game, standing, app.shown.signal);
  // Who still has this page open sees a next game at once, and nobody else before they look.
  const presence = ({ here = [] } = {}) => {
    const names = standing.event_table ? [] : here.filter((seat) => seat !== standing.you).map((i) => nameOfSeat(standing, i));
    parts.seen.textContent = names.length ? t("play.again-seen", { names: joinNames(names) }) : "";
  };
  return { update: draw, connection: parts.connection.show, presence: (told) => presence(told ?? {}) };
}

/** Return the section of the review of a game that this service dealt. */
function reviewOf({ app, game, standing, turns, step }) {
  const { signal } = app.shown;
  const goTo = async (turn) => step((await turns()).turns.findIndex(({ happened }) => happened.turn === turn));
  return reviewSection({
    client: app.client, signal, about: [t("play.review-about")], names: namesOf(standing), you: standing.you,
    review: () => game.review({ signal }), step: goTo,
  });
}

function verdictOf(standing) {
  const { winners, you } = standing, names = winners.map((seat) => nameOfSeat(standing, seat));
  if (!winners.length) return t("play.nobody-wins");
  if (winners.length > 1) return t("play.tie", { names: joinNames(names) });
  return winners[0] === you ? t("play.you-win") : t("play.wins", { name: names[0] });
}

function reasonOf(standing) {
  const resigned = standing.seats.flatMap(({ left }, seat) => (left === "resigned" ? [nameOfSeat(standing, seat)] : []));
  if (standing.ending === "forfeit" && resigned.length) return t("play.why-resigned", { name: joinNames(resigned) });
  const out = standing.seats.findIndex(({ tiles }) => tiles === 0);
  return t(`play.why-${standing.ending}`, { name: out < 0 ? "" : nameOfSeat(standing, out) });
}

function boardText({ words, mean_length: meanLength }) {
  if (!words) return "";
  const letters = meanLength.toFixed(2);
  return words === 1 ? t("play.board-one", { letters }) : t("play.board-words", { n: words, letters });
}

/** Draw the players, the best first, each with the tiles left, what they cost, and points and seconds a turn. */
function drawPlaces({ places, gains }, standing) {
  const wins = ({ i }) => Number(standing.winners.includes(i));
  const order = standing.seats.map((seat, i) => ({ ...seat, i })).sort((a, b) => wins(b) - wins(a) || b.score - a.score);
  places.replaceChildren(...order.map((seat) => h("li", {},
    h("span", {}, nameOfSeat(standing, seat.i), seat.i === standing.you ? ` (${t("play.you")})` : "",
      h("small", {}, detailsOf(seat, gains[seat.i]).join(" \u00b7 "))),
    h("b", {}, String(seat.score)))));
}

function detailsOf({ left, rack, points_per_turn: points, seconds_per_turn: seconds }, gain) {
  return [
    left && t(`play.left-${left}`),
    points === null ? t("play.no-turns") : t("play.ppt", { points: points.toFixed(1) }),
    seconds ? t("play.seconds-a-turn", { seconds: seconds.toFixed(1) }) : null,
    rack ? t("play.tiles-left", { tiles: [...rack].join(" ") }) : null,
    gain ? t("play.deducted", { points: signed(gain) }) : null,
  ].filter(Boolean);
}

/** Read from the record what the tiles left and the time have cost each player, or brought them. */
async function showDeductions(parts, sheet, game, standing, signal) {
  const record = await game.record({ signal }).catch(() => "");
  const lines = record.split("\n").filter(Boolean), nicks = nicksOf(lines), ends = [];
  for (const line of lines.reverse()) {
    const [, nick, what, points] = ENTRY_AT_END.exec(line) ?? [];
    if (nick) ends.unshift({ seat: nicks.indexOf(nick), text: endText(what), points: Number(points) });
    else if (!line.startsWith("#")) break;
  }
  if (signal.aborted) return;
  for (const { seat, points } of ends) parts.gains[seat] = (parts.gains[seat] ?? 0) + points;
  drawPlaces(parts, standing);
  sheet.end(ends);
}

function endText(what) {
  return what === "time" ? t("play-table.sheet-time") : t("play-table.sheet-tiles", { tiles: [...what].join(" ") });
}

function nicksOf(lines) {
  return lines.flatMap((line) => /^#player\d (\S+)/.exec(line)?.slice(1) ?? []);
}

/** Draw the attestation, with its button until this player has given it. */
function drawPromise({ promise, fault }, { app, game }, standing) {
  if (!standing.promises) return;
  const { attestation } = standing.promises, hasAttested = standing.seats[standing.you].attested;
  const isOther = ({ attested }, seat) => attested && seat !== standing.you;
  const others = standing.seats.flatMap((each, seat) => (isOther(each, seat) ? [nameOfSeat(standing, seat)] : []));
  const { signal } = app.shown, { version } = attestation;
  const confirm = actButton(t("play.attest-do"), () => game.attest({ version, signal }), { fault, signal });
  promise.replaceChildren(h("section", { class: "sheet", "aria-labelledby": "attest" },
    h("h2", { id: "attest" }, t("play.attest-title")), wordingOf(attestation.text),
    hasAttested ? h("p", { role: "status" }, t("play.attested")) : h("p", { class: "actions" }, confirm),
    others.length ? h("p", { class: "hint" }, t("play.attested-by", { names: joinNames(others) })) : null));
}

/** Draw the offer of the next game, or the way to it where another player has opened it; starts move on by one. */
function drawRematch({ again, fault }, { app, game, entry }, standing) {
  if (isPractice(standing)) {
    if (!again.firstChild) again.replaceChildren(...practiceAgain(app, standing));
    return;
  }
  if (!standing.promises) return;
  if (standing.event_table) {
    again.replaceChildren(h("p", { role: "status" }, t("play.event-result", { place: describePlace(standing.event_table) })));
    return;
  }
  const name = nameOfSeat(standing, 1), isOpen = standing.rematch !== null;
  const { signal } = app.shown;
  const rematch = async () => {
    const opened = await game.rematch({ signal }), { name: own, players } = entry();
    await app.goToNew(opened, own, players);
  };
  const go = actButton(isOpen ? t("play.again-take") : t("play.again"), rematch, { fault, signal });
  const text = isOpen ? t("play.again-asked", { name }) : t("play.again-hint", { name });
  again.replaceChildren(h("p", { role: "status" }, text), h("p", { class: "actions" }, go));
}

/** Return the buttons that save the record, and share or save the picture of the board. */
function fileButtons({ app, game }, standing) {
  const told = h("p", { class: "hint", role: "status" }, t("play.board-hint")), name = fileName(standing);
  const saveRecord = async () => {
    try {
      saveFile(new File([await game.record({ signal: app.shown.signal })], `${name}.gcg`, { type: "text/plain" }));
    } catch {
      told.textContent = t("play.save-failed");
    }
  };
  // Made before the tap, as a browser lets a page share only at once in answer to it.
  const picture = makePicture(app.published, standing, `${name}.png`);
  const share = button(t("play.share-board"), async () => {
    // A player who closes the device's own dialog has shared nothing, which is no fault.
    await navigator.share({ files: [await picture] }).catch(() => {});
  });
  share.hidden = true;
  picture.then((file) => (share.hidden = !canShare(file)));
  return [
    h("p", { class: "actions" }, share, button(t("play.save-board"), async () => saveFile(await picture)),
      button(t("play.save"), saveRecord)),
    told,
  ];
}

function fileName(standing) {
  const names = standing.seats.map((_, seat) => nameOfSeat(standing, seat).replace(/[^\p{L}\p{N}]+/gu, "_"));
  return [new Date(standing.moment_ms).toISOString().slice(0, 10), ...names].join("-");
}
