"""Recipes: which dictionaries, and in how many of them a word has to be."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Final, Literal

import msgspec

from builders.merge import SourceOptions
from ordws.errors import BadRecipe

DEFAULT_RECIPE: Final = "open"
_CHECKOUT_RECIPES: Final = Path(__file__).parent.parent / "sources" / "recipes"
"""Where recipes stand in a checkout; an installed wheel carries them as `builders.recipes`."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A dictionary of a recipe; `path` is relative to the sources folder. See `builders.merge.Traits`."""

    name: str
    format: str
    path: str
    capitals: Literal["names", "all"] = "names"
    alone: Literal["counts", "attested"] = "counts"
    stated: Literal["attested", "trusted"] = "attested"

    @property
    def options(self) -> SourceOptions:
        return SourceOptions(self.name, self.capitals, self.alone, self.stated)


class PublicSources(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the public lists are made from, whatever the recipe."""

    scowl: str


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an edition is made of: a word is settled in at least `quorum` of the sources."""

    name: str
    quorum: int
    public: PublicSources
    source: tuple[Source, ...]


def read_recipe(name_or_path: str) -> Recipe:
    """The recipe of that name, or in that file."""
    try:
        text, where = find_recipe(name_or_path)
    except UnicodeDecodeError as error:
        raise BadRecipe(f'recipe "{name_or_path}" is not UTF-8') from error
    try:
        recipe = msgspec.convert(tomllib.loads(text), Recipe)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadRecipe(f"{where}: {error}") from error
    names = [source.name for source in recipe.source]
    if len(set(names)) < len(names):
        raise BadRecipe(f"{where}: two sources of one name")
    if not 1 <= recipe.quorum <= len(names):
        raise BadRecipe(f"{where}: a quorum of {recipe.quorum} among {len(names)} sources")
    return recipe


def find_recipe(name_or_path: str) -> tuple[str, str]:
    """Text of a recipe and where it stands."""
    if (path := Path(name_or_path)).is_file():
        return path.read_text("utf-8"), str(path)
    for folder in (resources.files("builders") / "recipes", _CHECKOUT_RECIPES):
        file = folder / f"{name_or_path}.toml"
        if file.is_file():
            return file.read_text("utf-8"), f"recipe {name_or_path}"
    raise BadRecipe(f'no recipe "{name_or_path}"', hint="name a file, or one of: open, licensed")
