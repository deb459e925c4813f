"""Tests that a worker does not outlive the main process."""

from __future__ import annotations

import os
import subprocess
import sys

BOUND = """
import sys
from ordws.errors import OrdwsError
from ordws.process_setup import die_with_parent
try:
    die_with_parent(int(sys.argv[1]))
except OrdwsError as error:
    sys.exit(str(error))
"""


def bound_to(parent: int) -> subprocess.CompletedProcess[str]:
    """Start a child of this process that binds itself to the process with this id."""
    return subprocess.run([sys.executable, "-c", BOUND, str(parent)], capture_output=True, text=True)


def test_a_process_can_be_bound_to_any_parent():
    """A process may be bound to its parent whatever the parent's id, which is 1 in a container."""
    assert bound_to(os.getpid()).returncode == 0


def test_a_process_whose_parent_has_ended_fails():
    """A process whose parent has ended already must fail, because it would get no signal."""
    assert bound_to(os.getppid()).stderr == "the main process is gone\n"
