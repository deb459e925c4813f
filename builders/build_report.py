"""What a build did, as counts; no word stands in it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ordws.atomic_files import write_atomically


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """Kept as `instance/build.json`, shown by `ordws status`."""

    inputs: str
    """Digest of all that the build was made from: the same again needs no build."""
    recipe: str
    """The recipe as it was named: the next build takes it again."""
    read: bool
    """Whether the sources were read, which they are not where nothing changed."""
    changed: bool
    """Whether there is a new edition."""
    edition: int
    name: str
    counts: dict[str, int]
    seconds: float
    links: int = 0
    """How long the ledger was when the decisions were taken from it."""


def read_build_report(path: Path) -> BuildReport | None:
    """The last build's report, or None where there is none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=BuildReport)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def write_build_report(path: Path, report: BuildReport) -> None:
    write_atomically(path, msgspec.json.format(msgspec.json.encode(report)) + b"\n")


def format_build_report(report: BuildReport) -> str:
    """A report as lines for a keeper."""
    if not report.read:
        return f"nothing changed: edition {report.edition} ({report.name}) stands"
    width = max(len(name) for name in report.counts)
    what = "edition" if report.changed else "the words are the same: edition"
    lines = [f"{what} {report.edition} ({report.name}), recipe {report.recipe}, {report.seconds} s"]
    return "\n".join(lines + [f"  {name:<{width}}  {count:>9,}" for name, count in report.counts.items()])
