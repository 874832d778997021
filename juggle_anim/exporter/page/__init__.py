"""A web page: one file that plays a pattern in any browser, without a network."""
