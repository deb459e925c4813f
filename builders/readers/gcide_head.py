r"""The head of a GCIDE entry: headwords, parts of speech and stated forms. (SOURCES 1c)

    Abacus \Ab"a*cus\ ([a^]b"[.a]*k[u^]s), n.; E. pl. {Abacuses}; L.
       pl. {Abaci} (-s[imac]). [L. abacus, abax, Gr. 'a`bax]
       1. A table or tray ...

What follows a respelling between backslashes is read piece by piece until one is no part of a head: there the
text of the entry begins.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from builders.entry import Label, Pos, Slot, StatedForm
from builders.readers.forms import complete_form
from builders.readers.gcide_labels import UNLABELLED, parse_bracket
from builders.readers.senses import NO_LABELS
from builders.readers.terms import SenseLabels, is_word, parse_parts_of_speech

_RESPELLED: Final = re.compile(r"[^\\()\[\]{}]{1,80}\\([^\\]{1,80})\\")
_ABBREVIATED: Final = (
    "n|a|v|t|i|adv|adj|p|pl|imp|pp|vb|prep|interj|pron|conj|prop|obs|pr|peop|pred|indef|interrog|rel|dem|poss|pers|ads"
    "|pret|pres|indic|subj|inf|superl|compar|comp|pref|suff|sing|masc|fem|m|f|contr|aux|impers|prenom|abbr|abbrev|num"
    "|def|etc"
)
_SPELLED_OUT: Final = "prefix|suffix|auxiliary|impersonal|predicate|definite|article|strong|3d|2d|1st|or|and|but"
_GRAMMAR: Final = rf"(?:(?:{_ABBREVIATED})\.|&|(?:{_SPELLED_OUT})\b\.?)(?!\s*\{{)"
_ALSO: Final = r"(?:(?:or|and|also|rarely|formerly|sometimes|usually|in|E|L|F|G|It|Sp|Eng|Heb|Gr|Obs|obs|R)\b[.,]*\s*)"
_PIECE: Final = re.compile(
    rf"""[\s,;:.]*(?:
    (?P<grammar>{_GRAMMAR}(?:[\s,]*{_GRAMMAR})*)
    |(?P<round>\((?:[^()]++|\([^()]*\))*+\))
    |(?P<square>\[(?:[^\[\]]++|\[[^\[\]]*\])*+\])
    |(?P<forms>(?:{_ALSO}{{0,3}}pl\.?[\s,]*(?:\([^()]*\)\s*)?|{_ALSO}{{1,3}}|(?<=,\ ))\{{[^{{}}]*\}}))""",
    re.VERBOSE,
)
_INFLECTED: Final = re.compile(r"\[\s*(?:imp|pres|p\. ?p|p\. ?a|pret|3d|[Cc]ompar|[Ss]uperl|pl)\b")
_FORM_OF: Final = re.compile(r"[\s,]*(?:of|for)\s[^{}\n.;]{0,25}\{")
_INFLECTION_NAME: Final = re.compile(r"\b(?:imp|pret|pres|p\. ?p|pp|p\. ?pr|vb\. n|pl|compar|comp|superl|pers)\b")
_NAME: Final = re.compile(r"\bprop\.|\bpeop\.|(?<!p\. )\bpr\. (?=n|a)")
_BRACED_FORM: Final = re.compile(r"(?<![^{}])([^{}]*+)\{([^{}]*+)\}")
_SIGNS: Final = re.compile(r"\[[^A-Za-z\]]*([A-Za-z]*)[^\]]*\]|[\"*`|]")  # "[e^]" is an e, the rest are stresses
_FILLERS: Final = frozenset(
    {
        "or",
        "and",
        "also",
        "rarely",
        "formerly",
        "sometimes",
        "usually",
        "later",
        "less",
        "properly",
        "commonly",
        "in",
        "the",
        "regular",
        "e",
        "l",
        "f",
        "g",
        "it",
        "sp",
        "eng",
        "heb",
        "gr",
        "obs",
        "obsolete",
        "obsolescent",
        "archaic",
        "colloq",
        "vulgar",
        "poetic",
        "r",
        "old",
        "etc",
    }
)
_VERBAL: Final[frozenset[Slot]] = frozenset({"third", "past", "participle", "gerund"})


class GcideHeadword(NamedTuple):
    """A headword under one or more parts of speech, with what its place in the head says of it."""

    word: str
    pos: tuple[Pos, ...]
    labels: frozenset[Label] = NO_LABELS
    forms: tuple[StatedForm, ...] = ()


class GcideHead(NamedTuple):
    """The headwords of an entry, the labels that all its senses share, and where its text begins."""

    headwords: tuple[GcideHeadword, ...]
    shared_labels: SenseLabels
    end: int


class Grammar(NamedTuple):
    """What the abbreviations behind a headword say: "prop. n. pl."."""

    pos: tuple[Pos, ...]
    labels: frozenset[Label]
    both_numbers: bool


def read_head(text: str) -> GcideHead:
    """The head that an entry begins with; without headwords where no respelling follows the first."""
    heads: list[GcideHeadword] = []
    shared, end = UNLABELLED, 0
    while found := _RESPELLED.match(text, end):
        behind = _HeadwordParser(strip_stresses(found[1]))
        end = behind.read(text, found.end())
        shared = shared.union(behind.labels)
        heads.append(behind.headword())
    return GcideHead(_share_parts_of_speech(heads), shared, end)


def strip_stresses(respelled: str) -> str:
    """A headword or form from its respelling: without stresses and accents, with its hyphens and apostrophes."""
    if "[" in respelled:
        return " ".join(_SIGNS.sub(r"\1", respelled).split())
    return " ".join(respelled.translate(_STRESSES).split())


_STRESSES: Final = str.maketrans("", "", '"*`|')


class _HeadwordParser:
    """What is read behind one respelling, up to the next one or to the text."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.grammar = ""
        self.is_form_of = False
        self.labels = UNLABELLED
        self.forms: list[StatedForm] = []
        self._slots: tuple[Slot, ...] = ()

    def read(self, text: str, at: int) -> int:
        """Where the pieces that belong to a head end."""
        while piece := _PIECE.match(text, at):
            match piece.lastgroup:
                case "grammar":
                    self.grammar += " " + piece["grammar"]
                    self.is_form_of = self.is_form_of or bool(_FORM_OF.match(text, piece.end()))
                case "square":
                    self._read_square(piece["square"])
                case "forms" if not self._add_stated_forms(piece["forms"]):
                    break
                case "round" if "pl. {" in piece["round"]:
                    self._add_stated_forms(piece["round"])
            at = piece.end()
        return at

    def _read_square(self, bracket: str) -> None:
        if _INFLECTED.match(bracket):
            self._add_stated_forms(bracket[1:-1])
        elif len(bracket) < 60:
            self.labels = self.labels.union(parse_bracket(bracket[1:-1]))

    def _add_stated_forms(self, text: str) -> bool:
        """Take the forms in braces as stated; false where the text says nothing of what they are."""
        for found in _BRACED_FORM.finditer(re.sub(r"\([^(){}]*\)", " ", text)):
            slots = _slots_before_brace(found[1])
            self._slots = () if slots is None else slots or self._slots
            form = complete_form(self.word, strip_stresses(found[2]))
            if form and is_word(form):
                self.forms += [StatedForm(form, slot) for slot in self._slots]
        return bool(self._slots)

    def headword(self) -> GcideHeadword:
        grammar = parse_grammar(" ".join(self.grammar.split()), self.is_form_of)
        own = (StatedForm(self.word, "plural"),) if grammar.both_numbers else ()
        return GcideHeadword(self.word, grammar.pos, grammar.labels, (*own, *self.forms))


