// Options and their values in words.

import { minutesText, pointsOf } from "./alt-text.js";
import { changedOptions, optionText } from "./options.js";
import { t } from "./texts.js";

const SHORTENED = ["small_word_cap", "clock_seconds"];

function plain(name) {
  return name.replaceAll("_", "-");
}

/** Return the name of an option; the time has another one where it is that of a turn. */
export function nameOf(name, clock) {
  return t(`options.name-${plain(name)}${name === "clock_seconds" && clock === "turn" ? "-turn" : ""}`);
}

/** Return the name of an option as short as a line of changes needs it. */
export function shortNameOf(name, clock) {
  if (!SHORTENED.includes(name)) return nameOf(name, clock);
  return t(`options.short-${plain(name)}${name === "clock_seconds" && clock === "turn" ? "-turn" : ""}`);
}

/** Return a value in words: `yes`, `are added`, `25 minutes`, `5: 10, 6: 30`, `ZIG, ZAG`. */
export function describeValue(document, name, value) {
  const { kind } = document.options.find((each) => each.name === name);
  switch (kind) {
    case "switch": return value ? t("options.yes") : t("options.no");
    case "reward":
      return typeof value === "number" ? pointsOf(value) : t(`options.value-${plain(name)}-${value}`);
    case "choice": return t(`options.value-${plain(name)}-${value}`);
    case "board": return t("board.size", { side: value });
    case "layout": return t("options.own-squares");
    case "words": return value.join(", ") || t("options.none");
    case "bonus": return optionText(document, name, value).replaceAll(":", ": ").replaceAll(",", ", ");
    default: return name === "clock_seconds" ? describeTime(value) : String(value);
  }
}

/** Return a time in words: `25 minutes`, or `1:30`. */
export function describeTime(seconds) {
  if (!seconds) return t("options.untimed");
  if (seconds % 60) return minutesText(seconds);
  const minutes = seconds / 60;
  return minutes === 1 ? t("options.minutes-one") : t("options.minutes", { n: minutes });
}

/** Return what differs from the rule set, an option a line: `Small word point cap: yes`. */
export function describeChanges(document, id, given) {
  const clock = given.clock ?? document.rules[id].clock;
  return changedOptions(document, id, given).map(({ name, value }) =>
    `${shortNameOf(name, clock)}: ${describeValue(document, name, value)}`);
}

/** Return the name of a rule set as people say it. */
export function titleOf(document, id) {
  const { title } = document.rules[id];
  return title[0].toUpperCase() + title.slice(1);
}
