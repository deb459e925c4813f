"""A pytest plugin, `python -m pytest -p plain_engine`, with which the plain form of the engine is tested."""

from __future__ import annotations

import sys

from plain_source import PlainSourceFinder

sys.meta_path.insert(0, PlainSourceFinder("ordws.rules"))
