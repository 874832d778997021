import gc
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from long_cases import sampled
from program import Program

import juggle_anim as ja
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.formats import MODELS

ENDINGS = list(MODELS)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_export_is_the_same_file_and_is_kept_when_resumed(
    tmp_path: Path, ending: str
) -> None:
    first = ja.export("3", tmp_path / f"a{ending}", fps=10)
    again = ja.export("3", tmp_path / f"b{ending}", fps=10)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    seen: list[int] = []
    assert (
        ja.export("3", first[0], fps=10, resume=True, progress=lambda done, _: seen.append(done))
        == first
    )
    assert seen == []
    with pytest.raises(ExportError, match="is from another export"):
        ja.export("3", first[0], fps=11, resume=True)


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_there_stays_without_force(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    path.write_text("mine")
    with pytest.raises(ExportError, match="already exists"):
        ja.export("3", path, fps=10)
    assert path.read_text() == "mine"
    ja.export("3", path, fps=10, force=True)
    assert path.read_bytes() != b"mine"


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_failure_on_the_way_leaves_nothing(tmp_path: Path, ending: str) -> None:
    def fail(_done: int, _total: int) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        ja.export("3", tmp_path / f"a{ending}", fps=10, progress=fail)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", sampled(ENDINGS, ".glb", ".csv"))
def test_progress_goes_up_to_all_moments(tmp_path: Path, ending: str) -> None:
    seen: list[tuple[int, int]] = []
    ja.export(
        "3", tmp_path / f"a{ending}", fps=100, seconds=10, progress=lambda *each: seen.append(each)
    )
    assert seen == sorted(set(seen))
    assert len(seen) > 2
    assert seen[-1] == (1000, 1000)


@pytest.mark.parametrize("ending", ENDINGS)
def test_pixels_and_sounds_are_refused(tmp_path: Path, ending: str) -> None:
    for given in ({"blur": 2}, {"supersampling": 2}, {"sound": True}):
        with pytest.raises(ParameterError, match=r"no (pixels|sound)"):
            ja.export("3", tmp_path / f"a{ending}", **given)  # type: ignore[arg-type]
    if not MODELS[ending].scene:
        with pytest.raises(ParameterError, match="no camera"):
            ja.export("3", tmp_path / f"a{ending}", cameras=("left",))
        with pytest.raises(ParameterError, match="no background to leave out"):
            ja.export("3", tmp_path / f"a{ending}", transparent=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", sampled([".csv", ".json", ".npz"], ".csv"))
def test_a_table_takes_no_more_memory_the_longer_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr("juggle_anim.exporter.models.tracks._BODIES_AT_ONCE", 64)

    def most(seconds: float) -> int:
        seldom = gc.get_threshold()
        # As in a program of its own: what other tests keep does not put off looking for garbage.
        gc.collect()
        gc.freeze()
        gc.collect()
        gc.set_threshold(700, 10, 10)
        tracemalloc.start()
        ja.export("3", tmp_path / f"a{ending}", fps=60, seconds=seconds, force=True)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        gc.set_threshold(*seldom)
        return peak

    most(1)
    short, long = most(2), most(8)
    assert long < short + 100_000


def test_the_program_names_every_file_that_it_wrote(program: Program) -> None:
    ran = program("export", "<3|3>", "a.bvh", "--fps", "10")
    assert ran.out.split() == ["a-1.bvh", "a-2.bvh", "a-props.csv"]
    assert program("export", "3", "a.glb", "--fps", "10").out.split() == ["a.glb"]


def test_tables_and_models_load_nothing_that_draws_and_tables_no_library_of_gltf(
    tmp_path: Path,
) -> None:
    code = f"""
import sys
import juggle_anim as ja
def loaded():
    return sorted({{"pygltflib", "OpenGL", "juggle_anim.render"}} & set(sys.modules))
ja.export("3", {str(tmp_path / "a.csv")!r}, fps=10)
ja.export("3", {str(tmp_path / "a.npz")!r}, fps=10)
print(loaded())
ja.export("3", {str(tmp_path / "a.glb")!r}, fps=10)
print(loaded())
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == "[]\n['pygltflib']\n"
