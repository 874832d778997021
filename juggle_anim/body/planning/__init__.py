"""What bodies do slowly over a loop: leaning, looking, stepping, and elbows led around fast moments."""
