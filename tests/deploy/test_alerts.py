"""The shipped alerts under Prometheus' own checks, and the figures that `ordws-figures` writes for them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from deployment import DEPLOY

pytestmark = pytest.mark.long
HERE = Path(__file__).parent


def run(*line: object, **environment: str) -> str:
    """Run a program and return what it prints; fail with its complaint."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(each) for each in line],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path, **environment},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_prometheus_takes_the_configuration_and_fires_the_alerts(tmp_path):
    """Prometheus accepts the files as they are shipped; what is due, old or full fires, and what is not does not."""
    for file in (DEPLOY / "alerts.yml", DEPLOY / "prometheus.yml", HERE / "alert_cases.yml"):
        shutil.copy(file, tmp_path)
    run("promtool", "check", "config", tmp_path / "prometheus.yml")
    run("promtool", "test", "rules", tmp_path / "alert_cases.yml")


def test_figures_tell_of_cases_certificate_and_backups(tmp_path):
    """The figures are those of the files; what is not on the host has no line, and a folder without a backup is old."""
    instance, figures = tmp_path / "instance", tmp_path / "ordws.prom"
    certificate, backups = tmp_path / "fullchain.pem", tmp_path / "backups"
    places = {
        "ORDWS_INSTANCE": str(instance),
        "ORDWS_CERTIFICATE": str(certificate),
        "ORDWS_BACKUPS": str(backups),
        "ORDWS_FIGURES": str(figures),
        "ORDWS_AS_USER": "",
    }
    run("ordws", "init", **places)
    run(DEPLOY / "ordws-figures", **places)
    assert figures.read_text() == ""
    run("ordws", "cases", "list", **places)
    backups.mkdir()
    key = tmp_path / "privkey.pem"
    new = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=x")
    run("openssl", *new, "-days", "20", "-keyout", key, "-out", certificate)
    run(DEPLOY / "ordws-figures", **places)
    lines = dict(line.split() for line in figures.read_text().splitlines())
    assert (lines["ordws_cases_due"], lines["ordws_backup_timestamp_seconds"]) == ("0", "0")
    ends = run("date", "-u", "-d", f"@{lines['ordws_certificate_expiry_timestamp_seconds']}", "+%b %e %T %Y GMT")
    assert ends.strip() in run("openssl", "x509", "-noout", "-enddate", "-in", certificate)
    run("ordws", "backup", backups / "b.backup", **places)
    run(DEPLOY / "ordws-figures", **places)
    (made,) = re.findall(r"ordws_backup_timestamp_seconds (\d+)", figures.read_text())
    assert int(made) == int((backups / "b.backup").stat().st_mtime)
