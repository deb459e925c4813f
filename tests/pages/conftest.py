"""Fixtures of the service and its browsers for the tests of all pages."""

from __future__ import annotations

from page_fixtures import pages_address, pages_installation, pages_service, served, shared_installation, tables

__all__ = ["pages_address", "pages_installation", "pages_service", "served", "shared_installation", "tables"]
