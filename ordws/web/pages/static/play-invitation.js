// Taking a seat: by an invitation, which takes nothing before the tap, or once more by the seat's recovery code.

import { faultLine, field, textField } from "./keep-dialogs.js";
import { button, h } from "./dom.js";
import { OrdwsProblem } from "./client.js";
import { factsOf, joinNames } from "./play-facts.js";
import { findGame, knownOf, saveGame, setName } from "./play-games.js";
import { nameField } from "./play-open.js";
import { explain } from "./play-problems.js";
import { t } from "./texts.js";

const CODE_LENGTH = 12;

/** Show what an invitation invites to, and the button that takes the seat. */
export async function showInvitation(app, game, invitation) {
  const { root, client, shown: { signal } } = app;
  const asking = h("p", { role: "status" }, t("play.asking"));
  root.replaceChildren(h("h1", { tabindex: "-1" }, t("play.invites-you")), asking);
  try {
    const found = await client.invitation(game, invitation, { signal }), known = findGame(game);
    if (known?.seat === found.seat) await app.go(`/play/${game}`, true);
    else if (known) showOwnSeat(app, game);
    else if (found.taken && await hasSeat(app, found)) await app.go(`/play/${game}`, true);
    else if (found.taken) showTakenSeat(app, game);
    else showOpenSeat(app, invitation, found);
  } catch (error) {
    if (!signal.aborted) app.showTrouble(game, error);
  }
}

/** Return whether this browser has the cookie of a seat, although its list does not hold the game. */
async function hasSeat({ client, shown }, { game, seat }) {
  try {
    const standing = await client.game(game).standing({ signal: shown.signal });
    return standing.you === seat;
  } catch (error) {
    if (error instanceof OrdwsProblem) return false;
    throw error;
  }
}

/** A browser has one seat in a game: say so to somebody who tries a link in the browser that opened the game. */
function showOwnSeat({ root }, game) {
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, t("play.own-title")), h("p", {}, t("play.own-text")),
    h("p", {}, h("a", { class: "button main", href: `/play/${game}` }, t("play.own-go"))));
}

function showTakenSeat(app, game) {
  app.root.replaceChildren(
    h("h1", { tabindex: "-1" }, t("play.seat-goes")), h("p", { class: "notice warning" }, t("play.seat-goes-text")),
    codeForm(app, game), h("p", {}, h("a", { href: "/play" }, t("play.all-games"))));
}

function showOpenSeat(app, invitation, found) {
  const { root, client, published } = app, name = nameField(), fault = faultLine();
  const present = found.seats.filter(({ taken, player }) => taken && player).map(({ player }) => player);
  const take = h("button", { class: "main" }, t("play.take-seat"));
  name.value ||= found.seats[found.seat].player ?? "";
  // In an event a seat is one player's, under the name by which the event knows them.
  if (found.event_table) Object.assign(name, { value: found.seats[found.seat].player, readOnly: true });
  const submit = async (event) => {
    event.preventDefault();
    const chosen = name.value.trim();
    fault.textContent = chosen ? "" : t("play.fault-name");
    if (!chosen) return;
    if (!found.event_table) setName(chosen);
    take.disabled = true;
    try {
      await keepSeat(app, await client.takeSeat(found.game, { invitation, name: chosen }));
    } catch (error) {
      take.disabled = false;
      fault.textContent = explain(error);
      if (error.code === "seat-taken") showTakenSeat(app, found.game);
      else if (error.code === "own-invitation") showOwnSeat(app, found.game);
    }
  };
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, present.length ? t("play.invites", { name: present[0] }) : t("play.invites-you")),
    h("div", { class: "columns even" },
      h("form", { class: "sheet", autocomplete: "off", onsubmit: submit },
        field(t("play.your-name"), name, t("play.name-hint")), fault, take,
        h("p", { class: "hint" }, t("play.invited-hint"))),
      h("section", {},
        found.seats.length > 2 && present.length ? h("p", {}, t("play.there", { names: joinNames(present) })) : null,
        factsOf(published, found), h("p", { class: "hint" }, t("play.about")))));
}

/** Keep the seat that was taken, and go to its game; the invitation leaves the address. */
async function keepSeat(app, { recovery, standing }) {
  saveGame({ ...knownOf(standing), ...(recovery ? { recovery } : {}) });
  await app.go(`/play/${standing.game}`, true);
}

/** Return the form that gets a seat back by its recovery code; where the game is not known, it asks for that too. */
export function codeForm(app, game = "", code = "") {
  const address = textField({ autocapitalize: "off", inputmode: "url" }), fault = faultLine();
  const typed = textField({ maxlength: 40 });
  typed.value = code;
  const submit = async (event) => {
    event.preventDefault();
    const id = game || /[0-9a-f]{32}/.exec(address.value)?.[0], recovery = typed.value.replace(/[^A-Za-z0-9]/g, "");
    fault.textContent = id ? "" : t("play.code-game-fault");
    if (id && recovery.length !== CODE_LENGTH) fault.textContent = t("play.code-fault");
    if (fault.textContent) return;
    try {
      const seat = await app.client.takeSeat(id, { recovery: typed.value.trim() });
      await keepSeat(app, { recovery: typed.value.trim().toUpperCase(), ...seat });
    } catch (error) {
      fault.textContent = explain(error);
    }
  };
  return h("form", { class: "code-form", autocomplete: "off", onsubmit: submit },
    game ? null : field(t("play.code-game"), address), field(t("play.code-field"), typed, t("play.code-about")),
    fault, h("button", { class: "main" }, t("play.code-use")));
}

/** Show why a game is not shown in this browser, and what its players can do. */
export function showTrouble(app, game, error, code = "") {
  const isExpired = ["bad-seat", "not-found"].includes(error?.code) && app.isGone(game);
  const text = isExpired ? t("play.problem-expired") : error ? explain(error) : t("play.code-about");
  const mayReturn = !isExpired && (!(error instanceof OrdwsProblem) ? !error : error.status < 500);
  app.root.replaceChildren(
    h("h1", { tabindex: "-1" }, error ? t("play.trouble-title") : t("play.code-title")),
    h("p", { class: error ? "notice warning" : "" }, text),
    mayReturn ? codeForm(app, game, code) : null,
    h("p", { class: "actions" },
      error && !isExpired ? button(t("play.try-again"), () => app.show()) : null,
      h("a", { href: "/play" }, t("play.all-games"))));
}
