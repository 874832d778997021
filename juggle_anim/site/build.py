"""Builds a site: the page, its patterns, and the program for the browser's Python.

Pyodide, the Python that runs in browsers: the one release that a site runs on.

It is the MPL-2.0 distribution of https://pyodide.org; a site takes it from there or has a copy.
"""

from __future__ import annotations

import base64
import dataclasses
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Collection, Iterator, Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.options import Progress
from juggle_anim.language import CATALOGUES, LANGUAGES, _, catalogue_folder, speaking
from juggle_anim.resources import __version__, resource
from juggle_anim.server.drawing import draw
from juggle_anim.server.exchange import CURVES, FACTS, FIRST
from juggle_anim.server.page import POLICY, SITE_FILES, library_json, page_html, site_file
from juggle_anim.server.query import read_query

VERSION = "0.27.7"
PYTHON = (3, 12)
"""The version of its Python, whose compiled modules it reads."""

PUBLIC = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
"""Where its makers publish it."""

NUMPY = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"

PILLOW = "pillow-10.2.0-cp312-cp312-pyodide_2024_0_wasm32.whl"

FILES = {
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    PILLOW: "43eab147a9355385a99eeac18fb577d4af2fe4bd0bbd23d3ba3ddb92e72c2815",
    NUMPY: "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
}
"""The files that are used, with their SHA-256."""

LOCK = {
    "info": {
        "abi_version": "2024_0",
        "arch": "wasm32",
        "platform": "emscripten_3_1_58",
        "python": "3.12.7",
        "version": VERSION,
    },
    "packages": {},
}
"""What Pyodide reads of its packages; it is given numpy by itself."""


_PACKED = "pyodide.asm.wasm"
"""The file that a copy has compressed: it takes a third, and many hosts would send it as it is."""

_RUN = (".py", ".so")
"""Endings of files that run; the others are for those who build with numpy, or test it."""


def release_facts(address: str, copied: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what the page's worker must know to load a release of Pyodide, as JSON values.

    Args:
        address: address of the folder that has all its files.
        copied: the content of the files of `read_copy`, by name; empty to load the public ones.
    """
    digests = {name: bytes.fromhex(digest) for name, digest in FILES.items()}
    # The name of each file in a copy: one that is compressed has another ending there.
    names_in_copy = {
        name: next((copy for copy in copied if copy.startswith(name)), name) for name in FILES
    }
    for copy, content in copied.items():
        digests[copy] = hashlib.sha256(content).digest()
    return {
        "address": address,
        "lock": LOCK,
        "numpy": NUMPY,
        "pillow": PILLOW,
        # What stands for each file, and what it must be: browsers check it before they run it.
        "files": {
            name: {
                "name": copy,
                "integrity": f"sha256-{base64.b64encode(digests[copy]).decode()}",
            }
            for name, copy in names_in_copy.items()
        },
    }


def read_copy(folder: Path) -> dict[str, bytes]:
    """Return the content of the files of a copy of Pyodide, by name, prepared to load sooner.

    The file `_PACKED` is compressed, with `.gz` behind its name. Modules in archives are compiled
    if a Python of the same version is here.

    Args:
        folder: has the files of `FILES` as they were published.

    Raises:
        ParameterError: a file is missing, or is of another release.
    """
    contents = {}
    for name, digest in FILES.items():
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise ParameterError(
                _(
                    "{path} cannot be read ({reason}); Pyodide {version} has it",
                    path=folder / name,
                    reason=error.strerror,
                    version=VERSION,
                )
            ) from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise ParameterError(
                _("{path} is not from Pyodide {version}", path=folder / name, version=VERSION)
            )
        if name == _PACKED:
            contents[f"{name}.gz"] = gzip.compress(content, mtime=0)
        elif name.endswith("js"):
            contents[name] = content
        else:
            # Most of the time in which Python starts is that of compiling modules.
            contents[name] = _compiled(content, docstrings=name == NUMPY)
    return contents


def _compiled(archive: bytes, *, docstrings: bool) -> bytes:
    """Return an archive with compiled modules, and without files that are not needed to run.

    Without a Python to compile them the archive is returned as it is.

    Args:
        archive: a zip file.
        docstrings: whether docstrings are kept; numpy needs them, as it changes them when imported.
    """
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            packed.extractall(root)
        if not compile_modules(root, docstrings=docstrings):
            return archive
        for path in root.rglob("*"):
            if path.is_file() and not path.name.endswith((".pyc", *_RUN)):
                path.unlink()
        return zipped(root)


def compile_modules(root: Path, *, docstrings: bool) -> bool:
    """Replace all modules of a folder by compiled ones, for the version `PYTHON` of Python.

    Args:
        root: the folder.
        docstrings: whether docstrings are kept, as some libraries read them.

    Returns:
        Whether that was done; without a Python of that version the folder stays as it is.
    """
    python = sys.executable if sys.version_info[:2] == PYTHON else shutil.which("python3.12")
    if python is None:
        return False
    level = "0" if docstrings else "2"
    options = ["-q", "-b", "-o", level, "-s", str(root), "--invalidation-mode", "unchecked-hash"]
    command = [python, "-I", "-m", "compileall", *options, str(root)]
    # pyenv puts `python3.12` into the path, which fails unless that version is chosen.
    environment = {**os.environ, "PYENV_VERSION": ".".join(map(str, PYTHON))}
    if subprocess.run(command, capture_output=True, check=False, env=environment).returncode:
        return False
    for source in root.rglob("*.py"):
        source.unlink()
    return True


def zipped(root: Path) -> bytes:
    """Return an archive of all files of a folder; the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(root).as_posix())
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    return packed.getvalue()


