"""Bring the catalogues of all languages up to date with the texts in the program, and compile them.

    .venv/bin/python scripts/update_catalogues.py

New texts come in without a translation, texts that are gone go, and nothing is guessed: what is
left empty fails the tests until somebody translates it. Catalogues are compiled again, so it is
also run after a translation is written.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from babel.messages.catalog import Catalog  # noqa: E402
from catalogues import (  # noqa: E402
    LANGUAGES,
    TEXTS,
    catalogue_path,
    command_line_path,
    compiled_catalogues,
    compiled_for_command_line,
    read_catalogue,
    write_archive,
    written,
)


def update(code: str, domain: str, texts: Catalog) -> int:
    """Update a catalogue of a language; returns how many texts lack a translation."""
    path = catalogue_path(code, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue = read_catalogue(code, domain) if path.is_file() else Catalog(code)
    catalogue.update(texts, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    path.write_bytes(written(catalogue))
    return sum(bool(message.id) and not all(_strings(message.string)) for message in catalogue)


def _strings(string: object) -> tuple[object, ...]:
    return tuple(string) if isinstance(string, (tuple, list)) else (string,)


if __name__ == "__main__":
    for domain, texts_of in TEXTS.items():
        texts = texts_of()
        for code in LANGUAGES:
            print(
                f"{code}: {len(texts)} texts of {domain}, {update(code, domain, texts)} without a "
                f"translation"
            )
    write_archive(compiled_catalogues())
    for code in LANGUAGES:
        command_line_path(code).write_bytes(compiled_for_command_line(code))
