"""Files that are written whole, keep their settings, and lose nothing to a second writer."""

import errno
import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tradekit import bazar
from tradekit._utils import atomic_files
from tradekit._utils.atomic_files import GuardedFile, whole_files, write_whole
from tradekit.record import Record
from tradekit.tournament.store import Store

OLD, NEW = b"what a person had\n" * 40, b"what is saved\n" * 90


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.txt"
    path.write_bytes(OLD)
    return path


def test_a_link_stays_a_link(file, tmp_path):
    (tmp_path / "other").mkdir()
    link = tmp_path / "other" / "link.txt"
    link.symlink_to(file)
    write_whole(link, NEW)
    assert link.is_symlink() and link.resolve() == file and file.read_bytes() == NEW
    nowhere = tmp_path / "to-be"
    (tmp_path / "dangling").symlink_to(nowhere)
    write_whole(tmp_path / "dangling", NEW)
    assert (tmp_path / "dangling").is_symlink() and nowhere.read_bytes() == NEW


def test_two_names_of_a_file_stay_one_file(file, tmp_path):
    os.link(file, tmp_path / "name")
    write_whole(file, NEW)
    assert (tmp_path / "name").read_bytes() == NEW and file.stat().st_nlink == 2
    write_whole(file, b"short")
    assert (tmp_path / "name").read_bytes() == b"short"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_permissions_and_owner_stay(file, mode):
    file.chmod(mode)
    if os.geteuid() == 0:
        os.chown(file, 1234, 5678)
    before = file.stat()
    write_whole(file, NEW)
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_an_owner_that_cannot_be_given_stays_too(file, monkeypatch):
    """A user who can write to another's file, but not give files away, writes into it."""
    monkeypatch.setattr(atomic_files, "_same_about", lambda old, new: False)
    before = file.stat()
    write_whole(file, NEW)
    assert file.read_bytes() == NEW and file.stat().st_ino == before.st_ino


def test_a_file_that_may_not_be_written_is_not_replaced(file, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # as for anybody but root
    with pytest.raises(PermissionError):
        write_whole(file, NEW)
    assert file.read_bytes() == OLD and [*file.parent.iterdir()] == [file]


def test_a_device_is_written_to_and_stays_one(tmp_path):
    write_whole(os.devnull, NEW)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space"):
            write_whole("/dev/full", NEW)


STEPS = ["write", "fsync", "replace", "fallocate", "overwrite"]


@pytest.mark.parametrize("linked", [False, True], ids=["one name", "two names"])
@pytest.mark.parametrize("step", STEPS)
def test_where_the_disk_is_full_the_whole_old_file_stays(file, tmp_path, monkeypatch, step, linked):
    """Whatever step fails, the file is the old one or the new one, and nothing is left next to it."""
    if linked:
        os.link(file, tmp_path / "name")
    full = OSError(errno.ENOSPC, "No space left on device")

    def fail(*_arguments):
        raise full

    def write_some(handle, content):
        monkeypatch.undo()  # the room of the old content is there
        handle.write(content[:100])
        raise full

    name, fake = {
        "write": ("os.fsync", fail), "fsync": ("os.fsync", fail), "replace": ("os.replace", fail),
        "fallocate": ("os.posix_fallocate", fail), "overwrite": ("tradekit._utils.atomic_files.write_on", write_some),
    }[step]  # fmt: skip
    monkeypatch.setattr(name, fake)
    before = sorted(path.name for path in tmp_path.iterdir())
    try:
        with whole_files(file) as [part]:
            part.write(NEW)
            if step == "write":
                raise full
    except OSError:
        assert file.read_bytes() == OLD
    else:
        assert file.read_bytes() == NEW and step in {True: ["replace"], False: ["fallocate", "overwrite"]}[linked]
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_no_module_writes_to_a_file_in_another_way():
    """Every save goes through `atomic_files`; the tournament's store appends to its file, one line at a time.

    Notebooks are copied into a folder that is renamed when it is complete, and a tournament's diary is only temporary.
    """
    ways = re.compile(
        r"\.write_text\(|\.write_bytes\(|os\.replace\(|\.open\(\"[wx]|open\([^)]*, \"[wx]|\.to_csv\(\w*path"
    )
    folder = Path(atomic_files.__file__).parents[1]
    found = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        for line in path.read_text().splitlines()
        if ways.search(line) and ">>>" not in line and "... " not in line
    }
    assert found <= {"_utils/atomic_files.py", "_utils/copies.py", "tournament/diary.py"}


