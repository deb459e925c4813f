"""What the rows of a ledger amount to now: every state is derived, the newest row of a thing holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from ordws.curation.ballot import COLUMNS, Ballot
from ordws.curation.chain import Chain
from ordws.curation.decision import Decision, Outcome, Tally
from ordws.curation.family import Candidate, Standing
from ordws.curation.override import Override

WITHDRAWN: Final[Standing] = "borderline"
"""The standing that votes on a withdrawn family are counted under, so that they hold if it returns."""

_EVIDENCE: Final = msgspec.json.Decoder(Candidate)
_TALLY: Final = msgspec.json.Decoder(Tally)
_TALLIES: Final = msgspec.json.Decoder(dict[str, Tally])


def standings(chain: Chain, bases: Iterable[str] | None = None) -> dict[str, Standing | None]:
    """Every family ever queued; None for one that was withdrawn."""
    return dict(_rows(chain, "SELECT base, standing FROM families", "base", bases))


def evidence(chain: Chain) -> dict[str, dict[str, str | None]]:
    """Every form that was ever at stake in a family, with its evidence as text; None for one that no longer is."""
    found: dict[str, dict[str, str | None]] = {}
    for family, word, text in chain.read("SELECT family, word, evidence FROM candidates ORDER BY row"):
        found.setdefault(family, {})[word] = text
    return found


def forms(chain: Chain, bases: Iterable[str]) -> dict[str, dict[str, bool]]:
    """Every form that was ever at stake in these families, and whether it still is."""
    found: dict[str, dict[str, bool]] = {}
    sql = "SELECT family, word, evidence IS NOT NULL FROM candidates"
    for family, word, at_stake in _rows(chain, sql, "family", bases):
        found.setdefault(family, {})[word] = bool(at_stake)
    return found


def candidates(texts: dict[str, str | None]) -> tuple[Candidate, ...]:
    """The forms at stake, of all that ever were."""
    return tuple([_EVIDENCE.decode(text) for text in texts.values() if text is not None])


def ballots(chain: Chain, bases: Iterable[str] | None = None) -> list[Ballot]:
    """Ballots in the order they were cast."""
    return [_ballot(row) for row in _rows(chain, f"SELECT {', '.join(COLUMNS)} FROM ballots", "family", bases)]


def ballots_by_id(chain: Chain, ids: Iterable[str]) -> dict[str, Ballot]:
    rows = _rows(chain, f"SELECT {', '.join(COLUMNS)} FROM ballots", "id", ids)
    return {row[0]: _ballot(row) for row in rows}


def decisions(chain: Chain, bases: Iterable[str] | None = None) -> dict[str, Decision]:
    """The decisions that were recorded, under the standing that their families have now."""
    rows = _rows(chain, "SELECT family, forms, rest FROM decisions", "family", bases)
    now = standings(chain, [row[0] for row in rows])
    return {
        family: Decision(family, now[family] or WITHDRAWN, _TALLIES.decode(forms), _TALLY.decode(rest))
        for family, forms, rest in rows
    }


def outcomes(chain: Chain) -> dict[str, Outcome]:
    """What the decided families came to, without the votes on each form."""
    return dict(chain.read("SELECT family, outcome FROM decisions ORDER BY row"))


def overrides(chain: Chain) -> dict[str, Override]:
    """The overrides that have not been lifted, by word."""
    current: dict[str, Override] = {}
    rows = chain.read("SELECT word, act, keeper, reason, at FROM overrides JOIN links ON link = number ORDER BY row")
    for word, act, keeper, reason, at in rows:
        if act == "lift":
            current.pop(word, None)
        else:
            current[word] = Override(word, act, keeper, reason, at)
    return current


def _ballot(row: tuple[Any, ...]) -> Ballot:
    id, family, curator, vote, forms, reason, at = row
    return Ballot(id, family, curator, vote, tuple(forms.split()), reason, at)


def _rows(chain: Chain, sql: str, column: str, names: Iterable[str] | None) -> list[tuple[Any, ...]]:
    """The rows of a query in the order they were appended; of these names alone, where some are given."""
    if names is None:
        return chain.read(f"{sql} ORDER BY row")
    chosen = {"names": msgspec.json.encode(list(names)).decode()}
    return chain.read(f"{sql} WHERE {column} IN (SELECT value FROM json_each(:names)) ORDER BY row", chosen)
