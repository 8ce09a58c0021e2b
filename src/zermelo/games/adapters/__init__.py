"""Games that are not compiled rules: plain Python, OpenSpiel, PettingZoo; and ours in other tools."""
