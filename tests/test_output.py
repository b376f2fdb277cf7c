"""Files appear whole or not at all."""

import bz2
import gzip
import lzma
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import rollin
from rollin.output import writing


def test_a_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "file"
    with writing(path) as file:
        file.write(b"all")
        assert not path.exists()
    assert path.read_bytes() == b"all"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_an_error_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"before")
    with pytest.raises(KeyError), writing(path) as file:
        file.write(b"half")
        raise KeyError
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_killed_program_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"before")
    code = (
        "import os, sys; from rollin.output import writing\n"
        "with writing(sys.argv[1]) as file:\n"
        "    file.write(b'half'); file.flush(); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)]).returncode == -9
    assert path.read_bytes() == b"before"


@pytest.mark.parametrize(
    ("name", "unpack"),
    [
        ("f.gz", gzip.decompress),
        ("f.BZ2", bz2.decompress),
        ("f.xz", lzma.decompress),
        ("f.txt", bytes),
    ],
)
def test_the_name_says_how_to_pack(tmp_path, name, unpack):
    with writing(tmp_path / name) as file:
        file.write(b"a" * 1000)
    assert unpack((tmp_path / name).read_bytes()) == b"a" * 1000


def test_packing_is_the_same_every_time(tmp_path):
    for name in ("a.gz", "b.gz"):
        with writing(tmp_path / name) as file:
            file.write(b"x")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_zst(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    with writing(tmp_path / "f.zst") as file:
        file.write(b"a" * 1000)
    packed = (tmp_path / "f.zst").read_bytes()
    assert zstandard.ZstdDecompressor().decompressobj().decompress(packed) == b"a" * 1000


def test_permissions_and_links_stay(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"")
    path.chmod(0o640)
    link.symlink_to(path)
    with writing(link) as file:
        file.write(b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_new_files_have_the_usual_permissions(tmp_path):
    with writing(tmp_path / "a"):
        pass
    (tmp_path / "b").touch()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_devices_are_written_to_and_not_replaced():
    with writing("/dev/null") as file:
        file.write(b"gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("name", [None, "-"])
def test_standard_output(name, capfdbinary):
    with writing(name) as file:
        file.write(b"\xff\n")
    assert capfdbinary.readouterr().out == b"\xff\n"


def test_what_can_not_be_written(tmp_path):
    with pytest.raises(rollin.RollinError, match="it is a folder"), writing(tmp_path):
        pass
    with pytest.raises(rollin.RollinError, match="No such file"), writing(tmp_path / "no" / "f"):
        pass
