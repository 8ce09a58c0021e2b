"""Workers play the games, and give the answers, that one process does."""

import json
import os
from pathlib import Path

import pytest

import zermelo
from cli.command import refused, succeed
from network.networks import SMALL, trained
from zermelo.arena import mistakes
from zermelo.arena.contest import Contest, in_turn
from zermelo.arena.grading import grade
from zermelo.arena.match import match
from zermelo.arena.mistakes import Paper
from zermelo.arena.sprt import Sprt, sequential_match
from zermelo.arena.tournament import tournament
from zermelo.cluster.connection import connected
from zermelo.cluster.hall import Hall
from zermelo.cluster.luggage import Packer
from zermelo.errors import BadParameter, ClusterError
from zermelo.network.model import write_model
from zermelo.players import registry
from zermelo.players.base import Player
from zermelo.players.tree import UctPlayer

TICTACTOE = zermelo.game("tictactoe")
NIM = Path("examples/nim.py")
RANDOM, UCT, PERFECT = map(zermelo.player, ("random", "uct:sims=20", "perfect"))


@pytest.fixture
def cluster(ray):
    with connected("local", 2) as found:
        yield found


@pytest.fixture
def hall(cluster):
    return Hall(cluster)


@pytest.fixture
def network(tmp_path):
    """A player with a network in a file."""
    path = tmp_path / "net.safetensors"
    write_model(trained("tictactoe", SMALL), path)
    return zermelo.player(f"az:model={path},sims=10")


def moves(result):
    return [position.moves for position in result.positions]


def lines(path):
    """Those of a tournament's file, without the time that it took."""
    return [{**json.loads(line), "seconds": 0} for line in path.read_text().splitlines()]


def test_a_match_has_the_games_of_one_process_in_their_order(hall, network):
    alone = match(TICTACTOE, network, UCT, games=21, seed=3)
    told = []
    spread = match(TICTACTOE, network, UCT, games=21, seed=3, progress=told.append, playing=hall.play)
    assert moves(spread) == moves(alone)
    assert (spread.a, spread.b, spread.wins, spread.draws) == (alone.a, alone.b, alone.wins, alone.draws)
    assert len(told) == 3  # pieces of 8 games, both colours of an opening in one of them
    assert all(len(positions) == 21 for positions in told)


def test_a_tournament_has_the_same_file_and_ratings(hall, network, tmp_path):
    players = [RANDOM, network, UCT, PERFECT]
    alone = tournament(TICTACTOE, players, games=12, seed=1, record=tmp_path / "alone.jsonl")
    spread = tournament(
        TICTACTOE, players, games=12, seed=1, record=tmp_path / "spread.jsonl", playing=hall.play
    )
    assert spread.standings() == alone.standings()
    assert lines(tmp_path / "spread.jsonl") == lines(tmp_path / "alone.jsonl")
    assert len(lines(tmp_path / "spread.jsonl")) == 6


def test_a_grade_has_the_same_mistakes_with_and_without_search(hall, tmp_path):
    game, path = zermelo.game("connect:rows=3,cols=3,n=3"), tmp_path / "net.safetensors"
    write_model(trained(game.name, SMALL), path)
    player = zermelo.player(f"az:model={path},sims=5")
    alone, finished = grade(game, player, seed=2), []
    spread = grade(game, player, seed=2, finished=finished.append, asking=hall.ask)
    assert spread.sets == tuple(finished) == alone.sets
    assert alone.total.mistakes.results > 0
    assert alone.total.network_alone != alone.total.mistakes


def test_players_are_asked_in_positions_whose_moves_nobody_knows(hall):
    positions = [TICTACTOE.position("1 2").transformed(k % 8) for k in range(40)]
    assert positions[1].moves == ()
    paper = Paper(UCT, positions, seed=5)
    alone = [action for _, _, actions in mistakes.in_turn([paper]) for action in actions]
    spread = dict[int, list[int]]((first, actions) for _, first, actions in hall.ask([paper]))
    assert [action for first in sorted(spread) for action in spread[first]] == alone
    assert len(spread) == 2


