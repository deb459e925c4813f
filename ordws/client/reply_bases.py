"""The methods of replies, which `replies.py`, generated, builds on."""

from __future__ import annotations

from typing import ClassVar, Final

SECRETS: Final = frozenset({"invitation", "ticket", "token"})


class YesOrNo:
    """A reply that is true if it is yes, so that `if client.judge("QUIZ")` works."""

    def __bool__(self) -> bool:
        # Of the names under which a yes comes, a reply has one.
        return any(getattr(self, name, None) is True for name in ("valid", "found", "acceptable"))


class Secretive:
    """A reply with a secret, which its repr leaves out."""

    __struct_fields__: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        shown = [f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if name not in SECRETS]
        return f"{type(self).__name__}({', '.join(shown)})"


class StandingOfSeat:
    """The standing of a game: whose move it is."""

    phase: str
    mover: int | None
    you: int
    acts: list[str]

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def is_mine(self) -> bool:
        """True while this seat is to act, or may propose a play after the end."""
        return self.mover == self.you or "propose" in self.acts
