"""Tests that hold games kept in the browser equal to ordws/rules event by event, and their records to ordws/records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from game_cases import ALL_GAMES, SOME_GAMES, events_of, page_state, random_games, to_page_event
from node_programs import run_in_page_modules

from ordws.api import public
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg, write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.rules.board import Axis
from ordws.rules.event import (
    Adjusted,
    Caught,
    Challenged,
    Checked,
    Clocked,
    Event,
    Exchanged,
    Passed,
    Played,
    Resigned,
    ScoreEntryKind,
    Stood,
    Swapped,
    TimeUp,
)
from ordws.rules.fault import Fault, Illegal
from ordws.rules.game import Game, apply_event
from ordws.rules.move import Play
from ordws.rules.state import GameOver, GameState, ToDraw
from ordws.rules.statistics import average, board_statistics

FAULTS_NOT_SHOWN: Final = (Fault.DRAW_FIRST, Fault.NOT_ON_RACK)
NAMES: Final = ("Ann Lee", "Bob: the >Great", "Ann Lee", "Čeněk")
MODULES: Final = """
  const game = await page("game.js"), gcg = await page("gcg-export.js");
  const statistics = await page("game-statistics.js");
  const { rulesOf } = await page("rules.js");
"""
SUMMARY: Final = (
    f"async ([document, [games, names]]) => {{{MODULES}"
    """
  const shown = (state) => {
    const { scores, mover, phase, board, bag, winners } = game.summaryOf(state);
    return {
      scores, mover, phase, board, bag, winners, skips: state.skips, why: state.phase.why ?? null,
      words: state.phase.words ?? [],
      seats: state.seats.map(({ tiles, ms, left }) => [tiles, ms / 1000, left?.why ?? null]),
      turns: state.turns.map(({ player, points, fate, bag }) => [player, points + 0, fate, bag]),
      entries: state.entries.map(({ player, points, kind }) => [player, points, kind]),
    };
  };
  return games.map(({ rules, options, players, events, unracked }) => {
    const kept = { rules, options, players: names.slice(0, players), begun: 0, undone: [] };
    const states = game.statesOf(rulesOf(document, rules, options), { ...kept, events });
    const record = (events) => gcg.toGcg(document, { ...kept, events });
    const last = states.at(-1), averages = last.seats.map((_, player) => statistics.averagesOf(last, player));
    return [states.map(shown), record(events), record(unracked), [averages, statistics.boardStatistics(last.board)]];
  });
}
"""
)
REFUSALS: Final = (
    f"async ([document, games]) => {{{MODULES}"
    """
  return games.map(({ rules, options, players, events, tried }) => {
    const states = game.statesOf(rulesOf(document, rules, options), { players: Array(players).fill(""), events });
    return tried.map(([at, event]) => game.isRefusal(game.applyEvent(states[at], event)));
  });
}
"""
)


def run(function: str, given: Any) -> Any:
    """Return what a function with the modules of a kept game makes of the document of all rule sets and a value."""
    return run_in_page_modules(function, [json.loads(public.rules_document()), given])


class KeptGame(NamedTuple):
    """A game, the state after each event that a table records, its record, and the same from the browser."""

    game: Game
    states: list[GameState]
    given: dict[str, Any]
    shown: list[dict[str, Any]]
    record: str
    unracked: str
    """The record of a game in which no rack was written down."""
    statistics: list[Any]


@pytest.fixture(scope="module", params=[SOME_GAMES, pytest.param(ALL_GAMES, marks=pytest.mark.long)], ids=len)
def kept(request: pytest.FixtureRequest) -> list[KeptGame]:
    """Return random games as the pages keep them."""
    games, given, states = [], [], []
    for game, rules, options in random_games(request.param):
        events, after_each = zip(*events_of(game), strict=True)
        unracked = [{name: value for name, value in line.items() if name != "rack"} for line in events]
        about = {"rules": rules, "options": options, "players": game.players}
        given.append({**about, "events": events, "unracked": unracked})
        games.append(game)
        states.append(after_each)
    answers = run(SUMMARY, [given, NAMES])
    return [KeptGame(*each, *answer) for *each, answer in zip(games, states, given, answers, strict=True)]


def test_the_state_of_a_game_agrees_with_the_rules(kept):
    """After each event of random games board, bag, scores, turns, clocks and the end equal those of ordws/rules."""
    kinds = set()
    for game, states, given, seen, *_ in kept:
        for number, (event, state, now) in enumerate(zip(given["events"], states, seen[1:], strict=True)):
            if isinstance(state.phase, GameOver) and now["phase"] == "counting":
                continue
            assert json.loads(json.dumps(page_state(state, game.rules))) == now, (game.rules.id, number, event)
            kinds.add(event["kind"])
    assert kinds == {
        "swap",
        "play",
        "exchange",
        "pass",
        "challenge",
        "stand",
        "check",
        "catch",
        "time",
        "time-up",
        "adjust",
        "leave",
        "unplayed",
    }


def test_the_averages_agree_with_the_rules(kept):
    """At the end of random games points and seconds a turn, and the words of the board, equal those of ordws/rules."""
    for each in kept:
        state, (averages, board) = each.states[-1], each.statistics
        for player, found in enumerate(averages):
            turns, points = state.turn_totals(player)
            assert found["turns"] == turns
            if turns:
                assert found["pointsPerTurn"] == pytest.approx(average(points, turns), abs=0.0051)
                seconds = average(state.seats[player].milliseconds, 1_000 * turns)
                assert found["secondsPerTurn"] == pytest.approx(seconds, abs=0.0051)
        words = board_statistics(state.board)
        assert board == {"words": words.words, "meanLength": pytest.approx(words.mean_length, abs=0.0051)}


def test_the_record_equals_that_of_the_engine(kept):
    """Apart from racks, which a table does not show, GCG from the browser equals that of ordws/records line by line."""
    for each in kept:
        expected = write_gcg(to_gcg_record(each.game, NAMES[: each.game.players])).decode()
        assert without_racks(each.record) == without_racks(expected)


def without_racks(record: str) -> list[str]:
    """Return the lines of a record without racks, and exchanges with the number of tiles alone."""
    counted = re.sub(r" -([A-Z?]+) ", lambda found: f" -{len(found[1])} ", record)
    return [re.sub(r"^(>\S+: )[A-Z?]* ", r"\1", line) for line in counted.splitlines()]


def test_the_record_is_audited_as_exact(kept):
    """The audit finds a record exact, with racks and without.

    It names its rules, ends on the same board with the same scores, and has no findings beyond the referee's record.
    """
    for game, (*_, state), _, _, *records, _ in kept:
        known = {finding.kind for finding in audit_record(to_gcg_record(game, NAMES[: game.players])).findings}
        for record in records:
            found = audit_record(read_gcg(record.encode()))
            assert (found.rules, found.board, found.is_exact) == (game.rules, state.board, True), found.findings
            assert tuple(found.totals.values()) == state.scores
            assert {finding.kind for finding in found.findings} <= known


def unlikely(state: GameState, rng: Random) -> Iterator[Event]:
    """Return events that may happen now, and more that may not."""
    player = rng.randrange(len(state.seats))
    side, rack = state.board.side, state.seats[player].rack
    letters = rng.choice((b"AT", b"S", b".E", b"QUIZZES"))
    play = Play(rng.randrange(side), rng.randrange(side), rng.choice((Axis.ACROSS, Axis.DOWN)), letters)
    yield Passed(player)
    yield Resigned(player)
    yield Swapped(player, rng.randrange(side), rng.randrange(side))
    yield Played(player, play, accepted=rng.random() < 0.5)
    yield Exchanged(player, rack)
    yield Exchanged(player, "")
    yield Challenged(player, ("ZZZ",) if rng.random() < 0.2 else (), upheld=rng.random() < 0.5)
    yield Stood()
    yield Checked(player, False, rng.choice(("", "AT")))
    yield Caught(rng.randrange(-1, len(state.turns) + 1) if state.turns else 0)
    yield TimeUp(player)
    yield Clocked(player, 5_000)
    yield Adjusted(player, 5, ScoreEntryKind.DIRECTOR, rng.choice((" ", "late")))


def test_the_page_refuses_the_same_events(kept):
    """The page refuses exactly the events that ordws/rules refuses, at any point of a game.

    Events that depend on draws or racks are excepted, since nobody records them at a table.
    """
    rng, given, expected = Random(7), [], []
    for each in kept:
        points = [(at, state) for at, state in enumerate(each.states, start=1) if not isinstance(state.phase, ToDraw)]
        tried = [(at, event, state) for at, state in rng.choices(points, k=6) for event in unlikely(state, rng)]
        given.append({**each.given, "tried": [[at, to_page_event(event, state)] for at, event, state in tried]})
        expected += [(event, apply_event(state, event)) for _, event, state in tried]
    found = [answer for answers in run(REFUSALS, given) for answer in answers]
    wrong = [
        (event, right)
        for (event, right), answer in zip(expected, found, strict=True)
        if answer is not isinstance(right, Illegal) and not (answer is False and right.fault in FAULTS_NOT_SHOWN)
    ]
    assert wrong == []
    assert len(found) / 4 < sum(found) < len(found) - len(found) / 20


SMALL: Final = (
    f"async ([document, act]) => {{{MODULES}"
    """
  const rules = rulesOf(document, "scrabble-o", { clock_seconds: 600 });
  const fish = { row: 7, column: 7, down: false, letters: "FISH" };
  const play = { kind: "play", player: 0, play: fish }, pass = { kind: "pass", player: 1 };
  const kept = (...events) => ({ players: ["Ann", "Bob"], events, undone: [] });
  const last = (...events) => game.statesOf(rules, kept(...events)).at(-1);
  return {
    undo: () => {
      const clock = { kind: "clock", runs: true, at: 0 };
      const undone = game.undo(kept(play, pass, clock)), again = game.redo(undone), other = game.addEvent(undone, pass);
      return [undone, again, other, game.addEvent(undone, clock), game.undo(kept(clock))].map(({ events, undone }) =>
        [events.map(({ kind }) => kind).join(" "), undone.map(({ kind }) => kind).join(" ")]);
    },
    end: () => [[0, true], [null, true], [null, false], [1, true]].map(([out, counts]) => {
      const ended = game.applyEvent(last(play), { kind: "end", out, counts });
      if (game.isRefusal(ended)) return ended.fault;
      const counted = game.applyEvent(ended, { kind: "unplayed", racks: ["", "QU?"] });
      return [ended.phase.name, ended.phase.why, game.isRefusal(counted) ? counted.fault : game.scoresOf(counted)];
    }),
    doubt: () => {
      const state = game.initialState(rulesOf(document, "classic"), 2);
      const played = [{ kind: "clock", runs: true, at: 0 }, { ...play, at: 5_000 }].reduce(game.applyEvent, state);
      return game.readClock(played, 8_000).seats.map(({ ms }) => ms / 1000);
    },
    clock: () => {
      const started = last({ kind: "clock", runs: true, at: 1_000 }, { ...play, at: 61_000 }, { ...pass, at: 91_000 });
      const stopped = game.applyEvent(started, { kind: "clock", runs: false, at: 101_000 });
      return [started, game.readClock(started, 96_500), game.readClock(stopped, 999_000)].map(({ seats, clock }) =>
        [...seats.map(({ ms }) => ms / 1000), clock.turn / 1000]);
    },
    unplayed: () => {
      const counting = last(play, { kind: "end", out: 0, counts: true });
      return [["A", ""], ["", "AAAAAAAA"], ["", "a"], [""]].map((racks) =>
        game.applyEvent(counting, { kind: "unplayed", racks }).fault);
    },
  }[act]();
}
"""
)


def test_an_undone_event_can_be_redone():
    """The last event can be undone and redone until another event happens; events of the clock are skipped."""
    assert run(SMALL, "undo") == [
        ["play clock", "pass"],
        ["play clock pass", ""],
        ["play clock pass", ""],
        ["play clock clock", "pass"],
        ["clock", ""],
    ]


def test_the_table_may_end_a_game():
    """A game ends with a player out, with all tiles counted, or with none; only the last to move can go out."""
    assert run(SMALL, "end") == [
        ["counting", "out", [42, 0]],
        ["counting", "agreed", [20, -11]],
        ["over", "stopped", "not-counting"],
        "has-not-gone-out",
    ]


def test_clocks_follow_from_when_events_were():
    """Each player uses time in their own turn, and no player while the clock is stopped."""
    assert run(SMALL, "clock") == [[60, 30, 0], [65.5, 30, 5.5], [70, 30, 10]]
    assert run(SMALL, "doubt") == [5, 3]


def test_racks_are_entered_as_letters():
    """A player who has gone out has no tiles, a rack has at most seven, and every player enters a rack."""
    assert run(SMALL, "unplayed") == ["has-gone-out", "bad-rack", "bad-rack", "bad-rack"]


SHEET: Final = (
    f"async ([document, [rules, upheld]]) => {{{MODULES}"
    """
  const { scoreSheetOf } = await page("keep-event-text.js");
  const fish = { row: 7, column: 7, down: false, letters: "FISH" };
  const events = [
    { kind: "play", player: 0, play: fish }, { kind: "challenge", player: 1, words: [], upheld },
    { kind: "pass", player: upheld ? 1 : 0 },
  ];
  const kept = { rules, options: {}, players: ["Ann", "Bob"], begun: 0, events, undone: [] };
  return scoreSheetOf(kept, game.statesOf(rulesOf(document, rules, {}), kept)).map(({ turn, text, points, total }) =>
    [turn, text, points, total]);
}"""
)


def test_a_lost_turn_has_a_row_of_its_own():
    """After a failed challenge the classic score sheet has a row for the lost turn; after one that succeeds not."""
    assert run(SHEET, ["classic", False]) == [
        [1, "Ann: 8H FISH, FISH: 20 points.", 20, 20],
        [1, "Bob's challenge fails: the play stands.", 0, 0],
        [2, "Bob loses this turn.", 0, 0],
        [3, "Ann passes.", 0, 20],
    ]
    assert run(SHEET, ["classic", True]) == [
        [1, "Ann: 8H FISH, FISH: 20 points.", 20, 20],
        [1, "Bob's challenge succeeds: the play comes off.", 0, 0],
        [None, "Ann", -20, 0],
        [2, "Bob passes.", 0, 0],
    ]


SETUP: Final = """async ([document, forms]) => {
  const { readSetup } = await page("keep-setup.js");
  return forms.map(([names, options]) => {
    const form = {
      published: document, rules: { value: "scrabble-i" }, names: names.map((value) => ({ value })),
      options: { read: () => ({ options }) }, fault: {},
    };
    return readSetup(form)?.players ?? form.fault.textContent;
  });
}"""


def test_an_invalid_set_up_is_told():
    """A game needs two players with different names, and enough tiles for their racks."""
    forms = [
        (["", ""], {}),
        (["Ann", " Ann "], {}),
        (["Ann", "Bob"], {"scoop": 13}),
        (["Ann", "", "Bob "], {"scoop": 14}),
    ]
    assert run(SETUP, forms) == [
        "Name at least two players.",
        "Two players have the same name.",
        "The game takes 14 to 300 tiles.",
        ["Ann", "Bob"],
    ]
