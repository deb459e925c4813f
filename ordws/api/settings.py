"""What the keepers of an installation decide: `settings.toml` in its folder, all of it optional."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from ordws.errors import BadInput
from ordws.guard.policy import Policy


class StoreSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the meters and the sealed games stand: in files of this host, or in a Redis or Valkey that hosts share."""

    redis: str | None = None
    """A URL, as in `redis://127.0.0.1:6379/0` or `unix:///run/redis/redis.sock`."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All that can be set."""

    policy: Policy = field(default_factory=Policy)
    store: StoreSettings = field(default_factory=StoreSettings)


def read_settings(path: Path) -> Settings:
    """The settings in a file, or what holds where there is none; raises BadInput naming what is wrong."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return Settings()
    try:
        settings = msgspec.toml.decode(text, type=Settings)
        _check_names(msgspec.toml.decode(text, type=dict[str, Any]).get("policy", {}))
        settings.policy.check()
    except (msgspec.DecodeError, UnicodeDecodeError, BadInput) as err:
        raise BadInput(f'the settings in "{path}" cannot be used: {err}', hint="ordws guard policy lists them") from err
    return settings


def _check_names(policy: dict[str, Any]) -> None:
    known = [each.name for each in fields(Policy)]
    if strange := sorted(set(policy) - set(known)):
        raise BadInput(f'there is no "{strange[0]}" in a policy; there are {", ".join(known)}')
