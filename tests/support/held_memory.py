"""How much memory a process holds that is its own.

Programs and libraries, which the system reads from files, shares between processes, and drops when
it needs room, are left out: how much of them is a process's share depends on what else runs. A
process that holds 110 MB of its own may be told to have 180 MB while three others show windows, and
280 MB as soon as they end.
"""

from __future__ import annotations

from pathlib import Path

_OWN = ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")


def held_memory(process: int | str = "self") -> float:
    """What a process holds now: memory without a file, its share of what it shares with the X
    server, [MB].

    Args:
        process: its number; by default this one.
    """
    rows = [line.split() for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()]
    own = [int(row[1]) for row in rows if row[0] in _OWN]
    assert len(own) == len(_OWN), "the system does not tell how much memory a process holds"
    return sum(own) * 1024 / 1e6


def whole_memory() -> float:
    """What this process holds, and all that is shared with it besides, [MB]."""
    rows = [line.split() for line in Path("/proc/self/smaps_rollup").read_text().splitlines()]
    return next(int(row[1]) for row in rows if row[0] == "Rss:") * 1024 / 1e6
