"""What a process sees of its callers' habits, and what it tells the store."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from ordws.guard.detector_buffer import DetectorBuffer, DetectorSum
from ordws.guard.detectors import ALARM_THRESHOLD, DETECTORS, alphabetical_position, is_alphabetical_neighbour
from ordws.guard.policy import DAY

NOW = 1_795_262_400
SPREAD = ("QUIZ", "FISHERY", "ZAX", "LOVERS", "ACTION", "MISFEED")


def told(watch):
    return {sign.name: by for sign, by in watch.take_due(NOW, flush_all=True)}


def sums(watch, me="me"):
    return {name.removeprefix(f"{me}/sign/"): by for name, by in told(watch).items()}


def test_the_constants_are_these():
    """What each observation weighs, in thousandths of a natural logarithm, and when it is an alarm. (GUARD 3.5)"""
    assert ALARM_THRESHOLD == 11_513
    assert {sign: tuple(DETECTORS[sign]) for sign in ("share", "invalid", "run")} == {
        "share": (511, -336),
        "invalid": (916, -470),
        "run": (1_946, -1_099),
    }
    assert DETECTORS["fresh"].mining < 100
    assert DETECTORS["fresh"].playing < -1_000


@pytest.mark.parametrize(("sign", "least"), [("share", 23), ("invalid", 13), ("run", 6)])
def test_so_many_in_a_row_are_an_alarm(sign, least):
    """Words outside the core list; bad plays; words next to the one before."""
    assert (least - 1) * DETECTORS[sign].mining < ALARM_THRESHOLD <= least * DETECTORS[sign].mining


def test_23_words_outside_the_core_list_raise_the_share():
    """Each word counts, also of one question; core words speak for a player."""
    watch = DetectorBuffer()
    for n in range(22):
        watch.record_question("me", (SPREAD[n % 6],), non_core=1, new=1)
    assert sums(watch)["share"] == 22 * 511
    watch.record_question("me", ("CAT", "QUIZ", "PLAY"), non_core=1, new=1)
    assert sums(watch)["share"] == 511 - 2 * 336


def test_six_neighbours_raise_the_run():
    """In one question or in several; the first word has none before it."""
    watch = DetectorBuffer()
    watch.record_question("me", ("BASH", "BASHED", "BASHER"), non_core=3, new=3)
    for word in ("BASHES", "BASHFUL", "BASHING", "BASHINGS"):
        watch.record_question("me", (word,), non_core=1, new=1)
    assert sums(watch)["run"] == 6 * 1_946 >= ALARM_THRESHOLD


def test_words_far_apart_are_no_run():
    """As they come in a game; two-letter words say nothing."""
    watch = DetectorBuffer()
    watch.record_question("me", ("QUIZ", "AT", "FISHERY", "AD", "ZAX"), non_core=3, new=3)
    assert sums(watch)["run"] == -2 * 1_099


def test_a_run_is_of_one_identity():
    """Two who ask in turn are not one who sweeps."""
    watch = DetectorBuffer()
    for mine, yours in (("BASH", "BASHED"), ("LOVER", "LOVERS")):
        watch.record_question("me", (mine,), non_core=1, new=1)
        watch.record_question("you", (yours,), non_core=1, new=1)
    assert {name: by for name, by in told(watch).items() if "run" in name} == {
        "me/sign/run": -1_099,
        "you/sign/run": -1_099,
    }


def test_who_asks_again_is_a_player():
    """A word that was asked before speaks against mining as many new ones speak for it."""
    watch = DetectorBuffer()
    watch.record_question("me", SPREAD[:3], non_core=3, new=2)
    assert sums(watch)["fresh"] == 2 * DETECTORS["fresh"].mining + DETECTORS["fresh"].playing


def test_bad_plays_raise_the_invalid_share():
    """One for mining and two good ones for playing."""
    watch = DetectorBuffer()
    for verdict in (False, True, True):
        watch.record_verdict("me", verdict)
    assert sums(watch) == {"invalid": 916 - 2 * 470}


def test_verdicts_are_told_with_the_rest_of_the_second():
    """However bad, so that no question costs more or less for the verdict before it."""
    watch = DetectorBuffer()
    for _ in range(20):
        watch.record_verdict("me", False)
    assert watch.take_due(NOW, flush_all=False) == []
    assert sums(watch) == {"invalid": 20 * 916}


def test_the_same_word_again_is_no_run():
    """Who asks for a word twice does not sweep."""
    watch = DetectorBuffer()
    for words in (("BASH", "BASH"), ("BASH",), ("BASHED",)):
        watch.record_question("me", words, non_core=1, new=1)
    assert sums(watch)["run"] == 1_946


def test_what_says_nothing_is_not_told():
    """Two-letter words alone, or what comes to nothing."""
    watch = DetectorBuffer()
    watch.record_question("me", ("AT", "QI"), non_core=0, new=0)
    assert watch.take_due(NOW, flush_all=True) == []


def test_what_weighs_much_is_told_at_once():
    """An eighth of an alarm is due before the second is over, and nothing else of it."""
    watch = DetectorBuffer()
    watch.record_question("me", SPREAD[:2], non_core=2, new=2)
    assert watch.take_due(NOW, flush_all=False) == []
    watch.record_question("me", ("TOELESS",), non_core=1, new=1)
    assert watch.take_due(NOW, flush_all=False) == [
        (DetectorSum("me/sign/share", 11_513, NOW + 3 * DAY, NOW + 28 * DAY), 3 * 511)
    ]
    assert watch.take_due(NOW, flush_all=False) == []
    assert sums(watch) == {"fresh": 3 * DETECTORS["fresh"].mining, "run": -2 * 1_099}


def test_nothing_is_lost_and_nothing_told_twice():
    """What four threads note while a fifth takes it away adds up."""
    watch, total, is_over = DetectorBuffer(), Counter(), threading.Event()

    def note():
        for _ in range(2_000):
            watch.record_verdict("me", False)

    def take():
        while not is_over.is_set():
            total.update({sign.name: by for sign, by in watch.take_due(NOW, flush_all=True)})

    threads = [threading.Thread(target=note) for _ in range(4)]
    taker = threading.Thread(target=take)
    for thread in (*threads, taker):
        thread.start()
    for thread in threads:
        thread.join()
    is_over.set()
    taker.join()
    total.update(told(watch))
    assert total == {"me/sign/invalid": 8_000 * 916}


def test_a_process_remembers_so_many_last_words():
    """Who came first is forgotten first, and begins a new run."""
    watch = DetectorBuffer()
    for n in range(16_385):
        watch.record_question(f"id{n}", ("QUIZ",), non_core=1, new=1)
    watch.take_due(NOW, flush_all=True)
    for me in ("id0", "id16384"):
        watch.record_question(me, ("QUIZZED",), non_core=1, new=1)
    assert [name for name in told(watch) if "run" in name] == ["id16384/sign/run"]


@pytest.mark.parametrize(
    ("before", "now", "near"),
    [
        ("BASH", "BASHED", True),
        ("BASHED", "BASH", True),
        ("BASE", "BASH", True),
        ("BAS", "BAW", True),
        ("BAS", "BAX", False),
        ("BASH", "CASH", False),
        ("AARDVARK", "AARDVARKS", True),
        ("ZAX", "AAH", False),
    ],
)
def test_what_is_near(before, now, near):
    """Words with nearly the same three letters in front."""
    assert is_alphabetical_neighbour(alphabetical_position(before), alphabetical_position(now)) is near
