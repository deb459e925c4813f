"""Tests of what visitors, who have neither a key nor a seat, may ask: all together, and at one address."""

from __future__ import annotations

from gate_helpers import MIDNIGHT, NOON, words

from ordws.guard.charge import CORE, FINGERPRINT_BYTES, UNITS, VISITORS
from ordws.guard.gate import Gate
from ordws.guard.policy import DAY, Policy

CORE_LIST = frozenset(words(5_000, 400))
ASKED = words(0, 120)


def ask(gate, word, address="192.0.2.7", now=NOON):
    """Ask a word as a visitor; return the budget that refused it and when it begins anew, or None."""
    refused = gate.admit_visitor((word,), CORE_LIST, 1, address, now)
    return refused and (refused.budget, now + refused.retry_after_seconds)


def test_an_address_has_a_fifth_and_all_of_them_a_hundred(store):
    """An address may ask 20 words a day, all visitors 100, until midnight; core words have limits of their own."""
    gate = Gate(Policy(), store, b"k" * 32)
    assert [ask(gate, word) for word in ASKED[:20]] == [None] * 20
    assert ask(gate, ASKED[20]) == ("address", MIDNIGHT)
    for number in range(4):
        assert [ask(gate, word, f"192.0.2.{number}") for word in ASKED[:20]] == [None] * 20
    assert ask(gate, ASKED[20], "198.51.100.1") == ("visitors", MIDNIGHT)
    assert [ask(gate, word) for word in sorted(CORE_LIST)[:200]] == [None] * 200
    assert ask(gate, sorted(CORE_LIST)[200]) == ("address", MIDNIGHT)
    assert ask(gate, ASKED[20], now=MIDNIGHT) is None


def test_each_asking_of_a_word_is_charged(store):
    """A word costs as often as it is asked, or a free repeat would tell what another visitor asked."""
    gate = Gate(Policy(), store, b"k" * 32)
    assert [ask(gate, ASKED[0]) for _ in range(20)] == [None] * 20
    assert ask(gate, ASKED[0]) == ("address", MIDNIGHT)


def test_two_letter_words_are_free(store):
    """What is published costs nothing."""
    gate = Gate(Policy(visitor_units_a_day=0, visitor_core_a_day=0), store, b"k" * 32)
    assert ask(gate, "QI") is None
    assert ask(gate, "QIS") == ("address", MIDNIGHT)


def test_the_history_has_all_visitors_and_no_address(store):
    """What visitors asked is kept as that of one, with the words' fingerprints, and nothing of an address is."""
    gate = Gate(Policy(), store, b"k" * 32)
    for word, address in ((ASKED[0], "192.0.2.1"), (ASKED[0], "192.0.2.2"), (sorted(CORE_LIST)[0], "192.0.2.1")):
        assert ask(gate, word, address) is None
    store.collect(NOON)
    ((subject, day, units, core, trail),) = store.history(VISITORS)
    assert (subject[8:], day, units, core, len(trail)) == (bytes(8), NOON // DAY, 2, 1, FINGERPRINT_BYTES)
    assert trail == gate.pricing.fingerprint(subject, ASKED[0])
    record = store.day_records(VISITORS, NOON // DAY)[subject]
    assert (record.counts[UNITS], record.counts[CORE]) == (2, 1)
