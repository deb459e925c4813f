"""Tests of the table of what each kind of caller may have answered, which docs/guard.md and the README tell."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from each_row import each_row

from ordws.client_kinds import CLIENT_KINDS, ClientKind
from ordws.errors import BadInput
from ordws.guard.charge import Identity, Question, Refused
from ordws.guard.gate import Gate
from ordws.guard.leaks import BITS_PER_CORE_WORD, BITS_PER_WORD, CORE_WORDS, CORE_WORDS_OUT, bits_of
from ordws.guard.policy import (
    GRANTED_UNITS,
    GrantedClient,
    GrantedLink,
    OperatorGrant,
    Policy,
    caller_bounds,
    granted_together,
    operator_grants,
)
from ordws.guard.stores.lmdb import LmdbMeterStore

ROOT = Path(__file__).parents[2]
GUARD = (ROOT / "docs" / "guard.md").read_text()
LINKS = [GrantedLink("Tuesday club", 40)]
BOUNDS = {bound.caller: bound for bound in caller_bounds(Policy(), Policy().world_floor, LINKS)}
ROW = re.compile(
    r"^\| ([^|`]+) \| ([\d,]+) \| ([\d,]+) \| `?([a-z-]*)`? ?\| ([^|]*) ?\| ([^|]*) ?\| ([\d,]+) \|$", re.M
)
ROWS = ROW.findall(GUARD)


def honest_day(kind):
    """Return the cells of an honest day in the table of 3.1, which tests/mining/test_demand.py holds to the traffic."""
    (row,) = re.findall(rf"^\| `{kind}`.*$", GUARD, re.M)
    _, _, _, units, _, core, *_ = [cell.strip() for cell in row.split("|")]
    return units, core


@pytest.mark.parametrize("games", [1, 2])
def test_bases_bring_a_new_client_no_further_than_its_row(tmp_path, games):
    """On its first day a new client is charged no more than its row says, also for bases, which no game bounds."""
    gate = Gate(Policy(tightened_percent=100), LmdbMeterStore.create(tmp_path / "meters"), b"k" * 32)
    client, charged = Identity("1", 1_795_262_400), 0
    for game, play in product(range(games), range(60)):
        question = Question(
            ("CAT",), 1, f"g{game}", rule="dover", bases=(f"Q{chr(65 + play % 26) * (2 + play // 26)}{game}",)
        )
        ticket = gate.admit(client, question, {"CAT"}, client.since)
        if not isinstance(ticket, Refused):
            charged += 1
    assert charged == min(60 * games, BOUNDS["home client, unverified, first day"].units)
    gate.store.close()


def test_every_kind_of_caller_has_its_row():
    """The table of docs/guard.md has the units, core words and bits that the policy gives to each kind of caller."""
    told = [(caller, units, core, bits) for caller, units, core, _, _, _, bits in ROWS]
    assert told == [
        (each.caller, f"{each.units:,}", f"{each.core:,}", f"{bits_of(each.units, each.core):,}")
        for each in BOUNDS.values()
    ]


@each_row("row", [row for row in ROWS if row[3]])
def test_honest_play_fits_and_no_bound_of_core_words_is_twice_it(row):
    """Each row repeats what honest play of its kind asks, which fits; its core words are at most twice that."""
    caller, _, _, kind, units, core, _ = row
    assert (units.strip(), core.strip()) == honest_day(kind)
    most_units, most_core = (int(each.split(" / ")[1].replace(",", "")) for each in (units, core))
    bound = BOUNDS[caller]
    assert most_units <= bound.units
    assert most_core <= bound.core <= 2 * most_core


def test_the_readme_tells_the_same_bounds():
    """The README has the bounds of an identity, a club and all unverified callers, at the least and the highest cap."""
    policy = Policy()
    identity, club, least = (
        BOUNDS[caller]
        for caller in (
            "home client, verified",
            "operator, verified: a club with all its devices",
            "all unverified callers together",
        )
    )
    highest = {each.caller: each for each in caller_bounds(policy, policy.world_ceiling)}[least.caller]
    readme = (ROOT / "README.md").read_text()
    for cells in (
        f"| {identity.units:,} | {identity.core:,} |",
        f"| {club.units:,} | {club.core:,} |",
        f"| {least.units:,} to {highest.units:,} | {least.core:,} to {highest.core:,} |",
    ):
        assert cells in readme


def test_the_sentences_below_the_table_follow_from_it():
    """Days until all core words are answered, the highest cap, and the weights in bits are as documented."""
    text = " ".join(GUARD.split())
    days = [
        -(-CORE_WORDS // BOUNDS[caller].core)
        for caller in (
            "operator, verified: a club with all its devices",
            "home client, verified",
            "all unverified callers together",
        )
    ]
    assert f"one verified club needs {days[0]} days for all of the {CORE_WORDS:,} core words" in text
    assert f"one home client {days[1]}, and all unverified callers together {days[2]};" in text
    assert f"is {GRANTED_UNITS:,} units here" in text
    highest = {each.caller: each for each in caller_bounds(Policy(), Policy().world_ceiling)}[
        "all unverified callers together"
    ]
    assert f"the highest cap, {highest.units:,} units, all unverified callers together have {highest.core:,}" in text
    assert f"{BITS_PER_WORD:.2f} bits a unit and {BITS_PER_CORE_WORD:.2f} a core word" in text
    assert f"{CORE_WORDS_OUT:,} of {CORE_WORDS:,}" in text


def test_what_operators_and_verified_clients_are_granted_is_added_up():
    """An operator has its own total or the policy's, and only verified clients count in the sum."""
    clients = [
        GrantedClient("home", CLIENT_KINDS["home"], True, None),
        GrantedClient("stranger", CLIENT_KINDS["home"], False, None),
        GrantedClient("club", CLIENT_KINDS["operator"], True, 4_000),
        GrantedClient("league", CLIENT_KINDS["operator"], False, None),
    ]
    assert operator_grants(Policy(), clients) == (
        OperatorGrant("club", 4_000, 5_500, True),
        OperatorGrant("league", 2_000, 4_600, False),
    )
    assert granted_together(Policy(), clients) == (2, 4_356, 6_040)


