"""Names of entrants: how they are kept, compared, and found again when misspelt. Pure."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from ordws.errors import BadInput
from ordws.tournament.state import Entrant, TournamentState

LONGEST_NAME: Final = 60
LONGEST_MEMBER: Final = 32
_MOST_NAMED: Final = 5
_MOST_DOUBLES: Final = 20
"""The pairs of names alike that are told: nobody reads more."""

_SHORTEST: Final = 6
"""The letters from which one of them may be a slip: "Ann Lee" and "Anne Lee", but not "Ann" and "Jan"."""


_PLAIN: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}) | {
    ord(quote): "" for quote in "'\u2019\u02bc`"
}
"""Letters that have no accent to take off, as they are typed without them; an apostrophe is left out."""

_DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2012\u2013\u2014\u2212", "-"))
"""The dashes that word processors put in place of a hyphen."""


def clean_name(text: str, what: str = "name") -> str:
    """Return a name as it is kept: composed, without double or outer spaces; raise BadInput for one that cannot be."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    # Marks that turn the direction of writing would turn what stands behind the name in a list, too.
    turns = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    if any(
        unicodedata.category(letter) in ("Cc", "Cs", "Co", "Cn") or unicodedata.bidirectional(letter) in turns
        for letter in name
    ):
        raise BadInput(f"the {what} {name!r} has characters that cannot be printed")
    if len(name) > LONGEST_NAME:
        raise BadInput(f'the {what} "{name[:20]}..." has {len(name)} characters, and {LONGEST_NAME} are the most')
    return name


def clean_entrant_name(text: str) -> str:
    """Return the name of an entrant as it is kept; raise BadInput for an empty one, and for one like "#7"."""
    name = clean_name(text)
    if all(unicodedata.category(letter)[0] in "CMZ" for letter in name):
        raise BadInput("the name of an entrant is empty")
    if name.startswith("#"):
        raise BadInput(f'the name "{name}" begins with "#", which stands for the number of an entrant')
    return name


def turn_name(text: str) -> str:
    """Return a name whose family name comes first, before a comma, as it is said: "Orr, Gus" is Gus Orr."""
    family, _, given = text.partition(",")
    return f"{given.strip()} {family.strip()}".strip()


def clean_member(text: str) -> str:
    """Return a member number as it is kept: in capitals, without spaces; raise BadInput for one that cannot be.

    Zeros in front stay, and so do signs: "1-23" and "12-3" are the numbers of two people. The error does not name the
    number.
    """
    member = "".join(unicodedata.normalize("NFKC", text).upper().translate(_DASHES).split())
    if not all(letter.isalnum() or letter in "-./_" for letter in member):
        raise BadInput("a member number has letters, digits and the signs - . / _ alone")
    if member and not any(letter.isalnum() for letter in member):
        raise BadInput("a member number has a letter or a digit", hint="leave it empty for a player who has none")
    if len(member) > LONGEST_MEMBER:
        raise BadInput(f"the member number has {len(member)} characters, and {LONGEST_MEMBER} are the most")
    return member


@lru_cache(maxsize=1 << 15)
def name_key(name: str) -> str:
    """Return the form by which names are compared: case, accents, spaces and punctuation do not matter.

    The number that stands for an erased name, as in "#7", is like no name.
    """
    if name.startswith("#") and name[1:].isdecimal():
        return name
    letters = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN))
    plain = "".join([each for each in letters if not unicodedata.combining(each)])
    return " ".join("".join([each if each.isalnum() else " " for each in plain]).split()) or plain


def find_entrant(state: TournamentState, text: str, among: Iterable[int] | None = None) -> Entrant:
    """Return the one entrant, of all or of some, whose name's words begin as those typed; raise BadInput otherwise.

    "b lee" finds Ben Lee, and "lee" does where there is no other Lee. A whole name goes before the beginning of
    another, and `#7` is a number. A misspelt name is refused with those that are closest.
    """
    typed = text.strip()
    wanted = name_key(typed)
    if among is None and wanted in state.numbers_by_name:  # at once, of thousands too
        return state.entrants[state.numbers_by_name[wanted]]
    chosen = [state.entrants[number] for number in (among if among is not None else state.entrants)]
    found = [each for each in chosen if typed == f"#{each.number}"]
    found = found or [each for each in chosen if name_key(each.name) == wanted]
    found = found or [each for each in chosen if wanted and _begins(name_key(each.name), wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        named = ", ".join([each.name for each in found[:_MOST_NAMED]]) + (", ..." if len(found) > _MOST_NAMED else "")
        raise BadInput(f'"{typed}" could be {named}', hint="type more of the name")
    if among is not None:
        raise BadInput(f'"{typed}" plays in no game that can be meant')
    near = [state.numbers_by_name[key] for key in get_close_matches(wanted, state.numbers_by_name, n=3, cutoff=0.6)]
    shown = " or ".join([f'"{state.name_of(number)}" (#{number})' for number in near])
    hint = f"did you mean {shown}?" if near else "names are listed by: ordws tournament status FILE"
    raise BadInput(f'"{typed}" is no entrant', hint=hint)


def _begins(name: str, wanted: str) -> bool:
    """Return whether each word typed begins a word of the name, in their order."""
    words = iter(name.split())
    return all(any(word.startswith(typed) for word in words) for typed in wanted.split())


def find_doubles(state: TournamentState, new: Collection[int] | None = None) -> list[tuple[str, str]]:
    """Return the pairs of names so alike that one person may have been entered twice: the first few of them.

    Alike are names of the same parts in any order, with at most one letter more, less, other or exchanged. `new` are
    the numbers of those who are compared with all; None stands for everybody.
    """
    alike: dict[str, list[int]] = defaultdict(list)
    kept = {number: _variants(each.name) for number, each in sorted(state.entrants.items()) if not each.erased}
    compared = [number for number in kept if new is None or number in new]
    wanted = {variant for number in compared for variant in kept[number]}
    for number, variants in kept.items():
        for variant in variants & wanted:
            alike[variant].append(number)
    pairs = set[tuple[int, int]]()
    for number in compared:
        # A few of each are enough, so that thousands who are alike cost no more than others.
        near = [other for variant in kept[number] for other in alike[variant][: _MOST_DOUBLES + 1]]
        pairs |= {(min(number, other), max(number, other)) for other in near if other != number}
        if len(pairs) >= _MOST_DOUBLES:
            break
    return [(state.name_of(one), state.name_of(other)) for one, other in sorted(pairs)[:_MOST_DOUBLES]]


@lru_cache(maxsize=1 << 15)
def _variants(name: str) -> frozenset[str]:
    """Return what two names have in common where they are alike: their letters, and those without one of them."""
    letters = "".join(sorted(name_key(name).split()))
    # Two that differ so are equal after a letter is left out of either; digits tell people apart.
    shorter = [letters[:at] + letters[at + 1 :] for at, letter in enumerate(letters) if letter.isalpha()]
    return frozenset({letters, *(shorter if len(letters) >= _SHORTEST else ())})
