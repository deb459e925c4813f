
/** Return the text with that id, `{name}` in it filled in; an unknown id is a programming error. */
export function t(id, values = {}) {
  if (!(id in TEXTS)) throw new Error(`no text ${id}`);
  return TEXTS[id].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
