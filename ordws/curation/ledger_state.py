"""The state of a ledger, now or after an earlier link, derived from its rows: nothing but rows is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

import msgspec

from ordws.curation.acts import BallotRetracted, RecordedAct, read_act
from ordws.curation.decision import BALLOT_COLUMNS, Ballot, Decision, Override, Tally, Vote
from ordws.curation.family import Candidate, FamilyStanding
from ordws.curation.hash_chain import HashChain
from ordws.curation.voting_rounds import FamilyState, LinkedBallot, replay_family


class CuratorAnswer(NamedTuple):
    """An answer that a curator gave to a card, and whether they took it back."""

    link: int
    family: str
    vote: Vote
    forms: tuple[str, ...]
    reason: str
    at: str
    is_taken_back: bool


class NominationActs(NamedTuple):
    """Nominations and the acts that closed them, in order, and the last row of the acts that was read."""

    acts: list[RecordedAct]
    row: int


WITHDRAWN_STANDING: Final[FamilyStanding] = "borderline"
"""The standing under which votes on a withdrawn family are counted, so that they hold if the family returns."""

_CANDIDATE: Final = msgspec.json.Decoder(Candidate)
_TALLY: Final = msgspec.json.Decoder(Tally)
_TALLIES: Final = msgspec.json.Decoder(dict[str, Tally])


def candidates(texts: dict[str, str | None]) -> tuple[Candidate, ...]:
    """Read the evidence of the forms that are still at stake."""
    return tuple([_CANDIDATE.decode(text) for text in texts.values() if text is not None])


class LedgerState(HashChain):
    """The reading half of a ledger: its present state, that after an earlier link, and the changes since."""

    def standings(
        self, bases: Iterable[str] | None = None, until: int | None = None
    ) -> dict[str, FamilyStanding | None]:
        """Return the standing of every family ever queued, by base; None if it was withdrawn."""
        # Rows come in order and later ones replace earlier ones, here and in the functions below.
        return dict(self._rows("SELECT base, standing FROM families", "base", bases, until=until))

    def evidence_texts(self, bases: Iterable[str] | None = None) -> dict[str, dict[str, str | None]]:
        """Return the evidence, as JSON, of every form ever at stake, by family; None for forms no longer at stake."""
        texts: dict[str, dict[str, str | None]] = {}
        for family, word, text in self._rows("SELECT family, word, evidence FROM candidates", "family", bases):
            texts.setdefault(family, {})[word] = text
        return texts

    def forms(self, bases: Iterable[str] | None = None, until: int | None = None) -> dict[str, dict[str, bool]]:
        """Return every form ever at stake, by family, and whether it still is."""
        # Evidence is long and this is asked for whole queues: SQLite tells only whether there is any.
        at_stake: dict[str, dict[str, bool]] = {}
        sql = "SELECT family, word, evidence IS NOT NULL FROM candidates"
        for family, word, is_at_stake in self._rows(sql, "family", bases, until=until):
            at_stake.setdefault(family, {})[word] = bool(is_at_stake)
        return at_stake

    def ballots(self, bases: Iterable[str] | None = None, until: int | None = None) -> list[Ballot]:
        """Return ballots in the order in which they were cast."""
        sql = f"SELECT {', '.join(BALLOT_COLUMNS)} FROM ballots"
        return [_read_ballot(row) for row in self._rows(sql, "family", bases, until=until)]

    def ballots_before(self, base: str, link: int) -> list[Ballot]:
        """Return the ballots on a family in the links up to this one, without those taken back."""
        retracted = {each.act.ballot for each in self.acts([base]) if isinstance(each.act, BallotRetracted)}
        cast = [each.ballot for each in self._ballots_by_family([base]).get(base, ()) if each.link <= link]
        return [ballot for ballot in cast if ballot.id not in retracted]

    def ballots_by_id(self, ids: Iterable[str]) -> dict[str, Ballot]:
        """Return the ballots with these ids that the ledger has, by id."""
        rows = self._rows(f"SELECT {', '.join(BALLOT_COLUMNS)} FROM ballots", "id", ids)
        return {row[0]: _read_ballot(row) for row in rows}

    def family_states(self, bases: Iterable[str] | None = None, until: int | None = None) -> dict[str, FamilyState]:
        """Return the state of families ever queued, by base: the present one, or that after the link `until`."""
        bases = None if bases is None else list(bases)
        ballots, acts = self._ballots_by_family(bases, until), self.acts_by_subject(bases, until)
        decision_rows = self._rows("SELECT family, link, forms, rest FROM decisions", "family", bases, until=until)
        # Read last: another process may append between these queries, and each decision needs its family's standing.
        all_forms, family_standings = self.forms(bases, until), self.standings(bases, until)
        decisions: dict[str, list[tuple[int, Decision]]] = {}
        for base, link, tallies, rest in decision_rows:
            standing = family_standings[base] or WITHDRAWN_STANDING
            decision = Decision(base, standing, _TALLIES.decode(tallies), _TALLY.decode(rest))
            decisions.setdefault(base, []).append((link, decision))
        states: dict[str, FamilyState] = {}
        for base, present in family_standings.items():
            at_stake = tuple([form for form, is_at_stake in all_forms.get(base, {}).items() if is_at_stake])
            states[base] = FamilyState(base, present, at_stake)
            # Most families of a fresh queue have no events.
            if base in ballots or base in acts or base in decisions:
                states[base] = replay_family(
                    states[base], ballots.get(base, ()), decisions.get(base, ()), acts.get(base, ())
                )
        return states

    def answers(self, curator: str, before: int, limit: int) -> list[CuratorAnswer]:
        """Return a curator's latest answers in the links before one, the newest first.

        Answers to checks look like all others, or a curator's own history would show which cards were checks.
        """
        checks = "json_extract(act, '$.kind') = 'checked'"
        rows = self.read(
            "SELECT link, id, family, vote, forms, reason, at FROM ballots WHERE curator = :who AND link < :before + 0"
            " UNION ALL SELECT link, json_extract(act, '$.id'), subject, json_extract(act, '$.vote'),"
            " json_extract(act, '$.forms'), json_extract(act, '$.reason'), at FROM acts JOIN links ON link = number"
            f" WHERE who = :who AND {checks} AND link < :before + 0 ORDER BY link DESC LIMIT :limit + 0",
            {"who": curator, "before": str(before), "limit": str(limit)},
        )
        retracted = self.read(
            "SELECT ifnull(json_extract(act, '$.ballot'), json_extract(act, '$.id')) FROM acts WHERE who = :who"
            " AND json_extract(act, '$.kind') IN ('retracted', 'unchecked')",
            {"who": curator},
        )
        retracted_ids, found = {id for (id,) in retracted}, []
        for link, id, family, vote, forms, reason, at in rows:
            # Acts have their forms as a JSON list, ballots as words.
            words = msgspec.json.decode(forms, type=list[str]) if forms.startswith("[") else forms.split()
            found.append(CuratorAnswer(link, family, vote, tuple(words), reason, at, id in retracted_ids))
        return found

    def decisions(self) -> dict[str, Decision]:
        """Return the decisions that hold, by base, under the standings that their families have now."""
        decided = {family for (family,) in self.read("SELECT DISTINCT family FROM decisions")}
        return {base: each.decision for base, each in self.family_states(decided).items() if each.decision is not None}

    def acts(self, subjects: Iterable[str] | None = None, until: int | None = None) -> list[RecordedAct]:
        """Return the acts in order."""
        sql = "SELECT link, at, subject, who, act FROM acts JOIN links ON link = number"
        rows = self._rows(sql, "subject", subjects, order="acts.row", until=until)
        return [RecordedAct(link, at, subject, actor, read_act(text)) for link, at, subject, actor, text in rows]

    def acts_by_subject(
        self, subjects: Iterable[str] | None = None, until: int | None = None
    ) -> dict[str, list[RecordedAct]]:
        """Return the acts on each subject, in order."""
        grouped: dict[str, list[RecordedAct]] = {}
        for recorded in self.acts(subjects, until):
            grouped.setdefault(recorded.subject, []).append(recorded)
        return grouped

    def _ballots_by_family(
        self, bases: Iterable[str] | None, until: int | None = None
    ) -> dict[str, list[LinkedBallot]]:
        grouped: dict[str, list[LinkedBallot]] = {}
        for link, *row in self._rows(
            f"SELECT link, {', '.join(BALLOT_COLUMNS)} FROM ballots", "family", bases, until=until
        ):
            ballot = _read_ballot(tuple(row))
            grouped.setdefault(ballot.family, []).append(LinkedBallot(link, ballot))
        return grouped

    def overrides(self) -> dict[str, Override]:
        """Return the overrides that hold, by word."""
        current: dict[str, Override] = {}
        rows = self.read("SELECT word, act, keeper, reason, at FROM overrides JOIN links ON link = number ORDER BY row")
        for word, act, keeper, reason, at in rows:
            if act == "lift":
                current.pop(word, None)
            else:
                current[word] = Override(word, act, keeper, reason, at)
        return current

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

    def _rows(
        self,
        sql: str,
        column: str,
        names: Iterable[str] | None,
        order: str = "row",
        until: int | None = None,
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a query in the order in which they were appended.

        Where `names` are given, those with these names only; where `until` is, those of the links up to it.
        """
        conditions, parameters = ["true"], dict[str, str]()
        if names is not None:
            # One JSON parameter, because SQLite limits the number of parameters and there may be 60,000 names.
            conditions.append(f"{column} IN (SELECT value FROM json_each(:names))")
            parameters["names"] = msgspec.json.encode(list(names)).decode()
        if until is not None:
            conditions.append("link <= :until + 0")
            parameters["until"] = str(until)
        return self.read(f"{sql} WHERE {' AND '.join(conditions)} ORDER BY {order}", parameters)


def _read_ballot(row: tuple[Any, ...]) -> Ballot:
    id, family, curator, vote, forms, reason, at = row
    return Ballot(id, family, curator, vote, tuple(forms.split()), reason, at)
