"""What siteswaps are refused with. The mark ‸ stands where the caret must: before the character to
blame.
"""

from typing import NamedTuple


class Row(NamedTuple):
    """A text that is refused, and beginnings of the reason and of what would be accepted
    instead.
    """

    text: str
    reason: str
    accepted: str = ""


SITESWAPS = [
    Row("5" * 5_000 + "‸5", "this text is 5001 characters long", "the limit is 5000"),
    Row("‸  ", "no pattern", "type a siteswap, such as 3, 531 or (6x,4)*"),
    # Characters that cannot stand where they do.
    Row("531‸)", "this ) closes nothing", "write a pair as (4,2) and a repeat as (531^2)"),
    Row("53‸]1", "this ] closes nothing", "write a multiplex as [34]"),
    Row("33‸>", "this > closes nothing", "write passing as <3p 3|3p 3>, a side for each juggler"),
    Row(
        "3‸|3",
        "| is only allowed between jugglers in < >",
        "write passing as <3p 3|3p 3>, a side for each juggler",
    ),
    Row("5‸}", "this } closes nothing", "a value such as {12}"),
    Row(
        "3‸,6",
        "a comma is only allowed between the two hands of a pair",
        "write 35, or (4,2) for both hands at once",
    ),
    Row("3‸. 5", "a point is only allowed between the digits of a pass", "write it as in 3.5p"),
    Row("531‸..", "a point is only allowed between the digits of a pass", "write it as in 3.5p"),
    Row(
        "5‸43.",
        "two props would land in the same hand at once: the 5 thrown on beat 1 and the 4 "
        "thrown on beat 2, in",
        "on every beat, each hand must catch as many props as it throws",
    ),
    Row("‸-5", "a throw cannot be negative", "write throws as 0 to 9, a to z for 10 to 35,"),
    Row(" ‸*", "the * must follow what it repeats", "write it at the end, as in (6x,4)*"),
    Row("5‸!", "! is only allowed after a pair", "write it as in (4,3x)!"),
    Row("53‸^2", "a count such as ^2 only works after brackets", "write it as in (531^2)"),
    Row("‸×5", "the × marks a throw as crossing", "write it after a throw, as in 4×"),
    Row("‸/5", "a / only separates throws", "write it after a throw, or leave it out"),
    Row(
        "3‸&",
        "& is not part of a siteswap",
        "write throws as 0 to 9, a to z for 10 to 35, {36}",
    ),
    Row(
        "3‸\u200b",
        "character U+200B is not part of a siteswap",
        "write throws as 0 to 9, a to z for 10",
    ),
    Row(
        "3‸=",
        "= is not part of a siteswap",
        "settings start with the pattern, as in pattern=531;dwell=1",
    ),
    Row(
        "(4x,6)*‸(6,4x)",
        "the * ends a pattern, but more follows",
        "write the * last, or leave it out",
    ),
    # Brackets.
    Row("3‸(4,4", "this ( is never closed", "write a pair as (4,2) and a repeat as (531^2)"),
    Row("3‸[34", "this [ is never closed", "write a multiplex as [34]"),
    Row(
        "‸<3p|3p",
        "this < is never closed",
        "write passing as <3p 3|3p 3>, a side for each juggler",
    ),
    Row("[3‸&]", "& is not part of a siteswap", "write a multiplex as [34]"),
    Row("[‸]", "a throw is missing here", "write 0 for a hand that throws nothing"),
    Row("(4,‸)", "a throw is missing here", "write 0"),
    Row("(‸,4)", "a throw is missing here", "write 0"),
    Row("<3p|‸>", "a throw is missing here", "write 0"),
    Row("<‸|3p>", "a throw is missing here", "write 0"),
    Row("[3‸)", "the ) does not close the [", "write a multiplex as [34]"),
    Row("(4,4‸]", "the ] does not close the (", "write a pair as (4,2) and a repeat as (531^2)"),
    Row("(4‸|2)", "| is not allowed inside ( )", "write a pair as (4,2) and a repeat as (531^2)"),
    Row(
        "<3p ‸<3p|3p>|3p>",
        "< is not allowed inside < >",
        "write passing as <3p 3|3p 3>, a side for each juggler",
    ),
    Row(
        "(53^‸x)",
        "x is not allowed inside ( )",
        "write a pair as (4,2) and a repeat as (531^2)",
    ),
    Row("(" * 20 + "‸(3", "brackets are nested more than 20 deep", "simplify the pattern"),
    Row(
        "(53‸)",
        "these brackets have no pair or repeat",
        "write a pair as (4,2) and a repeat as (531^2)",
    ),
    Row(
        "(33‸,3)",
        "one hand cannot throw what comes before this comma",
        "write a pair as (4,2) or ([44],2), left hand first",
    ),
    Row("<3p|^‸1001>", "this is repeated too often", "a count from 1 to 1000"),
    Row(
        "<3p|^‸x>",
        "x is not allowed inside < >",
        "write passing as <3p 3|3p 3>, a side for each juggler",
    ),
    Row("(3^‸2001)", "this is repeated too often", "a count from 1 to 2000"),
    Row("(3^‸0)", "this is repeated too often", "a count from 1 to 2000"),
    Row("‸(3^1500)(3^1500)", "this is longer than 2000 beats", "use fewer repeats"),
    Row("‸([3333333333]^1500)", "more than 10000 throws", "use fewer repeats"),
    # Throws.
    Row("3‸{1x}", "these {} must have only digits", "a value such as {12}"),
    Row("5‸{3", "this { is never closed", "a value such as {12}"),
    Row("(4,‸{2)", "this { is never closed", "a value such as {12}"),
    Row("3‸{}", "there is no value in these {}", "a value such as {12}"),
    Row("3‸{1001}", "this throw is too high", "values up to {1000}"),
    Row("5‸" + "B" * 21, "no throw can bounce 21 times", "up to 20"),
    Row("5B‸T", "the T cannot follow B", "modifiers are B, BB, BF, BL, BH, BHF, BHL, F, H and T"),
    # Passing.
    Row(
        "<(4,4)|(4,4)‸*>",
        "the * swaps the hands of all jugglers",
        "write it at the end, after the >, as in <(4xp,2)|(4xp,2)>*",
    ),
    Row("<" + "3|" * 1_000 + "‸3>", "more than 1000 jugglers", "use fewer"),
    Row(
        "<3 3|‸3>",
        "juggler 2 throws for 1 beat here, but juggler 1 for 2 beats",
        "all sides of < > must last the same time; write 0 for an empty hand",
    ),
    Row(
        "<3p2 3|‸3p1 3 3>",
        "juggler 2 throws for 3 beats here",
        "all sides of < > must last the same time; write 0 for an empty hand; in 3p3 the "
        "last 3 is a juggler, while 3p 3 is two throws",
    ),
    Row(
        "<3p|3p>‸<3|3|3>",
        "this is for 3 jugglers, but the part before it is for 2",
        "write every part for all jugglers",
    ),
    Row(
        "<3p|3p>‸3",
        "this is for 1 juggler, but the part before it is for 2",
        "write every part for all jugglers",
    ),
    Row(
        "<3p‸3 3|3p 3>",
        "there is no juggler 3 to pass to",
        "a number from 1 to 2; a space ends it, as in 3p2 3",
    ),
    # In another spelling.
    Row(
        "‸4p3 | 3p5",
        "average 7½. It must be a whole number: the number of props",
        "over 2 beats, make the throws add up to 14 or 16, not 15",
    ),
    Row(
        "3p 3 vs. ‸3p 3 3",
        "juggler 2 throws for 3 beats here, but juggler 1 for 2",
        "all sides of < > must last the same",
    ),
    Row(
        "A: 3pB 3\nB: ‸3pA 3 3",
        "juggler 2 throws for 3 beats here, but juggler 1",
        "all sides of < > must last the same",
    ),
    Row(
        "<3pB,3,3|‸3pA,3>",
        "juggler 2 throws for 2 beats here, but juggler 1 for 3",
        "all sides of < > must last the same",
    ),
    Row(
        "(4 ‸2)*",
        "two props would land in the same hand at once: the 4 thrown on beat 1 and the 2 "
        "thrown on beat 3, in the left hand",
        "on every beat, each hand must catch as many props as it throws",
    ),
    # What nobody can juggle.
    Row(
        "‸532",
        "average 3⅓. It must be a whole number: the number of props",
        "over 3 beats, make the throws add up to 9 or 12, not 10",
    ),
    Row(
        " ‸55555555555553",
        "average 4 6/7. It must be a whole number: the number of props",
        "over 14 beats, make the throws add up to 56 or 70, not 68",
    ),
    Row(
        "‸<3p 3|2 3>",
        "average 5½. It must be a whole number: the number of props",
        "over 2 beats, make the throws add up to 10 or 12, not 11",
    ),
    Row(
        "‸[11]0 0",
        "average ⅔. It must be a whole number: the number of props",
        "over 3 beats, make the throws add up to 3, not 2",
    ),
    Row(
        "‸1 0",
        "average ½. It must be a whole number: the number of props",
        "over 2 beats, make the throws add up to 2, not 1",
    ),
    Row("‸<R|L>", "no throws here", "write throws after the hands, as in <R|L><3p|3p>"),
    Row("‸[" + "{1000}" * 6 + "]", "this needs 6000 props", "the limit is 5000"),
    Row(
        "5‸43",
        "two props would land in the same hand at once: the 5 thrown on beat 1 and the 4 "
        "thrown on beat 2, in the left hand on beat 6",
        "on every beat, each hand must catch as many props as it throws",
    ),
    Row(
        "<3p|‸3>",
        "two props would land in the same hand at once: the 3 thrown by juggler 1 on beat 1 "
        "and the 3 thrown by juggler 2 on beat 1, in",
        "on every beat, each hand must catch as many props as it throws",
    ),
    Row(
        "L‸3R3L3",
        "the 3 thrown on beat 1 lands in the right hand on beat 4, but that hand throws nothing "
        "then",
        "on every beat, each hand must catch as many props as it throws",
    ),
    Row(
        "[1‸1][13]3",
        "the 3 thrown on beat 2, the 1 thrown on beat 4 and the 1 thrown on beat 4 land in "
        "the right hand on beat 5, but that hand throws only 2 then",
        "on every beat, each hand must catch as many props as it throws",
    ),
    Row(
        "(‸3,3)",
        "the 3 thrown on beat 1 lands in the right hand on beat 4, but that hand throws nothing "
        "then",
        "pairs are thrown every two beats, so use even throws, such as (4,2)",
    ),
    Row(
        "(‸2,0)!01x",
        "the 2 thrown on beat 1 lands in the left hand on beat 3, but that hand throws "
        "nothing then",
        "say which hand throws with a letter: write L1x",
    ),
    Row(
        "(‸2,0)!01",
        "the 2 thrown on beat 1 lands in the left hand on beat 3",
        "on every beat, each hand must catch as many props as it throws",
    ),
    Row(
        "([‸22],0)!0[1x1x]",
        "the 2 thrown on beat 1 lands in",
        "say which hand throws with a letter: write L[1x1x]",
    ),
    Row(
        "‸3x",
        "the 3 thrown on beat 1 lands in the right hand",
        "say which hand throws with a letter: write R3x",
    ),
    # Wildcards.
    Row("?" * 12 + "‸?", "more than 12 throws are ?", "use ? for at most 12 throws"),
    Row("‸?" + " " * 4_997 + "3", "this text is too long to complete", "use a shorter one"),
    Row(
        "43 ‸?",
        "no throws from 0 to 35 complete this: more props land on beat 2 in the left hand than it "
        "throws then",
        "change a throw, or use more ?",
    ),
    Row(
        "5‸?x1",
        "no throws from 0 to 35 complete this: none of them can land on beat 2 in",
        "change a throw, or use more ?",
    ),
    Row(
        "<3p ‸?|3 3>",
        "no throws from 0 to 35 complete this: more props land on beat 2 in the left hand of "
        "juggler 2",
        "change a throw, or use more ?",
    ),
    Row(
        "(‸???3^2)(??5^2)(??5??^2)(??4?^2)",
        "finding out what these could be takes too long",
        "write out some of these throws",
    ),
    Row(
        "[{1000}{1000}{1000}{1000}{1000}{1000}‸?]",
        "no throws from 0 to 35 complete this: they cannot all land where a throw is made, with "
        "at most 5000 props",
        "change a throw, or use more ?",
    ),
    Row(
        "<3 3p‸0|3 3>",
        "there is no juggler 0 to pass to",
        "a number from 1 to 2; a space ends it, as in 3p2 3",
    ),
    Row(
        "<3‸*|3>",
        "the * swaps the hands of all jugglers",
        "write it at the end, after the >, as in <(4xp,2)|(4xp,2)>*",
    ),
]
