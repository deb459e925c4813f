"""The fixtures that serve a console to browsers, for all tests of this folder."""

from __future__ import annotations

from console_browser import console_address, serve_console

__all__ = ["console_address", "serve_console"]
