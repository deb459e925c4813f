"""The table of problems: every reason that the service gives is in it."""

from __future__ import annotations

import ast
from pathlib import Path

from ordws.api.problems import PROBLEMS

ORDWS = Path(__file__).parents[2] / "ordws"
TAKES_A_CODE = {"Problem", "error_page"}


def test_every_code_that_is_written_is_in_the_table():
    """A refusal names a code of the table, which clients branch on; a mistyped one would be an error of the service."""
    written = {}
    for path in ORDWS.rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if any(f"{name}(" in text for name in TAKES_A_CODE) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TAKES_A_CODE:
                for part in ast.walk(node.args[0]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        written[part.value] = f"{path.name}:{node.lineno}"
    assert len(written) > 40
    assert {code: place for code, place in written.items() if code not in PROBLEMS} == {}
