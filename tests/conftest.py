import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from driven_window import DrivenWindow
from headless_browser import Browser, Page, started_browser
from hypothesis import settings
from one_window import OneWindow
from paths import ROOT
from program import Program
from quick_approx import compare_arrays_at_once
from shared_plans import FOLDER, plan_folder, share_plans
from small_exports import small_exports
from window_starter import WindowStarter

from juggle_anim.body.arms import SOLVERS
from juggle_anim.parameters import CHOICES

KEPT = ROOT / ".pytest_cache"
"""Where runs keep for later ones what takes long."""

FILES = "SHARED_FILES"
"""The variable that tells all processes of a run where files are that they share."""

# Tests expect English, whatever the machine speaks; so do the programs that they start.
os.environ["LANGUAGE"] = "en"

# The width of the terminal in which tests happen to run is no matter of theirs.
os.environ.pop("COLUMNS", None)

# Before the first import of OpenGL: in tests, every call is checked.
os.environ.setdefault("PYOPENGL_ERROR_CHECKING", "1")

# A shell may forbid compiled modules to be kept, as containers do. Then each process of a run, of
# which there are hundreds, would compile all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Software compiles shaders for a second in each process that begins with an empty home.
os.environ.setdefault("MESA_SHADER_CACHE_DIR", str(KEPT / "shaders"))

compare_arrays_at_once()
share_plans()

# How long an example takes says more about the machine than about the program, so none has a
# deadline. Who waits for a change to be taken wants the same answer twice; at home each run tries
# other examples.
settings.register_profile(
    "ours", deadline=None, max_examples=16, derandomize=bool(os.environ.get("CI"))
)
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile("ours")

# Shells start background jobs with Ctrl-C ignored, and programs inherit that. Tests send it to
# programs of theirs.
signal.signal(signal.SIGINT, signal.default_int_handler)
# So does `nohup` with the end of a terminal.
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_configure(config: pytest.Config) -> None:
    """Processes of one run share files, and runs share plans."""
    if FILES not in os.environ:  # this one starts the others
        folder = TemporaryDirectory(prefix="shared-")
        os.environ[FILES] = folder.name
        os.environ[FOLDER] = plan_folder(KEPT / "plans") or folder.name
        config.add_cleanup(folder.cleanup)
        config.add_cleanup(lambda: os.environ.pop(FILES))
        config.add_cleanup(lambda: os.environ.pop(FOLDER))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in a browser come first, in one process: they take longest, and it starts once. So do
    others of the site that is written for it.
    """
    items.sort(
        key=lambda item: not {"browser", "site"}.intersection(getattr(item, "fixturenames", ()))
    )


def pytest_collection_finish() -> None:
    """Thousands of tests are there to the end: the collector of garbage need not go through them
    again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # what a test leaves behind is small


@pytest.fixture(scope="session")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment for a subprocess that opens windows: an X server of its own, 1920×1200
    pixels, and a home.

    It repeats no key: on a busy machine, what lets one go may be late.
    """
    if not shutil.which("Xvfb"):
        pytest.skip("needs Xvfb: apt-get install xvfb")
    command = ["Xvfb", "-displayfd", "1", "-r", "-screen", "0", "1920x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        number = server.stdout.readline().strip()
        environment = {
            name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"
        }
        environment.pop("PYOPENGL_PLATFORM", None)
        settings_folder = str(tmp_path_factory.mktemp("settings"))
        yield {**environment, "DISPLAY": f":{number}", "XDG_CONFIG_HOME": settings_folder}
        server.terminate()


@pytest.fixture(scope="session")
def starter(display: dict[str, str]) -> Iterator[WindowStarter]:
    """Starts viewers, which have no audio device, without loading the program anew for each."""
    with closing(WindowStarter({**display, "PYGLET_AUDIO": "silent"})) as starter:
        yield starter


@pytest.fixture(scope="session")
def one_window(
    starter: WindowStarter, display: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OneWindow]:
    """The window that tests share."""
    one = OneWindow(display, tmp_path_factory.mktemp("home"), starter)
    yield one
    one.close()


@pytest.fixture
def window(one_window: OneWindow, request: pytest.FixtureRequest) -> Iterator[DrivenWindow]:
    """A viewer for a test that begins `afresh`; after one that failed, nobody uses it again."""
    failed = request.session.testsfailed
    yield one_window.get()
    if request.session.testsfailed > failed:
        one_window.close()
    one_window.rest()


@pytest.fixture
def open_window(window: DrivenWindow) -> Callable[..., DrivenWindow]:
    """Gives the window that tests share, begun `afresh`."""

    def opened(**how: Any) -> DrivenWindow:
        window.afresh(**how)
        return window

    return opened


@pytest.fixture
def new_window(
    starter: WindowStarter, display: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., DrivenWindow]]:
    """Opens windows of the test's own, at home in its folder; they may have a file of what they
    remember.
    """
    with ExitStack() as stack:

        def opened(memory: Path | None = None, **how: Any) -> DrivenWindow:
            environment = {
                **display,
                "HOME": str(tmp_path),
                "XDG_CONFIG_HOME": str(tmp_path / "settings"),
            }
            if memory:
                environment["VIEWER_MEMORY"] = str(memory)
            return stack.enter_context(DrivenWindow(environment, tmp_path, starter=starter, **how))

        yield opened


@pytest.fixture
def pictures(one_window: OneWindow) -> Iterator[Path]:
    """The folder in which the window that tests share keeps pictures, as long as the test lasts."""
    folder = one_window.home / "Pictures"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[Program]:
    """The program in an empty folder."""
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)
    yield Program(monkeypatch, capsys, tmp_path)
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser without a window, which starts once for all tests."""
    with started_browser(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of the browser, which knows nothing of those of other tests."""
    with browser.page() as page:
        yield page


@pytest.fixture(scope="session")
def small_files() -> dict[str, list[Path]]:
    """Small files of 531, which stay as they are: those of each kind of export, by its ending.
    Processes of one run share them.
    """
    return small_exports(Path(os.environ[FILES], "small"))


@pytest.fixture
def own_solvers() -> Iterator[None]:
    """Solvers that a test registers are forgotten after it."""
    rows = [row for row in CHOICES if row.name in ("arms", "ghost")]
    options = [row.options for row in rows]
    solvers = dict(SOLVERS)
    yield
    SOLVERS.clear()
    SOLVERS.update(solvers)
    for row, before in zip(rows, options, strict=True):
        object.__setattr__(row, "options", before)
