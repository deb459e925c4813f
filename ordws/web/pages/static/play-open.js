// A new game: who plays, by which rules, with how much time. What is set at first is what most players want, so that a
// name and a tap are enough.

import { faultLine, field, select, textField } from "./keep-dialogs.js";
import { h } from "./dom.js";
import { changedTexts } from "./options.js";
import { createOptionForm, selectRules } from "./option-form.js";
import { describeTime } from "./option-text.js";
import { OrdwsProblem, Unreachable } from "./client.js";
import { rulesAddress } from "./play-facts.js";
import { getName, getPlayLink, setName, setPlayLink } from "./play-games.js";
import { explain, formatWhen } from "./play-problems.js";
import { t } from "./texts.js";

const LONGEST_NAME = 24;
const USUAL_SECONDS = 1500;
const GAME_SECONDS = [300, 600, 900, 1200, 1500, 1800, 2700, 3600, 0];
const TURN_SECONDS = [30, 60, 90, 120, 180, 300, 0];
// Its board and its turns are those that most people know.
const FIRST_RULES = "scrabble-o";
const LEAST_PLAYERS = 2;
const MOST_PLAYERS = 4;

/**
 * Return the controls of every new game: the rule set, which `about` explains, its options, and who begins.
 *
 * @param {{onRules?: () => void, onOption?: () => void}} given called after another rule set or option was chosen
 */
export function createChoices(published, { onRules = () => {}, onOption = () => {} } = {}) {
  const isFirst = !getName() && FIRST_RULES in published.rules;
  const rules = selectRules(published, isFirst ? FIRST_RULES : published.default), about = h("p", { class: "hint" });
  const first = select(["chance", "me", "other"].map((each) => [each, t(`play.first-${each}`)]), "chance");
  const options = createOptionForm(published, onOption);
  const choose = () => {
    options.show(rules.value);
    about.replaceChildren(t(`rules.play-${rules.value}`), " ",
      h("a", { href: rulesAddress(rules.value), target: "_blank" }, t("play.rules-link")));
    onRules();
  };
  rules.addEventListener("change", choose);
  return { isFirst, rules, first, options, about, fault: faultLine(), choose };
}

/** Return the form that opens a game, and ask how many games the play link has left today. */
export function openingForm(app) {
  const form = {
    app, name: nameField(), clock: h("select", { autocomplete: "off" }), seats: h("select", { autocomplete: "off" }),
    left: h("p", { class: "hint left", role: "status" }, t("play.asking")),
    button: h("button", { class: "main" }, t("play.open")),
  };
  form.clockField = field(t("play.time"), form.clock);
  const onRules = () => {
    form.clock.value = "";
    drawChoices(form);
    if (form.isFirst && form.rules.value === FIRST_RULES) form.about.prepend(`${t("play.first-rules")} `);
  };
  Object.assign(form, createChoices(app.published, { onRules, onOption: () => drawChoices(form) }));
  form.choose();
  countGames(form);
  const onsubmit = (event) => open(form, event);
  return h("form", { class: "sheet opening", autocomplete: "off", "aria-labelledby": "new", onsubmit },
    h("h2", { id: "new" }, t("play.open-title")),
    field(t("play.your-name"), form.name),
    field(t("play.rules"), form.rules), form.about,
    form.clockField,
    h("details", {}, h("summary", {}, t("play.more")),
      field(t("play.seats"), form.seats), field(t("play.first"), form.first), form.options.groups),
    form.left, form.fault, form.button);
}

/** Return the field of a player's name, as this browser knows it. */
export function nameField() {
  const name = textField({ maxlength: LONGEST_NAME, autocapitalize: "words", enterkeyhint: "go", required: true });
  name.value = getName();
  return name;
}

