"""A filter of many words by a slow test, in processes beside this one, which goes on meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context
from typing import Final, TypeAlias

FilteredWords: TypeAlias = Callable[[], frozenset[str]]
"""Waits for the words that passed, and returns them."""

_MIN_WORDS: Final = 20_000
"""Fewer words are tested sooner than processes are started."""
_CHUNK: Final = 2_000

_is_kept: Callable[[str], bool] = bool
"""The test, which the processes inherit: what it knows, such as a whole dictionary, is not copied to them."""


@contextmanager
def begin_filter(words: Iterable[str], is_kept: Callable[[str], bool]) -> Iterator[FilteredWords]:
    """Begin to test words; the test must depend on nothing but the word and what never changes.

    Without a second processor the words are tested when they are waited for.
    """
    global _is_kept
    ordered = sorted(words)
    chunks = [ordered[at : at + _CHUNK] for at in range(0, len(ordered), _CHUNK)]
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if len(ordered) < _MIN_WORDS or workers == 1 or "fork" not in get_all_start_methods():
        yield lambda: frozenset(filter(is_kept, ordered))
        return
    _is_kept = is_kept
    pool = ProcessPoolExecutor(workers, mp_context=get_context("fork"))
    try:
        found = pool.map(_filter_chunk, chunks)  # the processes start here, as copies of this one
        yield lambda: frozenset(word for kept in found for word in kept)
    finally:
        pool.shutdown(cancel_futures=True)


def _filter_chunk(words: list[str]) -> list[str]:
    return list(filter(_is_kept, words))
