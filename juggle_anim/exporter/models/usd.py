"""USD: a stage as text (.usda), in binary form (.usdc), or in a package (.usdz)."""

from __future__ import annotations

import contextlib
import io
import signal
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from juggle_anim.errors import ExportError, require_library
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import Progress
from juggle_anim.language import _


def require_usd() -> None:
    """Check that the USD library is installed.

    Raises:
        ParameterError: it is not.
    """
    require_library("pxr", "usd", _("USD files"))


def write_usd(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write one file in the form that its ending names.

    Args:
        request: the frames; its size gives the camera's aspect.
        path: the file, which ends in .usda (text), .usdc (binary) or .usdz (a package).
        metadata: text for the file to carry.
        progress: called with the number of frames done and of all frames; None to report nothing.

    Raises:
        ParameterError: the model would be too large.
        ExportError: the library cannot write it.
    """
    # The library is loaded here, when the first stage is made.
    with interrupts_deferred():
        from juggle_anim.exporter.models.usd_stage import usd_stage

    # A variable of its own, since the layer is valid only as long as the stage exists.
    stage = usd_stage(request, metadata, progress)
    layer = stage.GetRootLayer()
    match path.suffix.casefold():
        case ".usda":
            path.write_text(layer.ExportToString(), encoding="utf-8", newline="\n")
        case ".usdc":
            path.write_bytes(_binary(layer, path))
        case ".usdz":
            path.write_bytes(_package(_binary(layer, path)))


@contextlib.contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C until the context ends.

    The USD library swallows an interrupt while it loads, and the export would continue. Here the
    first one that arrives is kept, and handled at the end as it would have been.
    """
    # Python allows only the main thread to set handlers, and handles signals in it alone.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[tuple[Any, ...]] = []
    handler = signal.signal(signal.SIGINT, lambda *interrupt: received.append(interrupt))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        # A handler may also be a constant that stands for a default or for ignoring the signal.
        if received and callable(handler):
            handler(*received[0])


def _binary(layer: object, path: Path) -> bytes:
    """Return the binary form of a layer.

    The library writes only to files, beside which it leaves others when it is killed. So the file
    is in a temporary folder, and its content is read back.

    Args:
        layer: a `pxr.Sdf.Layer`.
        path: the file that an error names.

    Raises:
        ExportError: the library cannot write it.
    """
    from pxr import Tf

    with tempfile.TemporaryDirectory(prefix="juggle-anim-") as folder:
        exported = Path(folder, "scene.usdc")
        try:
            layer.Export(str(exported))  # type: ignore[attr-defined]
        except Tf.ErrorException as error:
            raise ExportError(_("{path}: cannot save: {error}", path=path, error=error)) from error
        return exported.read_bytes()


def _package(scene: bytes) -> bytes:
    """Return a ZIP whose only member is stored uncompressed, aligned to 64 bytes.

    Programs map such a file into memory and read the scene in place (Pixar, "USDZ File Format
    Specification").

    Args:
        scene: the content of the member, binary USD.
    """
    # The member's content follows its header, its name, and one extra field, which is padded.
    member = zipfile.ZipInfo("scene.usdc")
    padding = -(_ZIP_HEADER + len(member.filename) + _FIELD_HEADER) % _ALIGNMENT
    member.extra = _PADDING_FIELD + padding.to_bytes(2, "little") + bytes(padding)
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(member, scene)
    return package.getvalue()


_ZIP_HEADER = 30  # bytes, of a member before its name
_FIELD_HEADER = 4  # bytes, of an extra field before its content
_ALIGNMENT = 64  # bytes
_PADDING_FIELD = b"\x86\x19"  # the kind of extra field that Pixar's library pads with
