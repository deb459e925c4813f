"""Tests that hold the home check of the pages equal to ordws/homeplay: the same words, with all answers compared."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from pathlib import Path
from random import Random
from string import ascii_uppercase
from typing import Any

import msgspec
import pytest
from home_cases import (
    BASES,
    BOOKS,
    NAMES,
    HomeCase,
    all_combinations,
    cases,
    invented_words,
    published_words,
    read_books,
    sample_words,
    to_page,
)
from node_programs import run_in_page_modules

from ordws.api.public import describe_rule_set
from ordws.errors import BadSource
from ordws.fold import find_fold
from ordws.homeplay.affixes import EXTENDED, read_affixes
from ordws.homeplay.book import DictionaryEntry, PlayerAnswers, WordBook, read_book
from ordws.homeplay.decide import decide_word
from ordws.homeplay.formatives import WordDerivation, derivations_from, find_candidate_bases, find_derivations
from ordws.homeplay.word_check import LookupRequest, refuse_unplayable
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.web.pages import site

SETS = {"strict": read_affixes("strict"), "extended": EXTENDED}

ONE_STEP = 5
"""The length of a flat derivation of one step: base, word, affix, cost, all affixes."""

OPEN = """
  const names = ["affixes", "book", "fold", "formatives", "decide"];
  const modules = await Promise.all(names.map((name) => page(`${name}.js`)));
  const ruleData = modules.at(-1).ruleDataOf(rulesDocument, ...tables);
  const home = Object.assign({ ruleData, rulesDocument, tables }, ...modules);
"""
DERIVE = """([words, bases]) => words.map((word) => ["strict", "extended"].flatMap((name) => {
  const affixes = home.ruleData[name], derived = home.findDerivations(word, new Set(bases.book), affixes);
  const named = bases[word] ? home.findDerivationsFrom(word, bases[word], affixes) : [];
  const show = (made) => [made.base, ...made.steps.flatMap(Object.values), made.cost, home.affixOf(made)];
  return [derived, home.findCandidateBases(word, affixes), named].map((all) => all.map(show));
}))"""
RULE = """([texts, cases]) => {
  const books = {};
  for (const [name, text] of Object.entries(texts)) {
    books[name] = home.openBook(home.readBook(new TextEncoder().encode(text)).lines);
  }
  const shelf = (named) => books[named]
    ?? home.playerAnswers(new Map(named.answers), new Map(named.main), new Map(named.labels));
  return cases.map(([word, rules, edition, affixes, isExclusion, dictionary, reference]) => {
    const given = {
      dictionary: shelf(dictionary), reference: shelf(reference), edition, affixes, isExclusion,
      referenceName: "the open players' list",
    };
    const found = home.decideWord(home.ruleData, word, rules, given);
    return found.about ? { ...found, question: home.questionOf(home.ruleData.sentences, found) } : found;
  });
}"""
RULE_BY_OPTIONS = """([rules, words, text]) => {
  const data = home.ruleDataOf({ rules: { ...home.rulesDocument.rules, ...rules.rules } }, ...home.tables);
  const book = home.openBook(home.readBook(new TextEncoder().encode(text)).lines);
  return Object.keys(rules.rules).flatMap((id) =>
    words.map((word) => home.decideWord(data, word, id, { dictionary: book, reference: book })));
}"""
READ = """(files) => files.map(([bytes, words]) => {
  const read = home.readBook(new Uint8Array(bytes));
  if (read.fault) return read;
  const book = home.openBook(read.lines);
  return [read.words, words.map((word) => [
    book.has(word), book.kinds(word).sort(), ["noun", "verb", "adjective"].map((kind) => book.hasMainEntry(word, kind)),
    book.isOut(word), book.statesLabels,
  ])];
})"""


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[str, WordBook]:
    return read_books(tmp_path_factory.mktemp("books"))


def run(function: str, given: Any) -> Any:
    """Return what a function of the home check's modules, `home`, makes of a value."""
    files = [json.loads(site.site_file(f"/app/{name}.json").body) for name in ("rules", "affixes", "sentences")]
    script = f"async ([[rulesDocument, ...tables], given]) => {{ {OPEN} return ({function})(given); }}"
    return run_in_page_modules(script, [files, given])


def flat(found: tuple[WordDerivation, ...]) -> list[list[Any]]:
    return [[made.base, *[cell for step in made.steps for cell in step], made.cost, made.affix] for made in found]


