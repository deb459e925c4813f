"""The changes in the ledger after a given point, and its state at that point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import msgspec

from ordws.curation.acts import RecordedAct, read_act
from ordws.curation.decision import Decision, Tally
from ordws.curation.ledger_state import WITHDRAWN_STANDING, LedgerState
from ordws.curation.voting_rounds import FamilyState, replay_family

_TALLIES: Final = msgspec.json.Decoder(dict[str, Tally])
_TALLY: Final = msgspec.json.Decoder(Tally)


class NominationActs(NamedTuple):
    """Nominations and the acts that closed them, in order, and the last row of the acts that was read."""

    acts: list[RecordedAct]
    row: int


class LedgerChanges(LedgerState):
    """The changes in a ledger after a given point, beside its present state."""

    def nominations_since(self, row: int) -> NominationActs:
        """Return the nominations made and closed after a row of the acts; the result's `row` is where to go on."""
        # Bounded from above too, or an act appended between the two queries would be returned a second time.
        ((newest,),) = self.read("SELECT ifnull(max(row), 0) FROM acts")
        rows = self.read(
            "SELECT link, at, subject, who, act FROM acts JOIN links ON link = number"
            " WHERE acts.row > :row + 0 AND acts.row <= :newest + 0"
            " AND json_extract(act, '$.kind') IN ('nominated', 'nomination-closed') ORDER BY acts.row",
            {"row": str(row), "newest": str(newest)},
        )
        acts = [RecordedAct(link, at, subject, actor, read_act(act)) for link, at, subject, actor, act in rows]
        return NominationActs(acts, newest)

    def decisions_at(self, link: int, families: Mapping[str, FamilyState]) -> dict[str, Decision | None]:
        """Return, for each family whose decision changed after a link, the decision that held at that link, or None.

        Families that `families` does not have are left out.
        """
        touched = self.read(
            "SELECT family FROM decisions WHERE link > :link + 0 UNION SELECT subject FROM acts"
            " WHERE link > :link + 0 AND json_extract(act, '$.kind') IN ('reverted', 'retracted')",
            {"link": str(link)},
        )
        bases = [base for (base,) in touched if base in families]
        earlier: dict[str, list[tuple[int, Decision]]] = {}
        for base, number, forms, rest in self.read(
            "SELECT family, link, forms, rest FROM decisions WHERE link <= :link + 0"
            " AND family IN (SELECT value FROM json_each(:bases)) ORDER BY row",
            {"link": str(link), "bases": msgspec.json.encode(bases).decode()},
        ):
            standing = families[base].standing or WITHDRAWN_STANDING
            decision = Decision(base, standing, _TALLIES.decode(forms), _TALLY.decode(rest))
            earlier.setdefault(base, []).append((number, decision))
        acts = self.acts_by_subject(earlier)
        held: dict[str, Decision | None] = dict.fromkeys(bases)
        for base, decisions in earlier.items():
            family = families[base]
            blank = FamilyState(base, family.standing, family.forms)
            known = [act for act in acts.get(base, ()) if act.link <= link]
            held[base] = replay_family(blank, (), decisions, known).decision
        # A vote that was taken back on a family without a decision has changed none.
        return {base: each for base, each in held.items() if each is not None or families[base].decision is not None}

    def override_counts_since(self, link: int) -> Counter[str]:
        """Count the overrides appended after a link, by kind: `add`, `exclude` and `lift`."""
        sql = "SELECT act, count(*) FROM overrides WHERE link > :link + 0 GROUP BY act"
        return Counter(dict(self.read(sql, {"link": str(link)})))

    def last_link_before(self, day: str) -> int:
        """Return the number of links appended before the first one of a day such as 2026-11-23, or of a later day."""
        sql = "SELECT ifnull((SELECT min(number) - 1 FROM links WHERE at >= :day), (SELECT count(*) FROM links))"
        ((number,),) = self.read(sql, {"day": day})
        return int(number)

    def families_at(self, link: int, families: Mapping[str, FamilyState]) -> dict[str, FamilyState]:
        """Return present families with the rounds, ballots and decisions that they had after a link."""
        parameters = {"link": str(link)}
        sql = (
            "SELECT family FROM ballots WHERE link > :link + 0"
            " UNION SELECT family FROM decisions WHERE link > :link + 0"
            " UNION SELECT subject FROM acts WHERE link > :link + 0"
        )
        touched = [base for (base,) in self.read(sql, parameters) if base in families]
        past = self.family_states(touched, until=link)
        earlier = dict(families)
        for base in touched:
            now = families[base]
            then = past.get(base, FamilyState(base, now.standing, now.forms))
            earlier[base] = replace(then, standing=now.standing, forms=now.forms)
        return earlier

    def vote_decisions_by_day(self) -> dict[str, int]:
        """Count the decisions that votes led to, by the day of their link; those of classes are left out."""
        sql = (
            "SELECT substr(at, 1, 10), count(*) FROM decisions JOIN links ON link = number"
            " WHERE kind <> 'class' GROUP BY 1"
        )
        return dict(self.read(sql))
