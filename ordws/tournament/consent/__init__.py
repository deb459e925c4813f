"""The consent of an entrant to the conditions of an on-line event, in versioned words (docs/rules.md 10.5)."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from ordws.errors import BadInput

WORDINGS_FILE: Final = "wordings.toml"


class ConsentSentence(NamedTuple):
    """One sentence that an entrant agrees to, and the name of its subject."""

    about: str
    text: str


class ConsentWording(NamedTuple):
    """One version of the consent: what is shown, sentence by sentence."""

    version: str
    title: str
    sentences: tuple[ConsentSentence, ...]

    @property
    def digest(self) -> str:
        """The SHA-256, in hexadecimal, of the title and the sentences, one a line, in UTF-8."""
        lines = (self.title, *[sentence.text for sentence in self.sentences])
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@cache
def consent_wordings() -> tuple[ConsentWording, ...]:
    """Return all versions, the oldest first; the last is the one in force."""
    document = tomllib.loads(files(__package__).joinpath(WORDINGS_FILE).read_text("utf-8"))
    return tuple(
        [
            ConsentWording(
                entry["version"], entry["title"], tuple([ConsentSentence(**each) for each in entry["sentence"]])
            )
            for entry in document["wording"]
        ]
    )


def current_consent() -> ConsentWording:
    """Return the version in force."""
    return consent_wordings()[-1]


def check_consent(version: str, digest: str) -> ConsentWording:
    """Return the wording that an entrant has agreed to; raise BadInput where it is not the one in force."""
    wording = current_consent()
    if (version, digest) != (wording.version, wording.digest):
        raise BadInput(
            f'version "{version}" of the consent is not the one in force, "{wording.version}"',
            hint="show the wording in force, and ask again",
        )
    return wording


def wording_agreed_to(version: str, digest: str) -> ConsentWording | None:
    """Return the words of an agreement that was recorded, of whatever version; None for those of another ordws."""
    for wording in consent_wordings():
        if (version, digest) == (wording.version, wording.digest):
            return wording
    return None
