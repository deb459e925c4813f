// Sending what a director or a player does: forms with [data-command]. A form keeps what was typed until the desk has said
// that it is done. One that got no answer is sent again under the same id, and so is carried out once.

import { h, say } from "./dom.js";
import { refresh, showConnection, shownVersion } from "./live.js";

const RETRY_MS = 1000;

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-command]");
  if (form === null) return;
  event.preventDefault();
  send(form, event.submitter);
});

// What its director saw when they began to type: the version of the page of that moment goes with the command.
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-command]");
  if (form === null) return;
  if (!form.dataset.seen) form.dataset.seen = shownVersion();
  delete form.dataset.sure;
});

async function send(form, submitter) {
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  form.dataset.attempt ||= newId();
  const fields = new URLSearchParams(new FormData(form, submitter));
  fields.set("id", form.dataset.attempt);
  fields.set("seen", form.dataset.seen || shownVersion());
  if (form.dataset.sure) fields.set("sure", "yes");
  showFault(form, null);
  try {
    const reply = await post(form.getAttribute("action") ?? location.href, fields, form);
    const body = await reply.json();
    delete form.dataset.attempt;
    if (reply.ok) await finish(form, body);
    else fail(form, body);
  } finally {
    delete form.dataset.sending;
  }
}

/** Send until there is an answer; while there is none the page says so, and keeps everything. */
async function post(url, fields, form) {
  const headers = { Accept: "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]")?.content ?? "" };
  for (;;) {
    try {
      const reply = await fetch(url, { method: "POST", body: fields, headers });
      // A proxy answers in place of a desk that is not there.
      if (![502, 503, 504].includes(reply.status) && reply.headers.get("content-type")?.includes("json")) {
        showConnection(true);
        if (form.dataset.waiting) showFault(form, null);
        delete form.dataset.waiting;
        return reply;
      }
    } catch {
      // No network, or no desk: it may be starting again after a power cut.
    }
    form.dataset.waiting = "1";
    showConnection(false);
    showFault(form, { detail: "Not saved yet: the desk does not answer. This is sent again by itself." });
    await new Promise((go) => setTimeout(go, RETRY_MS));
  }
}

async function finish(form, body) {
  delete form.dataset.seen;
  delete form.dataset.sure;
  form.closest("dialog")?.close();
  form.reset();
  form.dispatchEvent(new CustomEvent("done", { bubbles: true, detail: body }));
  if (body.to) {
    sessionStorage.setItem("said", body.said ?? "");
    location.assign(body.to);
    return;
  }
  await refresh();
  say(body.said ?? "");
}

function fail(form, body) {
  // The director has now seen what happened in between, and may send the same once more.
  if (body.version) form.dataset.seen = body.version;
  // What looks wrong is done where the same is sent once more.
  if (body.code === "doubtful") form.dataset.sure = "yes";
  showFault(form, body);
  refresh();
}

function showFault(form, body) {
  let box = form.querySelector(".refusal");
  if (box === null) {
    box = h("div", { class: "refusal", role: "alert" });
    form.append(box);
  }
  const between = body?.between ?? [];
  box.replaceChildren(
    ...(body === null
      ? []
      : [
          h("p", { class: "fault" }, body.detail),
          body.hint ? h("p", { class: "hint" }, body.hint) : "",
          between.length ? h("p", {}, "Meanwhile:") : "",
          between.length ? h("ul", {}, between.map((each) => h("li", {}, each))) : "",
        ].filter(Boolean)),
  );
}

// What was done on the page before, which led here.
if (sessionStorage.getItem("said")) say(sessionStorage.getItem("said"));
sessionStorage.removeItem("said");

function newId() {
  // crypto.randomUUID is missing on the plain http of a hall's network.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

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
  delete form.dataset.seen;
  showFault(form, null);
  for (const { name, value } of button.attributes) {
    const field = name.startsWith("data-set-") && form.elements[name.slice("data-set-".length)];
    if (field.type === "checkbox") field.checked = value !== "";
    else if (field) field.value = value;
    if (name.startsWith("data-text-")) dialog.querySelector(`[data-slot=${name.slice("data-text-".length)}]`).textContent = value;
  }
  form.dataset.seen = shownVersion();
  dialog.showModal();
});

// The address of a slip's picture names the button that opens its form.
const named = location.hash && document.getElementById(location.hash.slice(1));
if (named && named.dataset.dialog) named.click();
