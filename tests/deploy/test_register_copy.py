"""The register's copy on another host, by the block of `docs/several-hosts.md`."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from processes import ROOT, TIMEOUT_SECONDS

from ordws.identity.devices import SEEN_SECONDS, Devices, PairedDevice
from ordws.identity.register import Register

PEPPER, NOW = b"p" * 32, 60_000


def copy_in(folder: Path, instance: Path) -> None:
    """Type the block of the guide on a host whose folder stands for /var/lib/ordws."""
    guide = (ROOT / "docs/several-hosts.md").read_text()
    block = re.search(r"^```sh\n# each other host\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    assert block
    text = block[1]
    for old, new in (("/var/lib/ordws", str(folder)), ("runuser -u ordws -- python", sys.executable)):
        assert old in text
        text = text.replace(old, new)
    text = text.replace("chown ", "true ")
    environment = {**os.environ, "ORDWS_INSTANCE": str(instance)}
    subprocess.run(["bash", "-euc", text], check=True, env=environment, timeout=TIMEOUT_SECONDS)


def pair(register: Register, devices: Devices) -> PairedDevice:
    """Return a newly paired device of the first client."""
    code = devices.issue_code(register.list()[0], "Table 3", NOW)
    assert code is not None
    paired = devices.pair(code.text, NOW)
    assert isinstance(paired, PairedDevice)
    return paired


def test_a_copy_revokes_and_pairs_devices_on_a_host_that_serves(tmp_path: Path) -> None:
    """A copy holds at once beside a log of the host's own, which another file in its place would be read with."""
    here, instance = tmp_path / "clients.db", tmp_path / "instance"
    (tmp_path / "arrived").mkdir()
    instance.mkdir()
    copy, there = tmp_path / "arrived" / "clients.copy", instance / "clients.db"

    def send() -> None:
        with closing(sqlite3.connect(here)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)

    with (
        closing(Register.create(here, PEPPER)) as register,
        closing(Devices.open(here, PEPPER)) as devices,
        closing(Register.create(there, PEPPER)),
        closing(Devices.open(there, PEPPER)) as served,
    ):
        register.add("club", "operator", 10)
        revoked = pair(register, devices)
        send()
        copy_in(tmp_path, instance)
        # The host notes that the device was seen, in its log.
        assert served.identify(revoked.token, NOW + SEEN_SECONDS) is not None
        device = revoked.client.device
        assert device is not None
        devices.revoke(revoked.client, device.id, NOW)
        paired = pair(register, devices)
        send()
        copy_in(tmp_path, instance)
        assert served.identify(revoked.token, NOW) is None
        assert served.identify(paired.token, NOW) is not None
    with closing(sqlite3.connect(there)) as db:
        assert db.execute("pragma integrity_check").fetchall() == [("ok",)]
