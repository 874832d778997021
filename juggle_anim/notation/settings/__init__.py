"""Settings strings such as `pattern=531;dwell=1`: reading and writing."""
