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
    Row("5" * 5_000 + "‸5", "this text is 5001 characters long", "the limit is 5000"),
    Row(
        "4p 3 for ‸1 jugglers",
        "too many or too few jugglers to pass",
        "a number from 2 to 1000",
    ),
    Row(
        "4p 3 for ‸99999999 jugglers",
        "too many or too few jugglers to pass",
        "a number from 2 to 1000",
    ),
    Row("4p 3 fed by 3 ‸fed by 3", "there is one feeder only", "write one line, fed by another"),
    Row(
        "‸3 <3p|3p>",
        "this is outside the < >",
        "a side for each juggler, as in <4.5 3 3 | 3 4 3.5>",
    ),
    Row(
        "<‸[2.5p 2.5p]|2.5p>",
        "average 7½. It must be a whole number: the number of props",
        "over 1 beat, make they add up to 7 or 8",
    ),
    Row(
        "‸{0,0.5<3.5p|3.5p>",
        "this { is never closed",
        "delays of all jugglers, as in {0,0.5}<3.5p|3.5p>",
    ),
    Row("3p ‸{3 3", "this { is never closed", "a value such as {12}"),
    Row("3p ‸{a} 3", "these {} must have only digits", "a value such as {12}"),
    Row("<3p|3p> ‸3", "this is outside the < >", "a side for each juggler"),
    Row(" ‸<3.5p|3p", "this < is never closed", "a side for each juggler"),
    Row("<" + "3|" * 999 + "3‸|3p>", "more than 1000 jugglers", "use fewer"),
    Row("<3.5p‸>", "there is no other juggler to pass to", "a side for each juggler"),
    Row(
        "<3p 3|‸3p>",
        "juggler 2 throws for 1 beat here, but juggler 1 for 2",
        "all sides must last the same time: 0 is",
    ),
    Row(
        "<3.5p|^‸0>",
        "no jugglers, or more than 1000",
        "how many throw alike, as in <3.5p|^2>",
    ),
    Row(
        "<3.5p|^‸9999>",
        "no jugglers, or more than 1000",
        "how many throw alike, as in <3.5p|^2>",
    ),
    Row(
        "{0, ‸2001}<3.5p|3.5p>",
        "this delay is out of range",
        "give a number of beats for each juggler, up to 2000, as in {0,0.5}<3.5p|3.5p>",
    ),
    Row(
        "{0,‸2000.5}<3.5p|3.5p>",
        "this delay is out of range",
        "give a number of beats for each juggler, up to 2000, as in {0,0.5}<3.5p|3.5p>",
    ),
    Row(
        "{0,‸.}<3.5p|3.5p>",
        "this delay is out of range",
        "give a number of beats for each juggler, up to 2000, as in {0,0.5}<3.5p|3.5p>",
    ),
    Row(
        "{‸0}<3p|3p>",
        "these delays are for 1 juggler, but 2 throw",
        "give one for each juggler; 0 starts at once",
    ),
    Row(
        "<3p|3p> for ‸3 jugglers",
        "there are 2 sides for 3 jugglers",
        "write 2, or leave it out",
    ),
    Row("‸ for 3 jugglers", "no throws here", "write throws as in 4p 2 3 or 3.6p 3, a"),
    Row("<3p|‸>", "no throws here", "write throws as in 4p 2 3 or 3.6p 3, a"),
    Row("‸4p " + "3 " * 2_000, "this is longer than 2000 beats", "use a shorter one"),
    # Throws.
    Row(
        "‸4.5 3",
        "the 4.5 lands between the juggler's own beats",
        "only a pass can do that: write 4.5p, or a whole number",
    ),
    Row(
        "4p ‸333",
        "this throw has too many digits",
        "write spaces between throws, as in 3 3 3, or {333} for a single high throw",
    ),
    Row("4p ‸{1001}", "this throw is too high", "values up to {1000}"),
    Row(
        "4p 3.123456‸7p",
        "more than 6 digits after the point",
        "use fewer, as in 3.67p",
    ),
    Row(
        "3 4p‸0",
        "there is no juggler 0 to pass to",
        "a number up to 1000; a space ends the p, as in 3p 2",
    ),
    Row("4p 3‸" + "b" * 21, "no throw can bounce 21 times", "up to 20"),
    Row("4p ‸(3, 3", "this ( is never closed", "write a pair as (4x, 4xp), left hand first"),
    Row("4p (3‸)", "this is not a pair", "write a pair as (4x, 4xp), left hand first"),
    Row("4p ‸[3", "this [ is never closed", "write a multiplex as [4 3p]"),
    Row("4p [3 ‸,]", "this is not allowed in a multiplex", "write a multiplex as [4 3p]"),
    # Characters that cannot stand where they do.
    Row("(4x, 4xp)* ‸3", "the * ends a line, but more follows", "write the * last"),
    Row(
        "4p ‸R 3",
        "R is only allowed at the start of a line",
        "hands take turns from the right; one letter at the start",
    ),
    Row("4p 3‸)", "this ) closes nothing", "write a pair as (4x, 4xp)"),
    Row("4p 3‸]", "this ] closes nothing", "write a multiplex as [4 3p]"),
    Row("4p 3‸>", "this > closes nothing", "a side for each juggler"),
    Row("4p 3‸|", "| is only allowed between jugglers in < >", "a side for each juggler"),
    Row(
        "4p‸, 3",
        "a comma is only allowed between the two hands of a pair",
        "a space between throws",
    ),
    Row("4p ‸.5p", "a point is only allowed between digits", "write 0.5p, or 2p"),
    Row("‸* 4p", "the * must follow what it repeats", "write it at the end, as in (4x, 4xp)*"),
    Row("4p ‸!", "! is only allowed after a pair", "write it as in (4, 3x)!"),
    Row("4p ‸?", "? only works in siteswaps", "write the throw"),
    Row("4p 3‸^2", "a count such as ^2 only works in siteswaps", "write the throws out"),
    Row("4p ‸-3", "a throw cannot be negative", "write throws as in 4p 2 3 or 3.6p 3, a"),
    Row("<3p ‸<3p|3p>", "the jugglers' throws start with <", "a side for each juggler"),
    Row("4p ‸&", "& is not allowed here", "write throws as in 4p 2 3 or 3.6p 3, a"),
    Row(
        "4p ‸\u200b",
        "character U+200B is not allowed here",
        "write throws as in 4p 2 3 or 3.6p 3, a",
    ),
    # Who passes to whom.
    Row(
        "‸4 2 3",
        "there is no pass here",
        "a p marks a pass, as in 4p 2 3; for one juggler write a siteswap such as 423",
    ),
    Row(
        "‸4xp 3",
        "an x has no meaning where hands take turns",
        "4p: the hand whose turn it is catches",
    ),
    Row(
        "‸3p1 3 fed by 3p 3",
        "feedees pass to the feeder only",
        "write p alone, and a space to end it, as in 3p 2",
    ),
    Row(
        "4p 3 fed by 3p for ‸2 jugglers", "a feeder feeds at least two others", "3 jugglers or more"
    ),
    Row(
        "4 ‸3p9 3",
        "there is no juggler 9 places on",
        "p alone passes to the next juggler; a space ends it, as in 3p 2",
    ),
    Row(
        "4p1 ‸3p1 for 2 jugglers",
        "the 4p1 that juggler 1 throws on beat 1 and the 3p1 that juggler 1 throws on beat 2 "
        "come to juggler 2 on beat 5, who only throws 1 then",
        "2p would work here",
    ),
    Row(
        "<3p ‸3p3|3p 3.5>",
        "there is no juggler 3",
        "p alone passes to the next juggler; a space ends it, as in 3p 2",
    ),
    Row(
        "‸" + "4p 2 3 " * 600 + "for 900 jugglers",
        "together this is more than 10000 throws, 4000 beats or 1000 jugglers",
        "use shorter lines, or fewer jugglers",
    ),
    Row(
        "‸3p 3 3.4p",
        "the 3p lands between the beats of juggler 2",
        "a pass to juggler 2, who starts 0.5 beats off, such as 2.5p or 3.5p",
    ),
    Row(
        "<3.5p 3|‸3p 3>",
        "the 3p lands between the beats of juggler 1",
        "a pass to juggler 1, who starts 0.5 beats off",
    ),
    Row(
        "<3p ‸3.5p|3p 3>",
        "the 3.5p lands between the beats of juggler 2",
        "a pass to juggler 2, who throws on the same beats, such as 3p or 4p",
    ),
    Row(
        "<‸{1000}p [" + "{1000}" * 10 + "]|3 3p>",
        "this needs 5503 props",
        "the limit is 5000",
    ),
    Row(
        "‸4p 2 2 1",
        "average 4½. It must be a whole number: the number of props",
        "over 4 beats, make a juggler's throws add up to 8 or 10",
    ),
    Row(
        "<‸4p 3|3p 3>",
        "average 6½. It must be a whole number: the number of props",
        "over 2 beats, make they add up to 12 or 14",
    ),
    Row(
        "<‸4p 0|0 2p>",
        "the 4p that juggler 1 throws on beat 1 comes to juggler 2 on beat 5, but that hand "
        "throws nothing then",
        "on every beat, each juggler must catch as many props as they throw",
    ),
    Row(
        "‸" + _RIDDLE,
        "finding out who passes to whom takes too long",
        "name the catcher after each p, as in 3p1 3p2, or write fewer throws",
    ),
    Row(
        "‸2.01p for 101 jugglers",
        "these jugglers would divide each beat into 101 parts",
        "the limit is 100 parts",
    ),
]
