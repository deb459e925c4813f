"""A keeper's exception: a word added or excluded whatever dictionaries and curators say (docs/rules.md A-40). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

OverrideAct: TypeAlias = Literal["add", "exclude", "lift"]


@dataclass(frozen=True)
class Override:
    """The exception that holds for a word until a keeper lifts it."""

    word: str
    act: Literal["add", "exclude"]
    keeper: str
    reason: str
    at: str
