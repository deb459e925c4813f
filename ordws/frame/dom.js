// Elements made of text alone: nothing that a dictionary has or somebody typed is ever parsed as HTML.

/** Make an element with attributes and children: `on...` is a listener, `true` an empty attribute, `false` none. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Make a text for screen readers alone. */
export function unseen(text) {
  return h("span", { class: "unseen" }, text);
}
