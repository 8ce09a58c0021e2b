"""Game records: JSON lines of our own, SGF, and the formats of each game's community."""
