"""`ordws guard trace`: who explains a leaked list, without a word of it."""

from __future__ import annotations

import json
import time
from random import Random

import pytest
from leaks import find_leaks

from ordws.cli.guard_trace import MAX_WORDS, read_leaked
from ordws.guard.price import Identity, Question

NOW = int(time.time())
RNG = Random(7)
UNIVERSE = sorted({"".join(RNG.choices("BCDFGHJKLMNPRSTVWZ", k=6)) for _ in range(600)})


@pytest.fixture
def leaked(house, tmp_path):
    """Twelve clients and two players asked 26 words each by chance; half of what ann asked is a file."""
    desk = house.desk()  # which adopts the edition, so that another list beside it changes nothing
    house.instance.reference.write_text("".join(f"{word}\n" for word in UNIVERSE))
    for number in range(2, 13):
        house.register.add(f"client {number}", "home", 1)
    house.register.add("league", "operator", 1)
    clients = [Identity(str(number), 0) for number in range(1, 13)]
    ann = Identity("13", 0, "ann")
    asked = {who: tuple(RNG.sample(UNIVERSE, 26)) for who in [*clients, ann, Identity("13", 0, "bob")]}
    for who, words in asked.items():
        assert desk.gate.admit(who, Question(words, 1, "g"), desk.editions.current.core, NOW)
    file = tmp_path / "leaked.txt"
    file.write_text("\n".join(word.lower() for word in asked[ann][:20]))
    return file


@pytest.fixture
def trace(command, house):
    def trace(*arguments):
        status, out, said = command("--instance", str(house.instance.root), "guard", "trace", *map(str, arguments))
        assert said == ""
        return status, out

    return trace


def test_a_player_is_told_by_his_hash(trace, leaked, house):
    """The leaker is first, by his operator's name and the hash that the meters know; the others are not accused."""
    player = house.desk().gate.pricing.identity_key(Identity("13", 0, "ann")).partition(".")[2]
    status, out = trace(leaked, "--json")
    told = json.loads(out)
    first, *others = told["identities"]
    assert status == 1
    assert first["name"] == f"league / player {player[:8]}"
    assert (first["charged"], first["matched"], first["accused"]) == (26, 20, True)
    assert first["chance"] < 1e-3
    assert len(others) == 13
    assert not any(other["accused"] for other in others)


def test_a_table_without_a_word(trace, leaked, house):
    """What is printed are names and numbers, and a sentence for who explains the list."""
    words = leaked.read_text().split()
    status, out = trace(leaked)
    assert status == 1
    assert "words of the list that cost a unit: 20" in out
    assert "explains 100% of it" in out
    assert find_leaks(out.encode() + trace(leaked, "--json")[1].encode(), words) == set()


def test_a_list_of_nobodys_accuses_nobody(trace, leaked, tmp_path):
    """A list by chance ends with status 0."""
    (tmp_path / "other.txt").write_text("\n".join(RNG.sample(UNIVERSE, 60)))
    status, out = trace(tmp_path / "other.txt")
    assert status == 0
    assert "nobody explains the list" in out


def test_meters_without_a_charge_tell_nothing(trace, tmp_path):
    """Nobody was charged, so nobody is named."""
    (tmp_path / "list.txt").write_text("lovers\n")
    assert trace(tmp_path / "list.txt") == (
        0,
        "words of the list that cost a unit: 1\nnobody was ever charged for a word\n",
    )


def test_a_list_as_it_is_found(tmp_path):
    """Words are folded; what is no word, is free or stands there twice is counted; empty lines are nothing."""
    file = tmp_path / "list.txt"
    file.write_bytes("\ufeffLovers\r\nlovers\r\n\r\ncat\nqi\nnaïve\ncan't\n\xff\n".encode()[:-2] + b"\xff\n")
    leaked = read_leaked(file, {"CAT"})
    assert sorted(leaked.words) == ["LOVERS", "NAIVE"]
    assert (leaked.non_words, leaked.free_or_repeated, leaked.left_out) == (2, 3, 0)


def test_of_a_long_list_a_part_is_taken(tmp_path):
    """The same part each time, from all over the list."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    listed = [f"{a}{b}{c}ING" for a in letters for b in letters for c in letters]
    (tmp_path / "list.txt").write_text("\n".join(listed))
    leaked = read_leaked(tmp_path / "list.txt", ())
    assert len(leaked.words) == MAX_WORDS == 10_000
    assert leaked.left_out == 26**3 - 10_000
    assert leaked.words == read_leaked(tmp_path / "list.txt", ()).words
    assert {word[0] for word in leaked.words} == set(letters)


def test_a_missing_file_is_an_error(command, house):
    """It is named."""
    status, _, said = command("--instance", str(house.instance.root), "guard", "trace", "nowhere.txt")
    assert status == 2
    assert said == 'ordws: error: "nowhere.txt": No such file or directory\n'
