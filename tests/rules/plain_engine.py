"""A plugin, `python -m pytest -p plain_engine`: the engine as it is written is tested, whatever was installed."""

from __future__ import annotations

import sys

from plain_source import PlainSourceFinder

sys.meta_path.insert(0, PlainSourceFinder)
