"""The packages, and the rules engine, compiled if there is a C compiler; all else is in pyproject.toml.

ORDWS_COMPILE=0 leaves the engine in plain Python.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

COMPILED = ("board", "judge", "move", "receipt", "scoring")
"""The modules of `ordws.rules` that every play uses. The others gain nothing, or could not be pickled any more."""


class BuildEngine(build_ext):
    """Compiles all of these modules or, if that fails, none: they also run as plain Python."""

    def finalize_options(self) -> None:
        from mypyc.build import mypycify

        paths = [f"ordws/rules/{name}.py" for name in COMPILED]
        self.distribution.ext_modules = mypycify(paths, debug_level="0", group_name="ordws.rules.engine")
        super().finalize_options()

    def run(self) -> None:
        try:
            super().run()
        except (BaseError, CCompilerError) as err:
            self.warn(f"the rules engine stays plain Python, for it could not be compiled: {err}")
            self.extensions = []


is_wanted = os.environ.get("ORDWS_COMPILE") != "0" and find_spec("mypyc") is not None
setup(
    # The recipes are beside the dictionaries in a checkout, and inside the wheel as a package.
    packages=[*find_packages(include=["ordws*", "builders*"]), "builders.recipes"],
    # A placeholder for the modules of BuildEngine: without it, a query of the metadata would compile them.
    ext_modules=[Extension("ordws.rules.engine__mypyc", [])] if is_wanted else [],
    cmdclass={"build_ext": BuildEngine},
)
