"""What benchmarks share: the figures that people ask for, as one table below pytest-benchmark's,
each with its ratio to that of the baseline of this machine. The first run on a machine is its
baseline; `make bench BASELINE=new` makes another one.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_BASELINES = Path(__file__).parent.parent / ".benchmarks" / "baselines"
_figures: dict[str, float] = {}


@pytest.fixture
def report(request: pytest.FixtureRequest, benchmark: Any) -> Any:
    """Call it with named figures, once the benchmark has run."""

    def add(**figures: float) -> None:
        benchmark.extra_info.update(figures)
        for name, value in figures.items():
            _figures[f"{request.node.name}: {name.replace('_', ' ')}"] = value

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


def _baseline_path() -> Path:
    """The file of this machine's baseline, named after its processor and number of cores."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.processor() or platform.machine()
    words = re.findall(r"\w+", f"{model} {os.cpu_count()}")
    return _BASELINES / f"{'_'.join(words)}.json"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print them; figures that the baseline lacks become part of it."""
    if not _figures:
        return
    path = _baseline_path()
    renewed = os.environ.get("BASELINE") == "new"
    baseline = {} if renewed or not path.exists() else json.loads(path.read_text("utf-8"))
    terminalreporter.section(f"figures, and ratios to {path.name}")
    width = max(map(len, _figures))
    for name, value in _figures.items():
        before = baseline.get(name)
        ratio = f"{value / before:8.2f} x" if before else ""
        terminalreporter.write_line(f"{name:<{width}}  {value:10.4g}{ratio}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(_figures | baseline, indent=1), "utf-8")
