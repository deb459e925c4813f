"""The browser, for whatever test of the console asks for it."""

from __future__ import annotations

from browsing import chromium, opened

__all__ = ["chromium", "opened"]
