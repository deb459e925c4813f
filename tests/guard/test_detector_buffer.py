"""Tests of the observations that a process collects and writes to the store."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from ordws.guard.detector_buffer import DetectorBuffer, DetectorSum
from ordws.guard.detectors import ALARM_THRESHOLD, DETECTORS, alphabetical_position, is_alphabetical_neighbour
from ordws.guard.policy import DAY

NOW = 1_795_262_400
SPREAD = ("QUIZ", "FISHERY", "ZAX", "LOVERS", "ACTION", "MISFEED")


def take_all(buffer):
    return {detector.name: weight for detector, weight in buffer.take_due(NOW, flush_all=True)}


def sums(buffer, key="me"):
    return {name.removeprefix(f"{key}/sign/"): weight for name, weight in take_all(buffer).items()}


def test_weights_and_threshold_are_as_documented():
    """The weights, in thousandths of a natural logarithm, and the threshold are as documented (docs/guard.md 3.5)."""
    assert ALARM_THRESHOLD == 11_513
    assert {detector: tuple(DETECTORS[detector]) for detector in DETECTORS} == {
        "share": (511, -336),
        "invalid": (916, -470),
        "run": (1_946, -1_099),
        "repeats": (26, -981),
    }


@pytest.mark.parametrize(("detector", "least"), [("share", 23), ("invalid", 13), ("run", 6), ("repeats", 443)])
def test_an_alarm_needs_so_many_observations_in_a_row(detector, least):
    """So many observations of mining in a row, and no fewer, reach the threshold."""
    assert (least - 1) * DETECTORS[detector].mining < ALARM_THRESHOLD <= least * DETECTORS[detector].mining


def test_23_words_outside_the_core_list_raise_the_share():
    """Each word of a question counts for the share, and new core words lower it."""
    buffer = DetectorBuffer()
    for n in range(22):
        buffer.record_question("me", (SPREAD[n % 6],), units=1, core=0)
    assert sums(buffer)["share"] == 22 * 511
    buffer.record_question("me", ("CAT", "QUIZ", "PLAY"), units=1, core=2)
    assert sums(buffer)["share"] == 511 - 2 * 336


def test_six_neighbours_raise_the_run():
    """Neighbouring words raise the run, within a question or over several; the first word has no predecessor."""
    buffer = DetectorBuffer()
    buffer.record_question("me", ("BASH", "BASHED", "BASHER"), units=3, core=0)
    for word in ("BASHES", "BASHFUL", "BASHING", "BASHINGS"):
        buffer.record_question("me", (word,), units=1, core=0)
    assert sums(buffer)["run"] == 6 * 1_946 >= ALARM_THRESHOLD


def test_words_far_apart_are_no_run():
    """Words far apart lower the run, and two-letter words do not count."""
    buffer = DetectorBuffer()
    buffer.record_question("me", ("QUIZ", "AT", "FISHERY", "AD", "ZAX"), units=3, core=0)
    assert sums(buffer)["run"] == -2 * 1_099


def test_a_run_is_of_one_identity():
    """Runs of two identities that ask in turn are counted apart."""
    buffer = DetectorBuffer()
    for mine, yours in (("BASH", "BASHED"), ("LOVER", "LOVERS")):
        buffer.record_question("me", (mine,), units=1, core=0)
        buffer.record_question("you", (yours,), units=1, core=0)
    assert {name: weight for name, weight in take_all(buffer).items() if "run" in name} == {
        "me/sign/run": -1_099,
        "you/sign/run": -1_099,
    }


def test_words_that_nobody_repeats_raise_repeats():
    """A word that is new to an operator raises its sum, and one that another player asked before lowers it."""
    buffer = DetectorBuffer()
    buffer.record_repeats("club", new=40, repeated=1)
    assert sums(buffer, "club") == {"repeats": 40 * 26 - 981}


def test_bad_plays_raise_the_invalid_share():
    """A bad play raises the `invalid` sum, and a good one lowers it."""
    buffer = DetectorBuffer()
    for verdict in (False, True, True):
        buffer.record_verdict("me", verdict)
    assert sums(buffer) == {"invalid": 916 - 2 * 470}


def test_verdicts_are_never_urgent():
    """Verdicts are never written at once, so that no question costs more or less for the verdict before it."""
    buffer = DetectorBuffer()
    for _ in range(20):
        buffer.record_verdict("me", False)
    assert buffer.take_due(NOW, flush_all=False) == []
    assert sums(buffer) == {"invalid": 20 * 916}


def test_the_same_word_again_is_no_run():
    """A word asked twice in a row does not count for the run."""
    buffer = DetectorBuffer()
    for words in (("BASH", "BASH"), ("BASH",), ("BASHED",)):
        buffer.record_question("me", words, units=1, core=0)
    assert sums(buffer)["run"] == 1_946


def test_empty_sums_are_not_written():
    """Sums that come to zero are not written."""
    buffer = DetectorBuffer()
    buffer.record_question("me", ("AT", "QI"), units=0, core=0)
    assert buffer.take_due(NOW, flush_all=True) == []


def test_urgent_sums_are_written_at_once():
    """A sum of an eighth of the threshold is due at once, and no other sum with it."""
    buffer = DetectorBuffer()
    buffer.record_question("me", SPREAD[:2], units=2, core=0)
    assert buffer.take_due(NOW, flush_all=False) == []
    buffer.record_question("me", ("TOELESS",), units=1, core=0)
    assert buffer.take_due(NOW, flush_all=False) == [
        (DetectorSum("me/sign/share", 11_513, NOW + 3 * DAY, NOW + 28 * DAY), 3 * 511)
    ]
    assert buffer.take_due(NOW, flush_all=False) == []
    assert sums(buffer) == {"run": -2 * 1_099}


def test_nothing_is_lost_or_written_twice():
    """The sums that four threads record while a fifth takes them add up."""
    buffer, total, is_over = DetectorBuffer(), Counter(), threading.Event()

    def record():
        for _ in range(2_000):
            buffer.record_verdict("me", False)

    def take():
        while not is_over.is_set():
            total.update({detector.name: weight for detector, weight in buffer.take_due(NOW, flush_all=True)})

    threads = [threading.Thread(target=record) for _ in range(4)]
    taker = threading.Thread(target=take)
    for thread in (*threads, taker):
        thread.start()
    for thread in threads:
        thread.join()
    is_over.set()
    taker.join()
    total.update(take_all(buffer))
    assert total == {"me/sign/invalid": 8_000 * 916}


def test_the_number_of_last_words_is_bounded():
    """The identity whose last word is oldest is forgotten first and begins a new run."""
    buffer = DetectorBuffer()
    for n in range(16_385):
        buffer.record_question(f"id{n}", ("QUIZ",), units=1, core=0)
    buffer.take_due(NOW, flush_all=True)
    for key in ("id0", "id16384"):
        buffer.record_question(key, ("QUIZZED",), units=1, core=0)
    assert [name for name in take_all(buffer) if "run" in name] == ["id16384/sign/run"]


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
def test_alphabetical_neighbours(before, now, near):
    """Words with nearly the same first three letters are neighbours."""
    assert is_alphabetical_neighbour(alphabetical_position(before), alphabetical_position(now)) is near
