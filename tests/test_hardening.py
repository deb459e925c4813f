"""What keeps a worker from outliving the main process."""

from __future__ import annotations

import os
import subprocess
import sys

BOUND = """
import sys
from ordws.errors import OrdwsError
from ordws.hardening import die_with_parent
try:
    die_with_parent(int(sys.argv[1]))
except OrdwsError as error:
    sys.exit(str(error))
"""


def bound_to(parent: int) -> subprocess.CompletedProcess[str]:
    """A child of this process that binds itself to a process of that number."""
    return subprocess.run([sys.executable, "-c", BOUND, str(parent)], capture_output=True, text=True)


def test_a_process_is_bound_to_the_parent_that_it_has():
    """The parent is the process that was named, whatever its number: in a container it is 1."""
    assert bound_to(os.getpid()).returncode == 0


def test_a_process_whose_parent_went_before_does_not_begin():
    """One that comes too late to be told of the end of its parent says so."""
    assert bound_to(os.getppid()).stderr == "the main process is gone\n"
