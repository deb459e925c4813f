// A table that is wider than its place scrolls there, by the arrow keys too, and not the page with it.

for (const table of document.querySelectorAll("main table")) {
  const place = document.createElement("div");
  place.className = "scroll";
  table.replaceWith(place);
  place.append(table);
  new ResizeObserver(() => {
    const isWide = place.scrollWidth > place.clientWidth;
    const name = table.caption?.textContent.trim() || document.title;
    for (const [attribute, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", name]]) {
      if (isWide) place.setAttribute(attribute, value);
      else place.removeAttribute(attribute);
    }
  }).observe(place);
}
