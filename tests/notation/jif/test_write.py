"""Scores written as JIF: by its schema, and read back as they were."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from foreign_programs import node_complaints
from hypothesis import given
from hypothesis import strategies as st
from jif_documents import SCHEMA, read, throw, write
from paths import DATA
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps
from staging_strategies import parameter_values

from juggle_anim.choreography import Score
from juggle_anim.errors import FileError
from juggle_anim.notation import read_settings, read_siteswap
from juggle_anim.notation.jif import read_jif, write_jif
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings.settings import Settings
from juggle_anim.parameters import QUANTITIES
from juggle_anim.pattern import RIGHT, Pattern, Throw

OURS = ("juggleAnim", "highLevelDescription", "meta")


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_any_siteswap_is_read_back_as_it_was(text: str) -> None:
    settings = Settings(Score(read_siteswap(text)), complete=True)
    document = write(settings)
    again = read(document)
    assert again == settings
    assert again.score.pattern is not None
    assert settings.score.pattern is not None
    assert again.score.pattern.turns == settings.score.pattern.turns


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_the_members_of_jif_alone_say_the_throws(text: str) -> None:
    pattern = read_siteswap(text)
    document = {
        key: value for key, value in write(Settings(Score(pattern))).items() if key not in OURS
    }
    again = read(document).score.pattern
    assert again is not None
    assert (again.throws, again.period, again.jugglers) == (
        pattern.throws,
        pattern.period,
        pattern.jugglers,
    )


SETTINGS = [
    "pattern=531;bps=4.5;dwell=1;gravity=162;title=five three one",
    "pattern=5B3H4T;bouncefrac=0.8",
    "pattern=[34]23;hands=(10)(32.5).;prop=ring",
    "pattern=786;hss=4;hold=true;dwellmax=false;handspec=(1,3)(2,4)",
    "pattern=<3p|3p>;body=(90,-100).(80).|(270,100).;colors=orbits",
    "pattern=(4,0)(0,4)",
    "pattern=<3p|3p>;catches=behind;throws=lazy,-|chop;throwspins=-,1.5;prop=club",
    "pattern=501",
]


@pytest.mark.parametrize("text", SETTINGS)
def test_settings_are_read_back_as_they_were(text: str) -> None:
    settings = read_settings(text)
    assert read(write(settings)) == settings


def test_another_program_finds_the_documents_as_their_schema_wants_them(tmp_path: Path) -> None:
    documents = [write(read_settings(text)) for text in SETTINGS]
    (tmp_path / "all.json").write_text(json.dumps(documents))
    assert node_complaints(DATA / "jif_schema.json", tmp_path / "all.json") == []
    (tmp_path / "wrong.json").write_text(json.dumps([{**documents[0], "throws": 3}]))
    assert len(node_complaints(DATA / "jif_schema.json", tmp_path / "wrong.json")) == 1


@given(st.fixed_dictionaries({}, optional={row.name: parameter_values(row) for row in QUANTITIES}))
def test_parameters_are_read_back_exactly(parameters: dict[str, float]) -> None:
    settings = Settings(Score(read_siteswap("3")), parameters, complete=True)
    assert read(write(settings)).parameters == parameters


def test_words_about_a_score_are_read_back() -> None:
    pattern = read_siteswap("3")
    score = Score(
        pattern, title="It's “×” 3", about="One.\nTwo.", tags=("a", "b c"), base=("siteswap", "3")
    )
    assert read(write(Settings(score))).score == score


def test_throws_on_parts_of_beats_are_written_with_a_stretch_of_time() -> None:
    throws = (Throw(0, 0, RIGHT, 3, 1, RIGHT), Throw(1, 1, RIGHT, 3, 0, RIGHT))
    pattern = Pattern("", throws, 2, 2, jugglers=2, division=2)
    document = write(Settings(Score(pattern)))
    assert (document["timeStretchFactor"], document["repetition"]["period"]) == (2, 2)
    assert [made["label"] for made in document["throws"]] == ["1.5p", "1.5p"]
    again = read(document).score.pattern
    assert again is not None
    assert dataclasses.replace(again, text="") == pattern
    assert again.text.endswith("in 1/2 beats")


def test_throws_that_were_changed_by_somebody_count_and_not_what_we_wrote() -> None:
    document = write(read_settings("pattern=531;title=x"))
    document["throws"] = write(read_settings("pattern=441"))["throws"]
    del document["repetition"]["propPermutation"]
    score = read(document).score
    assert score.pattern is not None
    assert score.pattern.text == "441"


def test_a_document_has_a_throw_in_each_line() -> None:
    text = write_jif(PatternList((Entry("3", Settings(Score(read_siteswap("3")))),), single=True))
    assert (
        '\n    {"time": 0, "duration": 3, "from": 0, "to": 1, "label": "3", "prop": 0},\n' in text
    )


def test_jif_holds_one_pattern() -> None:
    entry = Entry("3", Settings(Score(read_siteswap("3"))))
    assert read_jif(write_jif(PatternList((Entry("words"), entry)))).single
    with pytest.raises(
        FileError, match=r"JIF can have only one pattern, not 2; use \.jml or \.txt for many"
    ):
        write_jif(PatternList((entry, entry)))
    with pytest.raises(
        FileError, match=r"JIF can have only one pattern, not 0; use \.jml or \.txt for many"
    ):
        write_jif(PatternList(()))
    with pytest.raises(FileError, match="x: cannot be saved, because it could not be read: why"):
        write_jif(PatternList((Entry("x", error=FileError("why")),)))


def document_with(**members: Any) -> dict[str, Any]:
    return {
        "throws": [throw(0, 3, 0, 1), throw(1, 3, 1, 0)],
        "repetition": {"period": 2},
        **members,
    }


def test_a_document_of_others_is_written_and_read_the_same() -> None:
    document = document_with(
        jugglers=[{"position": [0.3, 0, 1.6], "lookAt": [0.3, 0, -2]}],
        props=[{"color": "gold", "type": "club"}, {"color": "#123456"}, {}],
        meta={"name": "mine", "description": "words"},
        timeStretchFactor=1.5,
    )
    settings = read(document)
    written = write(settings)
    assert read(written) == settings
    assert write(read(written)) == written
    SCHEMA.validate(json.loads(json.dumps(written)))
