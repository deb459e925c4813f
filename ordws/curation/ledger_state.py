"""What the rows of a ledger amount to now: every state is derived."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec

from ordws.curation.acts import BallotRetracted, RecordedAct, read_act
from ordws.curation.ballot import COLUMNS, Ballot, Vote
from ordws.curation.decision import Decision, Tally
from ordws.curation.family import Candidate, FamilyStanding
from ordws.curation.hash_chain import HashChain
from ordws.curation.override import Override
from ordws.curation.voting_rounds import FamilyState, LinkedBallot, replay_family


class CuratorAnswer(NamedTuple):
    """What a curator once said of a family, and whether he took it back."""

    link: int
    family: str
    vote: Vote
    forms: tuple[str, ...]
    reason: str
    at: str
    is_taken_back: bool


WITHDRAWN_STANDING: Final[FamilyStanding] = "borderline"
"""The standing that votes on a withdrawn family are counted under, so that they hold if it returns."""

_CANDIDATE: Final = msgspec.json.Decoder(Candidate)
_TALLY: Final = msgspec.json.Decoder(Tally)
_TALLIES: Final = msgspec.json.Decoder(dict[str, Tally])


def standings(chain: HashChain, bases: Iterable[str] | None = None) -> dict[str, FamilyStanding | None]:
    """Every family ever queued; None for one that was withdrawn."""
    return dict(_rows(chain, "SELECT base, standing FROM families", "base", bases))


def evidence_texts(chain: HashChain, bases: Iterable[str] | None = None) -> dict[str, dict[str, str | None]]:
    """Every form that was ever at stake in a family, with its evidence as text; None for one that no longer is."""
    found: dict[str, dict[str, str | None]] = {}
    for family, word, text in _rows(chain, "SELECT family, word, evidence FROM candidates", "family", bases):
        found.setdefault(family, {})[word] = text
    return found


def forms(chain: HashChain, bases: Iterable[str] | None = None) -> dict[str, dict[str, bool]]:
    """Every form that was ever at stake in these families, and whether it still is."""
    found: dict[str, dict[str, bool]] = {}
    sql = "SELECT family, word, evidence IS NOT NULL FROM candidates"
    for family, word, at_stake in _rows(chain, sql, "family", bases):
        found.setdefault(family, {})[word] = bool(at_stake)
    return found


def candidates(texts: dict[str, str | None]) -> tuple[Candidate, ...]:
    """The forms at stake, of all that ever were."""
    return tuple([_CANDIDATE.decode(text) for text in texts.values() if text is not None])


def ballots(chain: HashChain, bases: Iterable[str] | None = None) -> list[Ballot]:
    """Ballots in the order they were cast."""
    return [_read_ballot(row) for row in _rows(chain, f"SELECT {', '.join(COLUMNS)} FROM ballots", "family", bases)]


def ballots_before(chain: HashChain, base: str, link: int) -> list[Ballot]:
    """The ballots on a family of the links up to one, less those that were taken back."""
    back = {done.act.ballot for done in acts(chain, [base]) if isinstance(done.act, BallotRetracted)}
    cast = [each.ballot for each in _ballots_by_family(chain, [base]).get(base, ()) if each.link <= link]
    return [ballot for ballot in cast if ballot.id not in back]


def ballots_by_id(chain: HashChain, ids: Iterable[str]) -> dict[str, Ballot]:
    rows = _rows(chain, f"SELECT {', '.join(COLUMNS)} FROM ballots", "id", ids)
    return {row[0]: _read_ballot(row) for row in rows}


def family_states(chain: HashChain, bases: Iterable[str] | None = None) -> dict[str, FamilyState]:
    """Families ever queued, as they stand."""
    bases = None if bases is None else list(bases)
    ballots, acts, decisions = (
        _ballots_by_family(chain, bases),
        acts_by_subject(chain, bases),
        _decision_rows(chain, bases),
    )
    known = forms(chain, bases)
    found: dict[str, FamilyState] = {}
    for base, standing in standings(chain, bases).items():
        at_stake = tuple([form for form, stands in known.get(base, {}).items() if stands])
        found[base] = FamilyState(base, standing, at_stake)
        if base in ballots or base in acts or base in decisions:
            rows = decisions.get(base, ())
            decided = [
                (link, Decision(base, standing or WITHDRAWN_STANDING, _TALLIES.decode(each), _TALLY.decode(rest)))
                for link, each, rest in rows
            ]
            found[base] = replay_family(found[base], ballots.get(base, ()), decided, acts.get(base, ()))
    return found


def answers(chain: HashChain, curator: str, before: int, limit: int) -> list[CuratorAnswer]:
    """A curator's latest answers, the newest first, of the links before one; those to checks look like all others."""
    checks = "json_extract(act, '$.kind') = 'checked'"
    names = {"who": curator, "before": str(before), "limit": str(limit)}
    rows = chain.read(
        "SELECT link, id, family, vote, forms, reason, at FROM ballots WHERE curator = :who AND link < :before + 0"
        " UNION ALL SELECT link, json_extract(act, '$.id'), subject, json_extract(act, '$.vote'),"
        " json_extract(act, '$.forms'), json_extract(act, '$.reason'), at FROM acts JOIN links ON link = number"
        f" WHERE who = :who AND {checks} AND link < :before + 0 ORDER BY link DESC LIMIT :limit + 0",
        names,
    )
    back = chain.read(
        "SELECT ifnull(json_extract(act, '$.ballot'), json_extract(act, '$.id')) FROM acts WHERE who = :who"
        " AND json_extract(act, '$.kind') IN ('retracted', 'unchecked')",
        {"who": curator},
    )
    return [_read_answer(row, {id for (id,) in back}) for row in rows]


