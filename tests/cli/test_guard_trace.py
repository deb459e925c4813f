"""`ordws guard trace`: who could explain a leaked list, without a word of it."""

from __future__ import annotations

import json
import time
from random import Random

import pytest
from leaks import find_leaks

from ordws.cli.guard_report import MAX_WORDS, read_leaked
from ordws.guard.charge import ID_BYTES, Identity, Question

NOW = int(time.time())
RNG = Random(7)
UNIVERSE = sorted({"".join(RNG.choices("BCDFGHJKLMNPRSTVWZ", k=6)) for _ in range(600)})


@pytest.fixture
def leaked(installation, tmp_path):
    """Let twelve clients and two players ask 26 random words each, and leak twenty of Ann's."""
    services = installation.services()  # which adopts the edition, so that another list beside it changes nothing
    installation.instance.reference.write_text("".join(f"{word}\n" for word in UNIVERSE))
    for number in range(2, 13):
        installation.register.add(f"client {number}", "home", 1)
    installation.register.add("league", "operator", 1)
    clients = [Identity(str(number), 0) for number in range(1, 13)]
    ann = Identity("13", 0, "ann")
    questions = {identity: tuple(RNG.sample(UNIVERSE, 26)) for identity in [*clients, ann, Identity("13", 0, "bob")]}
    for identity, words in questions.items():
        assert services.gate.admit(identity, Question(words, 1, "g"), services.editions.current.core, NOW)
    file = tmp_path / "leaked.txt"
    file.write_text("\n".join(word.lower() for word in questions[ann][:20]))
    return file


@pytest.fixture
def trace(command, installation):
    def trace(*arguments):
        status, out, err = command(
            "--instance", str(installation.instance.root), "guard", "trace", *map(str, arguments)
        )
        assert err == ""
        return status, out

    return trace


def test_a_player_is_named_by_hash(trace, leaked, installation):
    """The leaker comes first, named by operator and by the hash in the meters; nobody else is accused."""
    player = installation.services().gate.pricing.subject(Identity("13", 0, "ann"))[ID_BYTES:].hex()
    status, out = trace(leaked, "--json")
    shown = json.loads(out)
    first, *others = shown["identities"]
    assert status == 1
    assert first["name"] == f"league / player {player[:8]}"
    assert (first["charged"], first["matched"], first["accused"]) == (26, 20, True)
    assert first["chance"] < 1e-3
    assert len(others) == 13
    assert not any(other["accused"] for other in others)


def test_a_table_without_a_word(trace, leaked, installation):
    """The table has names, numbers and a sentence on whoever explains the list, but no word of it."""
    words = leaked.read_text().split()
    status, out = trace(leaked)
    assert status == 1
    assert "words of the list that cost a unit: 20" in out
    assert "explains 100% of it" in out
    assert find_leaks(out.encode() + trace(leaked, "--json")[1].encode(), words) == set()


def test_a_random_list_accuses_nobody(trace, leaked, tmp_path):
    """A random list accuses nobody, and ends with status 0."""
    (tmp_path / "other.txt").write_text("\n".join(RNG.sample(UNIVERSE, 60)))
    status, out = trace(tmp_path / "other.txt")
    assert status == 0
    assert "nobody explains the list" in out


def test_meters_without_a_charge_accuse_nobody(trace, tmp_path):
    """Nobody is named if nobody was ever charged."""
    (tmp_path / "list.txt").write_text("lovers\n")
    assert trace(tmp_path / "list.txt") == (
        0,
        "words of the list that cost a unit: 1\nnobody was ever charged for a word\n",
    )


def test_words_of_the_list_are_folded_and_counted(tmp_path):
    """Words are folded; lines that are no words, free words and repetitions are counted, and empty lines ignored."""
    file = tmp_path / "list.txt"
    file.write_bytes("\ufeffLovers\r\nlovers\r\n\r\ncat\nqi\nnaïve\ncan't\n\xff\n".encode()[:-2] + b"\xff\n")
    leaked = read_leaked(file, {"CAT"})
    assert sorted(leaked.words) == ["LOVERS", "NAIVE"]
    assert (leaked.non_words, leaked.free_or_repeated, leaked.left_out) == (2, 3, 0)


def test_a_long_list_is_sampled(tmp_path):
    """A part of a long list is taken, the same each time, from all over the list."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    listed = [f"{a}{b}{c}ING" for a in letters for b in letters for c in letters]
    (tmp_path / "list.txt").write_text("\n".join(listed))
    leaked = read_leaked(tmp_path / "list.txt", ())
    assert len(leaked.words) == MAX_WORDS == 10_000
    assert leaked.left_out == 26**3 - 10_000
    assert leaked.words == read_leaked(tmp_path / "list.txt", ()).words
    assert {word[0] for word in leaked.words} == set(letters)


def test_a_missing_file_is_an_error(command, installation):
    """A missing file is an error that names it."""
    status, _, err = command("--instance", str(installation.instance.root), "guard", "trace", "nowhere.txt")
    assert status == 2
    assert err == 'ordws: error: "nowhere.txt": No such file or directory\n'
