"""Search: random play, counting, trees of every variant, and alpha-beta."""
