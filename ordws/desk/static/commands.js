// Sending what a director or a player does: forms with [data-command]. A form keeps what was typed until the desk has said
// that it is done. One that got no answer is sent again under the same id, and so is carried out once.

import { h } from "./dom.js";
import { refresh, showConnection, shownVersion } from "./live.js";

const RETRY_MS = 1000;

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-command]");
  if (form === null) return;
  event.preventDefault();
  send(form, event.submitter);
});

document.addEventListener("input", (event) => {
  const form = event.target.closest("form");
  if (form) noteWhatIsSeen(form);
});

/** Keep the version of the page of the moment in which somebody begins to type: what they decide, they decide by that. */
function noteWhatIsSeen(form) {
  form.dataset.seen ||= shownVersion();
  delete form.dataset.sure;
}

async function send(form, submitter) {
  if (form.dataset.sending) return;
  form.dataset.sending = "yes";
  form.dataset.attempt ||= newId();
  const fields = addContext(new URLSearchParams(new FormData(form, submitter)), form, form.dataset.attempt);
  showFault(form, null);
  const reply = await post(form.getAttribute("action") ?? location.href, fields, () => showFault(form, UNSAVED));
  delete form.dataset.attempt;
  delete form.dataset.sending;
  if (reply.ok) {
    form.closest("dialog")?.close();
    form.reset();
    form.dispatchEvent(new CustomEvent("done", { bubbles: true }));
  }
  take(form, reply);
}

/** Add to the fields of a form under which id it is sent, and what its sender has seen. */
export function addContext(fields, form, id) {
  fields.set("id", id);
  fields.set("seen", form.dataset.seen || shownVersion());
  if (form.dataset.sure) fields.set("sure", "yes");
  return fields;
}

// The facts that this window has made itself, as the versions before and after them: nobody is in conflict with themselves.
const own = [];

/** The version that somebody has seen, together with what they did themselves right after it. */
function withOwn(seen) {
  const next = own.find(([before, after]) => before <= seen && seen < after);
  return next ? withOwn(next[1]) : seen;
}

/** Send until there is an answer, an object with `ok` and the reply's fields; `wait` is called where there is none yet. */
export async function post(url, fields, wait) {
  const headers = { Accept: "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]")?.content ?? "" };
  for (;;) {
    try {
      fields.set("seen", withOwn(Number(fields.get("seen"))));
      const reply = await fetch(url, { method: "POST", body: fields, headers });
      // A proxy answers in place of a desk that is not there.
      if (![502, 503, 504].includes(reply.status) && reply.headers.get("content-type")?.includes("json")) {
        const body = await reply.json();
        showConnection(true);
        return { ...body, ok: reply.ok };
      }
    } catch {
      // No network, or no desk: it may be starting again after a power cut.
    }
    showConnection(false);
    wait();
    await new Promise((go) => setTimeout(go, RETRY_MS));
  }
}

const UNSAVED = { detail: "Not saved yet: the desk does not answer. This is sent again by itself." };

/** Take an answer over: say what was done and show it, or show why it was not done. */
export function take(form, reply) {
  delete form.dataset.seen;
  delete form.dataset.sure;
  if (reply.ok) {
    if (reply.after) own.push([reply.before, reply.after]);
    showFault(form, null);
    if (reply.to) {
      sessionStorage.setItem("said", reply.said ?? "");
      location.assign(reply.to);
      return;
    }
    say(reply.said ?? "");
  } else {
    // The sender has now seen what happened in between, and may send the same once more.
    if (reply.version) form.dataset.seen = reply.version;
    // What looks wrong is done where the same is sent once more.
    if (reply.code === "doubtful") form.dataset.sure = "yes";
    showFault(form, reply);
  }
  refresh();
}

/** Show why a form was not carried out; null takes that away. */
export function showFault(form, reply) {
  const box = form.querySelector(".refusal") ?? form.appendChild(h("div", { class: "refusal", role: "alert" }));
  const between = reply?.between ?? [];
  box.replaceChildren(
    ...[
      reply && h("p", { class: "fault" }, reply.text && h("code", {}, reply.text), reply.text && " ", reply.detail),
      reply?.hint && h("p", { class: "hint" }, reply.hint),
      between.length > 0 && h("p", {}, "Meanwhile:"),
      between.length > 0 && h("ul", {}, between.map((each) => h("li", {}, each))),
    ].filter(Boolean),
  );
}

export function newId() {
  // crypto.randomUUID is missing on the plain http of a hall's network.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What was done on the page before, which led here.
if (sessionStorage.getItem("said")) say(sessionStorage.getItem("said"));
sessionStorage.removeItem("said");

// A dialog is opened by a button with [data-dialog]; the button's data-set-NAME fill its fields, its data-text-NAME its text.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-dialog]");
  if (button === null) {
    if (event.target.closest("[data-cancel]")) event.target.closest("dialog").close();
    return;
  }
  const dialog = document.getElementById(button.dataset.dialog);
  const form = dialog.querySelector("form");
  form.reset();
  showFault(form, null);
  for (const { name, value } of button.attributes) {
    const field = name.startsWith("data-set-") && form.elements[name.slice("data-set-".length)];
    if (field.type === "checkbox") field.checked = value !== "";
    else if (field) field.value = value;
    if (name.startsWith("data-text-")) dialog.querySelector(`[data-slot=${name.slice("data-text-".length)}]`).textContent = value;
  }
  delete form.dataset.sure;
  form.dataset.seen = shownVersion();
  dialog.showModal();
});

/** Open what the address names: the form of a slip's picture, or the list of what can be typed. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  if (named?.dataset.dialog) named.click();
  if (named?.matches("details")) named.open = true;
}

openNamed();
addEventListener("hashchange", openNamed);

/** Say a sentence in the page's status line, which screen readers read. */
function say(text) {
  const line = document.querySelector("#said");
  // A live region is read again only where its text changes.
  if (line.textContent === text) line.replaceChildren();
  line.textContent = text;
}
