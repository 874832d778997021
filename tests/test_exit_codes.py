import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from juggle_anim.__main__ import main
from juggle_anim.cli.exit_codes import exit_codes
from juggle_anim.errors import ExportError, LibraryError, NotationError, ParameterError, RenderError, ViewerError

WAIT = """
import time
from juggle_anim.cli.exit_codes import exit_codes
with exit_codes():
    try:
        print("ready", flush=True)
        time.sleep(60)
    finally:
        print("tidied", flush=True)
"""


@pytest.fixture(autouse=True)
def _same_signals_afterwards() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def ending_of(error: BaseException) -> int:
    with pytest.raises(SystemExit) as caught, exit_codes():
        raise error
    assert isinstance(caught.value.code, int)
    return caught.value.code


@pytest.mark.parametrize("error", [NotationError("x", 0, "no pattern"), ParameterError("no pattern")])
def test_bad_input_ends_in_2_with_its_message(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    assert ending_of(error) == 2
    assert capsys.readouterr().err == f"{error}\n"


@pytest.mark.parametrize("kind", [ExportError, RenderError, ViewerError, LibraryError])
def test_a_failed_run_ends_in_1_with_its_message(kind: type[Exception], capsys: pytest.CaptureFixture[str]) -> None:
    assert ending_of(kind("no OpenGL here")) == 1
    assert capsys.readouterr() == ("", "no OpenGL here\n")


@pytest.mark.parametrize("error", [ValueError("oh"), MemoryError(), OSError(28, "No space left"), KeyError("a")])
def test_what_nobody_foresaw_is_one_line_and_1(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    assert ending_of(error) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Traceback" not in said


@pytest.mark.parametrize("error", [BrokenPipeError(), KeyboardInterrupt()])
def test_a_reader_who_has_gone_and_ctrl_c_want_no_message(
    error: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ending_of(error) == (130 if isinstance(error, KeyboardInterrupt) else 1)
    assert capsys.readouterr() == ("", "")


def test_a_sign_that_the_terminal_lacks_is_replaced() -> None:
    code = "from juggle_anim.cli.exit_codes import exit_codes\nwith exit_codes(): print('30\\xb0 \\xd7 2')"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout) == (0, "30? ? 2\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_program_at_once_but_tidily(number: signal.Signals, code: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAIT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.05)
        program.send_signal(number)
        assert program.communicate(timeout=120) == ("tidied\n", "")
    assert program.returncode == code


# As when a call into a library is interrupted, and the library makes an error of its own of that.
TURNED = """
import os, signal, sys
from juggle_anim.errors import RenderError
from juggle_anim.cli.exit_codes import exit_codes
with exit_codes():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise {error} from None
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("error", ["ValueError('argument 7')", "OSError('argument 7')", "RenderError('lost')"])
def test_ctrl_c_ends_the_program_quietly_though_a_library_makes_another_error_of_it(error: str) -> None:
    ran = subprocess.run([sys.executable, "-c", TURNED.format(error=error)], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_afterwards_ctrl_c_is_what_it_was() -> None:
    before = signal.getsignal(signal.SIGINT)
    assert ending_of(ValueError("oh")) == 1
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_after_all_is_done_is_quiet_too(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def ending() -> Iterator[None]:
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("juggle_anim.__main__.exit_codes", ending)
    monkeypatch.setattr("juggle_anim.cli.app.app", lambda: None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert ended.value.__suppress_context__
