"""Bring the catalogues of all languages up to date with the texts in the program, and compile them.

    .venv/bin/python scripts/update_catalogues.py

New texts come in without a translation, texts that are gone go, and nothing is guessed: what is left empty fails the
tests until somebody translates it. Catalogues are compiled again, so it is also run after a translation is written.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from babel.messages.catalog import Catalog  # noqa: E402
from catalogues import LANGUAGES, catalogue_path, compiled, read_catalogue, texts_of_program, written  # noqa: E402


def update(code: str, texts: Catalog) -> int:
    """Update the catalogue of a language; returns how many texts lack a translation."""
    path = catalogue_path(code)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue = read_catalogue(code) if path.is_file() else Catalog(code)
    catalogue.update(texts, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    path.write_bytes(written(catalogue))
    path.with_suffix(".mo").write_bytes(compiled(catalogue))
    return sum(bool(message.id) and not all(_strings(message.string)) for message in catalogue)


def _strings(string: object) -> tuple[object, ...]:
    return tuple(string) if isinstance(string, (tuple, list)) else (string,)


if __name__ == "__main__":
    texts = texts_of_program()
    for code in LANGUAGES:
        print(f"{code}: {len(texts)} texts, {update(code, texts)} without a translation")
