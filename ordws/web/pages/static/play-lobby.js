// The lobby: the games of this browser, and a new one for whoever has the play link.

import { every } from "./views.js";
import { confirm, faultLine, field, textField } from "./keep-dialogs.js";
import { button, h } from "./dom.js";
import { titleOf } from "./option-text.js";
import { openingForm } from "./play-open.js";
import { isCalledOff, joinNames, nameOfSeat, timeLeft } from "./play-facts.js";
import { OrdwsProblem } from "./client.js";
import { forgetGame, getPlayLink, knownOf, listGames, readPlayLink, saveGame, setPlayLink } from "./play-games.js";
import { formatWhen } from "./play-problems.js";
import { practiceForm } from "./play-practice.js";
import { codeForm } from "./play-invitation.js";
import { t } from "./texts.js";

const REFRESH_MS = 20_000;
const LOST = ["bad-seat", "seat-moved", "not-found"];

/** Show the lobby; `fault` says why a game could not be opened. */
export function showLobby(app, fault = "") {
  const games = listGames();
  app.root.replaceChildren(
    h("h1", { tabindex: "-1" }, t("play.title")), h("p", {}, t("play.lobby-about")),
    h("p", { class: "fault", role: "alert" }, fault),
    h("div", { class: "columns even" },
      games.length ? gamesSection(app, games) : null,
      newGame(app),
      h("details", { class: "have-code" }, h("summary", {}, t("play.code-title")),
        h("p", { class: "hint" }, t("play.code-about")), codeForm(app))),
  );
}

/** Return the ways to a new game: against the program, where it plays here, or with friends. */
function newGame(app) {
  const withFriends = () => (getPlayLink() ? openingForm(app) : linkPanel(app));
  const ways = { program: () => practiceForm(app), friend: withFriends }, shown = h("div", {});
  const tabs = Object.keys(ways).map((way) => button(t(`play.way-${way}`), () => show(way)));
  const row = h("div", { class: "ways", role: "group", "aria-label": t("play.ways"), hidden: true }, tabs);
  const show = (way) => {
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", String(Object.keys(ways)[i] === way)));
    shown.replaceChildren(ways[way]());
  };
  show("friend");
  // Without the program there is nothing to choose.
  app.client.practice({ signal: app.shown.signal }).then(({ program }) => {
    row.hidden = !program;
    if (program && !getPlayLink() && !shown.contains(document.activeElement)) show("program");
  }).catch(() => {});
  return h("div", {}, row, shown);
}

/** Return what a visitor without a play link is told: what it takes, and what else there is. */
function linkPanel(app) {
  const link = textField({ autocapitalize: "off" }), fault = faultLine();
  const keep = (event) => {
    event.preventDefault();
    const token = readPlayLink(link.value);
    fault.textContent = token ? "" : t("play.link-fault");
    if (!token) return;
    setPlayLink(token);
    showLobby(app);
    app.root.querySelector(".opening input").focus();
  };
  return h("div", { class: "sheet" },
    h("h2", {}, t("play.link-title")), h("p", {}, t("play.link-about")),
    h("form", { onsubmit: keep }, field(t("play.link-field"), link), fault,
      h("button", { class: "main" }, t("play.link-use"))),
    h("h3", {}, t("play.link-else")),
    h("ul", {}, h("li", {}, h("a", { href: "/keep" }, t("base.keep")), ": ", t("play.else-keep")),
      h("li", {}, h("a", { href: "/judge" }, t("base.judge")), ": ", t("play.else-judge"))));
}

function gamesSection(app, games) {
  const lines = games.map((entry) => gameLine(app, entry));
  const refresh = () => lines.forEach(({ ask }) => document.hidden || ask());
  const { signal } = app.shown;
  every(REFRESH_MS, refresh, signal);
  document.addEventListener("visibilitychange", refresh, { signal });
  refresh();
  return h("section", { "aria-labelledby": "mine" }, h("h2", { id: "mine" }, t("play.games")),
    h("ul", { class: "games" }, lines.map(({ element }) => element)), h("p", { class: "hint" }, t("play.games-kept")));
}

/** Return the line of a game, and the function that asks how it stands. */
function gameLine(app, entry) {
  const title = titleOfGame(entry), status = h("b", {}, t("play.is-asking")), more = h("span", {});
  const element = h("li", {},
    h("div", {}, h("a", { href: `/play/${entry.game}` }, title), h("p", { class: "status" }, status, more),
      h("p", { class: "hint" }, titleOf(app.published, entry.rules ?? app.published.default),
        h("span", { class: "until" }, " \u00b7 ", t("play.until", { when: formatWhen(Date.parse(entry.expires)) })))),
    h("button", { type: "button", "aria-label": t("play.forget-game", { title }), onclick: forget }, t("play.forget")));
  async function forget() {
    if (!(await confirm(t("play.forget-title"), t("play.forget-text"), t("play.forget")))) return;
    forgetGame(entry.game);
    showLobby(app);
  }
  async function ask() {
    try {
      const standing = await app.client.game(entry.game).standing({ signal: app.shown.signal, patienceSeconds: 0 });
      saveGame(knownOf(standing));
      element.querySelector("a").textContent = titleOfGame(knownOf(standing));
      showStatus(standing, status, more, element);
    } catch (error) {
      if (app.shown.signal.aborted) return;
      const isLost = error instanceof OrdwsProblem && LOST.includes(error.code);
      status.textContent = isLost ? t("play.is-lost") : t("play.cannot-ask");
      more.textContent = "";
    }
  }
  return { element, ask };
}

function showStatus(standing, status, more, element) {
  const { phase, mover, you, seats, acts } = standing;
  const others = seats.filter((_, i) => i !== you).map(({ score }) => score).join(" : ");
  const scores = t("play.score", { score: seats[you].score, others });
  const time = phase === "over" ? null : timeLeft(standing, you), left = time && t("play.time-left", { time });
  element.classList.toggle("mine", mover === you || acts.includes("propose"));
  element.querySelector(".until").hidden = phase === "over";
  status.textContent = statusOf(standing, phase, mover, you);
  more.textContent = phase === "waiting" ? "" : ["", scores, left].filter((part) => part !== null).join(" \u00b7 ");
}

function statusOf(standing, phase, mover, you) {
  if (phase === "over") return t("play.is-over");
  if (isCalledOff(standing)) return t("play.is-called-off");
  const areSeated = standing.seats.every(({ taken }) => taken);
  if (phase === "waiting") return areSeated ? t("play.is-promising") : t("play.is-waiting");
  if (phase === "may-propose") return t("play.is-proposing");
  return mover === you ? t("play.your-turn") : t("play.turn-of", { name: nameOfSeat(standing, mover) });
}

function titleOfGame({ players = [] }) {
  return players.length ? t("play.with", { names: joinNames(players) }) : t("play.with-nobody");
}
