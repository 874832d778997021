"""The viewer's state, saved from one run to the next."""
