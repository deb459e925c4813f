// The set-up of a game at a table station: the names, which the device remembers, the rule set, options and clock.

import { createSetup, readSetup, setupFields } from "./keep-setup.js";
import { askToPersist } from "./keep-store.js";
import { beginBook } from "./station-book.js";
import { get, put } from "./indexed-db.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";

const LAST = "station-setup";
const MAX_NAMES = 200;

/** Show the set-up of a game, with the rule set and options of the last one. */
export async function showStationSetup(app) {
  const { root, published, go } = app, { signal } = app.shown;
  const { names = [], ...last } = (await get(LAST)) ?? {};
  if (signal.aborted) return;
  const form = createSetup(published, last);
  const known = h("datalist", { id: "known-names" }, names.map((name) => h("option", { value: name })));
  for (const name of form.names) name.setAttribute("list", known.id);
  const begin = async () => {
    const setup = readSetup(form);
    if (!setup) return;
    const { players, ...rules } = setup;
    await askToPersist();
    await put(LAST, { ...rules, names: [...new Set([...players, ...names])].slice(0, MAX_NAMES) });
    go((await beginBook(published, setup)).stored.id);
  };
  root.replaceChildren(h("h1", { tabindex: "-1" }, t("keep.new")), ...setupFields(form), known,
    h("p", { class: "actions" }, button(t("station.begin"), begin, "main"), button(t("keep.cancel"), () => go(""))));
  root.querySelector("h1").focus();
}
