"""Learning in the viewer: the lesson of a pattern, and the welcome tour."""
