"""The blocks of the runbook, typed in order, on a build host and a serving host that are folders."""

from __future__ import annotations

import getpass
import grp
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from deployment import DEPLOY, Systemd
from open_dictionaries import write_open_sources

from builders.cli import ordws_build
from ordws.cli import ordws, run

TEXT = (DEPLOY / "README.md").read_text()
BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n```\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(TEXT)

# The first words of the lines that cannot be typed on this machine, and the reason or the test that covers them.
LEFT_OUT = {
    "apt-get ": "it installs on this machine",
    "useradd ": "it adds a user to this machine",
    "python3 -m venv ": "the tests' own environment is used",
    "/opt/ordws-": "it needs the network; `make` installs from the same lock",
    "PYTHONWARNINGS=ignore /opt/ordws-": "it needs the network; `make` installs from the same lock",
    "mkdir /opt/": "there is no release to unpack",
    "tar -xf ordws-": "there is no release to unpack",
    "ln -sfn ": "the tests' own environment is used",
    "ordws-build fetch": "it needs the network; small dictionaries are there already",
    "cp /opt/": "test_systemd_unit and test_monitoring check the copied files",
    "sed s/judge": "test_nginx runs what it writes",
    "nginx ": "test_nginx runs it",
    "curl -sS -m 30 https:": "test_nginx sends requests through the proxy",
    "install -d -m 0700 /etc/": "test_nginx makes its own certificate",
    "systemctl restart prometheus-node-exporter": "there is no Prometheus",
    "systemctl enable --now ordws-figures": "test_alerts runs what it starts",
    "systemctl --failed": "there is no systemd",
    "df -h": "it looks at the disk of this machine",
    "du -xh": "it looks at the disk of this machine",
    "curl -s http://127.0.0.1:9464": "test_monitoring reads the metrics",
    "journalctl ": "there is no journal; the log is a file",
    "systemctl daemon-reload": "there is no systemd; test_systemd_unit verifies the units",
    "systemctl restart prometheus": "test_monitoring checks its files",
    "echo 'ARGS=": "there is no Prometheus to configure",
    "systemctl restart nginx": "test_nginx runs it",
    "rm -f /var/log/nginx": "this machine has no logs of nginx",
}
SECTIONS = re.findall(r"^##+ (.*)$", TEXT, re.MULTILINE)


class Keeper:
    """A keeper who types blocks: plain `ordws` commands run in this process, everything else in a shell."""

    def __init__(self, tmp_path, monkeypatch, capsys):
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.build, self.serve, self.instance = tmp_path / "build", tmp_path / "var", tmp_path / "var/instance"
        for folder in (self.build, self.serve / "arrived"):
            folder.mkdir(parents=True)
        write_open_sources(self.build / "sources")
        self.systemd = Systemd(tmp_path, self.instance)
        user, group = getpass.getuser(), grp.getgrgid(os.getgid()).gr_name
        self.replacements = {
            "/var/lib/ordws": str(self.serve),
            "/var/backups/ordws": str(tmp_path / "backups"),
            "/run/ordws/ordws.sock": str(tmp_path / "ordws.sock"),
            "judge.example.org:": "",
            "scp ": "cp ",
            "runuser -u ordws -- ": "",
            "-o ordws -g ordws": "",
            "ordws:ordws": f"{user}:{group}",
            "python -c": f"{sys.executable} -c",
        }
        self.output = ""
        monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.delenv("ORDWS_KEY", raising=False)
        monkeypatch.delenv("ORDWS_SOURCES", raising=False)

    def type(self, block):
        """Type a block, and return the output of its last line."""
        is_build = block.startswith("# build host\n")
        folder = self.build if is_build else self.serve / "arrived"
        self.monkeypatch.chdir(folder)
        self.monkeypatch.setenv("ORDWS_INSTANCE", str(folder / "instance" if is_build else self.instance))
        for line in block.replace("\\\n", "").splitlines():
            for part in line.split(" && "):
                self._type(part.partition("  #")[0].strip())
        return self.output

    def _type(self, line):
        for old, new in self.replacements.items():
            line = line.replace(old, new)
        if not line or line.startswith(("#", "export ", "cd ", *LEFT_OUT)):
            return
        if (number := re.fullmatch(r"N=([0-9]+)", line)) is not None:
            self.monkeypatch.setenv("N", number[1])
            return
        if line.startswith("systemctl "):
            self._manage(line.split()[1])
        elif line.startswith(("ordws ", "ordws-build ")) and not set(line) & set("|<>("):
            self._run(line)
        else:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            self.output = done.stdout

    def _run(self, line):
        words = shlex.split(os.path.expandvars(line))
        self.monkeypatch.setattr(sys, "argv", words)
        self.capsys.readouterr()
        status = run(ordws if words[0] == "ordws" else ordws_build, words[0])
        self.output, errors = self.capsys.readouterr()
        self._keep(re.findall(r"ordws_(?:live|recovery)_\S+", self.output))
        assert status == 0 or line.startswith(("ordws guard ", "ordws status")), f"{line}\n{self.output}\n{errors}"

    def _keep(self, keys):
        """Keep the keys that are shown only once."""
        for key in keys:
            if key.startswith("ordws_recovery"):
                (self.build / "recovery.key").write_text(key)
            elif Path.cwd() != self.build and "ORDWS_KEY" not in os.environ:
                self.monkeypatch.setenv("ORDWS_KEY", key)

    def _manage(self, verb):
        if verb == "restart":
            assert self.systemd.stop() == 0
        if verb in ("restart", "enable"):
            self.systemd.start("--workers", "1")
        assert verb in ("restart", "enable", "reload")


@pytest.fixture
def keeper(tmp_path, monkeypatch, capsys):
    keeper = Keeper(tmp_path, monkeypatch, capsys)
    yield keeper
    keeper.systemd.close()


def blocks(section):
    """Return the blocks of a section, each with its expected output."""
    rest = TEXT.partition(f"# {section}\n")[2]
    return BLOCK.findall(re.split(r"^##+ ", rest, flags=re.MULTILINE)[0])


def follow(keeper, *sections):
    """Type all blocks of these sections, and return the last output."""
    for block, seen in [each for section in sections for each in blocks(section)]:
        output = keeper.type(block)
        assert not seen or output.strip() == seen.strip(), block
    return output


@pytest.mark.long
def test_every_section_works_as_written(keeper):
    """The runbook works as written from an empty host to a lost disk, and every block is typed."""
    follow(keeper, "What runs where", "Install", "First start", "The proxy", "Metrics and alarms")
    assert "club-judge" in follow(keeper, "Day to day")
    follow(keeper, "Tournaments")
    assert len((keeper.instance / "keys/desk.key").read_bytes()) == 32
    follow(keeper, "Backup")
    keeper.type("# build host\nordws curation override add GRIMDARK --reason 'in print since 2012' --keeper ada")
    assert follow(keeper, "Publish an edition").startswith("edition  2 ")
    follow(keeper, "Take an edition back")
    follow(keeper, "Rotate keys")
    assert keeper.type("# serving host\nordws status").startswith("edition  4 ")
    (keeper.serve / "arrived/leaked.txt").write_text("LOVERS\nQUIZ\n")
    follow(keeper, "A leak is suspected", "Upgrade without losing a request")
    assert keeper.systemd.stop() == 0
    keeper.instance.rename(keeper.serve / "lost")
    (backup,) = (keeper.serve.parent / "backups").glob("*.backup")
    backup.rename(keeper.serve / "arrived" / backup.name)
    (keeper.serve / "arrived/recovery.key").write_bytes((keeper.build / "recovery.key").read_bytes())
    follow(keeper, "The disk is lost")
    assert "club-judge" in keeper.type("# serving host\nordws clients list")
    told = "today's budgets count as spent; nothing is answered before the next day, UTC"
    assert told in keeper.systemd.errors_file.read_text()
    typed = {block for section in SECTIONS for block, _ in blocks(section)}
    assert typed == {block for block, _ in BLOCKS}


@pytest.mark.long
def test_one_host_may_be_both(keeper, monkeypatch):
    """The runbook works on one host that is both build host and serving host."""
    monkeypatch.setenv("ORDWS_SOURCES", str(keeper.build / "sources"))
    follow(keeper, "What runs where", "Install", "One host for both")
    assert keeper.type("# serving host\nordws status").startswith("edition  1 ")


def test_every_line_that_the_tests_leave_out_is_in_the_runbook():
    """Every line that the tests leave out is in the runbook."""
    assert [start for start in LEFT_OUT if start not in TEXT] == []
