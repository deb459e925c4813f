"""The JSON of a card: a family's evidence in a fixed order, and nothing that could bias a vote.

Lists of players, other votes, point values and guesses of programs are left out on purpose.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ordws.curation.curator_cards import Lease
from ordws.curation.family import Candidate, Derivation, Witness
from ordws.curation.family_classes import ClassProposal, class_name, class_pattern, replay_proposals
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState

MAX_EXAMPLES: Final = 5
"""Examples of comparable families on a card."""
_PROVENANCE_TEXTS: Final = {
    "headword": "a main entry",
    "run-on": "a run-on entry",
    "stated": "a form that the entry states",
    "table": "a form of its inflection table",
    "attested": "a regular form that is attested",
    "rule": "a regular form by rule",
    "listed": "a word of its spelling list",
}
_PROVENANCES: Final = tuple(_PROVENANCE_TEXTS)

JsonObject: TypeAlias = dict[str, Any]
DerivationsByBase: TypeAlias = Mapping[str, tuple[Derivation, ...]]


class ComparableDecisions:
    """The outcomes of decided families, by the patterns that their heads may be derived by."""

    def __init__(
        self,
        derivations: DerivationsByBase,
        family_states: Mapping[str, FamilyState],
        is_kept_back: Callable[[str], bool],
    ) -> None:
        """Families for which `is_kept_back` is true are counted, and never shown as an example."""
        self._derivations = derivations
        self._outcomes: dict[str, str] = {}
        self._counts: dict[str, Counter[str]] = {}
        self._bases: dict[str, list[str]] = {}
        for base in sorted(family_states):
            if (outcome := _outcome(family_states[base])) is None:
                continue
            self._outcomes[base] = outcome
            for pattern in self._patterns(base):
                self._counts.setdefault(pattern, Counter())[outcome] += 1
                if not is_kept_back(base):
                    self._bases.setdefault(pattern, []).append(base)

    def comparable(self, base: str) -> list[JsonObject]:
        """Return the outcomes of the families with the same patterns, and the alphabetically nearest as examples.

        A decided family is counted on its own card: if it were missing, the card would reveal that it is decided.
        """
        comparable = []
        for pattern in self._patterns(base):
            counts, bases = self._counts.get(pattern, Counter()), self._bases.get(pattern, [])
            at = bisect_left(bases, base)
            indexes = range(max(0, at - MAX_EXAMPLES), min(len(bases), at + MAX_EXAMPLES + 1))
            by_distance = [bases[index] for index in sorted(indexes, key=lambda index: abs(index - at))]
            nearest = sorted([each for each in by_distance if each != base][:MAX_EXAMPLES])
            examples = [{"word": each, "outcome": self._outcomes[each]} for each in nearest]
            comparable.append({"pattern": pattern, "in": counts["in"], "out": counts["out"], "examples": examples})
        return comparable

    def _patterns(self, base: str) -> list[str]:
        return list(dict.fromkeys([each.pattern for each in self._derivations.get(base, ())]))


def _outcome(family_state: FamilyState) -> str | None:
    """Return "in" or "out" for a decided family; None for one that is open, also again, or contested."""
    if family_state.standing is None or family_state.is_open or family_state.decision is None:
        return None
    return family_state.decision.outcome if family_state.decision.outcome in ("in", "out") else None


def card_to_json(
    lease: Lease,
    family_state: FamilyState,
    derivations: tuple[Derivation, ...],
    decisions: ComparableDecisions,
    ledger: Ledger,
) -> JsonObject:
    """Return a card as it is sent: the same for a vote and for a check, so that neither can be told apart."""
    candidates = ledger.evidence([lease.base])[lease.base]
    forms: list[JsonObject] = []
    for candidate in sorted(candidates, key=lambda each: (each.word != lease.base, each.word)):
        witnesses = sorted(
            candidate.witnesses,
            key=lambda each: (each.source, _PROVENANCES.index(each.provenance), each.slot, each.pos),
        )
        form = {
            "word": candidate.word,
            "zipf": candidate.zipf,
            "band": candidate.band,
            "text": screen_reader_text(candidate, witnesses, lease.base),
            "witnesses": [
                {
                    "source": each.title,
                    "provenance": each.provenance,
                    "slot": each.slot,
                    "pos": each.pos,
                    "labels": list(each.labels),
                    "gloss": each.gloss,
                }
                for each in witnesses
            ],
        }
        forms.append(form)
    return {
        "id": lease.id,
        "head": lease.base,
        "standing": family_state.standing,
        "round": lease.round,
        "second": family_state.round.is_second,
        "forms": forms,
        "derivations": [{"pattern": d.pattern, "base": d.base, "settled": d.is_settled} for d in derivations],
        "related": sorted({word for each in candidates for word in each.related}),
        "comparable": decisions.comparable(lease.base),
        "classes": [each.name for each in proposals_covering(family_state, derivations, ledger)],
    }


def proposals_covering(
    family_state: FamilyState, derivations: tuple[Derivation, ...], ledger: Ledger
) -> list[ClassProposal]:
    """Return the proposed classes that a family falls under; a flagged family falls under none."""
    pattern = class_pattern(derivations)
    if pattern is None or family_state.standing != "borderline":
        return []
    proposals = replay_proposals(ledger.acts([class_name(pattern)])).values()
    return [each for each in proposals if each.state == "audited" and each.pattern == pattern]


def screen_reader_text(candidate: Candidate, witnesses: list[Witness], base: str) -> str:
    """Return a form and its evidence as one sentence for screen readers."""
    grammar, sources = [], []
    for each in witnesses:
        slot = f"{each.slot} of {base}" if each.slot != "base" and candidate.word != base else ""
        grammar.append(", ".join(filter(None, (each.pos, slot))))
        labels = f", labelled {' and '.join(each.labels)}" if each.labels else ""
        gloss = f", meaning {each.gloss.rstrip('.')}" if each.gloss else ""
        sources.append(f"in {each.title} as {_PROVENANCE_TEXTS[each.provenance]}{labels}{gloss}")
    if candidate.zipf is None:
        frequency = "frequency not measured"
    else:
        frequency = (
            f"Zipf frequency {candidate.zipf:.1f}" if candidate.zipf else "not found in the texts that were counted"
        )
    band = "not in SCOWL" if candidate.band is None else f"SCOWL band {candidate.band}"
    # Many witnesses say the same, which is read out once.
    parts = [candidate.word, *dict.fromkeys(grammar), *dict.fromkeys(sources or ["in no source"]), frequency, band]
    return ", ".join(filter(None, parts)) + "."
