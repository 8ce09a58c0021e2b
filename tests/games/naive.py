"""Plain, slow rules to compare the compiled ones with."""


def longest_lines(cells, rows, cols, player):
    """The lengths of all maximal lines of a player's stones, in four directions."""
    own = {divmod(i, cols) for i, content in enumerate(cells) if content == player}
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, col in own:
            if (row - down, col - right) in own:
                continue
            length = 1
            while (row + length * down, col + length * right) in own:
                length += 1
            yield length


def line_result(cells, rows, cols, n, exact=False):
    """None while a game of n in a row goes on, else the result of the first player."""
    for player, result in ((1, 1.0), (2, -1.0)):
        lengths = list(longest_lines(cells, rows, cols, player))
        if any(length == n or (length > n and not exact) for length in lengths):
            return result
    return None if 0 in cells else 0.0
