"""A host without an extra: which commands need one, and what they say."""

from __future__ import annotations

import subprocess
import sys

NEEDED = {
    "curation status": "build",
    "accounts list": "build",
    "tournament simulate": "tournament",
    "tournament online": "client",
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


def run(*arguments):
    """Run `ordws` where no package of an extra is installed, and return its status and what it says of errors."""
    script = f"import sys; sys.modules |= dict.fromkeys('{EXTRAS}'.split()); from ordws.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def test_a_command_names_the_extra_that_it_lacks():
    """Where a package is missing, the error says in one line which extra brings it, and a hint how to install it."""
    for line, extra in NEEDED.items():
        says = f"ordws: error: this command needs the extra \"{extra}\"\nordws: hint: pip install '.[{extra}]'\n"
        assert run(*line.split()) == (2, says), line


def test_a_serving_host_needs_no_extra():
    """What a serving host, and a desk of an event in person, is asked to do loads without any extra."""
    for line in WITHOUT:
        assert run(*line.split(), "--help") == (0, ""), line
