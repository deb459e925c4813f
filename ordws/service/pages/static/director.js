// The director's desk. The club's key is kept in this page's memory alone, and forgotten when the page is left.

import { h } from "./dom.js";
import { showLog } from "./director-log.js";
import { when } from "./judge-trouble.js";
import { ask } from "./net.js";
import { t } from "./texts.js";

const LOOK_AGAIN = 5_000;
const part = (id) => document.getElementById(id);
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
let key = null, ticking = null;

/** Ask in the name of the club: what is answered, or null where it was refused, which is told. */
async function asks(method, path, body) {
  const reply = await ask(method, path, body, { Authorization: `Bearer ${key}` });
  part("fault").textContent = "";
  if (reply.status === 200 || reply.status === 201) return reply.body;
  if (reply.status === 401) close(t("director.bad-key"));
  else part(part("desk").hidden ? "enter-fault" : "fault").textContent = whyNot(reply);
  return null;
}

function whyNot({ status, wait }) {
  switch (status) {
    case 0: return t("director.no-connection");
    case 403: return t("director.out-of-scope");
    case 409: return t("director.too-many");
    case 429:
    case 503: return t("director.later", { when: when(wait) });
    default: return t("director.mistake", { status });
  }
}

async function open() {
  key = part("key").value.trim();
  part("key").value = "";
  part("enter-fault").textContent = key ? "" : t("director.no-key");
  if (!key || !/^[\x21-\x7e]+$/.test(key)) return close(key ? t("director.bad-key") : t("director.no-key"));
  const found = await asks("GET", "/v1/devices");
  if (!found) return key = null;
  part("enter").hidden = true;
  part("desk").hidden = false;
  part("invite-title").focus();
  showDevices(found.devices);
  await log.all();
}

/** Forget the key, and all that was shown by it. */
function close(why = "") {
  key = null;
  endCode();
  log.clear();
  showDevices([]);
  part("desk").hidden = true;
  part("enter").hidden = false;
  part("enter-fault").textContent = why;
}

async function invite() {
  const table = part("table").value.trim();
  if (!table) return (part("fault").textContent = t("director.no-table"));
  const before = await asks("GET", "/v1/devices");
  const made = before && (await asks("POST", "/v1/devices", { table, log: part("log").checked }));
  if (!made) return;
  part("table").value = "";
  showCode(made, new Set(before.devices.map(({ id }) => id)));
}

function showCode({ code, table, expires }, known) {
  endCode();
  const left = h("p", { class: "left" });
  const link = `${location.origin}/judge#pair=${code.replace("-", "")}`;
  part("code").replaceChildren(
    h("h3", { tabindex: "-1" }, t("director.code-for", { table })), h("p", { class: "code" }, code), left,
    h("p", {}, t("director.open-there", { address: `${location.origin}/judge` })),
    h("p", {}, t("director.or-link"), " ", h("a", { href: link }, link)));
  part("code").hidden = false;
  part("code").querySelector("h3").focus();
  const ends = Date.parse(expires);
  let looked = Date.now();
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
    left.textContent = t("director.left", {
      minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, "0"),
    });
    if (!seconds) return showInstead(t("director.expired"));
    if (Date.now() - looked >= LOOK_AGAIN) looked = (look(table, known), Date.now());
  };
  ticking = setInterval(tick, 1000);
  tick();
}

/** Look whether the device has come. */
async function look(table, known) {
  const mine = ticking;
  const found = await asks("GET", "/v1/devices");
  if (!found || mine !== ticking) return;
  showDevices(found.devices);
  if (found.devices.some((device) => device.table === table && !known.has(device.id))) {
    showInstead(t("director.paired", { table }));
  }
}

function showInstead(text) {
  endCode();
  part("code").replaceChildren(h("p", { class: "notice", role: "status" }, text));
  part("code").hidden = false;
}

function endCode() {
  clearInterval(ticking);
  ticking = null;
  part("code").replaceChildren();
  part("code").hidden = true;
}

function showDevices(devices) {
  part("no-devices").hidden = devices.length > 0;
  part("devices").hidden = devices.length === 0;
  part("devices").tBodies[0].replaceChildren(...devices.map((device) => h("tr", {},
    h("th", { scope: "row" }, device.table), h("td", {}, clock.format(Date.parse(device.paired))),
    h("td", {}, device.log ? t("director.logged") : t("director.not-logged")),
    h("td", {}, h("button", {
      type: "button", "aria-label": t("director.revoke-one", { table: device.table }), onclick: () => confirm(device),
    }, t("director.revoke"))))));
}

function confirm({ id, table }) {
  const revoke = async () => {
    dialog.close();
    if (!(await asks("POST", `/v1/devices/${id}/revoke`, {}))) return;
    part("told").textContent = t("director.revoked", { table });
    const found = await asks("GET", "/v1/devices");
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

const log = showLog(asks, (text) => (part("fault").textContent = text));
part("open").addEventListener("click", open);
part("invite").addEventListener("click", invite);
part("close").addEventListener("click", () => close());
part("print").addEventListener("click", () => window.print());
for (const [id, act] of [["key", open], ["table", invite]]) {
  part(id).addEventListener("keydown", (event) => event.key === "Enter" && act());
}
window.addEventListener("pagehide", () => close());
