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
    Row("5" * 5_000 + "‸5", "this text is 5001 characters long", "a pattern may have 5000"),
    Row("‸  ", "nothing is typed", "type a siteswap, such as 3, 531 or (6x,4)*"),
    # Characters that cannot stand where they do.
    Row("531‸)", "nothing was opened that this ) could close", "a pair is written (4,2), and a"),
    Row("53‸]1", "nothing was opened that this ] could close", "a multiplex is written [34]"),
    Row("33‸>", "nothing was opened that this > could close", "passing is written <3p 3|3p 3>"),
    Row("3‸|3", "a | stands only between the jugglers of < >", "passing is written <3p 3|3p 3>"),
    Row("5‸}", "nothing was opened that this } could close", "a value such as {12}"),
    Row(
        "3‸,6",
        "a comma stands only between the two hands of a pair",
        "write 35, or (4,2) for both hands at once",
    ),
    Row("3‸. 5", "a point stands only between the digits of a pass", "write it as in 3.5p"),
    Row("531‸..", "a point stands only between the digits of a pass", "write it as in 3.5p"),
    Row(
        "5‸43.",
        "the 5 thrown on beat 1 and the 4 thrown on beat 2 both land in",
        "each hand must catch",
    ),
    Row("‸-5", "no throw is negative", "throws are written 0 to 9, a to z for 10 to 35"),
    Row(" ‸*", "the * must follow what it repeats", "write it last, as in (6x,4)*"),
    Row("5‸!", "a ! follows a pair only", "write it as in (4,3x)!"),
    Row("53‸^2", "a count such as ^2 repeats what stands in brackets", "write it as in (531^2)"),
    Row("‸×5", "the × marks a throw as crossing", "write it after a throw, as in 4×"),
    Row("‸/5", "a / only separates throws", "write it after a throw, or leave it out"),
    Row(
        "3‸&",
        "the & means nothing in a siteswap",
        "throws are written 0 to 9, a to z for 10 to 35, {36}",
    ),
    Row("3‸\u200b", "the character U+200B means nothing in a siteswap", "throws are written"),
    Row(
        "3‸=",
        "the = means nothing in a siteswap",
        "settings begin with the pattern, as in pattern=531;dwell=1",
    ),
    Row(
        "(4x,6)*‸(6,4x)",
        "the * ends a pattern, but more follows it",
        "write the * last, or leave it out",
    ),
    # Brackets.
    Row("3‸(4,4", "this ( is never closed", "a pair is written (4,2), and a repeat (531^2)"),
    Row("3‸[34", "this [ is never closed", "a multiplex is written [34]"),
    Row(
        "‸<3p|3p",
        "this < is never closed",
        "passing is written <3p 3|3p 3>, a side for each juggler",
    ),
    Row("[3‸&]", "the & means nothing in a siteswap", "a multiplex is written [34]"),
    Row("[‸]", "a throw is missing here", "write 0 for a hand that throws nothing"),
    Row("(4,‸)", "a throw is missing here", "write 0"),
    Row("(‸,4)", "a throw is missing here", "write 0"),
    Row("<3p|‸>", "a throw is missing here", "write 0"),
    Row("<‸|3p>", "a throw is missing here", "write 0"),
    Row("[3‸)", "the ) does not close the [", "a multiplex is written [34]"),
    Row("(4,4‸]", "the ] does not close the (", "a pair is written (4,2)"),
    Row("(4‸|2)", "the | cannot stand here, inside ( )", "a pair is written (4,2)"),
    Row("<3p ‸<3p|3p>|3p>", "the < cannot stand here, inside < >", "passing is written"),
    Row(
        "(53^‸x)",
        "the x cannot stand here, inside ( )",
        "a pair is written (4,2), and a repeat (531^2)",
    ),
    Row("(" * 20 + "‸(3", "brackets are nested more than 20 deep", "write the pattern more simply"),
    Row(
        "(53‸)",
        "these brackets hold neither a pair nor a repeat",
        "a pair is written (4,2), and a repeat (531^2)",
    ),
    Row(
        "(33‸,3)",
        "what comes before this comma is not what one hand throws at once",
        "a pair is written (4,2) or",
    ),
    Row("<3p|^‸1001>", "this is repeated too often", "a count from 1 to 1000"),
    Row(
        "<3p|^‸x>",
        "the x cannot stand here, inside < >",
        "passing is written <3p 3|3p 3>, a side for each juggler",
    ),
    Row("(3^‸2001)", "this is repeated too often", "a count from 1 to 2000"),
    Row("(3^‸0)", "this is repeated too often", "a count from 1 to 2000"),
    Row("‸(3^1500)(3^1500)", "this is more than 2000 beats long", "make it repeat less often"),
    Row("‸([3333333333]^1500)", "these are more than 10000 throws", "make it repeat less often"),
    # Throws.
    Row("3‸{1x}", "these {} hold something else than digits", "a value such as {12}"),
    Row("5‸{3", "this { is never closed", "a value such as {12}"),
    Row("(4,‸{2)", "this { is never closed", "a value such as {12}"),
    Row("3‸{}", "there is no value in these {}", "a value such as {12}"),
    Row("3‸{1001}", "no throw can be so high", "values up to {1000}"),
    Row("5‸" + "B" * 21, "no throw can bounce 21 times", "up to 20"),
    Row("5B‸T", "the T cannot follow B", "modifiers are B, BB, BF, BL, BH, BHF, BHL, F, H and T"),
    # Passing.
    Row(
        "<(4,4)|(4,4)‸*>",
        "the * swaps the hands of all jugglers",
        "write it last, after the >, as in <(4xp,2)|(4xp,2)>*",
    ),
    Row("<" + "3|" * 1_000 + "‸3>", "these are more than 1000 jugglers", "fewer of them"),
    Row(
        "<3 3|‸3>",
        "juggler 2 throws for 1 beat here, but juggler 1 for 2 beats",
        "all sides of < > last equally long",
    ),
    Row(
        "<3p2 3|‸3p1 3 3>",
        "juggler 2 throws for 3 beats here",
        "all sides of < > last equally long; write 0 for an empty hand"
        "; in 3p3 the last 3 names a juggler, 3p 3 are two throws",
    ),
    Row(
        "<3p|3p>‸<3|3|3>",
        "this is for 3 jugglers, but what comes before it for 2",
        "write every part for all jugglers",
    ),
    Row(
        "<3p|3p>‸3",
        "this is for 1 juggler, but what comes before it for 2",
        "write every part for all jugglers",
    ),
    Row(
        "<3p‸3 3|3p 3>",
        "there is no juggler 3 to pass to",
        "a number from 1 to 2; a space ends it, as in 3p2 3",
    ),
    # In another spelling.
    Row("‸4p3 | 3p5", "the throws add up to 15 over 2 beats", "it must be whole: over 2 beats"),
    Row(
        "3p 3 vs. ‸3p 3 3",
        "juggler 2 throws for 3 beats here, but juggler 1 for 2",
        "all sides of < > last equally",
    ),
    Row(
        "A: 3pB 3\nB: ‸3pA 3 3",
        "juggler 2 throws for 3 beats here, but juggler 1",
        "all sides of < > last equally",
    ),
    Row(
        "<3pB,3,3|‸3pA,3>",
        "juggler 2 throws for 2 beats here, but juggler 1 for 3",
        "all sides of < > last equally",
    ),
    Row(
        "(4 ‸2)*",
        "the 4 thrown on beat 1 and the 2 thrown on beat 3 both land in the left hand",
        "each hand must catch",
    ),
    # What nobody can juggle.
    Row(
        "‸532",
        "the throws 5, 3, 2 average 3⅓, and the average is the number of props",
        "it must be whole: over 3 beats the throws may add up to 9 or 12, but not to 10",
    ),
    Row(
        " ‸55555555555553",
        "the throws add up to 68 over 14 beats: on average 4 6/7",
        "it must be whole: over 14 beats",
    ),
    Row("‸<3p 3|2 3>", "the throws add up to 11 over 2 beats: on average 5½", "it must be whole"),
    Row(
        "‸[11]0 0",
        "the throws add up to 2 over 3 beats: on average ⅔, and",
        "it must be whole: over 3 beats the throws may",
    ),
    Row(
        "‸1 0",
        "the throws add up to 1 over 2 beats: on average ½",
        "it must be whole: over 2 beats the throws may add up to 2, but not to 1",
    ),
    Row("‸<R|L>", "there are no throws here", "write throws after the hands, as in <R|L><3p|3p>"),
    Row("‸[" + "{1000}" * 6 + "]", "this takes 6000 props", "at most 5000 are allowed"),
    Row(
        "5‸43",
        "the 5 thrown on beat 1 and the 4 thrown on beat 2 both land in the left hand on beat 6",
        "each hand must catch, on every beat, as many props as it throws then",
    ),
    Row(
        "<3p|‸3>",
        "the 3 thrown by juggler 1 on beat 1 and the 3 thrown by juggler 2 on beat 1 both land in",
        "each hand",
    ),
    Row(
        "L‸3R3L3",
        "the 3 thrown on beat 1 lands in the right hand on beat 4, but that hand throws nothing "
        "then",
        "each",
    ),
    Row(
        "[1‸1][13]3",
        "the 3 thrown on beat 2, the 1 thrown on beat 4 and the 1 thrown on beat 4 land in the "
        "right hand on "
        "beat 5, but it throws only 2 then",
        "each hand must catch",
    ),
    Row(
        "(‸3,3)",
        "the 3 thrown on beat 1 lands in the right hand on beat 4, but that hand throws nothing "
        "then",
        "pairs are thrown every two beats, so their throws are even, such as (4,2)",
    ),
    Row(
        "(‸2,0)!01x",
        "the 2 thrown on beat 1 lands in the left hand on beat 3, but that hand throws "
        "nothing then",
        "a letter says which hand throws: write L1x",
    ),
    Row(
        "(‸2,0)!01",
        "the 2 thrown on beat 1 lands in the left hand on beat 3",
        "each hand must catch",
    ),
    Row(
        "([‸22],0)!0[1x1x]",
        "the 2 thrown on beat 1 lands in",
        "a letter says which hand throws: write L[1x1x]",
    ),
    Row(
        "‸3x",
        "the 3 thrown on beat 1 lands in the right hand",
        "a letter says which hand throws: write R3x",
    ),
    # Wildcards.
    Row("?" * 12 + "‸?", "more than 12 throws are left open", "up to 12 throws written ?"),
    Row("‸?" + " " * 4_997 + "3", "this text is too long to be completed", "a shorter one"),
    Row(
        "43 ‸?",
        "no throws from 0 to 35 complete this: more props land on beat 2 in the left hand than it "
        "throws then",
        "change what is written, or leave more open with a ?",
    ),
    Row(
        "5‸?x1",
        "no throws from 0 to 35 complete this: none of them can land on beat 2 in",
        "change what is written",
    ),
    Row(
        "<3p ‸?|3 3>",
        "no throws from 0 to 35 complete this: more props land on beat 2 in the left hand of "
        "juggler 2",
        "change what is written",
    ),
    Row(
        "(‸???3^2)(??5^2)(??5??^2)(??4?^2)",
        "it takes too long to find out what these could be",
        "write some of these",
    ),
    Row(
        "[{1000}{1000}{1000}{1000}{1000}{1000}‸?]",
        "no throws from 0 to 35 complete this: they cannot all land where a throw is made, with "
        "at most 5000 props",
        "change what is written",
    ),
]
