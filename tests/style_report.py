"""Figures on names, citations and size: `make style-report` prints them, `test_style.py` holds them."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
STATEMENTS_BEFORE: Final = 21_653
"""Statements of `ordws` and `builders` in version 0.1.0, by the same count as `count_statements`."""

MIRRORED: Final = ("ordws.api", "ordws.client")
"""The client may import nothing of the service, so it repeats the names of the shapes that the service sends."""

ALLOWED_TWICE: Final[dict[str, str]] = {
    "ProblemDetails": "the client repeats it: the body of every refusal",
    "Receipt": "the client repeats it: a receipt as a reply carries it",
    "RuleSet": "the client repeats it: a rule set as GET /v1/rules/{id} describes it",
    "Turn": "the client repeats it: a turn of a sealed game as a reply tells it",
}
"""Public names that two modules may share, each with its reason."""

_SECTION: Final = r"(?:[A-Z]-\d\d|Decision \d+|\d+(?:\.\d+)*[a-z]?)"
_CITATION: Final = re.compile(
    rf"(?P<page>(?:docs/[\w-]+|FORMAT|deploy/README)\.md)(?P<sections>(?: {_SECTION})(?:(?:, | and ){_SECTION})*)?"
)
_ELSEWHERE: Final = re.compile(
    r"\b(?:RULES|GUARD|SOURCES|INTERFACES|EXPERIENCE|PITFALLS|ARCHITECTURE|PERFORMANCE|LANGUAGE|STYLE|TOURNAMENT|PLAYING"
    r"|FAIRPLAY) (?:[A-Z]-\d\d|[Dd]ecisions?\b|[A-E]?\d|R\d)"
)


class Citation(NamedTuple):
    """A place in a text that names a page of the documentation, and a section of it or none."""

    file: str
    line: int
    page: str
    section: str | None


def read_modules() -> dict[str, ast.Module]:
    """Return the syntax tree of every module of `ordws` and `builders` by its dotted name."""
    found = {}
    for package in ("ordws", "builders"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = ast.parse(path.read_text("utf-8"))
    return found


def find_public_types(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the classes and type aliases that a module defines for others."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if ast.unparse(node.annotation) != "TypeAlias":
                continue
            name = node.target.id
        else:
            continue
        if not name.startswith("_"):
            yield name


def find_names_with_two_meanings(modules: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Return the public types that stand in several modules, the client's mirror and the allow-list aside."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, tree in modules.items():
        for name in find_public_types(tree):
            places[name].append(module)
    service, client = MIRRORED
    return {
        name: found
        for name, found in places.items()
        if name not in ALLOWED_TWICE and len(_without_mirror(found, service, client)) > 1
    }


def _without_mirror(found: list[str], service: str, client: str) -> list[str]:
    """Leave out the client's module, which is generated, where the service has the same shape."""
    if any(module.startswith(f"{service}.") for module in found):
        return [module for module in found if module != f"{client}.replies"]
    return found


def count_statements(modules: dict[str, ast.Module]) -> int:
    """Count the statements of all modules; docstrings, comments and layout do not matter."""
    return sum(
        isinstance(node, ast.stmt) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for tree in modules.values()
        for node in ast.walk(tree)
    )


@cache
def read_texts() -> list[tuple[str, str]]:
    """Return every text file of the repository that may cite a page, with its path."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        paths = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if ".venv" not in path.parts]
    else:
        paths = listed.stdout.splitlines()
    texts = []
    for path in sorted(set(paths)):
        if Path(path).suffix in (".py", ".md", ".js", ".html", ".toml", ".txt", ".tsv", ".json", ".yml", ".css", ""):
            file = ROOT / path
            if file.is_file() and path != "tests/style_report.py":
                try:
                    texts.append((path, file.read_text("utf-8")))
                except UnicodeDecodeError:  # records in other encodings are test data
                    continue
    return texts


@cache
def find_citations() -> list[Citation]:
    """Return every citation of a page of the documentation, once for each section that it names."""
    return [
        Citation(path, number, {"FORMAT.md": "ordws/lexicon/FORMAT.md"}.get(match["page"], match["page"]), section)
        for path, text in read_texts()
        for number, line in enumerate(text.splitlines(), 1)
        if ".md" in line
        for match in _CITATION.finditer(line)
        for section in re.findall(_SECTION, match["sections"] or "") or [None]
    ]


@cache
def read_headings(page: str) -> set[str]:
    """Return the numbers and ids with which the headings of a page begin."""
    text = (ROOT / page).read_text("utf-8")
    return set(re.findall(rf"^(?:#+|-) ({_SECTION})\b", text, re.MULTILINE))


def find_unresolved_citations() -> list[str]:
    """Return every citation whose page or section does not exist, or that names a document outside the repository."""
    missing = []
    for file, line, page, section in find_citations():
        if not (ROOT / page).is_file():
            missing.append(f"{file}:{line}: {page} does not exist")
        elif section is not None and section not in read_headings(page):
            missing.append(f"{file}:{line}: {page} has no heading {section}")
    for path, text in read_texts():
        for number, line in enumerate(text.splitlines(), 1):
            if match := _ELSEWHERE.search(line):
                missing.append(f'{path}:{number}: "{match[0]}" is not in the repository')
    return missing


def count_unformatted() -> int:
    """Count the places that are kept from the formatter."""
    return sum(
        text.count("# fmt: skip") + text.count("# fmt: off") for path, text in read_texts() if path.endswith(".py")
    )


def main() -> None:
    """Print the report."""
    modules = read_modules()
    statements = count_statements(modules)
    doubled = find_names_with_two_meanings(modules)
    unresolved = find_unresolved_citations()
    print(f"public names with two meanings      {len(doubled)} ({len(ALLOWED_TWICE)} allowed)")
    print(f"unresolved citations                {len(unresolved)}")
    print(f"kept from the formatter             {count_unformatted()}")
    change = statements / STATEMENTS_BEFORE - 1
    print(f"statements before, now              {STATEMENTS_BEFORE}, {statements} ({change:+.1%})")
    for name, places in sorted(doubled.items()):
        print(f"  {name}: {', '.join(places)}")
    for text in unresolved:
        print(f"  {text}")


if __name__ == "__main__":
    main()
