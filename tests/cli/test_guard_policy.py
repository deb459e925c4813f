"""`ordws guard policy`: the limits in force, and the refusal to serve weaker ones."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest

from ordws.api.services import open_play_links
from ordws.guard.charge import Identity, Question
from ordws.guard.policy import Policy, limit_descriptions

ROOT = Path(__file__).parents[2]
MAIN = "from ordws.cli import main; main()"


@pytest.fixture
def policy(command, installation):
    """Return a function that runs the command on the installation and gives its status and output."""

    def policy(*options):
        status, out, err = command("--instance", str(installation.instance.root), "guard", "policy", *options)
        assert err == ""
        return status, out

    return policy


def read_json(policy):
    status, out = policy("--json")
    assert status == 0
    return json.loads(out)


def test_every_limit_is_explained():
    """Every limit of the policy has a description, in the policy's order."""
    assert list(limit_descriptions()) == [field.name for field in fields(Policy)]


def test_the_theorem_is_spelt_out(policy):
    """The output states the sum, what follows for 24 hours and for k identities, and that no policy exceeds it."""
    status, out = policy()
    assert status == 0
    assert "12 x 28 + 20 = 356: one identity learns at most 356 words outside the core list in a UTC day" in out
    assert "so 712 in any 24 hours, and k identities together 356 k a day" in out
    assert (
        "No policy is served under which its own questions could teach an identity more than the 356 promised." in out
    )
    assert "units_a_game                     28  units of a game" in out


def test_limits_come_from_the_settings(policy, installation):
    """Limits in settings.toml are in force, and the bound is computed from them."""
    assert read_json(policy)["is_set"] is False
    installation.instance.settings.write_text("[policy]\nunits_a_game = 20\nworld_floor = 300\n")
    described = read_json(policy)
    assert (described["limits"]["units_a_game"], described["limits"]["world_floor"]) == (20, 300)
    assert described["bound"] == {"units_a_day": 260, "units_in_24_hours": 520, "promised": 356}
    assert (described["settings"], described["is_set"]) == (str(installation.instance.settings), True)
    assert "12 x 20 + 20 = 260" in policy()[1]


def test_the_output_names_the_settings_file_with_an_example(policy, installation):
    """The output names the settings file and has an example that works."""
    _, out = policy()
    sentence, _, example = out.partition("for example:\n")
    assert f'limits are set in "{installation.instance.settings}", which does not exist' in sentence
    installation.instance.settings.write_text(example)
    limits = read_json(policy)["limits"]
    assert (limits["outside_a_day"], limits["operator_units_a_day"]) == (10, 3000)


def test_the_shared_budget_of_today_is_printed(policy, installation):
    """The output gives the cap, alarm threshold and spent units of today's shared budget, and its core words."""
    gate = installation.services().gate
    core = installation.services().editions.current.core
    gate.admit(Identity("1", 0), Question(("LOVERS", "QUIZ", "CAT"), 1), core, int(time.time()))
    gate.admit(Identity("2", 0, is_verified=True), Question(("ZAX",), 1), core, int(time.time()))
    world = read_json(policy)["world"]
    assert world.pop("day") == f"{time.strftime('%Y-%m-%d', time.gmtime())}"
    assert world == {"spent": 2, "cap": 500, "alarm_at": 400, "core_spent": 1, "core_cap": 2_000}


def test_what_guests_have_is_printed(policy, installation):
    """The output tells the whole games that guests may still open today, and what all of them learn at most."""
    assert installation.services().guest_games.begin("g", int(time.time()) + 100, int(time.time())) is None
    assert read_json(policy)["guests"] == {"games_left": 7, "games_a_day": 8}
    out = policy()[1]
    assert "games that guests may open now by links without a name: 7 of 8, each of which holds 28 of their" in out
    assert "All guests of play links without a name, however many, learn at most 250 words a day beside these" in out
    assert re.search("all guests of play links without a name +250 +1000\n", out)


def test_a_play_link_of_its_own_is_a_row_and_counts_among_those_without_a_key(policy, installation):
    """A keeper who grants a club 40 games must see the 1,120 units that its guests learn, and the sum with them."""
    with closing(open_play_links(installation.instance)) as links:
        links.add(1, name="Tuesday club", games=40)
    out = policy()[1]
    assert re.search('guests of play link "Tuesday club", 40 games +1120 +4000\n', out)
    assert re.search("all callers without a key together +1470 +6000\n", out)


