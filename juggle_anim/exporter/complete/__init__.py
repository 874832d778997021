"""Whether a file is there to its end: what was cut short, by a copy or a crash of the machine, is not."""

from juggle_anim.exporter.complete.complete import COMPLETE, is_complete

__all__ = ["COMPLETE", "is_complete"]
