"""What keepers ask of the ledger: who waits for an answer, and what has been decided since an edition was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from ordws.curation import state
from ordws.curation.acts import Done, read_act
from ordws.curation.chain import Chain
from ordws.curation.decision import Decision, Tally
from ordws.curation.rounds import Matter, follow

_TALLIES: Final = msgspec.json.Decoder(dict[str, Tally])
_TALLY: Final = msgspec.json.Decoder(Tally)


class Asked(NamedTuple):
    """What was nominated and what was answered, in order, up to a row of the acts."""

    acts: list[Done]
    row: int


def asked_since(chain: Chain, row: int) -> Asked:
    """What was nominated and what was answered after that row; `row` of it is where to go on."""
    ((newest,),) = chain.read("SELECT ifnull(max(row), 0) FROM acts")
    rows = chain.read(
        "SELECT link, at, subject, who, act FROM acts JOIN links ON link = number"
        " WHERE acts.row > :row + 0 AND acts.row <= :newest + 0"
        " AND json_extract(act, '$.kind') IN ('nominated', 'nomination-closed') ORDER BY acts.row",
        {"row": str(row), "newest": str(newest)},
    )
    return Asked([Done(link, at, subject, who, read_act(act)) for link, at, subject, who, act in rows], newest)


def held_at(chain: Chain, link: int, matters: Mapping[str, Matter]) -> dict[str, Decision | None]:
    """By base, of the matters that were decided or reverted after a link: the decision that held then, if one did."""
    then = {"link": str(link)}
    touched = chain.read(
        "SELECT family FROM decisions WHERE link > :link + 0 UNION SELECT subject FROM acts"
        " WHERE link > :link + 0 AND json_extract(act, '$.kind') = 'reverted'",
        then,
    )
    bases = [base for (base,) in touched if base in matters]
    before: dict[str, list[tuple[int, Decision]]] = {}
    for base, number, forms, rest in chain.read(
        "SELECT family, link, forms, rest FROM decisions WHERE link <= :link + 0"
        " AND family IN (SELECT value FROM json_each(:bases)) ORDER BY row",
        {**then, "bases": msgspec.json.encode(bases).decode()},
    ):
        standing = matters[base].standing or state.WITHDRAWN
        decision = Decision(base, standing, _TALLIES.decode(forms), _TALLY.decode(rest))
        before.setdefault(base, []).append((number, decision))
    acts = state.by_subject(chain, before)
    found = {base: _held(matters[base], decided, acts.get(base, []), link) for base, decided in before.items()}
    return {base: found.get(base) for base in bases}


def overridden_since(chain: Chain, link: int) -> Counter[str]:
    """How many overrides of each kind, `lift` among them, were appended after a link."""
    sql = "SELECT act, count(*) FROM overrides WHERE link > :link + 0 GROUP BY act"
    return Counter(dict(chain.read(sql, {"link": str(link)})))


def _held(matter: Matter, decisions: list[tuple[int, Decision]], acts: list[Done], link: int) -> Decision | None:
    blank = Matter(matter.base, matter.standing, matter.forms)
    return follow(blank, (), decisions, [act for act in acts if act.link <= link]).decision
