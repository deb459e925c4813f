"""The final board of a finished game, from its record: its words, and the plays that lie on it.

Other than an audit it is strict: a record that stops early, or whose tiles do not lie as the rules ask, has none.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ordws.records.audit import replay_record
from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.header import read_header
from ordws.records.record import Record, TilePlacement
from ordws.records.tile_distributions import english_distribution
from ordws.rules.board import Board
from ordws.rules.ruleset import RuleSet
from ordws.rules.statistics import words_on

_DOUBTS: Final = frozenset(
    (
        FindingKind.UNFINISHED,
        FindingKind.PLACEMENT,
        FindingKind.WITHDRAWAL,
        FindingKind.LINE,
        FindingKind.MISPLACED,
        FindingKind.RULES,
        FindingKind.SAME_NICK,
    )
)
"""The findings with which it is not certain that the game was played to its end, or what lies on its board."""


class BoardPlay(NamedTuple):
    """A play whose tiles lie on the final board."""

    move: str
    """As the record writes it: `8D ..AiN`."""
    player: int
    """The seat."""
    score: int
    words: tuple[str, ...]
    """The words it formed, in capitals, the main word first."""


class FinalBoard(NamedTuple):
    """The board of a finished game, with its rules, its players and the plays that lie on it, in their order."""

    rules: RuleSet
    players: tuple[str, ...]
    board: Board
    plays: tuple[BoardPlay, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words on the board, each once."""
        return tuple(dict.fromkeys(words_on(self.board)))


def read_final_board(record: Record) -> FinalBoard | AuditFinding:
    """Return the final board of a record, or the first finding that says why it has none."""
    header = read_header(record, None)
    replay = replay_record(record, header, header.rules, english_distribution(header.rules))
    findings = sorted([*header.findings, *replay.findings], key=lambda finding: finding.line)
    if (doubt := next((finding for finding in findings if finding.kind in _DOUBTS), None)) is not None:
        return doubt
    plays = []
    for placed in replay.plays:
        assert placed.ruling is not None
        assert isinstance(placed.event.move, TilePlacement)
        move, words = placed.event.move, tuple(placed.ruling.words)
        plays.append(BoardPlay(f"{move.start} {move.word}", placed.seat, placed.points, words))
    if not plays:
        return AuditFinding(1, FindingKind.UNFINISHED, None, None, "no play lies on the board")
    names = {player.nick: player.name or player.nick for player in record.players}
    players = tuple([names.get(seat.nick, seat.nick) for seat in replay.score_sheet.seats])
    return FinalBoard(replay.rules, players, replay.board, tuple(plays))
