"""What a card shows of a family: the evidence in its fixed order, and nothing that biases. (EXPERIENCE A5)"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from ordws.curation.classes import Proposal, follow, name_of, pattern_of
from ordws.curation.family import Candidate, Derivation, Witness
from ordws.curation.lease import Lease
from ordws.curation.ledger import Ledger
from ordws.curation.rounds import Matter

EXAMPLES: Final = 5
_AS: Final = {
    "headword": "a main entry",
    "run-on": "a run-on entry",
    "stated": "a form that the entry states",
    "table": "a form of its inflection table",
    "attested": "a regular form that is attested",
    "rule": "a regular form by rule",
}
_PROVENANCES: Final = tuple(_AS)

Json: TypeAlias = dict[str, Any]
Derivations: TypeAlias = Mapping[str, tuple[Derivation, ...]]


class Rulings:
    """How families were ruled, by the patterns that their heads may have been made by."""

    def __init__(
        self, derivations: Derivations, matters: Mapping[str, Matter], is_kept_back: Callable[[str], bool]
    ) -> None:
        """What `is_kept_back` is counted, and never an example."""
        self._derivations, self._is_kept_back = derivations, is_kept_back
        self._ruled: dict[str, str] = {}
        self._counts: dict[str, Counter[str]] = {}
        self._bases: dict[str, list[str]] = {}
        for base in sorted(matters):
            self._rule(base, _outcome(matters[base]), append=True)

    def update(self, matters: Iterable[Matter]) -> None:
        """Families as they stand now."""
        for matter in matters:
            if (outcome := _outcome(matter)) != self._ruled.get(matter.base):
                self._unrule(matter.base)
                self._rule(matter.base, outcome)

    def comparable(self, base: str) -> list[Json]:
        """What became of the families of the same patterns; the nearest in the alphabet as examples.

        The family itself is counted where it is decided: without it a card would tell that it is, and how.
        """
        return [self._of(pattern, base) for pattern in self._patterns(base)]

    def _of(self, pattern: str, base: str) -> Json:
        counts, bases = self._counts.get(pattern, Counter()), self._bases.get(pattern, [])
        at = bisect_left(bases, base)
        places = range(max(0, at - EXAMPLES), min(len(bases), at + EXAMPLES + 1))
        around = [bases[place] for place in sorted(places, key=lambda place: abs(place - at))]
        nearest = sorted([each for each in around if each != base][:EXAMPLES])
        examples = [{"word": each, "outcome": self._ruled[each]} for each in nearest]
        return {"pattern": pattern, "in": counts["in"], "out": counts["out"], "examples": examples}

    def _patterns(self, base: str) -> list[str]:
        return list(dict.fromkeys([each.pattern for each in self._derivations.get(base, ())]))

    def _rule(self, base: str, outcome: str | None, *, append: bool = False) -> None:
        if outcome is None:
            return
        self._ruled[base] = outcome
        for pattern in self._patterns(base):
            self._counts.setdefault(pattern, Counter())[outcome] += 1
            if not self._is_kept_back(base):
                bases = self._bases.setdefault(pattern, [])
                bases.append(base) if append else insort(bases, base)

    def _unrule(self, base: str) -> None:
        outcome = self._ruled.pop(base, None)
        if outcome is None:
            return
        for pattern in self._patterns(base):
            self._counts[pattern][outcome] -= 1
            if not self._is_kept_back(base):
                self._bases[pattern].remove(base)


def _outcome(matter: Matter) -> str | None:
    """How a family is ruled; one that is contested, or voted on again, is not."""
    if matter.standing is None or matter.is_open or matter.decision is None:
        return None
    return matter.decision.outcome if matter.decision.outcome in ("in", "out") else None


def card(lease: Lease, matter: Matter, derivations: tuple[Derivation, ...], rulings: Rulings, ledger: Ledger) -> Json:
    """A card as it is sent. It says the same of a family whatever the card is for."""
    forms = sorted(ledger.evidence([lease.base])[lease.base], key=lambda each: (each.word != lease.base, each.word))
    return {
        "id": lease.id,
        "head": lease.base,
        "standing": matter.standing,
        "round": lease.round,
        "second": matter.round.is_second,
        "forms": [form(each, lease.base) for each in forms],
        "derivations": [{"pattern": d.pattern, "base": d.base, "settled": d.is_settled} for d in derivations],
        "related": sorted({word for each in forms for word in each.related}),
        "comparable": rulings.comparable(lease.base),
        "classes": [each.name for each in proposals_on(matter, derivations, ledger)],
    }


def proposals_on(matter: Matter, derivations: tuple[Derivation, ...], ledger: Ledger) -> list[Proposal]:
    """The proposed classes that a family falls under. A flagged word falls under none."""
    pattern = pattern_of(derivations)
    if pattern is None or matter.standing != "borderline":
        return []
    proposals = follow(ledger.acts([name_of(pattern)])).values()
    return [each for each in proposals if each.state == "audited" and each.pattern == pattern]


def form(candidate: Candidate, base: str) -> Json:
    """One form at stake, with what the sources say, always in the same order."""
    witnesses = sorted(candidate.witnesses, key=_rank)
    return {
        "word": candidate.word,
        "zipf": candidate.zipf,
        "band": candidate.band,
        "text": spoken(candidate, witnesses, base),
        "witnesses": [
            {
                "source": each.source,
                "provenance": each.provenance,
                "slot": each.slot,
                "pos": each.pos,
                "labels": list(each.labels),
                "gloss": each.gloss,
            }
            for each in witnesses
        ],
    }


def _rank(witness: Witness) -> tuple[str, int, str, str]:
    return witness.source, _PROVENANCES.index(witness.provenance), witness.slot, witness.pos


def spoken(candidate: Candidate, witnesses: list[Witness], base: str) -> str:
    """A form and its evidence as one sentence, for screen readers."""
    said = [candidate.word, *dict.fromkeys([_kind(each, candidate.word, base) for each in witnesses])]
    said += dict.fromkeys([_place(each) for each in witnesses])
    if not witnesses:
        said.append("in no source")
    said.append(_frequency(candidate.zipf))
    said.append("not in SCOWL" if candidate.band is None else f"SCOWL band {candidate.band}")
    return ", ".join(filter(None, said)) + "."


def _frequency(zipf: float | None) -> str:
    if zipf is None:
        return "frequency not measured"
    return f"Zipf frequency {zipf:.1f}" if zipf else "not met in the texts that were counted"


def _kind(witness: Witness, word: str, base: str) -> str:
    """As what a source has a form: verb, noun plural of BASH."""
    what = f"{witness.slot} of {base}" if witness.slot != "base" and word != base else ""
    return ", ".join(filter(None, (witness.pos, what)))


def _place(witness: Witness) -> str:
    labels = f", labelled {' and '.join(witness.labels)}" if witness.labels else ""
    gloss = f", meaning {witness.gloss.rstrip('.')}" if witness.gloss else ""
    return f"in {witness.source} as {_AS[witness.provenance]}{labels}{gloss}"
