"""Words, books and players' answers that tests put to the home check in Python and in JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ordws.homeplay.affixes import EXTENDED, Affix
from ordws.homeplay.book import WordBook, read_book
from ordws.homeplay.formatives import find_candidate_bases
from ordws.rules.published_lists import DISALLOWED_THREES, DOVER_DISQUALIFIED, HEBREW_LETTERS, SPECIAL_PLURALS, TWOS_101
from ordws.rules.ruleset import RULE_SETS

VECTORS = Path(__file__).parents[1] / "vectors" / "homeplay"


def words_of(text: str) -> tuple[str, ...]:
    return tuple(text.split())


BASES = words_of("""
    ABASE ACT AIR AWE BAKE BALE BALER BASH BASIC BEAUTY BERRY BIRD BOUNCE BOY CALM CARRY CAT CHILD CRY CURE DANCE
    DEMO DIE DOG DRINK DRY DYE EAT FAITH FEED FLING FLY FROLIC FULL GATE GENTLE GLEE GRACE HAPPY HATE HEAT HOP HOPE
    HORSE IRE JOWL KNIFE LINT LINTY LOVE LOVER LUGE MOUSE NATION OZONE PAIN PANIC PENNY PLAY QUIZ RUN SEE SKI SKILL
    STOP TARGET TAX TIE TOE TRIM TRUE VOTE WEAVE WHOLE WOLF YODEL ZITI
""")
ENTRIES = """
word\tpart of speech\tentry\tlabel
vote\tv.\tmain
vote\tn.\tmain
lint\tn.\tmain
linty\tadj.\tmain
happy\tadj\tmain
calm\tadj\tsecondary
dry\tadj.\tmain
dry\tv.\tmain
bash\tv.\tmain
bashing\tn\tbash
bale\tv\tmain
baler\tn\tbale
demo\tn\tmain
demo\tv\tsecondary
luge\tn.\tmain
luge\tverb\tsecondary
ozone\tn\tmain
ire\tn
ziti\tn\tmain
fling\tv\tmain
gate\tn\tmain
gate\tv\tgate
hag\tn\tmain\tvulgar
jowl\tn\tmain\tinformal, offensive
jowl\tn\tmain
curse\tv\tmain\toffensive
tav\tn\tmain
aleph\tn\tmain
knee\tn\tmain
sock\tn\tmain
oz\u00f4ne\tn
""".lstrip()
BOOKS = {
    "plain": "\n".join(BASES),
    "stated": ENTRIES,
    "forms": "BASH\nBASHING\nBASHINGS\nOZONES\nDEMOED\nHAPPIER\nTAV\nTAVS\nAIS\nBS\n",
    "empty": "ZZYZX",
}
"""The players' books as files: words alone, all columns, inflected forms, nothing of use."""

NAMES = words_of("""
    BASHINGS REVOTE UNTRIM FLINGER JOWLED LINTIER ANTITAX MISFEED OUTEAT OVERMIX TOELESS BALERS EXPORTERS HOARDERS
    DEMOED LUGED BLADINGS DOPINGS GATINGS IRES OZONES SEDITIONS ZITIS PEACES KNEESOCK TAVS ALEPHS QOPHS HAG HAGS CURSED
    CURSES BS AS SI WO QAT QIVIUT QUAY TRANQ LOVERS HAPPIEST CALMEST LINTIEST DRIER CALMER UNHAPPY ZITI BASH BASHING
    EXES AIS KAYS GOING AXED DOES OHING GLUIER DOPIER HORSIER OWLETS
""")


def invented_words(chance: Random, affixes_a_base: int) -> Iterator[str]:
    """Return forms of the bases with every affix of the table, spelled right and wrong, some with a second affix."""
    affixes = [each for table in (EXTENDED.suffixes, EXTENDED.prefixes) for found in table.values() for each in found]
    for affix in affixes:
        for base in chance.sample(BASES, affixes_a_base):
            form = chance.choice(spellings(base, affix))
            yield form
            yield chance.choice(spellings(form, chance.choice(affixes)))


