"""Exact inference from verdicts: what follows from them for certain, without probabilities."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable

from tests.mining.mined_lexicon import MinedLexicon


class VerdictInference:
    """The words that verdicts on words asked together settle as in or out.

    A yes settles all its words. A no says that one of its words is out, and settles that one as soon as all the others
    are known to be in. Nothing else follows: the words left open by every no might each be in, and all might be out.

    Under Dover a form is good if it is in or one of its bases is: there a no settles all of them, and a yes says that
    one is in. All that follows is found if words were asked one by one.
    """

    def __init__(self) -> None:
        self.known: dict[str, bool] = {}
        # A clause says that one of its words, which are all unsettled, is in, or that one is out.
        self._clauses: dict[int, tuple[bool, set[str]]] = {}
        self._clauses_of: defaultdict[str, set[int]] = defaultdict(set)
        self._last_clause = 0
        self._newly_settled: list[str] = []

    def record(self, words: Iterable[str], verdict: bool) -> list[str]:
        """Record a verdict and return the words that it settles, by itself or with earlier ones.

        Raises ValueError if it contradicts earlier verdicts.
        """
        words = set(words)
        self._newly_settled = []
        if verdict:
            for word in words:
                self._settle(word, True)
        elif self.implied_verdict(words) is not False:
            self._add_clause(words, False)
        return self._newly_settled

    def record_dover_form(self, words: Iterable[str], verdict: bool) -> list[str]:
        """Record the verdict under Dover on a form, given with its bases, and return the words that it settles."""
        words = set(words)
        self._newly_settled = []
        if not verdict:
            for word in words:
                self._settle(word, False)
        elif not any(self.known.get(word) for word in words):
            self._add_clause(words, True)
        return self._newly_settled

    def _add_clause(self, words: set[str], is_in: bool) -> None:
        """Record that one of these words, none of which is known to be, is in, or is out."""
        unsettled = {word for word in words if word not in self.known}
        if not unsettled:
            raise ValueError("this verdict contradicts earlier ones")
        if len(unsettled) == 1:
            self._settle(unsettled.pop(), is_in)
            return
        self._last_clause += 1
        self._clauses[self._last_clause] = is_in, unsettled
        for word in unsettled:
            self._clauses_of[word].add(self._last_clause)

    def implied_verdict(self, words: Iterable[str]) -> bool | None:
        """Return the verdict that words asked together must get; None if it may still be either."""
        words = set(words)
        if any(self.known.get(word) is False for word in words):
            return False
        unsettled = {word for word in words if word not in self.known}
        if not unsettled:
            return True
        clauses = {number for word in unsettled for number in self._clauses_of.get(word, ())}
        nos = [said for is_in, said in [self._clauses[number] for number in clauses] if not is_in]
        return False if any(said <= unsettled for said in nos) else None

    def _settle(self, word: str, is_in: bool) -> None:
        settled = [(word, is_in)]
        while settled:
            word, is_in = settled.pop()
            if word in self.known:
                if self.known[word] is not is_in:
                    raise ValueError("this verdict contradicts earlier ones")
                continue
            self.known[word] = is_in
            self._newly_settled.append(word)
            for number in self._clauses_of.pop(word, ()):
                said, left = self._clauses[number]
                left.discard(word)
                if said is is_in:
                    # A verdict that this word explains says nothing about its other words.
                    for other in left:
                        self._clauses_of[other].discard(number)
                    del self._clauses[number]
                elif len(left) == 1:
                    settled.append((next(iter(left)), said))


class LearnedWords:
    """The words that all callers learned on each UTC day, counted for each edition by itself."""

    def __init__(self, lexicon: MinedLexicon, free: Container[str]) -> None:
        self._lexicon, self._free = lexicon, free
        self._by_edition: defaultdict[int, VerdictInference] = defaultdict(VerdictInference)
        self.outside: Counter[int] = Counter()
        """Words outside the core list, by day."""
        self.core: Counter[int] = Counter()
        self.bits: defaultdict[int, float] = defaultdict(float)
        """The entropy that the public probabilities had left to the words learned, by day."""

    def record(self, words: Iterable[str], verdict: bool, edition: int, day: int, *, is_dover: bool = False) -> None:
        """Record a verdict, under Dover on one word. Published two-letter words are known to everybody."""
        words = list(words)
        if any(len(word) == 2 and word not in self._free for word in words):
            return
        inference = self._by_edition[edition]
        if is_dover:
            (form,) = words
            settled = inference.record_dover_form([form, *self._lexicon.dover_bases.get(form, ())], verdict)
        else:
            settled = inference.record([word for word in words if len(word) > 2], verdict)
        for word in settled:
            (self.core if word in self._lexicon.core else self.outside)[day] += 1
            self.bits[day] += self._lexicon.entropy(word)
