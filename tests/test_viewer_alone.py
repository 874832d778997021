import subprocess
import sys
import time
from pathlib import Path

from juggle_anim.viewer.session.file import directory_lock

HOLDS = """
import sys
from pathlib import Path
from juggle_anim.viewer.session.file import directory_lock
with alone_in(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

ADDS = """
import sys
from pathlib import Path
from juggle_anim.viewer.session.file import directory_lock
path = Path(sys.argv[1], "count")
for _ in range(100):
    with alone_in(path.parent, patience=60.0):
        path.write_text(str(int(path.read_text()) + 1))
"""


def test_programs_take_turns(tmp_path: Path) -> None:
    (tmp_path / "count").write_text("0")
    running = [subprocess.Popen([sys.executable, "-c", ADDS, str(tmp_path)]) for _ in range(3)]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    assert (tmp_path / "count").read_text() == "300"


def test_a_program_that_is_stuck_holds_nobody_up_for_long(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        assert other.stdin
        assert other.stdout.readline() == "held\n"
        begun = time.monotonic()
        with directory_lock(tmp_path):
            assert 0.1 < time.monotonic() - begun < 5
        other.stdin.close()


def test_a_folder_that_is_not_there_stands_in_nobodys_way(tmp_path: Path) -> None:
    with directory_lock(tmp_path / "gone"):
        pass
    assert list(tmp_path.iterdir()) == []
