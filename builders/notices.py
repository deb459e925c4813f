"""The licence notices of an edition's sources, which go wherever the edition and its public lists go."""

from __future__ import annotations

from importlib.metadata import distribution

from builders.recipe import Recipe
from ordws.instance import Sources


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
