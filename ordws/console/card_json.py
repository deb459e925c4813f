"""What a card shows of a family: the evidence in its fixed order, and nothing that biases. (EXPERIENCE A5)"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from ordws.curation.family import Candidate, Derivation, Witness
from ordws.curation.family_classes import ClassProposal, class_name, class_pattern, replay_proposals
from ordws.curation.lease import Lease
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState

MAX_EXAMPLES: Final = 5
_PROVENANCE_TEXTS: Final = {
    "headword": "a main entry",
    "run-on": "a run-on entry",
    "stated": "a form that the entry states",
    "table": "a form of its inflection table",
    "attested": "a regular form that is attested",
    "rule": "a regular form by rule",
}
_PROVENANCES: Final = tuple(_PROVENANCE_TEXTS)

JsonObject: TypeAlias = dict[str, Any]
DerivationsByBase: TypeAlias = Mapping[str, tuple[Derivation, ...]]


class ComparableDecisions:
    """How families were ruled, by the patterns that their heads may have been made by."""

    def __init__(
        self, derivations: DerivationsByBase, matters: Mapping[str, FamilyState], is_kept_back: Callable[[str], bool]
    ) -> None:
        """What `is_kept_back` is counted, and never an example."""
        self._derivations, self._is_kept_back = derivations, is_kept_back
        self._outcomes: dict[str, str] = {}
        self._counts: dict[str, Counter[str]] = {}
        self._bases: dict[str, list[str]] = {}
        for base in sorted(matters):
            self._add(base, _outcome(matters[base]), append=True)

    def update(self, matters: Iterable[FamilyState]) -> None:
        """Families as they stand now."""
        for matter in matters:
            if (outcome := _outcome(matter)) != self._outcomes.get(matter.base):
                self._remove(matter.base)
                self._add(matter.base, outcome)

    def comparable(self, base: str) -> list[JsonObject]:
        """What became of the families of the same patterns; the nearest in the alphabet as examples.

        The family itself is counted where it is decided: without it a card would tell that it is, and how.
        """
        return [self._pattern_counts(pattern, base) for pattern in self._patterns(base)]

    def _pattern_counts(self, pattern: str, base: str) -> JsonObject:
        counts, bases = self._counts.get(pattern, Counter()), self._bases.get(pattern, [])
        at = bisect_left(bases, base)
        places = range(max(0, at - MAX_EXAMPLES), min(len(bases), at + MAX_EXAMPLES + 1))
        around = [bases[place] for place in sorted(places, key=lambda place: abs(place - at))]
        nearest = sorted([each for each in around if each != base][:MAX_EXAMPLES])
        examples = [{"word": each, "outcome": self._outcomes[each]} for each in nearest]
        return {"pattern": pattern, "in": counts["in"], "out": counts["out"], "examples": examples}

    def _patterns(self, base: str) -> list[str]:
        return list(dict.fromkeys([each.pattern for each in self._derivations.get(base, ())]))

    def _add(self, base: str, outcome: str | None, *, append: bool = False) -> None:
        if outcome is None:
            return
        self._outcomes[base] = outcome
        for pattern in self._patterns(base):
            self._counts.setdefault(pattern, Counter())[outcome] += 1
            if not self._is_kept_back(base):
                bases = self._bases.setdefault(pattern, [])
                bases.append(base) if append else insort(bases, base)

    def _remove(self, base: str) -> None:
        outcome = self._outcomes.pop(base, None)
        if outcome is None:
            return
        for pattern in self._patterns(base):
            self._counts[pattern][outcome] -= 1
            if not self._is_kept_back(base):
                self._bases[pattern].remove(base)


def _outcome(matter: FamilyState) -> str | None:
    """How a family is ruled; one that is contested, or voted on again, is not."""
    if matter.standing is None or matter.is_open or matter.decision is None:
        return None
    return matter.decision.outcome if matter.decision.outcome in ("in", "out") else None


def card_to_json(
    lease: Lease, matter: FamilyState, derivations: tuple[Derivation, ...], rulings: ComparableDecisions, ledger: Ledger
) -> JsonObject:
    """A card as it is sent. It says the same of a family whatever the card is for."""
    forms = sorted(ledger.evidence([lease.base])[lease.base], key=lambda each: (each.word != lease.base, each.word))
    return {
        "id": lease.id,
        "head": lease.base,
        "standing": matter.standing,
        "round": lease.round,
        "second": matter.round.is_second,
        "forms": [form_to_json(each, lease.base) for each in forms],
        "derivations": [{"pattern": d.pattern, "base": d.base, "settled": d.is_settled} for d in derivations],
        "related": sorted({word for each in forms for word in each.related}),
        "comparable": rulings.comparable(lease.base),
        "classes": [each.name for each in proposals_covering(matter, derivations, ledger)],
    }


def proposals_covering(matter: FamilyState, derivations: tuple[Derivation, ...], ledger: Ledger) -> list[ClassProposal]:
    """The proposed classes that a family falls under. A flagged word falls under none."""
    pattern = class_pattern(derivations)
    if pattern is None or matter.standing != "borderline":
        return []
    proposals = replay_proposals(ledger.acts([class_name(pattern)])).values()
    return [each for each in proposals if each.state == "audited" and each.pattern == pattern]


def form_to_json(candidate: Candidate, base: str) -> JsonObject:
    """One form at stake, with what the sources say, always in the same order."""
    witnesses = sorted(candidate.witnesses, key=_witness_order)
    return {
        "word": candidate.word,
        "zipf": candidate.zipf,
        "band": candidate.band,
        "text": screen_reader_text(candidate, witnesses, base),
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


def _witness_order(witness: Witness) -> tuple[str, int, str, str]:
    return witness.source, _PROVENANCES.index(witness.provenance), witness.slot, witness.pos


def screen_reader_text(candidate: Candidate, witnesses: list[Witness], base: str) -> str:
    """A form and its evidence as one sentence, for screen readers."""
    said = [candidate.word, *dict.fromkeys([_grammar_text(each, candidate.word, base) for each in witnesses])]
    said += dict.fromkeys([_source_text(each) for each in witnesses])
    if not witnesses:
        said.append("in no source")
    said.append(_frequency_text(candidate.zipf))
    said.append("not in SCOWL" if candidate.band is None else f"SCOWL band {candidate.band}")
    return ", ".join(filter(None, said)) + "."


def _frequency_text(zipf: float | None) -> str:
    if zipf is None:
        return "frequency not measured"
    return f"Zipf frequency {zipf:.1f}" if zipf else "not met in the texts that were counted"


def _grammar_text(witness: Witness, word: str, base: str) -> str:
    """As what a source has a form: verb, noun plural of BASH."""
    what = f"{witness.slot} of {base}" if witness.slot != "base" and word != base else ""
    return ", ".join(filter(None, (witness.pos, what)))


def _source_text(witness: Witness) -> str:
    labels = f", labelled {' and '.join(witness.labels)}" if witness.labels else ""
    gloss = f", meaning {witness.gloss.rstrip('.')}" if witness.gloss else ""
    return f"in {witness.source} as {_PROVENANCE_TEXTS[witness.provenance]}{labels}{gloss}"
