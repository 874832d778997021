"""Every kind of file that the program writes or reads, dropped on the viewer; some of each sort on
the real window.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from driven_window import DrivenWindow
from long_cases import sampled

import juggle_anim as ja
from juggle_anim.formats import DRAWINGS, MODELS, PAGES, STILLS, VIDEOS
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.formats import WRITTEN, Loss
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import Parameters
from juggle_anim.prints import print_ladder
from juggle_anim.viewer.state.controller import Controller

real_window = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

WING = 75.0


def exported(folder: Path, ending: str) -> Path:
    path, *_ = ja.export(
        ja.animate("441", chicken_wing=WING), folder / f"a{ending}", size=(32, 24), fps=2, seconds=1
    )
    return path


def printed(folder: Path, ending: str) -> Path:
    return print_ladder(ja.animate("441", chicken_wing=WING), folder / f"ladder{ending}")


def written(folder: Path, ending: str) -> Path:
    write_file(open_patterns(f"pattern=441;chickenwing={WING}"), folder / f"b{ending}")
    return folder / f"b{ending}"


def with_its_events(folder: Path, ending: str) -> Path:
    """A file of times and places, in which no siteswap stands."""
    write_file(
        with_events(open_patterns(f"pattern=441;chickenwing={WING}"))[0], folder / f"events{ending}"
    )
    return folder / f"events{ending}"


OTHER_NAMES = (".jpeg", ".tiff")
"""Endings of formats that have a shorter one."""

MAKERS: dict[str, tuple[Callable[[Path, str], Path], str]] = {
    **{
        f"exported {ending}": (exported, ending)
        for ending in (*VIDEOS, *STILLS, *PAGES, *MODELS)
        if ending not in OTHER_NAMES
    },
    **{f"printed {ending}": (printed, ending) for ending in DRAWINGS},
    **{f"pattern {ending}": (written, ending) for ending in WRITTEN},
    "events .jml": (with_its_events, ".jml"),
    "events .jif": (with_its_events, ".jif"),
    "frames in a folder": (lambda folder, ending: exported(folder / "frames", "").parent, ""),
}
"""Who makes each kind of file, by the tables of the exporters and of the readers, which this file
follows.
"""


OF_EACH_SORT = ("exported .mp4", "events .jml")
"""What a file manager drops on the real window: what we draw, and what we write."""


BY_EACH_MAKER = (
    *("exported .png", "printed .svg", "pattern .jif", "events .jml", "frames in a folder"),
)
"""Of what each maker makes, one; tests of readers try the others."""


@pytest.fixture
def dropped(tmp_path: Path, kind: str) -> Path:
    """A file or folder of one kind."""
    make, ending = MAKERS[kind]
    (tmp_path / "frames").mkdir()
    return make(tmp_path, ending)


def wing_in(kind: str) -> float:
    """The wing that such a file says, or the usual one."""
    row = WRITTEN.get(MAKERS[kind][1])
    return Parameters().chicken_wing if row and Loss.PARAMETERS in row.cannot_hold else WING


@pytest.mark.parametrize("kind", sampled(MAKERS, *BY_EACH_MAKER))
def test_each_kind_of_file_opens_where_it_is_dropped(dropped: Path, kind: str) -> None:
    controller = Controller(ja.animate("3"))
    controller.library.take_files([str(dropped)])
    model = controller.model
    assert (model.animation.text, model.pattern_error, model.notice.text) == ("441", None, "")
    assert model.animation.parameters.chicken_wing == wing_in(kind)


@real_window
@pytest.mark.parametrize("kind", OF_EACH_SORT)
def test_a_file_of_each_sort_opens_in_the_window_and_plays(
    window: DrivenWindow, dropped: Path, kind: str
) -> None:
    window.afresh("3", paused=False)
    assert window.drop(dropped)
    # On a slow machine a notice says meanwhile that the pattern is being prepared.
    state = window.wait(
        lambda state: (
            state["pattern"] != "3"
            or state["said"].removeprefix("Preparing 441 …")
            or state["error"]
        )
    )
    assert (state["pattern"], state["error"]) == ("441", "")
    assert state["given"]["chicken_wing"] == wing_in(kind)
    window.wait(lambda later: later["time"] > 0.1)
