"""What benchmarks share: the figures that people ask for, printed below pytest-benchmark's
table.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

_figures: list[tuple[str, str]] = []


@pytest.fixture
def report(request: pytest.FixtureRequest, benchmark: Any) -> Any:
    """Call it with named figures, once the benchmark has run."""

    def add(**figures: float) -> None:
        benchmark.extra_info.update(figures)
        for name, value in figures.items():
            _figures.append((request.node.name, f"{name.replace('_', ' ')}: {value:.4g}"))

    return add


@pytest.fixture
def display() -> Iterator[str]:
    """The name of an X server of its own."""
    if not shutil.which("Xvfb"):
        pytest.skip("needs Xvfb")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        yield f":{server.stdout.readline().strip()}"
        server.terminate()


@pytest.fixture
def busy(request: pytest.FixtureRequest) -> Iterator[int]:
    """How many loops run beside the window: as many for each core."""
    count = request.param * (os.cpu_count() or 1)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    yield count
    for loop in loops:
        loop.kill()
        loop.wait()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print them."""
    if _figures:
        terminalreporter.section("figures")
        width = max(len(name) for name, _ in _figures)
        for name, figure in _figures:
            terminalreporter.write_line(f"{name:<{width}}  {figure}")
