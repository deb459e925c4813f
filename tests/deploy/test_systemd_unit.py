"""The shipped units: systemd accepts them, and the command runs within their limits."""

from __future__ import annotations

import ctypes
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from deployment import DEPLOY, Systemd, ask_once
from each_row import each_row
from processes import TIMEOUT_SECONDS

from ordws.server import KILL_SECONDS
from ordws.stream.process import STOP_SECONDS

FAIR_PLAY = ("ordws-fairplay.service", "ordws-cases.service", "ordws-cases-update.service")
UNITS = (
    "ordws.service",
    "ordws.socket",
    "ordws-stream.service",
    "ordws-stream.socket",
    "ordws-computer.service",
    *FAIR_PLAY,
    "ordws-cases-update.timer",
    "ordws-desk.service",
    "ordws-figures.service",
    "ordws-figures.timer",
)
COMMAND = "/opt/ordws/venv/bin/ordws"
_SET_NO_NEW_PRIVS, _SET_MDWE, _REFUSE_EXEC_GAIN = 38, 65, 1
_ALLOW, _EPERM = 0x7FFF0000, 0x00050001


def settings(unit, section):
    """Return the settings of a section, each with all its values in order."""
    values, current = {}, ""
    for line in (DEPLOY / unit).read_text().splitlines():
        if line.startswith("["):
            current = line.strip("[]")
        elif current == section and not line.startswith("#") and "=" in line:
            values.setdefault(line.partition("=")[0], []).append(line.partition("=")[2])
    return values


@pytest.fixture
def root(tmp_path):
    """Make the folders that the units name, with our command in its place."""
    root = tmp_path / "root"
    for folder in ("opt/ordws/venv/bin", "etc/systemd/system", "bin"):
        (root / folder).mkdir(parents=True)
    (root / "opt/ordws/venv/bin/ordws").symlink_to(Path(sys.executable).with_name("ordws"))
    return root


def test_systemd_accepts_the_units(root):
    """Systemd knows every setting, and everything that the units refer to exists."""
    for path in Path("/lib/systemd/system").glob("*.target"):
        shutil.copy(path, root / "etc/systemd/system")
    for unit in UNITS:
        shutil.copy(DEPLOY / unit, root / "etc/systemd/system")
    (root / "opt/ordws/deploy").mkdir()
    for path in (
        "opt/ordws/venv/bin/ordws",
        "opt/ordws/deploy/ordws-figures",
        "bin/kill",
        "bin/sh",
    ):  # within another root a link leads nowhere
        (root / path).unlink(missing_ok=True)
        (root / path).write_text("#!/bin/sh\n")
        (root / path).chmod(0o755)
    done = subprocess.run(
        ["systemd-analyze", "verify", f"--root={root}", "--man=no", *UNITS], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@each_row("unit", ["ordws.service", "ordws-stream.service", "ordws-computer.service", "ordws-desk.service", *FAIR_PLAY])
def test_the_exposure_score_of_a_service_is_low(unit):
    """Systemd's exposure score of each service is below 1.5 of 10."""
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager", DEPLOY / unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-300:]


def test_the_stream_gets_one_key():
    """The unit of the stream hides the folder of keys, passes on one of them, and writes its notices alone."""
    service = settings("ordws-stream.service", "Service")
    assert service["InaccessiblePaths"] == ["/var/lib/ordws/instance/keys"]
    assert service["LoadCredential"] == ["stream.key:/var/lib/ordws/instance/keys/stream.key"]
    assert service["ReadWritePaths"] == ["/var/lib/ordws/instance/stream"]
    assert service["ProtectSystem"] == ["strict"]
    assert "StateDirectory" not in service
    assert int(service["TimeoutStopSec"][0]) > 2 * STOP_SECONDS


def test_the_program_gets_one_credential_and_no_edition():
    """The unit of the program hides keys, editions, games and meters, and writes its notices alone."""
    service = settings("ordws-computer.service", "Service")
    hidden = {path.lstrip("-").rpartition("/")[2] for path in " ".join(service["InaccessiblePaths"]).split()}
    assert {"keys", "editions", "ordws.sealed", "games.db", "meters", "clients.db", "results.db"} <= hidden
    assert service["LoadCredential"] == ["computer.key:/var/lib/ordws/instance/keys/computer.key"]
    assert service["ReadWritePaths"] == ["/var/lib/ordws/instance/computer"]


def test_fair_play_sees_no_client_and_reaches_nobody():
    """The statistics have no network, and the files that say who asked what are hidden from them."""
    service = settings("ordws-fairplay.service", "Service")
    hidden = " ".join(service["InaccessiblePaths"]).split()
    hidden_keys = [f"keys/{name}.key" for name in ("pepper", "meter", "cases", "players")]
    for name in ("clients.db", "meters", "replies.db", "cases", "tournaments", *hidden_keys):
        assert f"-/var/lib/ordws/instance/{name}" in hidden
    assert service["PrivateNetwork"] == ["yes"]
    assert service["RestrictAddressFamilies"] == ["AF_UNIX"]
    assert service["CPUSchedulingPolicy"] == ["idle"]


@pytest.mark.parametrize(
    ("unit", "keys"),
    [("ordws-cases.service", {"cases.key", "reviewers.key"}), ("ordws-cases-update.service", {"cases.key"})],
)
def test_the_cases_are_all_that_their_processes_see(unit, keys):
    """The installation is an empty folder to them, with the cases and their keys in it, and no edition."""
    service = settings(unit, "Service")
    assert service["TemporaryFileSystem"] == ["/var/lib/ordws/instance"]
    seen = " ".join(service["BindPaths"] + service["BindReadOnlyPaths"]).split()
    assert {Path(path).name for path in seen if "/keys/" in path} == keys
    assert {Path(path).name for path in seen if "/keys/" not in path} <= {"cases", "public", "tournaments"}


def test_the_desk_sees_events_and_three_keys():
    """Of the installation the desk sees the events, its own key and the players'; the operator's is passed on to it."""
    service = settings("ordws-desk.service", "Service")
    assert service["TemporaryFileSystem"] == ["/var/lib/ordws/instance"]
    assert service["BindPaths"] == ["/var/lib/ordws/instance/tournaments"]
    keys = "/var/lib/ordws/instance/keys"
    assert service["BindReadOnlyPaths"] == [f"{keys}/desk.key {keys}/players.key"]
    assert service["LoadCredential"] == ["operator.key:/var/lib/ordws/operator.key"]
    assert service["InaccessiblePaths"] == ["/var/lib/ordws/operator.key"]
    assert service["IPAddressAllow"] == ["localhost"]
    assert "ReadWritePaths" not in service


def test_systemd_waits_longer_than_the_service():
    """The service ends its requests itself before systemd kills it."""
    assert int(settings("ordws.service", "Service")["TimeoutStopSec"][0]) > 2 * KILL_SECONDS


def allowed_calls(filters):
    """Return the system calls that the unit's filters allow."""
    listed = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager"], capture_output=True, text=True).stdout
    groups, name = {}, ""
    for line in listed.splitlines():
        if line.startswith("@"):
            name = line
        elif line.startswith("    ") and not line.strip().startswith("#"):
            groups.setdefault(name, []).append(line.strip())

    def calls(word):
        return {call for part in groups[word] for call in calls(part)} if word.startswith("@") else {word}

    allowed = calls("@default")
    for words in filters:
        named = {call for word in words.lstrip("~").split() for call in calls(word)}
        allowed = allowed - named if words.startswith("~") else allowed | named
    return allowed


def confine(service):
    """Return a function for a new child process that applies the unit's limits that need no systemd."""
    calls = [call.encode() for call in allowed_calls(service["SystemCallFilter"])]
    seccomp, libc = ctypes.CDLL("libseccomp.so.2"), ctypes.CDLL(None)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    files = int(service["LimitNOFILE"][0])

    def confined():
        os.umask(int(service["UMask"][0], 8))
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, most),) * 2)
        libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        libc.prctl(_SET_MDWE, _REFUSE_EXEC_GAIN, 0, 0, 0)  # as MemoryDenyWriteExecute=; older kernels have none
        rules = ctypes.c_void_p(seccomp.seccomp_init(_EPERM))
        for call in calls:
            number = seccomp.seccomp_syscall_resolve_name(call)
            if number >= 0:
                seccomp.seccomp_rule_add(rules, _ALLOW, number, 0)
        assert seccomp.seccomp_load(rules) == 0

    return confined


