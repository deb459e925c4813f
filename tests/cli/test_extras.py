"""A host without an extra: which commands need one, and what they say."""

from __future__ import annotations

import subprocess
import sys

NEEDED = {
    "curation status": "build",
    "accounts list": "build",
    "tournament simulate": "tournament",
}
WITHOUT = (
    "status",
    "clients",
    "judge",
    "tournament",
    "cases",
    "fairplay",
    "stream",
    "tournament do",
    "tournament desk",
)
EXTRAS = "argon2 httpx krippendorff limits numpy pyotp redis rustworkx sqlcipher3 sqlite_utils webauthn wordfreq"


_RUN = f"""
import sys
sys.modules |= dict.fromkeys("{EXTRAS}".split())
from ordws.cli import main
for line in sys.argv[1:]:
    sys.argv = ["ordws", *line.split()]
    try:
        main()
    except SystemExit as end:
        print(line, end.code, file=sys.stderr)
"""


def run(*lines):
    """Run commands where no package of an extra is installed, and return what they say of errors, and their status."""
    return subprocess.run([sys.executable, "-c", _RUN, *lines], capture_output=True, text=True, timeout=60).stderr


def test_a_command_names_the_extra_that_it_lacks():
    """Where a package is missing, the error says in one line which extra brings it, and a hint how to install it."""
    says = [
        f"ordws: error: this command needs the extra \"{extra}\"\nordws: hint: pip install '.[{extra}]'\n{line} 2\n"
        for line, extra in NEEDED.items()
    ]
    assert run(*NEEDED) == "".join(says)


def test_a_serving_host_needs_no_extra():
    """What a serving host, and a desk of an event in person, is asked to do loads without any extra."""
    lines = [f"{line} --help" for line in WITHOUT]
    assert run(*lines) == "".join(f"{line} 0\n" for line in lines)
