"""The parts that commands which serve share: addresses, sockets, the beginning of a process, and its metrics."""

from __future__ import annotations

import logging.config
import os
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from ordws.errors import BadInput, Missing
from ordws.listeners import listen, listen_unix, take_systemd_socket
from ordws.logs import LOGGING_CONFIG
from ordws.metrics_server import serve_metrics
from ordws.server import harden

_LAST_PORT: Final = 65_535


def metrics_option(port: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option `--metrics` of a command whose metrics are at this port, where nothing else is said."""
    return click.option(
        "--metrics",
        metavar="HOST:PORT|off",
        default=f"127.0.0.1:{port}",
        show_default=True,
        help="Where Prometheus finds /metrics.",
    )


def was_typed(ctx: click.Context, option: str) -> bool:
    """Return whether an option was typed, and is not its default."""
    return ctx.get_parameter_source(option) is not ParameterSource.DEFAULT


def begin_process() -> None:
    """Harden the process and set up its log; a closed terminal ends it no more than it ends `ordws serve`."""
    harden()
    logging.config.dictConfig(LOGGING_CONFIG)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def read_key(path: Path) -> bytes:
    """Return the key of a process, from the credentials that systemd passes or from the installation."""
    if folder := os.environ.get("CREDENTIALS_DIRECTORY"):
        path = Path(folder) / path.name
    try:
        return path.read_bytes()
    except OSError as err:
        raise Missing(f'no key at "{path}": {err.strerror}', hint="ordws serve makes it as it starts") from err


def start_metrics(
    stack: ExitStack, address: tuple[str, int] | None, render: Callable[[], bytes], *, is_given: bool
) -> str:
    """Serve metrics until the stack ends, and return a notice for the keeper; raise BadInput as `ordws serve` does."""
    if address is None:
        return "metrics are off"
    try:
        server = stack.enter_context(serve_metrics(*address, render))
    except BadInput as err:
        if is_given:
            raise
        return f"metrics are off: {err}"
    return f"metrics are at {server.url}"


def open_listeners(
    stack: ExitStack, address: Path | tuple[str, int], workers: int, *, is_given: bool
) -> list[socket.socket]:
    """Return the sockets to serve until the stack ends: that from systemd, or else those of `--bind`.

    Raises BadInput where systemd gives a socket and `--bind` is given too.
    """
    handed_over = take_systemd_socket(os.environ)
    if handed_over is not None and is_given:
        raise BadInput("a socket was handed over, and --bind names another", hint="leave --bind out")
    if handed_over is not None:
        listeners = [handed_over]
    elif isinstance(address, Path):
        listeners = [listen_unix(address)]
        stack.callback(address.unlink, missing_ok=True)
    else:
        listeners = listen(*address, workers)
    for listener in listeners:
        stack.enter_context(listener)
    return listeners


def listener_url(listener: socket.socket) -> str:
    """Return the address of a listening socket, as `unix:PATH` or as a URL."""
    if listener.family == socket.AF_UNIX:
        return f"unix:{listener.getsockname()}"
    address, port = listener.getsockname()[:2]
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def next_port(address: str) -> str:
    """Return HOST:PORT with the port after this one; port 0, any that is free, and "off" stay as they are."""
    host, _, port = address.rpartition(":")
    return f"{host}:{int(port) + 1 if 0 < int(port) < _LAST_PORT else 0}" if host else address


def parse_address(address: str, option: str) -> Path | tuple[str, int]:
    """Return the path of unix:PATH, or the parts of HOST:PORT; raise click.BadParameter."""
    scheme, _, path = address.partition(":")
    return Path(path) if scheme == "unix" and path else parse_host_and_port(address, option)


def parse_host_and_port(address: str, option: str) -> tuple[str, int]:
    """Return the two parts of HOST:PORT, an IPv6 address without its brackets; raise click.BadParameter."""
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isascii() and port.isdecimal() and int(port) < 65_536):
        raise click.BadParameter(f'"{address}" is not HOST:PORT, as in 127.0.0.1:8000', param_hint=option)
    return host.strip("[]"), int(port)


def parse_metrics(address: str) -> tuple[str, int] | None:
    """Return the parts of the HOST:PORT of `--metrics`, None for "off"; raise click.BadParameter."""
    return None if address == "off" else parse_host_and_port(address, "--metrics")
