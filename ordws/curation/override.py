"""A keeper's reasoned exception: a word added or excluded whatever dictionaries and curators say. (RULES A-40) Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

OverrideAct: TypeAlias = Literal["add", "exclude", "lift"]


@dataclass(frozen=True)
class Override:
    """What holds for a word until a keeper lifts it."""

    word: str
    act: Literal["add", "exclude"]
    keeper: str
    reason: str
    at: str
