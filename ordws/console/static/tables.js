// Tables on narrow screens: those of records become a card for each row, all others scroll within their container, by the
// arrow keys too, instead of the whole page.

for (const table of document.querySelectorAll("main table.records")) {
  const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  for (const row of table.tBodies[0].rows) {
    for (const [at, cell] of [...row.cells].entries()) cell.dataset.title = titles[at];
  }
  // A table that is not displayed as one loses its roles in some browsers.
  const roles = { table: "table", "thead, tbody": "rowgroup", tr: "row", "thead th": "columnheader", "tbody th": "rowheader", td: "cell" };
  for (const [selector, role] of Object.entries(roles)) {
    for (const element of selector === "table" ? [table] : table.querySelectorAll(selector)) element.setAttribute("role", role);
  }
  table.classList.add("stacked");
}

for (const table of document.querySelectorAll("main table")) {
  const container = document.createElement("div");
  container.className = "scroll";
  table.replaceWith(container);
  container.append(table);
  new ResizeObserver(() => {
    const isWide = container.scrollWidth > container.clientWidth;
    const name = table.caption?.textContent.trim() || document.title;
    for (const [attribute, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", name]]) {
      if (isWide) container.setAttribute(attribute, value);
      else container.removeAttribute(attribute);
    }
  }).observe(container);
}
