"""What keepers ask of the ledger: who waits for an answer, and what has been decided since an edition was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from ordws.curation import ledger_state
from ordws.curation.acts import RecordedAct, read_act
from ordws.curation.decision import Decision, Tally
from ordws.curation.hash_chain import HashChain
from ordws.curation.voting_rounds import FamilyState, replay_family

_TALLIES: Final = msgspec.json.Decoder(dict[str, Tally])
_TALLY: Final = msgspec.json.Decoder(Tally)


class NominationActs(NamedTuple):
    """What was nominated and what was answered, in order, up to a row of the acts."""

    acts: list[RecordedAct]
    row: int


def nominations_since(chain: HashChain, row: int) -> NominationActs:
    """What was nominated and what was answered after that row; `row` of it is where to go on."""
    ((newest,),) = chain.read("SELECT ifnull(max(row), 0) FROM acts")
    rows = chain.read(
        "SELECT link, at, subject, who, act FROM acts JOIN links ON link = number"
        " WHERE acts.row > :row + 0 AND acts.row <= :newest + 0"
        " AND json_extract(act, '$.kind') IN ('nominated', 'nomination-closed') ORDER BY acts.row",
        {"row": str(row), "newest": str(newest)},
    )
    return NominationActs(
        [RecordedAct(link, at, subject, who, read_act(act)) for link, at, subject, who, act in rows], newest
    )


def decisions_at(chain: HashChain, link: int, families: Mapping[str, FamilyState]) -> dict[str, Decision | None]:
    """By base, of the matters that were decided or reverted after a link: the decision that held then, if one did."""
    then = {"link": str(link)}
    touched = chain.read(
        "SELECT family FROM decisions WHERE link > :link + 0 UNION SELECT subject FROM acts"
        " WHERE link > :link + 0 AND json_extract(act, '$.kind') = 'reverted'",
        then,
    )
    bases = [base for (base,) in touched if base in families]
    before: dict[str, list[tuple[int, Decision]]] = {}
    for base, number, forms, rest in chain.read(
        "SELECT family, link, forms, rest FROM decisions WHERE link <= :link + 0"
        " AND family IN (SELECT value FROM json_each(:bases)) ORDER BY row",
        {**then, "bases": msgspec.json.encode(bases).decode()},
    ):
        standing = families[base].standing or ledger_state.WITHDRAWN_STANDING
        decision = Decision(base, standing, _TALLIES.decode(forms), _TALLY.decode(rest))
        before.setdefault(base, []).append((number, decision))
    acts = ledger_state.acts_by_subject(chain, before)
    found = {base: _decision_at(families[base], decided, acts.get(base, []), link) for base, decided in before.items()}
    return {base: found.get(base) for base in bases}


def override_counts_since(chain: HashChain, link: int) -> Counter[str]:
    """How many overrides of each kind, `lift` among them, were appended after a link."""
    sql = "SELECT act, count(*) FROM overrides WHERE link > :link + 0 GROUP BY act"
    return Counter(dict(chain.read(sql, {"link": str(link)})))


def _decision_at(
    family: FamilyState, decisions: list[tuple[int, Decision]], acts: list[RecordedAct], link: int
) -> Decision | None:
    blank = FamilyState(family.base, family.standing, family.forms)
    return replay_family(blank, (), decisions, [act for act in acts if act.link <= link]).decision
