"""Home play of Scrabble I and O: the base in your dictionary, then any formative that the OSPD shows. (RULES 6.3)

The regular game goes by the players' reference alone.
"""

from __future__ import annotations

from ordws.homeplay.case import Case, NotMadeOf, find_bases, find_parts
from ordws.homeplay.ruling import Ask, Ruling, allow, refuse


def rule_by_reference(case: Case) -> Ruling | Ask:
    """As in the regular game."""
    match case.in_reference:
        case None:
            return case.ask_reference()
        case True:
            return allow(case.word, "in-reference")
        case False:
            return refuse(case.word, "not-in-reference")


def rule_by_two_books(case: Case) -> Ruling | Ask:
    """Two questions of two books, in the order in which a family would look."""
    if case.in_dictionary:
        return allow(case.word, "in-dictionary")
    if case.in_reference is False:
        return _missing(case)
    made = find_bases(case)
    if isinstance(made, Ask):
        return made
    if isinstance(made, NotMadeOf) or not made:
        return case.ask_dictionary() if case.in_dictionary is None else without_base(case, made)
    if case.in_reference is None:
        return case.ask_reference()
    return allow(case.word, "formative-of-two" if len(made[0].base) == 2 else "formative", made[0])


def without_base(case: Case, made: object, of: str = "") -> Ruling:
    """The word has no base in the dictionary; `of` begins the ids of the rule set's own sentences."""
    if isinstance(made, NotMadeOf):
        return refuse(case.word, f"{of}not-made-of", base=str(made))
    parts = find_parts(case)
    if parts is not None:
        return refuse(case.word, f"{of}compound", parts=" and ".join(parts))
    return refuse(case.word, f"{of}no-base")


def _missing(case: Case) -> Ruling | Ask:
    if case.in_dictionary is None:
        return case.ask_dictionary()
    made = find_bases(case)
    if isinstance(made, tuple) and made:
        return refuse(case.word, "base-not-in-reference", made[0])
    return refuse(case.word, "in-neither")
