// Requests to the service, with the cookie of this device.

/** What the service answers: its status and its JSON; status 0 where there is no connection. */
export async function ask(method, path, body, headers = {}) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const kind = body === undefined ? {} : { "Content-Type": "application/json" };
  try {
    const reply = await fetch(path, { method, ...sent, headers: { ...kind, ...headers }, cache: "no-store" });
    return { status: reply.status, body: await reply.json(), wait: Number(reply.headers.get("Retry-After")) };
  } catch {
    return { status: 0, body: null, wait: 0 };
  }
}

const SPENT_BY_GAME = ["game", "plays", "invalid"];
let game = crypto.randomUUID();

/** Begin a new game, for the budgets of the service. */
export function beginGame() {
  game = crypto.randomUUID();
}

/** One verdict on words: `{status, valid}`. When the budget of a game is spent, a new one is begun, once. */
export async function judge(words, rules) {
  for (const again of [true, false]) {
    const reply = await ask("POST", "/v1/judge", { words, rules, game }, { "Idempotency-Key": crypto.randomUUID() });
    if (!(again && reply.status === 429 && SPENT_BY_GAME.includes(reply.body?.budget))) {
      return { ...reply, valid: reply.body?.valid };
    }
    beginGame();
  }
}

/** Whether this device is paired: what `GET /v1/device` tells, null where it is not, or where there is no connection. */
export async function device() {
  const reply = await ask("GET", "/v1/device");
  return reply.status === 200 ? reply.body : null;
}
