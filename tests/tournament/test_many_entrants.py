"""Many entrants: work grows with their number, not with its square, counted in lines of the program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from event_driver import DrivenEvent

from ordws import tournament
from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.exchange.event_sheet import enter_players
from ordws.tournament.exchange.formats import FORMATS
from ordws.tournament.facts import Entered, RecordedFact
from ordws.tournament.fold import apply_to_own
from ordws.tournament.names import find_entrant
from ordws.tournament.state import TournamentState
from ordws.tournament.store import EventFile

FOLDER = str(Path(tournament.__file__).parent)


def count_lines(work: Callable[[], object]) -> int:
    """Return how many lines of `ordws.tournament` a piece of work runs, the same on every machine."""
    lines = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        if not frame.f_code.co_filename.startswith(FOLDER):
            return None
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


def enter(event: EventFile, many: int) -> None:
    names = [c.Enter(name=f"Player {number} of {many}", member=f"{number}") for number in range(many)]
    event.apply(*names, actor="desk", now=2, command_id="entry")


def check_in(event: EventFile, many: int) -> None:
    event.apply(*[f.CheckedIn(entrant=number) for number in range(1, many + 1)], actor="desk", now=3)


def bring_in(event: EventFile, many: int) -> None:
    """Import a list as the command and the desk do."""
    text = "\n".join(["name,club", *[f"Guest {number} of {many},Riverside" for number in range(many)]])
    sheet = FORMATS["csv"].read(text, file="x.csv")
    event.apply(*enter_players(event.state, sheet).commands, actor="desk", now=4)


def find_all(event: EventFile, many: int) -> None:
    """Find everybody by name, as a command with many names does."""
    for number in range(many):
        find_entrant(event.state, f"player {number} of {many}")


def open_again(event: EventFile, _: int) -> None:
    EventFile.open(event.path).close()


@pytest.mark.parametrize(
    ("work", "before"),
    [
        (enter, []),
        (check_in, [enter]),
        (bring_in, [enter]),
        (find_all, [enter]),
        (open_again, [enter, check_in]),
    ],
)
def test_twice_as_many_take_twice_the_work(work, before, tmp_path):
    """What is done for each of 200 takes twice as much work as for each of 100; four times would be the square."""
    lines = []
    for many in (100, 200):
        create = f.Created(name="Club", rules="classic", rounds=3, seed=1)
        with closing(EventFile.create(tmp_path / f"{many}.event", create, actor="desk", now=1)) as event:
            for each in before:
                each(event, many)
            lines.append(count_lines(lambda event=event, many=many: work(event, many)))
    assert lines[0] > 200, "work was counted"
    assert lines[1] < 2.2 * lines[0]


def test_a_fold_copies_no_entrants():
    """A fold changes the entrants that it owns; the state from which it began stays as it was."""
    before = TournamentState()
    own = before.own()
    after = apply_to_own(own, RecordedFact(1, 0, "desk", "a", Entered(entrant=1, name="Ann")))
    assert after.entrants is own.entrants
    assert (before.entrants, before.numbers_by_name, [*after.entrants]) == ({}, {}, [1])


def test_names_are_found_after_an_undoing():
    """Two may have had one name for a while that was undone: each is found, and no third gets either name."""
    event = DrivenEvent("Ann", "Ben")
    event.do(c.Rename(entrant=1, name="Zoe", member="7"))
    renamed = len(event.facts)
    event.do(c.Enter(name="Ann", member="8"))
    event.do(c.Rename(entrant=3, name="Cy"))
    event.do(c.Undo(number=renamed))
    assert [find_entrant(event.state, name).number for name in ("Ann", "Ben", "Cy")] == [1, 2, 3]
    for taken in (c.Enter(name="Ann"), c.Enter(name="Cy"), c.Enter(name="Dee", member="8")):
        with pytest.raises(BadInput, match="already"):
            event.do(taken)
    event.do(c.Enter(name="Zoe", member="7"))


def test_an_erased_name_is_free():
    """The number that stands for an erased entrant is no name, and the name may be used again."""
    event = DrivenEvent("Ann", checked_in=False)
    event.do(f.Withdrawn(entrant=1))
    event.do(f.Erased(entrant=1))
    event.do(c.Enter(name="1"), c.Enter(name="Ann"))
    assert find_entrant(event.state, "1").number == 2
    assert find_entrant(event.state, "#1").erased
    assert find_entrant(event.state, "ann").number == 3
