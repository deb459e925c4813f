"""The marks of words: what makes a word count once for whoever asks it."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Final, TypeAlias

from ordws.guard.meter_set import OWN_LIST_BUDGETS, MeterSet, WorldMeters
from ordws.guard.policy import DAY
from ordws.guard.price import FINGERPRINT_BYTES, Identity, Mark, PricedWord, Question

REPEAT_MARK_SECONDS: Final = 28 * DAY
"""The time in which a word outside the core list that another player of an operator asked counts as a repeat."""

_MARK_BYTES: Final = 8
"""Marks of an identity's words are most of what is stored. Of ten million, two are the same in 1 of 400,000 cases."""

MarkedWords: TypeAlias = tuple[tuple[PricedWord, ...], list[Mark]]


class WordMarks:
    """The marks of the words of a question, under one meter key.

    A mark is of the identity and the word, without the edition, so that a word that was charged stays free for a day
    when a new edition comes. A player's word has a second mark, of the operator: players of one club ask the same
    words. That of a core word feeds the operator's total; the other feeds nothing, and is there for the detector
    `repeats`. What is shared counts what is new to the player, so that it tells nothing of other players. A base is
    judged by the edition of its form, whatever edition it was charged under before.
    """

    def __init__(self, keyed_hash: Callable[..., bytes]) -> None:
        self._keyed_hash = keyed_hash

    def mark(
        self,
        identity: Identity,
        question: Question,
        core: Container[str],
        now: int,
        meter_set: MeterSet,
        world: WorldMeters | None,
    ) -> MarkedWords:
        """Return the words of a question that are counted, and their marks."""
        if question.is_check:
            return self.mark_checked(question, now, meter_set)
        mark_key, key, edition = self._mark_key, meter_set.key, question.edition
        is_sealed, is_home = question.turn is not None, identity.player is None
        rule = (question.rule,) if question.rule else ()
        judged_core, units, base_units = meter_set.core_names, meter_set.unit_names, meter_set.base_unit_names
        if world is not None:
            judged_core += (world.core.name,) if is_home else (world.client_core.name, world.core.name)
            units += (world.units.name,)
            base_units += (world.units.name,)
        words: list[PricedWord] = []
        marks: list[Mark] = []
        is_base_by_word = dict.fromkeys(question.words, False)
        if question.bases:
            is_base_by_word = dict.fromkeys(question.bases, True) | is_base_by_word
        for word, is_base in is_base_by_word.items():
            if len(word) < 3:
                continue
            mark, client_mark, is_core = mark_key("word", key, word, *rule), None, word in core
            if not is_core:
                feeds = base_units if is_base else units
                # Also where it is asked along with its form, or the form would tell of its edition for nothing.
                is_pinned = is_sealed or word in question.bases
                marks.append(Mark(mark, now + DAY, feeds, self.fingerprint(key, word), edition, is_pinned))
            else:
                marks.append(Mark(mark, now + DAY, judged_core, edition=edition, is_pinned=is_sealed))
            if not is_home:
                # Of another kind, or a word that comes into the core list would be free to the operator for weeks.
                kind = "operator-core" if is_core else "operator-word"
                client_mark = self._keyed_hash(kind, identity.client, word, *rule)
                seconds, feeds = (DAY, (meter_set.client_meters.core.name,)) if is_core else (REPEAT_MARK_SECONDS, ())
                marks.append(Mark(client_mark, now + seconds, feeds))
            words.append(PricedWord(word, mark, client_mark, is_core, is_base))
        return tuple(words), marks

    def mark_checked(self, question: Question, now: int, meter_set: MeterSet) -> MarkedWords:
        """Return the words of a check of the reference, and their marks.

        They are of another kind, or a check would let the judge be asked for free. Of an own list they are of another
        kind again, or what was checked in the public one would be free there.
        """
        kind, checked = "check", meter_set.core_names
        if question.is_own_list:
            kind = "check-own"
            checked = tuple([meter_set.meters[each].name for each in OWN_LIST_BUDGETS if each in meter_set.meters])
        counted = [word for word in dict.fromkeys(question.words) if len(word) > 2]
        words = [PricedWord(word, self._mark_key(kind, meter_set.key, word), None, True) for word in counted]
        return tuple(words), [Mark(word.mark, now + DAY, checked) for word in words]

    def _mark_key(self, *parts: str) -> bytes:
        return self._keyed_hash(*parts)[:_MARK_BYTES]

    def fingerprint(self, key: str, word: str) -> bytes:
        """Return what is stored of a word that an identity was charged for, the same for every edition."""
        return self._keyed_hash("trail", key, word)[:FINGERPRINT_BYTES]
