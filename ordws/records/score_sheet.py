"""The players of a record, and whether their totals add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.record import ChallengeBonus, GcgEvent, Player, TimePenalty, UnplayedTilesScore

MOST_PLAYERS: Final = 4
_MAX_POSSIBLE_TOTALS: Final = 4


@dataclass(slots=True)
class PlayerTotal:
    """A player, the total that was computed, and the totals from which the next line may go on.

    After a discrepancy a record may go on from the written or from the computed total; the written one comes first.
    """

    nick: str
    total: int = 0
    turns: int = 0
    turn_points: int = 0
    """The part of the total that turns earned (docs/rules.md A-44)."""
    possible_totals: tuple[int, ...] = (0,)


class ScoreSheet:
    """The players of a record and their totals."""

    def __init__(self, players: list[Player], findings: list[AuditFinding]) -> None:
        self.findings = findings
        self.seats: list[PlayerTotal] = []
        self.count = 2
        """The number of seats, but at least two: a record need not declare its players."""

        self._by_nick: dict[str, list[int]] = {}
        # Seats by other ways to write their players, in lower case, for nicks that are not declared: by number or name.
        self._by_name: dict[str, int] = {}
        first_by_number: dict[int, Player] = {}
        for player in players:
            first = first_by_number.setdefault(player.number, player)
            nick, number, is_taken = player.nick, player.number, player.nick in self._by_nick
            if len(self.seats) == MOST_PLAYERS or (player is not first and is_taken):
                self._report(player.line, FindingKind.PLAYER, nick, f"player {number} is declared twice")
                continue
            if player is not first:
                message = f"player {number} is declared twice, as two players"
                self._report(player.line, FindingKind.PLAYER, nick, message)
            elif is_taken:
                self._report(player.line, FindingKind.SAME_NICK, nick, f'two players have the nick "{nick}"')
            seat = self._add_seat(nick)
            for name in (nick, player.name, f"{nick} {player.name}", str(number)):
                self._by_name.setdefault(name.casefold(), seat)

    def _add_seat(self, nick: str) -> int:
        self.seats.append(PlayerTotal(nick))
        self.count = max(self.count, len(self.seats))
        self._by_nick.setdefault(nick, []).append(len(self.seats) - 1)
        return len(self.seats) - 1

    def _report(self, line: int, kind: FindingKind, nick: str, message: str) -> None:
        self.findings.append(AuditFinding(line, kind, nick, None, message))

    def by_nick(self) -> dict[str, PlayerTotal]:
        """Return the players by nick; if two players share one, the later has its number behind a `#`."""
        named: dict[str, PlayerTotal] = {}
        for number, seat in enumerate(self.seats, start=1):
            named[seat.nick if seat.nick not in named else f"{seat.nick}#{number}"] = seat
        return named

    def find_seat(self, event: GcgEvent, expected: int) -> int:
        """Return the seat of the player who a line belongs to; of several candidates the totals or `expected` decide.

        A nick that is not declared is reported, and then belongs to the player whom it most likely means.
        """
        nick = event.nick
        if nick not in self._by_nick:
            self._report(event.line, FindingKind.PLAYER, nick, f'no player with the nick "{nick}" is declared')
            if (alike := self._by_name.get(nick.casefold())) is not None:
                self._by_nick[nick] = [alike]
            elif len(self.seats) < 2:
                self._add_seat(nick)
            else:
                self._by_nick[nick] = [self._pick_seat(list(range(len(self.seats))), event, expected)]
        seats = self._by_nick[nick]
        return seats[0] if len(seats) == 1 else self._pick_seat(seats, event, expected)

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
        """Add an event's points to a player's total, and check its written points and total against the computed ones.

        If `computed` is None, the points are taken as they are written. `also_accepted` are other points that agree
        with the lines before. A slip is reported once, since the record may go on from the written or the computed
        total.
        """
        player, written = self.seats[seat], event.points
        if written is None:
            self.findings.append(AuditFinding(event.line, FindingKind.LINE, None, computed, "the points are missing"))
            written = computed or 0
        elif computed is not None and written not in (computed, also_accepted):
            message = explanation or f"{written} points are written, {computed} are computed"
            self.findings.append(AuditFinding(event.line, kind, written, computed, message))
        counted = written if computed is None else computed
        player.total += counted
        # A time penalty is overtime, unless it pays for a check of the OSPD.
        is_penalty = isinstance(event.move, TimePenalty) and kind is not FindingKind.DEDUCTION
        if not (is_penalty or isinstance(event.move, ChallengeBonus | UnplayedTilesScore)):
            player.turn_points += counted
        if computed not in (None, written):
            self._check_total(player, event, [written, computed])
        elif event.total == player.possible_totals[0] + written:  # nearly every line, so that it is tested first
            player.possible_totals = (event.total,)
        else:
            self._check_total(player, event, [written])

    def _check_total(self, player: PlayerTotal, event: GcgEvent, points: list[int]) -> None:
        """Report a total that follows from none of the possible totals and none of these points."""
        total, before = event.total, player.possible_totals[0]
        due = [start + each for start in player.possible_totals for each in points]
        if total is None:
            if event.points is not None:
                self.findings.append(AuditFinding(event.line, FindingKind.LINE, None, due[0], "the total is missing"))
            player.possible_totals = _first_distinct(due)
        elif total in due:
            # A total that follows from wrong points may be gone on from, or be corrected in the next line.
            follows_error = len(points) > 1 and total == due[0]
            player.possible_totals = _first_distinct([total, *due]) if follows_error else (total,)
        else:
            message = f"the total of {player.nick} is written as {total}, but {before} and {points[0]} make {due[0]}"
            self.findings.append(AuditFinding(event.line, FindingKind.TOTAL, total, due[0], message))
            player.possible_totals = _first_distinct([total, *due])


def _first_distinct(totals: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(totals))[:_MAX_POSSIBLE_TOTALS]
