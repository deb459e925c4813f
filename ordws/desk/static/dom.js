// Elements made of text alone: nothing that somebody typed is ever parsed as HTML.

/** Make an element with attributes and children: `true` is an empty attribute; `false`, null and undefined are none of either. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Say a sentence in the page's status line, which screen readers read. */
export function say(text) {
  const line = document.querySelector("#said");
  // A live region is read again only where its text changes.
  if (line.textContent === text) line.replaceChildren();
  line.textContent = text;
}