LEFT_OUT = ("batch", "cli", "measure", "notebook", "render", "viewer", "site/files")
"""Folders of the package that draw or speak with a system, which browsers do without."""

_LIBRARIES = (
    "defusedxml", "pygltflib", "dataclasses_json", "marshmallow", "packaging", "typing_inspect",
    "mypy_extensions", "typing_extensions", "segno",
)  # fmt: skip
"""Those that read JML, write glTF and draw QR codes, in pure Python: with what they import."""


def write_site(
    folder: Path,
    copy_of_pyodide: Path | None = None,
    *,
    names: Collection[str] | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a site into a folder; files of an earlier one are replaced.

    Args:
        folder: is made if it is not there.
        copy_of_pyodide: a folder with the files of `FILES`, which the site gets copies of;
            by default browsers take them from where Pyodide is published.
        names: of patterns of the library that are shown before Python is loaded; None for all.
        progress: called with how many patterns have been prepared, and how many there are.

    Raises:
        ParameterError: the copy has other files.
        ExportError: the folder cannot be written.
    """
    copied = read_copy(copy_of_pyodide) if copy_of_pyodide else {}
    contents = dict(_site_contents(names, progress))
    contents |= {f"pyodide/{name}": content for name, content in copied.items()}
    contents["program.zip"] = _program()
    address = "pyodide/" if copied else PUBLIC
    program = f"program.zip?{_digest(contents['program.zip'])}"
    contents["versions.js"] = _script(
        program=program, pyodide=release_facts(address, copied), languages=list(LANGUAGES)
    )
    contents["python.js"] = _in_one_module(
        contents.pop("resume.js"), contents["versions.js"], contents["python.js"]
    )
    hosts = "" if copied else f" {PUBLIC}"
    policy = POLICY.format(hosts=hosts, evaluates=" 'wasm-unsafe-eval'")
    for code in LANGUAGES:
        with speaking(code):
            contents[_page_name(code)] = page_html(policy, _LINKS).encode()
    # The list of files that browsers keep for use offline, and a version that changes with any of
    # them. Prepared patterns are not kept, since Python can compute them again.
    kept_files = [name for name in contents if not name.startswith("curves/")]
    kept = {
        "version": _digest(b"".join(contents[name] for name in kept_files)),
        "names": [program if name == "program.zip" else name for name in kept_files],
        "lasting": ["program.zip", address],
    }
    contents["files.js"] = f"self.site = {json.dumps(kept)};\n".encode()
    _write_all(folder, contents)


def _write_all(folder: Path, contents: dict[str, bytes]) -> None:
    """Write files into a folder, replacing those that are there.

    Args:
        folder: the folder; it is made if it does not exist.
        contents: contents of the files by name, which may include folders.

    Raises:
        ExportError: one cannot be written.
    """
    try:
        for name, content in contents.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(path, replaces=True) as draft:
                draft.write_bytes(content)
    except OSError as error:
        raise ExportError(
            _("{path} cannot be written: {reason}", path=folder, reason=error.strerror)
        ) from error


_LINKS = """<link rel="manifest" href="manifest.json">
<link rel="apple-touch-icon" href="icon-192.png">
<link rel="preload" href="fixed.json" as="fetch" crossorigin>
<script src="begin.js"></script>
<link rel="preload" href="player.js" as="script">
<link rel="modulepreload" href="ask.js">
<link rel="modulepreload" href="prepared.js">
<link rel="modulepreload" href="versions.js">
<link rel="modulepreload" href="page.js">
<link rel="modulepreload" href="controls.js">
<link rel="modulepreload" href="along.js">
<link rel="modulepreload" href="xr.js">
<link rel="modulepreload" href="ladder.js">
<link rel="modulepreload" href="settings.js">
<link rel="modulepreload" href="shelves.js">
"""
"""What makes the page a program, and what scripts would ask for one after another."""


_FILES = (
    "begin.js",
    "ask.js",
    "film.js",
    "python.js",
    "resume.js",
    "offline.js",
    "embed.js",
    "manifest.json",
)

_PACKAGE = {
    "name": "juggle-anim",
    "version": __version__,
    "description": "Type a siteswap and watch a person juggle it in 3D.",
    "license": "MIT",
    "type": "module",
    "exports": {".": "./embed.js", "./*": "./*"},
    "sideEffects": ["./embed.js"],
    "keywords": ["juggling", "siteswap", "web-component", "animation"],
}
"""The site as a package of npm, whose module defines the tag."""


def _page_name(code: str) -> str:
    return "index.html" if code == "en" else f"index.{code}.html"


def _site_contents(
    names: Collection[str] | None, progress: Progress | None
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each file of the page, and of each prepared pattern.

    Args:
        names: names of the library's patterns that are prepared; None for all.
        progress: called with how many of them are done, and how many there are; None for no call.
    """
    for name in SITE_FILES:
        yield name, site_file(name).encode()
    # Among these is the script that asks Python in the browser in place of a server.
    for name in _FILES:
        yield name, (files(__package__) / "files" / name).read_bytes()
    yield "package.json", json.dumps(_PACKAGE, indent=2).encode()
    yield from _icons()
    for code in LANGUAGES:
        with speaking(code):
            yield f"library.{code}.json", library_json(code)
        if code != "en":
            yield f"words.{code}.zip", _catalogue(code)
    prepared = {}
    rows = json.loads(library_json("en"))
    chosen = [row["settings"] for row in rows if names is None or row["name"] in names]
    queries = [{"pattern": FIRST}, *chosen]
    for number, settings in enumerate(queries):
        query = written(settings)
        content = prepared_pattern(query)
        if content:
            prepared[query] = str(number)
            yield f"curves/{number}.json", content
        if progress:
            progress(number + 1, len(queries))
    yield "prepared.js", _script(prepared=prepared)


def _icons() -> Iterator[tuple[str, bytes]]:
    """Yield the icons of the program on a home screen, which may cut one to any shape."""
    from PIL import Image

    with Image.open(resource("assets", "icon/juggle-anim-512.png")) as picture:
        icon = picture.convert("RGBA")
    # For icons that are cut to a shape, fill the picture up to its edges with the colour of the
    # icon's own ground, taken near the middle of its upper edge.
    middle_of_edge = icon.width // 2, icon.height // 16
    ground = Image.new("RGBA", icon.size, icon.getpixel(middle_of_edge))
    ground.alpha_composite(icon)
    for name, image in (
        ("icon-192.png", icon.resize((192, 192))),
        ("icon-512.png", icon),
        ("icon-maskable.png", ground),
    ):
        packed = io.BytesIO()
        image.save(packed, "PNG", optimize=True)
        yield name, packed.getvalue()


def written(settings: dict[str, str]) -> str:
    """Return settings as the page writes them into an address: `written` in its settings.js."""
    from urllib.parse import quote

    return ";".join(f"{key}={quote(str(value), safe=_UNQUOTED)}" for key, value in settings.items())


_UNQUOTED = "!'()*"  # what encodeURIComponent leaves as it is, beside what `quote` does


def prepared_pattern(text: str) -> bytes:
    """Return the facts, in all languages, and curves of a pattern, as JSON.

    The page shows them while it loads Python, which would answer the same.

    Args:
        text: query of the pattern, as it stands behind the `?` of an address.

    Returns:
        The JSON in UTF-8; empty for a query that is refused.
    """
    query = dataclasses.replace(read_query(text), format=CURVES, left_out=())
    curves = draw(query)
    if curves.status != 200:
        return b""
    facts = {
        code: json.loads(draw(dataclasses.replace(query, format=FACTS, language=code)).content)
        for code in LANGUAGES
    }
    document = {"facts": facts, "curves": json.loads(curves.content)}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _script(**values: Any) -> bytes:
    """Return a module that exports values, by their names."""
    lines = [
        f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n"
        for name, value in values.items()
    ]
    return "".join(lines).encode()


def _in_one_module(*modules: bytes) -> bytes:
    """Return modules with different names as one, which browsers need not ask for one by one."""
    return re.sub(rb"^import .*\n|^export ", b"", b"\n".join(modules), flags=re.MULTILINE)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _program() -> bytes:
    """Return the program for the browser's Python, as a ZIP.

    It has the libraries that the program needs there, and leaves out the modules that draw. Modules
    are compiled here if a Python of the version `PYTHON` is here, and else in the browser.

    Raises:
        ExportError: a library is not installed.
    """
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        package = Path(str(files("juggle_anim")))
        _copy_modules(package, root / "juggle_anim")
        for library in _LIBRARIES:
            spec = find_spec(library)
            if spec is None or spec.origin is None:
                raise ExportError(_("{library} is missing", library=library))
            if spec.submodule_search_locations is None:
                shutil.copy(spec.origin, root)
            else:
                _copy_modules(Path(spec.origin).parent, root / library)
        compile_modules(root, docstrings=False)
        data = root / "juggle_anim"
        shutil.copytree(resource("patterns"), data / "patterns")
        for path in (data / "patterns").glob("*.toml"):
            # The browser's Python reads JSON much sooner than TOML.
            tables = json.dumps(tomllib.loads(path.read_text(encoding="utf-8")))
            path.with_suffix(".json").write_text(tables, encoding="utf-8")
            path.unlink()
        (data / "assets").mkdir()
        shutil.copy(resource("assets", "figure.npz"), data / "assets")
        return zipped(root)


def _copy_modules(source: Path, target: Path) -> None:
    """Copy a package without the files that the browser does not need.

    Args:
        source: folder of the package.
        target: folder to make.
    """

    def left_out(folder: str, names: list[str]) -> list[str]:
        """Return the names in a folder that are not copied."""
        below = Path(folder).relative_to(source)
        return [
            name
            for name in names
            if name == "__pycache__"
            or (below / name).as_posix() in (*LEFT_OUT, "locale", "patterns", "assets")
            or name.endswith((".md", ".pyc", ".js", ".css", ".html"))
        ]

    shutil.copytree(source, target, ignore=left_out)


def _catalogue(code: str) -> bytes:
    """Return an archive with the words of one language, which the browser's Python unpacks.

    The file of all languages is compressed in a way that this Python cannot undo; the archive has
    an uncompressed one of a single language in its place.

    Args:
        code: code of the language, such as "de".
    """
    packed = io.BytesIO()
    with (
        tarfile.open(catalogue_folder() / CATALOGUES) as archive,
        tarfile.open(fileobj=packed, mode="w") as plain,
    ):
        for member in archive:
            if member.name.startswith(f"{code}/"):
                plain.addfile(member, archive.extractfile(member))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "juggle_anim", catalogue_folder().name)
        folder.mkdir(parents=True)
        (folder / CATALOGUES).write_bytes(packed.getvalue())
        return zipped(Path(name))
