"""The commands: each takes what was typed, and says what came of it."""
