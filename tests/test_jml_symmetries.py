import pytest
from jml_performances import assert_same, extracted, jml, read_one, score_of, write_one

from juggle_anim.notation.jml.document import JmlPattern
from juggle_anim.notation.jml.from_choreography import from_choreography
from juggle_anim.notation.jml.symmetry_search import with_symmetries
from juggle_anim.notation.permutations import write_jugglers


def found(pattern: JmlPattern) -> list[tuple[str, str]]:
    """The symmetries by their kind and what they do to jugglers."""
    return [
        ("switchdelay" if symmetry.delayed else "switch", write_jugglers(symmetry.jugglers))
        for symmetry in pattern.symmetries
    ]


@pytest.mark.parametrize(
    ("text", "symmetries", "events"),
    [
        ("pattern=3", [("switchdelay", "(1,1*)")], 2),
        ("pattern=531", [("switchdelay", "(1,1*)")], 6),
        ("pattern=441", [("switchdelay", "(1,1*)")], 6),
        ("pattern=(4,4)", [("switch", "(1,1*)")], 2),
        ("pattern=(6x,4)*", [("switchdelay", "(1,1*)")], 4),
        ("pattern=51", [], 4),
        ("pattern=[33]", [("switchdelay", "(1,1*)")], 3),
        ("pattern=2", [("switch", "(1,1*)")], 1),
        ("pattern=<3p 3|3p 3>", [("switch", "(1,2)")], 4),
        ("pattern=<3p|3p>", [("switchdelay", "(1,1*)(2,2*)"), ("switch", "(1,2)")], 2),
        ("pattern=<3p2 3 3p3 3|3p3 3 3p1 3|3p1 3 3p2 3>", [("switchdelay", "(1)(2,3)"), ("switch", "(1,2,3)")], 4),
        ("pattern=<(4p,4p)|(4p,4p)>", [("switch", "(1,1*)(2,2*)"), ("switch", "(1,2)")], 2),
        ("pattern=<3p|3p|3p|3p>", [("switchdelay", "(1,1*)(2,2*)(3,3*)(4,4*)"), ("switch", "(1,2,3,4)")], 2),
    ],
)
def test_symmetries_are_found_again(text: str, symmetries: list[tuple[str, str]], events: int) -> None:
    pattern = with_symmetries(extracted(text))
    assert found(pattern) == symmetries
    assert len(pattern.events) == events


def test_jugglers_who_do_the_same_one_after_the_other_are_found() -> None:
    later = '<symmetry type="switchdelay" jperm="(1,2,3)" pperm="(1,2,3)"/>'
    events = [
        f'<event x="{x}" t="{x / 100}" hand="1:{hand}"/>' for x, hand in ((10, "right"), (25, "left"), (30, "left"))
    ]
    held = '<event x="5" t="0" hand="1:left"><holding path="1"/></event>'
    score = score_of(jml(later, *events, held, setup='<setup jugglers="3" paths="3"/>'))
    pattern = with_symmetries(from_choreography(score))
    assert found(pattern) == [("switchdelay", "(1,2,3)")]
    assert len(pattern.events) == 4


@pytest.mark.parametrize("change", ["t", "x", "mod", "kind", "path"])
def test_what_differs_a_little_is_no_symmetry(change: str) -> None:
    mirrored = [
        '<event x="10" t="0.1" hand="right"><throw path="1"/></event>',
        '<event x="-10" t="0.6" hand="left"><throw path="2"/></event>',
        '<event x="30" t="0.9" hand="right"><catch path="1"/></event>',
        '<event x="-30" t="0.4" hand="left"><catch path="2"/></event>',
    ]
    assert found(with_symmetries(from_choreography(score_of(jml(*mirrored, setup='<setup paths="2"/>')))))
    changed = {
        "t": mirrored[3].replace("0.4", "0.401"),
        "x": mirrored[3].replace("-30", "-30.01"),
        "mod": mirrored[3].replace("<catch", "<softcatch"),
        "kind": mirrored[3] + '<event x="0" t="0.5" hand="left"/>',
        "path": mirrored[3].replace("/></event>", '/><holding path="3"/></event>'),
    }[change]
    text = jml(*mirrored[:3], changed, setup=f'<setup paths="{3 if change == "path" else 2}"/>')
    assert not found(with_symmetries(from_choreography(score_of(text))))
    assert_same(read_one(write_one(score_of(text))), read_one(text))


def test_hands_that_agree_while_the_props_do_not_make_no_symmetry() -> None:
    # Both hands throw and catch alike, but what the right hand throws comes back and what the left throws goes twice.
    events = [
        f'<event x="{x}" t="{time}" hand="{hand}"><{doing} path="{path}"/></event>'
        for x, time, hand, doing, path in (
            (10, 0.0, "right", "throw", 1),
            (30, 0.3, "right", "catch", 1),
            (-10, 0.5, "left", "throw", 2),
            (-30, 0.8, "left", "catch", 3),
        )
    ]
    loop = '<symmetry type="delay" delay="1" pperm="(1)(2,3)"/>'
    assert not found(with_symmetries(from_choreography(score_of(jml(*events, setup='<setup paths="3"/>', loop=loop)))))
