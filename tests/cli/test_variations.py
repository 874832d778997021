from pathlib import Path

from PIL import Image
from program import Program


def test_nine_versions_are_printed_as_settings_and_drawn(program: Program) -> None:
    ran = program(
        "variations", "531", "sheet.png", "--kind", "throws", "--size", "300x400", "--seed", "3"
    )
    lines = ran.out.splitlines()
    assert (ran.code, lines[4], lines[-1]) == (0, "5  pattern=531", "sheet.png")
    width, height = Image.open(Path("sheet.png")).size
    assert (width, height <= 400) == (300, True)  # ends above the highest throw
    assert (
        program("variations", "531", "--kind", "throws", "--seed", "3").out.splitlines()
        == lines[:-1]
    )
    refused = program("variations", "531", "--kind", "colours")
    assert (refused.code, "throws" in refused.err) == (2, True)
