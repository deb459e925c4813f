// The director's page. The club's key stays in this page's memory alone, and is forgotten when the page is left.

import { byId } from "./dom.js";
import { createBoards } from "./director-boards.js";
import { createCodes } from "./director-codes.js";
import { createDevices } from "./director-devices.js";
import { createLog } from "./director-log.js";
import { formatTime } from "./judge-errors.js";
import { fetchJson, getDevice, pairDevice } from "./api.js";
import { t } from "./texts.js";

let key = null;

/** Send a request with the club's key; return the body, or null after showing why it was refused. */
async function requestAsClub(method, path, body) {
  return read(await fetchJson(method, path, body, { Authorization: `Bearer ${key}` }));
}

/** Send a request with the cookie of this device; return the body, or null after showing why it was refused. */
async function requestAsDevice(method, path, body) {
  return read(await fetchJson(method, path, body));
}

function read(reply) {
  byId("fault").textContent = "";
  if (reply.status === 200) return reply.body;
  if (reply.status === 401 && key) close(t("director.bad-key"));
  else byId(byId("desk").hidden && byId("boards").hidden ? "enter-fault" : "fault").textContent = describeFailure(reply);
  return null;
}

function describeFailure({ status, body, wait }) {
  const { code, budget } = body ?? {};
  if (status === 0) return t("director.no-connection");
  if (code === "operators-only") return t("director.operators-only");
  if (code === "too-many-devices") return desk.kind === "home" ? t("director.too-many-at-home") : t("director.too-many");
  if (code === "not-found") return t("boards.not-found");
  if (code === "game-not-over") return t("boards.not-over");
  if (code === "budget-spent") {
    const why = budget === "games" ? t("boards.spent-games") : t("boards.spent");
    return `${why} ${t("director.later", { when: formatTime(wait) })}`;
  }
  if (status === 401) return t("boards.unpaired");
  if (status === 403) return t("director.out-of-scope");
  if (status === 429 || status === 503) return t("director.later", { when: formatTime(wait) });
  return t("director.mistake", { status });
}

async function open() {
  key = byId("key").value.trim();
  byId("key").value = "";
  byId("enter-fault").textContent = key ? "" : t("director.no-key");
  if (!key || !/^[\x21-\x7e]+$/.test(key)) return close(key ? t("director.bad-key") : t("director.no-key"));
  const found = await requestAsClub("GET", "/v1/devices");
  if (!found) return key = null;
  desk.kind = found.kind;
  showDesk(found);
  byId("invite-title").focus();
  if (found.kind === "home") return;
  await log.all();
  await boards.open({ isOffered: true });
}

/** Show the desk of a club, or of a home key only what pairs the devices of its household. */
function showDesk(found) {
  const isHome = found.kind === "home";
  byId("enter").hidden = true;
  for (const id of ["desk", "close"]) byId(id).hidden = false;
  byId("archive").hidden = isHome;
  byId("household").hidden = !isHome;
  byId("household").textContent = isHome ? t("director.household", { n: found.most }) : "";
  for (const element of document.querySelectorAll(".of-club")) element.hidden = isHome;
  devices.show(found);
}

/** Forget the key and everything that was shown with it. */
function close(why = "") {
  key = null;
  desk.kind = "operator";
  codes.clear();
  log.clear();
  boards.clear();
  devices.show({ devices: [] });
  for (const id of ["desk", "archive", "close", "boards"]) byId(id).hidden = true;
  byId("enter").hidden = false;
  byId("enter-fault").textContent = why;
  byId("left-over").textContent = "";
}

async function invite() {
  const tables = byId("table").value.split("\n").map((line) => line.trim()).filter(Boolean);
  if (!tables.length) return (byId("fault").textContent = t("director.no-table"));
  const leftOver = tables.slice(await codes.make(tables, { log: byId("log").checked }));
  byId("table").value = leftOver.join("\n");
  byId("left-over").textContent = leftOver.length ? t("director.left-over", { tables: leftOver.join(", ") }) : "";
}

/** Pair this browser as the director's own device, which looks over finished boards. */
async function becomeDirector() {
  const made = await requestAsClub("POST", "/v1/devices", { table: t("boards.director"), director: true });
  const reply = made && (await pairDevice(made.code));
  if (reply?.status !== 200) return;
  await devices.refresh();
  await boards.open({ isOffered: true });
}

const desk = {
  kind: "operator", requestAsClub, requestAsDevice, readReply: read,
  tell: (text) => (byId("told").textContent = text),
};
const log = createLog(requestAsClub, (text) => (byId("fault").textContent = text));
const devices = createDevices(desk);
const codes = createCodes(desk, devices);
const boards = createBoards(desk);
byId("open").addEventListener("click", open);
byId("invite").addEventListener("click", invite);
byId("become-director").addEventListener("click", becomeDirector);
byId("close").addEventListener("click", () => close());
byId("print").addEventListener("click", () => window.print());
byId("key").addEventListener("keydown", (event) => event.key === "Enter" && open());
window.addEventListener("pagehide", () => close());
// A director's own device needs no key to look boards over.
if ((await getDevice())?.director && key === null) await boards.open({ isOffered: false });
