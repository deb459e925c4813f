// The screen for a request that got no verdict: why, and whether to try again.

import { button, h } from "./dom.js";
import { typedWords } from "./judge-screens.js";
import { t } from "./texts.js";

const CLUB_BUDGETS = ["operator", "operator-reference", "players"];
const SHARED_BUDGETS = ["world", "closed"];
const RETRYABLE = [0, 409, 503];

/** Say why there is no verdict. The words stay for another try, `again`, but no longer than the idle time. */
export function showError(table, words, reply, again) {
  const mayPass = RETRYABLE.includes(reply.status);
  const { title, text } = describeError(reply);
  table.stage.show({
    name: "trouble", isPrivate: true, idle: [table.settings.seconds.idle, table.toCount],
    keys: (event) => {
      if (event.key === "Escape") table.toCount();
      if (event.key === "Enter" && mayPass && !event.repeat) again();
    },
    body: [
      h("div", { role: "alert" }, h("h1", {}, title), h("p", {}, text)),
      mayPass && typedWords(words),
      h("p", { class: "actions" },
        mayPass && button(t("judge.try-again"), again, "main"),
        button(t("judge.start-again"), table.toCount)),
    ].filter(Boolean),
  });
}

/** Return title and text for a reply without a verdict. */
export function describeError({ status, body, wait }) {
  const until = t("judge.until", { when: formatTime(wait) });
  switch (status) {
    case 0: return { title: t("judge.no-connection"), text: t("judge.about-no-connection") };
    case 429: return { title: t("judge.spent"), text: `${describeBudget(body?.budget)} ${until}` };
    case 409:
    case 503: return { title: t("judge.busy"), text: t("judge.about-busy") };
    default: return { title: t("judge.mistake"), text: t("judge.about-mistake", { status }) };
  }
}

function describeBudget(budget) {
  if (CLUB_BUDGETS.includes(budget)) return t("judge.spent-club");
  return SHARED_BUDGETS.includes(budget) ? t("judge.spent-all") : t("judge.spent-table");
}

/** Return the time of day in this many seconds, with the weekday. */
export function formatTime(seconds) {
  const shape = { weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat(document.documentElement.lang, shape).format(Date.now() + seconds * 1000);
}
