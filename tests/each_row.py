"""Tables of cases as one test, since a thousand tests of a millisecond take pytest longer than what they test."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest


def each_row(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with each row of a table in one test, which tells every row that fails.

    It is written as `pytest.mark.parametrize` is. The rows share the fixtures of the test.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    table = [row if len(arguments) > 1 else (row,) for row in rows]
    assert table, "a test of a table without rows holds nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            failed = []
            for number, row in enumerate(table):
                values = dict(zip(arguments, row, strict=True))
                try:
                    test(**fixtures, **values)
                except (AssertionError, pytest.fail.Exception) as err:
                    failed.append(AssertionError(f"row {number}, {values}: {err}"))
                except BaseException as err:
                    err.add_note(f"row {number}, {values}")
                    raise
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(table)} rows fail", failed)

        signature = inspect.signature(test)
        kept = [each for name, each in signature.parameters.items() if name not in arguments]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return decorate
