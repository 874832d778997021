"""LZ4: a block unpacked (Y. Collet, "LZ4 Block Format Description")."""

from __future__ import annotations


def unpack_lz4(block: bytes, most: int) -> bytes | None:
    """The content of a block, of at most so many bytes; None where it is larger or breaks the rules."""
    content = bytearray()
    place = 0
    try:
        while place < len(block):
            token = block[place]
            length, place = _length(block, place + 1, token >> 4)
            if place + length > len(block) or len(content) + length > most:
                return None
            content += block[place : place + length]
            place += length
            if place == len(block):
                return bytes(content)
            back = block[place] | block[place + 1] << 8
            length, place = _length(block, place + 2, token & 15)
            length += _SHORTEST_MATCH
            if not 0 < back <= len(content) or len(content) + length > most:
                return None
            _repeat(content, back, length)
    except IndexError:
        pass  # it breaks off
    return None


def _length(block: bytes, place: int, length: int) -> tuple[int, int]:
    """A length that begins with four bits and goes on in bytes while they are full; and where it ends."""
    if length == 15:
        while (more := block[place]) == 255:
            length, place = length + more, place + 1
        length, place = length + more, place + 1
    return length, place


def _repeat(content: bytearray, back: int, length: int) -> None:
    """Repeat what stands so far back, which may be shorter than what it makes."""
    period = bytes(content[-back:])
    content += (period * (length // back + 1))[:length]


_SHORTEST_MATCH = 4
