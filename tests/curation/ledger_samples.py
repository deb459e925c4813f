"""The common parts of the curation tests: the files of a ledger, small families, ballots."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ordws.curation.decision import Ballot, Vote
from ordws.curation.family import Candidate, Family, FamilyStanding, Witness
from ordws.curation.ledger import Ledger
from ordws.curation.sqlcipher import Database, connect

AT = "2026-11-21T08:30:00Z"
KEY = bytes(range(32))
VECTORS = Path(__file__).parent.parent / "vectors" / "ballots"


class FixedSigner:
    """A signer with one key."""

    def __init__(self, seed: bytes = b"s" * 32) -> None:
        self.seed = seed

    def sign(self, message: bytes) -> bytes:
        return Ed25519PrivateKey.from_private_bytes(self.seed).sign(message)

    def verify(self, message: bytes, signature: bytes) -> bool:
        try:
            Ed25519PrivateKey.from_private_bytes(self.seed).public_key().verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class LedgerFiles:
    """The files of a ledger in a folder."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "curation.db"

    @property
    def head(self) -> Path:
        return self.folder / "curation.head"

    def create(self) -> Ledger:
        return Ledger.create(self.path, self.head, KEY, FixedSigner())

    def open(self, key: bytes = KEY, signer: FixedSigner | None = None) -> Ledger:
        return Ledger.open(self.path, self.head, key, signer or FixedSigner())

    def database(self) -> Database:
        """Open the database directly, without the ledger."""
        return connect(self.path, KEY)


def family(base: str, *others: str, standing: FamilyStanding = "borderline", gloss: str = "to strike") -> Family:
    """A family of forms that are in one dictionary."""
    head = Candidate(base, (Witness("gcide", "headword", "base", "verb", ("dialect",), gloss),), 2.31, 60)
    rest = [Candidate(word, (Witness("gcide", "rule", "past", "verb"),)) for word in others]
    return Family(base, standing, (head, *rest))


BASH = family("BASH", "BASHED", "BASHINGS")
ZORIL = family("ZORIL", gloss="a striped polecat")


def ballot(id: str, curator: str, vote: Vote, base: str = "BASH", *forms: str, reason: str = "") -> Ballot:
    return Ballot(id, base, curator, vote, tuple(sorted(forms)), reason, AT)


def by_line(*ballots: Ballot) -> dict[str, Ballot]:
    """Return ballots under the places that they would have as lines of a file."""
    return {f"line {number}": each for number, each in enumerate(ballots, 1)}
