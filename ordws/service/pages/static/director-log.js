// The log of the tables that have one: when, where and how many words; and whether certain words were asked.

import { h } from "./dom.js";
import { t } from "./texts.js";

const MOST = 8;
const WORD = /^\p{L}[\p{L}\p{M}]+$/u;
const part = (id) => document.getElementById(id);
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** The log in its section: `all` shows its newest entries, `clear` forgets what is shown. */
export function showLog(asks, complain) {
  let before = null;

  function show({ entries, before: next }, told) {
    before = next;
    part("older").hidden = next === null;
    part("entries-told").textContent = told;
    part("entries").tBodies[0].append(...entries.map(({ at, table, words }) => h("tr", {},
      h("td", {}, clock.format(Date.parse(at))), h("td", {}, table), h("td", {}, String(words)))));
    part("entries").hidden = part("entries").tBodies[0].rows.length === 0;
  }

  function clear() {
    part("entries").tBodies[0].replaceChildren();
    part("entries-told").textContent = "";
    part("words").value = "";
  }

  async function all() {
    const found = await asks("GET", "/v1/devices/log");
    clear();
    if (found) show(found, found.entries.length ? "" : t("director.no-entries"));
  }

  async function older() {
    const found = await asks("GET", `/v1/devices/log?before=${before}`);
    if (found) show(found, "");
  }

  async function find() {
    const words = part("words").value.split(/[\s,;]+/).filter(Boolean);
    if (words.length < 1 || words.length > MOST || !words.every((word) => WORD.test(word))) {
      return complain(t("director.not-words", { n: MOST }));
    }
    const found = await asks("POST", "/v1/devices/log/find", { words });
    clear();
    if (!found) return;
    const n = found.entries.length;
    show({ ...found, before: null }, n ? t("director.asked", { n }) : t("director.not-asked"));
  }

  for (const [id, act] of [["find", find], ["all", all], ["older", older]]) part(id).addEventListener("click", act);
  part("words").addEventListener("keydown", (event) => event.key === "Enter" && find());
  return { all, clear };
}
