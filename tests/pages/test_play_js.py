"""Tests of the modules of /play in Node: what a player is told, and the tiles that are laid for a move."""

from __future__ import annotations

from random import Random

from node_programs import run_in_page_modules

from ordws.api.actions import ACTIONS
from ordws.rules.ruleset import RULE_SETS
from ordws.web.pages.site import TEXTS

OTHERS_EXPLAIN = {"bad-request", "short-body", "length-required", "too-large", "not-json", "internal-error"}
"""Problems that a page of ours cannot cause by what its user does."""
EXPLAIN = """async (codes) => {
    const { explain } = await page("play-problems.js"), { OrdwsProblem, Unreachable } = await page("client.js");
    let thrown = "";
    try { explain(new RangeError("a mistake")); } catch (error) { thrown = error.message; }
    const told = codes.map((code) => explain(new OrdwsProblem({ code })));
    return [explain(new Unreachable("no answer")), explain(new OrdwsProblem({ code: "new" })), thrown, told];
}"""


def test_a_page_knows_why_it_can_show_no_notice():
    """Notices must need the permission; a page must say whether HTTP, the browser or its settings are why not."""
    program = """async () => {
        const { noticeState } = await page("play-notices.js");
        const of = (isSecureContext, permission, isOn = true) =>
          noticeState({ isSecureContext, Notification: permission && { permission } }, isOn);
        return [of(false, "granted"), of(true, undefined), of(true, "denied"), of(true, "default"),
          of(true, "granted"), of(true, "granted", false)];
    }"""
    assert run_in_page_modules(program) == ["insecure", "none", "denied", "off", "on", "off"]


def test_a_time_is_said_in_good_english_and_low_at_a_fifth_of_a_short_clock():
    """One minute and one second must be singular; a clock must be low at a minute, or a fifth of a shorter one."""
    program = """async () => {
        const { describeTime, lowOf } = await page("play-clocks.js");
        const said = [118_000, 61_000, 150_000, 60_000, 1_000, -61_500, 0].map(describeTime);
        return [...said, lowOf({ milliseconds: 1_500_000 }), lowOf({ milliseconds: 60_000 })];
    }"""
    assert run_in_page_modules(program) == [
        "1 minute 58 seconds left",
        "1 minute 1 second left",
        "2 minutes left",
        "1 minute left",
        "1 second left",
        "1 minute 1 second over time",
        "no time left",
        60_000,
        12_000,
    ]


def test_a_player_is_away_after_five_seconds_without_a_stream():
    """A seat must be there or away as the stream told it and time passed since, and unknown where it told nothing."""
    program = """async () => {
        const { stateOf } = await page("play-presence.js");
        const told = { here: [0], away_ms: { 1: 3000 } };
        return [stateOf(told, 0, 90_000), stateOf(told, 1, 1_900), stateOf(told, 1, 37_500),
          stateOf(told, 2, 90_000), stateOf(null, 0, 0)];
    }"""
    away = [False, "away 0:40"]
    assert run_in_page_modules(program) == [[True, ""], [True, ""], away, [None, ""], [None, ""]]


def test_a_loss_of_one_point_in_one_turn_is_singular():
    """The sum of a review must be in good English, for one's own seat and for each player of a kept game."""
    program = """async () => {
        const { describeLost } = await page("review.js");
        const turns = [{ seat: 0, lost: 0.6 }, { seat: 1, lost: 12.2 }, { seat: 1, lost: 29 }];
        return [describeLost(turns, 0, ["Ann", "Bob"], 0), describeLost(turns, 1, ["Ann", "Bob"], null)];
    }"""
    assert run_in_page_modules(program) == [
        "You lost 1 point in 1 turn against the best plays.",
        "Bob lost 41 points in 2 turns against the best plays.",
    ]


def test_a_receipt_explains_the_marks_that_it_has():
    """The legend of a receipt must name no mark that stands nowhere in it."""
    program = """async () => {
        const { legendOf } = await page("receipt-tables.js");
        const plain = { new: true, premium: 1, value: 4, face: 4 };
        const of = (...letters) => legendOf({ lines: [{ letters: [plain, ...letters] }] });
        return [of(), of({ ...plain, new: false }), of({ ...plain, premium: 2 }, { ...plain, face: 10 })];
    }"""
    assert run_in_page_modules(program) == [
        "",
        "(4): already on the board.",
        "x2: on a premium square. >4: capped.",
    ]


UPDATE = """async (cases) => {
    const { update, slotsOf, toggleSwap, placedOf, place } = await page("play-draft.js");
    return cases.map(({ rack, next, laid, board, blank }) => {
        let slots = place(slotsOf(rack), laid);
        if (blank) slots = toggleSwap(slots, board, blank);
        const after = update(slots, next, board);
        return { before: slots, after, laid: placedOf(after) };
    });
}"""


def test_a_draft_has_the_tiles_of_the_rack_whatever_happens():
    """After any change of rack and board a draft must hold the rack, and keep laid what still can lie."""
    chance, cases = Random(7), []
    for _ in range(300):
        rack = "".join(chance.choices("AABEINRST?", k=7))
        columns = chance.sample(range(15), 4)
        letters = [tile if tile != "?" else "q" for tile in chance.sample(rack, 4)]
        laid = [{"square": [7, at], "letter": letter} for at, letter in zip(columns, letters, strict=True)]
        gone = set(chance.sample(columns, chance.randrange(3)))
        row = "".join("X" if at in gone else "." for at in range(15))
        is_swapped = "N" in rack and "N" not in letters and chance.random() < 0.5
        board = ["." * 15] * 7 + [row] + ["." * 15] * 6 + ["n" + "." * 14]
        next_rack = "".join(chance.choices("AABEINRST?", k=chance.randrange(8))) if chance.random() < 0.5 else rack
        cases.append({"rack": rack, "next": next_rack, "laid": laid, "board": board, "blank": "A15" * is_swapped})
    for case, result in zip(cases, run_in_page_modules(UPDATE, cases), strict=True):
        tiles = ["N" if slot["swapped"] else slot["tile"] for slot in result["after"]]
        assert sorted(tiles) == sorted(case["next"])
        assert all(case["board"][7][tile["square"][1]] == "." for tile in result["laid"])
        if case["next"] == case["rack"]:
            free = [tile for tile in case["laid"] if case["board"][7][tile["square"][1]] == "."]
            assert sorted(tile["square"] for tile in result["laid"]) == sorted(tile["square"] for tile in free)
            assert [slot["tile"] for slot in result["after"]] == [slot["tile"] for slot in result["before"]]


def test_every_problem_has_a_sentence():
    """Every problem of the routes that the page asks has a sentence of its own, and every rule set a line."""
    games = [f"/v1/games/{{id}}/{route}" for route in ("invitation", "seat", "oath", "attestation", "rematch")]
    asked = [action for (_, path), action in ACTIONS.items() if path in ("/v1/guest-games", "/v1/play-link", *games)]
    assert len(asked) == len(games) + 2
    codes = sorted({code for action in asked for code in action.problem_codes} - OTHERS_EXPLAIN)
    assert "seat-taken" in codes
    unreachable, other, thrown, told = run_in_page_modules(EXPLAIN, codes)
    assert unreachable == TEXTS["play.problem-unreachable"]
    assert other == TEXTS["play.problem-other"].format(code="new")
    assert thrown == "a mistake"
    for code, sentence in zip(codes, told, strict=True):
        assert sentence.startswith(TEXTS[f"play.problem-{code}"].partition("{")[0]), code
    assert {id for id in RULE_SETS if f"rules.play-{id}" not in TEXTS} == set()
