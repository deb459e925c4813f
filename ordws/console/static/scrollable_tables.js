// Lets a table that is wider than its container scroll within it, by the arrow keys too, instead of the whole page.

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
