// What a table station knows of its pairing, which it remembers so that a game can begin without a connection too.

import { getPairing } from "./api.js";
import { registerKey } from "./device-key.js";
import { drop, get, put } from "./indexed-db.js";

const NAME = "station-device";

/**
 * Return the `device` with its table and club, and null where it is no station; `why` says why not: it is not paired,
 * is paired for a household, or has registered another key than this browser has.
 */
export async function findStation() {
  const reply = await getPairing();
  if (reply.status !== 200 && reply.status !== 401) {
    const device = (await get(NAME)) ?? null;
    return { device, why: device ? "" : "not-paired" };
  }
  const why = await findFault(reply), device = why ? null : { table: reply.body.table, club: reply.body.club };
  await (device ? put(NAME, device) : drop(NAME));
  return { device, why };
}

async function findFault({ status, body }) {
  if (status === 401) return "not-paired";
  if (body.kind === "home") return "household";
  return (await registerKey()).status === 409 ? "other-key" : "";
}
