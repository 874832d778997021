"""The program, run in the process of a test."""

import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import all_commands

from juggle_anim.__main__ import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class Program:
    """The program, run in this process as from a shell; the folder is the current one."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        self._monkeypatch, self._capsys, self.folder = monkeypatch, capsys, folder
        all_commands()

    def __call__(self, *words: str) -> Ran:
        self._monkeypatch.setattr(sys, "argv", ["juggle-anim", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = self._capsys.readouterr()
        assert "Traceback" not in said.err
        return Ran(int(ended.value.code or 0), said.out, said.err)

    def written(self, folder: str = "out") -> list[str]:
        return sorted(path.name for path in (self.folder / folder).iterdir())
