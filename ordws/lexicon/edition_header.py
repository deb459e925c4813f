"""The header of a sealed edition, and the formats that there are, as FORMAT.md specifies them."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ordws.errors import BadInput, SealBroken

NEWEST_FORMAT: Final = 2
"""The format that editions are sealed in; a reader knows this one and all before it."""
MAGIC_LENGTH: Final = 6
NO_LIST_DIGEST: Final = hashlib.sha256(b"").hexdigest()
"""The digest of a public list without words, which needs no file."""

_MAGIC: Final = re.compile(rb"ORDW([1-9])\n")
_ALG: Final = "AES-256-GCM+Ed25519"
_DIGEST: Final = r"[0-9a-f]{64}"
_LIST_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9 .,()+-]{0,39}"
_FIRST_TEXT_FIELDS: Final = {
    "alg": re.escape(_ALG),
    "core": _DIGEST,
    "created": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z",
    "name": r"[A-Za-z0-9][A-Za-z0-9 .-]{0,39}",
    "reference": _DIGEST,
    "wrap": r"[A-Za-z0-9_-]{80}",
}
_TEXT_FIELDS: Final = {
    1: _FIRST_TEXT_FIELDS,
    2: {**_FIRST_TEXT_FIELDS, "charged": _DIGEST, "own": f"(?:{_DIGEST})?", "own_name": f"(?:{_LIST_NAME})?"},
}
"""The members of a header that are texts, with their patterns, by format."""
_NUMBER_FIELDS: Final = ("number", "opening", "signing")
_MAX_NUMBER: Final = 999_999_999
_BROKEN: Final = "the sealed edition does not open: it is damaged, or it was made under other keys"


@dataclass(frozen=True, kw_only=True)
class EditionHeader:
    """The header of an edition: readable by anybody, and signed."""

    number: int
    name: str
    created: datetime
    core_digest: str
    reference_digest: str
    opening: int
    signing: int
    format: int = NEWEST_FORMAT
    charged_digest: str = NO_LIST_DIGEST
    """The digest of the public list of core words that are charged under Dover."""
    own_digest: str = ""
    """The digest of the installation's own players' list, which is sealed in the payload; empty without one."""
    own_name: str = ""

    @property
    def list_digests(self) -> tuple[str, str, str]:
        """The digests of the public lists: core list, players' reference, core words charged under Dover."""
        return self.core_digest, self.reference_digest, self.charged_digest

    @property
    def magic(self) -> bytes:
        return b"ORDW%d\n" % self.format

    @property
    def fields(self) -> dict[str, str | int]:
        """The members of the header but for the wrapped data key."""
        fields: dict[str, str | int] = {
            "alg": _ALG,
            "core": self.core_digest,
            "created": self.created.isoformat().replace("+00:00", "Z"),
            "name": self.name,
            "number": self.number,
            "opening": self.opening,
            "reference": self.reference_digest,
            "signing": self.signing,
        }
        if self.format > 1:
            fields |= {"charged": self.charged_digest, "own": self.own_digest, "own_name": self.own_name}
        return fields


def is_list_name(text: str) -> bool:
    """Tell whether a text may be the name of an installation's own players' list, such as OSPD 7."""
    return re.fullmatch(_LIST_NAME, text) is not None


def read_format(data: bytes) -> int:
    """Return the format of a sealed edition by its magic; raise SealBroken, which names a format that is too new."""
    match = _MAGIC.match(data)
    if match is None:
        raise broken()
    if (number := int(match[1])) > NEWEST_FORMAT:
        raise SealBroken(
            f"the edition has format {number}, and this version of ORDWS opens formats up to {NEWEST_FORMAT}:"
            f" this host needs a version that opens format {number}",
            hint="upgrade ORDWS on every serving host before the host that builds editions (docs/keeping.md)",
        )
    return number


def canonical(fields: dict[str, str | int]) -> bytes:
    """Return the one form in which the members of a header are written."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode("ascii")


def check_sealable(header: EditionHeader) -> None:
    """Raise BadInput, which names every fault, for a header that the format does not allow."""
    if faults := _find_faults(header.fields, header.format):
        raise BadInput(f"an edition cannot be sealed with {' and '.join(faults)}")


def parse_header(text: bytes, format: int) -> tuple[EditionHeader, str]:
    """Return a header, and its wrapped data key in base64url; raise SealBroken."""
    try:
        fields = json.loads(text)
        # Written again and compared, because JSON has many spellings of one object and the format allows one.
        if (
            fields.keys() != {*_TEXT_FIELDS[format], *_NUMBER_FIELDS}
            or canonical(fields) != text
            or _find_faults(fields, format)
        ):
            raise broken()
        created = datetime.fromisoformat(fields["created"])
    except (ValueError, RecursionError, AttributeError):
        raise broken() from None
    header = EditionHeader(
        number=fields["number"],
        name=fields["name"],
        created=created,
        core_digest=fields["core"],
        reference_digest=fields["reference"],
        opening=fields["opening"],
        signing=fields["signing"],
        format=format,
        charged_digest=fields.get("charged", NO_LIST_DIGEST),
        own_digest=fields.get("own", ""),
        own_name=fields.get("own_name", ""),
    )
    return header, fields["wrap"]


def _find_faults(fields: dict[str, str | int], format: int) -> list[str]:
    """Return the members of a header that break the format, each with its value."""
    faults = []
    for name, value in fields.items():
        if name in _TEXT_FIELDS[format]:
            is_valid = isinstance(value, str) and re.fullmatch(_TEXT_FIELDS[format][name], value) is not None
        else:
            # Not isinstance: a bool is an int, and JSON's `true` is no number.
            is_valid = type(value) is int and 1 <= value <= _MAX_NUMBER
        if not is_valid:
            faults.append(f'{name} "{value}"')
    if bool(fields.get("own")) != bool(fields.get("own_name")):
        faults.append("own without own_name, or own_name without own")
    return faults


def broken() -> SealBroken:
    """Return the error of every edition that does not open, the same whatever the fault."""
    return SealBroken(_BROKEN, hint="ordws keys list shows the keys at hand")
