"""Our side of GTP, command by command."""

import re

import pytest

import zermelo
from engines.talking import Listed, Patient
from zermelo.engines.gtp import GtpServer
from zermelo.engines.vertices import Vertices
from zermelo.errors import UnsuitableGame


def talk(game, *texts, player="uct:sims=50", patience=0):
    """The answers to these lines; each comes when so much has been written since the one before."""
    answers = []
    lines = Patient(texts, answers, patience) if patience else Listed(texts)
    server = GtpServer(zermelo.game(game), zermelo.player(player), 0, lines, answers.append)
    server.run()
    return [part.rstrip() for part in "".join(answers).split("\n\n") if part.strip()]


def test_administrative_commands():
    answers = talk(
        "tictactoe", "protocol_version", "name", "version", "known_command genmove", "known_command x"
    )
    assert answers == ["= 2", "= Zermelo", f"= {zermelo.__version__}", "= true", "= false"]
    (listed,) = talk("tictactoe", "list_commands")
    standard = """protocol_version name version known_command list_commands quit boardsize clear_board komi
        play genmove reg_genmove undo showboard time_settings time_left loadsgf final_score analyze"""
    assert set(standard.split()) <= set(listed[2:].split("\n"))


def test_numbers_comments_and_blanks_as_the_standard_has_them():
    lines = ["7 name", "  12\tname  # a remark", "# only a remark", "", "007 version", "8", "\x07name"]
    assert talk("tictactoe", *lines) == [
        "=7 Zermelo", "=12 Zermelo", f"=007 {zermelo.__version__}", "?8 no command", "= Zermelo",
    ]  # fmt: skip


def test_it_ends_with_quit_and_reads_nothing_after_it():
    assert talk("tictactoe", "1 quit", "2 name") == ["=1"]


def test_errors_say_what_is_wrong():
    answers = talk(
        "tictactoe", "1 fly", "2 play b", "3 play x a1", "4 play b z9", "5 play w a1", "6 undo",
        "7 final_score", "8 boardsize 99", "9 komi much", "10 loadsgf nowhere.sgf",
    )  # fmt: skip
    assert [answer.split(" ")[0] for answer in answers] == [f"?{number}" for number in range(1, 11)]
    assert answers[0] == "?1 unknown command"
    assert answers[3].startswith("?4 z9 is not legal; legal: A3 B3 C3")
    assert answers[4] == "?5 it is the turn of black"


def test_letters_leave_out_i():
    """H8 is the middle of a board of 15; the ninth column is J."""
    game = zermelo.game("gomoku")
    vertices, start = Vertices(game), game.position()
    assert vertices.vertex(start, start.parse("h8")) == "H8"
    assert vertices.vertex(start, start.parse("i9")) == "J9"
    assert vertices.action(start, "p15") == start.parse("o15")
    columns = {vertices.vertex(start, action)[0] for action in start.legal_actions}
    assert "".join(sorted(columns)) == "ABCDEFGHJKLMNOP"


def test_stones_that_fall_are_named_by_where_they_lie():
    answers = talk("connect4", "play b d1", "play w D2", "play b D2", "showboard")
    assert answers[:2] == ["=", "="]
    assert answers[2].startswith("? D2 is not legal")
    assert answers[3] == (
        "= \n  A B C D E F G\n6 . . . . . . . 6\n5 . . . . . . . 5\n4 . . . . . . . 4\n3 . . . . . . . 3\n"
        "2 . . . O . . . 2\n1 . . . X . . . 1\n  A B C D E F G"
    )


def test_rows_of_othello_are_counted_from_the_top_as_its_players_do():
    (board,) = talk("othello:size=4", "showboard")
    assert board.splitlines()[1:] == [
        "  A B C D",
        "1 . . . . 1",
        "2 . O X . 2",
        "3 . X O . 3",
        "4 . . . . 4",
        "  A B C D",
    ]
    assert talk("othello", "play b d3", "play w c3") == ["=", "="]


def test_a_forced_pass_may_be_left_out_or_said():
    """On a board of 4x4 the second player soon has no move."""
    game = zermelo.game("othello:size=4")
    position, moves = game.position(), []
    vertices = Vertices(game)
    random = zermelo.player("random")
    for seed in range(200):
        position = game.position()
        while not position.is_over and position.legal_actions != (16,):
            position = position.play(random.choose([position], [seed])[0])
        if not position.is_over:
            break
    one, moves = position, []
    while one.before is not None:
        moves.append(f"play {'bw'[one.before.mover]} {vertices.vertex(one.before, one.last_action)}")
        one = one.before
    waiting, other = "bw"[position.mover], "bw"[1 - position.mover]
    said = talk("othello:size=4", *moves[::-1], f"genmove {waiting}", f"genmove {other}")
    left_out = talk("othello:size=4", *moves[::-1], f"genmove {other}")
    assert said[-2] == "= pass"
    assert said[-1] == left_out[-1]
    assert said[-1][2:] != "pass"


def test_a_game_that_is_won_is_scored_and_asked_about():
    moves = ["play b a1", "play w a2", "play b b1", "play w b2", "play b c1"]
    answers = talk(
        "tictactoe", *moves, "final_score", "genmove w", "genmove b", "play w c3", "undo", "final_score"
    )
    assert answers[5:8] == ["= B+1", "= resign", "= pass"]
    assert answers[8].endswith("the game is over")
    assert answers[9] == "="
    assert "not over" in answers[10]


