"""Programs in JavaScript, run by the node that comes with Playwright, so that nothing else need be installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from playwright._impl._driver import compute_driver_executable

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "clients" / "javascript"
NODE: Final = compute_driver_executable()[0]
TIMEOUT_SECONDS: Final = 60


def install_package(folder: Path) -> Path:
    """Install the package as npm would after packing it, and return its folder."""
    target = folder / "node_modules" / "ordws-client"
    target.mkdir(parents=True)
    for name in ("package.json", "client.d.ts", "README.md"):
        shutil.copy(PACKAGE / name, target / name)
    run_node(folder, str(PACKAGE / "copy-module.js"), str(target))
    return target


def run_node(folder: Path, *arguments: str, **variables: str) -> str:
    """Run node in a folder, and return what it prints."""
    run = subprocess.run(
        [NODE, *arguments],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
