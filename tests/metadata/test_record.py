import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.metadata.documents import Record, read_record

WORDS = st.text(max_size=40)
TABLES = st.dictionaries(WORDS, st.none() | st.integers() | WORDS, max_size=3)


@given(WORDS, WORDS, TABLES, TABLES, WORDS, WORDS)
def test_a_record_is_one_line_of_ascii_and_is_read_back(
    settings: str,
    jml: str,
    parameters: dict[str, object],
    picture: dict[str, object],
    version: str,
    routine: str,
) -> None:
    record = Record(settings, jml, parameters, picture, version, routine)
    assert record.text.isascii()
    assert record.text.isprintable()
    assert read_record(record.text) == record


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Lavf60.3.100",
        "[1]",
        "3",
        "{}",
        '{"settings": "pattern=3"}',
        '{"juggle-anim": 1}',
        '{"juggle-anim": "1", "settings": 3}',
        '{"juggle-anim": "1", "parameters": []}',
        "[" * 100_000,
    ],
)
def test_any_other_words_are_no_record(text: str) -> None:
    assert read_record(text) is None


def test_what_a_later_version_adds_is_passed_over() -> None:
    text = json.dumps({"juggle-anim": "9.9", "settings": "pattern=3", "weather": "fine"})
    assert read_record(text) == Record("pattern=3", version="9.9")
