"""The pseudonyms of entrants at the word judge, which counts games and turns by them. Pure.

Whoever enters with a member number has one pseudonym in all events under one key: a keyed digest of the number and the
name together. So neither two people of one name nor a mistyped number that is somebody else's brings the games of two
people together; a slip parts one person's. Everybody else has a pseudonym of the event.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from ordws.tournament import facts as f
from ordws.tournament.fold import find_undone
from ordws.tournament.names import name_key

_DIGEST_LETTERS: Final = 32


def event_pseudonym(event: str, entrant: int) -> str:
    """Return the pseudonym of an entrant in one event, which outlives an erased name; `event` is the event's key."""
    return f"{event[:16]}-{entrant}"


def person_pseudonym(key: bytes, member: str, name: str) -> str:
    """Return the pseudonym of a person in all events under a key; the parts of the name may stand in any order."""
    person = f"{member}\n{' '.join(sorted(name_key(name).split()))}"
    return f"p-{hmac.digest(key, person.encode(), sha256).hex()[:_DIGEST_LETTERS]}"


def pseudonyms_before(facts: Sequence[f.RecordedFact], number: int, key: bytes | None) -> Mapping[int, str]:
    """Return the pseudonym of each entrant as it was before the fact `number`; without a key they are the event's.

    A game is played under the pseudonyms of its draw, whatever is put right meanwhile: the word judge opens the game of
    a table once, for the same players. Erased entrants have the event's.
    """
    event, known = facts[0].command, facts[: number - 1]
    undone = find_undone(known)
    people: dict[int, f.Entered | f.Renamed] = {
        each.fact.entrant: each.fact
        for each in known
        if isinstance(each.fact, f.Entered | f.Renamed) and each.number not in undone
    }
    return {
        entrant: person_pseudonym(key, fact.member, fact.name)
        if key is not None and fact.member and fact.name
        else event_pseudonym(event, entrant)
        for entrant, fact in people.items()
    }


def entrants_behind(facts: Sequence[f.RecordedFact], pseudonym: str, key: bytes | None, since: int) -> set[int]:
    """Return the entrants who were paired under a pseudonym from `since` on, in seconds since 1970.

    Two stand behind one pseudonym where a number was given to another entrant in the course of the event.
    """
    found = set()
    for each in facts:
        if isinstance(each.fact, f.Published | f.PairedLate) and each.at >= since:
            drawn = each.fact.pairings if isinstance(each.fact, f.Published) else (each.fact.pairing,)
            paired = {entrant for pairing in drawn for entrant in pairing[1:]}
            names = pseudonyms_before(facts, each.number, key)
            found |= {entrant for entrant in paired if names[entrant] == pseudonym}
    return found