def spellings(base: str, affix: Affix) -> list[str]:
    if affix.spelling == "prefix":
        return [affix.letters + base]
    stems = [base, base[:-1], base + base[-1], base[:-1] + "I", *[base.removesuffix(ending) for ending in affix.drops]]
    return [stem + affix.letters for stem in stems]


def sample_words() -> list[str]:
    """Return the words of the judged sample, and those that the other vectors name."""
    found = []
    for name in ("judged.tsv", "judged_check.tsv", "derivations.tsv", "rulings.tsv"):
        lines = (VECTORS / name).read_text("utf-8").splitlines()
        found += [line.split("\t")[0] for line in lines if line and not line.startswith("#")]
    return found


def published_words() -> list[str]:
    listed = sorted(TWOS_101 | DISALLOWED_THREES | DOVER_DISQUALIFIED | HEBREW_LETTERS | SPECIAL_PLURALS)
    return [*listed, *[f"{letter}S" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]]


class HomeCase(NamedTuple):
    """A word with the books, or the player's answers, that it is looked up in."""

    word: str
    rules: str
    edition: str
    affixes: str
    exclusion: bool
    dictionary: str | tuple[dict[str, bool], dict[str, bool], dict[str, bool]]
    reference: str | dict[str, bool]


def all_combinations(words: tuple[str, ...]) -> list[HomeCase]:
    """Return every word with every kind of book and every answer about the players' reference."""
    found = []
    for word, rules, edition in product(words, ("scrabble-i", "dover"), ("print", "electronic")):
        base = next((each.base for each in find_candidate_bases(word)), word)
        found_base = {word: False, base: True}
        for dictionary, exclusion in (
            ("stated", False),
            ("plain", False),
            ((found_base, {}, {}), False),
            ((found_base, {}, {base: False}), False),
            ((found_base, {}, {base: True}), False),
            ((found_base, {}, {}), True),
        ):
            for reference in ({}, {word: True}, {word: False}):
                found.append(HomeCase(word, rules, edition, "extended", exclusion, dictionary, reference))
    return found


def cases(words: list[str], chance: Random, each: int) -> list[HomeCase]:
    """Return every word under some rule sets, editions and books, or answers of a player."""
    found = []
    for word in words:
        for _ in range(each):
            found.append(
                HomeCase(
                    word,
                    chance.choice([*RULE_SETS, "dover", "dover"]),
                    chance.choice(["print", "electronic"]),
                    chance.choice(["extended", "extended", "strict"]),
                    chance.random() < 0.1,
                    chance.choice(
                        [
                            *BOOKS,
                            random_answers(word, chance),
                            random_answers(word, chance),
                            random_answers(word, chance),
                        ]
                    ),
                    chance.choice([{}, {word: True}, {word: True}, {word: False}, "plain", "forms"]),
                )
            )
    return found


def random_answers(word: str, chance: Random) -> tuple[dict[str, bool], dict[str, bool], dict[str, bool]]:
    """Return random answers about a dictionary: on the word, on likely bases, and on a word that is no base."""
    looked_up = [each.base for each in find_candidate_bases(word)][: chance.randint(0, 8)]
    answers = dict.fromkeys(looked_up, False)
    if looked_up and chance.random() < 0.6:
        answers[looked_up[-1]] = True
    if chance.random() < 0.7:
        answers[word] = chance.random() < 0.2
    if chance.random() < 0.1:
        answers[chance.choice(BASES)] = True
    main_entries = {base: chance.random() < 0.5 for base in looked_up if chance.random() < 0.5}
    labels = {base: chance.random() < 0.2 for base in [word, *looked_up] if chance.random() < 0.7}
    return answers, main_entries, labels


def read_books(folder: Path) -> dict[str, WordBook]:
    """Return the books as Python reads them from their files."""
    books = {}
    for name, text in BOOKS.items():
        path = folder / f"{name}.txt"
        path.write_text(text, "utf-8")
        books[name] = read_book(path)
    return books


def to_page(answers: Any) -> Any:
    """Return a player's answers as they go to the page, in their order."""
    if isinstance(answers, tuple):
        names = ("answers", "main", "labels")
        return {name: [[*pair] for pair in said.items()] for name, said in zip(names, answers, strict=True)}
    return to_page((answers, {}, {})) if isinstance(answers, dict) else answers
