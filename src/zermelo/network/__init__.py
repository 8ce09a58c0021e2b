"""Policy-value networks: their shape, their training form, their playing form, and their files."""
