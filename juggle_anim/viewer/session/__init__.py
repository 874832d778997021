"""What the viewer remembers from one run to the next."""
