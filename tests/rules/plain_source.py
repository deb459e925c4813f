"""Import of the plain form of a compiled package beside its compiled form."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType


class PlainSourceFinder:
    """A finder that finds the source of a package's modules, never their compiled form."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if path is None or not name.startswith(f"{self.package}."):
            return None
        return FileFinder(path[0], (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)


def import_plain_source(*names: str, package: str = "ordws.rules") -> list[ModuleType]:
    """Return fresh copies of modules of a package, with all that they import of it; the installed ones stay in use."""
    installed = {name: sys.modules.pop(name) for name in _modules_of(package)}
    finder = PlainSourceFinder(package)
    sys.meta_path.insert(0, finder)
    try:
        return [import_module(f"{package}.{name}") for name in names]
    finally:
        sys.meta_path.remove(finder)
        for name in _modules_of(package):
            del sys.modules[name]
        sys.modules |= installed
        # Importing the package anew has bound its name in its parent to the copy.
        parent, _, own_name = package.rpartition(".")
        setattr(sys.modules[parent], own_name, sys.modules[package])


def _modules_of(package: str) -> list[str]:
    return [name for name in sys.modules if name == package or name.startswith(f"{package}.")]
