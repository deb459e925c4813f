"""The file of an event: its facts as a journal, with the fields that may be erased as their personal texts."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec

from ordws.errors import BadInput, Missing
from ordws.journal import Journal, NewFact, StoredFact
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide import decide, decide_all
from ordws.tournament.fold import apply_facts, fold
from ordws.tournament.personal_data import facts_concerning, join_fact, split_fact
from ordws.tournament.state import TournamentState

LONGEST_COMMAND_ID: Final = 64
"""The characters of a command's id, which browsers make up and which the file keeps for good."""


class EventFile(Journal):
    """An event in a file, which several processes and threads may write."""

    APPLICATION_ID = 0x4F525445  # "ORTE"
    SUBJECT = "event"
    state: TournamentState
    _facts: list[f.RecordedFact]
    _command_ids: set[str]
    _digests: dict[str, bytes]
    """What this process carried out under each id, as a keyed digest, for a name may be erased meanwhile."""
    _digest_key = secrets.token_bytes(32)

    @classmethod
    def create(cls, path: Path, command: f.Created, *, actor: str, now: int) -> EventFile:
        """Begin an event in a new file; raise BadInput where there is one already, or where the event cannot be."""
        file = cls(path)
        if file.is_begun:
            raise BadInput(f'"{path}" exists already', hint="name another file")
        if not path.parent.is_dir():
            raise BadInput(f'there is no folder "{path.parent}" for "{path.name}"')
        decide(file.state, command)
        with file.writing(new=True) as added:
            facts = decide_all((command,), [], file.state, actor, now, new_command_id())
            added += [_write_fact(each) for each in facts]
        return file

    @classmethod
    def open(cls, path: Path) -> EventFile:
        """Open an event and verify its chain; raise Missing without the file, Broken for a damaged or foreign one."""
        if not path.exists():
            raise Missing(f'there is no event "{path}"', hint=f"ordws tournament new {path} --rounds N")
        if path.is_dir():
            raise BadInput(f'"{path}" is a folder, not an event')
        file = cls(path)
        file.refresh()
        return file

    @property
    def facts(self) -> Sequence[f.RecordedFact]:
        """All facts known so far."""
        return self._facts

    @property
    def played_digest(self) -> str:
        """The hash of the fact that finished the event, which no later fact changes; until then that of the last.

        Prizes that are held or let go change neither: everybody sees it, and would know that there is a case.
        """
        is_finished = self.state.is_finished
        numbers = [
            each.number
            for each in self._facts
            if isinstance(each.fact, f.Finished) or not (is_finished or isinstance(each.fact, f.Frozen | f.Unfrozen))
        ]
        return self.hashes[max(numbers) - 1]

    def find_link(self, digest: str) -> int | None:
        """Return the number of the fact with this hash; None where no fact has it."""
        with self.reading() as connection:
            found = connection.execute("select number from facts where hash = ?", (digest,)).fetchone()
        return found[0] if found else None

    def refresh(self) -> TournamentState:
        """Take over what other processes have appended, and return the state."""
        with self.reading():
            return self.state

    def apply(
        self, *commands: c.Command, actor: str, now: int, command_id: str | None = None, expected: int | None = None
    ) -> list[f.RecordedFact]:
        """Carry out commands, all or none, and return the facts that they added, once these are on the disk.

        `now` is in Unix seconds, and `expected` the last fact that the sender knew (`decide_all`). Commands that are
        repeated under their id add nothing and give the same facts. Raises BadInput where a command is refused,
        EventConflict where somebody else was faster, StoreDown where the file cannot be written.
        """
        command_id = command_id or new_command_id()
        if len(command_id) > LONGEST_COMMAND_ID:
            raise BadInput(
                f"the id of a command has {len(command_id)} characters, and {LONGEST_COMMAND_ID} are the most"
            )
        with self.writing() as added:
            digest = self._digest(commands)
            if command_id in self._command_ids:
                repeated = [each for each in self._facts if each.command == command_id]
                # A player may repeat a command as often as they like: without the fold it costs next to nothing.
                if self._digests.get(command_id) == digest:
                    return repeated
                before = self._facts[: repeated[0].number - 1]
                again = decide_all(commands, before, fold(before), actor, now, command_id, expected)
                if [each.fact for each in again] != [each.fact for each in repeated]:
                    raise BadInput(f'the command id "{command_id}" was used for another command')
                self._digests[command_id] = digest
                return repeated
            known = len(self._facts)
            decided = decide_all(commands, self._facts, self.state, actor, now, command_id, expected)
            added += [_write_fact(each) for each in decided]
        self._digests[command_id] = digest
        return self._facts[known:]

    def take_in(self, facts: list[StoredFact]) -> None:
        """Read facts, and fold them into the state."""
        appended = [_read_fact(each) for each in facts]
        known = [*self._facts, *appended]
        # An undoing changes what earlier facts have made, and what later ones rest on.
        has_undone = any(isinstance(each.fact, f.Undone) for each in appended)
        self.state = fold(known) if has_undone else apply_facts(self.state, appended)
        self._facts = known
        self._command_ids.update([each.command for each in appended])

    def erased_by(self, number: int) -> list[int]:
        """Return the facts on the entrant whom the fact of this number has erased."""
        erased = self._facts[number - 1].fact
        assert isinstance(erased, f.Erased)
        return [each.number for each in facts_concerning(self._facts, erased.entrant) if each.number < number]

    def forget(self) -> None:
        """Begin anew."""
        super().forget()
        self._facts, self._command_ids, self._digests = [], set(), {}
        self.state = TournamentState()

    def _digest(self, commands: Sequence[c.Command]) -> bytes:
        return blake2b(repr(commands).encode(), key=self._digest_key).digest()


def new_command_id() -> str:
    """Return a random id for a command that nobody repeats."""
    return secrets.token_hex(16)


def _read_fact(stored: StoredFact) -> f.RecordedFact:
    personal = msgspec.json.decode(stored.personal or "{}", type=dict[str, Any])
    fact = join_fact(msgspec.json.decode(stored.text, type=dict[str, Any]), personal)
    return f.RecordedFact(stored.number, stored.at, stored.actor, stored.command, fact)


def _write_fact(recorded: f.RecordedFact) -> NewFact:
    public, personal = (msgspec.json.encode(part).decode() if part else "" for part in split_fact(recorded.fact))
    return recorded.at, recorded.actor, recorded.command, f.kind_of_fact(recorded.fact), public, personal
