"""The open dictionaries as Debian packages: downloaded without root, verified, unpacked, never installed.

Installing them would start the daemon of a dictionary server. Archives are checked against apt's signed index; versions
that the readers were checked with stand in `KNOWN`, another version is accepted, recorded and warned about
(docs/dictionaries.md 0).
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Final, NamedTuple
from urllib.parse import unquote

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.errors import BadSource, Missing
from ordws.instance import Sources

_MAGIC: Final = b"!<arch>\n"
_HEADER: Final = 60


def files_in(package: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield path and content of every regular file of a package; nothing is written, and no script of it is run."""
    with package.open("rb") as file:
        name = seek_data(package, file)
        archive_file: IO[bytes] = file
        if name.endswith(".zst"):
            # Python before 3.14 cannot unpack zstd; Ubuntu, whose packages use it, has dpkg-deb.
            try:
                command = ["dpkg-deb", "--fsys-tarfile", str(package)]
                archive_file = io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout)
            except (FileNotFoundError, subprocess.CalledProcessError) as error:
                raise BadSource(str(package), "data.tar.zst", "expected dpkg-deb here to unpack it with") from error
        try:
            with tarfile.open(fileobj=archive_file, mode="r|*") as archive:
                for member in archive:
                    if member.isfile() and (content := archive.extractfile(member)) is not None:
                        yield PurePosixPath(member.name.removeprefix("./")), content.read()
        except (tarfile.TarError, EOFError, lzma.LZMAError, zlib.error) as error:
            raise BadSource(str(package), name, "expected a whole tar archive") from error


def seek_data(package: Path, file: BinaryIO) -> str:
    """Seek to the first byte of the member `data.tar.*` and return its name, by the format of deb(5)."""
    if file.read(len(_MAGIC)) != _MAGIC:
        raise BadSource(str(package), "offset 0", "expected a Debian package")
    while len(header := file.read(_HEADER)) == _HEADER:
        name, size = header[:16].decode("ascii", "replace").rstrip(" /"), header[48:58].strip()
        if name.startswith("data.tar"):
            return name
        if not size.isdigit():
            break
        file.seek(int(size) + int(size) % 2, 1)  # members begin at even offsets
    raise BadSource(str(package), f"offset {file.tell()}", "expected the member data.tar")


FetchLog = Callable[[str], None]
FetchProgress = Callable[[int, int], None]
"""A function that is called during a download with the bytes that have arrived and the bytes in all."""


class Archive(NamedTuple):
    """One version of one package, as apt's index describes it."""

    name: str
    size: int
    sha256: str

    @property
    def package(self) -> str:
        return self.name.split("_")[0]

    @property
    def version(self) -> str:
        return unquote(self.name.split("_")[1])


class LocalArchive(NamedTuple):
    """An archive and its path, under whatever name."""

    archive: Archive
    path: Path


PACKAGE_FOLDERS: Final[Mapping[str, str]] = {
    "wordnet-base": "usr/share/wordnet",
    "dict-gcide": "usr/share/dictd",
    "dict-freedict-eng-fin": "usr/share/dictd",
    "scowl": "usr/share/dict/scowl",
}
"""The folder of each package that holds a dictionary."""

KNOWN: Final = (
    Archive(
        "wordnet-base_1%3a3.0-37_all.deb", 6467132, "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752"
    ),
    Archive(
        "dict-gcide_0.48.5+nmu2_all.deb", 14800692, "7b0af5cfde3cbdef5e9d6e78f92ec335ced7c2790f37a40f49bebc6f7347ac0f"
    ),
    Archive(
        "dict-freedict-eng-fin_2022.12.07-2_all.deb",
        3626152,
        "037351c22b6f803358517d0293bab9619f6bef964e22cab68f63a174b5d22ebe",
    ),
    Archive("scowl_2020.12.07-2_all.deb", 1755528, "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718"),
)
"""The versions of Debian 12, which the readers were checked with."""


def fetch(sources: Sources, log: FetchLog, progress: FetchProgress, apt: str | None = None) -> None:
    """Unpack every open dictionary under `sources.debian`; what is there already is left as it is.

    After an interruption, a second call continues where the first stopped. `apt` is the path of apt-get, None for a
    system without it: then archives in `sources.archives` are used if their digests are known. Raises Missing and
    BadSource.
    """
    absent = [package for package in PACKAGE_FOLDERS if not is_unpacked(sources, package)]
    for package in PACKAGE_FOLDERS.keys() - absent:
        log(f"{package}: here already")
    wanted = {package: find_local_archive(sources, package) for package in absent}
    if missing := [package for package, archive in wanted.items() if archive is None]:
        if apt is None:
            raise Missing(
                "there is no apt-get here to fetch the open dictionaries with", hint=manual_instructions(sources)
            )
        wanted |= download(sources, missing, log, progress, apt)
    for package, local in wanted.items():
        assert local is not None
        unpack(sources, local)
        log(f"{package} {local.archive.version}: verified and unpacked")
        if local.archive not in KNOWN:
            log(f"warning: {package} {local.archive.version} is another version than the readers were checked with")


def manual_instructions(sources: Sources) -> str:
    """Return a hint that lists the archives to get by hand when there is no apt-get."""
    missing = [
        a for a in KNOWN if not is_unpacked(sources, a.package) and find_local_archive(sources, a.package) is None
    ]
    files = "\n".join(f"  {re.sub('_[0-9]+%3a', '_', a.name)}  {a.size} bytes, SHA-256 {a.sha256}" for a in missing)
    return (
        f"get these files from any mirror or snapshot of Debian's package pool, put them into {sources.archives} "
        f"and run this command again:\n{files}"
    )


