"""Charges for words, and threads that ask for them: apart from the tests, so that spawned processes load little."""

from __future__ import annotations

import threading

from store_backends import open_store

from ordws.guard.charge import (
    CORE,
    CORE_WORD,
    NOBODY,
    UNIT,
    UNITS,
    Admitted,
    Amount,
    Charge,
    Mark,
    RecordRef,
    day_key,
    word_marks,
)
from ordws.guard.policy import DAY

TODAY = 20_779
NOON = TODAY * DAY + DAY // 2
ME = b"client-1"


def word(name, *, subject=ME + NOBODY, day=TODAY, kind=UNIT, edition=1):
    """Return the mark of a word that a subject asks on a day."""
    trail = name.encode()[:4] if kind == UNIT else bytes(4)
    return Mark(word_marks(subject, day) + name.encode().rjust(8, b"-"), kind, name, edition, trail)


def asked(*names, limit=1_000, subject=ME + NOBODY, day=TODAY):
    """Return the charge for words, of which a subject may ask so many on a day."""
    amounts = (Amount(0, UNITS, (UNIT,), "units", limit), Amount(0, CORE, (CORE_WORD,)))
    record = RecordRef(day_key(subject, day), (day + 1) * DAY)
    return Charge((record,), amounts, tuple([word(name, subject=subject, day=day) for name in names]))


def ask_from_threads(address, process):
    """Ask words of which half are asked by another process too, in twelve threads; return how many were admitted."""
    store, admitted = open_store(address), []

    def ask(thread):
        for n in range(8):
            name = f"{thread}{n}" if n % 2 else f"{process}{thread}{n}"
            outcome = store.apply(asked(name, limit=50), NOON)
            admitted.append(isinstance(outcome, Admitted))

    threads = [threading.Thread(target=ask, args=(chr(65 + n),)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    return sum(admitted)
