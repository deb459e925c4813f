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

/** Return the element of the page with that id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Make a button of a text, or of several parts; the most frequent action of a view has the kind "main". */
export function button(label, onclick, kind = null) {
  return h("button", { type: "button", class: kind, onclick }, label);
}

/** Make a text for screen readers alone. */
export function unseen(text) {
  return h("span", { class: "unseen" }, text);
}

/** Make a frame that scrolls, by keys too, where its content is wider than the page. */
export function scrollable(label, ...children) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
}

/** Make the head of a table from the titles of its columns. */
export function tableHead(titles, attributes = {}) {
  return h("thead", attributes, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title))));
}

/** Let the browser save a file under its name. */
export function saveFile(file) {
  const href = URL.createObjectURL(file);
  h("a", { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
