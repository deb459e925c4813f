// The projector's view: sheet after sheet, and page after page of each. A sheet's columns flow to the right beyond the window,
// and a page is what fits. Space pauses, the arrows turn pages by hand.

const seconds = Number(document.body.dataset.seconds);
const pause = document.querySelector("#pause");
let sheet = 0;
let page = 0;
let timer = 0;

function sheets() {
  return [...document.querySelectorAll("[data-sheet]")];
}

function show() {
  const all = sheets();
  sheet = Math.min(sheet, all.length - 1);
  for (const [at, each] of all.entries()) each.hidden = at !== sheet;
  const list = all[sheet].querySelector(".sheet");
  const step = list.clientWidth + (Number.parseFloat(getComputedStyle(list).columnGap) || 0);
  const pages = Math.max(1, Math.round((list.scrollWidth + step - list.clientWidth) / step));
  page = Math.min(Math.max(page, 0), pages - 1);
  list.scrollLeft = page * step;
  const label = all[sheet].querySelector("[data-page]");
  if (label) label.textContent = pages > 1 ? `${page + 1} of ${pages}` : "";
  return pages;
}

function turn(step) {
  const pages = show();
  page += step;
  if (page < 0 || page >= pages) {
    const count = sheets().length;
    sheet = (sheet + step + count) % count;
    page = step > 0 ? 0 : Number.MAX_SAFE_INTEGER;
  }
  show();
}

function start() {
  clearInterval(timer);
  if (pause.getAttribute("aria-pressed") === "false") timer = setInterval(() => turn(1), seconds * 1000);
}

pause.addEventListener("click", () => {
  pause.setAttribute("aria-pressed", pause.getAttribute("aria-pressed") === "false");
  start();
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    turn(step);
    start();
  } else if (event.key === " " && event.target !== pause) {
    event.preventDefault();
    pause.click();
  }
});
document.addEventListener("refreshed", show);
addEventListener("resize", show);
show();
start();
