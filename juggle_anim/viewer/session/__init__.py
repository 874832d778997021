"""What the viewer saves from one run to the next."""
