"""The service and its browsers, for whatever test of a page asks for them."""

from __future__ import annotations

from table_windows import served, tables

__all__ = ["served", "tables"]
