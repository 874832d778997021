import pytest
from hypothesis import given
from hypothesis import strategies as st
from jml_performances import jml, score_of
from paths import DATA

from juggle_anim.choreography import choreograph
from juggle_anim.choreography.places import rest_positions
from juggle_anim.errors import FileError, JuggleError
from juggle_anim.notation.jml import read_jml, write_jml
from juggle_anim.notation.limits import MAX_LIST_WORK
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings.settings import read_settings
from juggle_anim.parameters import Parameters

EVERY_ELEMENT = (DATA / "jml_every_element.jml").read_text()
HELD = '<event x="0" t="0" hand="left"><holding path="1"/></event>'


def lines(*inner: str) -> tuple[Entry, ...]:
    return read_jml(
        "\n".join(["<jml>", "<patternlist>", *inner, "</patternlist>", "</jml>"]), "f"
    ).entries


def test_a_list_has_a_title_a_description_and_its_lines() -> None:
    patterns = read_jml(EVERY_ELEMENT, "f")
    assert (patterns.title, patterns.about, patterns.single) == (
        "Every element & attribute",
        "Made up for the tests",
        False,
    )
    assert [entry.error for entry in patterns.entries] == [None] * 5
    assert [(entry.display, entry.line) for entry in patterns.entries] == [
        ("Words", 8),
        ("", 9),
        ("A settings string", 10),
        ("The cascade", 15),
        ("Two who bounce", 31),
    ]
    assert len(patterns.patterns) == 3


def test_a_list_of_jml_1_0_has_patterns_in_attributes_that_need_not_be_xml() -> None:
    """As Juggling Lab first wrote them: no version, < and & as they are, y up and z forward."""
    patterns = read_jml((DATA / "jml_1_0.jml").read_text(), "f")
    assert patterns.title == "Old & new"
    words, shower, passing, document, escaped = patterns.entries
    assert [entry.error for entry in patterns.entries] == [None] * 5
    assert [entry.line for entry in patterns.entries] == [6, 7, 8, 12, 31]
    assert (words.display, words.settings) == (" ", None)
    assert shower.display == "A shower, with < and & in its name"
    assert shower.settings == read_settings(
        "pattern=51;dwell=1.2;bps=5;hands=(25)(12.5).(12.5)(25)."
    )
    assert (passing.text, passing.animprefs) == ("pattern=<R|L><4xp|3><3|4xp>", "stereo=true")
    assert escaped.text == "pattern=<3p|3p>;tps=4"
    assert document.settings is not None
    assert document.settings.score.placed is not None
    assert document.settings.score.title == "One ball"
    right, up = document.settings.score.placed.events.position[0][:2]
    usual = rest_positions(1)[1]
    assert (right, up) == pytest.approx((-0.1, usual[1] + 0.2))


@pytest.mark.parametrize(("version", "place"), [("1.0", (10, 5, 20)), ("1.1", (10, 20, 5))])
def test_a_list_of_patterns_in_attributes_has_the_axes_of_its_version(
    version: str, place: tuple[int, ...]
) -> None:
    text = (DATA / "jml_1_0.jml").read_text().replace("<jml>", f'<jml version="{version}">')
    written = write_jml(PatternList((read_jml(text, "f").entries[3],), single=True))
    right, forward, up = place
    assert f'<event x="{right}" y="{forward}" z="{up}" t="0" hand="1:right">' in written


def test_a_list_that_is_cut_within_a_line_of_jml_1_0_is_refused() -> None:
    text = (DATA / "jml_1_0.jml").read_text()
    with pytest.raises(FileError, match="this is not XML: not well-formed"):
        read_jml(text[: text.index("</pattern>")], "f")


def test_a_settings_line_is_read_over_several_lines_and_kept_as_it_was() -> None:
    entry = read_jml(EVERY_ELEMENT, "f").patterns[0]
    assert (entry.text, entry.animprefs) == ("pattern=531;\ndwell=1", "width=400;slowdown=2")
    assert entry.settings is not None
    assert entry.settings.parameters == {"dwell": 1.0}
    assert (entry.settings.score.about, entry.settings.score.tags) == (
        "Fifteen letters",
        ("three", "siteswap"),
    )


def test_an_inline_pattern_has_its_title_description_tags_and_base() -> None:
    entry = read_jml(EVERY_ELEMENT, "f").patterns[1]
    assert entry.settings is not None
    score = entry.settings.score
    assert (score.title, score.about, score.tags) == (
        "Cascade",
        "The first pattern of all",
        ("three", "first"),
    )
    assert score.base == ("siteswap", "pattern=3;bps=4")
    assert (score.jugglers, score.props, entry.text, entry.animprefs) == (1, 3, "", "view=simple")
    assert entry.settings.complete


def test_a_file_with_one_pattern_is_a_single_one() -> None:
    patterns = read_jml(jml("<title>One</title>", HELD), "f")
    assert (patterns.single, len(patterns.entries), patterns.entries[0].display) == (True, 1, "One")


def toss(mod: str) -> str:
    throw = f'<event x="0" t="0" hand="left"><throw path="1" type="bounce" mod="{mod}"/></event>'
    return throw + '<event x="0" t="0.7" hand="left"><catch path="1"/></event>'


