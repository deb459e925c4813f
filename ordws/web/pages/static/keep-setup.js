// The set-up of a new game: the players, the rules, the clock, the options.

import { faultLine, field, textField } from "./keep-dialogs.js";
import { askToPersist, saveGame } from "./keep-store.js";
import { isJudgedAtOnce } from "./game.js";
import { createOptionForm, selectRules } from "./option-form.js";
import { button, h } from "./dom.js";
import { countTiles, rulesOf } from "./rules.js";
import { t } from "./texts.js";

const MAX_PLAYERS = 4;
const MAX_NAME_LENGTH = 24;

/** Show the set-up of a game. */
export function showSetup({ root, published, go }) {
  const form = createSetup(published), racks = h("input", { type: "checkbox" });
  const counts = h("input", { type: "checkbox", checked: true }), onDoubt = h("input", { type: "checkbox" });
  const doubtLine = h("p", {}, h("label", {}, onDoubt, t("keep.on-doubt")));
  form.onChoice = () => {
    // Under rules with challenges nobody looks a word up before somebody challenges it.
    doubtLine.hidden = !isJudgedAtOnce({ challenge: form.options.value("challenge") });
  };
  form.onChoice();
  const begin = async () => {
    const setup = readSetup(form);
    if (!setup) return;
    const game = {
      id: crypto.randomUUID(), label: crypto.randomUUID(), ...setup, racks: racks.checked, counts: counts.checked,
      onDoubt: onDoubt.checked && !doubtLine.hidden,
      begun: Date.now(), events: [], undone: [],
    };
    await askToPersist();
    await saveGame(game);
    go(game.id);
  };
  root.replaceChildren(h("h1", { tabindex: "-1" }, t("keep.new")),
    ...setupFields(form,
      doubtLine,
      h("p", {}, h("label", {}, racks, t("keep.write-racks"))),
      h("p", {}, h("label", {}, counts, t("keep.show-unseen")))),
    h("p", { class: "actions" }, button(t("keep.begin"), begin, "main"), button(t("keep.cancel"), () => go(""))));
  root.querySelector("h1").focus();
}

/**
 * Return the controls that set a game up, with the names, rule set and options that were chosen before.
 *
 * @param {{players?: string[], rules?: string, options?: object}} chosen
 */
export function createSetup(published, { players = [], rules = published.default, options = {} } = {}) {
  const form = {
    published, names: Array.from({ length: MAX_PLAYERS }, nameField), players: h("div", { class: "names" }),
    rules: selectRules(published, rules),
    options: createOptionForm(published, () => drawChosen(form)), fault: faultLine(), onChoice: () => {},
  };
  const choose = (given) => {
    form.options.show(form.rules.value, given);
    drawChosen(form);
  };
  form.rules.addEventListener("change", () => choose());
  choose(options);
  players.forEach((name, i) => {
    form.names[i].value = name;
  });
  return form;
}

/** Return the fields of the set-up in two columns, more fields below the names, and the line for a fault. */
export function setupFields(form, ...more) {
  return [h("div", { class: "columns even" },
    h("div", {},
      h("fieldset", {}, h("legend", {}, t("keep.players")), h("p", { class: "hint" }, t("keep.players-hint")),
        form.players, button(t("keep.shuffle"), () => shuffle(form.names))),
      field(t("keep.rules"), form.rules), form.options.clock, ...more),
    h("section", { "aria-labelledby": "options" }, h("h2", { id: "options" }, t("options.title")),
      h("p", { class: "hint" }, t("options.about")), form.options.groups)), form.fault];
}

function nameField() {
  return textField({ maxlength: MAX_NAME_LENGTH, autocapitalize: "words" });
}

/** Draw what follows from the rules: as many names as they have players, and what the page adds in `onChoice`. */
function drawChosen(form) {
  drawPlayers(form);
  form.onChoice();
}

/** Draw as many names as the rules have players. */
function drawPlayers(form) {
  const most = form.options.value("most_players") || MAX_PLAYERS, names = form.names.slice(0, most);
  if (form.players.childElementCount === names.length) return;
  form.players.replaceChildren(...names.map((name, i) => field(t("keep.player", { n: i + 1 }), name)));
}

/** Put the named players in random order. */
function shuffle(fields) {
  const named = fields.map(({ value }) => value.trim()).filter(Boolean);
  const drawn = named.map((name) => [crypto.getRandomValues(new Uint32Array(1))[0], name]).sort((a, b) => a[0] - b[0]);
  fields.forEach((each, i) => {
    each.value = drawn[i]?.[1] ?? "";
  });
}

/** Return the rules, options and players that were set up; null after showing the fault in what was typed. */
export function readSetup(form) {
  const { fault, ...setup } = setupOf(form);
  form.fault.textContent = fault ?? "";
  return fault ? null : setup;
}

function setupOf({ published, names, rules: { value: id }, options: form }) {
  const { fault, options } = form.read();
  if (fault) return { fault };
  const rules = rulesOf(published, id, options), most = countTiles(rules.tiles);
  const players = names.slice(0, rules.most_players).map(({ value }) => value.trim()).filter(Boolean);
  const least = players.length * rules.rack_size;
  if (players.length < 2) return { fault: t("keep.fault-players") };
  if (new Set(players).size < players.length) return { fault: t("keep.fault-same-name") };
  if (rules.scoop < least) return { fault: t("options.fault-scoop", { least, most }) };
  return { rules: id, options, players };
}
