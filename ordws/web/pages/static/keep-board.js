// A finished game on a paired device of a club: its record goes to the service once, for the director to look over.

import { postOnce } from "./api.js";
import { toGcg } from "./gcg-export.js";
import { saveGame } from "./keep-store.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";

const ON_BOARD = ["made", "caught"];
const REFUSALS = { "board-kept": "kept-before", "bad-record": "not-taken" };
const sending = new Set();

/** Return the game with the words of a play that the service has judged acceptable. */
export function withJudged(game, words) {
  return { ...game, judged: [...(game.judged ?? []), words.join(" ")] };
}

/**
 * Return a line that says whether the director has the board, which is sent by it; null where there is no director.
 *
 * A game keeps the record that was sent and what became of it: if events are undone and it ends in another way, the
 * service keeps the first record, and the line says so.
 */
export function directorLine(table) {
  if (!table.device || table.device.kind === "home") return null;
  const line = h("p", { class: "hint", role: "status" });
  const { game, app } = table, record = toGcg(app.published, game);
  if (game.registered?.record === record) line.textContent = t(`boards.${game.registered.outcome}`);
  else send(table, line, record);
  return line;
}

async function send(table, line, record) {
  const { id, label } = table.game;
  if (sending.has(id)) return;
  sending.add(id);
  const body = { game: label, record, checked: checkedPlays(table) };
  const reply = await postOnce("/v1/boards", body, crypto.randomUUID());
  sending.delete(id);
  const outcome = reply.status === 200 ? "sent" : REFUSALS[reply.body?.code];
  if (!outcome) {
    line.replaceChildren(t("boards.not-sent"), " ", button(t("boards.send"), () => send(table, line, record)));
    return;
  }
  table.game = { ...table.game, registered: { record, outcome } };
  await saveGame(table.game);
  line.textContent = t(`boards.${outcome}`);
}

/** Return the numbers, from 1 on, of the plays on the board whose words the service has judged. */
function checkedPlays({ state, game }) {
  const plays = state.turns.filter(({ ruling, fate }) => ruling && ON_BOARD.includes(fate));
  const isJudged = ({ ruling }) => (game.judged ?? []).includes(ruling.words.join(" "));
  return plays.flatMap((play, i) => (isJudged(play) ? [i + 1] : []));
}