@pytest.mark.parametrize(
    ("mod", "parameters"),
    [
        ("", {}),
        ("g=980;bouncefrac=0.9", {}),
        ("g=162", {"gravity": 162.0}),
        ("g=7;bouncefrac=0.5", {"gravity": 7.0, "bounce_fraction": 0.5}),
        ("g=200000", {}),
    ],
)
def test_gravity_and_bounce_of_all_throws_can_be_turned_where_there_is_a_slider_for_them(
    mod: str, parameters: dict[str, float]
) -> None:
    settings = read_jml(jml(toss(mod)), "f").entries[0].settings
    assert settings is not None
    assert settings.parameters == parameters
    placed = settings.score.placed
    assert placed is not None
    if mod == "g=200000":
        assert [style.gravity for style in placed.flights.style] == [2000.0]
    shown = choreograph(settings.score, settings.applied_to(Parameters()))
    assert (shown.gravity, shown.bounce_fraction) == (
        pytest.approx(placed.gravity),
        placed.bounce_fraction,
    )


@pytest.mark.parametrize("version", ["1", "1.0", "1.1", "1.2", "2", "2.0", "3", " 3.0 "])
def test_all_versions_are_read(version: str) -> None:
    assert score_of(jml(HELD, version=version)).props == 1
    assert [
        entry.error
        for entry in read_jml(EVERY_ELEMENT.replace('version="3"', f'version="{version}"')).entries
    ] == [None] * 5


@pytest.mark.parametrize("version", ["0", "3.1", "4", "", "x", "-1", "nan", "1.", "9" * 50])
def test_other_versions_are_refused(version: str) -> None:
    with pytest.raises(FileError, match=r"^file:1: version is .*; a version from 1 to 3$"):
        score_of(jml(HELD, version=version))


def test_a_file_may_begin_with_the_pattern_itself() -> None:
    assert read_jml(
        jml(HELD).removeprefix('<jml version="3">').removesuffix("</jml>").strip(), "f"
    ).single


@pytest.mark.parametrize(
    ("line", "number", "reason"),
    [
        ('<line display="a" notation="siteswap">pattern=54</line>', None, "average"),
        (
            '<line display="a" notation="sitswap">531</line>',
            3,
            "notation is 'sitswap'; did you mean siteswap?",
        ),
        (
            '<line display="a" notation="siteswap"><setup/>531</line>',
            3,
            "<line> cannot have <setup> here; there is info",
        ),
        (
            '<line display="a" notation="jml">531</line>',
            3,
            "a line with notation jml must be one <pattern>",
        ),
        ('<line dsplay="a"/>', 3, "<line> has no attribute 'dsplay'; did you mean display?"),
        (
            f'<line display="a" notation="jml">\n<pattern>{HELD}</pattern></line>',
            4,
            "the pattern has no <setup>",
        ),
    ],
)
def test_a_broken_line_does_not_spoil_the_others(
    line: str, number: int | None, reason: str
) -> None:
    broken, good = lines(line, '<line display="b" notation="siteswap">531</line>')
    assert broken.error is not None
    assert broken.settings is None
    assert reason in str(broken.error)
    assert number is None or str(broken.error).startswith(f"f:{number}: ")
    assert good.settings is not None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<jml/>", "f:1: the file has no pattern; one <pattern>, or one <patternlist>"),
        (
            "<jml><pattern/><pattern/></jml>",
            "f:1: the file has two patterns outside a list; one <pattern>",
        ),
        ("<jml><patern/></jml>", "f:1: <jml> has no <patern>; did you mean pattern?"),
        ('<jml verson="3"/>', "f:1: <jml> has no attribute 'verson'; did you mean version?"),
        (
            "<jml><patternlist><lin/></patternlist></jml>",
            "f:1: <patternlist> has no <lin>; did you mean line?",
        ),
    ],
)
def test_a_file_without_order_is_refused(text: str, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        read_jml(text, "f")
    assert str(caught.value).startswith(reason)


def refusal(text: str) -> str:
    """What a file is refused with; nothing where it is read."""
    try:
        read_jml(text, "f")
    except JuggleError as error:
        return str(error)
    return ""


BITS = st.sampled_from(
    [
        "<",
        ">",
        '"',
        "1",
        "-",
        "(2,1*)",
        "nan",
        "9" * 30,
        "\0",
        "é",
        "&lt;",
        "<event",
        "</event>",
        "1:left",
        "",
    ]
)


@given(st.data())
def test_a_changed_file_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    text = EVERY_ELEMENT
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        text = text[:start] + data.draw(BITS) + text[start + data.draw(st.integers(0, 30)) :]
    assert len(refusal(text).splitlines()) <= 1


def test_a_list_that_is_too_much_work_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # A hundredth of what is allowed, so that the test takes a hundredth of the time.
    monkeypatch.setattr("juggle_anim.notation.pattern_list.MAX_LIST_WORK", MAX_LIST_WORK / 100)
    lines = "".join(f"<line>pattern=(3^{count})</line>" for count in range(1900, 2000)) * 2
    with pytest.raises(FileError, match="too much to read at once"):
        read_jml(f"<jml version='3'><patternlist>{lines}</patternlist></jml>")
