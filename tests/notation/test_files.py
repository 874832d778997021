import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from juggle_anim.errors import ExportError, FileError, JuggleError
from juggle_anim.notation import (
    Entry,
    PatternList,
    open_patterns,
    read_file,
    read_settings,
    write_file,
)
from juggle_anim.notation.files import write_patterns
from juggle_anim.notation.formats import JIF as JIF_FORMAT
from juggle_anim.notation.formats import JML as JML_FORMAT
from juggle_anim.notation.formats import TEXT, Loss, PatternFormat
from juggle_anim.notation.rewriting import with_events

JML = """<?xml version="1.0"?>
<jml version="3"><patternlist><title>Ours</title>
<line display="Words"/><line display="Easy" notation="siteswap">pattern=3</line>
</patternlist></jml>
"""

WITH_EVENTS = write_patterns(with_events(open_patterns("531"))[0], JML_FORMAT).text
JIF = write_patterns(open_patterns("531"), JIF_FORMAT).text


def texts(patterns: PatternList) -> list[tuple[str, str]]:
    return [(entry.display, entry.text) for entry in patterns.entries]


def listed(*texts: str) -> PatternList:
    return PatternList(
        tuple(Entry(text, read_settings(text), text=text) for text in texts), title="Ours"
    )


@pytest.mark.parametrize("name", ["a.jml", "a.xml", "a.txt", "a", "a.JML"])
def test_a_file_is_read_by_what_it_holds(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(JML)
    read = read_file(tmp_path / name)
    assert (read.title, texts(read)) == ("Ours", [("Words", ""), ("Easy", "pattern=3")])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_xml_is_read_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    named = {"utf-16": "UTF-16", "utf-8-sig": "UTF-8", "latin-1": "ISO-8859-1"}[encoding]
    text = JML.replace("Words", "Für zwei").replace('"1.0"', f'"1.0" encoding="{named}"')
    (tmp_path / "a.jml").write_bytes(text.encode(encoding))
    assert read_file(tmp_path / "a.jml").entries[0].display == "Für zwei"


@pytest.mark.parametrize("name", ["a.txt", "a", "a.csv"])
def test_other_text_is_a_plain_list(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("<3p 3|3p 3>\n[34]23  # multiplex\n")
    assert texts(read_file(str(tmp_path / name))) == [
        ("<3p 3|3p 3>", "<3p 3|3p 3>"),
        ("multiplex", "[34]23"),
    ]


@pytest.mark.parametrize("name", ["a.jml", "a.jif"])
def test_plain_text_under_the_name_of_another_kind_is_one_clear_error(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("531\n")
    with pytest.raises(FileError) as caught:
        read_file(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}")


@pytest.mark.parametrize("name", ["b.jml", "b.txt", "new/folder/b.txt"])
def test_a_list_is_written_and_read_back(tmp_path: Path, name: str) -> None:
    patterns = listed("3", "pattern=531;dwell=1", "<3p 3|3p 3>")
    assert write_file(patterns, tmp_path / name) == ()
    read = read_file(tmp_path / name)
    assert (read.title, texts(read)) == ("Ours", texts(patterns))
    assert [entry.settings for entry in read.entries] == [
        entry.settings for entry in patterns.entries
    ]


@pytest.mark.parametrize("row", [JML_FORMAT, TEXT])
def test_names_of_the_library_are_written_out(row: PatternFormat) -> None:
    text = write_patterns(open_patterns("Box"), row).text
    assert "pattern=(4,2x)(2x,4)" in text
    assert "\nBox\n" not in text


def test_a_broken_pattern_is_kept_and_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("3\n532  # Broken\n")
    patterns = read_file(tmp_path / "a.txt")
    for name in ("b.txt", "b.jml"):
        (told,) = write_file(patterns, tmp_path / name)
        assert told.startswith(
            "line 2, Broken: it is not valid, and is saved unchanged: average 3⅓. It must be a whole"
        )
        assert [entry.error is None for entry in read_file(tmp_path / name).entries] == [
            True,
            False,
        ]


def test_of_several_patterns_no_jif_is_made(tmp_path: Path) -> None:
    with pytest.raises(
        FileError, match=r"JIF can have only one pattern, not 2; use \.jml or \.txt for many"
    ):
        write_file(listed("3", "51"), tmp_path / "a.jif")
    assert list(tmp_path.iterdir()) == []


def test_one_pattern_becomes_jif_with_its_name_and_the_words_around_it_are_told(
    tmp_path: Path,
) -> None:
    three = read_settings("3")
    entry = Entry("Cascade", three, text="3", animprefs="fps=30")
    told = write_file(PatternList((Entry("words"), entry)), tmp_path / "a.jif")
    assert told == (
        "Cascade: the list's title and notes are not saved",
        "Cascade: display settings of other programs are not saved",
    )
    (read,) = read_file(tmp_path / "a.jif").patterns
    assert read.settings is not None
    assert (read.settings.score.title, read.settings.score.pattern) == (
        "Cascade",
        three.score.pattern,
    )
    assert write_file(PatternList((entry,)), tmp_path / "b.json")[0].endswith(
        "of other programs are not saved"
    )


def test_a_file_of_one_pattern_loses_nothing_on_its_way_through_jif(tmp_path: Path) -> None:
    for pattern in ("pattern=531;title=Cross", "<4p|4p>"):
        single = PatternList(
            (Entry(read_settings(pattern).score.name, read_settings(pattern)),), single=True
        )
        assert write_file(single, tmp_path / "a.jif", force=True) == ()
        read = read_file(tmp_path / "a.jif")
        assert (read.title, read.patterns[0].display) == ("", single.patterns[0].display)
        assert write_file(read, tmp_path / "b.jif", force=True) == ()
        assert (tmp_path / "b.jif").read_text() == (tmp_path / "a.jif").read_text()


@pytest.mark.parametrize("name", ["a", "a.mp4", "a.jml.bak"])
def test_an_unknown_ending_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        FileError, match=r": unknown file ending; use \.jml, \.xml, \.jif, \.json, \.pass, \.txt"
    ):
        write_file(listed("3"), tmp_path / name)


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("mine")
    with pytest.raises(
        ExportError, match=r"already exists; choose another name, or add force=True"
    ):
        write_file(listed("3"), path)
    assert path.read_text() == "mine"
    write_file(listed("3"), path, force=True)
    assert path.read_text() == "# title: Ours\n3\n"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("name", ["/dev/null/a.txt", "/proc/a.txt"])
def test_a_place_that_cannot_be_written_is_one_line(name: str) -> None:
    with pytest.raises(ExportError) as caught:
        write_file(listed("3"), name)
    assert "\n" not in str(caught.value)


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(self: Path, data: str, **_: object) -> int:
        self.write_bytes(data[:2].encode())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", half)
    with pytest.raises(ExportError, match="No space left on device"):
        write_file(listed("3"), tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []


marks = st.sampled_from(
    [
        b"<",
        b">",
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b"nan",
        b"1e999",
        b"-1",
        b"\0",
        b"\xff",
        b"&#0;",
        b"=",
        b"",
    ]
)
spoiled = st.builds(
    lambda text, start, length, mark: text[:start] + mark + text[start + length :],
    st.sampled_from(
        [
            JML.encode(),
            WITH_EVENTS.encode(),
            JIF.encode(),
            b"3  # Cascade\n[34]23\npattern=51;dwell=1\n",
        ]
    ),
    st.integers(0, 800),
    st.integers(0, 20),
    marks,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=100) | spoiled, st.sampled_from(["a.jml", "a.jif", "a.txt", "a"]))
def test_any_bytes_are_read_or_refused_in_words(tmp_path: Path, data: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with suppress(FileError):
        entries = read_file(path).entries
        assert all(entry.error is None or isinstance(entry.error, JuggleError) for entry in entries)


def test_throws_that_no_text_stands_for_are_written_as_events(tmp_path: Path) -> None:
    throws = '{"time":0,"duration":3,"from":0,"to":0},{"time":0.5,"duration":3,"from":0,"to":0}'
    (tmp_path / "a.jif").write_text(f'{{"throws":[{throws}],"repetition":{{"period":1}}}}')
    patterns = read_file(tmp_path / "a.jif")
    assert write_file(patterns, tmp_path / "b.jml") == ()
    (read,) = read_file(tmp_path / "b.jml").patterns
    assert read.settings is not None
    assert (read.settings.score.props, read.settings.score.base) == (6, None)
    (told,) = write_file(patterns, tmp_path / "b.txt")
    assert told.endswith("its events do not fit on one line, so only its name is saved")
    assert read_file(tmp_path / "b.txt").patterns == ()


@pytest.mark.parametrize("row", [JML_FORMAT, TEXT])
@pytest.mark.parametrize("kept", [True, False])
def test_throws_that_were_typed_in_several_lines_stay_apart(
    row: PatternFormat, kept: bool, tmp_path: Path
) -> None:
    patterns = open_patterns("4p 2\n3p\n3p")
    if not kept:
        (entry,) = patterns.entries
        patterns = PatternList((Entry("words", entry.settings),))
    (tmp_path / "a").write_text(write_patterns(patterns, row).text)
    (read,) = read_file(tmp_path / "a").patterns
    (before,) = patterns.entries
    assert read.settings is not None
    assert before.settings is not None
    assert read.settings.score.pattern is not None
    assert before.settings.score.pattern is not None
    assert read.settings.score.pattern.throws == before.settings.score.pattern.throws


def test_a_format_is_complete_that_loses_at_most_what_stands_elsewhere() -> None:
    nothing = PatternFormat("one", (".one",), "reader")
    assert nothing.is_complete
    assert replace(nothing, cannot_hold=frozenset({Loss.PROPS_ELSEWHERE})).is_complete
    for loss in set(Loss) - {Loss.PROPS_ELSEWHERE}:
        assert not replace(nothing, cannot_hold=frozenset({loss})).is_complete
        both = frozenset({loss, Loss.PROPS_ELSEWHERE})
        assert not replace(nothing, cannot_hold=both).is_complete
