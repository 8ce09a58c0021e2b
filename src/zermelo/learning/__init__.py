"""Learning from self-play: games, what they teach, and the network that learns it."""

import zermelo.network as network  # which sees to how threads wait, before PyTorch begins any

__all__ = ["network"]
