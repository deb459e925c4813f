// The line at the top of the desk: what is typed is explained while it is typed, and Enter does it. The arrows bring back
// earlier lines; "/" puts the focus into the line from wherever nothing is typed.

const form = document.querySelector("#line");
const field = form.querySelector("input[name=line]");
const echo = document.querySelector("#echo");
const LOOK_MS = 120;
const earlier = JSON.parse(sessionStorage.getItem("lines") ?? "[]");
let at = earlier.length;
let timer = 0;
let latest = 0;

field.addEventListener("input", () => {
  document.querySelector("#said").textContent = "";
  clearTimeout(timer);
  timer = setTimeout(explain, LOOK_MS);
});

async function explain() {
  const asked = ++latest;
  const text = field.value.trim();
  if (!text) return show("", "");
  try {
    const reply = await fetch(`${form.dataset.explain}?${new URLSearchParams({ line: text })}`, { headers: { Accept: "application/json" } });
    const body = await reply.json();
    if (asked === latest) show(body.means ?? body.detail ?? "", reply.ok ? "means" : "fault");
  } catch {
    show("", "");
  }
}

function show(text, state) {
  echo.textContent = text;
  echo.dataset.state = state;
}

field.addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step || !earlier.length) return;
  event.preventDefault();
  at = Math.min(Math.max(at + step, 0), earlier.length);
  field.value = earlier[at] ?? "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

form.addEventListener("submit", () => {
  const text = field.value.trim();
  if (text && earlier.at(-1) !== text) earlier.push(text);
  sessionStorage.setItem("lines", JSON.stringify(earlier.slice(-50)));
  at = earlier.length;
});

form.addEventListener("done", () => {
  latest += 1;
  show("", "");
  field.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input, textarea, select, dialog")) return;
  event.preventDefault();
  field.focus();
});
