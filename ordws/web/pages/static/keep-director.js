// The actions of a director, and the rules that no program at the table can enforce.

import { findCatchableTurns, isOver } from "./game.js";
import {
  askForm, askInDialog, askOrCancel, cancel, confirm, field, selectPlayer, showInDialog, textField,
} from "./keep-dialogs.js";
import { isTimed } from "./keep-clock.js";
import { tilePlacement } from "./gcg-export.js";
import { button, h } from "./dom.js";
import { describeChanges } from "./option-text.js";
import { writeOptions } from "./options.js";
import { t } from "./texts.js";
import { pointsOf } from "./alt-text.js";

const MAX_POINTS = 999;
const MAX_SECONDS = 7_200;

/** Ask which action the director takes. */
export async function openDirectorMenu(table) {
  const { state } = table, { runs } = state.clock, isOpen = !isOver(state);
  await chooseAction(table, [
    ...scoreActions(table),
    isTimed(table) && isOpen && [switchClock, runs ? t("keep.stop-clock") : t("keep.start-clock")],
    isTimed(table) && [correctClock, t("keep.correct-clock")],
    isOpen && [leave, t("keep.leave")],
  ]);
}

/** Return what a director may do about scores: functions with their names, false for what cannot be done now. */
export function scoreActions({ state }) {
  return [[adjust, t("keep.adjust")], findCatchableTurns(state).length > 0 && [catchPlay, t("keep.catch")]];
}

/** Ask which of these actions is taken, and take it. */
export async function chooseAction(table, offered) {
  const actions = offered.filter(Boolean);
  const body = h("div", { class: "ways" });
  const action = await new Promise((resolve) => {
    const close = (chosen) => {
      resolve(chosen);
      body.closest("dialog").close();
    };
    body.append(...actions.map(([act, label]) => button(label, () => close(act))));
    const about = h("p", { class: "hint" }, t("keep.director-hint"));
    askInDialog(t("keep.director"), [about, body], [cancel()]).then(() => resolve(null));
  });
  await action?.(table);
}

/** Adjust a player's score (docs/rules.md 9.5, A-30). */
async function adjust(table) {
  const playerSelect = selectPlayer(table.game.players);
  const reason = textField({ maxlength: 80, autocapitalize: "sentences" });
  const points = h("input", { type: "number", autocomplete: "off", min: -MAX_POINTS, max: MAX_POINTS, step: 1 });
  const read = () => {
    const isGiven = points.value && points.checkValidity() && reason.value.trim();
    return isGiven ? { player: Number(playerSelect.value), points: Number(points.value), reason: reason.value.trim() } : null;
  };
  const event = await askForm(t("keep.adjust"), [
    field(t("keep.who"), playerSelect), field(t("keep.adjust-points"), points, t("keep.adjust-hint")),
    field(t("keep.adjust-reason"), reason),
  ], t("keep.adjust-do"), { read, fault: t("keep.adjust-fault", { most: MAX_POINTS }) });
  if (event) await table.commit({ kind: "adjust", ...event });
}

/** Take the points of a bad play that was noticed late (docs/rules.md 9.3, A-31). */
async function catchPlay(table) {
  const { state, game } = table;
  const lines = findCatchableTurns(state).toReversed().map((turn, i) => {
    const { player, ruling } = state.turns[turn];
    const box = h("input", { type: "radio", value: turn, checked: i === 0 });
    box.name = "turn";
    const description = [tilePlacement(ruling), ruling.words.join(", "), pointsOf(ruling.score)].join(", ");
    return h("label", {}, box, `${game.players[player]}: ${description}`);
  });
  const chosen = () => lines.find((line) => line.firstChild.checked).firstChild.value;
  const body = [h("p", {}, t("keep.catch-text")), h("div", { class: "ways" }, lines)];
  const turn = await askOrCancel(t("keep.catch"), body, t("keep.catch-do"), chosen);
  if (turn !== null) await table.commit({ kind: "catch", turn: Number(turn) });
}

function switchClock(table) {
  return table.commit({ kind: "clock", runs: !table.state.clock.runs });
}

async function correctClock(table) {
  const playerSelect = selectPlayer(table.game.players);
  const seconds = h("input", { type: "number", autocomplete: "off", min: -MAX_SECONDS, max: MAX_SECONDS, step: 1 });
  const read = () => {
    const isGiven = Number(seconds.value) && seconds.checkValidity();
    return isGiven ? { player: Number(playerSelect.value), seconds: Number(seconds.value) } : null;
  };
  const event = await askForm(t("keep.correct-clock"), [
    field(t("keep.who"), playerSelect), field(t("keep.correct-seconds"), seconds, t("keep.correct-hint")),
  ], t("keep.correct-do"), { read, fault: t("keep.correct-fault", { most: MAX_SECONDS }) });
  if (event) await table.commit({ kind: "time", ...event });
}

/** Ask which player stops playing. */
export async function leave(table) {
  const { seats } = table.state, remaining = seats.flatMap(({ left }, player) => (left ? [] : [player]));
  const playerSelect = selectPlayer(table.game.players, remaining[0]);
  for (const option of playerSelect.options) option.disabled = !remaining.includes(Number(option.value));
  const body = [h("p", {}, t("keep.leave-text")), field(t("keep.who"), playerSelect)];
  const player = await askOrCancel(t("keep.leave"), body, t("keep.leave-do"), () => playerSelect.value);
  if (player === null) return;
  const name = table.game.players[Number(player)];
  if (await confirm(t("keep.leave-sure", { name }), "", t("keep.leave-do"))) {
    await table.commit({ kind: "leave", player: Number(player) });
  }
}

/** Show the rules that the players have to watch themselves. */
export async function showNotes({ app, rules, game, device }) {
  const notes = [
    device ? t("keep.note-service", { edition: device.edition }) : t("keep.note-books"),
    game.onDoubt && t("keep.note-on-doubt"),
    t(`keep.note-overdraw-${rules.overdraw}`),
    rules.expose_final_rack && game.players.length === 2 && t("keep.note-expose"),
    rules.swap && t("keep.note-swap"),
    t("keep.note-exchange", { n: rules.exchange_min }),
    t(`keep.note-end-${rules.end}`, { n: rules.scoreless_turns }),
    rules.late_bad_play !== "stands" && t(`keep.note-late-${rules.late_bad_play}`),
    t("keep.note-stored"),
    ...describeChanges(app.published, game.rules, game.options).map((change) => t("keep.note-changed", { change })),
  ].filter(Boolean);
  const options = writeOptions(app.published, game.rules, game.options);
  const address = `/slips/${game.rules}${options ? `#${options}` : ""}`;
  const slip = h("a", { href: address, target: "_blank", rel: "noopener" }, t("keep.note-slip"));
  const read = h("a", { href: `/rules/${game.rules}`, target: "_blank", rel: "noopener" }, t("keep.note-rules"));
  const body = [h("ul", {}, notes.map((note) => h("li", {}, note))), h("p", {}, slip), h("p", {}, read)];
  await showInDialog(t("keep.notes"), body);
}
