// The check of the OSPD, which is offered after a no: the official form, and Dover's (docs/rules.md 6.4, 6.5).

import { digitKeypad } from "./judge-keypad.js";
import { button, h } from "./dom.js";
import { icon, showResult } from "./judge-screens.js";
import { postOnce } from "./api.js";
import { t } from "./texts.js";

const MAX_DIGITS = 4;

/** Check a rejected play, in the form of the rule set. */
export function showOspdCheck(table, words) {
  if (table.rules().check_ospd === "dover") return showTiles(table, words);
  table.sendRequest(words, ospdRequest({ words }), ({ found }) => (found ? showFound(table) : showDeduction(table)));
}

function ospdRequest(body) {
  const key = crypto.randomUUID();
  return (signal) => postOnce("/v1/ospd", body, key, signal);
}

/** Ask which word is checked and which of its tiles are blanks, as Dover's form needs both. */
function showTiles(table, words) {
  const rows = words.map((word) => {
    const tiles = [...word].map(tile);
    const body = () => ({ words: [tiles.map(letterOf).join("")], rules: table.rules().id });
    return h("li", {}, h("span", { class: "tiles", role: "group", "aria-label": word }, tiles),
      button(t("judge.check-word", { word }), () => table.sendRequest(words, ospdRequest(body()), shown), "main"));
  });
  const shown = ({ found, deduct }) => {
    if (found) showFound(table, words.length > 1 ? () => showTiles(table, words) : null);
    else showDeducted(table, deduct);
  };
  table.stage.show({
    name: "tiles", isPrivate: true, idle: [table.settings.seconds.idle, table.toCount],
    keys: (event) => event.key === "Escape" && table.toCount(),
    body: [
      h("h1", {}, words.length > 1 ? t("judge.which-word") : t("judge.check-ospd")), h("p", {}, t("judge.blanks")),
      h("ul", { class: "questions" }, rows),
      h("p", { class: "actions" }, button(t("judge.start-again"), table.toCount)),
    ],
  });
}

function tile(letter) {
  const turn = () => made.setAttribute("aria-pressed", String(made.getAttribute("aria-pressed") !== "true"));
  const made = h("button", {
    type: "button", class: "tile", "aria-pressed": "false", "aria-label": t("judge.blank-tile", { letter }),
    onclick: turn,
  }, letter);
  return made;
}

function letterOf(made) {
  const letter = made.textContent;
  return made.getAttribute("aria-pressed") === "true" ? letter.toLowerCase() : letter;
}

function showFound(table, again = null) {
  const more = again && button(t("judge.check-another"), again);
  showResult(table, {
    name: "checked", tone: "yes", actions: more ? [more] : [],
    body: [outcome("yes", t("judge.found"), t("judge.play-again", named(table)))],
  });
}

function showDeducted(table, points) {
  showResult(table, {
    name: "checked", tone: "no", actions: [],
    body: [outcome("no", t("judge.deduct", { n: points }), t("judge.face-value", named(table)))],
  });
}

/** Return the name of the list that the service checks: the open players' list, or that of the installation. */
function named(table) {
  return { list: table.place.reference };
}

function outcome(tone, heading, text) {
  return h("div", { class: "verdict", role: "alert" }, icon(tone), h("h1", {}, heading), h("p", {}, text));
}

/** Show the deduction of the official form; the players enter the full value of the play, which only they know. */
function showDeduction(table) {
  let points = "";
  const shown = h("p", { class: "deduct", role: "status" });
  const draw = (next) => {
    points = next.replace(/^0+(?=\d)/, "").slice(0, MAX_DIGITS);
    shown.textContent = points ? t("judge.deduct", { n: points }) : t("judge.deduct-what");
  };
  const keys = (event) => {
    if (/^\d$/.test(event.key)) draw(points + event.key);
    else if (event.key === "Backspace") draw(points.slice(0, -1));
    else if (["Escape", "Enter"].includes(event.key)) table.toCount();
  };
  table.stage.show({
    name: "deduction", tone: "no", keys, idle: [table.settings.seconds.idle, table.toCount],
    body: [
      h("h1", {}, t("judge.not-found", named(table))), h("p", {}, t("judge.full-value")), shown,
      digitKeypad({ onDigit: (digit) => draw(points + digit), onBack: () => draw(points.slice(0, -1)) }),
      h("p", { class: "actions" },
        button(t("judge.done"), table.toCount, "main")),
    ],
  });
  draw("");
}
