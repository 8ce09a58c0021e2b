"""Protocols: our players in other programs, and other engines as players."""
