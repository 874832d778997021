import mmap
import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("only Linux tells it so", allow_module_level=True)

from held_memory import held_memory, whole_memory

SIZE = 50_000_000


def test_what_a_process_makes_for_itself_is_held() -> None:
    before = held_memory()
    made = bytearray(b"x" * SIZE)
    assert held_memory() - before == pytest.approx(len(made) / 1e6, abs=10)


def test_what_it_shares_with_others_is_held_as_well() -> None:
    before = held_memory()
    with mmap.mmap(-1, SIZE) as shared:
        shared.write(b"x" * SIZE)
        assert held_memory() - before == pytest.approx(SIZE / 1e6, abs=10)


def test_what_lies_in_a_file_is_not_its_own(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * SIZE)
    before, whole = held_memory(), whole_memory()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert sum(mapped[place] for place in range(0, SIZE, 4096)) > 0
        assert held_memory() - before < 10
        assert whole_memory() - whole > SIZE / 1e6 - 10
