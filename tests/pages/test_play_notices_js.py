"""Tests of the modules of /play that decide what a player is told, in Node."""

from __future__ import annotations

import json
from pathlib import Path

from node_programs import run_node

STATIC = Path(__file__).parents[2] / "ordws" / "web" / "pages" / "static"
LOADED = """
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
const texts = "export const t = (id, values = {}) => [id, ...Object.values(values)].join(' ');";
registerHooks({ load: (url, context, next) => url.endsWith("/texts.js")
  ? { format: "module", source: texts, shortCircuit: true } : next(url, context) });
const page = (name) => import(process.argv[1] + name);
"""
"""The beginning of a program whose texts are their ids and values."""


def run(folder: Path, program: str) -> object:
    """Return what an expression of a program with the modules of the pages is."""
    printed = run_node(folder, "--input-type=module", "--eval", LOADED + program, f"{STATIC.as_uri()}/")
    return json.loads(printed)


def test_a_page_knows_why_it_can_show_no_notice(tmp_path):
    """Notices must need the permission; a page must say whether HTTP, the browser or its settings are why not."""
    program = """
        const { noticeState } = await page("play-notices.js");
        const of = (isSecureContext, permission, isOn = true) =>
          noticeState({ isSecureContext, Notification: permission && { permission } }, isOn);
        console.log(JSON.stringify([of(false, "granted"), of(true, undefined), of(true, "denied"), of(true, "default"),
          of(true, "granted"), of(true, "granted", false)]));
    """
    assert run(tmp_path, program) == ["insecure", "none", "denied", "off", "on", "off"]


def test_a_time_is_said_in_good_english_and_low_at_a_fifth_of_a_short_clock(tmp_path):
    """One minute and one second must be singular; a clock must be low at a minute, or a fifth of a shorter one."""
    program = """
        const { describeTime, lowOf } = await page("play-clocks.js");
        const said = [118_000, 61_000, 150_000, 60_000, 1_000, -61_500, 0].map(describeTime);
        console.log(JSON.stringify([...said, lowOf({ milliseconds: 1_500_000 }), lowOf({ milliseconds: 60_000 })]));
    """
    left, over = "play-table.time-left", "play-table.time-over"
    one_minute, seconds = "play-table.one-minute 1", "play-table.seconds"
    assert run(tmp_path, program) == [
        f"{left} {one_minute} {seconds} 58",
        f"{left} {one_minute} play-table.one-second 1",
        f"{left} play-table.minutes 2",
        f"{left} {one_minute}",
        f"{left} play-table.one-second 1",
        f"{over} {one_minute} play-table.one-second 1",
        "play-table.time-none",
        60_000,
        12_000,
    ]


def test_a_player_is_away_after_five_seconds_without_a_stream(tmp_path):
    """A seat must be there or away as the stream told it and time passed since, and unknown where it told nothing."""
    program = """
        const { stateOf } = await page("play-presence.js");
        const told = { here: [0], away_ms: { 1: 3000 } };
        console.log(JSON.stringify([stateOf(told, 0, 90_000), stateOf(told, 1, 1_900), stateOf(told, 1, 37_500),
          stateOf(told, 2, 90_000), stateOf(null, 0, 0)]));
    """
    away = [False, "play-table.away 0:40"]
    assert run(tmp_path, program) == [[True, ""], [True, ""], away, [None, ""], [None, ""]]
