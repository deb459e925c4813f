"""Whose line it is, and whether the totals add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.record import GcgEvent, Player

MOST_PLAYERS: Final = 4


@dataclass(slots=True)
class PlayerTotal:
    """A player, the total that we computed, and the totals that the record may go on from, the written one first."""

    nick: str
    total: int = 0
    possible_totals: tuple[int, ...] = (0,)


class ScoreSheet:
    """The players of a record and what they have."""

    def __init__(self, players: list[Player], findings: list[AuditFinding]) -> None:
        self.findings = findings
        self.seats: list[PlayerTotal] = []
        self.count = 2
        """Of the seats, but two at least: a record may name nobody."""

        self._by_nick: dict[str, list[int]] = {}
        self._by_name: dict[str, int] = {}
        """Other ways to write who sits where: in small letters, by number, by the whole name."""

        first: dict[int, Player] = {}
        for player in players:
            self._declare(player, first.setdefault(player.number, player))

    def _declare(self, player: Player, first: Player) -> None:
        nick, taken = player.nick, player.nick in self._by_nick
        if len(self.seats) == MOST_PLAYERS or (player is not first and taken):
            self._report(player.line, FindingKind.PLAYER, nick, f"player {player.number} is declared twice")
            return
        if player is not first:
            self._report(
                player.line, FindingKind.PLAYER, nick, f"player {player.number} is declared twice, as two players"
            )
        elif taken:
            self._report(player.line, FindingKind.SAME_NICK, nick, f'two players have the nick "{nick}"')
        seat = self._add_seat(nick)
        for name in (nick, player.name, f"{nick} {player.name}", str(player.number)):
            self._by_name.setdefault(name.casefold(), seat)

    def _add_seat(self, nick: str) -> int:
        self.seats.append(PlayerTotal(nick))
        self.count = max(self.count, len(self.seats))
        self._by_nick.setdefault(nick, []).append(len(self.seats) - 1)
        return len(self.seats) - 1

    def _report(self, line: int, kind: FindingKind, nick: str, message: str) -> None:
        self.findings.append(AuditFinding(line, kind, nick, None, message))

    def totals(self) -> dict[str, int]:
        """What we computed, by nick; where two have one, the later seats carry their number behind a `#`."""
        named = {}
        for number, seat in enumerate(self.seats, start=1):
            named[seat.nick if seat.nick not in named else f"{seat.nick}#{number}"] = seat.total
        return named

    def find_seat(self, event: GcgEvent, expected: int) -> int:
        """Whose line it is: by nick, and where that is not enough by the totals, or else who is likely."""
        seats = self._by_nick.get(event.nick)
        if seats is None:
            seats = self._find_undeclared(event, expected)
            self._by_nick[event.nick] = seats
        return seats[0] if len(seats) == 1 else self._pick_seat(seats, event, expected)

    def _find_undeclared(self, event: GcgEvent, expected: int) -> list[int]:
        nick = event.nick
        self._report(event.line, FindingKind.PLAYER, nick, f'no player with the nick "{nick}" is declared')
        if (alike := self._by_name.get(nick.casefold())) is not None:
            return [alike]
        if len(self.seats) < 2:
            return [self._add_seat(nick)]
        return [self._pick_seat(list(range(len(self.seats))), event, expected)]

    def _pick_seat(self, seats: list[int], event: GcgEvent, expected: int) -> int:
        fitting = seats
        if event.points is not None and event.total is not None:
            before = event.total - event.points
            fitting = [seat for seat in seats if before in self.seats[seat].possible_totals] or seats
        return expected if expected in fitting else fitting[0]

    def record_points(
        self,
        seat: int,
        event: GcgEvent,
        computed: int | None,
        kind: FindingKind = FindingKind.SCORE,
        explanation: str = "",
        *,
        also_accepted: int | None = None,
    ) -> None:
        """Book an event's points and hold its total against the one before; None: as written.

        `also` are other points that agree with the lines before. After a discrepancy the record may go on from either
        total, so that one slip is found once.
        """
        player, written = self.seats[seat], event.points
        if written is None:
            self.findings.append(AuditFinding(event.line, FindingKind.LINE, None, computed, "the points are missing"))
            written = computed or 0
        elif computed is not None and written not in (computed, also_accepted):
            message = explanation or f"{written} points are written, {computed} are computed"
            self.findings.append(AuditFinding(event.line, kind, written, computed, message))
        player.total += written if computed is None else computed
        if computed not in (None, written):
            self._check_total(player, event, [written, computed])
        elif event.total == player.possible_totals[0] + written:
            player.possible_totals = (event.total,)
        else:
            self._check_total(player, event, [written])

    def _check_total(self, player: PlayerTotal, event: GcgEvent, points: list[int]) -> None:
        """The total follows from a total that may be gone on from, and the points as written or as computed."""
        total, before = event.total, player.possible_totals[0]
        due = [start + each for start in player.possible_totals for each in points]
        if total is None:
            if event.points is not None:
                self.findings.append(AuditFinding(event.line, FindingKind.LINE, None, due[0], "the total is missing"))
            player.possible_totals = _first_distinct(due)
        elif total in due:
            follows_error = len(points) > 1 and total == due[0]
            player.possible_totals = _first_distinct([total, *due]) if follows_error else (total,)
        else:
            self.findings.append(
                AuditFinding(
                    event.line,
                    FindingKind.TOTAL,
                    total,
                    due[0],
                    f"the total of {player.nick} is written as {total}, but {before} and {points[0]} make {due[0]}",
                )
            )
            player.possible_totals = _first_distinct([total, *due])


def _first_distinct(totals: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(totals))[:4]
