"""Tests of fetching, with the real apt-get on a package archive of our own in a folder."""

from __future__ import annotations

import hashlib
import io
import lzma
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from each_row import each_row

from builders import fetch
from builders.fetch import PACKAGE_FOLDERS, Archive, files_in
from ordws.errors import BadSource, Missing
from ordws.instance import Sources

CONTENT = b"a dictionary of our own\n"


def pack(package: str, content: bytes = CONTENT) -> bytes:
    """Build a Debian package with one dictionary file, a licence, and a file that is no part of the dictionary."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        for name, data in {
            f"./{PACKAGE_FOLDERS[package]}/words": content,
            f"./usr/share/doc/{package}/copyright": b"ours",
            "./etc/daemon.conf": b"start me",
        }.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": lzma.compress(tar.getvalue())}
    packed = b"!<arch>\n"
    for name, data in parts.items():
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n"
        packed += header.encode() + data + b"\n" * (len(data) % 2)
    return packed


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """A folder that apt-get uses as the archive of packages instead of the system's."""
    folder = tmp_path / "repository"
    folder.mkdir()
    index = ""
    for package in PACKAGE_FOLDERS:
        data = pack(package)
        (folder / f"{package}_9.9-1_all.deb").write_bytes(data)
        index += (
            f"Package: {package}\nVersion: 9.9-1\nArchitecture: all\nMaintainer: us <us@example.org>\n"
            f"Filename: ./{package}_9.9-1_all.deb\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n"
            "Description: a dictionary\n\n"
        )
    (folder / "Packages").write_text(index)
    (tmp_path / "sources.list").write_text(f"deb [trusted=yes] copy:{folder} ./\n")
    config = tmp_path / "apt.conf"
    config.write_text(f'Dir::Etc::sourcelist "{tmp_path}/sources.list"; Dir::Etc::sourceparts "-";\n')
    monkeypatch.setenv("APT_CONFIG", str(config))
    return folder


@pytest.fixture
def sources(tmp_path):
    return Sources(tmp_path / "sources")


def apt() -> str:
    path = shutil.which("apt-get")
    assert path, "these tests need apt-get"
    return path


def run(sources: Sources, apt: str | None) -> list[str]:
    messages: list[str] = []
    fetch.fetch(sources, messages.append, lambda received, total: None, apt)
    return messages


def held(sources: Sources) -> dict[str, bytes]:
    return {package: (sources.debian / package / "words").read_bytes() for package in PACKAGE_FOLDERS}


def test_the_dictionary_and_its_licence_alone_are_unpacked(archive, sources):
    """The dictionary's own files and its licence are unpacked, and nothing that a daemon would start from."""
    messages = run(sources, apt())
    assert held(sources) == dict.fromkeys(PACKAGE_FOLDERS, CONTENT)
    assert {path.name for path in (sources.debian / "scowl").iterdir()} == {"words", "copyright", "package.json"}
    assert "warning: scowl 9.9-1 is another version than the readers were checked with" in messages


def test_a_complete_package_is_not_fetched_again(archive, sources):
    """A package that is present and whole is left as it is, even without apt-get."""
    run(sources, apt())
    assert sorted(run(sources, None)) == sorted(f"{package}: here already" for package in PACKAGE_FOLDERS)


@pytest.mark.parametrize("harm", ["cut", "flipped", "gone"])
def test_an_unpacked_file_that_changed_is_unpacked_again(archive, sources, harm):
    """A dictionary file that is not as it was unpacked is replaced."""
    run(sources, apt())
    file = sources.debian / "dict-gcide" / "words"
    match harm:
        case "cut":
            file.write_bytes(CONTENT[:5])
        case "flipped":
            file.write_bytes(CONTENT.swapcase())
        case "gone":
            file.unlink()
    run(sources, apt())
    assert held(sources) == dict.fromkeys(PACKAGE_FOLDERS, CONTENT)


