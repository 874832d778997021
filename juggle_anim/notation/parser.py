"""The parser: recursive descent over the tokens of a siteswap, by the grammar in docs/siteswap.md."""

from __future__ import annotations

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_BEATS, MAX_LENGTH, MAX_NESTING, MAX_VALUE
from juggle_anim.notation.syntax import Group, HandThrows, Items, Pair, Single, WrittenThrow
from juggle_anim.notation.tokens import Token, tokenize
from juggle_anim.notation.unexpected import unexpected_token
from juggle_anim.pattern import LEFT, RIGHT


def parse(text: str) -> Group:
    """The syntax tree of a siteswap.

    Raises:
        NotationError: the text does not follow the grammar, or is beyond the limits.
    """
    if len(text) > MAX_LENGTH:
        accepted = f"a pattern may have {MAX_LENGTH}"
        raise NotationError(text, MAX_LENGTH, f"this text is {len(text)} characters long", accepted)
    parser = _Parser(text)
    if not parser.token.text:
        raise NotationError(text, 0, "nothing is typed", "type a siteswap, such as 3, 531 or (6x,4)*")
    return parser.pattern()


class _Parser:
    """Each method reads one rule of the grammar and leaves `token` at what follows it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.position = 0
        self.token = self.tokens[0]
        # Where hands only alternate nobody could catch a crossed throw, so words such as "sixth" can be thrown.
        self.words = not any(token.text in "(LR" for token in self.tokens[:-1])

    def pattern(self) -> Group:
        items, swaps = self._sequence(nesting=0)
        if self.token.text or not items:
            raise self._unexpected()
        return Group(items, swaps, times=1)

    def _sequence(self, nesting: int) -> tuple[Items, bool]:
        items: list[Single | Pair | Group] = []
        while True:
            hand = self._hand_specifier()
            if self.token.text == "(":
                items.append(self._pair_or_repeat(nesting))
            elif throws := self._hand_throws():
                items.append(Single(throws, hand))
            else:
                break
        return tuple(items), bool(items) and self._accept("*")

    def _pair_or_repeat(self, nesting: int) -> Pair | Group:
        opening = self._next()
        if nesting >= MAX_NESTING:
            reason = f"brackets are nested more than {MAX_NESTING} deep"
            raise self._error(opening, reason, "write the pattern more simply")
        items, swaps = self._sequence(nesting + 1)
        if not items:
            raise self._unexpected(opening)
        if self._accept("^"):
            return Group(items, swaps, self._times(opening))
        if self.token.text == ",":
            return self._pair(opening, items)
        if self.token.text == ")":
            accepted = "a pair is written (4,2), and a repeat (531^2)"
            raise self._error(self.token, "these brackets hold neither a pair nor a repeat", accepted)
        raise self._unexpected(opening)

    def _pair(self, opening: Token, items: Items) -> Pair:
        left = items[0]
        if not isinstance(left, Single) or left.hand is not None or self._before() in ("*", ")") or len(items) > 1:
            accepted = "a pair is written (4,2) or ([44],2), the left hand first"
            raise self._error(self.token, "what comes before this comma is not what one hand throws at once", accepted)
        self._next()
        right = self._hand_throws()
        if not right or not self._accept(")"):
            raise self._unexpected(opening)
        return Pair(left.throws, right, beats=1 if self._accept("!") else 2)

    def _times(self, opening: Token) -> int:
        first = self.token
        digits = ""
        while self.token.text in _DIGITS:
            digits += self._next().text
        if not digits or not self._accept(")"):
            raise self._unexpected(opening)
        if len(digits) > 6 or not 1 <= int(digits) <= MAX_BEATS:
            raise self._error(first, "this cannot be repeated so often", f"a count from 1 to {MAX_BEATS}")
        return int(digits)

    def _hand_throws(self) -> HandThrows:
        """A throw or a multiplex; nothing, if neither stands here."""
        if self.token.text != "[":
            throw = self._throw()
            return (throw,) if throw else ()
        opening = self._next()
        throws: list[WrittenThrow] = []
        while throw := self._throw():
            throws.append(throw)
        if not throws or not self._accept("]"):
            raise self._unexpected(opening)
        self._accept("/")
        return tuple(throws)

    def _throw(self) -> WrittenThrow | None:
        token = self.token
        value = _VALUES.get(token.text)
        if value is None:
            if not token.text.startswith("{"):
                return None
            value = self._brace(token)
        self._next()
        crossing = self._crossing(token)
        self._accept("/")
        return WrittenThrow(value, crossing, token.start)

    def _brace(self, token: Token) -> int:
        digits = token.text[1:-1]
        significant = digits.lstrip("0") or "0"
        if not token.text.endswith("}"):
            reason = "this { is never closed, or holds something else than digits"
            raise self._error(token, reason, "a value such as {12}")
        if not digits:
            raise self._error(token, "there is no value in these {}", "a value such as {12}")
        # By its length first, since Python does not turn thousands of digits into an int.
        if len(significant) > len(str(MAX_VALUE)) or int(significant) > MAX_VALUE:
            raise self._error(token, "no throw can be so high", f"values up to {{{MAX_VALUE}}}")
        return int(significant)

    def _crossing(self, value: Token) -> bool:
        """Whether an x follows; after a capital letter X is a value, as in ZYXW."""
        following = self.token.text
        if following == "X" and value.text.isupper():
            return False
        if following == "×" or (following in ("x", "X") and not (self.words and value.text.isalpha())):
            self._next()
            self._refuse_modifier()
            return True
        if not value.text.isupper():
            self._refuse_modifier()
        return False

    def _refuse_modifier(self) -> None:
        if self.token.text in _MODIFIERS:
            raise self._unexpected()

    def _hand_specifier(self) -> int | None:
        """L or R before a throw; after a capital letter it is a value, as in TRPN."""
        if self.token.text not in _HANDS or self._before().isupper():
            return None
        following = self.tokens[self.position + 1].text
        if following in _VALUES or following[:1] in ("[", "{"):
            return _HANDS[self._next().text]
        return None

    def _before(self) -> str:
        return self.tokens[self.position - 1].text if self.position else ""

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
        before = self.tokens[self.position - 1] if self.position else None
        return unexpected_token(self.text, self.token, before, opening)

    def _error(self, token: Token, reason: str, accepted: str) -> NotationError:
        return NotationError(self.text, token.start, reason, accepted)


_VALUES = {character: int(character, 36) for character in "0123456789abcdefghijklmnopqrstuvwxyz"}
_VALUES |= {character.upper(): value for character, value in _VALUES.items()}
_DIGITS = frozenset("0123456789")
_HANDS = {"L": LEFT, "R": RIGHT}
_MODIFIERS = frozenset("BFHT")
