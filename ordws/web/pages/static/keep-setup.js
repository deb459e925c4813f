// The set-up of a new game: the players, the rules, the clock, the options.

import { button, faultLine, field, select, textField } from "./keep-dialogs.js";
import { askToPersist, saveGame } from "./keep-store.js";
import { createOptionForm } from "./option-form.js";
import { titleOf } from "./option-text.js";
import { h } from "./dom.js";
import { countTiles, rulesOf } from "./rules.js";
import { t } from "./texts.js";

const MAX_PLAYERS = 4;
const MAX_NAME_LENGTH = 24;

/** Show the set-up of a game. */
export function showSetup({ root, published, go }) {
  const form = {
    published, names: Array.from({ length: MAX_PLAYERS }, nameField), players: h("div", { class: "names" }),
    rules: select(Object.keys(published.rules).map((id) => [id, titleOf(published, id)]), published.default),
    racks: h("input", { type: "checkbox" }), counts: h("input", { type: "checkbox", checked: true }),
    options: createOptionForm(published, () => drawPlayers(form)), fault: faultLine(),
  };
  const choose = () => {
    form.options.show(form.rules.value);
    drawPlayers(form);
  };
  const begin = async () => {
    const game = gameOf(form);
    form.fault.textContent = game.fault ?? "";
    if (game.fault) return;
    await askToPersist();
    await saveGame(game);
    go(game.id);
  };
  form.rules.addEventListener("change", choose);
  choose();
  root.replaceChildren(h("h1", { tabindex: "-1" }, t("keep.new")), h("div", { class: "columns even" },
    h("div", {},
      h("fieldset", {}, h("legend", {}, t("keep.players")), h("p", { class: "hint" }, t("keep.players-hint")),
        form.players, button(t("keep.shuffle"), () => shuffle(form.names))),
      field(t("keep.rules"), form.rules), form.options.clock,
      h("p", {}, h("label", {}, form.racks, t("keep.write-racks"))),
      h("p", {}, h("label", {}, form.counts, t("keep.show-unseen")))),
    h("section", { "aria-labelledby": "options" }, h("h2", { id: "options" }, t("options.title")),
      h("p", { class: "hint" }, t("options.about")), form.options.groups)),
  form.fault,
  h("p", { class: "actions" }, button(t("keep.begin"), begin, "main"), button(t("keep.cancel"), () => go(""))));
  root.querySelector("h1").focus();
}

function nameField() {
  return textField({ maxlength: MAX_NAME_LENGTH, autocapitalize: "words" });
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

/** Return the game that was set up, or the `fault` in what was typed. */
function gameOf({ published, names, rules: { value: id }, options: form, racks, counts }) {
  const { fault, options } = form.read();
  if (fault) return { fault };
  const rules = rulesOf(published, id, options), most = countTiles(rules.tiles);
  const players = names.slice(0, rules.most_players).map(({ value }) => value.trim()).filter(Boolean);
  const least = players.length * rules.rack_size;
  if (players.length < 2) return { fault: t("keep.fault-players") };
  if (new Set(players).size < players.length) return { fault: t("keep.fault-same-name") };
  if (rules.scoop < least) return { fault: t("options.fault-scoop", { least, most }) };
  return {
    id: crypto.randomUUID(), label: crypto.randomUUID(), rules: id, options, players, racks: racks.checked,
    counts: counts.checked, begun: Date.now(), events: [], undone: [],
  };
}
