"""The siteswap parser: recursive descent over tokens, by the grammar in docs/siteswap.md."""

from __future__ import annotations

import re
from fractions import Fraction

from juggle_anim.errors import NotationError, character_name, counted
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import (
    MAX_BEATS,
    MAX_BOUNCES,
    MAX_JUGGLERS,
    MAX_LENGTH,
    MAX_NESTING,
    MAX_VALUE,
)
from juggle_anim.notation.numbers import whole_number
from juggle_anim.notation.siteswap.syntax import (
    HAND_LETTERS,
    MODIFIER_FORMS,
    MODIFIER_LETTERS,
    NEXT_JUGGLER,
    OPEN,
    PLAIN,
    VALUE_CHARACTERS,
    Group,
    HandThrows,
    Items,
    Modifier,
    Pair,
    Passing,
    Single,
    Start,
    Token,
    WrittenThrow,
    beats_of,
    modifier_at,
    tokenize,
)

_VALUES = {character: Fraction(int(character, 36)) for character in VALUE_CHARACTERS}
_VALUES |= {character.upper(): value for character, value in _VALUES.items()}
_VALUES["?"] = Fraction(OPEN)
_DIGITS = frozenset("0123456789")
_HANDS = {letter: hand for hand, letter in HAND_LETTERS.items()}

_AFTER_START = ("(", "|", ">")
"""A hand specifier may stand before these without a throw of its own."""


def parse(text: str, *, fractions: bool = False) -> Group:
    """Parse a siteswap into its syntax tree.

    Args:
        text: as it is typed.
        fractions: whether a throw may last parts of beats, as in `5.3x`.

    Raises:
        NotationError: the text does not follow the grammar, or is beyond the limits.
    """
    if len(text) > MAX_LENGTH:
        accepted = _("the limit is {max_length}", max_length=MAX_LENGTH)
        raise NotationError(
            text, MAX_LENGTH, _("this text is {count} characters long", count=len(text)), accepted
        )
    parser = _Parser(text, fractions=fractions)
    if not parser.token.text:
        raise NotationError(
            text, 0, _("no pattern"), _("type a siteswap, such as 3, 531 or (6x,4)*")
        )
    return parser.pattern()


