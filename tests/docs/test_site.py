"""The documentation: all pages are in the site, what they show can be done, and the site stands
without a network.
"""

import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import yaml
from headless_browser import Page
from paths import DOCS, ROOT
from program import Program

import juggle_anim as ja

CONFIG = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
MADE = {"index.md", "commands.md"}
"""Pages that scripts/site_pages.py makes."""

PAGES = sorted(DOCS.glob("*.md"))


def pages_of(entries: list[object]) -> list[str]:
    """All pages of a menu, and of the menus in it."""
    return [
        page
        for entry in entries
        if isinstance(entry, dict)
        for below in entry.values()
        for page in (pages_of(below) if isinstance(below, list) else [below])
    ]


def commands_of(page: Path) -> list[list[str]]:
    """The commands that a page shows, those with words to fill in, machines of one's own or pipes
    left out.
    """
    text = page.read_text(encoding="utf-8")
    blocks = [
        *re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL),
        *re.findall(r"^    .*$", text, re.MULTILINE),
    ]
    lines = re.findall(r"^ *(juggle-anim .*)$", "\n".join(blocks), re.MULTILINE)
    return [
        shlex.split(line)[1:] for line in lines if not re.search(r"PATTERN|--scheduler| > ", line)
    ]


def test_the_menu_has_each_page_once() -> None:
    assert sorted(pages_of(CONFIG["nav"])) == sorted([*MADE, *(page.name for page in PAGES)])


def test_what_plays_on_a_page_can_be_juggled() -> None:
    played = [
        text for page in PAGES for text in re.findall(r"<!-- play: (.*?) -->", page.read_text())
    ]
    assert len(played) > 8
    for text in played:
        assert ja.animate(text).duration > 0


@pytest.mark.long
@pytest.mark.parametrize(
    "page", [page for page in PAGES if commands_of(page)], ids=lambda page: page.stem
)
def test_each_command_of_a_page_runs(
    page: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for endless in ("juggle_anim.api.show", "juggle_anim.server.serve"):
        monkeypatch.setattr(endless, lambda *_, **__: None)
    if page.stem == "routines":  # it begins with the file that its commands name
        example = re.search(r"\n\n(    .*?)\n\n\S", page.read_text(encoding="utf-8"), re.DOTALL)
        assert example is not None
        (program.folder / "show.routine").write_text(textwrap.dedent(example[1]))
    for words in commands_of(page):
        film = words[0] == "export" and words[2].rpartition(".")[2] in (
            "mp4",
            "gif",
            "webm",
            "loop",
            "jpg",
        )
        # Of what is said twice, the last counts: as many and as large pictures take their time and
        # tell no more.
        ran = program(*words, *(("--size", "64x48", "--fps", "5") if film else ()))
        assert ran.code == 0, (words, ran.err)


@pytest.mark.long
def test_the_site_is_built_and_patterns_play_in_it_without_a_network(
    tmp_path: Path, page: Page
) -> None:
    pytest.importorskip("mkdocs", reason="needs what `make docs` installs")
    built = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--quiet",
        "--strict",
        "--site-dir",
        str(tmp_path / "site"),
    ]
    ran = subprocess.run(built, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    for name in ("index", "primer", "commands", "python"):
        page.events.clear()
        page("Page.navigate", url=(tmp_path / "site" / f"{name}.html").as_uri())
        page.wait_for("document.readyState === 'complete'")
        if name == "primer":
            frame = "document.querySelector('iframe')"
            page.wait_for(f"{frame}.getBoundingClientRect().height > 300")
            assert page.value(f"{frame}.title") == "3"
        assert page.complaints() == []
        assert [
            asked for asked in page.requests() if not asked.startswith(("file:", "data:"))
        ] == []
