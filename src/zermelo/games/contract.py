"""What must be true of every game, tried in random games, and told in plain language.

`check` plays random games through the functions that kernels use and looks for whatever would make a
search or a training go wrong quietly.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from zermelo.errors import ZermeloError, listed
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, OVER, Planes, Words
from zermelo.games.adapters.python import PythonGame
from zermelo.games.array_game import ArrayGame
from zermelo.games.asking import Broken
from zermelo.games.base import Game
from zermelo.games.comparing import Comparing
from zermelo.games.findings import Problem, Report
from zermelo.games.forms import ArrayForm, Facts, plain_form
from zermelo.games.position import Position
from zermelo.games.registry import game as named_game


def check(
    game: Game | str,
    games: int = 2000,
    seed: int = 0,
    seconds: float = 20.0,
    progress: Callable[[int], None] = lambda _played: None,
    stop: Callable[[], bool] = lambda: False,
) -> Report:
    """Play random games and report every kind of problem in the rules once, where it showed first.

    Parameters
    ----------
    game
        A game, or its name.
    games
        The number of random games.
    seed
        The random seed.
    seconds
        The check ends after this time with the games played until then.
    progress
        Called with the number of games that were played.
    stop
        Asked between moves; the check ends when it says yes.

    Returns
    -------
    Report
        `passed`; `problems`, each with the moves after which it shows; and figures of the random games.

    Examples
    --------
    >>> import zermelo as zm
    >>> report = zm.check("tictactoe", games=50)
    >>> report.passed, report.games, report.problems
    (True, 50, [])
    """
    end, subject = time.monotonic() + seconds, named_game(game)
    if wrong := _wrong_size(subject):
        return Report(subject.name, problems=[wrong])
    checker = _Checker(subject, seed, lambda: time.monotonic() > end or stop())
    for played in range(games):
        if played and checker.out_of_time:
            break
        try:
            if played == 0:
                checker.check_declaration()
            checker.play_game(thorough=played < 5)
        except Broken:
            if played == 0 and not checker.report.lengths:
                break
        progress(played + 1)
    checker.check_results()
    return checker.report


def _wrong_size(game: Game) -> Problem | None:
    """What is wrong with the numbers that everything else is made from."""
    for what in ("num_actions", "max_length"):
        value = getattr(game, what)
        if callable(value):
            return Problem("declaration", f"`{what}` is a method; write @property above it")
        if not isinstance(value, int) or value < 1:
            return Problem("declaration", f"`{what}` (={value!r}) must be a whole number of at least 1")
    return None


class _Checker(Comparing):
    """Plays random games, and looks at every position."""

    def __init__(self, game: Game, seed: int, is_over: Callable[[], bool]) -> None:
        super().__init__(game, seed, is_over)
        self._winners: Counter[tuple[int, int]] = Counter()

    # Once.

    def check_declaration(self) -> None:
        """What can be seen without playing."""
        game = self.game
        for number, symmetry in enumerate(game.symmetries):
            if not symmetry.permutes(game.board, game.num_actions):
                raise self._break("symmetry", f"symmetry `{symmetry.name}` is not a permutation")
            if number == 0 and list(symmetry.actions) != sorted(symmetry.actions):
                raise self._break("symmetry", "the first symmetry must be the identity")
        swap = game.side_symmetry
        if swap is not None and sorted(swap.actions) != list(range(game.num_actions)):
            raise self._break("side swap", f"`side_swap` ({swap.name}) does not permute the actions")
        if not 0 < game.key_words <= game.state_words:
            raise self._break(
                "state", f"key_words (={game.key_words}) must be 1 to state_words (={game.state_words})"
            )
        if not np.array_equal(self._start(), self._start()):
            self._tell("play not repeatable", "the first position is not always the same")
        if isinstance(game, ArrayGame):
            self._interpreted = ArrayForm(game, compiled=False)
        try:
            self._plain = plain_form(game)
        except ZermeloError as error:
            self._tell("plain rules", str(error))

    # One game.

    def play_game(self, thorough: bool) -> None:
        """Play one random game, looking at every position."""
        game = self.game
        state = self._start()
        self._moves = []
        in_game: set[bytes] = set()
        others = self._other_forms(thorough)
        while True:
            facts, planes = self._look(state, thorough)
            self._compare_forms(others, state, facts)
            key = state[: game.key_words].tobytes()
            if game.acyclic and key in in_game:
                self._tell("acyclic", "a position occurs twice in one game, but the game says `acyclic`")
            in_game.add(key)
            self._compare(key, state, facts)
            self._compare_looks(key, state, facts, planes)
            if facts.returns is not None:
                self._check_end(state, facts.returns)
                self.report.games += 1
                self.report.lengths.append(len(self._moves))
                return
            if self.out_of_time:
                return
            if len(self._moves) >= game.max_length:
                raise self._break(
                    "too long", f"the game goes on after max_length (={game.max_length}) moves"
                )
            self.report.branching[len(facts.legal)] += 1
            action = self._pick(facts.legal)
            self._check_illegal(state, facts.legal)
            child = self._play(state, action)
            if thorough or (len(game.symmetries) > 1 and self._random.random() < 0.25):
                self._check_symmetry(state, facts, action, child)
            if self._sides is not None and (thorough or self._random.random() < 0.25):
                self._check_sides(state, facts, action, child)
            self._last_mover = facts.mover
            self._moves.append(action)
            self._play_in_forms(others, action)
            state = child

    def _look(self, state: Words, thorough: bool) -> tuple[Facts, Planes]:
        """Ask everything about a state that can be asked."""
        facts = self._facts(state)
        if facts.returns is None and not facts.legal:
            raise self._break("no moves", "there is no legal action, but the game is not over")
        if facts.returns is None and facts.mover not in range(self.game.num_players):
            raise self._break("mover", f"the mover is {facts.mover}, not one of the players 0 and 1")
        self._check_pieces(state)
        planes = self._planes(state, None)
        for name in list(self.game.encodings)[1:] if thorough else ():
            self._planes(state, name)
        if thorough and facts.returns is None:
            self._check_threats(state, facts)
            self._check_heuristic(state)
        if thorough or self._random.random() < 0.1:
            self._check_names(state, facts.legal)
            self._check_drawing(state)
        return facts, planes

    def _check_threats(self, state: Words, facts: Facts) -> None:
        """A win that is told must be one, and one that is threatened must have been told as possible:
        proofs rest on that."""
        rules, mover = self.game.rules(), facts.mover
        if rules.threats == 0:
            return
        told, possible = self._threats(state, mover, 1), self._threats(state, mover, 2)
        won = set()
        for action in facts.legal:
            child, returns = state.copy(), np.zeros(self.game.num_players)
            if abi.play(rules, child, action) < 0:
                return  # told elsewhere
            if abi.returns(rules, child, returns) == OVER:
                if returns[mover] >= 1:
                    won.add(action)
                continue
            if abi.mover(rules, child) == mover:
                self._tell(
                    "threats", "a player moves twice: `threats` is for games in which they take turns"
                )
            elif not told and action not in possible and self._threats(child, mover, 1):
                name = self._names([*self._moves, action])[-1]
                self._tell("threats", f"`threats` leaves out {name}, after which a win is threatened")
        if told != won:
            self._tell(
                "threats",
                f"`threats` says that these actions win at once: {listed(sorted(told)) or 'none'}; by the "
                f"rules it is: {listed(sorted(won)) or 'none'}",
            )

    def _check_heuristic(self, state: Words) -> None:
        kernel, before = self.game.kernels.heuristic, state.tobytes()
        if kernel is None:
            return
        try:
            function = abi.address(kernel, "heuristic")
        except ZermeloError as error:
            self._tell("heuristic", str(error))
            return
        value = abi.heuristic(self.game.rules(), function, state)
        self._check_untouched(state, before, "heuristic")
        if value == FAILED and isinstance(self.game, PythonGame):
            self._tell("heuristic", str(self.game.failure(FAILED, state)))
        elif not -1 <= value <= 1:
            self._tell("heuristic", f"`heuristic` gave {value:g}, not a number from -1 to 1")

    def _check_drawing(self, state: Words) -> None:
        position = Position(self.game, state)
        try:
            str(position)
            self.game.svg(position)
        except Exception as error:
            self._tell("drawing", f"the position cannot be drawn: {type(error).__name__}: {error}")

    def _check_pieces(self, state: Words) -> None:
        """Of a cell that no plane shows, a network knows nothing."""
        board, planes = self.game.board, self.game.encoding().planes
        if board is None or planes not in (board.plane_names(True), board.plane_names(False)):
            return
        try:
            cells = self.game.cells(Position(self.game, state))
        except Exception as error:
            raise self._break(
                "pieces", f"the cells cannot be asked: {type(error).__name__}: {error}"
            ) from None
        known = ", ".join(f"{i} ({piece.kind} {piece.glyph})" for i, piece in enumerate(board.contents, 1))
        for cell, value in enumerate(cells):
            if value and board.piece(value) is None:
                raise self._break(
                    "pieces",
                    f"cell {board.cell_name(cell)} holds {value}, which no plane shows: the board knows "
                    f"{known}; name every kind of piece in `Board(..., pieces=...)`",
                )

    def _check_names(self, state: Words, legal: tuple[int, ...]) -> None:
        position = Position(self.game, state.copy())
        names: dict[str, int] = {}
        for action in legal:
            try:
                name = position.name(action)
                name.casefold()
            except Exception as error:
                self._tell("names", f"action {action} has no name: {type(error).__name__}: {error}")
                return
            if name in names:
                both = f"actions {names[name]} and {action}"
                self._tell("names", f"{both} are both called `{name}`")
            if not name or name != "".join(name.split()) or "," in name:
                self._tell("names", f"action {action} is called `{name}`: spaces and commas separate moves")
            names[name] = action
        for action in legal[:3]:
            try:
                parsed = position.parse(position.name(action))
            except ZermeloError:
                parsed = -1
            if parsed != action:
                self._tell(
                    "names", f"`{position.name(action)}` names action {action} but is read as {parsed}"
                )

    def _check_illegal(self, state: Words, legal: Sequence[int]) -> None:
        others = sorted(set(range(self.game.num_actions)) - set(legal))
        tries = [-1, self.game.num_actions]
        if others:
            tries.append(self._pick(others))
        for action in tries:
            copy = state.copy()
            if abi.play(self.game.rules(), copy, action) >= GOING:
                self._tell(
                    "illegal action accepted", f"action {action} is not legal, but `play` accepts it"
                )
            elif copy.tobytes() != state.tobytes():
                self._tell(
                    "illegal action accepted",
                    f"the illegal action {action} is refused, but changes the state",
                )

    def _check_end(self, state: Words, returns: tuple[float, ...]) -> None:
        if any(not -1 <= value <= 1 for value in returns):
            self._tell("result", f"the result {returns} has a value outside -1 to 1")
        elif abs(sum(returns)) > 1e-9:
            self._tell("result", f"the result {returns} does not add up to 0")
        legal = self._facts(state).legal
        if legal:
            self._tell("moves after the end", f"the game is over, but {listed(legal)} are listed as legal")
        for action in range(min(self.game.num_actions, 64)):
            if abi.play(self.game.rules(), state.copy(), action) >= GOING:
                self._tell("moves after the end", f"the game is over, but `play` accepts action {action}")
        winner = int(np.argmax(returns)) if max(returns) > 0 > min(returns) else None
        self.report.results["draw" if winner is None else ("first", "second")[winner]] += 1
        if winner is not None and self._moves:
            self._winners[winner, self._last_mover] += 1

    def check_results(self) -> None:
        """If one player wins every decided game, whoever moved last, results are told to the wrong one."""
        decided = sum(self._winners.values())
        winners = {winner for winner, _ in self._winners}
        last = Counter({mover: count for (_, mover), count in self._winners.items()})
        if decided >= 50 and len(winners) == 1 and min(last[0], last[1]) >= decided // 20:
            player = winners.pop()
            problem = (
                f"player {player} wins all {decided} decided games, although player 0 made the last "
                f"move in {last[0]} and player 1 in {last[1]}: `returns` tells the results of player 0 "
                "and player 1, not those of the player to move and the other"
            )
            self.report.problems.append(Problem("wrong player", problem, None))
        elif self._suspected is not None:
            self._tell("equal planes", *self._suspected)
