// Elements, made of text alone: nothing that a player typed is ever parsed as HTML.

/**
 * Return an element with these attributes (`on...` are listeners, `true` is an empty attribute, `false` none) and
 * children.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false));
  return element;
}

/** Return text that a screen reader reads and nobody sees. */
export function visuallyHidden(text) {
  return h("span", { class: "unseen" }, text);
}
