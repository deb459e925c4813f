"""Which form of the engine runs: the modules that every play goes through may have been compiled at install."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ordws.rules import judge

EngineBuild: TypeAlias = Literal["compiled", "plain"]


def engine_build() -> EngineBuild:
    """What was made of the source at install. Both do the same, at another pace."""
    return "plain" if judge.__file__.endswith(".py") else "compiled"
