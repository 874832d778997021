"""Whether a file is there to its end: what was cut short, as by a copy that broke off, is not."""

from juggle_anim.exporter.complete.complete import is_complete

__all__ = ["is_complete"]
