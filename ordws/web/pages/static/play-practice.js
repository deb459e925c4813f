// A game against the program: strength and rule set have defaults, so that one tap begins it. While the program plays as
// many games as it can, the page waits for a place and says so.

import { createChoices } from "./play-open.js";
import { faultLine, field, select } from "./keep-dialogs.js";
import { button, h } from "./dom.js";
import { OrdwsProblem } from "./client.js";
import { changedTexts } from "./options.js";
import { getName } from "./play-games.js";
import { explain } from "./play-problems.js";
import { t } from "./texts.js";

const STRENGTHS = ["easy", "club", "strong"];

/** Return the form that opens a game against the program. */
export function practiceForm(app) {
  const form = {
    ...createChoices(app.published), app, start: h("button", { class: "main" }, t("play.practice-start")),
    strength: select(STRENGTHS.map((each) => [each, t(`play.strength-${each}`)]), "club"),
    wait: h("div", { role: "status" }),
  };
  form.choose();
  const onsubmit = (event) => {
    event.preventDefault();
    const { options, fault } = form.options.read();
    form.fault.textContent = fault ?? "";
    if (!fault) begin(app, fieldsOf(form, options), form);
  };
  return h("form", { class: "sheet opening", autocomplete: "off", "aria-labelledby": "practice", onsubmit },
    h("h2", { id: "practice" }, t("play.practice-title")),
    field(t("play.strength"), form.strength), field(t("play.rules"), form.rules), form.about,
    h("details", {}, h("summary", {}, t("play.practice-more")), field(t("play.first"), form.first), form.options.groups),
    h("p", { class: "hint left" }, t("play.practice-words")), form.fault, form.wait, form.start);
}

/** Return the button for the next game of the same rules and strength; who began the last one goes last. */
export function practiceAgain(app, standing) {
  const { rules, options, you, seats } = standing, { program } = seats.find((seat) => seat.program);
  const form = { start: null, fault: faultLine(), wait: h("div", { role: "status" }) };
  const fields = { strength: program, rules, options, first: you === 0 ? "other" : "me" };
  form.start = button(t("play.again"), () => begin(app, fields, form), "main");
  return [h("p", { class: "actions" }, form.start), form.fault, form.wait];
}

function fieldsOf({ app, strength, rules, first }, options) {
  const changed = changedTexts(app.published, rules.value, options);
  return { strength: strength.value, rules: rules.value, first: first.value, options: changed };
}

/** Open a game and go to it; with every place taken, wait for one until the player has enough of it. */
async function begin(app, fields, { start, fault, wait }) {
  const { signal } = app.shown, name = getName(), named = { ...fields, ...(name ? { name } : {}) }, stop = new AbortController();
  fault.textContent = "";
  start.disabled = true;
  try {
    while (!signal.aborted && !stop.signal.aborted) {
      const { opened, full } = await open(app, named, signal);
      if (opened) {
        await app.goToNew(opened, name);
        return;
      }
      wait.replaceChildren(h("p", { class: "notice" }, t("play.practice-full"), " ",
        button(t("play.practice-stop"), () => stop.abort())));
      await new Promise((resolve) => {
        setTimeout(resolve, 1000 * full.retryAfter);
        stop.signal.addEventListener("abort", resolve);
      });
    }
  } catch (error) {
    if (!signal.aborted) fault.textContent = explainPractice(error);
  }
  wait.replaceChildren();
  start.disabled = false;
}

/** Return a new game as `opened`, or as `full` that every place is taken. */
async function open(app, fields, signal) {
  try {
    return { opened: await app.client.openPractice(fields, { signal }) };
  } catch (error) {
    if (error instanceof OrdwsProblem && error.code === "practice-full") return { full: error };
    throw error;
  }
}

function explainPractice(error) {
  return error.code === "too-many-games" ? t("play.practice-too-many") : explain(error);
}
