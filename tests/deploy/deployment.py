"""A host as `deploy/` describes it: the socket that systemd holds, the service on it, and nginx in front."""

from __future__ import annotations

import getpass
import http.client
import json
import os
import re
import socket
import ssl
import subprocess
import sys
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from free_ports import free_port
from processes import ROOT, TIMEOUT_SECONDS, await_start, stop, workers
from service_process import ORDWS_COMMAND

DEPLOY = ROOT / "deploy"
NAME = "judge.example.org"
_AS_SYSTEMD = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3);"
    "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1'); os.execv(sys.argv[2], sys.argv[2:])"
)


class Systemd:
    """A stand-in for systemd, which holds a listening socket and starts the service on it, also repeatedly."""

    def __init__(self, folder, instance, *, unix=True, name="ordws.sock"):
        self.folder, self.instance = folder, instance
        self.listener = socket.socket(socket.AF_UNIX if unix else socket.AF_INET)
        self.listener.bind(str(folder / name) if unix else ("127.0.0.1", 0))
        self.listener.listen(2048)
        self.is_unix = unix
        stem = "stream" if name == "stream.sock" else "service"
        self.errors_file, self.log = folder / f"{stem}.err", folder / f"{stem}.log"
        self.process = None

    def start(self, *options, command=None, preexec_fn=None, **environment):
        default_command = [
            sys.executable,
            *ORDWS_COMMAND,
            "serve",
            "--instance",
            self.instance,
            "--workers",
            "2",
            "--metrics",
            "off",
        ]
        number = self.listener.fileno()
        with self.errors_file.open("a") as stderr, self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _AS_SYSTEMD, str(number), *map(str, command or default_command), *options],
                cwd=ROOT,
                pass_fds=[number],
                stdout=log,
                stderr=stderr,
                preexec_fn=preexec_fn,
                env={**os.environ, **environment},
            )

    def stop(self):
        return stop(self.process)

    def begun(self):
        """Return how many workers have begun so far."""
        return self.log.read_text().count("a worker begins")

    def pids(self):
        """Return the process ids of the workers."""
        return workers(self.process.pid)

    def connect(self):
        """Return a connection to the service itself."""
        connection = http.client.HTTPConnection("service", timeout=TIMEOUT_SECONDS)
        connection.sock = socket.socket(self.listener.family)
        connection.sock.settimeout(TIMEOUT_SECONDS)
        connection.sock.connect(self.listener.getsockname())
        if not self.is_unix:
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def close(self):
        if self.process is not None:
            self.stop()
        self.listener.close()


class Nginx:
    """The documented proxy with other paths and ports, and with lower limits where a test needs them."""

    def __init__(self, folder, upstream, fewer=None):
        self.folder, self.port, self.plain = folder, free_port(), free_port()
        make_certificate(folder)
        replaced = {
            "user www-data;": f"user {getpass.getuser()}; daemon off;",
            "/run/nginx.pid": f"{folder}/nginx.pid",
            "/var/log/nginx/": f"{folder}/",
            "/run/ordws/ordws.sock": str(upstream),
            "/run/ordws/stream.sock": str(folder / "stream.sock"),
            "/etc/ssl/ordws/": f"{folder}/",
            "/etc/nginx/ordws-": f"{folder}/ordws-",
            "listen 80 ": f"listen 127.0.0.1:{self.plain} ",
            "listen 443 ": f"listen 127.0.0.1:{self.port} ",
            "worker_rlimit_nofile 65536;": "",
            "worker_connections 16384;": "worker_connections 512;",
            "http {": "http {"
            + "".join(
                [f" {kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
            ),
        }
        text = (DEPLOY / "nginx.conf").read_text()
        for old, new in {**replaced, **(fewer or {})}.items():
            assert old in text, old
            text = text.replace(old, new)
        self.file = folder / "nginx.conf"
        self.file.write_text(text)
        self.tls = ssl.create_default_context(cafile=folder / "fullchain.pem")
        self.command = ["nginx", "-p", str(folder), "-c", str(self.file), "-e", str(folder / "error.log")]
        self.environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin"}
        self.process = None

    def check(self):
        """Return nginx's messages on its configuration."""
        return subprocess.run([*self.command, "-t"], env=self.environment, capture_output=True, text=True).stderr

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment)
        await_start(self.process, lambda: is_open(self.port))
        return self

    def connect(self, address="127.0.0.1"):
        """Return a connection to the proxy under its name."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
        connection.sock = self.raw(address)
        return connection

    def raw(self, address="127.0.0.1"):
        """Return a TLS connection for bytes that are no HTTP, from an address of this host."""
        plain = socket.create_connection(("127.0.0.1", self.port), TIMEOUT_SECONDS, (address, 0))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.tls.wrap_socket(plain, server_hostname=NAME)

    def stop(self):
        if self.process is not None:
            stop(self.process)


def ask(connection, method, path, body=None, **headers):
    """Send a request and return status, headers and body of the answer."""
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    kind = {"Content-Type": "application/json"} if data is not None else {}
    with suppress(BrokenPipeError):  # a refusal may come before the body was sent
        connection.request(method, path, data, {"Host": NAME, **kind, **headers})
    reply = connection.getresponse()
    return read(reply)


def read(reply):
    return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()


def ask_once(host, method, path, body=None, **headers):
    with closing(host.connect()) as connection:
        return ask(connection, method, path, body, **headers)


def read_reply(connection):
    """Return status, headers and body of an answer over a bare connection."""
    with connection:
        data = b""
        # A server that has answered before the request was whole closes its side only after seconds.
        while not _is_whole(data) and (more := connection.recv(65_536)):
            data += more
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    return int(re.match(r"HTTP/1\.1 (\d+)", first)[1]), headers, body


def _is_whole(data):
    head, end, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    return bool(end and length) and len(body) >= int(length[1])


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def make_certificate(folder):
    """Make a self-signed certificate for the host's name."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
