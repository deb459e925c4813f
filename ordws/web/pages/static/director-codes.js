// The codes that pair devices: any number on the screen at once, each with its QR code and the time that is left.

import { byId, h } from "./dom.js";
import { formatTime } from "./judge-errors.js";
import { t } from "./texts.js";

const POLL_MS = 5_000;

/** Return the codes: `make` asks for one for each table, shows them and returns how many, `clear` takes all off the screen. */
export function createCodes(desk, devices) {
  let live = [], known = new Set(), timer = null, lastPoll = 0;

  async function make(tables, { log }) {
    const before = await desk.requestAsClub("GET", "/v1/devices");
    if (!before) return 0;
    if (!live.length) known = new Set(before.devices.map(({ id }) => id));
    const cards = [];
    for (const table of tables) {
      const body = { table, log, address: location.origin };
      const made = await desk.requestAsClub("POST", "/v1/devices", body);
      if (!made) break;
      cards.push(card(made));
    }
    if (!cards.length) return 0;
    clear();
    live = cards;
    byId("codes").hidden = false;
    byId("codes").querySelector("ul").replaceChildren(...live.map(({ element }) => element));
    live[0].element.querySelector("h3").focus();
    lastPoll = Date.now();
    timer = setInterval(tick, 1000);
    tick();
    return cards.length;
  }

  function tick() {
    for (const each of live.filter(({ isOpen }) => isOpen)) {
      const seconds = Math.max(0, Math.ceil((each.ends - Date.now()) / 1000));
      const parts = { minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, "0") };
      each.left.textContent = t("director.left", parts);
      if (!seconds) finish(each, t("director.expired"));
    }
    if (!live.some(({ isOpen }) => isOpen)) clearInterval(timer);
    else if (Date.now() - lastPoll >= POLL_MS) lastPoll = (poll(), Date.now());
  }

  /** Show the devices, and say of each code with which a new device has been paired that it was. */
  async function poll() {
    const asked = timer, found = await devices.refresh();
    if (!found || asked !== timer) return;
    for (const device of found.devices.filter(({ id }) => !known.has(id))) {
      const paired = live.find(({ isOpen, table }) => isOpen && table === device.table);
      if (!paired) continue;
      known.add(device.id);
      finish(paired, t("director.paired", { table: device.table }));
    }
  }

  function clear() {
    clearInterval(timer);
    timer = null;
    live = [];
    byId("codes").hidden = true;
    byId("codes").querySelector("ul").replaceChildren();
  }

  byId("print-codes").addEventListener("click", () => {
    document.body.dataset.printed = "codes";
    window.print();
  });
  window.addEventListener("afterprint", () => delete document.body.dataset.printed);
  return { make, clear };
}

/** Return a code as a sheet: to type, to scan, or to open as a link on the device of the table. */
function card({ code, table, expires, link, qr }) {
  const left = h("p", { class: "left screen" }), ends = Date.parse(expires);
  const element = h("li", { class: "sheet invitation" },
    h("h3", { tabindex: "-1" }, t("director.code-for", { table })), h("p", { class: "code" }, code),
    h("img", { class: "qr", src: qr, alt: t("director.qr", { table }), width: 180, height: 180 }), left,
    h("p", { class: "until" }, t("director.until", { when: formatTime((ends - Date.now()) / 1000) })),
    h("p", {}, t("director.open-there", { address: `${location.origin}/judge` })),
    h("p", { class: "screen" }, t("director.or-link"), " ", h("a", { href: link }, link)));
  return { element, left, table, ends, isOpen: true };
}

/** Say what became of a code in its place. */
function finish(each, text) {
  each.isOpen = false;
  each.element.replaceChildren(h("p", { class: "notice", role: "status" }, text));
}
