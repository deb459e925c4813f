"""The wheel of the Python client: what it holds, and that it needs httpx and msgspec alone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "client.md").read_text("utf-8")
FIRST_PROGRAM, FIRST_OUTPUT = re.search(r"^```python\n(.*?)^```\n```\n(.*?)^```$", PAGE, re.M | re.S).groups()


def run(*command, **variables):
    done = subprocess.run(command, capture_output=True, text=True, env=variables or None, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy of the tree, which the build writes into."""
    tree = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "ordws" / "client", tree / "ordws" / "client", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "clients" / "python", tree / "clients" / "python")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", tree]
    run(sys.executable, "-m", "pip", "wheel", *options, tree / "clients" / "python")
    (built,) = tree.glob("*.whl")
    return built


def packages_of(names):
    """Return the packages of these distributions and of all that they need, by the folder that holds each."""
    found, left = {}, [*names]
    while left:
        distribution = metadata.distribution(left.pop())
        for file in distribution.files:
            top = file.parts[0]
            if not top.endswith((".dist-info", "..")):
                found[top] = Path(distribution.locate_file(top))
        needed = [Requirement(each) for each in distribution.requires or ()]
        left += [each.name for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    return found


def test_the_wheel_is_the_client_and_nothing_else(wheel):
    """It holds the modules of `ordws.client` and the licence, under the version of the project."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        licences = [name for name in archive.namelist() if name.endswith(("/LICENSE", "/NOTICE"))]
    modules = (ROOT / "ordws" / "client").glob("*.py")
    assert names == {f"ordws/client/{path.name}" for path in modules} | {"ordws/client/py.typed"}
    assert len(licences) == 2
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert wheel.name == f"ordws_client-{version}-py3-none-any.whl"


@pytest.mark.long
def test_the_first_program_runs_where_the_wheel_alone_is_installed(wheel, tmp_path, running_service, test_key):
    """In an empty environment the wheel, httpx and msgspec are enough for the first program of the page."""
    venv.create(tmp_path / "venv", with_pip=False)
    python = str(tmp_path / "venv" / "bin" / "python")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (site,) = (tmp_path / "venv" / "lib").glob("python3*/site-packages")
    requirements = metadata.PathDistribution(next(site.glob("ordws_client-*.dist-info"))).requires
    assert sorted(re.match(r"\w+", each)[0] for each in requirements) == ["httpx", "msgspec"]
    for name, path in packages_of(["httpx", "msgspec"]).items():
        (site / name).symlink_to(path)
    (tmp_path / "program.py").write_text(FIRST_PROGRAM)
    printed = run(python, str(tmp_path / "program.py"), ORDWS_URL=running_service.address, ORDWS_KEY=test_key)
    assert printed == FIRST_OUTPUT