@cache
def _slots_before_brace(before: str) -> tuple[Slot, ...] | None:
    """What the words before a brace call the form in it: () the same as the last, None nothing that is known."""
    if re.search(r"\b(?:of|from|See|see|Cf|thou|2d)\b", before):
        return None
    if re.search(r"\bp[.,]? ?pr\b|\bvb\b|prep\. & adv", before):
        return ("gerund",)
    named: dict[str, Slot] = {
        r"\b(?:imp|pret)\b": "past",
        r"\bp\. ?p\b|\bpp\b": "participle",
        r"\b[Cc]ompar": "comparative",
        r"\b[Ss]uperl": "superlative",
        r"\b3d\b": "third",
        r"\bpl\b": "plural",
    }
    slots = tuple(slot for pattern, slot in named.items() if re.search(pattern, before))
    if not slots and set(re.findall(r"[a-z]+", before.lower())) - _FILLERS:
        return None
    return slots


@cache
def parse_grammar(text: str, is_form_of: bool) -> Grammar:
    """The parts of speech and labels that abbreviations name; `points` where "of" and another word follow them."""
    labels: set[Label] = set()
    if _NAME.search(text):
        labels.add("proper")
    if "obs." in text:
        labels.add("obsolete")
    if "abbr" in text:
        labels.add("abbreviation")
    if re.search(r"\b(?:pref|suff)", text):
        labels.add("affix")
    both = bool(re.search(r"\bsing\., & pl|\bsing\. & pl", text))
    if re.search(r"\bpl\.", text) and not both and not re.search(r"imp|pres", text):
        labels.add("plural")
    if is_form_of and _INFLECTION_NAME.search(text):
        labels.add("inflection")
    return Grammar(_grammar_pos(text, is_form_of), frozenset(labels), both)


