"""What the viewer draws over the picture: panel, transport, cards and labels."""
