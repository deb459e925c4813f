// The director's page. The club's key stays in this page's memory alone, and is forgotten when the page is left.

import { h } from "./dom.js";
import { createLog } from "./director-log.js";
import { formatTime } from "./judge-errors.js";
import { fetchJson } from "./api.js";
import { t } from "./texts.js";

const POLL_MS = 5_000;
const byId = (id) => document.getElementById(id);
const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
let key = null, countdownTimer = null;

/** Send a request with the club's key; return the body, or null after showing why it was refused. */
async function requestAsClub(method, path, body) {
  const reply = await fetchJson(method, path, body, { Authorization: `Bearer ${key}` });
  byId("fault").textContent = "";
  if (reply.status === 200 || reply.status === 201) return reply.body;
  if (reply.status === 401) close(t("director.bad-key"));
  else byId(byId("desk").hidden ? "enter-fault" : "fault").textContent = describeFailure(reply);
  return null;
}

function describeFailure({ status, wait }) {
  switch (status) {
    case 0: return t("director.no-connection");
    case 403: return t("director.out-of-scope");
    case 409: return t("director.too-many");
    case 429:
    case 503: return t("director.later", { when: formatTime(wait) });
    default: return t("director.mistake", { status });
  }
}

async function open() {
  key = byId("key").value.trim();
  byId("key").value = "";
  byId("enter-fault").textContent = key ? "" : t("director.no-key");
  if (!key || !/^[\x21-\x7e]+$/.test(key)) return close(key ? t("director.bad-key") : t("director.no-key"));
  const found = await requestAsClub("GET", "/v1/devices");
  if (!found) return key = null;
  byId("enter").hidden = true;
  byId("desk").hidden = false;
  byId("invite-title").focus();
  showDevices(found.devices);
  await log.all();
}

/** Forget the key and everything that was shown with it. */
function close(why = "") {
  key = null;
  endCode();
  log.clear();
  showDevices([]);
  byId("desk").hidden = true;
  byId("enter").hidden = false;
  byId("enter-fault").textContent = why;
}

async function invite() {
  const table = byId("table").value.trim();
  if (!table) return (byId("fault").textContent = t("director.no-table"));
  const before = await requestAsClub("GET", "/v1/devices");
  const made = before && (await requestAsClub("POST", "/v1/devices", { table, log: byId("log").checked }));
  if (!made) return;
  byId("table").value = "";
  showCode(made, new Set(before.devices.map(({ id }) => id)));
}

function showCode({ code, table, expires }, known) {
  endCode();
  const left = h("p", { class: "left" });
  const link = `${location.origin}/judge#pair=${code.replace("-", "")}`;
  byId("code").replaceChildren(
    h("h3", { tabindex: "-1" }, t("director.code-for", { table })), h("p", { class: "code" }, code), left,
    h("p", {}, t("director.open-there", { address: `${location.origin}/judge` })),
    h("p", {}, t("director.or-link"), " ", h("a", { href: link }, link)));
  byId("code").hidden = false;
  byId("code").querySelector("h3").focus();
  const ends = Date.parse(expires);
  let lastPoll = Date.now();
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
    left.textContent = t("director.left", {
      minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, "0"),
    });
    if (!seconds) return showNotice(t("director.expired"));
    if (Date.now() - lastPoll >= POLL_MS) lastPoll = (pollDevices(table, known), Date.now());
  };
  countdownTimer = setInterval(tick, 1000);
  tick();
}

/** Show the devices, and say so if a new one has been paired with the code. */
async function pollDevices(table, known) {
  const timer = countdownTimer;
  const found = await requestAsClub("GET", "/v1/devices");
  if (!found || timer !== countdownTimer) return;
  showDevices(found.devices);
  if (found.devices.some((device) => device.table === table && !known.has(device.id))) {
    showNotice(t("director.paired", { table }));
  }
}

function showNotice(text) {
  endCode();
  byId("code").replaceChildren(h("p", { class: "notice", role: "status" }, text));
  byId("code").hidden = false;
}

function endCode() {
  clearInterval(countdownTimer);
  countdownTimer = null;
  byId("code").replaceChildren();
  byId("code").hidden = true;
}

function showDevices(devices) {
  byId("no-devices").hidden = devices.length > 0;
  byId("devices").hidden = devices.length === 0;
  byId("devices").tBodies[0].replaceChildren(...devices.map((device) => h("tr", {},
    h("th", { scope: "row" }, device.table), h("td", {}, dateTimeFormat.format(Date.parse(device.paired))),
    h("td", {}, device.log ? t("director.logged") : t("director.not-logged")),
    h("td", {}, h("button", {
      type: "button", "aria-label": t("director.revoke-one", { table: device.table }), onclick: () => confirm(device),
    }, t("director.revoke"))))));
}

function confirm({ id, table }) {
  const revoke = async () => {
    dialog.close();
    if (!(await requestAsClub("POST", `/v1/devices/${id}/revoke`, {}))) return;
    byId("told").textContent = t("director.revoked", { table });
    const found = await requestAsClub("GET", "/v1/devices");
    if (found) showDevices(found.devices);
  };
  const dialog = h("dialog", { "aria-labelledby": "revoke-title", onclose: () => dialog.remove() },
    h("h2", { id: "revoke-title" }, t("director.revoke-title", { table })), h("p", {}, t("director.about-revoking")),
    h("p", { class: "end" },
      h("button", { type: "button", onclick: () => dialog.close() }, t("director.cancel")),
      h("button", { type: "button", class: "main", onclick: revoke }, t("director.revoke"))));
  document.body.append(dialog);
  dialog.showModal();
}

const log = createLog(requestAsClub, (text) => (byId("fault").textContent = text));
byId("open").addEventListener("click", open);
byId("invite").addEventListener("click", invite);
byId("close").addEventListener("click", () => close());
byId("print").addEventListener("click", () => window.print());
for (const [id, act] of [["key", open], ["table", invite]]) {
  byId(id).addEventListener("keydown", (event) => event.key === "Enter" && act());
}
window.addEventListener("pagehide", () => close());