class _Parser:
    """Each method reads one rule of the grammar and leaves `token` at what follows it."""

    def __init__(self, text: str, *, fractions: bool) -> None:
        """Begin at the first token of a text.

        Args:
            text: as it is typed.
            fractions: whether a throw may last parts of beats.
        """
        self.text = text
        self.tokens = tokenize(text, fractions=fractions)
        self.position = 0  # of the present token
        self.token = self.tokens[0]
        # Where hands only alternate an x has no meaning, so words such as "sixth" can be thrown.
        self.x_is_value = not any(token.text in "(<LR" for token in self.tokens[:-1])
        # Where a value in capitals ended, after which L and R are values too.
        self.after_capital = -1
        self.passing = "<" in text
        self.in_side = False  # whether the present token is between < and >
        self.jugglers = 0  # of the parts that were read; 0 before the first
        # Numbers of the receivers in the present < >, with their tokens.
        self.receivers: list[tuple[int, Token]] = []

    def pattern(self) -> Group:
        items, swaps = self._sequence(nesting=0)
        if self.token.text or not items:
            raise self._unexpected()
        return Group(items, swaps, times=1)

    def _sequence(self, nesting: int) -> tuple[Items, bool]:
        """Read throws and groups one after another, up to a token that begins neither.

        Args:
            nesting: how many brackets are open around them.

        Returns:
            The items, perhaps none, and whether a `*` ended them, which is read, too.
        """
        items: list[Single | Pair | Start | Group | Passing] = []
        while True:
            first = self.token
            # A letter for the hand belongs to a single throw, or stands by itself.
            hand = self._hand_specifier()
            if self.token.text == "<" and not self.in_side:
                items.append(self._passing())
            elif hand is not None and self.token.text in _AFTER_START:
                items.append(Start(hand))
            elif self.token.text == "(":
                items.append(self._pair_or_repeat(nesting))
            elif throws := self._hand_throws():
                items.append(Single(throws, hand))
            else:
                break
            # In a text with < >, a throw outside of them is a part for one juggler, so it is
            # refused beside parts for several. Groups and < > check their own items.
            if self.passing and not self.in_side and not isinstance(items[-1], Group | Passing):
                self._require_jugglers(1, first)
        return tuple(items), bool(items) and self._accept("*")

    def _passing(self) -> Passing:
        """Read the sides of all jugglers in < >, and check that they go together.

        Raises:
            NotationError: sides differ in length, are more or fewer than those of earlier parts, or
                a pass goes to a juggler that there is not.
        """
        opening = self._next()
        self.in_side = True
        self.receivers = []  # filled while the sides are read

        sides = [self._side(opening)]
        while self._accept("|"):
            first = self.token
            if self._accept("^"):
                # `|^3` at the end stands for the sides before it three times over.
                sides *= self._repeat_count(opening, MAX_JUGGLERS // len(sides))
                break
            sides.append(self._side(opening))
            self._check_side(sides, first)
        if not self._accept(">"):
            raise self._unexpected(opening)
        self.in_side = False

        # Receivers are checked last, when it is known how many jugglers there are.
        self._require_jugglers(len(sides), opening)
        for receiver, token in self.receivers:
            if not 1 <= receiver <= len(sides):
                accepted = _(
                    "a number from 1 to {count}; a space ends it, as in 3p2 3", count=len(sides)
                )
                raise self._error(
                    token, _("there is no juggler {number} to pass to", number=receiver), accepted
                )
        return Passing(tuple(sides))

    def _side(self, opening: Token) -> Items:
        """Read what one juggler throws; `opening` is the < before it."""
        items, swaps = self._sequence(nesting=0)
        if swaps:
            accepted = _("write it at the end, after the >, as in <(4xp,2)|(4xp,2)>*")
            raise self._error(
                self.tokens[self.position - 1], _("the * swaps the hands of all jugglers"), accepted
            )
        if not items:
            raise self._unexpected(opening)
        return items

    def _check_side(self, sides: list[Items], first: Token) -> None:
        """Refuse the last of some sides if it is one too many, or not as long as the first.

        Args:
            sides: of all jugglers so far.
            first: the first token of the last side, at which the error points.
        """
        if len(sides) > MAX_JUGGLERS:
            raise self._error(
                first,
                _("more than {max_jugglers} jugglers", max_jugglers=MAX_JUGGLERS),
                _("use fewer"),
            )
        beats = beats_of(sides[-1])
        expected = beats_of(sides[0])
        if beats != expected:
            # If there are receivers, the hint says the likely cause: a throw right behind a p was
            # read as the number of the receiver.
            reason = _(
                "juggler {count} throws for {counts} here, but juggler 1 for {counts2}",
                count=len(sides),
                counts=counted(beats, "beat"),
                counts2=counted(expected, "beat"),
            )
            hint = (
                _("; in 3p3 the last 3 is a juggler, while 3p 3 is two throws")
                if self.receivers
                else ""
            )
            raise self._error(
                first,
                reason,
                _(
                    "all sides of < > must last the same time; write 0 for an empty hand{hint}",
                    hint=hint,
                ),
            )

    def _require_jugglers(self, jugglers: int, first: Token) -> None:
        """Check that a part of the pattern is for as many jugglers as the parts before it.

        Args:
            jugglers: of the part; of the first one the number is kept.
            first: the first token of the part, at which the error points.
        """
        # The number is 0 before the first part, which any number of jugglers may have.
        if self.jugglers not in (0, jugglers):
            reason = _(
                "this is for {many}, but the part before it is for {jugglers}",
                many=counted(jugglers, "juggler"),
                jugglers=self.jugglers,
            )
            raise self._error(
                first, reason, _("write every part for all jugglers, as in <3p|3p><3|3>")
            )
        self.jugglers = jugglers

    def _pair_or_repeat(self, nesting: int) -> Pair | Group:
        """Read brackets: a pair of both hands, `(4,2)`, or a group with a count, `(531^2)`.

        Args:
            nesting: how many brackets are open around these.

        Raises:
            NotationError: the brackets are neither, are not closed, or are nested too deep.
        """
        opening = self._next()
        if nesting >= MAX_NESTING:
            reason = _("brackets are nested more than {max_nesting} deep", max_nesting=MAX_NESTING)
            raise self._error(opening, reason, _("simplify the pattern"))
        # A pair and a group begin alike, so what comes first is read as a sequence. The token
        # behind it decides: a ^ shows a group, a comma a pair.
        items, swaps = self._sequence(nesting + 1)
        if not items:
            raise self._unexpected(opening)
        if self._accept("^"):
            times = self._repeat_count(opening, MAX_BEATS)
            if not self._accept(")"):
                raise self._unexpected(opening)
            return Group(items, swaps, times)
        if self.token.text == ",":
            return self._pair(opening, items)
        if self.token.text == ")":
            accepted = _("write a pair as (4,2) and a repeat as (531^2)")
            raise self._error(self.token, _("these brackets have no pair or repeat"), accepted)
        raise self._unexpected(opening)

    def _pair(self, opening: Token, items: Items) -> Pair:
        """Read the rest of a pair, from the comma on.

        Args:
            opening: the bracket of the pair.
            items: read before the comma, at least one; a pair has one item there, what the left
                hand throws.
        """
        left = items[0]
        token_before_comma = self.tokens[self.position - 1].text
        # Only one throw or multiplex may stand before the comma, without a letter for the hand. A *
        # behind it has been read with the sequence, so it is found as the token before the comma.
        if (
            not isinstance(left, Single)
            or left.hand is not None
            or token_before_comma in ("*", ")")
            or len(items) > 1
        ):
            accepted = _("write a pair as (4,2) or ([44],2), left hand first")
            raise self._error(
                self.token,
                _("one hand cannot throw what comes before this comma"),
                accepted,
            )
        self._next()
        right = self._hand_throws()
        if not right or not self._accept(")"):
            raise self._unexpected(opening)
        return Pair(left.throws, right, beats=1 if self._accept("!") else 2)

    def _repeat_count(self, opening: Token, max_count: int) -> int:
        """Read a count of repeats from 1 to `max_count`; `opening` is the bracket around it."""
        # Each digit is a token of its own, as digits are throws elsewhere.
        first = self.token
        digits = ""
        while self.token.text in _DIGITS:
            digits += self._next().text
        if not digits:
            raise self._unexpected(opening)
        times = whole_number(digits, max_count)
        if not times:
            accepted = _("a count from 1 to {most}", most=max_count)
            raise self._error(first, _("this is repeated too often"), accepted)
        return times

    def _hand_throws(self) -> HandThrows:
        """Read what one hand throws at once: a throw, or a multiplex in [ ].

        Returns:
            The throws; empty, and nothing is read, if neither stands here.
        """
        if self.token.text != "[":
            throw = self._throw()
            return (throw,) if throw else ()
        opening = self._next()
        throws: list[WrittenThrow] = []
        while throw := self._throw():
            throws.append(throw)
        if not throws or not self._accept("]"):
            raise self._unexpected(opening)
        self._accept("/")  # only separates throws
        return tuple(throws)

    def _throw(self) -> WrittenThrow | None:
        """Read a value with its flags; None where no throw stands here."""
        # The value: 5.3, a digit or letter, or {12}.
        token = self.token
        digit, _point, decimals = token.text.partition(".")
        if decimals:
            value = Fraction(token.text)
        elif digit in _VALUES:
            value = _VALUES[digit]
        elif token.text.startswith("{"):
            value = Fraction(self._braced_value(token))
        else:
            return None
        self._next()

        # Its flags.
        crossing = self._crossing(token)
        receiver = self._receiver(token)
        # Other programs write the x behind the p, as in 3px. It counts as a flag only right behind
        # it: with a space between, x is a throw of 33.
        if receiver is not None and not crossing and self.token.start == self._end_of_last_token():
            crossing = self._crossing(token)
        # B, F, H and T are modifiers, but right behind a value in capitals they are values, as in
        # TRPN; so are L and R, for which the position is kept. Flags between them end this.
        if token.text.isupper() and not crossing and receiver is None:
            self.after_capital = self.position
            modifier = PLAIN
        else:
            modifier = self._modifier()
        self._accept("/")  # only separates throws
        return WrittenThrow(
            value,
            crossing=crossing,
            start=token.start,
            receiver=receiver,
            modifier=modifier,
            decimals=len(decimals),
        )

    def _braced_value(self, token: Token) -> int:
        """Return the value in a token such as `{12}`.

        Raises:
            NotationError: the brace is not closed, holds no digits or too high a value.
        """
        digits = token.text[1:-1]
        # A token ends without a } if something else than a digit follows, or the text ends.
        if not token.text.endswith("}"):
            raise self._error(token, *why_no_value(self.text, token.start))
        if not digits:
            raise self._error(token, _("there is no value in these {}"), _("a value such as {12}"))
        value = whole_number(digits, MAX_VALUE)
        if value is None:
            raise self._error(
                token,
                _("this throw is too high"),
                _("values up to {{{max_value}}}", max_value=MAX_VALUE),
            )
        return value

    def _crossing(self, value_token: Token) -> bool:
        """Read the x of a crossing throw if there is one, and return whether there was.

        Args:
            value_token: of the throw. After a value in capitals X is a value, too, as in ZYXW.
                After any letter x is a value in texts in which a cross has no meaning, see
                `x_is_value`.
        """
        following = self.token.text
        if following == "X" and value_token.text.isupper():
            return False
        if following == "×" or (
            following in ("x", "X") and not (self.x_is_value and value_token.text.isalpha())
        ):
            self._next()
            return True
        return False

    def _receiver(self, value_token: Token) -> int | None:
        """Read the p of a pass with the number of its receiver.

        Args:
            value_token: of the throw; after a capital letter P is a value.

        Returns:
            The receiver, from 1; `NEXT_JUGGLER` if there is no number; None if there is no p, or if
            the throw is not between < >, where p is a value. Whether there is such a juggler is
            checked after the >.
        """
        pass_flags = "p" if value_token.text.isupper() else "pP"
        if not self.in_side or not self.token.text or self.token.text not in pass_flags:
            return None
        # The number follows without a space, as 3p 3 are two throws.
        end = self._next().start + 1
        first = self.token
        digits = ""
        while self.token.text in _DIGITS and self.token.start == end + len(digits):
            digits += self._next().text
        if not digits:
            return NEXT_JUGGLER
        receiver = int(digits[:6])  # six digits are more than all jugglers, whatever follows
        self.receivers.append((receiver, first))
        return receiver

    def _modifier(self) -> Modifier:
        """Read the bounces or the hold behind a throw; `PLAIN` if there are none.

        Raises:
            NotationError: there are too many bounces, or letters that do not go together.
        """
        if self.token.text not in MODIFIER_LETTERS:
            return PLAIN
        first = self.token
        modifier, end = modifier_at(self.text, first.start)
        # Each letter is a token of its own, so all tokens of the modifier are passed over.
        while self.token.text and self.token.start < end:
            self._next()
        if modifier.bounces > MAX_BOUNCES:
            raise self._error(
                first,
                _("no throw can bounce {bounces} times", bounces=modifier.bounces),
                _("up to {max_bounces}", max_bounces=MAX_BOUNCES),
            )
        # Another modifier letter right behind it does not go together with it.
        if self.token.text in MODIFIER_LETTERS and self.token.start == end:
            reason = _(
                "the {text} cannot follow {text2}",
                text=self.token.text,
                text2=self.text[first.start : end],
            )
            raise self._error(self.token, reason, MODIFIER_FORMS)
        return modifier

    def _hand_specifier(self) -> int | None:
        """Read an L or R before a throw; None, and nothing is read, if none stands here.

        After a value in capitals L and R are values, as in TRPN.

        Returns:
            The hand, `LEFT` or `RIGHT`.
        """
        if self.token.text not in _HANDS or self.position == self.after_capital:
            return None
        following = self.tokens[self.position + 1].text
        if following[:1] in _VALUES or following[:1] in ("[", "{") or following in _AFTER_START:
            return _HANDS[self._next().text]
        return None

    def _end_of_last_token(self) -> int:
        last = self.tokens[self.position - 1]
        return last.start + len(last.text)

    def _next(self) -> Token:
        token = self.token
        self.position += 1
        self.token = self.tokens[min(self.position, len(self.tokens) - 1)]
        return token

    def _accept(self, text: str) -> bool:
        if self.token.text != text:
            return False
        self._next()
        return True

    def _unexpected(self, opening: Token | None = None) -> NotationError:
        """Return the error for a token that cannot stand here, in a bracket that may be open."""
        before = self.tokens[self.position - 1] if self.position else None
        blamed = opening if opening and not self.token.text else self.token
        return self._error(blamed, *why_unexpected(self.token, before, opening))

    def _error(self, token: Token, reason: str, accepted: str) -> NotationError:
        return NotationError(self.text, token.start, reason, accepted)


_THROWS = N_(
    "write throws as 0 to 9, a to z for 10 to 35, {36} and so on, such as 531, [34]23 or (6x,4)*"
)
_CLOSED_BY = {
    "[": N_("write a multiplex as [34]"),
    "(": N_("write a pair as (4,2) and a repeat as (531^2)"),
    "<": N_("write passing as <3p 3|3p 3>, a side for each juggler"),
}

_BRACES = re.compile(r"\{[^{}]*\}")

_CLOSING = {"[": "]", "(": ")", "<": ">"}

_KNOWN = frozenset("[](),<|>*!^/?xX×") | frozenset("0123456789")

_MISPLACED = {
    ")": (N_("this ) closes nothing"), _CLOSED_BY["("]),
    "]": (N_("this ] closes nothing"), _CLOSED_BY["["]),
    ">": (N_("this > closes nothing"), _CLOSED_BY["<"]),
    "|": (N_("| is only allowed between jugglers in < >"), _CLOSED_BY["<"]),
    "}": (N_("this } closes nothing"), N_("a value such as {12}")),
    ",": (
        N_("a comma is only allowed between the two hands of a pair"),
        N_("write 35, or (4,2) for both hands at once"),
    ),
    ".": (N_("a point is only allowed between the digits of a pass"), N_("write it as in 3.5p")),
    "-": (N_("a throw cannot be negative"), _THROWS),
    "*": (N_("the * must follow what it repeats"), N_("write it at the end, as in (6x,4)*")),
    "!": (N_("! is only allowed after a pair"), N_("write it as in (4,3x)!")),
    "^": (N_("a count such as ^2 only works after brackets"), N_("write it as in (531^2)")),
    "×": (N_("the × marks a throw as crossing"), N_("write it after a throw, as in 4×")),
    "/": (N_("a / only separates throws"), N_("write it after a throw, or leave it out")),
}


def why_no_value(text: str, opening: int) -> tuple[str, str]:
    """Why what begins with the { at an index is no value, and what would be accepted."""
    if _BRACES.match(text, opening):
        return _("these {} must have only digits"), _("a value such as {12}")
    return _("this { is never closed"), _("a value such as {12}")


def why_unexpected(token: Token, before: Token | None, opening: Token | None) -> tuple[str, str]:
    """Return why a token cannot stand where it does, and what would be accepted.

    Args:
        token: the token; without a text at the end of the siteswap.
        before: the token before it; None at the beginning.
        opening: the innermost bracket that is still open; None if none is.

    Returns:
        The reason, and what would be accepted.
    """
    # The reason that tells most is given first: the pattern has ended; the text is settings or
    # prechac notation; a bracket is open; the character has a meaning, but elsewhere.
    if before and before.text == "*" and token.text and not opening:
        return _("the * ends a pattern, but more follows"), _("write the * last, or leave it out")
    if token.text in ("=", ";"):
        return _meaningless(token), _("settings start with the pattern, as in pattern=531;dwell=1")
    if token.text == ".":
        return _MISPLACED["."]
    if opening:
        return _why_inside(token, before, opening)
    if token.text in _MISPLACED:
        return _MISPLACED[token.text]
    return _meaningless(token), _THROWS


def _why_inside(token: Token, before: Token | None, opening: Token) -> tuple[str, str]:
    """Return why a token cannot stand inside an open bracket, and what would be accepted.

    Args:
        token: the token; without a text at the end of the siteswap.
        before: the token before it.
        opening: the innermost open bracket: [, ( or <.

    Returns:
        The reason, and what would be accepted.
    """
    accepted = _CLOSED_BY[opening.text]
    # Reasons in the order in which they are checked: the text ends; the character means nothing; a
    # throw is missing; another kind of bracket is closed; else the token has no place in these.
    if not token.text:
        return _("this {text} is never closed", text=opening.text), accepted
    if token.text not in _KNOWN:
        return _meaningless(token), accepted
    if token.text in (_CLOSING[opening.text], ",", "|") and before and before.text in "([,<|":
        return _("a throw is missing here"), _("write 0 for a hand that throws nothing")
    if token.text in ")]>":
        return _(
            "the {text} does not close the {text2}", text=token.text, text2=opening.text
        ), accepted
    return _(
        "{text} is not allowed inside {text2} {closing}",
        text=token.text,
        text2=opening.text,
        closing=_CLOSING[opening.text],
    ), accepted


def _meaningless(token: Token) -> str:
    return _("{text} is not part of a siteswap", text=character_name(token.text))
