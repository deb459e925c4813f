"""The report of a build, in counts; no word stands in it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ordws.atomic_files import write_atomically


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report that is kept as `build.json` of an instance and shown by `ordws status`."""

    inputs: str
    """The digest of all inputs of the build: the same digest again needs no build."""
    charged_inputs: str = ""
    """The digest of what the core words charged under Dover follow from: the same digest again needs no search."""
    recipe: str
    """The name or file of the recipe as it was given: the default of the next build."""
    read: bool
    """True if the sources were read, which they are not if nothing changed."""
    changed: bool
    """True if there is a new edition."""
    edition: int
    name: str
    counts: dict[str, int]
    seconds: float
    losses: str = ""
    """How many words of the last edition left, and by which lines of the recipe; empty if none did."""
    recipe_lines: dict[str, str] = {}
    """The recipe as it was, by which the next build tells what has changed."""
    links: int = 0
    """The number of the ledger's last link when the decisions were read from it."""


def read_build_report(path: Path) -> BuildReport | None:
    """Return the last build's report, or None if there is none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=BuildReport)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def write_build_report(path: Path, report: BuildReport) -> None:
    """Replace the last build's report."""
    write_atomically(path, msgspec.json.format(msgspec.json.encode(report)) + b"\n")


def format_build_report(report: BuildReport) -> str:
    """Return a report as lines for a keeper."""
    if not report.read:
        return f"nothing changed: edition {report.edition} ({report.name}) stands"
    width = max(len(name) for name in report.counts)
    subject = "edition" if report.changed else "the words are the same: edition"
    lines = [f"{subject} {report.edition} ({report.name}), recipe {report.recipe}, {report.seconds} s"]
    lines += [f"  {name:<{width}}  {count:>9,}" for name, count in report.counts.items()]
    return "\n".join(lines + ([report.losses] if report.losses else []))
