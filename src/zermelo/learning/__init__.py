"""Learning from self-play: games, what they teach, and the network that learns it."""

import zermelo.network  # noqa: F401 (sees to how threads wait, before PyTorch begins any)