class Confined(Systemd):
    """A host that runs the unit's command under another root, within the unit's limits."""

    def __init__(self, folder, instance, root):
        super().__init__(folder, instance)
        self.service = settings("ordws.service", "Service")
        assert self.service["Environment"] == ["ORDWS_INSTANCE=/var/lib/ordws/instance"]
        command = shlex.split(self.service["ExecStart"][0])
        assert command[0] == COMMAND
        self.command = [f"{root}{command[0]}", *command[1:]]

    def start(self):
        self.command[self.command.index("127.0.0.1:9464")] = "127.0.0.1:0"
        super().start(command=self.command, preexec_fn=confine(self.service), ORDWS_INSTANCE=str(self.instance))


def test_the_command_of_the_unit_serves(root, installation, tmp_path):
    """The unit's command answers on the socket that it gets, within the unit's limits, and ends without an error."""
    host = Confined(tmp_path, installation.instance.root, root)
    key = {"Authorization": f"Bearer {installation.key}"}
    try:
        host.start()
        assert ask_once(host, "POST", "/v1/judge", {"words": ["LOVERS"]}, **key)[::2] == (200, b'{"valid":true }')
        assert f"is served at unix:{tmp_path}/ordws.sock\n" in host.errors_file.read_text()
        assert "ordws: metrics are at http://127.0.0.1:" in host.errors_file.read_text()
        reloading = [shlex.split(line)[1:] for line in host.service["ExecReload"]]
        assert reloading == [["-c", "/opt/ordws/venv/bin/ordws guard policy > /dev/null"], ["-HUP", "$MAINPID"]]
        assert host.service["KillMode"] == ["mixed"]
        assert "\nSeccomp:\t2\n" in Path(f"/proc/{host.process.pid}/status").read_text()
        host.process.send_signal(signal.SIGTERM)
        assert host.process.wait(TIMEOUT_SECONDS) == 0
    finally:
        host.close()
    output = host.log.read_text() + host.errors_file.read_text()
    assert "error" not in output
    assert "warning" not in output
