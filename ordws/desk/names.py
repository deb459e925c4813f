"""Finding an entrant by the little that a director types in a hurry. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ordws.errors import BadInput
from ordws.tournament.names import find_entrant, name_key
from ordws.tournament.state import Entrant, TournamentState

_MOST_NAMED: Final = 5


def pick_entrant(state: TournamentState, text: str, among: Iterable[int] | None = None) -> Entrant:
    """Return the one entrant, of all or of some, whose name's words begin as those typed; raise BadInput otherwise.

    "b lee" finds Ben Lee, and "lee" does where there is no other Lee. A whole name goes before the beginning of
    another, and `#7` is a number. A misspelt name is refused with those that are closest.
    """
    wanted = name_key(text)
    chosen = [state.entrants[number] for number in (among if among is not None else state.entrants)]
    found = [each for each in chosen if text.strip() == f"#{each.number}"]
    found = found or [each for each in chosen if name_key(each.name) == wanted]
    found = found or [each for each in chosen if wanted and _begins(name_key(each.name), wanted)]
    if len(found) == 1:
        return found[0]
    if not found and among is None:
        return find_entrant(state, text)
    if not found:
        raise BadInput(f'"{text.strip()}" plays in no game that can be meant')
    named = ", ".join(each.name for each in found[:_MOST_NAMED]) + (", ..." if len(found) > _MOST_NAMED else "")
    raise BadInput(f'"{text.strip()}" could be {named}', hint="type more of the name")


def _begins(name: str, wanted: str) -> bool:
    """Return whether each word typed begins a word of the name, in their order."""
    words = iter(name.split())
    return all(any(word.startswith(typed) for word in words) for typed in wanted.split())
