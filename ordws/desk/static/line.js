// The line at the top of the desk: what is typed is explained while it is typed, and Enter does it. Lines are sent in their
// order, and the field is free for the next at once; one that was refused comes back. The arrows bring back earlier lines;
// "/" puts the focus into the line from wherever nothing is typed.

import { addContext, newId, post, showFault, take } from "./commands.js";
import { h } from "./dom.js";

const form = document.querySelector("#line");
const field = form.querySelector("input[name=line]");
const echo = document.querySelector("#echo");
const unsent = document.querySelector("#unsent");
const LOOK_MS = 120;
const MOST_KEPT = 50;
const earlier = JSON.parse(sessionStorage.getItem("lines") ?? "[]");
// A line that has no answer yet outlasts even a page that is loaded again.
const waiting = JSON.parse(sessionStorage.getItem("unsent") ?? "[]");
let at = earlier.length;
let timer = 0;
let latest = 0;
let isSending = false;

// The field is not refreshed, since somebody may type in it; its example follows the heading, which is.
document.addEventListener("refreshed", () => {
  const { example } = document.querySelector("[data-example]")?.dataset ?? {};
  if (example) field.placeholder = example;
});

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
    if (asked === latest) show(body.means ?? body.fault ?? "", body.means ? "means" : "fault");
  } catch {
    show("", "");
  }
}

function show(text, state) {
  echo.textContent = text;
  echo.dataset.state = state;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (!text) return;
  const fields = addContext(new URLSearchParams(new FormData(form)), form, newId());
  delete form.dataset.seen;
  delete form.dataset.sure;
  if (earlier.at(-1) !== text) earlier.push(text);
  sessionStorage.setItem("lines", JSON.stringify(earlier.slice(-MOST_KEPT)));
  at = earlier.length;
  field.value = "";
  latest += 1;
  clearTimeout(timer);
  show("", "");
  showFault(form, null);
  waiting.push({ text, fields: `${fields}` });
  keepWaiting();
  sendWaiting();
});

async function sendWaiting() {
  if (isSending) return;
  isSending = true;
  while (waiting.length > 0) {
    const { text, fields } = waiting[0];
    const reply = await post(form.action, new URLSearchParams(fields), showWaiting);
    waiting.shift();
    keepWaiting();
    showWaiting();
    // The page that follows from a line has to wait for the lines that were typed after it.
    if (waiting.length > 0) delete reply.to;
    if (!reply.ok) {
      reply.text = text;
      if (!field.value) field.value = text;
    }
    take(form, reply);
    // A line that was typed meanwhile is not the one that the desk asks about.
    if (field.value.trim() !== text) delete form.dataset.sure;
  }
  isSending = false;
}

function keepWaiting() {
  sessionStorage.setItem("unsent", JSON.stringify(waiting));
}

/** List the lines that got no answer yet, once one of them had to wait. */
function showWaiting() {
  unsent.replaceChildren(
    ...waiting.map(({ text }) => h("li", {}, h("code", {}, text), " is not saved yet: the desk does not answer, and this is sent again by itself.")),
  );
}

field.addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step || earlier.length === 0) return;
  event.preventDefault();
  at = Math.min(Math.max(at + step, 0), earlier.length);
  field.value = earlier[at] ?? "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input, textarea, select, dialog")) return;
  event.preventDefault();
  field.focus();
});

showWaiting();
sendWaiting();
// Before this the browser itself would send the form, which the desk takes too, and load the page anew.
form.dataset.ready = "yes";