def test_files_need_not_be_where_the_workers_are(cluster, tmp_path):
    path, source = tmp_path / "nim.safetensors", tmp_path / "nim.py"
    source.write_text(NIM.read_text())
    game = zermelo.game(f"{source}:heap=9")
    write_model(trained(game.name, SMALL), path)
    player = zermelo.player(f"az:model={path},sims=4")
    expected = moves(match(game, player, UCT, games=2))
    packer = Packer(cluster.ray.put)
    named = packer.game(game), packer.player(player)
    assert named[1].build() == player
    source.unlink()
    path.write_text("something else")
    there, built = named[0].build(), named[1].build()
    assert built.model != str(path)
    assert there.heap == 9
    assert moves(match(there, built, UCT, games=2)) == expected


@pytest.mark.parametrize("name", ["human", "gtp:gnugo --mode gtp"])
def test_people_and_programs_of_this_machine_do_not_play_on_workers(name):
    for words in (["match", "tictactoe", name, "random"], ["grade", "tictactoe", name]):
        assert f"`{name}` does not play on workers" in refused(*words, "--ray", "local")


def test_players_without_a_name_are_refused_at_once(hall, monkeypatch):
    class Own(Player):
        kind = "own"

        def choose(self, positions, seeds):
            return RANDOM.choose(positions, seeds)

    chosen = UctPlayer(sims=5, final=lambda result: 0)
    for player in (Own(), chosen):
        with pytest.raises(BadParameter, match=r"they build players by their names"):
            next(hall.play([Contest(TICTACTOE, RANDOM, player, 2, 0, 2)], lambda *_: None))
    monkeypatch.setitem(registry._registered, "own", Own)
    with pytest.raises(ClusterError, match="workers know no player `own`"):
        match(TICTACTOE, RANDOM, Own(), games=2, playing=hall.play)


def test_workers_are_for_ray():
    for words in (
        ["tournament", "tictactoe", "--with", "random", "--with", "uct"],
        ["grade", "tictactoe", "uct"],
    ):
        assert "give --ray local too" in refused(*words, "--workers", "2")


def test_commands_say_the_same_with_workers(cluster):
    def told(*words):
        return {**json.loads(succeed(*words, "--json")), "seconds": 0}

    for words in (
        ["match", "tictactoe", "uct:sims=20", "random", "--games", "20"],
        ["tournament", "tictactoe", "--with", "random", "--with", "uct:sims=20", "--games", "10"],
        ["grade", "connect:rows=1,cols=3,n=2", "random"],
    ):
        assert told(*words) == told(*words, "--ray", "local", "--workers", "2")


# From here on workers lose their lives.


def test_a_match_that_may_end_early_ends_with_the_same_game(hall):
    test = Sprt(0, 100)
    alone = sequential_match(TICTACTOE, UCT, RANDOM, test, games=200, batch=10)
    told = []
    spread = sequential_match(
        TICTACTOE, UCT, RANDOM, test, games=200, batch=10,
        progress=lambda positions: told.append(len(positions)), playing=hall.play,
    )  # fmt: skip
    assert (spread.verdict, moves(spread.match)) == (alone.verdict, moves(alone.match))
    assert max(told) == spread.match.games < 200


def test_what_a_tournament_has_played_is_kept_and_goes_on_without_workers(hall, tmp_path):
    path, players = tmp_path / "kept.jsonl", [RANDOM, UCT, PERFECT]

    def interrupt(done, who):
        if done >= 12 and not who:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament(TICTACTOE, players, games=12, record=path, progress=interrupt, playing=hall.play)
    (kept,) = lines(path)
    told = []
    result = tournament(
        TICTACTOE, players, games=12, record=path, progress=lambda *now: told.append(now), playing=in_turn
    )
    assert told[0] == (12, "")
    assert kept in lines(path)
    assert len(lines(path)) == 3
    assert result.standings() == tournament(TICTACTOE, players, games=12).standings()


def test_the_piece_of_a_worker_that_dies_is_done_again_and_counts_once(hall, tmp_path):
    path, died = tmp_path / "nim.py", tmp_path / "died"
    deadly = f"""
    def play(self, state, action):
        import os, signal
        if os.getpid() != {os.getpid()} and state[0] == 3:
            try:
                os.close(os.open({str(died)!r}, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
"""
    text = NIM.read_text()
    head, tail = text.split("\n    def play(self, state: State, action: int) -> State:\n")
    path.write_text(head + deadly + tail)
    game, spread = zermelo.game(str(path)), []
    result = match(game, UCT, RANDOM, games=30, playing=hall.play, progress=spread.append)
    assert died.exists()
    assert moves(result) == moves(match(game, UCT, RANDOM, games=30))
    assert len(spread) == 4
