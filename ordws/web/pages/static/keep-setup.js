// The set-up of a new game: the players, the rules, the clock.

import { button, faultLine, field, select, textField } from "./keep-dialogs.js";
import { askToPersist, saveGame } from "./keep-store.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const MAX_PLAYERS = 4;
const MAX_NAME_LENGTH = 24;
const MAX_MINUTES = 600;
const LISTED = ["check_ospd", "premium", "challenge"];

/** Show the set-up of a game. */
export function showSetup({ root, published, go }) {
  const ids = Object.keys(published.rules);
  const form = {
    names: Array.from({ length: MAX_PLAYERS }, nameField),
    rules: select(ids.map((id) => [id, `${id}: ${published.rules[id].title}`]), published.default ?? "scrabble-i"),
    options: h("div", {}), clock: h("div", {}), players: h("div", { class: "names" }),
    racks: h("input", { type: "checkbox" }), fault: faultLine(), controls: {},
  };
  const draw = () => drawRules(form, published.rules[form.rules.value]);
  const begin = async () => {
    const game = gameOf(form, published.rules[form.rules.value]);
    form.fault.textContent = game.fault ?? "";
    if (game.fault) return;
    await askToPersist();
    await saveGame(game);
    go(game.id);
  };
  form.rules.addEventListener("change", draw);
  draw();
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, t("keep.new")),
    h("fieldset", {}, h("legend", {}, t("keep.players")), h("p", { class: "hint" }, t("keep.players-hint")),
      form.players, button(t("keep.shuffle"), () => shuffle(form.names))),
    field(t("keep.rules"), form.rules), form.clock,
    h("details", {}, h("summary", {}, t("keep.options")), form.options,
      h("p", {}, h("label", {}, form.racks, t("keep.write-racks")))),
    form.fault,
    h("p", { class: "actions" }, button(t("keep.begin"), begin, "main"), button(t("keep.cancel"), () => go(""))),
  );
  root.querySelector("h1").focus();
}

function nameField() {
  return textField({ maxlength: MAX_NAME_LENGTH, autocapitalize: "words" });
}

/** Draw the controls that depend on the rule set: number of players, clock, and options. */
function drawRules(form, rules) {
  const names = form.names.slice(0, rules.most_players);
  form.players.replaceChildren(...names.map((name, i) => field(t("keep.player", { n: i + 1 }), name)));
  const isTurn = rules.clock === "turn", unit = isTurn ? 1 : 60;
  const clock = number(rules.clock_seconds / unit, 0, MAX_MINUTES);
  const ofClock = isTurn ? t("keep.seconds-a-turn") : t("keep.minutes-each");
  form.clock.replaceChildren(field(ofClock, clock, t("keep.no-clock")));
  const controls = Object.fromEntries(LISTED.filter((name) => rules.options[name]?.length > 1).map((name) => {
    const choices = rules.options[name].map((value) => [value, t(`keep.choice-${plain(name)}-${value}`)]);
    return [name, select(choices, rules[name])];
  }));
  const sides = rules.options.board.map((side) => [String(side), t("board.size", { side })]);
  const cap = h("input", { type: "checkbox", checked: rules.small_word_cap });
  form.controls = {
    ...controls, board: select(sides, String(rules.layout.side)), clock, unit, cap,
    scoop: number(rules.scoop, 1, Object.values(rules.tiles).reduce((a, b) => a + b, 0)),
  };
  const listed = Object.entries(controls).map(([name, control]) => field(t(`keep.option-${plain(name)}`), control));
  const { board, scoop } = form.controls;
  form.options.replaceChildren(
    ...listed, field(t("keep.board"), board), field(t("keep.scoop"), scoop, t("keep.scoop-hint")),
    h("p", {}, h("label", {}, cap, t("keep.cap"))),
  );
}

function plain(name) {
  return name.replace("_", "-");
}

function number(value, min, max) {
  return h("input", { type: "number", inputmode: "numeric", autocomplete: "off", value, min, max, step: 1 });
}

/** Put the named players in random order. */
function shuffle(fields) {
  const named = fields.map(({ value }) => value.trim()).filter(Boolean);
  const drawn = named.map((name) => [crypto.getRandomValues(new Uint32Array(1))[0], name]).sort((a, b) => a[0] - b[0]);
  fields.forEach((each, i) => {
    each.value = drawn[i]?.[1] ?? "";
  });
}

/** Return the game that was set up, or the `fault` in what was typed. */
function gameOf(form, rules) {
  const players = form.names.slice(0, rules.most_players).map(({ value }) => value.trim()).filter(Boolean);
  const { scoop, clock } = form.controls, least = players.length * rules.rack_size;
  if (players.length < 2) return { fault: t("keep.fault-players") };
  if (new Set(players).size < players.length) return { fault: t("keep.fault-same-name") };
  if (!clock.checkValidity() || !clock.value) return { fault: t("keep.fault-clock", { most: MAX_MINUTES }) };
  if (!scoop.checkValidity() || scoop.value < least) {
    return { fault: t("keep.fault-scoop", { least, most: scoop.max }) };
  }
  return {
    id: crypto.randomUUID(), label: crypto.randomUUID(), rules: rules.id, options: optionsOf(form.controls, rules),
    players, racks: form.racks.checked, begun: Date.now(), events: [], undone: [],
  };
}

/** Return the options whose values differ from those of the rule set. */
function optionsOf(controls, rules) {
  const set = {
    scoop: Number(controls.scoop.value), small_word_cap: controls.cap.checked,
    clock_seconds: Number(controls.clock.value) * controls.unit,
    ...Object.fromEntries(LISTED.filter((name) => controls[name]).map((name) => [name, controls[name].value])),
  };
  const varied = Object.entries(set).filter(([name, value]) => rules[name] !== value);
  const side = Number(controls.board.value);
  return { ...Object.fromEntries(varied), ...(side === rules.layout.side ? {} : { board: side }) };
}
