"""Search: random play and counting so far."""
