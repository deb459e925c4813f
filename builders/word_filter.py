"""A filter of many words by a slow test, in as many processes as there are processors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_all_start_methods, get_context
from typing import Final

_MIN_WORDS: Final = 20_000
"""Fewer words are tested sooner than processes are started."""
_CHUNK: Final = 4_000

_is_kept: Callable[[str], bool] = bool
"""The test, which the processes inherit: what it knows, such as a whole dictionary, is not copied to them."""


def filter_words(words: Iterable[str], is_kept: Callable[[str], bool]) -> frozenset[str]:
    """Return the words that pass a test, which depends on nothing but the word and what never changes."""
    global _is_kept
    _is_kept = is_kept
    ordered = sorted(words)
    chunks = [ordered[at : at + _CHUNK] for at in range(0, len(ordered), _CHUNK)]
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if len(ordered) < _MIN_WORDS or workers == 1 or "fork" not in get_all_start_methods():
        return frozenset(word for chunk in chunks for word in _filter_chunk(chunk))
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        return frozenset(word for kept in pool.map(_filter_chunk, chunks) for word in kept)


def _filter_chunk(words: list[str]) -> list[str]:
    return [word for word in words if _is_kept(word)]
