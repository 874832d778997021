"""A web page: one file that plays a pattern in any browser, without a network."""

from juggle_anim.exporter.page.page import MAX_BYTES, write_page

__all__ = ["MAX_BYTES", "write_page"]
