"""The packages, rules engine and move generator compiled if there is a C compiler; all else is in pyproject.toml.

ORDWS_COMPILE=0 leaves both in plain Python.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

COMPILED = {
    "ordws.rules.engine": ("board", "judge", "move", "receipt", "scoring"),
    "ordws.movegen.generator": ("found", "graph", "left_parts", "lines", "search", "terms"),
}
"""The modules that every play uses, by the name of the extension that has them. The others of their folders gain
nothing, or could not be pickled any more."""


class BuildEngine(build_ext):
    """Compiles all of these modules or, if that fails, none: they also run as plain Python."""

    def finalize_options(self) -> None:
        from mypyc.build import mypycify

        self.distribution.ext_modules = []
        for group, names in COMPILED.items():
            folder = group.rpartition(".")[0].replace(".", "/")
            paths = [f"{folder}/{name}.py" for name in names]
            self.distribution.ext_modules += mypycify(paths, debug_level="0", group_name=group)
        super().finalize_options()
        self.parallel = True  # both extensions at once

    def run(self) -> None:
        try:
            super().run()
        except (BaseError, CCompilerError) as err:
            self.warn(f"the rules engine and the move generator stay plain Python, for compiling failed: {err}")
            self.extensions = []


is_wanted = os.environ.get("ORDWS_COMPILE") != "0" and find_spec("mypyc") is not None
setup(
    # The recipes are beside the dictionaries in a checkout, and inside the wheel as a package.
    packages=[*find_packages(include=["ordws*", "builders*"]), "builders.recipes"],
    # A placeholder for the modules of BuildEngine: without it, a query of the metadata would compile them.
    ext_modules=[Extension(f"{group}__mypyc", []) for group in COMPILED] if is_wanted else [],
    cmdclass={"build_ext": BuildEngine},
)
