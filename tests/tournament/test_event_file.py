"""The file of an event: nothing acknowledged is lost, nothing altered passes, and what is erased is gone."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections import Counter
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Thread

import pytest
from event_driver import result

from ordws.errors import BadInput, Broken, Missing, StoreDown
from ordws.journal import GENESIS_HASH
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.certificate import verify_draws
from ordws.tournament.facts import TableResult
from ordws.tournament.fold import subjects_of
from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.played_event import event_pairings, problem_of
from ordws.tournament.store import EventFile

WRITER = Path(__file__).with_name("event_writer.py")


def begin(path: Path, players: int = 8) -> EventFile:
    """Make an event whose first round is published, with all results in."""
    event = EventFile.create(path, f.Created(name="Club", rules="classic", rounds=3, seed=1), actor="desk", now=1)
    names = [c.Enter(name=f"Player {number}") for number in range(1, players + 1)]
    event.apply(*names, *[f.CheckedIn(entrant=number) for number in range(1, players + 1)], actor="desk", now=2)
    draft = draft_round(problem_of(event.state))
    event.apply(f.Published(round=1, pairings=event_pairings(draft), bye=draft.bye), actor="desk", now=3)
    results = [f.Resulted(round=1, table=table, result=result()) for table in range(1, players // 2 + 1)]
    event.apply(*results, actor="desk", now=4)
    return event


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return the bytes of an event with a round."""
    path = tmp_path_factory.mktemp("event") / "club.event"
    with closing(begin(path)):
        pass
    return path.read_bytes()


@pytest.fixture
def path(played, tmp_path):
    """Return a copy of that event."""
    path = tmp_path / "club.event"
    path.write_bytes(played)
    return path


def test_what_was_written_is_read_again(path):
    """A file opened again, or copied to a stick, gives the same facts and state."""
    with closing(EventFile.open(path)) as event:
        copy = path.with_name("stick.event")
        copy.write_bytes(path.read_bytes())
        with closing(EventFile.open(copy)) as other:
            assert (other.facts, other.state, other.head) == (event.facts, event.state, event.head)
    assert [each.name for each in path.parent.iterdir() if each.name.startswith("club")] == ["club.event"]
    assert verify_draws(event.facts).faults == ()


def test_a_file_is_its_owners_alone(tmp_path):
    """The file holds names, so that nobody but its owner may read it."""
    with closing(begin(tmp_path / "x.event", 2)) as event:
        assert stat.S_IMODE(event.path.stat().st_mode) == 0o600


def test_an_event_is_never_overwritten(path):
    """A file that is there is not begun anew, and neither a missing folder nor a bad event leaves a file."""
    create = f.Created(name="x", rules="classic", rounds=3, seed=1)
    with pytest.raises(BadInput, match="exists already"):
        EventFile.create(path, create, actor="desk", now=1)
    with pytest.raises(BadInput, match="there is no folder"):
        EventFile.create(path.parent / "no" / "x.event", create, actor="desk", now=1)
    with pytest.raises(BadInput, match="0 rounds"):
        EventFile.create(
            path.with_name("new"), f.Created(name="x", rules="classic", rounds=0, seed=1), actor="d", now=1
        )
    assert not path.with_name("new").exists()


def test_files_that_are_no_events(tmp_path):
    """A missing file, a folder, a text and another database are told apart from events."""
    with pytest.raises(Missing, match="there is no event"):
        EventFile.open(tmp_path / "none.event")
    with pytest.raises(BadInput, match="is a folder"):
        EventFile.open(tmp_path)
    text = tmp_path / "text.event"
    text.write_text("Ann\nBen\n" * 1_000)
    with pytest.raises(Broken, match="damaged, or no event"):
        EventFile.open(text)
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("create table t (x)")
    with pytest.raises(Broken, match="no event of ordws"):
        EventFile.open(tmp_path / "other.db")