def check_derivations(words: list[str]) -> Counter[str]:
    """Compare all derivations, candidates and named bases of some words; return how many there were."""
    book = frozenset(BASES)
    named = {word: found[-1].base for word in words if (found := find_candidate_bases(word))}
    seen: Counter[str] = Counter()
    for word, answer in zip(words, run(DERIVE, [words, named | {"book": sorted(book)}]), strict=True):
        expected = []
        for affixes in SETS.values():
            by_name = derivations_from(word, named[word], affixes) if word in named else ()
            expected += [
                flat(find_derivations(word, book, affixes)),
                flat(find_candidate_bases(word, affixes)),
                flat(by_name),
            ]
        assert answer == expected, word
        seen["derived" if expected[3] else "not"] += 1
        seen["strict"] += bool(expected[0])
        seen["by-steps"] += max([len(made) for made in expected[3]], default=0) > ONE_STEP
    return seen


@pytest.mark.parametrize("share", [12, pytest.param(1, marks=pytest.mark.long)])
def test_words_have_the_same_derivations(share):
    """The judged words and thousands of invented forms have the same derivations and candidates, in the same order.

    Random strings of letters, and of letters and affixes, have too.
    """
    chance = Random(20_261_121)
    words = [*NAMES, *[*sample_words(), *invented_words(chance, 3), *random_words(chance, 600)][::share]]
    seen = check_derivations(words)
    assert len(words) > 3_500 / share
    assert seen["derived"] > 500 / share < seen["not"]
    assert seen["strict"] > 50 / share < seen["by-steps"], seen


