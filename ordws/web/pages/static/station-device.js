// What a table station knows of its pairing, which it remembers so that a game can begin without a connection too.

import { getPairing } from "./api.js";
import { registerKey } from "./device-key.js";
import { drop, get, put } from "./indexed-db.js";

const NAME = "station-device";

/** Return the table and the club of this device; null where it is not paired by a club, or its key not registered. */
export async function rememberedDevice() {
  const reply = await getPairing();
  if (reply.status !== 200 && reply.status !== 401) return (await get(NAME)) ?? null;
  const { body } = reply;
  const isStation = reply.status === 200 && body.kind === "operator" && (body.signs || (await registerKey()).status === 200);
  if (!isStation) {
    await drop(NAME);
    return null;
  }
  const device = { table: body.table, club: body.club };
  await put(NAME, device);
  return device;
}
