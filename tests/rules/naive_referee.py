"""A second implementation of the order of turns and the end of a game, by counting; it imports nothing of `ordws`.

It reads the events and the option values. The caller provides what no rule about turns can know: how many tiles are in
the bag and on the racks, the scores, the words of a play, and which plays still lie on the board after one was caught.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class TurnRecord:
    """A turn: its player, the tiles in the bag, whether its tiles lie on the board, and whether it was a plain pass."""

    player: int
    bag: int
    added: bool = False
    passed: bool = False


@dataclass
class Referee:
    """A referee who follows a game event by event and says who is to move or why the game is over."""

    rules: object
    players: int
    turns: list[TurnRecord] = field(default_factory=list)
    out: dict[int, tuple[str, int]] = field(default_factory=dict)
    """The players who have left, each with the reason and the number of turns by then."""

    skips: list[int] = field(default_factory=list)
    mover: int = 0
    words: frozenset[str] = frozenset()
    """The words of the last play."""

    checked: set[str] = field(default_factory=set)
    milliseconds: dict[int, int] = field(default_factory=dict)
    doubt: str = ""
    """The event for which the last turn waits: "challenge", "check" or "replay"; empty if for none."""

    def see(self, event: object, bag: int) -> None:
        """Follow an event that the rules allow; `bag` is the number of tiles in the bag before it."""
        kind, player = type(event).__name__, getattr(event, "player", None)
        if kind in ("Played", "Passed", "Exchanged", "Swapped", "Drew", "Overdrew", "Stood") and self.doubt != "replay":
            self._close()
        match kind:
            case "Played" | "Passed" | "Exchanged":
                self._take(event, kind, bag)
            case "Challenged":
                self._challenge(player, event.upheld)
            case "Checked":
                self._check(event)
            case "TimeUp" if self.rules.clock.value == "turn":
                if self.doubt != "check":
                    self.turns.append(TurnRecord(player, bag))
                self._close()
            case "TimeUp" | "Resigned":
                self._leave(player, "time-up" if kind == "TimeUp" else "lost", bag)
            case "Clocked":
                self._clock(player, event.milliseconds, bag)

    def _take(self, event: object, kind: str, bag: int) -> None:
        self.turns.append(TurnRecord(event.player, bag, passed=kind == "Passed"))
        self.doubt = ""
        rule = self.rules.challenge.value
        if kind == "Played" and (event.accepted or rule not in ("none", "void")):
            self.turns[-1].added = True
            self.doubt = "" if rule in ("none", "void") else "challenge"
        elif kind == "Played":
            self.doubt = "" if self.rules.check_ospd.value == "none" else "check"
            self.checked = set()
        if not self.doubt:
            self._close()

    def _challenge(self, challenger: int, upheld: bool) -> None:
        turn, rule = self.turns[-1], self.rules.challenge.value
        if rule == "triple":
            self.out[turn.player if upheld else challenger] = ("lost", len(self.turns))
        if rule == "double" and not upheld:
            self.skips.append(challenger)
        if upheld:
            turn.added = False
            if self.rules.check_ospd.value != "none" and turn.player not in self.out:
                self.doubt, self.checked = "check", set()
                return
        self._close()

    def _check(self, event: object) -> None:
        self.checked.add(event.word)
        if not event.found:
            self._close()
        elif self.rules.check_ospd.value == "official" or self.checked >= self.words:
            self.mover = self.turns.pop().player
            self.doubt = "replay"

    def _clock(self, player: int, milliseconds: int, bag: int) -> None:
        limit = self.rules.clock_seconds
        self.milliseconds[player] = self.milliseconds.get(player, 0) + milliseconds
        used = self.milliseconds[player] // 1_000
        if not limit or player in self.out:
            return
        if self.rules.clock.value == "total" and used >= limit:
            self._leave(player, "time-up", bag)
        if self.rules.clock.value == "overtime" and used > limit + 60 * self.rules.overtime_minutes:
            self._leave(player, "lost", bag)

    def _leave(self, player: int, how: str, bag: int) -> None:
        if self.doubt == "replay" and player == self.mover:
            self.turns.append(TurnRecord(player, bag))
            self.doubt = ""
        self.out[player] = (how, len(self.turns) - (self.doubt in ("challenge", "check")))
        if self.doubt == "check" and self.turns[-1].player == player:
            self._close()

    def _close(self) -> None:
        """End the last turn; the next seat moves."""
        self.doubt = ""
        if self.turns:
            self.mover = self.turns[-1].player + 1

    def verdict(self, bag: int, racks: list[int], scores: tuple[int, ...], is_empty: bool) -> str:
        """Return "N to move" or "over: WHY" for a game in which nobody has to draw and no play is in question."""
        while True:
            if why := self._ending(bag, racks, scores, is_empty):
                return f"over: {why}"
            seats = [at % self.players for at in range(self.mover, self.mover + self.players)]
            player = next(seat for seat in seats if seat not in self.out)
            if self.doubt == "replay" or player not in self.skips:
                return f"{player + 1} to move"
            self.skips.remove(player)
            self.turns.append(TurnRecord(player, bag))
            self._close()

    def _ending(self, bag: int, racks: list[int], scores: tuple[int, ...], is_empty: bool) -> str:
        lost = {player for player, (how, _) in self.out.items() if how == "lost"}
        still = [player for player in range(self.players) if player not in self.out]
        last = self.turns[-1] if self.turns else None
        if self.players - len(lost) <= 1:
            return "forfeit"
        if last and last.added and not bag and not racks[last.player] and last.player not in lost:
            return "out"
        if len(still) < 2:
            return self._alone(still, lost, bag, scores)
        rules, idle = self.rules, self._idle(self.turns)
        no_limit = not rules.clock_seconds or rules.clock.value in ("none", "turn")
        if (no_limit or rules.end.value == "scoreless") and len(idle) >= rules.scoreless_turns and not is_empty:
            return "scoreless"
        if rules.end.value == "scoreless":
            return ""
        is_cycle = rules.end.value == "cycle"
        low, enough = (0, len(still)) if is_cycle else (rules.exchange_min - 1, len(still) + 1)
        latest = idle[:enough]
        return "idle" if len(latest) == enough and max([bag, *latest]) <= low else ""

    def _alone(self, still: list[int], lost: set[int], bag: int, scores: tuple[int, ...]) -> str:
        others = [score for player, score in enumerate(scores) if player not in lost and player not in still]
        if not still or scores[still[0]] > max(others):
            return "time"
        since = max(turns for _, turns in self.out.values())
        own = [turn for turn in self.turns[since:] if turn.player == still[0]]
        idle = self._idle(own)[:2]
        is_fruitless = len(idle) == 2 and max([bag, *idle]) < self.rules.exchange_min
        return "time" if is_fruitless or (own and own[-1].passed) else ""

    def _idle(self, turns: list[TurnRecord]) -> list[int]:
        """Return the number of tiles in the bag at each idle turn at the end, the last turn first."""
        sizes = []
        for turn in reversed(turns):
            if turn.added:
                break
            sizes.append(turn.bag)
        return sizes
