"""Pages of the documentation site that the program makes: the start, the commands, and patterns
that play.

MkDocs calls the functions whose names begin with `on_` (mkdocs.org/dev-guide/plugins); mkdocs.yml
names this file.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from build_command_files import NAME, commands
from mkdocs.structure.files import File, Files

import juggle_anim as ja

ROOT = Path(__file__).resolve().parent.parent

_PLAY = re.compile(r"<!-- play: (.*?) -->")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)")
_FOLDER = "play"
_OTHER_NAMES = ("Pattern", "SiteswapError")
"""Names of types that have another public name, too."""


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are not files of docs/."""
    start = (ROOT / "README.md").read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "index.md", content=start))
    files.append(File.generated(config, "commands.md", content=commands_page()))
    return files


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    """Let patterns play, and name files beside docs/, which a site does not have, without a
    link.
    """
    here = Path(page.file.src_uri).parent
    if page.file.src_uri == "python.md":
        markdown += reference()

    def linked(match: re.Match[str]) -> str:
        target = (here / match[2]).as_posix()
        return match[0] if files.get_file_from_path(target) else match[1]

    return _PLAY.sub(lambda match: player(match[1]), _LINK.sub(linked, markdown))


def reference() -> str:
    """Return the reference of all public functions and types, which mkdocstrings fills in."""
    names = [name for name in ja.__all__ if name not in _OTHER_NAMES]
    return "\n## Reference\n\n" + "".join(f"::: juggle_anim.{name}\n\n" for name in names)


def on_post_build(config: Any) -> None:
    """Write each pattern that plays somewhere, as a web page of its own."""
    for text in patterns_that_play():
        path = Path(config["site_dir"], _FOLDER, file_name(text))
        ja.export(ja.animate(text), path, force=True)


def patterns_that_play() -> list[str]:
    """Return the patterns that pages of docs/ play, each once."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))]
    return list(dict.fromkeys(pattern for text in texts for pattern in _PLAY.findall(text)))


def player(text: str) -> str:
    """Return the frame of a page in which a pattern plays."""
    return (
        f'<iframe src="{_FOLDER}/{file_name(text)}" title="{html.escape(text)}" loading="lazy" '
        'style="width: 100%; height: 22rem; border: 0; border-radius: 0.4rem"></iframe>'
    )


def file_name(text: str) -> str:
    """Return the name of the file in which a pattern plays; different ones for different
    patterns.
    """
    return (
        "".join(sign if sign.isascii() and sign.isalnum() else f"-{ord(sign):x}" for sign in text)
        + ".html"
    )


def commands_page() -> str:
    """Return the page of all commands, from the command line itself."""
    lines = [
        "# Commands",
        "",
        "All that `juggle-anim --help` and the help of each command say.",
        "",
    ]
    for command in commands():
        lines += [
            f"## {' '.join((NAME, *command.words))}",
            "",
            f"```\n{command.usage}\n```",
            "",
            _plain(command.help),
            "",
        ]
        rows = [*command.arguments, *((each.shown, each.help) for each in command.options)]
        if rows:
            lines += ["| | what it does |", "|---|---|"]
            lines += [*(f"| {_code(name)} | {_cell(said)} |" for name, said in rows), ""]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Return a help text as Markdown: what keeps its lines is code."""
    paragraphs = text.replace("<", "&lt;").split("\n\n")
    return "\n\n".join(
        f"```\n{each[2:]}\n```" if each.startswith("\b\n") else each for each in paragraphs
    )


def _code(text: str) -> str:
    return "`" + " ".join(text.split()).replace("|", "\\|") + "`"


def _cell(text: str) -> str:
    return html.escape(" ".join(text.split()), quote=False).replace("|", "\\|").replace("*", "\\*")
