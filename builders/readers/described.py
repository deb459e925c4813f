"""Parts of speech and labels in a definition of no fixed format: "Cat /kat/ n. (informal) A tame animal"."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from builders.entry import Pos
from builders.readers.terms import Borne, labels_in, labels_of_gloss, parts_of_speech

_SOUNDS: Final = re.compile(r"(?:[\s,;]*(?:/[^/\n]+/|\\[^\\\n]+\\|\[[^\]\n]+\](?=\s*[<(\w])))+")
_NAMED: Final = re.compile(
    r"[\s,;]*(?:<(?P<angled>[a-z][a-z. &]*)>|\((?P<round>[a-z][a-z. &]*)\)"
    r"|(?P<short>(?:n|v|vb|a|adj|adv|prep|conj|pron|interj|pl|t|i)\.(?:[\s,&]+(?:n|v|a|adj|adv|t|i|pl)\.)*)"
    r"|(?P<long>noun|verb|adjective|adverb|pronoun|preposition|conjunction|interjection)\b(?=[\s,:;]))"
)
_BRACKETED: Final = re.compile(r"[\s,;:.\d]*[\[(<]([A-Za-z][^\[\]()<>]{2,40})[\])>]")


class Described(NamedTuple):
    """What a definition says of its word, and the definition without it."""

    pos: Pos
    said: Borne
    gloss: str


def described(word: str, text: str) -> Described:
    """What a definition says of its word before it defines it; the word may be repeated in front."""
    text = text.strip()
    if text[: len(word)].casefold() == word.casefold() and not text[len(word) : len(word) + 1].isalpha():
        text = text[len(word) :]
    if sounds := _SOUNDS.match(text):
        text = text[sounds.end() :]
    pos: Pos = "other"
    said = Borne()
    named = _NAMED.match(text)
    if named and (parts := parts_of_speech(named[0])):
        pos, said, text = parts[0], labels_in(named[0]), text[named.end() :]
    at = 0
    while bracket := _BRACKETED.match(text, at):
        said, at = said.with_(labels_in(bracket[1])), bracket.end()
    gloss = " ".join(text.split()).lstrip(" ,;:")
    return Described(pos, said.with_(labels_of_gloss(gloss)), gloss)
