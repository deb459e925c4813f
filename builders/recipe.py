"""Recipes: the dictionaries of an edition, how many must have a word, and their licences (docs/dictionaries.md 9.1).

The licence notices go wherever an edition and its public lists go.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from importlib.metadata import distribution
from pathlib import Path
from typing import Final, Literal

import msgspec

from builders.merge import SourceOptions
from ordws.errors import BadRecipe
from ordws.instance import Sources

DEFAULT_RECIPE: Final = "open"
_CHECKOUT_RECIPES: Final = Path(__file__).parent.parent / "sources" / "recipes"
"""The folder of the recipes in a checkout; an installed wheel carries them as `builders.recipes`."""


class Source(SourceOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A dictionary or spelling list of a recipe."""

    format: str
    path: str | tuple[str, ...]
    """Relative to the sources folder; several are parts of one source, which counts once."""

    def paths(self, root: Path) -> tuple[Path, ...]:
        """Return the paths of its parts below the sources folder."""
        return tuple([root / path for path in ([self.path] if isinstance(self.path, str) else self.path)])


class PublicSources(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sources of the public lists, which anybody may have, whatever the recipe."""

    scowl: str
    labels: tuple[Source, ...] = ()
    """Open dictionaries: a word that they label offensive or vulgar in every sense is left out of the public lists."""


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sources of an edition: a word is settled if at least `quorum` of them have it."""

    name: str
    quorum: int
    public: PublicSources
    labels: Literal["every sense", "agreement"] = "every sense"
    """What makes a word labelled: `agreement` is for sources that label some senses only (`builders.labelled`)."""
    source: tuple[Source, ...]


def read_recipe(name_or_path: str) -> Recipe:
    """Return the recipe of a name, or in a file; raises BadRecipe."""
    path = Path(name_or_path)
    named = [folder / f"{name_or_path}.toml" for folder in (resources.files("builders") / "recipes", _CHECKOUT_RECIPES)]
    file = next((file for file in (path, *named) if file.is_file()), None)
    if file is None:
        raise BadRecipe(f'no recipe "{name_or_path}"', hint="name a file, or one of: open, licensed")
    where = str(path) if file is path else f"recipe {name_or_path}"
    try:
        recipe = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Recipe)
    except UnicodeDecodeError as error:
        raise BadRecipe(f'recipe "{name_or_path}" is not UTF-8') from error
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadRecipe(f"{where}: {error}") from error
    names = [source.name for source in recipe.source]
    if len(set(names)) < len(names):
        raise BadRecipe(f"{where}: two sources of one name")
    if empty := [source.name for source in (*recipe.source, *recipe.public.labels) if not source.path]:
        raise BadRecipe(f"{where}: source {empty[0]} has no path")
    if not 1 <= recipe.quorum <= len(names):
        raise BadRecipe(f"{where}: a quorum of {recipe.quorum} among {len(names)} sources")
    return recipe


def collect_notices(recipe: Recipe, sources: Sources) -> bytes:
    """Return the notices that the sources of a recipe bring along, each under the name of its source.

    The notice of a source is the file `copyright` in its folder, which `ordws-build fetch` unpacks with every package.
    A source without one, such as a dictionary under a contract, is left out. The inflection table is in every build.
    """
    places = {"scowl": sources.root / recipe.public.scowl}
    places |= {source.name: source.paths(sources.root)[0] for source in recipe.source}
    notices = {"lemminflect": (distribution("lemminflect").read_text("LICENSE") or "").encode()}
    for name, place in places.items():
        file = (place if place.is_dir() else place.parent) / "copyright"
        if file.is_file():
            notices[name] = file.read_bytes()
    return b"\n".join([f"==== {name} ====\n\n".encode() + notice.strip() + b"\n" for name, notice in notices.items()])
