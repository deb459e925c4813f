"""The files of an installation: the only module that spells their paths."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordws.errors import BadInput

INIT_HINT: Final = "ordws init makes one, and --instance DIR names one that is elsewhere"
"""Commands look for `instance` where they are typed: somebody in another folder has an installation already."""


class _Place:
    """A path below the root of a folder, as an attribute of it."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __get__(self, folder: Instance | Sources, owner: type) -> Path:
        return folder.root / self._path


@dataclass(frozen=True)
class Instance:
    """The folder of one installation. Only its keepers may read anything in it but `public`."""

    root: Path

    @classmethod
    def locate(cls, folder: str | None = None) -> Instance:
        """Return the installation in the given folder, or in the one that ORDWS_INSTANCE names, or in `instance`."""
        return cls(Path(folder or os.environ.get("ORDWS_INSTANCE") or "instance"))

    keys = _Place("keys")
    pepper = _Place("keys/pepper.key")
    meter_key = _Place("keys/meter.key")
    games_key = _Place("keys/games.key")
    stream_key = _Place("keys/stream.key")
    """The key of stream tickets and nonces, the only one that the stream process reads."""

    computer_key = _Place("keys/computer.key")
    """The credential with which the program asks for turns, the only one that its process reads."""

    fairplay_key = _Place("keys/fairplay.key")
    ledger_key = _Place("keys/ledger.key")
    console_key = _Place("keys/console.key")
    recovery_public_key = _Place("keys/recovery.pub")
    sealed_edition = _Place("ordws.sealed")
    editions = _Place("editions")
    edition_mark = _Place("edition.mark")
    """The file with the number of the newest edition ever adopted here; the number only grows."""

    public = _Place("public")
    core = _Place("public/core")
    reference = _Place("public/reference")
    charged = _Place("public/dover-charged")
    """The public list of core words that are charged under Dover."""

    common = _Place("public/common")
    """The public list of core words that most people know, for the computer player."""

    own_reference = _Place("own-reference")
    """The installation's own players' list, encrypted; without it editions have the open list."""

    own_reference_key = _Place("keys/reference.key")
    notices = _Place("public/NOTICE")
    """The licence notices of the sources that the edition was built from."""

    ledger = _Place("curation.db")
    ledger_head = _Place("curation.head")
    console = _Place("console.db")
    """The database of the curators' accounts and sessions, encrypted."""

    console_address = _Place("console.url")
    """The address in browsers at which the console last ran."""

    clients = _Place("clients.db")
    meters = _Place("meters")
    """The folder of the meters of live clients."""

    toy_meters = _Place("toy-meters")
    """The folder of the meters of test keys."""

    games = _Place("games.db")
    """The database of the sealed games that are running."""

    stream_notices = _Place("stream/notices")
    """The socket on which the stream process hears of new rows, in a folder that it alone may write."""

    computer_notices = _Place("computer/notices")
    """The socket on which the program hears of turns, in a folder that its process alone may write."""

    practice = _Place("practice.db")
    """The database of the games against the program that run at this host, without anything of them."""

    replies = _Place("replies.db")
    """The database of replies kept for idempotency keys, encrypted."""

    judge_log = _Place("judge-log.db")
    """The database of questions from paired devices whose directors wanted a log; words are keyed hashes."""

    kept_games = _Place("kept-games.db")
    """The database of finished games that paired devices kept, for their directors to look over; encrypted."""

    results = _Place("results.db")
    """The database of the results of finished sealed games, encrypted."""

    fairplay = _Place("fairplay.db")
    """The database of the numbers of finished games and of flags, encrypted; nothing in it is a word."""

    fairplay_forms = _Place("fairplay-forms.json")
    """The honest forms as they were refitted on games in person; without it the forms are uncalibrated."""

    fairplay_false_flags = _Place("fairplay-false-flags.json")
    """The false flags that were simulated with the honest forms of this installation."""

    cases = _Place("cases/cases.db")
    """The case files of fair play, encrypted, in the folder that the reviewers' pages may write."""

    cases_key = _Place("keys/cases.key")
    reviewers = _Place("cases/reviewers.db")
    """The database of the accounts of those who judge cases, encrypted."""

    reviewers_key = _Place("keys/reviewers.key")
    reviewers_address = _Place("cases/url")
    """The address in browsers at which the reviewers' pages last ran."""

    register = _Place("public/register.json")
    """The register of decided cases, as the page `/hall` shows it; it is public."""

    desk_key = _Place("keys/desk.key")
    """The key of the directors' desk, under which sessions and entry codes are kept."""

    players_key = _Place("keys/players.key")
    """The key under which entrants with a member number have their pseudonyms at the word judge."""

    tournaments = _Place("tournaments")
    """The folder of the events that this host runs, a file each."""

    desk_sessions = _Place("tournaments/desk.sessions")
    """The sessions of the desk, in the one folder that it may write; no backup has them."""

    def tournament(self, event: str) -> Path:
        """Return the file of an event; its name is a part of the event's addresses."""
        return self.tournaments / f"{event}.db"

    settings = _Place("settings.toml")
    """The keepers' settings: the limits they may set, and where the meters are stored."""

    build_record = _Place("build.json")
    """The record of the last build: the digest of its inputs, and its counts."""

    publish_folder = _Place("publish")

    @property
    def key_hint(self) -> str:
        """The hint for a missing key: `ordws init` changes nothing where an installation was before."""
        if not self.keys.exists():
            return INIT_HINT
        return "put it back: ordws restore FILE --replace, from a backup, or a copy from another host"

    @contextmanager
    def seal_lock(self) -> Iterator[None]:
        """Lock the installation while an edition is sealed; raise BadInput where another process is sealing one."""
        with (self.root / ".building").open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BadInput("an edition is being sealed here", hint="repeat this when it is done") from None
            yield

    def make_folders(self) -> None:
        for folder in (self.root, self.keys, self.editions):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.public.mkdir(mode=0o755, exist_ok=True)


@dataclass(frozen=True)
class Sources:
    """The folder of the dictionaries as they were delivered. Only its `recipes` are in git."""

    root: Path

    @classmethod
    def locate(cls, folder: str | None = None) -> Sources:
        """Return the dictionaries in the given folder, or in the one that ORDWS_SOURCES names, or in `sources`."""
        return cls(Path(folder or os.environ.get("ORDWS_SOURCES") or "sources"))

    debian = _Place("debian")
    """The folder of the open dictionaries, unpacked: one folder for each package."""

    archives = _Place("archives")
    apt = _Place(".apt")
    """The private state of apt-get, so that fetching needs no root and does not touch the system's state."""
