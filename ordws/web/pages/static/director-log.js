// The log of the tables that have one: time, table and number of words of each question; and a search for certain
// words.

import { byId, h } from "./dom.js";
import { t } from "./texts.js";

const MAX_WORDS = 8;
const WORD = /^\p{L}[\p{L}\p{M}]+$/u;
const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Return the log in its section: `all` shows its newest entries, `clear` forgets what is shown. */
export function createLog(request, complain) {
  let before = null;

  function show({ entries, before: next }, status) {
    before = next;
    byId("older").hidden = next === null;
    byId("entries-told").textContent = status;
    byId("entries").tBodies[0].append(...entries.map(({ at, table, words }) => h("tr", {},
      h("td", {}, dateTimeFormat.format(Date.parse(at))), h("td", {}, table), h("td", {}, String(words)))));
    byId("entries").hidden = byId("entries").tBodies[0].rows.length === 0;
  }

  function clear() {
    byId("entries").tBodies[0].replaceChildren();
    byId("entries-told").textContent = "";
    byId("words").value = "";
  }

  async function all() {
    const found = await request("GET", "/v1/devices/log");
    clear();
    if (found) show(found, found.entries.length ? "" : t("director.no-entries"));
  }

  async function older() {
    const found = await request("GET", `/v1/devices/log?before=${before}`);
    if (found) show(found, "");
  }

  async function find() {
    const words = byId("words").value.split(/[\s,;]+/).filter(Boolean);
    if (words.length < 1 || words.length > MAX_WORDS || !words.every((word) => WORD.test(word))) {
      return complain(t("director.not-words", { n: MAX_WORDS }));
    }
    const found = await request("POST", "/v1/devices/log/find", { words });
    clear();
    if (!found) return;
    const n = found.entries.length;
    show({ ...found, before: null }, n ? t("director.asked", { n }) : t("director.not-asked"));
  }

  for (const [id, act] of [["find", find], ["all", all], ["older", older]]) byId(id).addEventListener("click", act);
  byId("words").addEventListener("keydown", (event) => event.key === "Enter" && find());
  return { all, clear };
}
