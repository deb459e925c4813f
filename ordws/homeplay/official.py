"""Home play of Scrabble I and O: the base in your dictionary, then any formative that the OSPD shows. (RULES 6.3)

The regular game goes by the players' reference alone.
"""

from __future__ import annotations

from ordws.homeplay.result import LookupRequest, WordRuling, allow, refuse
from ordws.homeplay.word_check import NotDerivable, WordCheck, find_base_derivations, find_compound_parts


def rule_by_reference(check: WordCheck) -> WordRuling | LookupRequest:
    """As in the regular game."""
    match check.in_reference:
        case None:
            return check.ask_reference()
        case True:
            return allow(check.word, "in-reference")
        case False:
            return refuse(check.word, "not-in-reference")


def rule_by_two_books(check: WordCheck) -> WordRuling | LookupRequest:
    """Two questions of two books, in the order in which a family would look."""
    if check.in_dictionary:
        return allow(check.word, "in-dictionary")
    if check.in_reference is False:
        return _refuse_missing(check)
    made = find_base_derivations(check)
    if isinstance(made, LookupRequest):
        return made
    if isinstance(made, NotDerivable) or not made:
        return check.ask_dictionary() if check.in_dictionary is None else refuse_without_base(check, made)
    if check.in_reference is None:
        return check.ask_reference()
    return allow(check.word, "formative-of-two" if len(made[0].base) == 2 else "formative", made[0])


def refuse_without_base(check: WordCheck, made: object, rule_prefix: str = "") -> WordRuling:
    """The word has no base in the dictionary; `of` begins the ids of the rule set's own sentences."""
    if isinstance(made, NotDerivable):
        return refuse(check.word, f"{rule_prefix}not-made-of", base=str(made))
    parts = find_compound_parts(check)
    if parts is not None:
        return refuse(check.word, f"{rule_prefix}compound", parts=" and ".join(parts))
    return refuse(check.word, f"{rule_prefix}no-base")


def _refuse_missing(check: WordCheck) -> WordRuling | LookupRequest:
    if check.in_dictionary is None:
        return check.ask_dictionary()
    made = find_base_derivations(check)
    if isinstance(made, tuple) and made:
        return refuse(check.word, "base-not-in-reference", made[0])
    return refuse(check.word, "in-neither")
