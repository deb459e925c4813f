"""The form of the engine: the modules that every play goes through may have been compiled at install."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ordws.rules import judge

EngineBuild: TypeAlias = Literal["compiled", "plain"]


def engine_build() -> EngineBuild:
    """Return which form of the engine is installed; both do the same, the compiled one faster."""
    return "plain" if judge.__file__.endswith(".py") else "compiled"
