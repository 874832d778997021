"""Two hundred clients of a server for some time, and what became of them."""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx2 as httpx


@dataclass
class Load:
    """What clients saw: how often each status, the longest wait [s], and the most memory of the
    server [bytes].
    """

    statuses: Counter[int] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    longest: float = 0.0
    memory: int = 0


async def load(address: str, paths: list[str], clients: int, seconds: float, pid: int) -> Load:
    """Ask for some paths at random with so many clients at once, each again and again."""
    seen, end = Load(), time.monotonic() + seconds
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx.AsyncClient(base_url=address, timeout=120.0, limits=limits) as session:

        async def ask(number: int) -> None:
            choices = random.Random(number)
            while time.monotonic() < end:
                before = time.monotonic()
                try:
                    answer = await session.get(choices.choice(paths))
                except httpx.HTTPError as error:
                    seen.broken.append(repr(error))
                    continue
                seen.longest = max(seen.longest, time.monotonic() - before)
                seen.statuses[answer.status_code] += 1
                if answer.status_code == 503:
                    await asyncio.sleep(1.0)

        async def watch() -> None:
            while time.monotonic() < end:
                seen.memory = max(seen.memory, memory_of(pid))
                await asyncio.sleep(0.5)

        await asyncio.gather(watch(), *map(ask, range(clients)))
    return seen


def memory_of(pid: int) -> int:
    """What a process and its children hold, [bytes]."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    pids = [pid, *map(int, children.read_text().split())]
    return sum(resident(each) for each in pids)


def resident(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0
    return int(fields[1]) * 4096
