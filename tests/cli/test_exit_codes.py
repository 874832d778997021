import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from long_cases import sampled
from PIL import Image
from program import Program

import juggle_anim
from juggle_anim.__main__ import main
from juggle_anim.cli.command import exit_codes, flag
from juggle_anim.errors import (
    ExportError,
    LibraryError,
    NotationError,
    ParameterError,
    RenderError,
    ViewerError,
)
from juggle_anim.parameters import QUANTITIES

WAIT = """
import time
from juggle_anim.cli.app import OTHER_WORDS
from juggle_anim.cli.command import exit_codes
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


@pytest.mark.parametrize(
    ("error", "code"), [(NotationError("x", 0, "no pattern"), 1), (ParameterError("no pattern"), 2)]
)
def test_bad_input_ends_in_its_code_with_its_message(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ending_of(error) == code
    assert capsys.readouterr().err == f"{error}\n"


@pytest.mark.parametrize("kind", [ExportError, RenderError, ViewerError, LibraryError])
def test_a_failed_run_ends_in_1_with_its_message(
    kind: type[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ending_of(kind("no OpenGL here")) == 1
    assert capsys.readouterr() == ("", "no OpenGL here\n")


@pytest.mark.parametrize(
    "error", [ValueError("oh"), MemoryError(), OSError(28, "No space left"), KeyError("a")]
)
def test_what_nobody_foresaw_is_one_line_and_1(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
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
    code = (
        "from juggle_anim.cli.command import exit_codes\nwith exit_codes(): print('30\\xb0 "
        "\\xd7 2')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONIOENCODING": "ascii",
        },
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout) == (0, "30? ? 2\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 143)])
def test_a_signal_ends_the_program_at_once_but_tidily(name: str, code: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAIT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.05)
        program.send_signal(getattr(signal, name))
        assert program.communicate(timeout=300) == ("tidied\n", "")
    assert program.returncode == code


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="a signal of POSIX")
def test_a_program_that_was_told_to_outlive_its_terminal_does() -> None:
    code = "import os, signal\nfrom juggle_anim.cli.command import exit_codes\n"
    code += "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    code += "with exit_codes():\n    os.kill(os.getpid(), signal.SIGHUP)\n    print('done')"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "done\n", "")


# As when a call into a library is interrupted, and the library makes an error of its own of that.
TURNED = """
import os, signal, sys
from juggle_anim.errors import RenderError
from juggle_anim.cli.app import OTHER_WORDS
from juggle_anim.cli.command import exit_codes
with exit_codes():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise {error} from None
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "error", ["ValueError('argument 7')", "OSError('argument 7')", "RenderError('lost')"]
)
def test_ctrl_c_ends_the_program_quietly_though_a_library_makes_another_error_of_it(
    error: str,
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", TURNED.format(error=error)], capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
@pytest.mark.parametrize(
    ("words", "closed", "code"),
    sampled(
        [
            ("export 531 - --size 16x16 --seconds 0.1", ">&-", 1),
            ("export 531 - --size 16x16 --seconds 0.1 --format rgb24 -q", ">&- 2>&-", 1),
            ("convert - out.jml", "<&-", 1),
            ("check 531", ">&-", 0),
            ("check 532", "2>&-", 1),
        ],
        *(("convert - out.jml", "<&-", 1), ("check 531", ">&-", 0), ("check 532", "2>&-", 1)),
        arguments=3,
    ),
)
def test_a_stream_that_is_closed_ends_no_program_in_a_traceback(
    words: str, closed: str, code: int
) -> None:
    command = f'"{sys.executable}" -m juggle_anim {words} {closed}'
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert ran.returncode == code
    assert "juggle-anim, not" not in ran.stderr
    assert "Traceback" not in ran.stderr


def test_afterwards_ctrl_c_is_what_it_was() -> None:
    before = signal.getsignal(signal.SIGINT)
    assert ending_of(ValueError("oh")) == 1
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_after_all_is_done_is_quiet_too(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def ending() -> Iterator[None]:
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("juggle_anim.cli.command.exit_codes", ending)
    monkeypatch.setattr("juggle_anim.cli.app.app", lambda: None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert ended.value.__suppress_context__


PROGRAM = [sys.executable, "-m", "juggle_anim"]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[juggle_anim.Animation]:
    """What would have been shown in a window."""
    animations: list[juggle_anim.Animation] = []
    monkeypatch.setattr("juggle_anim.api.show", lambda animation, **_: animations.append(animation))
    return animations


def test_help_is_short_and_shows_examples(program: Program) -> None:
    ran = program("--help")
    assert ran.code == 0
    assert len(ran.out.splitlines()) < 36
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "juggle-anim export 531 out/frames --size 1280x720 --fps 60" in ran.out
    assert 'juggle-anim "(6x,4)*"' in ran.out


@pytest.mark.parametrize("words", [["--help"], ["check", "531"], ["check", "(6x,4)*"]])
def test_help_and_checks_load_nothing_heavy(words: list[str]) -> None:
    text = f"""
import sys
sys.argv = ["juggle-anim", *{words}]
from juggle_anim.__main__ import main
try:
    main()
except SystemExit:
    pass
print(*sorted(set(sys.modules) & {{"numpy._core", "OpenGL", "pyglet", "av", "imgui_bundle"}}))
"""
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == ""


# Ctrl-C comes when a module is about to be loaded.
INTERRUPTED = """
import os, runpy, signal, sys
class Interrupt:
    def find_spec(self, name, *_):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
sys.argv = ["juggle-anim", "--help"]
"""


@pytest.mark.parametrize(
    "begin",
    [
        "runpy.run_module('juggle_anim', run_name='__main__')",
        "from juggle_anim.__main__ import main; main()",
    ],
)
@pytest.mark.parametrize("module", ["juggle_anim.cli.command", "juggle_anim.errors", "click"])
def test_ctrl_c_while_it_loads_is_as_quiet_as_later(begin: str, module: str) -> None:
    code = INTERRUPTED.format(module=module) + begin
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_typed_alone_it_opens_the_viewer_as_it_was_closed(
    program: Program, shown: list[juggle_anim.Animation | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    assert program() == (0, "", "")
    assert shown == [None]


def test_typed_alone_without_a_display_it_shows_its_help(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    ran = program()
    assert "Examples:" in ran.out + ran.err


@pytest.mark.parametrize(
    "words",
    [
        ["531", "--chicken-wing", "-45"],
        ["show", "531", "--chicken-wing=-45"],
        ["--chicken-wing", "-45", "531"],
    ],
)
def test_a_pattern_is_shown_with_its_flags_wherever_they_stand(
    program: Program, shown: list[juggle_anim.Animation], words: list[str]
) -> None:
    assert program(*words) == (0, "", "")
    assert [(each.text, each.parameters.chicken_wing) for each in shown] == [("531", -45.0)]


def test_a_pattern_may_be_named(program: Program, shown: list[juggle_anim.Animation]) -> None:
    program("five-ball CASCADE")
    assert shown[0].text == "Five-ball cascade"


def test_a_name_of_several_words_needs_no_quotes(
    program: Program, shown: list[juggle_anim.Animation]
) -> None:
    program("mills", "mess", "--prop", "ring")
    assert [each.title for each in shown] == ["Mills mess"]


def test_a_pattern_of_a_file_is_shown(program: Program, shown: list[juggle_anim.Animation]) -> None:
    (program.folder / "tricks.txt").write_text("3\n51\npattern=441;dwell=1.1\n")
    assert program("tricks.txt#3", "--bps", "4") == (0, "", "")
    assert program("show", "tricks.txt#51") == (0, "", "")
    patterns = [each.text for each in shown if each.pattern]
    assert patterns == ["441", "51"]
    assert (shown[0].parameters.dwell, shown[0].parameters.bps) == (1.1, 4.0)


def test_of_a_list_the_first_is_shown_and_their_number_told(
    program: Program, shown: list[juggle_anim.Animation]
) -> None:
    (program.folder / "tricks.txt").write_text("3\n51\n")
    ran = program("tricks.txt")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "tricks.txt: showing the first of 2 patterns; tricks.txt#2 is the last\n"
    assert [each.text for each in shown] == ["3"]


def test_every_quantity_has_a_flag(program: Program, shown: list[juggle_anim.Animation]) -> None:
    values = {each.name: each.low + (each.high - each.low) / 4 for each in QUANTITIES}
    values |= {each.name: float(round(values[each.name])) for each in QUANTITIES if each.whole}
    flags = [word for name, value in values.items() for word in (flag(name), repr(value))]
    program("531", *flags)
    assert {name: getattr(shown[0].parameters, name) for name in values} == values


def test_without_a_window_the_reason_is_told(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_window(_: object) -> None:
        raise ViewerError("there is no display")

    monkeypatch.setattr("juggle_anim.api.show", no_window)
    assert program("531") == (1, "", "there is no display\n")


def test_export_writes_one_loop_and_tells_where(program: Program) -> None:
    ran = program("export", "531", "out", "--size", "64x36", "--fps", "30", "--bps", "6")
    # Six beats bring 531 back: at 6 beats a second this is 1 second.
    assert (ran.code, ran.out) == (0, "out: 30 frames\n")
    assert "30/30" in ran.err
    assert program.written() == [f"frame_{number:05}.png" for number in range(30)]
    with Image.open("out/frame_00000.png") as picture:
        assert picture.size == (64, 36)


def test_a_full_folder_is_refused_until_forced(program: Program) -> None:
    words = ("export", "3", "out", "--size", "16x16", "--fps")
    assert program(*words, "20").code == 0
    before = program.written()
    ran = program(*words, "10")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "--force" in ran.err
    assert program.written() == before
    assert program(*words, "10", "--force").code == 0
    assert len(program.written()) < len(before)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("exprot 531 x", "Did you mean export?"),
        ("lsit", "Did you mean list?"),
        ("531 --chiken-wing 3", "--chicken-wing"),
        ("531 --chicken-wing nan", "but must be a number from -180 to 180"),
        ("531 --chicken-wing wide", "--chicken-wing"),
        ("531 --gravity -5", "--gravity is -5, but"),
        ("-531", "There is no option"),
        ("export 531 out --size 1280", "--size is 1280, but"),
        ("export 531 out --size x", "as 1280x720"),
        ("export 531 out --size -5x5", "as 1280x720"),
        ("export 531 out --size 1e3x5", "as 1280x720"),
        (f"export 531 out --size {'9' * 5000}x5", "as 1280x720"),
        ("export 531 out --size 0x5", "at least 1 pixel"),
        ("export 531 out --fps nan", "from 0.01 to 1000"),
        ("export 531 out --fps 24000/", "as 24000/1001"),
        ("export 531 out --fps 1/0", "as 24000/1001"),
        ("export 531 out --loops 0", "--loops is 0, but"),
        ("export 531 out --loops 1.5", "--loops"),
        ("export 531 out.avi", ".avi"),
        ("export 531 out.mp4 --size 15x16", "must be even, such as 16x16"),
        ("list --props many", "--props"),
        ("list --tag exited", "did you mean excited?"),
        ("list --tag qqqq", "there are 1 prop"),
        ("check", "PATTERN"),
        ("chekc 531", "Did you mean check?"),
    ],
)
def test_bad_input_says_what_would_be_good(program: Program, words: str, said: str) -> None:
    ran = program(*words.split(" "))
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert list(program.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("532", "It must be a whole number"),
        ("cascad", "did you mean Cascade"),
        ("export -- -531 out", "a throw cannot be negative"),
        ("tricks.jml#3", "tricks.jml: there is no such file"),
        ("export tricks.jml out", "tricks.jml: there is no such file"),
        ("check.jml", "check.jml: there is no such file"),
    ],
)
def test_a_pattern_that_is_not_valid_ends_in_1(program: Program, words: str, said: str) -> None:
    ran = program(*words.split(" "))
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err
    assert list(program.folder.iterdir()) == []


@pytest.mark.parametrize(
    "out", ["/dev/null/frames", "/dev/null", "/dev/null/v.mp4", "a" * 300, "/proc/frames"]
)
def test_a_place_that_cannot_be_written_is_one_line(program: Program, out: str) -> None:
    ran = program("export", "3", out, "--size", "16x16")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith((f"{out}: ", f"{out} is a file"))
    assert ran.err.count("\n") == 1


def test_missing_opengl_is_one_line(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise RenderError("OpenGL needs a library, which is missing; apt-get install it")

    monkeypatch.setattr("juggle_anim.exporter.stills.Offscreen", missing)
    ran = program("export", "3", "out", "--size", "16x16")
    assert (ran.code, ran.err) == (
        1,
        "OpenGL needs a library, which is missing; apt-get install it\n",
    )
    assert list(program.folder.iterdir()) == []


def start_long_export(folder: Path) -> subprocess.Popen[str]:
    """An export that has written a few frames, and would write many more."""
    words = ["export", "531", "out", "--size", "64x48", "--loops", "900"]
    running = subprocess.Popen(
        [*PROGRAM, *words],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(2400):
        if (folder / "out" / "frame_00003.png").exists():
            return running
        time.sleep(0.05)
    running.kill()
    raise AssertionError(running.communicate()[1])


def test_an_export_that_is_terminated_leaves_whole_frames(tmp_path: Path) -> None:
    running = start_long_export(tmp_path)
    running.terminate()
    _, said = running.communicate(timeout=300)
    assert running.returncode == 143, said
    assert "Traceback" not in said
    frames = sorted((tmp_path / "out").glob("frame_*.png"))
    assert len(frames) >= 4
    for frame in [*frames[:2], *frames[-4:]]:
        with Image.open(frame) as picture:
            picture.load()
    assert [path.name for path in (tmp_path / "out").iterdir() if path not in frames] == []


def shell(line: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A line of shell in which $J is the program."""
    ours = ("LC_", "LANG", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONUNBUFFERED")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        ["bash", "-c", line.replace("$J", f"'{sys.executable}' -m juggle_anim")],
        cwd=folder,
        env={**plain, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
    )


@pytest.mark.parametrize(
    ("line", "code"),
    sampled(
        [
            ("$J list | head -1; exit ${PIPESTATUS[1]}", 0),
            ("$J check 3 >/dev/full", 1),
            ("$J convert 3 - --format jml | true", 0),
            ("$J convert 3 /dev/full", 1),
            ("$J check <(echo 3)", 1),
            ("$J --help >/dev/full", 1),
            ("$J convert 532 - 2>/dev/full", 2),
            ("$J convert 532 - >&- 2>&-", 2),
            ("$J export 3 out --size 9x9 --fps 5 >&- 2>&-", 0),
        ],
        *(("$J list | head -1; exit ${PIPESTATUS[1]}", 0), ("$J check 3 >/dev/full", 1)),
        *(("$J check <(echo 3)", 1), ("$J convert 532 - >&- 2>&-", 2)),
        arguments=2,
    ),
)
def test_no_traceback_whatever_stands_in_for_the_terminal(
    tmp_path: Path, line: str, code: int
) -> None:
    ran = shell(line, tmp_path)
    assert ran.returncode == code
    assert not any(word in ran.stdout + ran.stderr for word in ("Traceback", "Exception", "Error"))


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"TERM": "xterm", "FORCE_COLOR": "1"},
    ],
)
def test_any_terminal_can_show_what_it_says(tmp_path: Path, environment: dict[str, str]) -> None:
    ascii_only = "LC_ALL" in environment
    more = "$J export 3 ü --size 9x9 --fps 5 && " if ascii_only else ""
    ran = shell(f"$J export --help && {more}$J 53ü", tmp_path, **environment)
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert "53" in ran.stderr
    assert (tmp_path / "ü" / "frame_00000.png").exists() == ascii_only


def test_a_current_folder_that_has_gone_is_one_line(tmp_path: Path) -> None:
    ran = shell("mkdir gone && cd gone && rmdir ../gone && $J export 3 out", tmp_path)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == "out: cannot save: No such file or directory"


def test_show_without_a_pattern_opens_what_was_open_last(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, dict[str, object]]] = []
    monkeypatch.setattr(
        "juggle_anim.api.show", lambda animation, **how: asked.append((animation, how))
    )
    assert [program("show").code, program("--safe").code, program("show", "--safe").code] == [
        0,
        0,
        0,
    ]
    assert asked == [(None, {}), (None, {"safe": True}), (None, {"safe": True})]
    assert program("--welcome").code == 0
    assert asked[-1] == (None, {"welcome": True})
    assert program("--chicken-wing", "45").code == 0
    animation = asked[-1][0]
    assert isinstance(animation, juggle_anim.Animation)
    assert (animation.text, animation.parameters.chicken_wing) == ("Cascade", 45)


def test_the_viewer_is_told_of_which_file_a_pattern_is(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, object]] = []
    monkeypatch.setattr("juggle_anim.api.show", lambda animation, **how: asked.append(how))
    (program.folder / "two.txt").write_text("531\n441\n")
    for text in ("two.txt", "two.txt#2", "531"):
        assert program(text).code == 0
    assert asked == [{"listed": "two.txt"}, {"listed": "two.txt#2"}, {}]
