"""The signed head: a file beside the database that names the end of the chain.

    ordws ledger head 1
    57 9f2c...          length and hash; while a link is being appended, both the old end and the new one
    58 77ab...
    03d1f4...           signature over all the lines above, in hexadecimal

It cannot reveal that database and head were both replaced by older copies: note `ordws curation status` elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from ordws.atomic_files import write_atomically
from ordws.curation.chain_link import ChainHead
from ordws.errors import LedgerBroken

_MAGIC: Final = "ordws ledger head 1\n"
_FILE: Final = re.compile(rf"({_MAGIC}(?:[0-9]{{1,18}} [0-9a-f]{{64}}\n){{1,2}})((?:[0-9a-f]{{2}})+)\n")


class Signer(Protocol):
    """The signing key of an installation; the format of the signature is the signer's own."""

    def sign(self, message: bytes) -> bytes: ...
    def verify(self, message: bytes, signature: bytes) -> bool: ...


@dataclass(frozen=True)
class SignedHead:
    """The file of the signed head, and its signer."""

    path: Path
    signer: Signer

    def read(self) -> tuple[ChainHead, ...]:
        """Return the ends that the chain may have: one, or two if an append was cut short. Raises LedgerBroken."""
        try:
            # Damage must reach the pattern below, which refuses the replacement characters, and not raise here.
            text = self.path.read_bytes().decode("ascii", errors="replace")
        except FileNotFoundError as error:
            raise LedgerBroken(f"the signed head {self.path.name} is missing") from error
        match = _FILE.fullmatch(text)
        if match is None:
            raise LedgerBroken(f"the signed head {self.path.name} is damaged")
        if not self.signer.verify(match[1].encode(), bytes.fromhex(match[2])):
            raise LedgerBroken(f"the signed head {self.path.name} was not signed by this installation")
        lines = [line.split() for line in match[1].splitlines()[1:]]
        return tuple([ChainHead(int(length), digest) for length, digest in lines])

    def write(self, *heads: ChainHead) -> None:
        """Sign these ends and replace the file at once."""
        text = (_MAGIC + "".join([f"{head.length} {head.hash}\n" for head in heads])).encode()
        write_atomically(self.path, text + self.signer.sign(text).hex().encode() + b"\n")


def check_end(end: ChainHead, signed_heads: tuple[ChainHead, ...]) -> None:
    """Raise LedgerBroken unless the end of a chain is one of those that were signed."""
    if end in signed_heads:
        return
    lengths = [head.length for head in signed_heads]
    if end.length < min(lengths):
        raise LedgerBroken(
            f"the ledger is shorter than its signed head: {end.length} links of {max(lengths)}",
            hint="a copy of the database needs its -wal file beside it; ordws restore brings a backup back",
        )
    if end.length > max(lengths):
        raise LedgerBroken(f"the ledger is longer than its signed head: {end.length} links, {max(lengths)} signed")
    raise LedgerBroken(f"the ledger is not the one that was signed: link {end.length} has another hash")
