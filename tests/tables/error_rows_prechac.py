"""What prechac notation is refused with. The mark ‸ stands where the caret must."""

from random import Random

from error_rows_siteswap import Row

_PICK = Random(0).choices
_RIDDLE = " ".join(
    (
        *_PICK(["3p", "4p", "3", "4", "2p", "5p", "[3p 4p]"], k=200),
        "fed by",
        *_PICK(["3p", "4p", "3"], k=200),
    )
)

PRECHAC = [
    Row("5" * 5_000 + "‸5", "this text is 5001 characters long", "a pattern may have 5000"),
    Row(
        "4p 3 for ‸1 jugglers",
        "so many jugglers cannot pass to one another",
        "a number from 2 to 1000",
    ),
    Row(
        "4p 3 for ‸99999999 jugglers",
        "so many jugglers cannot pass to one another",
        "a number from 2 to 1000",
    ),
    Row("4p 3 fed by 3 ‸fed by 3", "there is one feeder only", "one line, fed by another one"),
    Row(
        "‸3 <3p|3p>",
        "this stands outside the < >",
        "a side for each juggler, as in <4.5 3 3 | 3 4 3.5>",
    ),
    Row(
        "<‸[2.5p 2.5p]|2.5p>",
        "the throws of the 2 jugglers average 7½, which is the number of props",
        "it must be whole: over 1 beat they may add up to 7 or 8",
    ),
    Row(
        "‸{0,0.5<3.5p|3.5p>",
        "this { is never closed",
        "delays of all jugglers, as in {0,0.5}<3.5p|3.5p>",
    ),
    Row("3p ‸{3 3", "this { is never closed", "a value such as {12}"),
    Row("3p ‸{a} 3", "these {} hold something else than digits", "a value such as {12}"),
    Row("<3p|3p> ‸3", "this stands outside the < >", "a side for each juggler"),
    Row(" ‸<3.5p|3p", "this < is never closed", "a side for each juggler"),
    Row("<" + "3|" * 999 + "3‸|3p>", "these are more than 1000 jugglers", "fewer of them"),
    Row("<3.5p‸>", "there is no other juggler to pass to", "a side for each juggler"),
    Row(
        "<3p 3|‸3p>",
        "juggler 2 throws for 1 beat here, but juggler 1 for 2",
        "all sides last equally long: 0 is an empty",
    ),
    Row(
        "<3.5p|^‸0>",
        "these are none, or more than 1000 jugglers",
        "how many throw alike, as in <3.5p|^2>",
    ),
    Row(
        "<3.5p|^‸9999>",
        "these are none, or more than 1000 jugglers",
        "how many throw alike, as in <3.5p|^2>",
    ),
    Row(
        "{0, ‸2001}<3.5p|3.5p>",
        "this delay is out of range",
        "a number of beats for each juggler, up to 2000, as in {0,0.5}<3.5p|3.5p>",
    ),
    Row("{0,‸.}<3.5p|3.5p>", "this delay is out of range", "a number of beats for each juggler"),
    Row(
        "{‸0}<3p|3p>",
        "these are delays of 1 juggler, but 2 throw",
        "one for each juggler, 0 for who begins at once",
    ),
    Row(
        "<3p|3p> for ‸3 jugglers",
        "there are 2 sides, but it says 3 jugglers",
        "write 2, or leave it out",
    ),
    Row(
        "‸ for 3 jugglers", "there are no throws here", "throws are written as in 4p 2 3 or 3.6p 3"
    ),
    Row("<3p|‸>", "there are no throws here", "throws are written as in 4p 2 3 or 3.6p 3"),
    Row("‸4p " + "3 " * 2_000, "this is more than 2000 beats long", "a shorter one"),
    # Throws.
    Row(
        "‸4.5 3",
        "the 4.5 lands between one's own beats",
        "only a pass does: write 4.5p, or a whole number",
    ),
    Row(
        "4p ‸333",
        "no throw is written with so many digits",
        "spaces between throws, as in 3 3 3, or {333} for one so high",
    ),
    Row("4p ‸{1001}", "no throw can be so high", "values up to {1000}"),
    Row(
        "4p 3.123456‸7p",
        "these are more than 6 digits after the point",
        "fewer of them, as in 3.67p",
    ),
    Row(
        "3 4p‸0",
        "there is no juggler 0 to pass to",
        "a number up to 1000; a space ends the p, as in 3p 2",
    ),
    Row("4p 3‸" + "b" * 21, "no throw can bounce 21 times", "up to 20"),
    Row("4p ‸(3, 3", "this ( is never closed", "a pair is written (4x, 4xp), the left hand first"),
    Row("4p (3‸)", "this is not a pair", "a pair is written (4x, 4xp), the left hand first"),
    Row("4p ‸[3", "this [ is never closed", "a multiplex is written [4 3p]"),
    Row("4p [3 ‸,]", "this cannot stand in a multiplex", "a multiplex is written [4 3p]"),
    # Characters that cannot stand where they do.
    Row("(4x, 4xp)* ‸3", "the * ends a line, but more follows it", "write the * last"),
    Row(
        "4p ‸R 3",
        "the R can stand only at the start of a line",
        "hands take turns from the right; one letter at the start",
    ),
    Row("4p 3‸)", "nothing was opened that this ) could close", "a pair is written (4x, 4xp)"),
    Row("4p 3‸]", "nothing was opened that this ] could close", "a multiplex is written [4 3p]"),
    Row("4p 3‸>", "nothing was opened that this > could close", "a side for each juggler"),
    Row("4p 3‸|", "a | stands only between the jugglers of < >", "a side for each juggler"),
    Row("4p‸, 3", "a comma stands only between the two hands of a pair", "a space between throws"),
    Row("4p ‸.5p", "a point stands only between digits", "write 0.5p, or 2p"),
    Row("‸* 4p", "the * must follow what it repeats", "write it last, as in (4x, 4xp)*"),
    Row("4p ‸!", "a ! follows a pair only", "write it as in (4, 3x)!"),
    Row("4p ‸?", "a ? is completed in siteswaps only", "write the throw"),
    Row("4p 3‸^2", "a count such as ^2 stands in siteswaps only", "write the throws out"),
    Row("4p ‸-3", "no throw is negative", "throws are written as in 4p 2 3"),
    Row("<3p ‸<3p|3p>", "a < begins all that the jugglers throw", "a side for each juggler"),
    Row("4p ‸&", "the & cannot stand here", "throws are written as in 4p 2 3"),
    Row("4p ‸\u200b", "the character U+200B cannot stand here", "throws are written as in 4p 2 3"),
    # Who passes to whom.
    Row(
        "‸4 2 3",
        "there is no pass here",
        "a p marks a pass, as in 4p 2 3; what one juggles alone is a siteswap, such as 423",
    ),
    Row("‸4xp 3", "an x has no meaning where hands take turns", "4p: whose turn it is catches"),
    Row(
        "‸3p1 3 fed by 3p 3",
        "feedees pass to the feeder only",
        "p alone; a space ends it, as in 3p 2",
    ),
    Row(
        "4p 3 fed by 3p for ‸2 jugglers", "a feeder feeds at least two others", "3 jugglers or more"
    ),
    Row(
        "4 ‸3p9 3",
        "there is no juggler 9 places on",
        "p alone passes to the next; a space ends it, as in 3p 2",
    ),
    Row(
        "4p1 ‸3p1 for 2 jugglers",
        "the 4p1 that juggler 1 throws on beat 1 and the 3p1 that juggler 1 throws on beat 2 come "
        "to juggler 2 on beat 5, who throws only 1 then",
        "with 2p in its place all would fit",
    ),
    Row(
        "<3p ‸3p3|3p 3.5>",
        "there is no juggler 3",
        "p alone passes to the next; a space ends it, as in 3p 2",
    ),
    Row(
        "‸" + "4p 2 3 " * 600 + "for 900 jugglers",
        "together these are more than 10000 throws, 4000 beats or 1000 jugglers",
        "shorter lines, or fewer jugglers",
    ),
    Row(
        "‸3p 3 3.4p",
        "the 3p lands between the beats of juggler 2",
        "a pass to juggler 2, who begins 0.5 beats off, such as 2.5p or 3.5p",
    ),
    Row(
        "<3.5p 3|‸3p 3>",
        "the 3p lands between the beats of juggler 1",
        "a pass to juggler 1, who begins 0.5 beats off",
    ),
    Row(
        "<3p ‸3.5p|3p 3>",
        "the 3.5p lands between the beats of juggler 2",
        "a pass to juggler 2, who throws on the same beats, such as 3p or 4p",
    ),
    Row(
        "<‸{1000}p [" + "{1000}" * 10 + "]|3 3p>",
        "this takes 5503 props",
        "at most 5000 are allowed",
    ),
    Row(
        "‸4p 2 2 1",
        "the throws of the 2 jugglers average 4½, which is the number of props",
        "it must be whole: over 4 beats a juggler's throws may add up to 8 or 10",
    ),
    Row(
        "<‸4p 3|3p 3>",
        "the throws of the 2 jugglers average 6½, which is the number of props",
        "it must be whole: over 2 beats they may add up to 12 or 14",
    ),
    Row(
        "<‸4p 0|0 2p>",
        "the 4p that juggler 1 throws on beat 1 comes to juggler 2 on beat 5, when that hand "
        "throws nothing",
        "as many props must come to each juggler, on every beat, as are thrown then",
    ),
    Row(
        "‸" + _RIDDLE,
        "it takes too long to find out who passes to whom",
        "say it after each p, as in 3p1 3p2, or write fewer",
    ),
    Row(
        "‸2.01p for 101 jugglers",
        "these jugglers would divide each beat into 101 parts",
        "at most 100 parts are allowed",
    ),
]
