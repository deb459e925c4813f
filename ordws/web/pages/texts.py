"""All that the pages say, by id: the name of a file of texts/en, a dot, and a name in it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Final

LANGUAGE: Final = "en"


def _read_texts() -> dict[str, str]:
    folder = files("ordws.web.pages").joinpath("texts", LANGUAGE)
    found: dict[str, str] = {}
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        section = each.name.removesuffix(".json")
        found |= {f"{section}.{name}": text for name, text in json.loads(each.read_text("utf-8")).items()}
    return found


TEXTS: Final = _read_texts()


def text(id: str, **values: object) -> str:
    """The text of that id, `{name}` in it filled in."""
    return TEXTS[id].format(**values)
