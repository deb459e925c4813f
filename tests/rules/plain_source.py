"""Import of the plain form of the rules engine beside the compiled one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType

import ordws.rules


class PlainSourceFinder:
    """A finder that finds the source of the engine's modules, never their compiled form."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if path is None or not name.startswith("ordws.rules."):
            return None
        return FileFinder(path[0], (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)


def import_plain_source(*names: str) -> list[ModuleType]:
    """Return fresh copies of modules of the engine, with all that they import of it; the installed ones stay in use."""
    package, installed = ordws.rules, {name: sys.modules.pop(name) for name in _engine_modules()}
    sys.meta_path.insert(0, PlainSourceFinder)
    try:
        return [import_module(f"ordws.rules.{name}") for name in names]
    finally:
        sys.meta_path.remove(PlainSourceFinder)
        for name in _engine_modules():
            del sys.modules[name]
        sys.modules |= installed
        ordws.rules = package


def _engine_modules() -> list[str]:
    return [name for name in sys.modules if name == "ordws.rules" or name.startswith("ordws.rules.")]
