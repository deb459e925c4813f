"""The proxy that `deploy/nginx.conf` describes, in front of the service: as shipped, except for paths and TLS."""

from __future__ import annotations

import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from free_ports import free_port

from tests.load.load_server import SERVER_CORE
from tests.processes import ROOT, server_process

SHIPPED: Final = ROOT / "deploy" / "nginx.conf"
_OWN_FOLDERS: Final = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@contextmanager
def nginx_proxy(folder: Path, upstream: str, stream: str = "") -> Iterator[int]:
    """Run nginx in front of an address such as `unix:PATH`, on the core of the service; yield the port of nginx.

    `stream` is the address of the stream process; without one nginx answers for it that it is not there.
    """
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        raise SystemExit("error: nginx is not installed\nhint: apt-get install nginx-light")
    proxy_port = free_port()
    settings = folder / "nginx.conf"
    stream = stream or f"unix:{folder / 'no-stream.sock'}"
    settings.write_text(adapt_config(SHIPPED.read_text(), folder, upstream, stream, proxy_port))
    command = [nginx, "-p", folder, "-c", settings, "-g", "daemon off;"]
    with server_process(command, folder / "nginx.err", lambda: _is_open(proxy_port), core=SERVER_CORE):
        yield proxy_port


def adapt_config(shipped: str, folder: Path, upstream: str, stream: str, proxy_port: int) -> str:
    """Return the shipped configuration for this host: plain HTTP, the service's addresses, files in a folder."""
    temp_paths = [f"{name}_temp_path {folder}/{name};" for name in _OWN_FOLDERS]
    for pattern, text in (
        (r"^user .*;", "user root;"),
        (r"^pid .*;", f"pid {folder}/nginx.pid;"),
        (r"error_log \S+", f"error_log {folder}/nginx.err"),
        (r"access_log \S+", f"access_log {folder}/nginx.log"),
        (r"^http \{", "http {\n    " + "\n    ".join(temp_paths)),
        (r"listen 80 default_server;", f"listen 127.0.0.1:{proxy_port} default_server backlog=2048;"),
        (r"listen 443 ssl default_server;", ""),
        (r"listen 443 ssl.*;", f"listen 127.0.0.1:{proxy_port};"),
        (r"^ *ssl_.*;", ""),
        (r"server_name .*;", "server_name localhost;"),
        (r"unix:/run/ordws/ordws\.sock", upstream),
        (r"unix:/run/ordws/stream\.sock", stream),
    ):
        shipped, times = re.subn(pattern, text, shipped, flags=re.MULTILINE)
        if not times:
            raise SystemExit(f'error: nothing in "{SHIPPED}" looks like "{pattern}"')
    return shipped


def _is_open(proxy_port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", proxy_port)) == 0
