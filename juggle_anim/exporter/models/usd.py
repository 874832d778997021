"""USD: a stage as text (.usda), in the binary form of its library (.usdc), or in a package (.usdz)."""

from __future__ import annotations

import contextlib
import io
import signal
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.frame_request import FrameRequest

Progress = Callable[[int, int], None]


def need_usd() -> None:
    """Refuse to write files where the library is not there.

    Raises:
        ParameterError: it isn't.
    """
    if find_spec("pxr") is None:
        raise ParameterError('USD files need a library: pip install "juggle-anim[usd]"')


def write_usd(shots: FrameRequest, path: Path, words: str, progress: Progress | None) -> None:
    """Write one file, as its ending says; arguments as for `write_glb`.

    Raises:
        ParameterError: it would be too large.
        ExportError: the library cannot write it.
    """
    with interrupts_afterwards():
        from juggle_anim.exporter.models.usd_stage import usd_stage

    stage = usd_stage(shots, words, progress)  # the layer ends with it
    layer = stage.GetRootLayer()
    match path.suffix.casefold():
        case ".usda":
            path.write_text(layer.ExportToString(), encoding="utf-8", newline="\n")
        case ".usdc":
            path.write_bytes(_binary(layer, path))
        case ".usdz":
            path.write_bytes(_package(_binary(layer, path)))


@contextlib.contextmanager
def interrupts_afterwards() -> Iterator[None]:
    """Let Ctrl-C wait: while the library loads, it swallows an interrupt, and the export would go on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[Any, ...]] = []
    heard = signal.signal(signal.SIGINT, lambda *interrupt: came.append(interrupt))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)
        if came and callable(heard):
            heard(*came[0])


def _binary(layer: object, path: Path) -> bytes:
    """The binary form. The library writes it to nothing but a file, and leaves others beside that when it is killed."""
    from pxr import Tf

    with tempfile.TemporaryDirectory(prefix="juggle-anim-") as folder:
        draft = Path(folder, "scene.usdc")
        try:
            layer.Export(str(draft))  # type: ignore[attr-defined]
        except Tf.ErrorException as error:
            raise ExportError(f"{path}: cannot be written: {error}") from error
        return draft.read_bytes()


def _package(scene: bytes) -> bytes:
    """A ZIP whose one member lies unpacked at a multiple of 64 bytes (Pixar, "USDZ File Format Specification")."""
    about = zipfile.ZipInfo("scene.usdc")
    filling = -(_ZIP_HEADER + len(about.filename) + _FIELD) % _ALIGNMENT
    about.extra = _FILLING + filling.to_bytes(2, "little") + bytes(filling)
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(about, scene)
    return package.getvalue()


_ZIP_HEADER, _FIELD, _ALIGNMENT = 30, 4, 64
_FILLING = b"\x86\x19"  # the number of the field that Pixar's library fills up with
