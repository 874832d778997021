import pytest
from hypothesis import given
from staging_strategies import staging_settings

from juggle_anim.choreography import PropStyle, Staging
from juggle_anim.errors import NotationError
from juggle_anim.notation.settings.staging import read_staging, staging_texts
from juggle_anim.notation.settings.syntax import Setting

texts = staging_settings()


def read(before: Staging = Staging(), **written: str) -> Staging:  # noqa: B008 - it is frozen
    return read_staging({key: Setting(text, 0, text) for key, text in written.items()}, before)


@given(texts)
def test_staging_is_written_as_it_is_read(written: dict[str, str]) -> None:
    staging = read(**written)
    assert read(**staging_texts(staging)) == staging


@given(texts, texts)
def test_what_is_not_said_stays_as_it_was(first: dict[str, str], then: dict[str, str]) -> None:
    assert read(read(**first), **then) == read(**{**first, **then})


def test_what_is_usual_is_not_written() -> None:
    assert read(prop=" Ball ") == Staging()
    assert staging_texts(Staging()) == {}


def test_props_have_a_kind_and_colours() -> None:
    props = read(prop="CLUB", colors="orbits").props
    assert (props.kinds, props.by_orbit, len(props.colours)) == (("club",), True, 10)
    assert read(prop="ball, Club,ring").props.kinds == ("ball", "club", "ring")
    assert read(prop="ring,ring").props.kinds == ("ring",)
    assert staging_texts(read(prop="ball,club")) == {"prop": "ball,club"}
    assert read(colors="{red} \n {0,0,255}").props == PropStyle("{red} {0,0,255}", colours=((1, 0, 0), (0, 0, 1)))


@pytest.mark.parametrize(
    ("kind", "words"), [("rign", "did you mean ring"), ("qqqqq", "there are ball, club"), (" ", "no prop is named")]
)
def test_an_unknown_prop_is_refused(kind: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        read(prop=kind)
    with pytest.raises(NotationError, match=words) as refused:
        read(prop=f"ball,{kind}")
    assert refused.value.index >= len("ball,")
