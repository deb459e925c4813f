"""Figures C5 and C6: nothing that fair play leaves behind names a word, and no reply shows that it is on.

C5 plays a small event and takes its flag to the register, then searches all that was written, printed and logged. C6
plays one game over services with and without fair play beside them, on two lists that differ in words nobody plays.
"""

from __future__ import annotations

import io
import json
import logging
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from leaks import find_leaks, scan_folder

from ordws.fairplay.looks import make_report, report_lines
from ordws.fairplay.milestones import FieldSize
from ordws.public_register import PublicRegister
from ordws.web.pages import site
from tests.benchmarks.fairplay_event import BEGIN, DAY, Season, SeasonSize
from tests.benchmarks.figure import Figure
from tests.cases.test_fair_play_noninterference import TWINS, traffic

SMALL_EVENT: Final = SeasonSize(
    players=16, rounds=8, events=1, cheats_of_a_kind=1, quitters=1, in_person_games=34, words=8_000
)
SEED: Final = 21
HEARD: Final = BEGIN + 14 * DAY
"""The second at which the cases of the event are opened."""

CONTROL: Final = "ZYXWVUTSRQ"
"""A word that is planted, to show that the search for words finds one."""

PLAYED_WORD_APART: Final = (["HEAL", "HEAT"], ["HEAT", "QUIZ"])
"""Two lists that differ in a word which is played, to show that replies that differ are seen."""


class LeakSearch(NamedTuple):
    """A search for words of an edition: what was looked for, what was found where, and the controls that were found."""

    words: list[str]
    found: dict[str, set[str]]
    controls: int


def long_words(season: Season) -> list[str]:
    """Return some of the words of a season that are too long to stand anywhere by chance."""
    return sorted(word for word in season.words.true_words if len(word) > 7)[::40]


def search_for_words(season: Season, shown: str) -> LeakSearch:
    """Search the folder of a season, and a text that was shown to people, for words of its edition and planted ones."""
    words, root = long_words(season), season.instance.root
    found = scan_folder(root, words)
    if leaks := find_leaks(shown.encode(), words):
        found["shown"] = leaks
    planted = root / "planted"
    planted.write_bytes(b"so " + CONTROL.lower().encode() + b" it is")
    controls = (scan_folder(root, [CONTROL]), find_leaks(shown.encode() + CONTROL.encode(), [CONTROL]))
    planted.unlink()
    return LeakSearch(words, found, sum([controls[0] == {"planted": {CONTROL}}, controls[1] == {CONTROL}]))


def hall_page(season: Season) -> str:
    """Return the page of the register of a season."""
    hall = msgspec.json.decode(season.instance.register.read_bytes(), type=PublicRegister)
    return site.hall_page(hall, is_compressed=False).body.decode()


def measure_leaks() -> Iterator[Figure]:
    """Yield C5, from a small event that goes from its games to the register."""
    with (
        tempfile.TemporaryDirectory() as folder,
        logged() as log,
        closing(Season(Path(folder) / "instance", SMALL_EVENT, SEED)) as season,
    ):
        season.play_event(1)
        cases = [season.hear(state, HEARD) for state in season.open_cases(HEARD)]
        season.sync(HEARD + 46 * DAY)
        report = make_report(season.numbers, season.instance, FieldSize(SMALL_EVENT.players))
        printed = [*report_lines(report), json.dumps(report), str(season.report(0)), hall_page(season)]
        search = search_for_words(season, "\n".join([*printed, log.getvalue()]))
    entries = sum([state.published_at is not None for state in cases])
    where = "in the numbers, cases, event, register, report, hall and log of an event"
    leaked = sum([len(words) for words in search.found.values()])
    yield Figure("C5", f"long words of the edition, of {len(search.words)}, that stand {where}", leaked, "", "== 0")
    yield Figure("C5", "planted words that the search finds, in a file and in a text", search.controls, "", "== 2")
    yield Figure("C5", "entries in the register of the event that was searched", entries, "", ">= 1")


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """Collect all that is logged meanwhile."""
    log = io.StringIO()
    handler, root = logging.StreamHandler(log), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield log
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def count_differences(one: list[Any], other: list[Any]) -> int:
    """Return the number of replies that differ, or that only one of the two has."""
    differ = sum([a != b for a, b in zip(one, other, strict=False)])
    return differ + abs(len(one) - len(other))


def measure_traffic() -> Iterator[Figure]:
    """Yield C6, from one game over each of two lists, with fair play on and off."""
    with tempfile.TemporaryDirectory() as folder:
        played = iter(range(100))

        def play(words: list[str], *, is_on: bool) -> tuple[list[Any], int]:
            return traffic(Path(folder) / str(next(played)), words, is_on=is_on)

        off, on = [[play(words, is_on=is_on) for words in TWINS] for is_on in (False, True)]
        apart = [play(words, is_on=True)[0] for words in PLAYED_WORD_APART]
    changed = sum([count_differences(a, b) for (a, _), (b, _) in zip(off, on, strict=True)])
    (one, taken), (other, taken_too) = on
    yield Figure(
        "C6", f"replies of {len(one) + len(other)} that are other bytes with fair play on", changed, "", "== 0"
    )
    yield Figure(
        "C6", "replies that differ between twin lists, fair play on", count_differences(one, other), "", "== 0"
    )
    yield Figure("C6", "games that fair play took meanwhile", taken + taken_too, "", "== 2")
    control = "replies that differ where only one list has a word that is played"
    yield Figure("C6", control, count_differences(*apart), "", ">= 1")
