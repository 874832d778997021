"""Tosses: rows of throws with times and places, and the choreography that they make as a loop."""
