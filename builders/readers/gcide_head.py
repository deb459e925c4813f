r"""The head of a GCIDE entry, and the brackets of its text: headwords, stated forms, labels and sources.

    Abacus \Ab"a*cus\ ([a^]b"[.a]*k[u^]s), n.; E. pl. {Abacuses}; L.
       pl. {Abaci} (-s[imac]). [L. abacus, abax, Gr. 'a`bax]
       1. A table or tray ...

What follows a respelling between backslashes is read piece by piece until a piece is no part of a head: there the text
of the entry begins. Brackets hold labels, origins, and tags that name the work that a paragraph comes from
(docs/dictionaries.md 1c).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from builders.entry import Label, Pos, Slot, StatedForm
from builders.readers.senses import NO_LABELS
from builders.readers.terms import (
    UNLABELLED,
    SenseLabels,
    complete_form,
    is_word,
    parse_gloss_labels,
    parse_labels,
    parse_parts_of_speech,
)

SOURCE_TAG: Final = re.compile(r"\[(?=[^\[\]{}]*+\])([^\[\]{}]*(?:Webster|WordNet|PJC|Century Dict)[^\[\]{}]*)\]")
LABEL_BRACKET: Final = re.compile(r"\[([A-Za-z][^\[\]{}]{0,70})\]")

_GCIDE_TERMS: Final = {
    "R": "rare",
    "Prov": "dialect",
    "Prev": "dialect",
    "Local": "dialect",
    "Scot": "dialect",
    "Scotch": "dialect",
    "North of Eng": "dialect",
    "dialectic": "dialect",
    "Obs": "obsolete",
    "obs": "obsolete",
    "Obsoles": "archaic",
    "obsolescent": "archaic",
    "Obsolescent": "archaic",
    "Poet": "poetic",
    "Cant": "slang",
    "cant": "slang",
    "Low": "slang",
    "Vulgar": "slang",
    "Collog": "colloquial",
    "Trade name": "trademark",
    "capitals": "abbreviation",
}
"""Terms of 1913. "Low" and, with a capital, "Vulgar" described speech (they stand at NOODLE and LOUSILY) and are no
reason to exclude a word. Later editors write "vulgar" of what is vulgar today."""

_GCIDE_TERM: Final = re.compile(r"\b(?:" + "|".join(_GCIDE_TERMS) + r")\b")
_REMARK_WORDS: Final = (
    r"(?:(?:an?|the|it|is|in|as|and|or|but|now|older|term|very|highly|always|invariably|usually|generally|often|sometimes"
    r"|used|taken|considered|intended|interpreted|disparaging(?:ly)?|derogator(?:y|ily)|contemptuous(?:ly)?|insulting"
    r"|\(\d{4}\))[ ,]+)*+"
)
_REMARK_TERMS: Final = ("offensive", "obscene", "vulgar", "ethnic slur")
_USAGE_REMARK: Final = re.compile(
    r"(?:--\s*|[.;,]\s(?=[^.;]*\b(?:considered|intended)\b))"
    rf"({_REMARK_WORDS}(?:{'|'.join(_REMARK_TERMS)})\b)"
    r"(?=[.;,]|$| (?:and|or|by|term|name|word|designation|expression)\b)",
    re.IGNORECASE,
)
"""What a later editor says at the end of a definition: "-- now (1998) usually considered offensive"."""

_ETYMOLOGY: Final = re.compile(
    r"\b(?:fr|cf|Cf|akin|from|From|See|see|Written|written|Called|called|Also|Pref|pref|contr|corrupt|dim|Perh|perh"
    r"|Prob|prob|L|LL|NL|Gr|F|OF|E|OE|ME|AS|D|OD|G|OHG|MHG|Sp|Pg|It|Icel|Sw|Dan|Skr|W|Gael|Ir|Heb|Ar|Per|Turk|Russ"
    r"|uncertain|origin|word)\b(?! & Scot)|[+?=]"
)


@cache
def parse_bracket(text: str) -> SenseLabels:
    """Return the labels that a bracket holds; none if it tells an origin or another spelling."""
    if _ETYMOLOGY.search(text):
        return UNLABELLED
    labels = parse_labels(_GCIDE_TERM.sub(lambda match: _GCIDE_TERMS[match[0]], text))
    if "abbreviation" in labels.labels and " " in text:
        return UNLABELLED  # "Abbrev. from ..." tells an origin
    return labels


def parse_gcide_gloss(gloss: str) -> SenseLabels:
    """Return the labels that a definition gives its sense, also in the words of a later editor at its end."""
    labels = parse_gloss_labels(gloss)
    lowered = gloss.lower()
    for remark in _USAGE_REMARK.findall(gloss) if any(map(lowered.__contains__, _REMARK_TERMS)) else ():
        labels = labels.union(parse_labels(remark))
    return labels


def is_from_wordnet(text: str) -> bool:
    """Tell whether an entry comes from WordNet alone, so that it is no independent source beside WordNet.

    Such entries are dropped (docs/dictionaries.md Decision 7).
    """
    if "WordNet" not in text:
        return False
    tags = SOURCE_TAG.findall(text)
    return bool(tags) and all(" ".join(tag.split()) in {"WordNet 1.5", "WordNet 1.6"} for tag in tags)


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
    """A headword under one or more parts of speech, with its labels and stated forms."""

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
    """The meaning of the abbreviations behind a headword: "prop. n. pl."."""

    pos: tuple[Pos, ...]
    labels: frozenset[Label]
    both_numbers: bool


def read_head(text: str) -> GcideHead:
    """Return the head at the beginning of an entry; without headwords if no respelling follows the first."""
    heads: list[GcideHeadword] = []
    shared, end = UNLABELLED, 0
    while respelled := _RESPELLED.match(text, end):
        parser = _HeadwordParser(strip_stresses(respelled[1]))
        end = parser.read(text, respelled.end())
        shared = shared.union(parser.labels)
        grammar = parse_grammar(" ".join(parser.grammar.split()), parser.is_form_of)
        # "sing. & pl." states that the plural is spelled like the headword.
        own = (StatedForm(parser.word, "plural"),) if grammar.both_numbers else ()
        heads.append(GcideHeadword(parser.word, grammar.pos, grammar.labels, (*own, *parser.forms)))
    # A head without a part of speech has that of the next.
    known: list[GcideHeadword] = []
    for head in reversed(heads):
        if not head.pos:
            following = known[-1] if known else GcideHeadword("", ("other",))
            head = head._replace(pos=following.pos, labels=head.labels | following.labels)
        known.append(head)
    known.reverse()
    stated = [form for head in known for form in head.forms]
    if len(known) == 1 or not stated:
        return GcideHead(tuple(known), shared, end)
    # Each stated form belongs to the head nearest in spelling: with the most letters in common at the beginning.
    nearest = []
    for form in stated:
        pairs = [zip(head.word.lower(), form.form.lower(), strict=False) for head in known]
        common = [[*[one == other for one, other in pair], False].index(False) for pair in pairs]
        nearest.append(known[common.index(max(common))])
    known = [
        head._replace(forms=tuple(form for form, near in zip(stated, nearest, strict=True) if near is head))
        for head in known
    ]
    return GcideHead(tuple(known), shared, end)


def strip_stresses(respelled: str) -> str:
    """Return a headword or form without the stresses and accents of its respelling; hyphens and apostrophes stay."""
    if "[" in respelled:
        return " ".join(_SIGNS.sub(r"\1", respelled).split())
    return " ".join(respelled.translate(_STRESSES).split())


_STRESSES: Final = str.maketrans("", "", '"*`|')


class _HeadwordParser:
    """A reader of the pieces behind one respelling, up to the next respelling or to the text."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.grammar = ""
        self.is_form_of = False
        self.labels = UNLABELLED
        self.forms: list[StatedForm] = []
        self._slots: tuple[Slot, ...] = ()

    def read(self, text: str, at: int) -> int:
        """Read all pieces that belong to the head and return the index at which they end."""
        while piece := _PIECE.match(text, at):
            match piece.lastgroup:
                case "grammar":
                    self.grammar += " " + piece["grammar"]
                    self.is_form_of = self.is_form_of or bool(_FORM_OF.match(text, piece.end()))
                case "square" if _INFLECTED.match(piece["square"]):
                    self._add_stated_forms(piece["square"][1:-1])
                case "square" if len(piece["square"]) < 60:  # longer brackets tell an etymology
                    self.labels = self.labels.union(parse_bracket(piece["square"][1:-1]))
                case "forms" if not self._add_stated_forms(piece["forms"]):
                    break
                case "round" if "pl. {" in piece["round"]:
                    self._add_stated_forms(piece["round"])
            at = piece.end()
        return at

    def _add_stated_forms(self, text: str) -> bool:
        """Add the forms in braces; returns False if the last one is of no inflection that is known."""
        for match in _BRACED_FORM.finditer(re.sub(r"\([^(){}]*\)", " ", text)):
            slots = _slots_before_brace(match[1])
            self._slots = () if slots is None else slots or self._slots
            form = complete_form(self.word, strip_stresses(match[2]))
            if form and is_word(form):
                self.forms += [StatedForm(form, slot) for slot in self._slots]
        return bool(self._slots)