@pytest.mark.parametrize("harm", ["cut", "flipped", "longer"])
def test_a_partial_or_wrong_archive_is_fetched_again(archive, sources, harm):
    """A partial archive is completed, and an archive of the right size but other content is replaced."""
    run(sources, apt())
    shutil.rmtree(sources.debian)
    file = sources.archives / "scowl_9.9-1_all.deb"
    data = file.read_bytes()
    file.write_bytes({"cut": data[:70], "flipped": data[:-9] + bytes(9), "longer": data + b"!"}[harm])
    run(sources, apt())
    assert held(sources) == dict.fromkeys(PACKAGE_FOLDERS, CONTENT)


def test_an_archive_with_another_digest_than_the_index_is_refused(archive, sources):
    """An archive that differs from the digest in the index is neither unpacked nor kept."""
    file = archive / "scowl_9.9-1_all.deb"
    data = file.read_bytes()
    file.write_bytes(data[:-9] + bytes(9))
    with pytest.raises((BadSource, Missing)):
        run(sources, apt())
    assert not (sources.archives / file.name).exists()
    assert not (sources.debian / "scowl").exists()


def test_a_package_without_its_dictionary_is_refused(archive, sources, monkeypatch):
    """A package whose version has moved the dictionary elsewhere is refused."""
    monkeypatch.setitem(fetch.PACKAGE_FOLDERS, "scowl", "usr/share/scowl")
    with pytest.raises(BadSource, match="expected a dictionary there"):
        run(sources, apt())


def test_the_error_without_apt_names_each_file_and_its_folder(sources):
    """The error without apt-get names each file with its size and digest, and the folder."""
    with pytest.raises(Missing) as caught:
        run(sources, None)
    hint = caught.value.hint
    assert str(sources.archives) in hint
    for known in fetch.KNOWN:
        assert known.sha256 in hint
        assert str(known.size) in hint


def test_archives_copied_into_the_folder_are_used(sources, monkeypatch):
    """Known archives in the folder are used, whatever they are called; others are not."""
    packed = {package: pack(package) for package in PACKAGE_FOLDERS}
    known = tuple(
        Archive(f"{package}_1%3a3-1_all.deb", len(data), hashlib.sha256(data).hexdigest())
        for package, data in packed.items()
    )
    monkeypatch.setattr(fetch, "KNOWN", known)
    sources.archives.mkdir(parents=True)
    for number, (package, data) in enumerate(packed.items()):
        name = (f"{package}_1:3-1_all.deb", f"{package}_1%3a3-1_all.deb", f"{package}_3-1_all.deb", "4.deb")[number]
        (sources.archives / name).write_bytes(data)
    run(sources, None)
    assert held(sources) == dict.fromkeys(PACKAGE_FOLDERS, CONTENT)
    shutil.rmtree(sources.debian)
    (sources.archives / "4.deb").write_bytes(pack("scowl", b"forged"))
    with pytest.raises(Missing) as caught:
        run(sources, None)
    assert "scowl_3-1_all.deb" in caught.value.hint
    assert "gcide" not in caught.value.hint


@each_row("length", [0, 7, 8, 40, 68, 200, 300])
def test_a_truncated_package_is_refused_by_name(tmp_path, length):
    """A package that ends early is refused with its name, wherever it was cut."""
    file = tmp_path / "scowl.deb"
    file.write_bytes(pack("scowl")[:length])
    with pytest.raises(BadSource, match=r"scowl\.deb"):
        list(files_in(file))


def test_a_package_in_zstd_is_unpacked_by_dpkg(tmp_path):
    """An archive in zstd, which this Python cannot unpack, is unpacked by dpkg-deb."""
    tree = tmp_path / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN" / "control").write_text(
        "Package: scowl\nVersion: 1\nArchitecture: all\nMaintainer: us <us@example.org>\nDescription: ours\n"
    )
    (tree / "words").write_bytes(CONTENT)
    command = ["dpkg-deb", "-Zzstd", "--root-owner-group", "-b", tree, tmp_path / "x.deb"]
    subprocess.run(command, check=True, capture_output=True)
    assert {str(path): data for path, data in files_in(tmp_path / "x.deb")} == {"words": CONTENT}


def test_the_dictionaries_stay_out_of_git():
    """Nothing that is fetched can be committed: the folder is ignored except for its recipes."""
    ignored = (Path(__file__).parents[2] / ".gitignore").read_text().splitlines()
    assert "/sources/*" in ignored
