"""JupyterLab with the program beside it, in an environment of its own, driven in a browser by mouse
and keys.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from headless_browser import Page

ROOT = Path(__file__).parents[2]
_PATIENCE = 120.0  # s
_ENTER = {
    "key": "Enter",
    "code": "Enter",
    "windowsVirtualKeyCode": 13,
    "modifiers": 8,
}  # with Shift
_SAVE = {"key": "s", "code": "KeyS", "windowsVirtualKeyCode": 83, "modifiers": 2}  # with Ctrl


class Lab(NamedTuple):
    """An environment with JupyterLab, and a folder of notebooks."""

    programs: Path
    notebooks: Path
    environment: dict[str, str]

    @classmethod
    def installed(cls, folder: Path) -> Lab:
        """Install it, from the package index, and this checkout."""
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        programs = folder / "venv/bin"
        command = [
            programs / "python",
            "-m",
            "pip",
            "install",
            "-q",
            "jupyterlab",
            "nbconvert",
            f"{ROOT}[notebook]",
        ]
        subprocess.run(command, check=True)
        (folder / "notebooks").mkdir()
        kinds = ("RUNTIME", "CONFIG", "DATA")
        own = {**{f"JUPYTER_{kind}_DIR": str(folder / kind) for kind in kinds}, "HOME": str(folder)}
        return cls(programs, folder / "notebooks", {**os.environ, **own})

    def write(self, name: str, cells: list[str]) -> Path:
        """Write a notebook of cells that have not been run."""
        written = [
            {"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "source": cell,
                "outputs": [],
             "execution_count": None}
            for number, cell in enumerate(cells)
        ]  # fmt: skip
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        whole = {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"kernelspec": kernel},
            "cells": written,
        }
        path = self.notebooks / name
        path.write_text(json.dumps(whole))
        return path

    @contextlib.contextmanager
    def serving(self) -> Iterator[str]:
        """Run it; gives the address of a notebook but for its name."""
        command = [
            self.programs / "jupyter", "lab", "--no-browser", "--allow-root", "--ServerApp.port=0",
            f"--ServerApp.root_dir={self.notebooks}", "--IdentityProvider.token=",
            "--LabApp.news_url=None",
        ]  # fmt: skip
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env=self.environment, **quiet)
        try:
            told = Path(self.environment["JUPYTER_RUNTIME_DIR"]) / f"jpserver-{process.pid}.json"
            end = time.monotonic() + _PATIENCE
            while not told.exists() or not told.read_text():
                assert time.monotonic() < end, "JupyterLab does not start"
                time.sleep(0.2)
            yield json.loads(told.read_text())["url"] + "lab/tree/"
        finally:
            process.terminate()
            process.wait(60)

    def exported(self, notebook: Path) -> Path:
        """Export a notebook as HTML."""
        command = [self.programs / "jupyter", "nbconvert", "--to", "html", str(notebook)]
        subprocess.run(command, env=self.environment, check=True, capture_output=True)
        return notebook.with_suffix(".html")


def run_cell(page: Page, number: int) -> None:
    """Click on a cell and run it with the keyboard."""
    cell = f"document.querySelectorAll('.jp-CodeCell .cm-content')[{number}]"
    box = page.value(
        f"({cell}.scrollIntoView({{ block: 'center' }}), {cell}.getBoundingClientRect().toJSON())"
    )
    place = {"x": box["left"] + 30, "y": box["top"] + box["height"] / 2}
    for kind in ("mousePressed", "mouseReleased"):
        page("Input.dispatchMouseEvent", type=kind, button="left", buttons=1, clickCount=1, **place)
    _press(page, _ENTER)


def save(page: Page, notebook: Path) -> None:
    """Save a notebook with the keyboard, and wait until it has been written."""
    before = notebook.stat().st_mtime_ns
    _press(page, _SAVE)
    end = time.monotonic() + _PATIENCE
    while notebook.stat().st_mtime_ns == before or not notebook.read_text().endswith("\n"):
        assert time.monotonic() < end, "the notebook is not saved"
        time.sleep(0.2)


def _press(page: Page, key: dict[str, object]) -> None:
    for kind in ("rawKeyDown", "keyUp"):
        page("Input.dispatchKeyEvent", type=kind, **key)
