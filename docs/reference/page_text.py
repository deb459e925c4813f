"""Markdown as the pages of the reference have it: tables, lists, anchors, and help texts with their code marked."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Sequence
from textwrap import dedent, fill
from typing import Final

WIDTH: Final = 118


def wrap(text: str, first: str = "", rest: str = "") -> str:
    return fill(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False, break_long_words=False
    )


def bullet(text: str, level: int = 0) -> str:
    margin = "  " * level
    return wrap(text, f"{margin}- ", f"{margin}  ")


def paragraphs(text: str) -> list[str]:
    return [wrap(as_text(each)) for each in text.split("\n\n") if each]


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    cells = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(["| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads), *cells)])


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def as_text(text: str) -> str:
    """Return a help text on one line, with options and variables as code."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    code = re.compile(r'(?<![\w"/-])(--[a-z][a-z-]*|\$[A-Z_]+)(?![\w-])')
    return "".join([part if part.startswith("`") else code.sub(r"`\1`", part) for part in parts])


def members_with_meaning(owner: type) -> dict[str, str]:
    """Return the docstring below each attribute of a class, which Python itself does not keep."""
    (definition,) = ast.parse(dedent(inspect.getsource(owner))).body
    assert isinstance(definition, ast.ClassDef)
    found, name = {}, ""
    for node in definition.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=assigned)]) | ast.AnnAssign(target=ast.Name(id=assigned)):
                name = assigned
            case ast.Expr(value=ast.Constant(value=str(text))) if name:
                found[name] = " ".join(text.split())
            case _:
                name = ""
    return found
