"""Every block of Python in the README and the documentation runs, and its comments say what comes
out.

The blocks of a page run one after another, as a reader would type them. Pictures are small, and no
window opens.
"""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

import juggle_anim as ja

BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = {
    path: BLOCK.findall(path.read_text(encoding="utf-8"))
    for path in (ROOT / "README.md", *ROOT.glob("docs/*.md"))
}
SMALL = {"size": (64, 48), "fps": 5}

QUANTITY = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)(?: [a-zµ/²°%]+)?(?:[:,;]|$)")
"""A number in a comment, with its unit."""


@pytest.mark.usefixtures("own_solvers")
@pytest.mark.parametrize(
    "page", [path for path in PAGES if PAGES[path]], ids=lambda path: path.stem
)
def test_the_blocks_of_a_page_run_and_give_what_they_say(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = ja.export

    def small_export(animation: ja.Animation | str, path: str, **options: Any) -> list[Path]:
        is_model = path.endswith(".glb")
        return export(animation, path, **{**options, **({"fps": 5} if is_model else SMALL)})

    monkeypatch.setattr(ja, "export", small_export)
    monkeypatch.setattr(ja, "show", lambda _animation: None)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in PAGES[page]:
        run_block(block, names)


def run_block(block: str, names: dict[str, Any]) -> None:
    """Run the statements of a block; a comment behind an expression, or in the line below it, says
    its value.
    """
    lines = block.splitlines()
    for statement in ast.parse(block).body:
        code = ast.get_source_segment(block, statement)
        assert code is not None
        if not isinstance(statement, ast.Expr):
            exec(code, names)
            continue
        value = eval(code, names)
        end = statement.end_lineno or 0
        below = lines[end] if end < len(lines) else ""
        comment = lines[end - 1].encode()[statement.end_col_offset or 0 :].decode().strip() or below
        if comment.startswith("#"):
            assert_says(comment.removeprefix("#").strip(), value, code)


def assert_says(comment: str, value: Any, code: str) -> None:
    """Check what a comment states: a value of Python, in which `…` or `...` stands for what is left
    out, or a number with its unit; other words state nothing that can be checked.
    """
    if isinstance(value, int | float) and (quantity := QUANTITY.match(comment)):
        digits = len(quantity[1].partition(".")[2])
        assert f"{value:.{digits}f}" == quantity[1], code
        return
    try:
        stated = ast.literal_eval(comment.partition(":")[0] if comment.startswith("[") else comment)
    except (SyntaxError, ValueError):
        return
    if isinstance(stated, str) and re.search(r"…|\.\.\.", stated):
        parts = map(re.escape, re.split(r"…|\.\.\.", stated))
        assert re.fullmatch(".*".join(parts), value, re.DOTALL), code
    else:
        assert value == stated, code


def test_a_false_comment_and_an_unknown_argument_are_noticed() -> None:
    for block in (
        "1 + 1  # 3",
        "'abc'  # 'a…d'",
        "[1, 2]  # [1]",
        "0.126  # 0.12 m",
        "len('a')\n# 2",
        "int(hat=3)",
    ):
        with pytest.raises((AssertionError, TypeError)):
            run_block(block, {})
    for block in (
        "1 + 1  # 2",
        "'abc'  # 'a…c'",
        "[1, 2]  # [1, 2]: both",
        "0.126  # 0.13 m",
        "len('a')  # its length",
    ):
        run_block(block, {})
