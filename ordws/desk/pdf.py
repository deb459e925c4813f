"""PDF of a page in HTML, by a Chromium of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from ordws.errors import BadInput

CHROMIUMS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "chromium-headless-shell",
)
_MOST_SECONDS: Final = 120


def find_chromium() -> str | None:
    """Return the path of a Chromium, or of a browser made from it; None without one."""
    return next((found for name in CHROMIUMS if (found := shutil.which(name))), None)


def write_pdf(html: str, path: Path, chromium: str) -> None:
    """Print a page to a PDF on the paper that it names; raise BadInput if the browser does not."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(html, "utf-8")
        command = [
            chromium,
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-sync",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={folder}/page.pdf",
            page.as_uri(),
        ]
        # Chromium has no sandbox for root, and this page has neither a script nor an address.
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")
        try:
            done = subprocess.run(command, capture_output=True, timeout=_MOST_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise BadInput(f"{chromium} did not print: {fault}", hint="name a file that ends in .html") from None
        made = Path(folder) / "page.pdf"
        if done.returncode or not made.is_file():
            raise BadInput(f"{chromium} did not print the page", hint="name a file that ends in .html")
        shutil.copyfile(made, path)