def random_words(chance: Random, count: int) -> Iterator[str]:
    """Yield random letters, and random affixes and bases behind each other, by turns."""
    parts = [*EXTENDED.suffixes, *EXTENDED.prefixes, *BASES]
    for _ in range(count // 2):
        yield "".join(chance.choices(ascii_uppercase, k=chance.randint(2, 21)))
        yield "".join(chance.choices(parts, k=chance.randint(1, 4)))[:21]


def check_rulings(books: dict[str, WordBook], home_cases: list[HomeCase]) -> Counter[str]:
    """Compare the rulings, questions and sentences of some cases; return how often each rule applied."""
    given = [(*case[:5], to_page(case.dictionary), to_page(case.reference)) for case in home_cases]
    seen: Counter[str] = Counter()
    for case, answer in zip(home_cases, run(RULE, [BOOKS, given]), strict=True):
        dictionary = books[case.dictionary] if isinstance(case.dictionary, str) else PlayerAnswers(*case.dictionary)
        reference = books[case.reference] if isinstance(case.reference, str) else PlayerAnswers(case.reference)
        found = decide_word(
            case.word,
            RULE_SETS[case.rules],
            dictionary,
            reference,
            case.edition,
            affixes=SETS[case.affixes],
            by_exclusion=case.exclusion,
            reference_name="the open players' list",
        )
        question = {"question": found.question} if isinstance(found, LookupRequest) else {}
        signs = answer.pop("signs", [])
        assert answer == json.loads(json.dumps(asdict(found))) | question, case
        assert len(signs) == max(len(answer.get("steps", [])) - 1, 0)
        seen[f"ask-{found.about}" if isinstance(found, LookupRequest) else found.rule] += 1
    return seen


@pytest.mark.parametrize("share", [6, pytest.param(1, marks=pytest.mark.long)])
def test_words_have_the_same_rulings(share, books):
    """Rulings are equal under all rule sets, editions and affixes, by files, by answers and by exclusion."""
    chance = Random(20_261_121)
    words = [*published_words(), *chance.sample(sample_words(), 200), *chance.sample([*invented_words(chance, 2)], 700)]
    found = [*all_combinations(NAMES), *cases([*NAMES, *words], chance, 2)]
    joined = all_combinations(("KNEESOCK",))  # the one word that is made of two bases
    seen = check_rulings(books, [*chance.sample(found, len(found) // share), *joined])
    assert seen.total() > 4_000 / share
    asks = {"ask-dictionary", "ask-main-entry", "ask-label", "ask-reference"}
    others = {"own-list-good", "own-list-out", "not-playable"}
    assert ({*run("() => Object.keys(home.ruleData.sentences.rules)", None)} | asks) - others == seen.keys()


def test_a_game_of_a_club_is_ruled_alike():
    """The words that a game allows and strikes out, its own twos and its labels decide alike."""
    options = {"allow": "ZIG,QI", "strike": "BASH,AB", "offensive": "disallowed"}
    rules = {id: with_options(each, options) for id, each in RULE_SETS.items()}
    described = {"rules": {id: describe_rule_set(each) for id, each in rules.items()}}
    words = ["ZIG", "QI", "BASH", "AB", "AS", "QB", "HAG", "HAGS"]
    rulings = run(RULE_BY_OPTIONS, [json.loads(msgspec.json.encode(described)), words, "hag\tn\tmain\tvulgar\n"])
    book = WordBook({"HAG": (DictionaryEntry("noun", True, True),)}, states_labels=True)
    for (id, word), answer in zip(product(rules, words), rulings, strict=True):
        found = decide_word(word, rules[id], book, book)
        assert answer["because"] == found.because, (id, word)
        assert (answer["rule"], answer["acceptable"]) == (found.rule, found.acceptable), (id, word)


def test_what_is_no_word_is_refused_alike():
    """A text that is not one word of letters is refused with the same sentence."""
    refused = run("(text) => home.refuseUnplayable(home.ruleData.sentences, text)", "can't")
    assert refused.pop("signs") == []
    assert refused == json.loads(json.dumps(asdict(refuse_unplayable("can't"))))


def test_files_are_read_alike(tmp_path):
    """The same files are books of the same words, and the same files are broken in the same line."""
    files = [*[text.encode() for text in FILES], b"bash\nvo\xff\n"]
    books = [read(tmp_path / "book.txt", raw) for raw in files]
    words = [[] if isinstance(book, BadSource) else sorted({*book.entries, "MISSING"}) for book in books]
    answers = run(READ, [[[*raw], looked_for] for raw, looked_for in zip(files, words, strict=True)])
    for raw, book, looked_for, answer in zip(files, books, words, answers, strict=True):
        if isinstance(book, BadSource):
            expected, line, found = [answer["fault"][name] for name in ("expected", "line", "found")]
            assert EXPECTED[expected].format(found) == book.expected, raw
            assert book.place == f"line {line}"
        else:
            assert answer == [len(book.entries), [looked_up(book, word) for word in looked_for]], raw


def read(path: Path, raw: bytes) -> WordBook | BadSource:
    path.write_bytes(raw)
    try:
        return read_book(path)
    except BadSource as bad:
        return bad


EXPECTED = {
    "word": 'expected a word of letters, found "{}"',
    "kind": 'expected a part of speech such as noun, found "{}"',
    "entry": 'expected main, secondary or a main entry, found "{}"',
    "words": "expected a word a line, found none{}",
    "columns": "expected at most four columns: word, part of speech, entry, label{}",
    "utf8": "expected UTF-8: save the file as UTF-8 text{}",
}
FILES = (
    *BOOKS.values(),
    "\n".join(sorted({*BASES, *NAMES}, reverse=True)),
    "bash\r\nvote\r",
    "\ufeffbash\nvôté\n",
    "a\nzz",
    "# mine\n\n  bash \n\t\nvote\t\ncat\t \t \t\n",
    "a\nad hoc\nmid-air\ncan't\netc.\nvote\n" + "z" * 22,
    "",
    "\n\n",
    "bash\nvote\nBASH\tn\nbash\tv\tsecondary\tvulgar\nbash",
    "cat\tV. T.\tCAT\t Vulgar,offensive \nCAT\tdet\tcats",
    "headword\tkind\ncat\tn",
    "word\ncat",
    "bash\nv0te\n",
    "bash\tnoum\n",
    "bash\tn\t7\n",
    "bash\tn\tmain\t\tmore\n",
    "bash\tn\tmain\t\t\t\n",
    "cat\tconstructor\n",
    "7\n",
    "straße\nÆON\nłódź\n",
    "cat\n" + "é" * 41 + "7\n",
    "\tn\n",
    "x" * 22,
    "# x\n",
)


def looked_up(book: WordBook, word: str) -> list[Any]:
    main = [book.has_main_entry(word, kind) for kind in ("noun", "verb", "adjective")]
    return [word in book, sorted(book.parts_of_speech(word)), main, book.is_offensive(word), book.states_labels]


def test_words_fold_alike():
    """Accents, ligatures and capitals make no difference, and both reject the same texts."""
    texts = [
        "bash",
        "Éclair",
        "éclair",
        "e\u0301clair",
        "straße",
        "ÆON",
        "Łódź",
        "ﬁsh",
        "can't",
        "c4t",
        "a",
        "é",
        "z" * 22,
        "ｃａｔ",
        "ŋaŋa",
        "ĳssel",
        "кот",
        "x" * 90,
        "\u0131dea",
        "na\u00efve",
        "",
        "ﬆop",
        "K\u0327at",
        "\u212bng",
    ]
    assert run("(texts) => texts.map((text) => home.fold(text))", texts) == [find_fold(text) for text in texts]


def test_a_book_of_entries_keeps_all_that_is_stated(books):
    """A book keeps the facts that rulings depend on: main and secondary entries, labels, several parts of speech."""
    stated = books["stated"]
    assert stated.entries["DEMO"] == (DictionaryEntry("noun", True), DictionaryEntry("verb", False))
    assert (stated.is_offensive("HAG"), stated.is_offensive("JOWL"), stated.has_main_entry("IRE", "noun")) == (
        True,
        False,
        None,
    )
