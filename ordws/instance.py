"""The files of an installation: the only module that spells their paths."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ordws.errors import BadInput


@dataclass(frozen=True)
class Instance:
    """The folder of one installation. Only its keepers may read anything in it but `public`."""

    root: Path

    @classmethod
    def locate(cls, folder: str | None = None) -> Instance:
        """Return the installation in the given folder, or in the one that ORDWS_INSTANCE names, or in `instance`."""
        return cls(Path(folder or os.environ.get("ORDWS_INSTANCE") or "instance"))

    @property
    def keys(self) -> Path:
        return self.root / "keys"

    @property
    def pepper(self) -> Path:
        return self.keys / "pepper.key"

    @property
    def meter_key(self) -> Path:
        return self.keys / "meter.key"

    @property
    def games_key(self) -> Path:
        return self.keys / "games.key"

    @property
    def stream_key(self) -> Path:
        """The key of stream tickets and nonces, the only one that the stream process reads."""
        return self.keys / "stream.key"

    @property
    def fairplay_key(self) -> Path:
        return self.keys / "fairplay.key"

    @property
    def ledger_key(self) -> Path:
        return self.keys / "ledger.key"

    @property
    def console_key(self) -> Path:
        return self.keys / "console.key"

    @property
    def recovery_public_key(self) -> Path:
        return self.keys / "recovery.pub"

    @property
    def sealed_edition(self) -> Path:
        return self.root / "ordws.sealed"

    @property
    def editions(self) -> Path:
        return self.root / "editions"

    @property
    def edition_mark(self) -> Path:
        """The file with the number of the newest edition ever adopted here; the number only grows."""
        return self.root / "edition.mark"

    @property
    def public(self) -> Path:
        return self.root / "public"

    @property
    def core(self) -> Path:
        return self.public / "core"

    @property
    def reference(self) -> Path:
        return self.public / "reference"

    @property
    def charged(self) -> Path:
        """The public list of core words that are charged under Dover."""
        return self.public / "dover-charged"

    @property
    def own_reference(self) -> Path:
        """The installation's own players' list, encrypted; without it editions have the open list."""
        return self.root / "own-reference"

    @property
    def own_reference_key(self) -> Path:
        return self.keys / "reference.key"

    @property
    def notices(self) -> Path:
        """The licence notices of the sources that the edition was built from."""
        return self.public / "NOTICE"

    @property
    def ledger(self) -> Path:
        return self.root / "curation.db"

    @property
    def ledger_head(self) -> Path:
        return self.root / "curation.head"

    @property
    def console(self) -> Path:
        """The database of the curators' accounts and sessions, encrypted."""
        return self.root / "console.db"

    @property
    def console_address(self) -> Path:
        """The address in browsers at which the console last ran."""
        return self.root / "console.url"

    @property
    def clients(self) -> Path:
        return self.root / "clients.db"

    @property
    def meters(self) -> Path:
        """The folder of the meters of live clients."""
        return self.root / "meters"

    @property
    def toy_meters(self) -> Path:
        """The folder of the meters of test keys."""
        return self.root / "toy-meters"

    @property
    def games(self) -> Path:
        """The database of the sealed games that are running."""
        return self.root / "games.db"

    @property
    def stream_notices(self) -> Path:
        """The socket on which the stream process hears of new rows, in a folder that it alone may write."""
        return self.root / "stream" / "notices"

    @property
    def replies(self) -> Path:
        """The database of replies kept for idempotency keys, encrypted."""
        return self.root / "replies.db"

    @property
    def judge_log(self) -> Path:
        """The database of questions from paired devices whose directors wanted a log; words are keyed hashes."""
        return self.root / "judge-log.db"

    @property
    def kept_games(self) -> Path:
        """The database of finished games that paired devices kept, for their directors to look over; encrypted."""
        return self.root / "kept-games.db"

    @property
    def results(self) -> Path:
        """The database of the results of finished sealed games, encrypted."""
        return self.root / "results.db"

    @property
    def fairplay(self) -> Path:
        """The database of the numbers of finished games and of flags, encrypted; nothing in it is a word."""
        return self.root / "fairplay.db"

    @property
    def fairplay_forms(self) -> Path:
        """The honest forms as they were refitted on games in person; without it the forms are uncalibrated."""
        return self.root / "fairplay-forms.json"

    @property
    def fairplay_false_flags(self) -> Path:
        """The false flags that were simulated with the honest forms of this installation."""
        return self.root / "fairplay-false-flags.json"

    @property
    def cases(self) -> Path:
        """The case files of fair play, encrypted, in the folder that the reviewers' pages may write."""
        return self.root / "cases" / "cases.db"

    @property
    def cases_key(self) -> Path:
        return self.keys / "cases.key"

    @property
    def reviewers(self) -> Path:
        """The database of the accounts of those who judge cases, encrypted."""
        return self.root / "cases" / "reviewers.db"

    @property
    def reviewers_key(self) -> Path:
        return self.keys / "reviewers.key"

    @property
    def reviewers_address(self) -> Path:
        """The address in browsers at which the reviewers' pages last ran."""
        return self.root / "cases" / "url"

    @property
    def register(self) -> Path:
        """The register of decided cases, as the page `/hall` shows it; it is public."""
        return self.public / "register.json"

    @property
    def desk_key(self) -> Path:
        """The key of the directors' desk, under which its cookies are signed and entry codes are kept."""
        return self.keys / "desk.key"

    @property
    def players_key(self) -> Path:
        """The key under which entrants with a member number have their pseudonyms at the word judge."""
        return self.keys / "players.key"

    @property
    def tournaments(self) -> Path:
        """The folder of the events that this host runs, a file each."""
        return self.root / "tournaments"

    def tournament(self, event: str) -> Path:
        """Return the file of an event; its name is a part of the event's addresses."""
        return self.tournaments / f"{event}.db"

    @property
    def settings(self) -> Path:
        """The keepers' settings: the limits they may set, and where the meters are stored."""
        return self.root / "settings.toml"

    @property
    def build_record(self) -> Path:
        """The record of the last build: the digest of its inputs, and its counts."""
        return self.root / "build.json"

    @property
    def publish_folder(self) -> Path:
        return self.root / "publish"

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

    @property
    def debian(self) -> Path:
        """The folder of the open dictionaries, unpacked: one folder for each package."""
        return self.root / "debian"

    @property
    def archives(self) -> Path:
        return self.root / "archives"

    @property
    def apt(self) -> Path:
        """The private state of apt-get, so that fetching needs no root and does not touch the system's state."""
        return self.root / ".apt"
