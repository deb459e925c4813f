"""GCIDE, the Collaborative International Dictionary of English, over dictd (docs/dictionaries.md 1b, 1c).

Its index is no list of headwords: its keys include inflected forms, cross references and phrases. The headwords are
read from the texts. Those of 1913 are all capitalised, so that the running text has to tell which of them are names.
Behind the head of an entry (`gcide_head`) follow its senses with their labels, and run-on words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from builders.readers.dictd import files as files
from builders.readers.dictd import read_definitions
from builders.readers.gcide_head import (
    LABEL_BRACKET,
    SOURCE_TAG,
    GcideHeadword,
    Grammar,
    forms_for_pos,
    is_from_wordnet,
    parse_bracket,
    parse_gcide_gloss,
    parse_grammar,
    read_head,
    strip_stresses,
)
from builders.readers.senses import Sense
from builders.readers.source_files import FaultHandler
from builders.readers.terms import UNLABELLED, SenseLabels, is_phrase, is_word
from ordws.errors import BadSource

_NON_DEFINITION_STARTS: Final = ("   Note:", "   Syn:", "   Usage:", "   {", "   -- {", "   --{")
_QUOTATION_INDENT: Final = " " * 9  # deeper than that of a definition; lettered senses have it too
_NEXT_HEAD: Final = re.compile(r"\] [A-Z][\w '-]*+\s*+\Z")  # the next headword, misplaced behind the last tag
_NUMBER: Final = re.compile(r"\n[^\S\n]*\d{1,2}\.\s")
_LETTER: Final = re.compile(r"\n[^\S\n]*\([a-z]\)\s")
_RUN_ON: Final = re.compile(r"--\s*\{([^{}]+)\},?\s+((?:[a-z]+\.[\s,&]*)+)(of\b)?((?:\[[^\[\]]*\]\s*)*)")
_FIRST_RUN_ON: Final = re.compile(r"--\s*\{[^{}]+\},?\s+[a-z]+\.")
_ACCENTED: Final = re.compile(r"""\[(?:["'`^=~.,/-]{1,2}([A-Za-z]{1,2})|([A-Za-z]{1,2})["'`^=~]|([AOao][Ee]))\]""")
_CITATION: Final = re.compile(r"--\s*[A-Z0-9(].*", re.DOTALL)
_CROSS_REFERENCE: Final = re.compile(r'"[^"]*"|\b(?:See|Cf\.|Compare|Same as)\b[^.]*\.?|^\W*as,.*', re.DOTALL)


class GcideSense(NamedTuple):
    """One sense: its labels, and its definition without citations."""

    labels: SenseLabels
    gloss: str


class RunOn(NamedTuple):
    """A word printed undefined at the end of an entry: "-- {A*base"ment}, n."."""

    word: str
    grammar: Grammar
    labels: SenseLabels


def read_senses(body: str, shared: SenseLabels) -> list[GcideSense]:
    """Return the numbered or lettered senses of an entry, at least one.

    Quotations, notes, phrases and source tags are left out. A sense with a label half way through becomes two senses,
    so that only its first part has the label.
    """
    if not body.rstrip().endswith("]"):
        body = _NEXT_HEAD.sub("]", body)
    text, *paragraphs = body.split("\n\n")
    for paragraph in paragraphs:
        if paragraph.startswith(_QUOTATION_INDENT):
            is_definition = bool(_LETTER.match("\n" + paragraph.lstrip()))
        else:
            is_definition = not paragraph.startswith(_NON_DEFINITION_STARTS)
        if is_definition:
            text += "\n" + paragraph
    text = "\n" + text.replace("[1913 Webster]", "")
    if "[" in text:
        # A letter with an accent is no label: "medi[ae]val", "a["e]rial".
        text = _ACCENTED.sub(lambda match: match[match.lastindex or 0], SOURCE_TAG.sub("", text))
    if (first := _NUMBER.search(text)) and first[0].strip() == "1.":
        # The text before it is a remainder of the head, unless the first sense has no number.
        text = "\n" + text[first.end() :]
    senses: list[GcideSense] = []
    for numbered in _NUMBER.split(text) if first else (text,):
        for lettered in _LETTER.split("\n" + numbered) if "(a)" in numbered else (numbered,):
            senses += _split_at_labels(lettered, shared)
    return senses or [GcideSense(shared, "")]


def read_run_ons(body: str) -> Iterator[RunOn]:
    """Yield the words that an entry prints undefined, each with its own labels."""
    # The search for the substring spares most entries the regular expression.
    for match in _RUN_ON.finditer(body) if "--" in body else ():
        labels = [parse_bracket(bracket) for bracket in LABEL_BRACKET.findall(match[4])]
        grammar = parse_grammar(" ".join(match[2].split()), bool(match[3]))
        yield RunOn(strip_stresses(match[1]), grammar, labels[0] if labels else UNLABELLED)


def _split_at_labels(text: str, shared: SenseLabels) -> Iterator[GcideSense]:
    """Yield a definition in parts, cut behind each label; a label in front of all text applies to what follows."""
    if "--" in text and (run_on := _FIRST_RUN_ON.search(text)):
        text = text[: run_on.start()]
    begins, carried = 0, shared
    for bracket in LABEL_BRACKET.finditer(text) if "[" in text else ():
        labels = parse_bracket(bracket[1])
        if labels is UNLABELLED:
            continue
        gloss = _clean_gloss(text[begins : bracket.start()])
        begins = bracket.end()
        if gloss:
            yield GcideSense(labels.union(shared).union(parse_gcide_gloss(gloss)), gloss)
        else:
            carried = labels.union(shared)
    rest = _clean_gloss(text[begins:])
    # Text behind a label may only quote or point elsewhere; three words or more besides define something.
    if rest and (not begins or carried is not shared or len(_CROSS_REFERENCE.sub("", rest).split()) >= 3):
        yield GcideSense(carried.union(parse_gcide_gloss(rest)), rest)


def _clean_gloss(text: str) -> str:
    if "--" in text:
        text = _CITATION.sub("", text)
    return " ".join(text.replace("{", "").replace("}", "").split()).strip(" ;,")


_ENCODING: Final = "cp1252"  # ASCII, but for three letters in quotations
_HEADWORD: Final = "expected a headword and its respelling between backslashes"
_VARIANT_BRACKET: Final = re.compile(
    r"\[(?:(?:[Ww]ritten|[Ss]pelled|[Ss]pelt)\s+also|Also\s+(?:written|spelled|spelt))\s([^][()]{2,120}?)[.,;]*\]"
)
_VARIANT_SEPARATOR: Final = re.compile(r"[\s,.;]+(?:or|and|also)\s+|[,;]\s*")
_NOT_PROSE: Final = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}|--\s*[A-Z][^\n]*")
_LETTERS: Final = bytes(byte if chr(byte).isalpha() and byte < 128 else 32 for byte in range(256))
_IN_A_SENTENCE: Final = re.compile(r" (?<=[a-z,;] )([A-Z][a-z]+) ?")  # a fixed first letter makes the search fast
_NAME_GLOSS: Final = re.compile(
    r".{0,30}?\b(?:[Gg]enus of\b"
    r"|(?:[Nn]atives?|[Ii]nhabitants?|[Pp]ertaining|[Rr]elating)\b[a-z ,]{0,40}?\b(?:of|in|to) (?:the )?[A-Z])"
)


class WordUsage(NamedTuple):
    """The spellings of words in running text, and how often each word has a capital inside a sentence."""

    spellings: set[bytes]
    capitalised: Counter[str]


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses in the order of the texts, without the entries that come from WordNet alone."""
    texts = list(read_definitions(files, _ENCODING, report))
    usage = WordUsage(set(), Counter())
    variants: dict[str, dict[str, None]] = {}
    # Usage and variants come from all texts first: "[Written also {honour}.]" in one entry holds for the word's other
    # parts of speech too (docs/rules.md A-37).
    for definition in texts:
        # Heads, brackets, cross references and names of authors are no running text.
        prose = _NOT_PROSE.sub(" ", definition.text.rpartition("\\")[2])
        usage.spellings.update(prose.encode("ascii", "replace").translate(_LETTERS).split())
        usage.capitalised.update(_IN_A_SENTENCE.findall(prose))
        also_written = [
            variant
            for bracket in _VARIANT_BRACKET.finditer(definition.text)
            for spelling in _VARIANT_SEPARATOR.split(" ".join(bracket[1].split()))
            if is_word(variant := spelling.strip("{}. ")) and variant != "etc"
        ]
        for head in read_head(definition.text).headwords[:1] if also_written else ():
            variants.setdefault(head.word, {}).update(dict.fromkeys(also_written))
    head_count = 0
    for definition in texts:
        text = definition.text
        if is_from_wordnet(text):
            continue
        heads, shared, end = read_head(text)
        head_count += len(heads)
        if not heads and "\\" in text.partition("\n\n")[0]:
            report(BadSource(str(files[1]), f"offset {definition.offset}", _HEADWORD))
        known = {head.word.lower() for head in heads}
        spellings = variants.get(heads[0].word, ()) if heads else ()
        # Another spelling has no stated forms: those in the head belong to the headword.
        others = [GcideHeadword(word, heads[0].pos, heads[0].labels) for word in spellings if word.lower() not in known]
        yield from (Sense(head.word, "other") for head in heads if is_phrase(head.word))
        body = text[end:]
        if words := [head for head in (*heads, *others) if is_word(head.word)]:
            senses = read_senses(body, shared)
            for head in words:
                # "[Written also coombe.]" at a valley says nothing of a comb for the hair.
                is_named = re.compile(rf"\b{re.escape(head.word)}\b").search if head in others else None
                for sense in _headword_senses(head, senses, usage):
                    is_own = is_named is None or is_named(text, 0, end) or is_named(sense.gloss)
                    yield sense if is_own else sense._replace(gloss="")
        for word, grammar, own_labels in read_run_ons(body):
            if is_word(word):
                labels = shared.union(own_labels)
                for pos in grammar.pos or ("other",):
                    yield Sense(word, pos, grammar.labels | labels.labels, labels.partial, run_on=True)
    if not head_count:
        raise BadSource(str(files[1]), "offset 0", f"{_HEADWORD}, found no text with one")


def _headword_senses(head: GcideHeadword, senses: list[GcideSense], usage: WordUsage) -> Iterator[Sense]:
    word, positions, labels, forms = head
    # A name is never written small, and is written or explained as names are.
    is_never_small = not word.islower() and word.lower().encode() not in usage.spellings
    if is_never_small and (usage.capitalised[word] >= 2 or _NAME_GLOSS.match(senses[0].gloss)):
        labels |= {"capitalised"}
    if word.isupper():
        labels |= {"abbreviation"}
    for pos in positions:
        stated = forms_for_pos(pos, forms) if forms else ()
        for own_labels, gloss in senses:
            shown = f"form {gloss}" if gloss.startswith("of ") and "inflection" in labels else gloss
            yield Sense(word, pos, labels | own_labels.labels, own_labels.partial, shown, stated)