# Two writers


def test_who_finds_another_hand_in_the_file_goes_on_beside_it(file):
    one, other = GuardedFile(file), GuardedFile(file)
    assert one.save(b"one") and one.save(b"one, two")
    assert not other.save(b"other")
    assert (file.read_bytes(), other.path.name, other.path.read_bytes()) == (b"one, two", "game-2.txt", b"other")
    assert other.save(b"other, again"), "from now on that file is its own"
    third = GuardedFile(file)
    file.write_bytes(b"by an editor")
    assert not third.save(b"third") and third.path.name == "game-3.txt"


def test_what_was_deleted_is_written_again_and_what_is_equal_is_no_other_hand(file):
    one = GuardedFile(file)
    file.unlink()
    assert one.save(NEW) and file.read_bytes() == NEW
    assert GuardedFile(file, b"something else").save(NEW)


def test_a_save_that_fails_leaves_no_file_beside(file, monkeypatch):
    one = GuardedFile(file, b"not this")
    monkeypatch.setattr(os, "fsync", lambda _handle: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
    with pytest.raises(OSError, match="full"):
        one.save(NEW)
    assert [*file.parent.iterdir()] == [file] and file.read_bytes() == OLD and one.path == file


WRITER = """
import sys
from tradekit._utils.atomic_files import GuardedFile
me, file = sys.argv[1:]
guarded = GuardedFile(file, b"the game\\n")
said = b"the game\\n"
for n in range(40):
    said += f"{me} {n}\\n".encode()
    guarded.save(said)
print(guarded.path)
"""


def test_processes_that_write_at_once_lose_no_move(tmp_path):
    file = tmp_path / "game.txt"
    file.write_bytes(b"the game\n")
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, name, str(file)], stdout=subprocess.PIPE, text=True)
        for name in ("a", "b", "c")
    ]
    paths = [writer.communicate(timeout=120)[0].strip() for writer in writers]
    assert len(set(paths)) == 3 and str(file) in paths
    for name, path in zip("abc", paths, strict=True):
        assert Path(path).read_text() == "the game\n" + "".join(f"{name} {n}\n" for n in range(40))


def test_a_record_is_saved_through_a_link(tmp_path):
    record = Record.begin(bazar.new(seed=7)).with_move("roll")
    (tmp_path / "kept").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    record.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and Record.load(tmp_path / "kept") == record


def test_a_tournament_of_two_writers_and_a_full_disk_keeps_whole_lines(tmp_path, monkeypatch):
    from tradekit import tournament

    how = {"progress": False, "patience": 2}
    bots = {"one": "random", "two": "random"}
    result = tournament.play("bazar", bots, games=6, **how)
    file = tmp_path / "games.jsonl"

    def write(game):
        with Store(file, result.heading) as store:
            store.add([game])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, result.played))
    assert sorted(tournament.Result.load(file).played) == sorted(result.played)

    before = file.read_bytes()
    with Store(file, result.heading) as store:

        def half(handle, content):
            monkeypatch.undo()
            handle.write(content[: len(content) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("tradekit.tournament.store.write_on", half)
        with pytest.raises(OSError, match="No space"):
            store.add(result.played[:1])
        assert file.read_bytes() == before, "what is added later does not go on in half a line"
