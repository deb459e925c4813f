"""Whose line it is, and whether the totals add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ordws.records.finding import Finding, Kind
from ordws.records.record import Event, Player

MOST_PLAYERS: Final = 4


@dataclass(slots=True)
class Seat:
    """A player, the total that we computed, and the totals that the record may go on from, the written one first."""

    nick: str
    total: int = 0
    running: tuple[int, ...] = (0,)


class Tally:
    """The players of a record and what they have."""

    def __init__(self, players: list[Player], findings: list[Finding]) -> None:
        self.findings = findings
        self.seats: list[Seat] = []
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
            self._tell(player.line, Kind.PLAYER, nick, f"player {player.number} is declared twice")
            return
        if player is not first:
            self._tell(player.line, Kind.PLAYER, nick, f"player {player.number} is declared twice, as two players")
        elif taken:
            self._tell(player.line, Kind.SAME_NICK, nick, f'two players have the nick "{nick}"')
        seat = self._seat(nick)
        for name in (nick, player.name, f"{nick} {player.name}", str(player.number)):
            self._by_name.setdefault(name.casefold(), seat)

    def _seat(self, nick: str) -> int:
        self.seats.append(Seat(nick))
        self.count = max(self.count, len(self.seats))
        self._by_nick.setdefault(nick, []).append(len(self.seats) - 1)
        return len(self.seats) - 1

    def _tell(self, line: int, kind: Kind, nick: str, message: str) -> None:
        self.findings.append(Finding(line, kind, nick, None, message))

    def totals(self) -> dict[str, int]:
        """What we computed, by nick; where two have one, the later seats carry their number behind a `#`."""
        named = {}
        for number, seat in enumerate(self.seats, start=1):
            named[seat.nick if seat.nick not in named else f"{seat.nick}#{number}"] = seat.total
        return named

    def find_seat(self, event: Event, likely: int) -> int:
        """Whose line it is: by nick, and where that is not enough by the totals, or else who is likely."""
        seats = self._by_nick.get(event.nick)
        if seats is None:
            seats = self._find_stranger(event, likely)
            self._by_nick[event.nick] = seats
        return seats[0] if len(seats) == 1 else self._pick(seats, event, likely)

    def _find_stranger(self, event: Event, likely: int) -> list[int]:
        nick = event.nick
        self._tell(event.line, Kind.PLAYER, nick, f'no player with the nick "{nick}" is declared')
        if (alike := self._by_name.get(nick.casefold())) is not None:
            return [alike]
        if len(self.seats) < 2:
            return [self._seat(nick)]
        return [self._pick(list(range(len(self.seats))), event, likely)]

    def _pick(self, seats: list[int], event: Event, likely: int) -> int:
        fitting = seats
        if event.points is not None and event.total is not None:
            before = event.total - event.points
            fitting = [seat for seat in seats if before in self.seats[seat].running] or seats
        return likely if likely in fitting else fitting[0]

    def settle(
        self,
        seat: int,
        event: Event,
        computed: int | None,
        kind: Kind = Kind.SCORE,
        because: str = "",
        *,
        also: int | None = None,
    ) -> None:
        """Book an event's points and hold its total against the one before; None: as written.

        `also` are other points that agree with the lines before. After a discrepancy the record may go on from either
        total, so that one slip is found once.
        """
        player, written = self.seats[seat], event.points
        if written is None:
            self.findings.append(Finding(event.line, Kind.LINE, None, computed, "the points are missing"))
            written = computed or 0
        elif computed is not None and written not in (computed, also):
            message = because or f"{written} points are written, {computed} are computed"
            self.findings.append(Finding(event.line, kind, written, computed, message))
        player.total += written if computed is None else computed
        if computed not in (None, written):
            self._check_total(player, event, [written, computed])
        elif event.total == player.running[0] + written:
            player.running = (event.total,)
        else:
            self._check_total(player, event, [written])

    def _check_total(self, player: Seat, event: Event, points: list[int]) -> None:
        """The total follows from a total that may be gone on from, and the points as written or as computed."""
        total, before = event.total, player.running[0]
        due = [start + each for start in player.running for each in points]
        if total is None:
            if event.points is not None:
                self.findings.append(Finding(event.line, Kind.LINE, None, due[0], "the total is missing"))
            player.running = _few(due)
        elif total in due:
            follows_error = len(points) > 1 and total == due[0]
            player.running = _few([total, *due]) if follows_error else (total,)
        else:
            self.findings.append(
                Finding(
                    event.line,
                    Kind.TOTAL,
                    total,
                    due[0],
                    f"the total of {player.nick} is written as {total}, but {before} and {points[0]} make {due[0]}",
                )
            )
            player.running = _few([total, *due])


def _few(totals: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(totals))[:4]
