// Calls the JavaScript client as told by lines of JSON on the standard input, and prints a line for each outcome. Clients
// have a clock that advances only when they sleep, and a chance of 0.5.

import { createInterface } from "node:readline";
import { createClient } from "ordws-client";

const clients = [];
const FIELDS = ["name", "message", "code", "status", "detail", "instance", "budget", "retryAfter", "wasSent", "contentType",
  "attempts"];

function make({ isVirtual, ...options }) {
  const slept = [];
  let ms = 0;
  const clock = {
    now: () => ms,
    random: () => 0.5,
    sleep: async (pause) => { slept.push(pause / 1000); ms += pause; },
  };
  clients.push({ client: createClient({ ...options, ...(isVirtual && clock) }), slept });
  return clients.length - 1;
}

async function call(number, method, args) {
  const { client, slept } = clients[number];
  slept.length = 0;
  try {
    return { value: (await client[method](...args)) ?? null, slept };
  } catch (error) {
    return { error: Object.fromEntries(FIELDS.map((name) => [name, error[name] ?? null])), slept };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  const outcome = told.make ? { value: make(told.make) } : await call(told.client, told.method, told.args);
  console.log(JSON.stringify(outcome));
}
