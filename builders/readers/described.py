"""Parts of speech and labels in a definition of no fixed format: "Cat /kat/ n. (informal) A tame animal"."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from builders.entry import Pos
from builders.readers.terms import SenseLabels, parse_gloss_labels, parse_labels, parse_parts_of_speech

_PRONUNCIATION: Final = re.compile(r"(?:[\s,;]*(?:/[^/\n]+/|\\[^\\\n]+\\|\[[^\]\n]+\](?=\s*[<(\w])))+")
_PART_OF_SPEECH: Final = re.compile(
    r"[\s,;]*(?:<(?P<angled>[a-z][a-z. &]*)>|\((?P<round>[a-z][a-z. &]*)\)"
    r"|(?P<short>(?:n|v|vb|a|adj|adv|prep|conj|pron|interj|pl|t|i)\.(?:[\s,&]+(?:n|v|a|adj|adv|t|i|pl)\.)*)"
    r"|(?P<long>noun|verb|adjective|adverb|pronoun|preposition|conjunction|interjection)\b(?=[\s,:;]))"
)
_BRACKETED: Final = re.compile(r"[\s,;:.\d]*[\[(<]([A-Za-z][^\[\]()<>]{2,40})[\])>]")


class ParsedDefinition(NamedTuple):
    """What a definition says of its word, and the definition without it."""

    pos: Pos
    labels: SenseLabels
    gloss: str


def parse_definition(word: str, text: str) -> ParsedDefinition:
    """What a definition says of its word before it defines it; the word may be repeated in front."""
    text = text.strip()
    if text[: len(word)].casefold() == word.casefold() and not text[len(word) : len(word) + 1].isalpha():
        text = text[len(word) :]
    if sounds := _PRONUNCIATION.match(text):
        text = text[sounds.end() :]
    pos: Pos = "other"
    said = SenseLabels()
    named = _PART_OF_SPEECH.match(text)
    if named and (parts := parse_parts_of_speech(named[0])):
        pos, said, text = parts[0], parse_labels(named[0]), text[named.end() :]
    at = 0
    while bracket := _BRACKETED.match(text, at):
        said, at = said.union(parse_labels(bracket[1])), bracket.end()
    gloss = " ".join(text.split()).lstrip(" ,;:")
    return ParsedDefinition(pos, said.union(parse_gloss_labels(gloss)), gloss)
