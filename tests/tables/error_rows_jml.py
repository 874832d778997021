"""What JML is refused with: the line, the reason, and what would be accepted."""

from __future__ import annotations

from typing import NamedTuple

from jml_performances import LOOP, jml

LAUGHS = (
    '<!DOCTYPE jml [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><jml>&i;</jml>"
)
"""A thousand million words."""


class FileRow(NamedTuple):
    """The text of a file that is refused, and the beginning of what is said about it, after the
    file's name.
    """

    text: str
    message: str


def _event(*inner: str, t: str = "0", hand: str = "left", x: str = "0", others: str = "") -> str:
    return f'<event x="{x}" t="{t}" hand="{hand}" {others}>{"".join(inner)}</event>'


def _list(*lines: str) -> str:
    return "\n".join(['<jml version="3">', "<patternlist>", *lines, "</patternlist>", "</jml>"])


def _loop(**attributes: str) -> str:
    return jml(
        HELD,
        loop=LOOP
        + "<symmetry "
        + " ".join(f'{key}="{text}"' for key, text in attributes.items())
        + "/>",
    )


HELD = _event('<holding path="1"/>')
_THROWN = _event('<throw path="1"/>')
_CAUGHT = _event('<catch path="1"/>', t="0.5", hand="right")
_ALL = f"({','.join(map(str, range(1, 1_001)))})"
_ROUNDS = (
    "(1,2,3,4,5)(6,7,8,9,10,11,12)(13,14,15,16,17,18,19,20)(21,22,23,24,25,26,27,28,29)"
    "(30,31,32,33,34,35,36,37,38,39,40)"
)

