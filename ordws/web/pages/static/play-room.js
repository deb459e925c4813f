// Before the first tile: the waiting room, in which the seats are given away, and the oath, which everybody takes.

import { callOff } from "./play-dialogs.js";
import { faultLine } from "./keep-dialogs.js";
import { button, h } from "./dom.js";
import { factsOf, isCalledOff, joinNames, nameOfSeat, whyCalledOff } from "./play-facts.js";
import { actButton } from "./play-problems.js";
import { gameAddress, isThisDevice, linkToShare, recoveryPanel } from "./play-sharing.js";
import { titleOf } from "./option-text.js";
import { t } from "./texts.js";

/** Show the waiting room; `update` draws who has come since. */
export function showWaitingRoom(root, { app, id, entry, game, standing }) {
  const players = playersList(standing), off = callOffButton(game, standing), links = h("div", { class: "links" });
  const open = (shown) => shown.seats.flatMap(({ taken }, seat) => (taken ? [] : [seat]));
  const connection = connectionLine();
  const draw = (shown) => {
    players.draw(shown);
    off.hidden = !shown.may_call_off;
    links.replaceChildren(...(isCalledOff(shown) ? [calledOff(shown)] : linksOf(app, id, entry(), shown, open(shown))));
  };
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, standing.seats.length > 2 ? t("play.room-title-many") : t("play.room-title")),
    connection.element,
    h("div", { class: "columns even" },
      h("div", {}, links, players.element),
      h("div", {}, factsOf(app.published, standing), entry().recovery ? recoveryPanel(entry()) : null,
        h("p", { class: "hint" }, t("play.room-stay")),
        h("p", {}, h("a", { href: "/play" }, t("play.all-games"))), h("p", {}, off))));
  draw(standing);
  return { update: draw, connection: connection.show };
}

/** Return the links for the open seats, for whoever has them. */
function linksOf(app, id, { invitations = [] }, standing, open) {
  const given = invitations.filter(({ seat }) => open.includes(seat));
  if (!given.length) return [h("p", {}, t("play.room-guest"))];
  const text = t("play.share-text", { rules: titleOf(app.published, standing.rules) });
  const links = given.map(({ seat, invitation }) => linkToShare({
    title: given.length > 1 ? t("play.link-of", { n: seat + 1 }) : "", text, qr: t("play.qr-of", { n: seat + 1 }),
    link: gameAddress(id, `#seat=${invitation}`),
  }));
  return [
    h("p", { class: "lead" }, given.length > 1 ? t("play.room-share-many") : t("play.room-share")),
    isThisDevice() ? h("p", { class: "hint" }, t("play.room-this-device")) : "", ...links,
  ];
}

function calledOff(standing) {
  return h("p", { class: "notice warning", role: "status" }, whyCalledOff(standing));
}

/** Return the button by which a player calls a game off before its first play; hidden where it is too late. */
function callOffButton(game, standing) {
  const call = button(t("play.call-off"), () => callOff(game));
  call.hidden = !standing.may_call_off;
  return call;
}

/** Show the oath, and who has taken it; `update` draws who has since. */
export function showOath(root, { app, entry, game, standing }) {
  const { oath } = standing.promises, fault = faultLine(), players = playersList(standing);
  const ask = h("div", {}), wait = h("p", { class: "notice", role: "status", hidden: true });
  const connection = connectionLine(), off = callOffButton(game, standing);
  const { signal } = app.shown;
  const promise = actButton(t("play.oath-do"), () => game.takeOath({ version: oath.version, signal }), { fault, signal });
  const draw = (shown) => {
    const missing = shown.seats.flatMap(({ sworn }, seat) => (sworn ? [] : [nameOfSeat(shown, seat)]));
    const hasSworn = shown.seats[shown.you].sworn;
    off.hidden = !shown.may_call_off;
    ask.hidden = hasSworn || isCalledOff(shown);
    wait.hidden = !hasSworn && !isCalledOff(shown);
    if (isCalledOff(shown)) wait.textContent = whyCalledOff(shown);
    else if (hasSworn) wait.textContent = waitText(missing);
    players.draw(shown);
  };
  ask.append(fault, h("p", { class: "actions" }, promise));
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, t("play.oath-title")), connection.element,
    h("div", { class: "columns even" },
      h("div", {}, h("p", {}, t("play.oath-about")), wordingOf(oath.text), ask, wait,
        standing.clock.kind !== "none" && standing.clock.milliseconds
          ? h("p", { class: "hint" }, t("play.oath-clock")) : null),
      h("div", {}, players.element, factsOf(app.published, standing),
        entry().recovery ? recoveryPanel(entry()) : null, h("p", {}, off))));
  draw(standing);
  return { update: draw, connection: connection.show };
}

function waitText(names) {
  const values = { names: joinNames(names) };
  return names.length > 1 ? t("play.oath-wait-many", values) : t("play.oath-wait", values);
}

/** Return the wording of a promise, a paragraph for each of its lines. */
export function wordingOf(text) {
  return h("blockquote", { class: "wording" }, text.split("\n").filter(Boolean).map((line) => h("p", {}, line)));
}

/** Return the list of players, with what each has done; changes are told to screen readers. */
function playersList(first) {
  const list = h("ul", { class: "players" }), told = h("p", { class: "unseen", role: "status" });
  let before = first;
  const draw = (standing) => {
    const areSeated = standing.seats.every(({ taken }) => taken);
    list.replaceChildren(...standing.seats.map((seat, i) => h("li", { class: isDone(seat, areSeated) ? "there" : "missing" },
      h("b", {}, nameOfSeat(standing, i)), i === standing.you ? ` (${t("play.you")})` : "",
      i === 0 ? h("span", { class: "label" }, t("play.begins")) : null,
      h("span", { class: "state" }, stateOf(seat, areSeated)))));
    told.textContent = newsOf(before, standing);
    before = standing;
  };
  const element = h("section", { "aria-labelledby": "players" },
    h("h2", { id: "players" }, t("play.players")), list, told);
  return { element, draw };
}

/** Return whether a player has done what is next: come, and when all have come, promised. */
function isDone({ taken, sworn }, areSeated) {
  return areSeated ? sworn : taken;
}

function stateOf({ taken, sworn }, areSeated) {
  if (sworn) return t("play.has-promised");
  if (areSeated) return t("play.has-not-promised");
  return taken ? t("play.is-there") : t("play.is-missing");
}

function newsOf(before, now) {
  return now.seats.flatMap(({ taken, sworn, player }, i) => {
    if (i === now.you || !player) return [];
    if (sworn && !before.seats[i].sworn) return [t("play.told-promised", { name: player })];
    return taken && !before.seats[i].taken ? [t("play.told-seated", { name: player })] : [];
  }).join(" ");
}

/** Return the line that says that there is no connection, or that news come late. */
export function connectionLine() {
  const element = h("p", { class: "notice warning", role: "status", hidden: true });
  const show = (state) => {
    element.hidden = !["offline", "replaced"].includes(state);
    if (state === "offline") element.textContent = t("play.offline");
    if (state !== "replaced") return;
    element.replaceChildren(t("play.elsewhere"), " ", button(t("play.here"), () => location.reload()));
  };
  return { element, show };
}
