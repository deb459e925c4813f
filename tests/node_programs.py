"""Programs in JavaScript, run by the node that comes with Playwright, so that nothing else need be installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

from playwright._impl._driver import compute_driver_executable

from ordws.web.pages import site

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "clients" / "javascript"
NODE: Final = compute_driver_executable()[0]
TIMEOUT_SECONDS: Final = 60
PAGES: Final = ROOT / "ordws" / "web" / "pages" / "static"
SHARED: Final = ROOT / "ordws" / "frame"
LOADED: Final = """
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
const [source, given] = JSON.parse(readFileSync(0, "utf-8"));
registerHooks({
  resolve: (name, context, next) => next(name === "./dom.js" ? process.argv[2] + "dom.js" : name, context),
  load: (url, context, next) => url.endsWith("/texts.js")
    ? { format: "module", source, shortCircuit: true } : next(url, context),
});
const page = (name) => import(process.argv[1] + name);
"""
"""The beginning of a program with the modules of the pages: one has the texts that the service puts there, and one is
shared with other applications."""


def install_package(folder: Path) -> Path:
    """Install the package as npm would after packing it, and return its folder."""
    target = folder / "node_modules" / "ordws-client"
    target.mkdir(parents=True)
    for name in ("package.json", "client.d.ts", "README.md"):
        shutil.copy(PACKAGE / name, target / name)
    run_node(folder, str(PACKAGE / "copy-module.js"), str(target))
    return target


def run_in_page_modules(function: str, given: Any = None) -> Any:
    """Return what a function makes of a value; `page(name)` imports a module of the pages in it."""
    program = f"{LOADED}\nconsole.log(JSON.stringify(await ({function})(given) ?? null));"
    entered = json.dumps([site.site_file("/app/texts.js").body.decode(), given])
    printed = run_node(
        ROOT, "--input-type=module", "--eval", program, f"{PAGES.as_uri()}/", f"{SHARED.as_uri()}/", entered=entered
    )
    return json.loads(printed)


def run_node(folder: Path, *arguments: str, entered: str = "", **variables: str) -> str:
    """Run node in a folder with a standard input, and return what it prints."""
    run = subprocess.run(
        [NODE, *arguments],
        cwd=folder,
        env=os.environ | variables,
        input=entered,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
