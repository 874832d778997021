"""The short run: one export is killed. `make kills` does all, at 20 moments each, and fills up
disks.
"""

from pathlib import Path
from random import Random

import pytest
from kills import Undisturbed, check_left, stop_and_resume, undisturbed


def test_a_stopped_export_has_no_half_file_and_is_completed(tmp_path: Path) -> None:
    whole = undisturbed("folder of frames", tmp_path / "whole")
    assert stop_and_resume(whole, "SIGINT", Random("folder of frames SIGINT"), tmp_path / "out")


WHOLE = Undisturbed("film .gif", {"a.gif": b"whole"}, 0.0, 1.0)
BY_IMPORT = """Traceback (most recent call last):
  File "<frozen runpy>", line 88, in _run_code
  File "/here/juggle_anim/__main__.py", line 3, in <module>
    from juggle_anim.__main__ import main
KeyboardInterrupt
"""
BY_MAIN = """Traceback (most recent call last):
  File "/here/juggle_anim/__main__.py", line 24, in <module>
    main()
  File "/here/juggle_anim/__main__.py", line 17, in main
    app()
KeyboardInterrupt
"""
BY_THREADING = """Exception ignored in: <module 'threading' from '/there/threading.py'>
Traceback (most recent call last):
  File "/there/threading.py", line 1541, in _shutdown
KeyboardInterrupt:
"""
AT_EXIT = """1/1 frames
Exception ignored in atexit callback: <function shutdown at 0x7f>
Traceback (most recent call last):
  File "/there/logging/__init__.py", line 2191, in shutdown
KeyboardInterrupt:
"""
BY_PYTHON = (
    "Fatal Python error: init_import_site: Failed to import the site module\nTraceback "
    "(most recent call last):\n"
)


@pytest.mark.parametrize(
    ("way", "code", "said", "left"),
    [
        ("SIGINT", 130, "", {}),
        ("SIGINT", 0, "30/30 frames", {"a.gif": b"whole"}),
        ("SIGINT", -2, "", {}),
        ("SIGINT", -2, "30/30 frames", {"a.gif": b"whole"}),
        ("SIGINT", 0, BY_THREADING, {"a.gif": b"whole"}),
        ("SIGINT", 0, AT_EXIT, {"a.gif": b"whole"}),
        ("SIGINT", -2, BY_IMPORT, {}),
        ("SIGINT", 1, BY_PYTHON, {}),
        ("SIGKILL", -9, "", {".a.1.part.gif": b"wh"}),
        ("full disk", 1, "a.gif: cannot save: No space left on device", {}),
    ],
)
def test_a_quiet_end_is_good(way: str, code: int, said: str, left: dict[str, bytes]) -> None:
    check_left(WHOLE, way, code, said, left)


@pytest.mark.parametrize(
    ("way", "code", "said", "left"),
    [
        ("SIGINT", -2, BY_MAIN, {}),
        ("SIGINT", 130, BY_MAIN, {}),
        ("SIGINT", 0, BY_MAIN, {"a.gif": b"whole"}),
        ("SIGINT", 1, "", {}),
        ("SIGINT", 2, "", {}),
        ("SIGINT", 1, "a mistake in juggle-anim", {}),
        ("SIGINT", -11, "", {}),
        ("SIGINT", -2, "", {".a.1.part.gif": b"wh"}),
        ("SIGINT", 130, "", {".a.1.part.gif": b"wh"}),
        ("SIGINT", 130, "", {"a.gif": b"wh"}),
        ("SIGINT", 0, "", {}),
        ("SIGINT", 0, BY_THREADING, {}),
        ("SIGKILL", 1, "", {}),
        ("SIGKILL", -9, "", {"a.gif": b"wh"}),
        ("full disk", 130, "", {}),
        ("full disk", 1, "", {".a.1.part.gif": b"wh"}),
        ("full disk", 1, BY_MAIN, {}),
    ],
)
def test_any_other_end_is_noticed(way: str, code: int, said: str, left: dict[str, bytes]) -> None:
    with pytest.raises(AssertionError):
        check_left(WHOLE, way, code, said, left)


def test_files_of_which_some_are_missing_are_no_end_of_python() -> None:
    frames = Undisturbed("folder of frames", {"frames/0.png": b"0", "frames/1.png": b"1"}, 0.0, 1.0)
    check_left(frames, "SIGINT", 130, "", {"frames/0.png": b"0"})
    with pytest.raises(AssertionError):
        check_left(frames, "SIGINT", -2, "", {"frames/0.png": b"0"})