def test_a_file_of_a_newer_version_is_left_alone(path):
    """A file in another format than this version knows is not read as if it were known."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma user_version = 2")
    with pytest.raises(Broken, match="newer version"):
        EventFile.open(path)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("update facts set fact = replace(fact, '412', '312') where number = 20", "fact 20 does not follow"),
        ("update facts set actor = 'x' where number = 5", "fact 5 does not follow"),
        ("update facts set at = at + 1 where number = 9", "fact 9 does not follow"),
        ("delete from facts where number = 7", "fact 7 does not follow"),
        ("update personal set fields = replace(fields, 'Player', 'Slayer') where number = 3", "fact 3 was altered"),
        ("delete from personal where number = 4", "text of fact 4 was taken out"),
        ("update facts set kind = 'x', fact = '{\"kind\":\"x\"}' where number = 2", "fact 2 does not follow"),
    ],
)
def test_an_altered_file_is_not_opened(path, statement, message):
    """A fact, a name or a time that was changed, added or taken out is found."""
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement).rowcount == 1
    with pytest.raises(Broken, match=message):
        EventFile.open(path)


def test_a_forged_chain_of_impossible_facts_is_not_opened(path):
    """A file whose hashes are right, but whose facts no command can have added, is refused as an altered one is."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update facts set fact = replace(fact, '\"entrant\":8', '\"entrant\":9') where number = 17")
        head = GENESIS_HASH
        for row in connection.execute(
            "select number, at, actor, command, kind, fact, commitment from facts order by number"
        ).fetchall():
            head = sha256(json.dumps([head, *row], separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()
            connection.execute("update facts set hash = ? where number = ?", (head, row[0]))
    with pytest.raises(Broken, match="facts that do not fit together"):
        EventFile.open(path)


def test_a_repeated_command_is_carried_out_once(path):
    """A command sent again under its id adds nothing and gives the same facts; another under the id is refused."""
    with closing(EventFile.open(path)) as event:
        withdraw = f.Withdrawn(entrant=2, reason="ill")
        first = event.apply(withdraw, actor="desk", now=9, command_id="k")
        count = len(event.facts)
        event.apply(f.Withdrawn(entrant=3), actor="desk", now=10)
        assert event.apply(withdraw, actor="desk", now=11, command_id="k") == first
        assert len(event.facts) == count + 1
        with pytest.raises(BadInput, match='the command id "k" was used for another command'):
            event.apply(f.Withdrawn(entrant=4), actor="desk", now=12, command_id="k")


def test_a_repeated_command_costs_no_more_in_a_long_event(tmp_path):
    """A command sent again under its id reads none of the facts before it: a player may repeat one all day."""
    calls = []
    for players in (4, 40):
        with closing(begin(tmp_path / f"{players}.event", players)) as event:
            withdraw = f.Withdrawn(entrant=2)
            event.apply(withdraw, actor="desk", now=9, command_id="k")
            count = Counter()
            sys.setprofile(lambda frame, kind, _, count=count: count.update([kind]))
            try:
                event.apply(withdraw, actor="desk", now=9, command_id="k")
            finally:
                sys.setprofile(None)
        calls.append(count["call"])
    assert calls[0] == calls[1]


def test_two_files_open_on_one_event_follow_each_other(path):
    """What one process writes another sees, and its own refused command leaves no trace."""
    with closing(EventFile.open(path)) as one, closing(EventFile.open(path)) as other:
        seen = other.state.version
        one.apply(f.Withdrawn(entrant=1), actor="one", now=9)
        with pytest.raises(c.EventConflict, match="Player 1 withdrew, by one"):
            other.apply(f.CheckedIn(entrant=1), actor="two", now=9, expected=seen)
        other.apply(f.Withdrawn(entrant=2), actor="two", now=9)
        assert one.refresh() == other.state
        assert one.facts == other.facts


def test_what_rests_on_an_undoing_is_read_again(path):
    """A file whose later facts make sense only after an undoing is opened as it was left."""
    with closing(EventFile.open(path)) as event, closing(EventFile.open(path)) as other:
        event.apply(f.Voided(round=1, reason="oops"), actor="desk", now=9)
        event.apply(c.Undo(), actor="desk", now=9)
        event.apply(f.Closed(round=1), actor="desk", now=9)
        assert other.refresh() == event.state
    with closing(EventFile.open(path)) as again:
        assert again.state == event.state


def test_what_is_erased_is_gone_from_the_file(path):
    """An erased name, club and reason are in no byte of the file; number and results stay, and the chain verifies."""
    with closing(EventFile.open(path)) as event, closing(EventFile.open(path)) as other:
        event.apply(c.Rename(entrant=3, name="Zyxo Quux", club="Wombat Club"), actor="desk", now=9)
        event.apply(f.Withdrawn(entrant=3, reason="appendicitis"), actor="desk", now=9)
        event.apply(
            f.Constrained(a=3, b=4, constraint="forbid", reason="divorced"),
            f.Corrected(
                round=1,
                table=next(each.table for each in event.state.rounds[0].pairings if 3 in each.entrants),
                result=result("500:480/13"),
                reason="Quux misread",
            ),
            actor="desk",
            now=9,
        )
        other.refresh()
        assert b"Quux" in path.read_bytes()
        event.apply(f.Erased(entrant=3), actor="desk", now=10)
        stored = path.read_bytes()
        for text in (b"Zyxo", b"Quux", b"Player 3", b"Wombat", b"appendicitis", b"divorced", b"misread"):
            assert text not in stored, text
        assert other.refresh().name_of(3) == "#3"
        assert (other.state, other.facts) == (event.state, event.facts)
    with closing(EventFile.open(path)) as again:
        assert again.state.entrants[3].erased
        assert again.state.rounds[0].of_entrant(3) is not None
        assert verify_draws(again.facts).faults == ()


def test_a_damaged_disk_is_no_silent_loss(path):
    """A file that is gone while it is open fails each command, and is never begun anew."""
    with closing(EventFile.open(path)) as event:
        path.unlink()
        with pytest.raises(StoreDown):
            event.apply(f.Withdrawn(entrant=1), actor="desk", now=9)
        assert not path.exists()


def run_writer(path: Path, actor: str, most: int, *tables: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), str(path), actor, str(most), *map(str, tables)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def check_acknowledged(path: Path, printed: list[str]) -> None:
    """Check that each acknowledged fact is there, and that its table had not changed since its director looked."""
    with closing(EventFile.open(path)) as event:
        for line in printed:
            number, command, seen = line.split()
            recorded = event.facts[int(number) - 1]
            assert recorded.command == command
            between = [each.fact for each in event.facts[int(seen) : int(number) - 1]]
            assert not [each for each in between if subjects_of(each) == subjects_of(recorded.fact)]


@pytest.mark.parametrize("after", [1, 3, 8])
def test_a_killed_director_loses_nothing_acknowledged(path, after):
    """Whatever was acknowledged before a kill is in the file, and the next writer goes on (A7, short form)."""
    with run_writer(path, "una", 1_000_000, 1, 2) as writer:
        assert writer.stdout is not None
        printed = [writer.stdout.readline().strip() for _ in range(after)]
        os.kill(writer.pid, signal.SIGKILL)
        # Lines that were written before the kill were acknowledged too; the last may have been cut.
        printed += [line.strip() for line in writer.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    check_acknowledged(path, printed)
    with closing(EventFile.open(path)) as event:
        event.apply(f.Withdrawn(entrant=1), actor="desk", now=9)


def test_two_directors_lose_no_update(path):
    """Two processes that correct the same tables hear of conflicts, and every acknowledged correction is there."""
    with run_writer(path, "una", 40, 1, 2) as una, run_writer(path, "dan", 40, 2, 1) as dan:
        printed = [writer.communicate(timeout=600)[0].splitlines() for writer in (una, dan)]
    known = [[line for line in lines if line != "conflict"] for lines in printed]
    assert [len(lines) for lines in known] == [40, 40]
    check_acknowledged(path, known[0] + known[1])


def is_locked(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("select count(*) from facts").fetchone()
    except sqlite3.OperationalError:
        return True
    return False


def test_a_writer_waits_for_a_reader(path):
    """A command is carried out although another process was reading when it came to its commit."""
    added = []
    with (
        closing(EventFile.open(path)) as event,
        closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as reader,
    ):
        reader.execute("begin")
        assert reader.execute("select count(*) from facts").fetchone() > (20,)
        writer = Thread(target=lambda: added.extend(event.apply(f.Withdrawn(entrant=1), actor="desk", now=9)))
        writer.start()
        with closing(sqlite3.connect(path, timeout=0)) as other:
            # Nobody else gets in to read once the writer waits with its commit.
            while not is_locked(other):
                assert writer.is_alive()
        reader.execute("commit")
        writer.join()
    assert len(added) == 1


def test_a_forfeit_is_kept(path):
    """A result without scores is read as it was written."""
    with closing(EventFile.open(path)) as event:
        event.apply(
            f.Corrected(round=1, table=1, result=TableResult(forfeit="both"), reason="nobody came"),
            actor="d",
            now=1,
        )
    with closing(EventFile.open(path)) as again:
        game = again.state.rounds[0].pairings[0].games[0]
        assert game is not None
        assert game.result == TableResult(forfeit="both")