@cache
def _slots_before_brace(before: str) -> tuple[Slot, ...] | None:
    """Return the inflections that the words before a brace name: () for the same as the last, None for none known."""
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
    """Return the parts of speech and labels that abbreviations name.

    `is_form_of` tells that "of" and another word follow them: "imp. & p. p. of {Hold}" is no adjective but a form.
    """
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
    positions = parse_parts_of_speech(re.sub(r"\bvb\. n\.", "n.", text))
    if positions:
        pass
    elif re.search(r"\b(?:compar|comp|superl)\b", text):
        positions = ("adjective",)
    elif re.search(r"\b(?:imp|pret|pres|p\. ?p|pp|p\. ?pr|pers)\b", text):
        # A participle that is not called a form of its verb is a headword used as an adjective.
        positions = ("verb",) if is_form_of or "imp" in text else ("adjective",)
    elif "pl." in text:
        positions = ("noun",)
    return Grammar(positions, frozenset(labels), both)


def forms_for_pos(pos: Pos, forms: tuple[StatedForm, ...]) -> tuple[StatedForm, ...]:
    """Return those of the forms that a word can have under a part of speech."""
    match pos:
        case "verb":
            return tuple(form for form in forms if form.slot in _VERBAL)
        case "adjective" | "adverb":
            return tuple(form for form in forms if form.slot in {"comparative", "superlative"})
        case "noun" | "pronoun":
            return tuple(form for form in forms if form.slot == "plural")
        case "preposition" | "conjunction" | "interjection" | "determiner" | "numeral" | "other":
            return forms
