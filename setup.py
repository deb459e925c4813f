"""Packages of the wheel; everything else stands in pyproject.toml."""

from setuptools import find_packages, setup

# The recipes live beside the dictionaries that they name, and travel inside the wheel.
setup(packages=[*find_packages(include=["ordws*", "builders*"]), "builders.recipes"])