def test_each_operator_is_listed_with_its_total(policy, installation):
    """Each operator has its own total or the policy's; revoked operators are left out."""
    installation.register.add("league", "operator", 1)
    installation.register.add("club", "operator", 1, units=4000)
    installation.register.add("gone", "operator", 1)
    installation.register.revoke("gone", 2)
    assert read_json(policy)["operators"] == [
        {"name": "league", "units_a_day": 2000, "core_a_day": 4600, "is_set": False},
        {"name": "club", "units_a_day": 4000, "core_a_day": 5500, "is_set": True},
    ]
    assert 'operator "club": 4000 units and 5500 core words a day, set for this operator' in policy()[1]


def test_what_is_granted_to_verified_clients_is_added_up(policy, installation):
    """The output has the sum of what verified clients may have answered in a day; test keys and others are left out."""
    installation.register.add("family", "home", 1)
    installation.register.add("stranger", "operator", 1)
    installation.register.add("club", "operator", 1, units=4000)
    installation.register.add("test", "home", 1, test=True)
    before = read_json(policy)["granted"]
    for name in ("family", "club"):
        installation.register.verify(name, 2)
    granted = read_json(policy)["granted"]
    assert [granted[each] - before[each] for each in granted] == [2, 356 + 4000, 540 + 5500]
    assert f"{granted['units_a_day']} units and {granted['core_a_day']} core words a day together" in policy()[1]


def test_each_kind_of_caller_is_listed_with_its_bounds(policy):
    """The output has the units and core words that each kind of caller may have answered, by today's cap."""
    bounds = {each["caller"]: (each["units"], each["core"], each["bits"]) for each in read_json(policy)["callers"]}
    assert bounds["home client, verified"] == (356, 540, 378)
    assert bounds["all unverified callers together"] == (500, 2000, 792)
    assert re.search("operator, verified: a club with all its devices +2000 +4600\n", policy()[1])


def test_the_core_list_can_be_compared(policy, installation):
    """The output has the digest of the public core list, which anybody can compare."""
    digest = hashlib.sha256(installation.instance.core.read_bytes()).hexdigest()
    assert read_json(policy)["core"] == {
        "file": str(installation.instance.core),
        "edition": 1,
        "sha256": digest,
        "words": 8,
    }
    assert f"8 words, SHA-256 {digest}" in policy()[1]


def test_without_an_installation_the_defaults_are_shown(command, tmp_path):
    """Without an installation the command shows the defaults, says what is missing, and creates nothing."""
    status, out, err = command("guard", "policy")
    assert (status, err) == (0, "")
    assert "no meters answer on this host" in out
    assert "no core list is in force" in out
    assert list(tmp_path.iterdir()) == []


BROKEN = """[policy]
games_a_day = 13
plays_a_game = -1
first_games_a_day = 14
world_floor = 2000
"""
FAULTS = (
    '"plays_a_game" is -1, and may not be below 0; 384 units a day for an identity are more than the 356 promised;'
    ' "first_games_a_day" is above "games_a_day", 13; "world_floor" is above "world_ceiling", 1500'
)


def test_a_service_under_a_broken_policy_does_not_start(installation):
    """A policy that breaks the promise stops the service at the start, with every fault named."""
    installation.instance.settings.write_text(BROKEN)
    command = [
        sys.executable,
        "-c",
        MAIN,
        "--instance",
        installation.instance.root,
        "serve",
        "--stream",
        "off",
        "--bind",
        "127.0.0.1:0",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (2, "")
    error, hint = done.stderr.splitlines()
    assert FAULTS in error
    assert hint.startswith("ordws: hint: ")


def test_the_faults_of_a_broken_policy_are_named(command, installation):
    """The command names the faults of a broken policy as the service does."""
    installation.instance.settings.write_text(BROKEN)
    status, out, err = command("--instance", str(installation.instance.root), "guard", "policy")
    assert (status, out) == (2, "")
    assert FAULTS in err
