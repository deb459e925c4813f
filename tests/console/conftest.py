"""The browser, for whatever test of the console asks for it."""

from __future__ import annotations

from console_windows import opened

__all__ = ["opened"]
