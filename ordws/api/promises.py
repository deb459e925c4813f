"""The oath before a game and the attestation after it, in versioned words (docs/rules.md 10.5)."""

from __future__ import annotations

import hashlib
from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api.problems import Problem
from ordws.referee.sealed_game import Promise


class PromiseWording(Struct, frozen=True):
    """The words of a promise, and their version, which goes back with the promise."""

    version: int
    text: str


class Promises(Struct, frozen=True):
    """The promises of every player: an oath before the first tile, and an attestation after the last."""

    oath: PromiseWording
    attestation: Annotated[PromiseWording, Meta(description="Asked when the game is over.")]


# A version is never changed: rows keep the digest of what was promised. New words are a new version.
PROMISES: Final = Promises(
    PromiseWording(
        1,
        "I swear that I will not cheat: during this game I will consult no outside source, animal, vegetable, mineral"
        " or digital. I promise not to quit before the game is over.",
    ),
    PromiseWording(1, "I attest that I consulted no outside source during this game."),
)


def make_promise(wording: PromiseWording, version: int) -> Promise:
    """Return a promise as a row keeps it; raise a Problem where the player read another version of the words."""
    if version != wording.version:
        detail = (
            f'"version": got another one, expected {wording.version}: show the words of the standing, and ask again'
        )
        raise Problem("oath-changed", detail)
    return Promise(version, hashlib.sha256(wording.text.encode()).hexdigest())
