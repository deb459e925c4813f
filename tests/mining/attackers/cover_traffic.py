"""Cover traffic: what a miner does to raise no alarm."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from ordws.guard.charge import CORE, FIELDS, GAMES, UNITS
from ordws.guard.gate import alphabetical_position, caller_excess, is_alphabetical_neighbour, operator_excess
from ordws.guard.policy import Policy
from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.scheduler import CoverTraffic
from tests.mining.attackers.steps import BenchCaller, BenchRequest, Words, judge_request
from tests.mining.mined_lexicon import MinedLexicon

_SEPARATORS: Final = 3
"""Core words far from each other: one of them is near neither of any two words."""


class StealthCover(CoverTraffic):
    """Cover traffic that computes both detectors, which are public, and raises neither.

    Between two words that are neighbours in the alphabet a core word is asked, which costs nothing after the first
    time, so that `run` never rises. A caller asks no more in a day than `pace` allows for the games that it has opened.
    """

    def __init__(self, lexicon: MinedLexicon) -> None:
        core = sorted(lexicon.core)
        self._core_set = lexicon.core
        self._separators = [core[at * len(core) // _SEPARATORS] for at in range(_SEPARATORS)]
        self._last: dict[BenchCaller, str] = {}
        self._day = 0
        self._asked: defaultdict[object, set[str]] = defaultdict(set)
        """The words that a caller, or any caller of a client, has asked today."""
        self._counts: defaultdict[object, list[int]] = defaultdict(lambda: [0] * FIELDS)
        """The day of a caller, and of an operator by its key, as the guard records it."""
        self._games: defaultdict[BenchCaller, set[str]] = defaultdict(set)

    def may_ask(self, caller: BenchCaller, question: Words, game: str | None, policy: Policy, day: int) -> bool:
        self.start_day(day)
        core = sum([word in self._core_set for word in question])
        more = {
            UNITS: len(question) - core,
            CORE: core + _SEPARATORS,
            GAMES: game is not None and game not in self._games[caller],
        }
        own, whole = (
            [count + more.get(field, 0) for field, count in enumerate(self._counts[owner])]
            for owner in (caller, caller.key)
        )
        if caller.is_of_operator and operator_excess(whole, policy.operator_units_a_day):
            return False
        return not caller_excess(own, is_player=caller.is_of_operator)

    def cover_requests(
        self, caller: BenchCaller, question: Words, game: str | None, knowledge: Knowledge
    ) -> Iterator[BenchRequest]:
        last = self._last.get(caller)
        if last is not None and _are_neighbours(last, question[0]):
            yield judge_request(caller, [self._separator(last, question[0])], None)

    def record_verdict(self, caller: BenchCaller, words: Sequence[str], game: str | None, verdict: bool) -> None:
        self._last[caller] = words[-1]
        names = {name for name in self.mark_names(words) if len(name) > 2}
        own, whole = self._counts[caller], self._counts[caller.key]
        for name in names - self._asked[caller]:
            is_core = name in self._core_set
            own[CORE if is_core else UNITS] += 1
            # A core word counts once for all players of an operator.
            whole[CORE if is_core else UNITS] += not is_core or name not in self._asked[caller.key]
        for owner in (caller, caller.key):
            self._asked[owner] |= names
        if game is not None:
            self.record_game(caller, game)

    def mark_names(self, words: Sequence[str]) -> Sequence[str]:
        """Return names of what is charged once for a question of these words."""
        return words

    def start_day(self, day: int) -> None:
        """Begin to count anew what `pace` compares, if it is another day."""
        if day != self._day:
            self._day = day
            self._asked.clear()
            self._counts.clear()
            self._games.clear()

    def record_game(self, caller: BenchCaller, game: str) -> None:
        """Record that a caller has opened a game, which `pace` allows for."""
        if game not in self._games[caller]:
            self._games[caller].add(game)
            for owner in (caller, caller.key):
                self._counts[owner][GAMES] += 1

    def _separator(self, one: str, other: str) -> str:
        return next(
            word for word in self._separators if not _are_neighbours(one, word) and not _are_neighbours(word, other)
        )


class DoverCover(StealthCover):
    """The same beside questions under Dover of a word and its bases, which are other questions than regular ones."""

    def __init__(self, lexicon: MinedLexicon) -> None:
        super().__init__(lexicon)
        self._forms = lexicon.dover_bases

    def mark_names(self, words: Sequence[str]) -> Sequence[str]:
        is_regular = len(words) == 1 and words[0] in self._forms
        return words if is_regular else [f"{word} under Dover" for word in words]


def _are_neighbours(one: str, other: str) -> bool:
    return is_alphabetical_neighbour(alphabetical_position(one), alphabetical_position(other))
