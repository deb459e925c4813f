"""The fixture that serves a console to browsers, for all tests of this folder."""

from __future__ import annotations

from console_browser import serve_console

__all__ = ["serve_console"]
