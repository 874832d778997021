"""A web page: one file that plays a pattern in any browser, without a network."""

from juggle_anim.exporter.page.page import MOST_BYTES, write_page

__all__ = ["MOST_BYTES", "write_page"]
