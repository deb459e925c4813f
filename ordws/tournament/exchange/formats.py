"""The exchange formats by name and by the extension of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Final, NamedTuple

from ordws.errors import BadInput
from ordws.tournament.exchange.json_sheet import read_json, write_json
from ordws.tournament.exchange.sheet import Sheet
from ordws.tournament.exchange.tables import read_csv, write_games
from ordws.tournament.exchange.tou import read_tou, write_tou
from ordws.tournament.exchange.trf import read_trf, write_trf
from ordws.tournament.exchange.tsh import read_tsh, write_tsh


class ExchangeFormat(NamedTuple):
    """A format: how it is written and read, and the type of its content."""

    write: Callable[[Sheet], str]
    read: Callable[..., Sheet]
    """Takes the text and `file`, the name of the file in errors."""

    content_type: str = "text/plain; charset=utf-8"


FORMATS: Final = {
    "json": ExchangeFormat(write_json, read_json, "application/json"),
    "csv": ExchangeFormat(write_games, read_csv, "text/csv; charset=utf-8"),
    "t": ExchangeFormat(write_tsh, read_tsh),
    "tou": ExchangeFormat(write_tou, read_tou),
    "trf": ExchangeFormat(write_trf, read_trf),
}

_EXTENSIONS: Final = {".txt": "csv", ".tsv": "csv", ".trfx": "trf"} | {f".{name}": name for name in FORMATS}


def format_of(file_name: str) -> str:
    """Return the format of a file by its extension, in either case; a list of names may end in `.txt`.

    Raises BadInput if the extension is of none.
    """
    extension = PurePath(file_name).suffix.lower()
    if extension not in _EXTENSIONS:
        raise BadInput(
            f'"{file_name}" has the extension of no format: {", ".join(sorted(_EXTENSIONS))}',
            hint="name the format with --format",
        )
    return _EXTENSIONS[extension]


def read_text(content: bytes) -> str:
    """Return the text of a file in UTF-8, or in Windows-1252 as AUPAIR and older versions of tsh write."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")