def _grammar_pos(text: str, is_form_of: bool) -> tuple[Pos, ...]:
    named = parse_parts_of_speech(re.sub(r"\bvb\. n\.", "n.", text))
    if named:
        return named
    if re.search(r"\b(?:compar|comp|superl)\b", text):
        return ("adjective",)
    if re.search(r"\b(?:imp|pret|pres|p\. ?p|pp|p\. ?pr|pers)\b", text):
        return ("verb",) if is_form_of or "imp" in text else ("adjective",)
    return ("noun",) if "pl." in text else ()


def _share_parts_of_speech(heads: list[GcideHeadword]) -> tuple[GcideHeadword, ...]:
    """Each head with the part of speech that it shares with the next, and the forms that are nearest to it."""
    if len(heads) == 1 and heads[0].pos:
        return tuple(heads)
    known: list[GcideHeadword] = []
    for head in reversed(heads):
        if not head.pos:
            shared = known[-1] if known else GcideHeadword("", ("other",))
            head = head._replace(pos=shared.pos, labels=head.labels | shared.labels)
        known.append(head)
    known.reverse()
    stated = [form for head in known for form in head.forms]
    if len(known) == 1 or not stated:
        return tuple(known)
    nearest = [max(known, key=lambda head: _common_prefix_length(head.word, form.form)) for form in stated]
    return tuple(
        head._replace(forms=tuple(form for form, near in zip(stated, nearest, strict=True) if near is head))
        for head in known
    )


def _common_prefix_length(one: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    same = [a == b for a, b in zip(one.lower(), other.lower(), strict=False)]
    return [*same, False].index(False)


def forms_for_pos(pos: Pos, forms: tuple[StatedForm, ...]) -> tuple[StatedForm, ...]:
    """The forms that a word can have under a part of speech."""
    match pos:
        case "verb":
            return tuple(form for form in forms if form.slot in _VERBAL)
        case "adjective" | "adverb":
            return tuple(form for form in forms if form.slot in {"comparative", "superlative"})
        case "noun" | "pronoun":
            return tuple(form for form in forms if form.slot == "plural")
        case "preposition" | "conjunction" | "interjection" | "determiner" | "numeral" | "other":
            return forms
