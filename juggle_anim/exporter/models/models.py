"""The registry of models and tables, by the ending of a name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from juggle_anim.exporter.models.bvh import bvh_paths, write_bvh
from juggle_anim.exporter.models.csv_table import write_csv
from juggle_anim.exporter.models.json_table import write_json
from juggle_anim.exporter.models.model import Model, Progress
from juggle_anim.exporter.models.npz_table import write_npz
from juggle_anim.exporter.models.usd import need_usd, write_usd
from juggle_anim.exporter.shots import Shots
from juggle_anim.whole_file import whole_file


def _one_file(write: Callable[[Shots, Path, str, Progress | None], None]) -> Callable[..., None]:
    def whole(shots: Shots, paths: list[Path], words: str, progress: Progress | None) -> None:
        with whole_file(paths[0]) as draft:
            write(shots, draft, words, progress)

    return whole


def _glb(shots: Shots, path: Path, words: str, progress: Progress | None) -> None:
    from juggle_anim.exporter.models.gltf import write_glb  # its library takes a while to load

    write_glb(shots, path, words, progress)


def _gltf(shots: Shots, path: Path, words: str, progress: Progress | None) -> None:
    from juggle_anim.exporter.models.gltf import write_gltf

    write_gltf(shots, path, words, progress)


MODELS: dict[str, Model] = {
    ".glb": Model("GLB", _one_file(_glb), scene=True),
    ".gltf": Model("glTF", _one_file(_gltf), scene=True),
    ".usdz": Model("USDZ", _one_file(write_usd), scene=True, need=need_usd),
    ".usdc": Model("USD", _one_file(write_usd), scene=True, need=need_usd),
    ".usda": Model("USD", _one_file(write_usd), scene=True, need=need_usd),
    ".bvh": Model("BVH", write_bvh, bvh_paths),
    ".npz": Model("NPZ", _one_file(write_npz)),
    ".csv": Model("CSV", _one_file(write_csv)),
    ".json": Model("JSON", _one_file(write_json)),
}
"""All of them. A new kind is a row here, and a file that writes it."""
