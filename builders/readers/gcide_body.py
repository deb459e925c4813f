"""The text of a GCIDE entry: its senses with their labels, and the run-on words at its end. (SOURCES 1c)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from builders.readers.gcide_head import Grammar, parse_grammar, strip_stresses
from builders.readers.gcide_labels import LABEL_BRACKET, SOURCE_TAG, UNLABELLED, parse_bracket
from builders.readers.terms import SenseLabels, parse_gloss_labels

_NON_DEFINITION_STARTS: Final = ("   Note:", "   Syn:", "   Usage:", "   {", "   -- {", "   --{")
_QUOTATION_INDENT: Final = " " * 9  # what stands further in than a definition, unless it is a lettered sense
_NEXT_HEAD: Final = re.compile(r"\] [A-Z][\w '-]*+\s*+\Z")  # the next headword, where it slipped in behind the last tag
_NUMBER: Final = re.compile(r"(?:^|\n)[^\S\n]*\d{1,2}\.\s")
_LETTER: Final = re.compile(r"(?:^|\n)[^\S\n]*\([a-z]\)\s")
_RUN_ON: Final = re.compile(r"--\s*\{([^{}]+)\},?\s+((?:[a-z]+\.[\s,&]*)+)(of\b)?((?:\[[^\[\]]*\]\s*)*)")
_FIRST_RUN_ON: Final = re.compile(r"--\s*\{[^{}]+\},?\s+[a-z]+\.")
_CITATION: Final = re.compile(r"--\s*[A-Z0-9(].*", re.DOTALL)
_CROSS_REFERENCE: Final = re.compile(r'"[^"]*"|\b(?:See|Cf\.|Compare|Same as)\b[^.]*\.?|^\W*as,.*', re.DOTALL)


class GcideSense(NamedTuple):
    """One sense, its labels and its definition without citations."""

    labels: SenseLabels
    gloss: str


class RunOn(NamedTuple):
    """A word printed undefined at the end of an entry: "-- {A*base"ment}, n."."""

    word: str
    grammar: Grammar
    labels: SenseLabels


def read_senses(body: str, shared: SenseLabels) -> list[GcideSense]:
    """The senses of an entry. One that is labelled half way is two, so that only a part bears the label."""
    return [meaning for text in _definitions(body) for meaning in _split_at_labels(text, shared)] or [
        GcideSense(shared, "")
    ]


def read_run_ons(body: str) -> Iterator[RunOn]:
    """The words that an entry prints undefined, each with its own labels."""
    for found in _RUN_ON.finditer(body) if "--" in body else ():
        labels = [parse_bracket(bracket) for bracket in LABEL_BRACKET.findall(found[4])]
        said = labels[0] if labels else UNLABELLED
        yield RunOn(strip_stresses(found[1]), parse_grammar(" ".join(found[2].split()), bool(found[3])), said)


def _definitions(body: str) -> Iterator[str]:
    """The text of each numbered or lettered sense, without quotations, notes, phrases and source tags."""
    if not body.rstrip().endswith("]"):
        body = _NEXT_HEAD.sub("]", body)
    beginning, *others = body.split("\n\n")
    text = "\n".join([beginning, *[paragraph for paragraph in others if _is_definition(paragraph)]])
    text = text.replace("[1913 Webster]", "")
    if "[" in text:
        text = SOURCE_TAG.sub("", text)
    if (first := _NUMBER.search(text)) and first[0].strip() == "1.":
        text = text[first.end() :]  # what stood before is left over from the head, unless the first sense has no number
    for sense in _NUMBER.split(text) if first else (text,):
        yield from _LETTER.split(sense) if "(a)" in sense else (sense,)


def _is_definition(paragraph: str) -> bool:
    if paragraph.startswith(_QUOTATION_INDENT):
        return bool(_LETTER.match(paragraph.lstrip()))
    return not paragraph.startswith(_NON_DEFINITION_STARTS)


def _split_at_labels(text: str, shared: SenseLabels) -> Iterator[GcideSense]:
    """A definition cut behind each label, which may stand in front of it as well."""
    if "--" in text and (run_on := _FIRST_RUN_ON.search(text)):
        text = text[: run_on.start()]
    begins, carried = 0, shared
    for bracket in LABEL_BRACKET.finditer(text) if "[" in text else ():
        said = parse_bracket(bracket[1])
        if said is UNLABELLED:
            continue
        gloss = _clean_gloss(text[begins : bracket.start()])
        begins = bracket.end()
        if gloss:
            yield GcideSense(said.union(shared).union(parse_gloss_labels(gloss)), gloss)
        else:
            carried = said.union(shared)
    rest = _clean_gloss(text[begins:])
    if rest and (not begins or carried is not shared or _is_substantial(rest)):
        yield GcideSense(carried.union(parse_gloss_labels(rest)), rest)


def _clean_gloss(text: str) -> str:
    if "--" in text:
        text = _CITATION.sub("", text)
    return " ".join(text.replace("{", "").replace("}", "").split()).strip(" ;,")


def _is_substantial(rest: str) -> bool:
    """Whether the text behind a label defines something still, and not only quotes or points elsewhere."""
    return len(_CROSS_REFERENCE.sub("", rest).split()) >= 3