JML = [
    # XML.
    FileRow("531", '1: this is not JML; a JML file is XML and begins with <jml version="3">'),
    FileRow(
        "<html></html>",
        "1: this is not JML: it begins with <html>; a JML file is XML and begins with",
    ),
    FileRow(
        "<jml>\n<pattern>\n", "3: the file ends within <pattern>; a complete file ends with </jml>"
    ),
    FileRow(
        "<jml>\n</pattern>",
        "2: this is not XML: mismatched tag; every element closed, and &lt; &amp; for < and & in",
    ),
    FileRow(
        "<jml>\ud800</jml>", "1: the file has characters that XML does not allow; text in Unicode"
    ),
    FileRow(LAUGHS, "1: the file defines its own entities; JML needs none"),
    FileRow("<jml>" * 100, "1: elements are nested more than 12 deep; JML needs six"),
    FileRow(
        "<jml>" + "<a/>" * 60_000, "1: the file has more than 60000 elements; split it into several"
    ),
    FileRow(
        "<jml>\n" + "<a" + " " * 1_200_000,
        "2: a tag has more than 1000000 characters; JML needs a thousandth",
    ),
    FileRow(
        "<jml>" + "<a b='' c='' d='' e='' f='' g=''/>" * 50_001,
        "1: the file has more than 300000 attributes; split it into several",
    ),
    FileRow(" " * 10_000_001, "1: the file has 10000001 characters; the limit is 10000000"),
    # The file.
    FileRow("<jml><patern/></jml>", "1: <jml> has no <patern>; did you mean pattern?"),
    FileRow("<jml/>", "1: the file has no pattern; one <pattern>, or one <patternlist>"),
    FileRow(
        "<jml><pattern/><pattern/></jml>",
        "1: the file has two patterns outside a list; one <pattern>, or one",
    ),
    FileRow('<jml version="x"/>', "1: version is 'x'; a version from 1 to 3"),
    FileRow(
        '<jml version="4"/>', "1: version is '4', which is not supported yet; a version from 1 to 3"
    ),
    FileRow(
        "<jml><patternlist>\n<lien/></patternlist></jml>",
        "2: <patternlist> has no <lien>; did you mean line?",
    ),
    FileRow(
        "<jml><pattern/>\n<xyz/></jml>", "2: <jml> has no <xyz>; there is pattern, patternlist"
    ),
    FileRow(_list('<line notation="jlm">3</line>'), "3: notation is 'jlm'; did you mean jml?"),
    FileRow(
        _list('<line notation="jml">3</line>'),
        "3: a line with notation jml must be one <pattern>; exactly one",
    ),
    FileRow(
        _list('<line notation="siteswap">3<inof/></line>'),
        "3: <line> cannot have <inof> here; did you mean info?",
    ),
    # Elements.
    FileRow(
        "<jml>\n<pattern>\n</pattern></jml>",
        '2: the pattern has no <setup>; add <setup jugglers="1" paths="3"/>',
    ),
    FileRow(jml("<evnt/>"), "5: <pattern> has no <evnt>; did you mean event?"),
    FileRow(
        jml("<title/>", "<title/>"),
        "6: <title> occurs a second time here; one in each pattern",
    ),
    FileRow(jml("<title>\n<b/></title>"), "6: <b> is inside <title>; <title> must be empty"),
    FileRow(jml("<prop/>" * 20_001), "5: the pattern has more than 20000 <prop>; shorten it"),
    FileRow(jml(_event("<thrwo/>")), "5: <event> cannot have <thrwo>; did you mean throw?"),
    FileRow(
        jml(_event('<throw path="1">\n<b/></throw>')),
        "6: <b> is inside <throw>; <throw> must be empty",
    ),
    # Attributes.
    FileRow(jml(_event(others='xx="1"')), "5: <event> has no attribute 'xx'; did you mean x?"),
    FileRow(
        jml(HELD).replace("<pattern>", '<pattern x="1">'),
        "2: <pattern> has no attribute 'x'; there is nothing",
    ),
    FileRow(jml('<event t="0" hand="left"/>'), '5: <event> has no x; add x="…"'),
    FileRow(
        jml(_event(x="wide")),
        "5: x of <event> is 'wide', which is not a number; a number such as 12.5",
    ),
    FileRow(jml(_event(t="1e9")), "5: t of <event> is '1e9'; a number from -10000000 to 10000000"),
    FileRow(
        jml(_event(hand="nose")),
        "5: hand is 'nose'; a juggler and a side, such as 1:left or 1:right",
    ),
    FileRow(
        jml(_event(hand="2:left")), "5: the juggler of hand is '2'; a whole number from 1 to 1"
    ),
    FileRow(
        jml(_event('<throw path="2"/>')), "5: path of <throw> is '2'; a whole number from 1 to 1"
    ),
    FileRow(
        jml(_event('<throw path="1" type="tos"/>')),
        "5: type of <throw> is 'tos'; did you mean toss?",
    ),
    FileRow(
        jml(_event('<catch path="1" mod="g=1"/>')),
        "5: mod of <catch> is 'g=1'; a mod belongs to a throw",
    ),
    FileRow(jml('<prop type="bal"/>'), "5: type of <prop> is 'bal'; did you mean ball?"),
    FileRow(
        jml(setup='<setup paths="1" props="1,2"/>'),
        "3: props of <setup> has 2 numbers; one for each of the 1 paths",
    ),
    FileRow(
        jml(setup='<setup paths="1" props="2"/>'),
        "3: a prop of <setup> is '2'; a whole number from 1 to 1",
    ),
    # Modifiers.
    FileRow(
        jml(_event('<throw path="1" mod="g"/>')),
        "5: mod has 'g' without a value; key=value;key=value",
    ),
    FileRow(
        jml(_event('<throw path="1" mod="q=3"/>')),
        "5: mod has 'q', which means nothing here; there is g",
    ),
    FileRow(jml(f'<prop mod="{"a" * 100_001}"/>'), "5: mod has 100001 characters; at most 100000"),
    FileRow(
        jml(_event('<throw path="1" type="bounce" mod="g=0"/>')),
        "5: g is '0', and nothing bounces without gravity; a",
    ),
    FileRow(
        jml(_event('<throw path="1" type="bounce" mod="bouncefrac=0"/>')),
        "5: bouncefrac is '0'; a number above 0",
    ),
    FileRow(
        jml(_event('<throw path="1" type="bounce" mod="forced=yes"/>')),
        "5: forced is 'yes'; true or false",
    ),
    FileRow(jml('<prop mod="diam=0"/>'), "5: diam is '0'; a number above 0"),
    FileRow(
        jml('<prop mod="color=ornge"/>'), "5: color: ornge is not a colour; did you mean orange?"
    ),
    # Symmetries.
    FileRow(
        jml(HELD, loop=""),
        "2: the pattern has no symmetry of type delay; one entry such as <symmetry",
    ),
    FileRow(jml(HELD, loop=LOOP * 2), "2: the pattern has two delays; one entry"),
    FileRow(
        jml(loop='<symmetry type="delay" delay="0"/>'), "4: delay is '0'; at least 0.0001 seconds"
    ),
    FileRow(
        _loop(type="mirror"),
        "4: type of <symmetry> is 'mirror'; there is delay, switch, switchdelay",
    ),
    FileRow(
        _loop(type="switch", pperm="(1*)"),
        "4: pperm is '(1*)', which is not a permutation: 1* is not a path; hands belong to "
        "jugglers; cycles of paths, such as (1,3)(2)",
    ),
    FileRow(
        _loop(type="switch", pperm="(2)"),
        "4: pperm is '(2)', which is not a permutation: '2' is not a number from 1 to 1",
    ),
    FileRow(
        _loop(type="switch", pperm="(1"),
        "4: pperm is '(1', which is not a permutation: its brackets do not match",
    ),
    FileRow(
        _loop(type="switch", pperm="(1)(1)"),
        "4: pperm is '(1)(1)', which is not a permutation: it names 1 twice",
    ),
    FileRow(
        _loop(type="switch", pperm="1,1"),
        "4: pperm is '1,1', which is not a permutation: it names 2 of 1",
    ),
    FileRow(
        _loop(type="switch", pperm="1" * 100_001),
        f"4: pperm is '{'1' * 39}…', which is not a permutation: it has 100001",
    ),
    FileRow(
        jml(setup='<setup paths="2"/>', loop='<symmetry type="delay" delay="1" pperm="2,2"/>'),
        "4: pperm is '2,2', which is not a permutation: two paths become one",
    ),
    FileRow(
        _loop(type="switch", jperm="(2)"),
        "4: jperm is '(2)', which is not a permutation: '2' is not a number from 1 to 1; "
        "cycles of jugglers, such as (1,2*), where * swaps left and right",
    ),
    FileRow(
        jml(setup='<setup paths="1" jugglers="2"/>', loop='<symmetry type="switch" jperm="2,2"/>'),
        "4: jperm is '2,2', which is not a permutation: two jugglers become one",
    ),
    FileRow(
        jml(
            setup='<setup paths="1" jugglers="2"/>',
            loop='<symmetry type="switch" jperm="(1,2)(1*)"/>',
        ),
        "4: jperm is '(1,2)(1*)', which is not a permutation: juggler 1 becomes two "
        "different hands; cycles of jugglers, such as",
    ),
    FileRow(
        jml(
            HELD,
            setup='<setup paths="2"/>',
            loop=LOOP + '<symmetry type="switch" jperm="(1)" pperm="(1,2)"/>',
        ),
        "2: the symmetries of the pattern contradict each other; pperm and jperm that go together",
    ),
    FileRow(
        jml(
            HELD,
            setup='<setup paths="1" jugglers="99"/>',
            loop=LOOP + f'<symmetry type="switchdelay" jperm="{_ROUNDS}"/>',
        ),
        "2: the symmetries of the pattern divide its loop too often; simpler ones",
    ),
    FileRow(
        jml(
            HELD,
            setup='<setup paths="5000" jugglers="1000"/>',
            loop=LOOP + f'<symmetry type="switch" jperm="{_ALL}"/>',
        ),
        "2: the symmetries of the pattern make too many copies; simpler ones",
    ),
    FileRow(
        jml(
            *(_event(t=f"0.{n:02}") for n in range(21)),
            setup='<setup paths="1" jugglers="1000"/>',
            loop=LOOP + f'<symmetry type="switch" jperm="{_ALL}"/>',
        ),
        "2: the pattern has more than 20000 events; shorten it",
    ),
    # Events that go against each other.
    FileRow(jml(), "2: path 1 is never thrown, caught or held; an event that names path 1"),
    FileRow(
        jml(_event(), _event(x="1")),
        "6: the left hand of juggler 1 is in two places at time 0, here and on line 5; one "
        "place at a time",
    ),
    FileRow(
        jml(_event('<throw path="1"/>'), _event('<throw path="1" mod="g=1"/>')),
        "6: at time 0 path 1 goes two ways, here and on line 5; one throw or catch per path "
        "at a time",
    ),
    FileRow(
        jml(_THROWN), "5: path 1 is thrown, but not caught since line 5; a catch after each throw"
    ),
    FileRow(
        jml(_THROWN, _event('<holding path="1"/>', t="0.5")),
        "6: path 1 is held, but not caught since line 5; a",
    ),
    FileRow(
        jml(_event('<catch path="1"/>')),
        "5: path 1 is caught, but not thrown since line 5; a throw before each",
    ),
    FileRow(
        jml(HELD, _event('<holding path="1"/>', hand="right")),
        "5: path 1 is held by the left hand of juggler 1, but it "
        "is in the right hand of juggler 1 since line 6; a throw and a catch between",
    ),
    FileRow(
        jml(_THROWN, _CAUGHT),
        "5: path 1 is thrown by the left hand of juggler 1, but it is in the right hand",
    ),
    FileRow(
        jml(
            _THROWN,
            _event('<catch path="1"/>', hand="right"),
            _event('<throw path="1"/>', t="0.5", hand="right"),
            _event('<catch path="1"/>', t="0.7"),
        ),
        "6: path 1 is caught at the moment it is thrown; a later catch",
    ),
    FileRow(
        jml(HELD, '<position x="0" y="0" t="0"/>', '<position x="1" y="0" t="1"/>'),
        "7: juggler 1 is in two places at time 0, here and on line 6; one place at a time",
    ),
    FileRow(jml('<event x="0" t="0"/>'), '5: <event> has no hand; add hand="…"'),
    FileRow(jml(_event("<throw/>")), '5: <throw> has no path; add path="…"'),
]
