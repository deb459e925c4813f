"""The settings of an installation: `settings.toml` in its folder, all of it optional."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, field

from ordws.errors import BadInput
from ordws.guard.policy import Policy
from ordws.retention import Retention

_log = logging.getLogger("ordws.settings")
_WRONG_TYPE: Final = re.compile(
    r"Expected `(?P<type>[^`]*)`(?P<bound>[ <>=\d]*)(?:, got `[^`]*`)? - at `\$\.(?P<place>[\w.]+)`"
)
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`(?: - at `\$\.(?P<place>[\w.]+)`)?")
_TYPES: Final = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text in quotes",
    "str | null": "a text in quotes",
    "object": "a table",
}
GONE: Final = frozenset(["invalid_a_game", "invalid_a_seat"])
"""Limits of earlier versions: a keeper who set them is warned, and the service starts."""


class StoreSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The place of meters, sealed games and replies: files of this host, or a Redis or Valkey that hosts share."""

    redis: str | None = None
    """A URL, as in `redis://127.0.0.1:6379/0` or `unix:///run/redis/redis.sock`, of any node of a cluster
    (docs/several-hosts.md)."""


class PageSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of the pages."""

    visitors: bool = False
    """Whether the front page judges words for visitors, who have neither a key nor a paired device."""


class PracticeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of games against the program."""

    games: Annotated[int, Meta(ge=0, le=1_000)] = 20
    """The games that run at once on a host; 0 offers none."""
    games_an_address: Annotated[int, Meta(ge=1, le=1_000)] = 3
    """Those of one internet address, of IPv6 its /64, which may begin thirty times as many in a day. A /56 has twice,
    and a /48 four times as many."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings, with their defaults.

    The file `settings.toml` is optional, as is everything in it, and is read when a worker starts. Unknown names, wrong
    types and a policy that breaks the promised bound stop the service with an error.
    """

    policy: Policy = field(default_factory=Policy)
    store: StoreSettings = field(default_factory=StoreSettings)
    pages: PageSettings = field(default_factory=PageSettings)
    practice: PracticeSettings = field(default_factory=PracticeSettings)
    retention: Retention = field(default_factory=Retention)


def read_settings(path: Path) -> Settings:
    """Read the settings in a file, or return the defaults where there is none; raise BadInput for an invalid one."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return Settings()
    try:
        settings = msgspec.toml.decode(text, type=Settings)
        # Policy is a dataclass, whose unknown fields msgspec ignores.
        known = [field.name for field in fields(Policy)]
        policy = msgspec.toml.decode(text, type=dict[str, Any]).get("policy", {})
        for name in sorted(GONE & set(policy)):
            _log.warning('the settings in "%s" name "%s", which is gone and has no effect', path.name, name)
        if unknown := sorted(set(policy) - set(known) - GONE):
            raise BadInput(f'there is no "{unknown[0]}" in a policy; there are {", ".join(known)}')
        settings.policy.check()
    except (msgspec.DecodeError, UnicodeDecodeError, BadInput) as err:
        hint = f"docs/reference/settings.md lists all settings; without the file defaults are in force: mv {path} aside"
        raise BadInput(f'the settings in "{path}" cannot be used: {_describe_fault(err, text)}', hint=hint) from err
    for excess in settings.policy.beyond_promise():
        _log.warning('the settings in "%s": %s', path.name, excess)
    return settings


def _describe_fault(err: Exception, text: bytes) -> str:
    """Return what is wrong with settings, a value of the wrong type with its name and what was expected."""
    if match := _WRONG_TYPE.fullmatch(str(err)):
        value: Any = msgspec.toml.decode(text)
        for name in match["place"].split("."):
            value = value[name]
        kind = _TYPES.get(match["type"], match["type"])
        return f"{match['place']}: {json.dumps(value, default=str)}, expected {kind}{match['bound']}"
    if match := _UNKNOWN.fullmatch(str(err)):
        return f'there is no "{match["name"]}"{" in " + match["place"] if match["place"] else ""}'
    return str(err)
