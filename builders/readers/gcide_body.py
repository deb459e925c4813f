"""The text of a GCIDE entry: senses with their labels, and the run-on words at its end (docs/dictionaries.md 1c)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from builders.readers.gcide_head import Grammar, parse_grammar, strip_stresses
from builders.readers.gcide_labels import LABEL_BRACKET, SOURCE_TAG, parse_bracket, parse_gcide_gloss
from builders.readers.terms import UNLABELLED, SenseLabels

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
