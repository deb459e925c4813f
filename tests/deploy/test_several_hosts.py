"""`docs/several-hosts.md` typed block by block: hosts over a cluster of three nodes, and the proxy in front of them."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from deployment import DEPLOY, NAME, Nginx, Systemd, ask, ask_once, is_open
from processes import ROOT, TIMEOUT_SECONDS
from redis_cluster import LocalCluster
from small_installation import SmallInstallation

pytestmark = pytest.mark.long
GUIDE = (ROOT / "docs/several-hosts.md").read_text()
BLOCKS = re.findall(r"^```sh\n# ([a-z ]+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
REAL_IP = re.search(r"^    set_real_ip_from .*\n.*\n", GUIDE, re.MULTILINE)
TYPED_BY_HAND = ("systemctl ", "chown ", "sed ", "nginx ", "curl ", "redis-cli ")
"""What the test does by itself: there is no systemd, no user of the service, and one address for all machines."""


class Host:
    """A serving host: its folder in place of /var/lib/ordws, its service on a socket, and its nginx."""

    def __init__(self, folder: Path, published: Path, opening_key: Path) -> None:
        self.folder, self.instance = folder, folder / "instance"
        (folder / "arrived").mkdir(parents=True)
        self.type(f"ordws init --serving --from {published} --opening-key {opening_key}")
        self.systemd = Systemd(folder, self.instance)
        assert REAL_IP is not None
        fewer = {"http {": "http {" + REAL_IP[0].replace("10.0.0.4", "127.0.0.1")}
        self.nginx = Nginx(folder, folder / "ordws.sock", fewer)

    def type(self, block: str, to: Path | None = None, node: str = "") -> str:
        """Type a block line by line, and return what its last line printed; `to` is the host that `scp` names."""
        replaced = {
            "10.0.0.6:/var/lib/ordws": str(to),
            "/var/lib/ordws": str(self.folder),
            "cd /root": f"cd {self.folder}",
            "scp ": "cp ",
            "runuser -u ordws -- ": "",
            "-o ordws -g ordws ": "",
            "redis://10.0.0.11:6379/0": node,
            "python -c": f"{sys.executable} -c",
        }
        lines = [each for each in block.replace("\\\n", "").splitlines() if not each.startswith(TYPED_BY_HAND)]
        text = "\n".join(lines)
        for old, new in replaced.items():
            text = text.replace(old, new)
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env={**os.environ, "PATH": path, "ORDWS_INSTANCE": str(self.instance)},
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        return done.stdout

    def take_certificate(self, front: Nginx) -> None:
        """Copy the certificate of the proxy in front: all have one."""
        for name in ("fullchain.pem", "privkey.pem"):
            shutil.copy(front.folder / name, self.folder / name)
        self.nginx.tls = front.tls

    def start(self) -> None:
        self.systemd.start("--workers", "1")
        self.nginx.start()

    def stop(self) -> None:
        self.nginx.stop()
        with suppress(subprocess.TimeoutExpired):
            self.systemd.close()

    @property
    def answered(self) -> int:
        """How many questions this host has answered."""
        return (self.folder / "ordws.log").read_text().count('"status":200')


class Balancer(Nginx):
    """The proxy of `deploy/balancer.conf` in front of hosts."""

    def __init__(self, folder: Path, hosts: list[Host]) -> None:
        super().__init__(folder, folder / "none.sock")
        self.hosts = hosts
        self.write()

    def write(self) -> None:
        """Write the configuration with a line for each host."""
        for host in self.hosts:
            host.take_certificate(self)
        text = (DEPLOY / "balancer.conf").read_text()
        servers = re.findall(r"^ +server 10\.0\.0\.[56]:443 .*\n", text, re.MULTILINE)[:2]
        lines = [servers[0].replace("10.0.0.5:443", f"127.0.0.1:{host.nginx.port}") for host in self.hosts]
        assert text.count("".join(servers)) == 1
        text = text.replace("".join(servers), "".join(lines))
        replaced = {
            "user www-data;": "daemon off;",
            "/run/nginx.pid": f"{self.folder}/nginx.pid",
            "/var/log/nginx/": f"{self.folder}/",
            "/etc/ssl/ordws/": f"{self.folder}/",
            "/etc/ssl/certs/ca-certificates.crt": f"{self.folder}/fullchain.pem",
            "10.0.0.5:443": f"127.0.0.1:{self.hosts[0].nginx.port}",
            "listen 443 ": f"listen 127.0.0.1:{self.port} ",
            "worker_rlimit_nofile 65536;": "",
            "worker_connections 16384;": "worker_connections 512;",
            "http {": "http {"
            + "".join(
                f" {kind}_temp_path {self.folder}/{kind};"
                for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            ),
        }
        for old, new in replaced.items():
            assert old in text, old
            text = text.replace(old, new)
        self.file.write_text(text)


@pytest.fixture
def block() -> dict[str, list[str]]:
    """Return the blocks of the guide, by the machine that they name, in their order."""
    found: dict[str, list[str]] = {}
    for machine, text in BLOCKS:
        found.setdefault(machine, []).append(text)
    return found


def judge(balancer: Balancer, key: str, word: str) -> tuple[int, object]:
    """Ask one question through the proxy."""
    status, _, body = ask_once(balancer, "POST", "/v1/judge", {"words": [word]}, Authorization=f"Bearer {key}")
    answer = json.loads(body)
    return status, answer.get("valid", answer.get("code"))


def wait_for(balancer: Balancer, key: str, wanted: tuple[int, object], *answering: Host) -> None:
    """Ask until the answer is as wanted, and each of some hosts has answered."""
    deadline, before = time.monotonic() + 4 * TIMEOUT_SECONDS, [host.answered for host in answering]
    while judge(balancer, key, "lovers") != wanted or any(
        host.answered == count for host, count in zip(answering, before, strict=True)
    ):
        assert time.monotonic() < deadline, (wanted, judge(balancer, key, "lovers"))
        time.sleep(0.2)


def test_two_hosts_share_a_cluster_and_a_third_is_added(
    installation: SmallInstallation, tmp_path: Path, block: dict[str, list[str]]
) -> None:
    """Both hosts answer by one register and one set of budgets; a lost node or host is borne, and one is added."""
    published, opening_key = tmp_path / "published", installation.instance.keys / "opening-1.key"
    with ExitStack() as stack:
        cluster = stack.enter_context(LocalCluster(tmp_path / "cluster"))
        subprocess.run(
            [Path(sys.executable).with_name("ordws"), "publish", "--to", published],
            check=True,
            capture_output=True,
            env={**os.environ, "ORDWS_INSTANCE": str(installation.instance.root)},
        )
        first, second = (Host(tmp_path / name, published, opening_key) for name in ("a", "b"))
        to_the_cluster, pack = block["first host"]
        (unpack,) = block["another host"]
        shown = first.type("ordws clients add club")
        key = shown.split()[-1]
        assert first.type(to_the_cluster, node=cluster.url).startswith("new meters: open")
        first.type(pack, to=second.folder)
        status = second.type(unpack)
        assert "fault" not in status
        assert "clients  2" in status
        balancer = Balancer(tmp_path, [first, second])
        for machine in (first, second, balancer):
            stack.callback(machine.stop)
            machine.start()
        wait_for(balancer, key, (200, True), first, second)
        # What one host has charged, the other knows: the word cost one unit, whoever answered.
        quota = [
            json.loads(ask_once(host.nginx, "GET", "/v1/quota", Authorization=f"Bearer {key}")[2])
            for host in (first, second)
        ]
        assert quota[0] == quota[1]
        # What writes the register reaches the host that keeps it, or the next copy would take it back.
        for path in ("pair", "devices", "device/key", "device/forget") * 2:
            ask_once(balancer, "POST", f"/v1/{path}", {}, Authorization=f"Bearer {key}")
            logged = (tmp_path / "balancer.log").read_text().splitlines()[-1]
            assert f":{first.nginx.port} " in logged, path

        # Slow bodies meet the limits of the hosts behind, which one address cannot use up for another.
        slow = [stack.enter_context(balancer.raw()) for _ in range(150)]
        for connection in slow:
            head = f"POST /v1/home HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
            connection.sendall(f"{head}\r\n{{".encode())
        with suppress(ConnectionResetError):  # nginx may close before the answer was read
            assert slow[-1].recv(4_096)[:12] in (b"HTTP/1.1 503", b"")
        # Nor is a host left out for others that has ended such requests without an answer.
        while slow:
            ended, _, _ = select.select(slow, [], [], TIMEOUT_SECONDS)
            assert ended
            slow = [each for each in slow if each not in ended]
            with closing(http.client.HTTPSConnection("127.0.0.1")) as other:
                other.sock = balancer.raw("127.0.0.2")
                assert ask(other, "GET", "/readyz")[0] == 200

        # The node that the settings name is lost: nothing is answered until it is back, and then all goes on by itself.
        cluster.nodes[0].kill()
        wait_for(balancer, key, (503, "store-down"))
        cluster.nodes[0].start()
        wait_for(balancer, key, (200, True))

        second.systemd.stop()
        second.nginx.stop()
        for _ in range(4):
            wait_for(balancer, key, (200, True))
        first.nginx.stop()
        assert judge(balancer, key, "lovers") == (503, "too-busy")  # by the proxy, which reaches no host
        first.nginx.start()

        third = Host(tmp_path / "c", published, opening_key)
        stack.callback(third.stop)
        first.type(pack, to=third.folder)
        assert "clients  2" in third.type(unpack)
        balancer.stop()
        balancer.hosts = [first, third]
        balancer.write()
        third.start()
        balancer.start()
        wait_for(balancer, key, (200, True), first, third)
    assert not is_open(balancer.port)
