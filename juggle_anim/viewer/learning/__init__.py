"""Learning in the viewer: the lesson of a pattern, and the first look around."""
