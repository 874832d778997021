"""What an exported file carries of the animation that made it, in the place that its format has for words."""

from juggle_anim.embedded.file_words import MOST_WORDS, read_words
from juggle_anim.embedded.record import Record, read_record

__all__ = ["MOST_WORDS", "Record", "read_record", "read_words"]
