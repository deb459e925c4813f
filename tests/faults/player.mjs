// A player: takes its turns in the game that a line of JSON on the standard input names, and prints a line for each thing
// that happens. It exchanges one tile a turn, so that no two moves are alike, and sends a move again as a page would.

import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Unreachable, createClient } from "ordws-client";

const AGAIN_MS = 200;
const say = (what) => console.log(JSON.stringify(what));

async function play({ game: id, token, baseUrl, key, streamPort, streamVia, think, turns }) {
  const reach = (url, options) => fetch(String(url).replace(`:${streamPort}/`, `:${streamVia}/`), options);
  const client = createClient({ baseUrl, key, fetch: reach, patienceSeconds: 5, times: { lastPoll: 1000 } });
  const game = client.game(id, { seatToken: token });
  const moves = [];
  for await (const standing of game.standings({ onConnection: (state) => say({ connection: state }) })) {
    if (standing.phase === "over") break;
    if (standing.mover !== standing.you) continue;
    const began = performance.now();
    await sleep(think);
    const tile = standing.rack[moves.length % standing.rack.length];
    moves.push(moves.length === turns ? "resign" : `-${tile}`);
    const thought = performance.now() - began;
    const { seats, you } = (await send(game, { turn: standing.turn, move: moves.at(-1) })).standing;
    say({ stands: { thought, used: seats[you].milliseconds } });
  }
  say({ over: moves });
}

async function send(game, move) {
  for (;;) {
    try {
      return await game.turn(move);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      say({ unreachable: move.turn });
      await sleep(AGAIN_MS);
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) await play(JSON.parse(line));
