// The paired devices of a club: since when, when each was last seen, and the button that revokes it.

import { confirm } from "./keep-dialogs.js";
import { byId, h } from "./dom.js";
import { t } from "./texts.js";

const dateTimeFormat = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

/** Return the table of devices: `show` fills it, `refresh` asks for the devices first and returns them. */
export function createDevices(desk) {
  function show({ devices }) {
    byId("no-devices").hidden = devices.length > 0;
    byId("devices").hidden = devices.length === 0;
    byId("devices").tBodies[0].replaceChildren(...devices.map(row));
  }

  async function refresh() {
    const found = await desk.requestAsClub("GET", "/v1/devices");
    if (found) show(found);
    return found;
  }

  function row(device) {
    const name = device.director ? t("director.of-director", { table: device.table }) : device.table;
    const revoke = h("button", {
      type: "button", "aria-label": t("director.revoke-one", { table: device.table }),
      onclick: () => revokeIfSure(desk, device, refresh),
    }, t("director.revoke"));
    return h("tr", {},
      h("th", { scope: "row" }, name), h("td", {}, formatMoment(device.paired)),
      h("td", {}, device.seen ? formatMoment(device.seen) : t("director.never-seen")),
      h("td", {}, device.log ? t("director.logged") : t("director.not-logged")), h("td", {}, revoke));
  }

  return { show, refresh };
}

function formatMoment(text) {
  return dateTimeFormat.format(Date.parse(text));
}

async function revokeIfSure(desk, { id, table }, refresh) {
  const title = t("director.revoke-title", { table });
  if (!(await confirm(title, t("director.about-revoking"), t("director.revoke")))) return;
  if (!(await desk.requestAsClub("POST", `/v1/devices/${id}/revoke`, {}))) return;
  desk.tell(t("director.revoked", { table }));
  await refresh();
}
