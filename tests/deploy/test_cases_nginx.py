"""The pages of fair play behind the shipped proxy, at a name of their own."""

from __future__ import annotations

from contextlib import closing

from deployment import DEPLOY, Nginx, ask_once
from threaded_server import served_in_thread

from ordws.cases.pages.app import create_review_app
from ordws.cases.pages.case_view import open_review_state
from ordws.instance import Instance


def test_a_long_letter_reaches_the_pages_of_fair_play(tmp_path):
    """A form as large as those pages take comes to them; where they are away, a page in plain words says so."""
    instance = Instance(tmp_path / "inst")
    instance.make_folders()
    with (
        closing(open_review_state(instance, lambda: 1_795_262_400)) as state,
        served_in_thread(create_review_app(state, origin="https://fair.example.org").wsgi_app) as port,
    ):
        nginx = Nginx(tmp_path, tmp_path / "no.sock")
        server = (DEPLOY / "ordws-cases.conf").read_text()
        for old, new in {
            "listen 443 ": f"listen 127.0.0.1:{nginx.port} ",
            "/etc/ssl/ordws/": f"{tmp_path}/",
            "127.0.0.1:8011": f"127.0.0.1:{port}",
        }.items():
            assert old in server
            server = server.replace(old, new)
        (tmp_path / "ordws-cases.conf").write_text(server)
        nginx.start()
        kind = {"Host": "fair.example.org", "Content-Type": "application/x-www-form-urlencoded"}
        letter = b"text=" + b"a" * (192 * 1024 - 5)
        status, _, body = ask_once(nginx, "POST", "/answer/send", letter, **kind)
        assert (status, b"nginx" in body) == (403, False), "the application refuses whoever is not signed in"
        assert ask_once(nginx, "POST", "/answer/send", letter + b"a", **kind)[0] == 413
    try:
        status, _, body = ask_once(nginx, "GET", "/", Host="fair.example.org")
        assert (status, body) == (503, b"The pages of fair play do not answer at the moment. Try again in a minute.\n")
    finally:
        nginx.stop()
