"""Tests of the home check at an installation with its own players' list, which answers on paired devices alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_uppercase

import pytest
from home_page import open_home
from judge_page import COOKIE, club_service, paired, paired_device
from playwright.sync_api import expect
from small_installation import NOON, WORDS, SmallInstallation, build_installation

from ordws.guard.policy import Policy
from ordws.lexicon.sealed_edition import SealedLists

__all__ = ["club_service", "paired_device"]

OWN_LIST = SealedLists(own_reference=frozenset({"HAET"}), own_name="OSPD 7")
REFERENCE_A_DAY = Policy().reference_a_day


@pytest.fixture(scope="module")
def shared_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """Build an installation of a club, whose edition holds the club's own players' list."""
    with build_installation(tmp_path_factory.mktemp("club") / "instance") as installation:
        installation.deliver(*WORDS, number=2, lists=OWN_LIST)
        installation.key = installation.register.add("club", "operator", NOON - 40 * 86_400)
        installation.register.verify("club", NOON)
        yield installation


def test_a_device_that_is_not_paired_is_told_so(tables):
    """The page says that the list answers on paired devices alone, links to the pairing, and asks the player."""
    tables.expected.append("401")
    home = open_home(tables)
    home.choose(rules="classic")
    home.ask("haet")
    assert home.question == "Is HAET in the OSPD?"
    note = home.page.locator("#talk .hint", has_text="This device is not paired: look in your own book.")
    expect(note).to_be_visible()
    expect(note.get_by_role("link", name="Pair this device")).to_have_attribute("href", "/judge")
    home.say("y")
    assert home.ruling == "Acceptable"


def test_a_paired_device_is_answered_by_the_list(tables, device):
    """On a paired device the list answers under its name."""
    home = open_paired(tables, device)
    home.ask("haet")
    assert home.ruling == "Acceptable"
    assert home.looked_up == ["Is HAET in the OSPD? Yes, by OSPD 7"]


def test_a_spent_budget_is_told_as_such(tables, served):
    """When the words of a day are spent, the page says so, and asks the player."""
    tables.expected.append("429")
    device = paired(served, "Table 4")
    letters = Random(7)  # words in order of the alphabet would raise an alarm, which workers learn of by and by
    for _ in range(REFERENCE_A_DAY):
        word = "".join(letters.choices(ascii_uppercase, k=7))
        assert device.request("POST", "/v1/ospd", {"words": [word]}) == (200, {"found": False})
    home = open_paired(tables, device)
    home.ask("haet")
    assert home.question == "Is HAET in the OSPD?"
    expect(home.page.locator("#talk .hint", has_text="No more words may be looked up")).to_be_visible()


def open_paired(tables, device):
    """Open the page under the regular word rule on a paired device."""
    home = open_home(tables)
    home.page.context.add_cookies(
        [{"name": COOKIE, "value": device.token, "url": f"{tables.url}/v1", "httpOnly": True}]
    )
    home.choose(rules="classic")
    return home