def test_a_stricter_policy_gives_stricter_bounds():
    """The bounds follow the policy and the cap of the day: a quarter of it, and never more than it."""
    strict = {bound.caller: bound for bound in caller_bounds(Policy(world_floor=40, world_ceiling=40), 40)}
    assert strict["home client, unverified, grown"][1:] == (40, 80)
    assert strict["operator, unverified, grown"][1:] == (40, 80)
    assert strict["home client, verified"][1:] == (356, 540)


def test_a_kind_of_client_has_the_limits_of_its_row(monkeypatch, tmp_path):
    """A row of the kinds is all it takes: its limits are charged, told, and refused where they break the bound."""
    school = ClientKind("school", names_players=True, most_devices=40, limits=(("operator_units_a_day", 300),))
    monkeypatch.setitem(CLIENT_KINDS, "school", school)
    bounds = {bound.caller: bound[1:] for bound in caller_bounds(Policy(), 500)}
    assert bounds["school, verified: a club with all its devices"] == (300, 690)
    assert operator_grants(Policy(), [GrantedClient("ash", school, True, None)]) == (
        OperatorGrant("ash", 300, 690, False),
    )
    gate = Gate(Policy(), LmdbMeterStore.create(tmp_path / "meters"), b"k" * 32)
    left = {}
    for limits in ((), school.limits):
        identity = Identity("1", 0, "ann", is_verified=True, limits=limits)
        left[limits] = {each.budget: each.left for each in gate.quota(identity, None, 1_795_262_400)}
    assert (left[()]["operator"], left[school.limits]["operator"]) == (2_000, 300)
    assert left[()]["units"] == left[school.limits]["units"] == 356
    gate.store.close()
    monkeypatch.setitem(CLIENT_KINDS, "school", school._replace(limits=(("outside_a_day", 21),)))
    with pytest.raises(BadInput, match="for clients of kind school, 357 units a day"):
        Policy().check()
