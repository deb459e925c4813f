
/** The text of that id, `{name}` in it filled in; an id that is not there is a mistake of ours. */
export function t(id, values = {}) {
  if (!(id in TEXTS)) throw new Error(`no text ${id}`);
  return TEXTS[id].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