def is_unpacked(sources: Sources, package: str) -> bool:
    """Tell whether a package's files are all present and as they were unpacked."""
    folder = sources.debian / package
    try:
        record = json.loads((folder / "package.json").read_bytes())
        return all(digest_of(folder / name) == digest for name, digest in record["files"].items())
    except (OSError, ValueError, KeyError, AttributeError):
        return False


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_local_archive(sources: Sources, package: str) -> LocalArchive | None:
    """Return a known archive of a package from the archives folder, found by its digest; None if there is none."""
    for archive in KNOWN:
        for path in sources.archives.glob("*.deb") if archive.package == package else ():
            if is_whole(path, archive):
                return LocalArchive(archive, path)
    return None


def download(
    sources: Sources, packages: list[str], log: FetchLog, progress: FetchProgress, apt: str
) -> dict[str, LocalArchive]:
    """Download the archives of packages and check each against its size and digest in apt's signed index."""
    for folder in ("lists/partial", "cache/archives/partial"):
        (sources.apt / folder).mkdir(parents=True, exist_ok=True)
    sources.archives.mkdir(parents=True, exist_ok=True)
    log("reading the package index")
    run_apt(sources, apt, sources.apt, "update")
    # Run in a folder without archives: apt-get omits the address of a file of the right size, whatever is in it.
    index = run_apt(sources, apt, sources.apt, "--print-uris", "download", *packages)
    lines = re.findall(r"^'[^']*' (\S+\.deb) (\d+) SHA256:([0-9a-f]{64})$", index, re.MULTILINE)
    archives = [Archive(name, int(size), digest) for name, size, digest in lines]
    found = {archive.package: archive for archive in archives}
    if lost := [package for package in packages if package not in found]:
        raise Missing(f"apt-get knows no package {', '.join(lost)}", hint=manual_instructions(sources))
    incomplete = [a for a in found.values() if not is_whole(sources.archives / a.name, a)]
    if incomplete:
        size = sum(a.size for a in incomplete)
        log(f"fetching {len(incomplete)} packages, {size / 1e6:.1f} MB")
        for archive in incomplete:
            path = sources.archives / archive.name
            # apt-get continues a shorter file, and keeps a longer or equal one whatever is in it.
            if path.exists() and path.stat().st_size >= archive.size:
                path.unlink()

        def on_poll() -> None:
            paths = [sources.archives / archive.name for archive in incomplete]
            progress(sum(path.stat().st_size for path in paths if path.exists()), size)

        names = [archive.package for archive in incomplete]
        run_apt(sources, apt, sources.archives, "download", *names, on_poll=on_poll)
    for archive in found.values():
        if not is_whole(path := sources.archives / archive.name, archive):
            path.unlink(missing_ok=True)
            raise BadSource(str(path), "whole file", f"expected SHA-256 {archive.sha256}", hint="run the command again")
    return {package: LocalArchive(archive, sources.archives / archive.name) for package, archive in found.items()}


def is_whole(path: Path, archive: Archive) -> bool:
    """Tell whether a file is an archive, by size and digest."""
    return path.is_file() and path.stat().st_size == archive.size and digest_of(path) == archive.sha256


def run_apt(
    sources: Sources, apt: str, folder: Path, *arguments: str, on_poll: Callable[[], None] | None = None
) -> str:
    """Run apt-get in a folder with state of its own, so that it needs no root and leaves the system's alone.

    Returns its standard output; raises Missing with its errors.
    """
    state = sources.apt.absolute()
    options = {
        "Dir::State::Lists": state / "lists",
        "Dir::Cache": state / "cache",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
        "APT::Get::AllowUnauthenticated": "false",
        "Acquire::AllowInsecureRepositories": "false",
        "Acquire::Retries": "3",
    }
    command = [apt, "-q", *(f"-o{name}={value}" for name, value in options.items() if value != ""), *arguments]
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C"},
    ) as process:
        while True:
            try:
                # communicate() and not poll(): a full pipe would stop apt-get.
                out, complaint = process.communicate(timeout=0.25)
                break
            except subprocess.TimeoutExpired:
                if on_poll is not None:
                    on_poll()
    if process.returncode != 0:
        reason = "; ".join(re.findall(r"^E: (.*)", complaint, re.MULTILINE)) or f"status {process.returncode}"
        raise Missing(f"apt-get {' '.join(arguments)} failed: {reason}", hint=manual_instructions(sources))
    return out


def unpack(sources: Sources, local_archive: LocalArchive) -> None:
    """Unpack a package's dictionary files and its licence into a folder of its own; raises BadSource.

    The record is written last, so that an interrupted unpacking is repeated.
    """
    archive, source = local_archive
    folder, wanted = sources.debian / archive.package, PurePosixPath(PACKAGE_FOLDERS[archive.package])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    digests = {}
    for path, data in files_in(source):
        if path.parent == wanted or path.name == "copyright":
            (folder / path.name).write_bytes(data)
            digests[path.name] = hashlib.sha256(data).hexdigest()
    if digests.keys() <= {"copyright"}:
        raise BadSource(str(source), f'folder "{wanted}"', "expected a dictionary there")
    record = {"package": archive.package, "version": archive.version, "sha256": archive.sha256, "files": digests}
    write_atomically(folder / "package.json", json.dumps(record, indent=1, sort_keys=True).encode(), PUBLIC_MODE)