/** Draw the times and numbers of players that the rules and options leave to choose. */
function drawChoices({ options, clock, clockField, seats }) {
  const kind = options.value("clock"), chosen = clock.value, ofRules = options.value("clock_seconds");
  const seconds = kind === "turn" ? TURN_SECONDS : GAME_SECONDS;
  const shown = seconds.includes(Number(chosen)) && chosen !== "" ? Number(chosen) : ofRules || USUAL_SECONDS;
  const times = [...new Set([...seconds, shown])].sort((a, b) => (a || Infinity) - (b || Infinity));
  fill(clock, times.map((each) => [String(each), timeText(each)]), String(shown));
  clockField.hidden = kind === "none";
  clockField.querySelector("label").textContent = kind === "turn" ? t("play.time-turn") : t("play.time");
  const most = Math.min(MOST_PLAYERS, options.value("most_players"));
  const counts = Array.from({ length: most - LEAST_PLAYERS + 1 }, (_, i) => i + LEAST_PLAYERS);
  const chosenSeats = Number(seats.value) <= most ? seats.value : "";
  fill(seats, counts.map((n) => [String(n), t("play.seats-each", { n })]), chosenSeats);
}

function timeText(seconds) {
  if (!seconds) return t("play.time-none");
  return seconds % 60 ? t("play.time-seconds", { n: seconds }) : describeTime(seconds);
}

function fill(control, choices, chosen) {
  control.replaceChildren(...select(choices, chosen).children);
  control.value = chosen || choices[0][0];
}

async function countGames(form) {
  try {
    const { name, games_left: left, resets } = await form.app.client.playLink(getPlayLink(), { signal: form.app.shown.signal });
    form.link = name;
    showLeft(form, left, resets);
  } catch (error) {
    if (form.app.shown.signal.aborted) return;
    if (error instanceof OrdwsProblem && error.code === "bad-play-link") refuse(form, error);
    else form.left.textContent = explain(error);
  }
}

/** Say how many games are left; with none, when there are some again and what else a visitor can do. */
function showLeft(form, left, resets) {
  form.button.disabled = left < 1;
  if (left > 0) {
    const count = left === 1 ? t("play.games-left-one") : t("play.games-left", { n: left });
    form.left.replaceChildren(...(form.link ? [h("b", {}, form.link), ": "] : []), count);
  } else {
    form.left.replaceChildren(...noneLeft(formatWhen(Date.parse(resets))));
    form.left.classList.remove("hint");
  }
}

function noneLeft(when) {
  return [
    h("b", {}, t("play.none-left", { when })), " ", t("play.none-left-else"), " ",
    h("a", { href: "/keep" }, t("play.keep-instead")),
  ];
}

/** Open the game, and go to it; the button is off meanwhile, as each game opened takes a share of today's. */
async function open(form, event) {
  event.preventDefault();
  const { app, fault, button } = form, name = form.name.value.trim();
  const { options, fault: badOption } = form.options.read();
  fault.textContent = name ? badOption ?? "" : t("play.fault-name");
  if (!name) form.name.focus();
  if (fault.textContent) return;
  setName(name);
  Object.assign(button, { disabled: true, textContent: t("play.opening") });
  try {
    await app.goToNew(await app.client.openGuestGame(fieldsOf(form, name, options)), name);
  } catch (error) {
    Object.assign(button, { disabled: false, textContent: t("play.open") });
    refuse(form, error);
  }
}

function fieldsOf({ app, rules, clock, clockField, seats, first }, name, options) {
  const { clock_seconds: _, ...changed } = changedTexts(app.published, rules.value, options);
  return {
    link: getPlayLink(), rules: rules.value, seats: Number(seats.value), name, first: first.value, options: changed,
    ...(clockField.hidden ? {} : { clock: Number(clock.value) }),
  };
}

function refuse(form, error) {
  if (error instanceof Unreachable) form.fault.textContent = t("play.problem-lost-opening");
  else form.fault.textContent = explain(error);
  if (!(error instanceof OrdwsProblem)) return;
  if (error.code === "bad-play-link") {
    setPlayLink(null);
    form.app.showLobby(form.fault.textContent);
  } else if (error.code === "budget-spent") {
    form.fault.textContent = "";
    showLeft(form, 0, new Date(Date.now() + 1000 * (error.retryAfter ?? 0)).toISOString());
  } else if (error.code === "too-many-games") {
    form.fault.append(" ", h("a", { href: "/keep" }, t("play.keep-instead")));
  }
}
