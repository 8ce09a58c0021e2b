"""Everything that can choose a move, and the text that names it."""
