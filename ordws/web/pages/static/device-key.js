// The key by which this device signs what it keeps without a connection. No script can read its private part.

import { fetchJson } from "./api.js";
import { get, put } from "./indexed-db.js";

const NAME = "device-key";
const KIND = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };

/** Return the pair of keys of this device, which is made when it is first needed. */
function getKeys() {
  return navigator.locks.request("ordws.device-key", async () => {
    const kept = await get(NAME);
    if (kept) return kept;
    const made = await crypto.subtle.generateKey(KIND, false, ["sign", "verify"]);
    await put(NAME, made);
    return made;
  });
}

/** Register the public key for this pairing, and return the reply; the same key again is the same. */
export async function registerKey() {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", (await getKeys()).publicKey);
  return fetchJson("POST", "/v1/device/key", { key: { kty, crv, x, y } });
}

/** Return the signature of a text, 64 bytes in base64url. */
export async function sign(text) {
  const { privateKey } = await getKeys();
  return toBase64Url(await crypto.subtle.sign(SIGNATURE, privateKey, new TextEncoder().encode(text)));
}

/** Return the SHA-256 of a text in hexadecimal. */
export async function digestOf(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toBase64Url(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
