"""The user interface drawn over the picture: panel, transport, cards and labels."""
