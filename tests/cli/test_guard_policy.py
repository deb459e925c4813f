"""`ordws guard policy`: what is in force, and that nothing worse is ever served."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest

from ordws.guard.policy import Policy, limit_descriptions
from ordws.guard.price import Identity, Question

ROOT = Path(__file__).parents[2]
MAIN = "from ordws.cli import main; main()"


@pytest.fixture
def policy(command, house):
    """Types the command in the house; returns its status and what it printed."""

    def policy(*options):
        status, out, said = command("--instance", str(house.instance.root), "guard", "policy", *options)
        assert said == ""
        return status, out

    return policy


def told(policy):
    status, out = policy("--json")
    assert status == 0
    return json.loads(out)


def test_every_limit_is_explained():
    """A limit that is added to the policy has its meaning, in the policy's order."""
    assert list(limit_descriptions()) == [field.name for field in fields(Policy)]


def test_the_theorem_is_spelt_out(policy):
    """The sum, what follows for 24 hours and for k identities, and that it cannot be more."""
    status, out = policy()
    assert status == 0
    assert "12 x 28 + 20 = 356: one identity learns at most 356 words outside the core list in a UTC day" in out
    assert "so 712 in any 24 hours, and k identities together 356 k a day" in out
    assert (
        "No policy is served under which its own questions could teach an identity more than the 356 promised." in out
    )
    assert "units_a_game             28  units of a game" in out


def test_limits_come_from_the_settings(policy, house):
    """What a keeper sets is in force, and the bound is computed from it."""
    assert told(policy)["is_set"] is False
    house.instance.settings.write_text("[policy]\nunits_a_game = 20\nworld_floor = 300\n")
    found = told(policy)
    assert (found["limits"]["units_a_game"], found["limits"]["world_floor"]) == (20, 300)
    assert found["bound"] == {"units_a_day": 260, "units_in_24_hours": 520, "promised": 356}
    assert (found["settings"], found["is_set"]) == (str(house.instance.settings), True)
    assert "12 x 20 + 20 = 260" in policy()[1]


def test_it_says_how_to_change_them(policy, house):
    """The file and an example, which is one that can be used."""
    _, out = policy()
    sentence, _, example = out.partition("for example:\n")
    assert f'limits are set in "{house.instance.settings}", which does not exist' in sentence
    house.instance.settings.write_text(example)
    limits = told(policy)["limits"]
    assert (limits["outside_a_day"], limits["operator_units_a_day"]) == (10, 3000)


def test_the_world_of_today(policy, house):
    """Its cap and from where on there is an alarm, what is spent of it, and of the reserve."""
    gate = house.desk().gate
    core = house.desk().editions.current.core
    gate.admit(Identity("1", 0), Question(("LOVERS", "QUIZ"), 1), core, int(time.time()))
    gate.admit(Identity("2", 0, is_verified=True), Question(("ZAX",), 1), core, int(time.time()))
    world = told(policy)["world"]
    assert world.pop("day") == f"{time.strftime('%Y-%m-%d', time.gmtime())}"
    assert world == {"spent": 2, "cap": 500, "alarm_at": 400, "reserve_spent": 1, "reserve": 10_000}


def test_operators_and_their_totals(policy, house):
    """Each with the total that was set for it, or that of all; revoked ones are gone."""
    house.register.add("league", "operator", 1)
    house.register.add("club", "operator", 1, units=4000)
    house.register.add("gone", "operator", 1)
    house.register.revoke("gone", 2)
    assert told(policy)["operators"] == [
        {"name": "league", "units_a_day": 2000, "is_set": False},
        {"name": "club", "units_a_day": 4000, "is_set": True},
    ]
    assert 'operator "club": 4000 units a day, set for this operator' in policy()[1]


def test_the_core_list_can_be_compared(policy, house):
    """By the digest of the file that anybody may read."""
    digest = hashlib.sha256(house.instance.core.read_bytes()).hexdigest()
    assert told(policy)["core"] == {
        "file": str(house.instance.core),
        "edition": 1,
        "sha256": digest,
        "words": 8,
    }
    assert f"8 words, SHA-256 {digest}" in policy()[1]


def test_without_an_installation_the_defaults_are_told(command, tmp_path):
    """What is not there yet is said to be, and nothing is made."""
    status, out, said = command("guard", "policy")
    assert (status, said) == (0, "")
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


def test_a_service_under_a_broken_policy_does_not_start(house):
    """What breaks the promise is refused at the start, and every fault is named."""
    house.instance.settings.write_text(BROKEN)
    command = [sys.executable, "-c", MAIN, "--instance", house.instance.root, "serve", "--bind", "127.0.0.1:0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout) == (2, "")
    error, hint = done.stderr.splitlines()
    assert FAULTS in error
    assert hint.startswith("ordws: hint: ")


def test_a_broken_policy_is_not_told_as_if_it_held(command, house):
    """The command names the faults as the service does."""
    house.instance.settings.write_text(BROKEN)
    status, out, said = command("--instance", str(house.instance.root), "guard", "policy")
    assert (status, out) == (2, "")
    assert FAULTS in said
