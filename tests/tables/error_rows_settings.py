"""What settings are refused with, key by key. The mark ‸ stands where the caret must."""

from error_rows_siteswap import Row

SETTINGS = [
    Row("‸bps=3", "there is no pattern in these settings", "begin with one, as pattern=531"),
    Row(
        "pattern=" + "3" * 199_992 + "‸3",
        "this text is 200001 characters long",
        "settings may have 200000",
    ),
    Row("bps=3;‸531", "531 has no value", "each setting is key=value"),
    Row(
        "pattern=3; ‸" + "word" * 20,
        "wordwordwordwordwordwordwordwordwordword… has no value",
        "each setting is key=value",
    ),
    Row("pattern=3;‸bsp=3", "there is no setting 'bsp'", "did you mean bps?"),
    Row("pattern=3;‸wxyz=3", "there is no setting 'wxyz'", "there are pattern, "),
    Row("pattern=3;bps=3;‸BPS=4", "bps is given twice", "give each key once"),
    Row("bps=3;pattern= ‸532", "the throws 5, 3, 2 average 3⅓", "it must be whole: over 3 beats"),
    Row("‸532 backcross", "the throws 5, 3, 2 average 3⅓", "it must be whole: over 3 beats"),
    # Numbers.
    Row(
        "pattern=3;bps= ‸quick",
        "bps is 'quick', which is not a number",
        "a number from 0.05 to 200 beats/s",
    ),
    Row("pattern=3;bps=‸", "bps is '', which is not a number", "a number from 0.05 to 200 beats/s"),
    Row(
        "pattern=3;dwell=‸nan",
        "dwell is 'nan', which is not a number",
        "a number from 0.02 to 1.98 beats",
    ),
    Row(
        "pattern=3;gravity=‸1e999",
        "gravity is '1e999', which is not a number",
        "a number from 0.1 to 100000 cm/s²",
    ),
    Row(
        "pattern=3;dwell=‸2",
        "dwell is 2, but must be a number from 0.02 to 1.98 beats",
        "a number from 0.02 to 1.98",
    ),
    Row(
        "pattern=3;seed=‸1.5",
        "seed is 1.5, but must be a whole number",
        "a whole number from 0 to 100000",
    ),
    Row(
        "pattern=3;chickenwing=30,‸x",
        "rightwing is 'x', which is not a number",
        "a number from -180 to 180 °",
    ),
    Row(
        "pattern=3;chickenwing=‸1,2,3",
        "chickenwing is '1,2,3', which is not a number",
        "a number from -180 to 180 °",
    ),
    Row(
        "pattern=3;rightwing=5;chickenwing=30,‸2", "rightwing is given twice", "give each key once"
    ),
    Row(
        "pattern=3;handpath=‸ovr",
        "handpath is 'ovr', which is none of its words",
        "did you mean over?",
    ),
    Row(
        "pattern=3;people=‸1,99",
        "people is '1,99', which is none of its words",
        "there are varied, same, 1, 2",
    ),
    # Jugglers.
    Row(
        "pattern=4p 3;jugglers= ‸some",
        "the number of jugglers is 'some'",
        "a whole number from 1 to 1000",
    ),
    Row(
        "pattern=4p 3;jugglers=‸",
        "the number of jugglers is missing",
        "a whole number from 1 to 1000",
    ),
    Row(
        "pattern=(4,4);jugglers=‸2",
        "this pattern is for 1 juggler, not for 2",
        "leave the number of jugglers out",
    ),
    Row(
        "‸https://example.org",
        "there is no pattern in this link",
        "a link with pattern=, as jugglinglab.org/anim?pattern=531;dwell=1, or "
        "passist.org/siteswap/726?jugglers=2",
    ),
    Row(
        "‸http://[",
        "this is not a valid web address",
        "a link with pattern=, as jugglinglab.org/anim?pattern=531;dwell=1, or "
        "passist.org/siteswap/726?jugglers=2",
    ),
    Row("726 for ‸20", "20 jugglers cannot share a siteswap", "a number from 1 to 17"),
    Row(
        "pattern=<3p|3p>;jugglers=‸3",
        "this pattern is for 2 jugglers, not for 3",
        "leave the number of jugglers out",
    ),
    # Hands with a siteswap of their own.
    Row(
        "pattern=3;handspec=‸(1,2)", "handspec goes with a siteswap of the hands only", "add hss=4"
    ),
    Row("pattern=3;hold=‸true", "hold goes with a siteswap of the hands only", "add hss=4"),
    Row("pattern=3;dwellmax=‸no", "dwellmax goes with a siteswap of the hands only", "add hss=4"),
    Row("pattern=3;hss=4;hold=‸maybe", "maybe is neither true nor false", "true or false"),
    Row("pattern=3;hss=4;hold=‸", "this is neither true nor false", "true or false"),
    Row(
        "pattern=3;hss=‸45",
        "the throws add up to 9 over 2 beats, and their average is the number of hands",
        "it must be whole: not 9, but a multiple of 2",
    ),
    Row(
        "pattern=3;hss=‸0",
        "this is a siteswap of no hands",
        "one of as many hands as throw, such as 4",
    ),
    Row(
        "pattern=3;hss=5‸43",
        "the hands that throw on beats 1 and 2, a 5 and a 4, would both throw next on beat 6",
        "one hand at most throws on each beat, as with 4 or 423",
    ),
    Row(
        "pattern=3;hss=00‸ae00",
        "the hand that throws on beat 3, a 10, would throw next on beat 13, on which no hand",
        "one hand at most throws on each beat, as with 4 or 423",
    ),
    Row(
        "pattern=3;hss=‸{28}{36}{44}{52}",
        "the pattern and these hands begin together again only after 36036 beats",
        "make one of them shorter: 10000 beats and 20000 throws are allowed",
    ),
    Row(
        "pattern=3;hss=‸{56}{72}{88}{104}{128}{136}{152}{40}",
        "the pattern and these hands begin together again after too many beats",
        "make one of them shorter",
    ),
    Row(
        "pattern=3;hss=‸[44]",
        "hands make no multiplex: one hand throws on a beat",
        "a hand siteswap is written as single",
    ),
    Row(
        "pattern=3;hss=4‸x",
        "where a throw lands follows from the hand siteswap",
        "a hand siteswap is written as single",
    ),
    Row(
        "pattern=3;hss=4‸B",
        "hands neither bounce nor are held",
        "a hand siteswap is written as single throws, such as 4",
    ),
    Row(
        "pattern=3;hss=‸(4,4)",
        "beside a hand siteswap one hand throws at a time",
        "a hand siteswap is written",
    ),
    Row(
        "pattern=‸<3p|3p>;hss=4",
        "jugglers and passes follow from the hand siteswap",
        "with a hand siteswap the objects",
    ),
    Row(
        "pattern=(‸(4,4)^2);hss=4",
        "beside a hand siteswap one hand throws at a time",
        "with a hand siteswap",
    ),
    Row(
        "pattern=3‸R3;hss=4",
        "which hand throws follows from the hand siteswap",
        "with a hand siteswap the objects",
    ),
    Row(
        "pattern=‸L(3^2);hss=4",
        "which hand throws follows from the hand siteswap",
        "with a hand siteswap the objects",
    ),
    Row(
        "pattern=3‸×;hss=4",
        "where a throw lands follows from the hand siteswap",
        "with a hand siteswap the objects",
    ),
    Row(
        "pattern=53‸*;hss=4",
        "hands that follow a hand siteswap cannot be swapped",
        "with a hand siteswap the objects",
    ),
    Row(
        "pattern=‸3;hss=40",
        "there is no hand for the 3 thrown on beat 1 on beat 4",
        "where the hand siteswap has a 0 the objects have a 0 as well",
    ),
    Row(
        "pattern=33‸3;hss=330",
        "there is no hand to throw the 3 on beat 3",
        "where the hand siteswap has a 0 the objects",
    ),
    Row(
        "pattern=‸510;hss=330",
        "there is no hand for the 5 thrown on beat 1 on beat 6",
        "where the hand siteswap has a 0 the objects have a 0 as well",
    ),
    Row(
        "pattern=5‸43;hss=4",
        "the 5 thrown by juggler 1 on beat 1 and the 4 thrown by juggler 2 on beat 2 both land in",
        "as many objects must land on a beat as are thrown on it",
    ),
    Row(
        "pattern=3;hss=4;handspec=" + "(1,2)" * 4_000 + "‸ ",
        "this text is 20001 characters long",
        "a handspec names the left",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2)(3,‸5)",
        "there is no hand 5",
        "the hands are numbered 1 to 4, and each is one juggler",
    ),
    Row(
        "pattern=3;hss=1;handspec=(‸2,)",
        "there is no hand 2",
        "the only hand is 1, and each is one juggler's",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2)(‸1,3)",
        "hand 1 is here twice",
        "give each hand to one juggler",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2)(3,)‸",
        "hand 4 belongs to no juggler",
        "the hands are numbered 1 to 4",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2)‸(,)",
        "juggler 2 has no hand",
        "name one, as in (1,) or (,1)",
    ),
    Row(
        "pattern=3;hss=4;handspec=‸1,2",
        "a ( is expected here, not 1",
        "a handspec names the left and the right hand",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1‸)",
        "a comma is expected here, not )",
        "a handspec names the left and the right hand",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2‸",
        "a ) is expected here, but the text ends",
        "a handspec names the left",
    ),
    # Moves of hands.
    Row("pattern=3;hands=‸insid", "no moves of hands are called insid", "did you mean inside?"),
    Row(
        "pattern=3;hands= ‸xyz",
        "no moves of hands are called xyz",
        "there are inside, outside, half shower, Mills mess, and",
    ),
    Row("pattern=3;hands=..‸", "no moves of hands are written", "(10)(32.5)."),
    Row(
        "pattern=3;hands=(1)(2).‸(10).",
        "this beat needs two points: where the hand throws, and where it then catches",
        "one may be left to the usual rule, as in (10)-.",
    ),
    Row(
        "pattern=3;hands=(1)‸t(2).",
        "a hand throws at the first point of a beat",
        "write the t before it",
    ),
    Row("pattern=3;hands=(1)c(2)‸c(3).", "a hand catches once in a beat", "write one c"),
    Row(
        "pattern=3;hands=‸c(1)(2).",
        "a hand throws before it catches",
        "write a point before the c: (10)c(25).",
    ),
    Row(
        "pattern=3;hands=(1)(2)‸c.",
        "no point follows this c",
        "write where the hand catches: (10)c(25).",
    ),
    Row("pattern=3;hands=(1)(‸wide).", "wide is not a number", "a point is (x,z,y)"),
    Row("pattern=3;hands=(1)(2, ‸nan).", "nan is not a number", "a point is (x,z,y)"),
    Row("pattern=3;hands=(1)(‸1e6).", "1e6 is too far", "numbers up to 100000"),
    Row("pattern=3;hands=(1)(1,2,3,‸4).", "a point has 3 numbers at most", "a point is (x,z,y)"),
    Row("pattern=3;hands=(1)‸(25", "this ( is never closed", "a point is (x,z,y)"),
    Row("pattern=3;hands=‸((1)(2).", "this ( is never closed", "brackets repeat: ((10)(25).)^2"),
    Row(
        "pattern=3;hands=(10)‸^2(2).",
        "a point alone cannot be repeated",
        "write it in brackets: ((10))^2",
    ),
    Row(
        "pattern=3;hands=(1)(2).‸)^2",
        "nothing was opened that this ) could close",
        "brackets repeat: ((10)(25).)^2",
    ),
    Row(
        "pattern=3;hands=((1)(2).‸)",
        "no count follows these brackets",
        "write how often to repeat them, as ^2",
    ),
    Row(
        "pattern=3;hands=" + "(" * 20 + "‸((1)(2).",
        "brackets are nested more than 20 deep",
        "write it more simply",
    ),
    Row("pattern=3;hands=((1)(2).‸)^0", "these brackets are repeated no times", "a count from 1"),
    Row(
        "pattern=3;hands=((1)(2).‸)^9999999999",
        "these are more than 20000 points, dots and signs",
        "fewer of them",
    ),
    Row(
        "pattern=3;hands=‸<(1)(2).",
        "this < is never closed",
        "jugglers are written <…|…>, or only …|…",
    ),
    Row(
        "pattern=3;hands=(1)(2).‸>",
        "nothing was opened that this > could close",
        "jugglers are written <…|…>",
    ),
    Row(
        "pattern=3;hands=(1)‸&(2).",
        "the & means nothing here",
        "a point is (x,z,y), and a dot ends a beat",
    ),
    Row(
        "pattern=3;hands=(1)‸\u200b(2).",
        "the character U+200B means nothing here",
        "a point is (x,z,y), and a dot ends",
    ),
    # Catches.
    Row("pattern=3;catches=‸clw", "there is no catch called clw", "did you mean claw?"),
    Row(
        "pattern=3;catches=claw, ‸potato",
        "there is no catch called potato",
        "there are palm, claw, penguin, behind",
    ),
    Row("pattern=3;catches=claw|‸", "no catch is named", "there are palm, claw, penguin"),
    Row(
        "pattern=3;catches=palm|claw‸|palm",
        "there are two hands, so there is one |",
        "left and right as palm|claw",
    ),
    Row(
        "pattern=3;throwspins=1, ‸1.3",
        "1.3 is not a number of turns",
        "0 to 20 in halves, as 1.5, or - for the usual",
    ),
    Row(
        "pattern=3;throwspins=1,‸",
        "a number of turns is missing",
        "0 to 20 in halves, as 1.5, or - for the usual",
    ),
    Row(
        "pattern=3;throwspins=" + ",".join(["1"] * 100) + "‸,2",
        "these are more than 100 throws",
        "fewer of them",
    ),
    Row(
        "pattern=3;catches=" + ",".join(["claw"] * 100) + "‸,palm",
        "these are more than 100 catches",
        "fewer of them",
    ),
    # Throws around the body.
    Row(
        "pattern=3;throws=-, ‸backcros",
        "there is no throw called backcros",
        "did you mean backcross?",
    ),
    Row(
        "pattern=3;throws=claw|‸potato",
        "there is no throw called potato",
        "there are -, palm, claw, back",
    ),
    Row("pattern=3;throws=lazy,‸", "no throw is named", "there are -, palm, claw, backcross"),
    Row(
        "pattern=3;throws=" + ",".join(["lazy"] * 100) + "‸,-",
        "these are more than 100 throws",
        "fewer of them",
    ),
    Row(
        "pattern=3;throws=" + "|".join(["-"] * 1000) + "‸|lazy",
        "these are more than 1000 jugglers",
        "fewer of them",
    ),
    # Places of bodies.
    Row("pattern=3;body=.‸", "no place of a body is written", "such as (90,75).|(270,-75)."),
    Row("pattern=3;body=(‸wide).", "wide is not a number", "a point is (angle,x,y,z)"),
    Row(
        "pattern=3;body=(1)‸c(2).",
        "the c means nothing here",
        "a point is (angle,x,y,z), and a dot ends a beat",
    ),
    # Props.
    Row("pattern=3;prop= ‸rng", "there is no prop called rng", "did you mean ring?"),
    Row(
        "pattern=3;prop=‸potato",
        "there is no prop called potato",
        "there are ball, club, ring, square, image",
    ),
    Row("pattern=3;prop= ‸", "no prop is named", "there are ball, club, ring, square, image"),
    Row("pattern=3;colors={‸ornge}", "ornge is not a colour", "did you mean orange?"),
    Row(
        "pattern=3;colors={red}{‸}",
        "this is not a colour",
        "a name of CSS such as orange, or {red}{blue}, {255,140,0}",
    ),
    Row(
        "pattern=3;colors={1, ‸256,3}",
        "256 is not a whole number from 0 to 255",
        "red, green and blue as {255,140,0}",
    ),
    Row(
        "pattern=3;colors={1,‸,3}",
        "this is not a whole number from 0 to 255",
        "red, green and blue as {255,140,0}",
    ),
    Row(
        "pattern=3;colors={‸1,2}",
        "a colour has three numbers, but here are 2",
        "red, green and blue as {255,140,0}",
    ),
    Row(
        "pattern=3;colors={‸1}",
        "a colour has three numbers, but here is 1",
        "red, green and blue as {255,140,0}",
    ),
    Row(
        "pattern=3;colors={red}‸{blue",
        "this { is never closed",
        "{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits",
    ),
    Row(
        "pattern=3;colors={red}‸&",
        "the & means nothing in colours",
        "{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits",
    ),
    Row(
        "pattern=3;colors=‸",
        "no colour is written",
        "{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits",
    ),
    Row(
        "pattern=3;colors={red}‸)",
        "nothing was opened that this ) could close",
        "brackets repeat: ({red}{blue})^2",
    ),
    Row("pattern=3;colors=‸({red}", "this ( is never closed", "brackets repeat: ({red}{blue})^2"),
    Row("pattern=3;colors=({red}‸)^10001", "these are more than 10000 colours", "fewer of them"),
    # Names.
    Row("‸mils mess", "no pattern of this name is in the library", "did you mean Mills mess, "),
    Row(
        "‸4-ball showr",
        "no pattern of this name is in the library",
        "did you mean Four-ball shower, ",
    ),
    Row("‸cascde", "no pattern of this name is in the library", "did you mean Cascade?"),
    Row(
        "‸evil zorp",
        "no pattern of this name is in the library",
        "juggle-anim list shows the names that it has",
    ),
    Row(
        "531 ‸zorping",
        "no pattern of this name is in the library",
        "juggle-anim list shows the names that it has",
    ),
    Row(
        "box‸!",
        "a ! follows a pair only",
        "write it as in (4,3x)!\nor did you mean Box?",
    ),
    # For a number of jugglers.
    Row(
        "cascade for ‸2",
        "this pattern is for 1 juggler, not for 2",
        "leave the number of jugglers out",
    ),
    Row(
        "<3p 3|3p 3> for ‸3",
        "this pattern is for 2 jugglers, not for 3",
        "leave the number of jugglers out",
    ),
    Row(
        "‸zorping for 2",
        "no pattern of this name is in the library",
        "juggle-anim list shows the names",
    ),
    Row("‸532 for 2", "the throws 5, 3, 2 average 3⅓", "it must be whole: over 3 beats"),
]
