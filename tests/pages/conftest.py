"""The service and its browsers, for whatever test of a page asks for them."""

from __future__ import annotations

from page_fixtures import served, tables

__all__ = ["served", "tables"]
