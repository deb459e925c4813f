"""Work in processes beside this one, which goes on meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final, Protocol, TypeAlias, TypeVar

FilteredWords: TypeAlias = Callable[[], frozenset[str]]
"""Waits for the words that passed, and returns them."""

_MIN_WORDS: Final = 20_000
"""Fewer words are tested sooner than processes are started."""
_CHUNK: Final = 2_000

_is_kept: Callable[[str], bool] = bool
"""The test, which the processes inherit: what it knows, such as a whole dictionary, is not copied to them."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class MapFunction(Protocol):
    """A function like `map`, which returns the results in the order of the items."""

    def __call__(self, function: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
        """Return what a function makes of each item."""


@contextmanager
def begin_mapping(*, is_long: bool) -> Iterator[MapFunction]:
    """Give a `map` whose work is done in processes, one for each processor.

    Work that is not long, and all work without a second processor, is done here when its results are waited for.
    """
    workers = len(os.sched_getaffinity(0))
    if not is_long or workers == 1:
        yield map
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("fork"))
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def begin_filter(words: Iterable[str], is_kept: Callable[[str], bool]) -> Iterator[FilteredWords]:
    """Begin to test words; the test must depend on nothing but the word and what never changes."""
    global _is_kept
    ordered = sorted(words)
    chunks = [ordered[at : at + _CHUNK] for at in range(0, len(ordered), _CHUNK)]
    with begin_mapping(is_long=len(ordered) >= _MIN_WORDS) as map_all:
        _is_kept = is_kept
        found = map_all(_filter_chunk, chunks)  # the processes start here, as copies of this one
        yield lambda: frozenset(word for kept in found for word in kept)


def _filter_chunk(words: list[str]) -> list[str]:
    return list(filter(_is_kept, words))