def decisions(chain: HashChain) -> dict[str, Decision]:
    """The decisions that hold, under the standing that their families have now."""
    decided = {family for (family,) in chain.read("SELECT DISTINCT family FROM decisions")}
    return {base: each.decision for base, each in family_states(chain, decided).items() if each.decision is not None}


def acts(chain: HashChain, subjects: Iterable[str] | None = None) -> list[RecordedAct]:
    """What was done beside voting, in order."""
    sql = "SELECT link, at, subject, who, act FROM acts JOIN links ON link = number"
    rows = _rows(chain, sql, "subject", subjects, order="acts.row")
    return [RecordedAct(link, at, subject, who, read_act(text)) for link, at, subject, who, text in rows]


def acts_by_subject(chain: HashChain, subjects: Iterable[str] | None = None) -> dict[str, list[RecordedAct]]:
    found: dict[str, list[RecordedAct]] = {}
    for done in acts(chain, subjects):
        found.setdefault(done.subject, []).append(done)
    return found


def _ballots_by_family(chain: HashChain, bases: Iterable[str] | None) -> dict[str, list[LinkedBallot]]:
    found: dict[str, list[LinkedBallot]] = {}
    for link, *row in _rows(chain, f"SELECT link, {', '.join(COLUMNS)} FROM ballots", "family", bases):
        ballot = _read_ballot(tuple(row))
        found.setdefault(ballot.family, []).append(LinkedBallot(link, ballot))
    return found


def _decision_rows(chain: HashChain, bases: Iterable[str] | None) -> dict[str, list[tuple[int, str, str]]]:
    found: dict[str, list[tuple[int, str, str]]] = {}
    for family, *row in _rows(chain, "SELECT family, link, forms, rest FROM decisions", "family", bases):
        found.setdefault(family, []).append((row[0], row[1], row[2]))
    return found


def _read_answer(row: tuple[Any, ...], back: set[str]) -> CuratorAnswer:
    link, id, family, vote, forms, reason, at = row
    named = msgspec.json.decode(forms, type=list[str]) if forms.startswith("[") else forms.split()
    return CuratorAnswer(link, family, vote, tuple(named), reason, at, id in back)


def overrides(chain: HashChain) -> dict[str, Override]:
    """The overrides that have not been lifted, by word."""
    current: dict[str, Override] = {}
    rows = chain.read("SELECT word, act, keeper, reason, at FROM overrides JOIN links ON link = number ORDER BY row")
    for word, act, keeper, reason, at in rows:
        if act == "lift":
            current.pop(word, None)
        else:
            current[word] = Override(word, act, keeper, reason, at)
    return current


def _read_ballot(row: tuple[Any, ...]) -> Ballot:
    id, family, curator, vote, forms, reason, at = row
    return Ballot(id, family, curator, vote, tuple(forms.split()), reason, at)


def _rows(
    chain: HashChain, sql: str, column: str, names: Iterable[str] | None, order: str = "row"
) -> list[tuple[Any, ...]]:
    """The rows of a query in the order they were appended; of these names alone, where some are given."""
    if names is None:
        return chain.read(f"{sql} ORDER BY {order}")
    chosen = {"names": msgspec.json.encode(list(names)).decode()}
    return chain.read(f"{sql} WHERE {column} IN (SELECT value FROM json_each(:names)) ORDER BY {order}", chosen)
