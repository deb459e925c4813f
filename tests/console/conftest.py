"""The browser, for whatever test of the console asks for it."""

from __future__ import annotations

from console_browser import opened

__all__ = ["opened"]
