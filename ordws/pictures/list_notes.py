"""Notes on the published lists: why words of Dover's are out, and groups to remember two-letter words by.

The facts are those of the rule books (docs/rules.md 6.6, 6.7), the wording is this project's.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_NEW: Final = "not in the dictionary's older edition"
_ONE_BOOK: Final = "missing from a second dictionary"
_SPELLING: Final = "rejected by a spell checker"

DISQUALIFIED_REASONS: Final[dict[str, str]] = {
    "AA": f"a Hawaiian word; {_NEW}; {_SPELLING}",
    "AE": f"a Scots word; {_NEW}; {_SPELLING}",
    "JO": f"a Scots word, which dictionaries took in for the game's sake; {_NEW}; {_SPELLING}",
    "PE": f"a Hebrew letter; {_SPELLING}",
    "QI": f"a Chinese word; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "SI": f"a French name of a note; {_ONE_BOOK}; {_SPELLING}",
    "WO": f"an old way to misspell WOE; {_ONE_BOOK}; {_SPELLING}",
    "ZA": f"a clipping that the director finds silly; {_NEW}; {_SPELLING}",
    "AZO": "retired: seen on too many boards",
    "DEX": f"slang; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "DIS": f"from one dialect of American English; {_NEW}; {_SPELLING}",
    "HOS": f"from one dialect of American English; {_NEW}; {_SPELLING}",
    "IGG": f"from one dialect of American English; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "JEE": f"an exclamation with an odd spelling; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "MEM": "a Hebrew letter",
    "POO": f"vulgar, and not even in the older OSPD; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "QOPH": "a Hebrew letter",
    "SUQ": f"another spelling of SOUK; {_NEW}; {_SPELLING}",
    "TAV": "a Hebrew letter",
    "VAU": "a Hebrew letter",
    "VAV": "a Hebrew letter",
    "WAW": "a Hebrew letter",
    "ZAG": f"half of ZIGZAG; {_NEW}; {_SPELLING}",
    "ZIG": f"half of ZIGZAG; {_NEW}; {_SPELLING}",
    "ZEP": f"a sandwich of one region; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "ZOA": "retired: seen on too many boards",
}
"""The reason for each of `DOVER_DISQUALIFIED`. A club may take any of them back with the option `allow`."""


class WordGroup(NamedTuple):
    """Some words of a list that are easily remembered together."""

    name: str
    words: tuple[str, ...]
    """In alphabetical order."""


_GROUPS: Final = (
    ("names of our letters", "AR EF EL EM EN EX"),
    ("Greek letters", "MU NU PI XI"),
    ("notes of the scale, beside DO and SO", "FA LA MI RE TI"),
    ("sounds that people make", "AH AW EH ER HA HO OH OW SH UH UM YO"),
    ("long words cut short: abdominal, agriculture, bisexual, education", "AB AG BI ED"),
    (
        "rare: a sloth (AI), some 500 metres in China (LI), a bone or mouth (OS), thanks (TA), an old DO (UT)",
        "AI LI OS TA UT",
    ),
    ("rarer: TI by another name (SI), an old WOE (WO)", "SI WO"),
    ("letters, too: the Hebrew FE and PE, and XU, which is money", "FE PE XU"),
    ("sounds without a vowel", "HM MM"),
    ("new finds: a life force (QI), a pizza (ZA), half of OP ART (OP)", "OP QI ZA"),
    ("from Scots, Yiddish and other tongues", "AA AE BA DE ET JO KA KI NA NE OD OE OI OM OY UN YA"),
    ("others that only the regular game has", "AL BO ES MO"),
)


def group_two_letter_words(twos: frozenset[str]) -> list[WordGroup]:
    """Return two-letter words in groups: first those that everybody knows, then those to learn; no word twice."""
    groups = [WordGroup(name, tuple([word for word in text.split() if word in twos])) for name, text in _GROUPS]
    learnt = {word for _, words in groups for word in words}
    return [group for group in (WordGroup("everyday words", tuple(sorted(twos - learnt))), *groups) if group.words]