def test_othello_is_scored_by_discs():
    game = zermelo.game("othello:size=4")
    vertices, position, lines = Vertices(game), game.position(), []
    while not position.is_over:
        action = position.legal_actions[0]
        lines.append(f"play {'bw'[position.mover]} {vertices.vertex(position, action)}")
        position = position.play(action)
    cells = game.cells(position)
    lead = cells.count(1) - cells.count(2)
    assert lead != 0
    assert talk("othello:size=4", *lines, "final_score")[-1] == f"= {'B' if lead > 0 else 'W'}+{abs(lead)}"


def test_it_takes_the_win_and_undo_takes_it_back():
    moves = ["play black a1", "play White a2", "play B b1", "play w b2"]
    answers = talk(
        "tictactoe", *moves, "reg_genmove b", "genmove b", "undo", "genmove b", player="uct:sims=500"
    )
    assert answers[4:] == ["= C1", "= C1", "=", "= C1"]


def test_the_board_takes_other_sizes_where_the_game_does():
    answers = talk(
        "gomoku:size=8", "boardsize 9", "play b j9", "boardsize 4", "rectangular_boardsize 9 8", "play w j8"
    )
    assert answers[:2] == ["=", "="]
    assert answers[2].startswith("? unacceptable size: `size` (=4) of gomoku must be from 5 to 20")
    assert answers[3].startswith("? unacceptable size: the board of gomoku:size=9 has 9 columns and 9 rows")
    assert answers[4] == "="
    assert talk("connect4", "rectangular_boardsize 7 6", "boardsize 8 7", "play b h1") == ["=", "=", "="]
    refused = talk("connect4", "rectangular_boardsize 5 4", "genmove b", player="az:sims=5")
    assert refused[0].startswith("? unacceptable size: ")
    assert refused[1].startswith("= ")


INFO = re.compile(
    r"(info move [A-Z]\d+ visits \d+ winrate \d{1,5} prior \d{1,5} lcb \d{1,5} order \d+ pv( [A-Z]\d+)+ ?)+"
)


@pytest.mark.parametrize("command", ["analyze b 5", "lz-analyze 5", "lz-analyze b interval 5 maxmoves 2"])
def test_an_analysis_streams_until_the_next_line(command):
    player = "uct" if "maxmoves" in command else "az"  # who tries every move
    answer, name = talk("connect4", f"3 {command}", "name", player=player, patience=4)
    first, *lines = answer.splitlines()
    assert first == "=3"
    assert len(lines) == 3
    assert all(INFO.fullmatch(line) for line in lines)
    assert lines[-1].startswith("info move D1 ")  # the middle is best
    if "maxmoves" in command:
        assert lines[-1].count("info") == 2
    else:
        first, *_, last = (sum(map(int, re.findall(r"visits (\d+)", line))) for line in lines)
        assert last > first
    assert name == "= Zermelo"


def test_an_analysis_of_what_is_known_waits_for_the_next_line_too():
    """Three in a column: the fourth wins at once, for whoever is to move."""
    moves = [f"play {colour} {column}{row}" for row in (1, 2, 3) for colour, column in ("bd", "wa")]
    *_, won, lost, name = talk(
        "connect4", *moves, "analyze b 5", "analyze w 5", "name", player="az", patience=2
    )
    assert re.fullmatch(r"=\ninfo move D4 visits \d+ winrate 10000 prior \d+ lcb \d+ order 0 pv D4.*", won)
    assert lost == "? it is the turn of black"
    assert name == "= Zermelo"


def test_a_move_with_an_analysis():
    (answer,) = talk("connect4", "lz-genmove_analyze b 1", player="az:sims=200")
    first, *lines, last = answer.splitlines()
    assert first == "="
    assert all(INFO.fullmatch(line) for line in lines)
    assert last == "play D1"


def test_players_without_a_tree_offer_no_analysis():
    assert talk("tictactoe", "known_command analyze", "analyze b 5", player="random") == [
        "= false",
        "? unknown command",
    ]


def test_a_player_that_cannot_keep_time_says_so():
    assert talk("tictactoe", "time_settings 0 1 1", player="perfect") == ["? perfect cannot keep time"]


SGF = "(;FF[4]GM[4]SZ[8];B[dd];W[ee];B[de];W[ed])"


def test_a_game_is_loaded_from_sgf(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(SGF)
    answers = talk("gomoku:size=8", f"loadsgf {path}", "showboard", f"loadsgf {path} 3", "showboard")
    assert answers[0] == answers[2] == "="
    assert answers[1].splitlines()[5:7] == ["5 . . . X O . . . 5", "4 . . . X O . . . 4"]
    assert answers[3].splitlines()[5:7] == ["5 . . . X . . . . 5", "4 . . . . O . . . 4"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not a game", "there is no game"),
        ("(;B[dd];W[dd])", "move 2: `dd` is not legal"),
        ("(;AB[dd];W[ee])", "stones are set up that the rules do not put there"),
    ],
)
def test_what_cannot_be_loaded_leaves_the_board_alone(tmp_path, text, message):
    path = tmp_path / "game.sgf"
    path.write_text(text)
    answers = talk("gomoku:size=8", "play b a1", f"loadsgf {path}", "play w a2")
    assert message in answers[1]
    assert answers[2] == "="


def test_games_of_openspiel_whose_moves_are_cells():
    answers = talk(
        "openspiel:go(board_size=5)", "play b c3", "play w pass", "genmove b", player="uct:sims=2"
    )
    assert answers[:2] == ["=", "="]
    assert re.fullmatch(r"= ([A-E][1-5]|pass)", answers[2])


@pytest.mark.parametrize("game", ["examples/nim.py", "openspiel:breakthrough"])
def test_games_without_a_board_are_refused(game):
    with pytest.raises(UnsuitableGame, match="has no board"):
        talk(game, "name")
