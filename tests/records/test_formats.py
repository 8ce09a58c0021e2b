"""Each format as its community writes it, byte by byte."""

import random
import struct

import pytest

import zermelo
from zermelo.errors import RecordError, UnknownName
from zermelo.records.formats import FORMATS, format_named, format_of_content
from zermelo.records.reading import read_bytes

# The shortest game in which White loses all discs.
WIPED_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
OPENING = "f5 d6 c3 d3 c4 f4"


def read(data, format, game=None):
    """Games and problems of a file."""
    problems = []
    data = data.encode() if isinstance(data, str) else data
    chosen = zermelo.game(game) if game else None
    games = list(read_bytes(data, "file", problems.append, format=FORMATS[format], game=chosen))
    return games, [str(problem) for problem in problems]


def read_one(data, format, game=None):
    games, problems = read(data, format, game)
    assert problems == []
    (one,) = games
    return one


def moves(one):
    return " ".join(one.position.move_names)


def game_with_passes():
    """A finished game of Othello with a pass in it."""
    game = zermelo.game("othello")
    for seed in range(100):
        position, chance = game.position(), random.Random(seed)
        while not position.is_over:
            position = position.play(chance.choice(position.legal_actions))
        if "pass" in position.move_names:
            return position
    raise AssertionError("there is no pass in 100 games")


PASSING = game_with_passes()


# JSON lines.


def test_json_lines_of_the_rest_of_the_package():
    line = '{"game": "tictactoe", "players": ["human", "uct"], "moves": ["5", "1"], "returns": null, '
    one = read_one(line + '"result": "unfinished", "date": "2026-01-31"}\n', "jsonl")
    assert (one.game, one.players, moves(one), one.returns) == (
        zermelo.game("tictactoe"), ("human", "uct"), "5 1", None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ('"moves": ["4", "8"]', "file, game 1, move 2: `8` is not legal; legal: 1 2 3 4 5 6 7"),
        ('"moves": ["4"], "search": [3]',
         "file, game 1, move 1: its `search` must be null or an object of at most 32 numbers"),
        ('"moves": ["4"], "search": []', "file, game 1: its `search` must have an entry for each move"),
        ('"moves": ["4"], "returns": [7, -7]', "file, game 1: its `returns` must lie between -1 and 1"),
        ('"game": "examples/nim.py"', "file, game 1: its game, `examples/nim.py`, is not known; "
         "--game can name a game file or one of another library"),
        ('"game": "gomoku:size=99"', "file, game 1: `size` (=99) of gomoku must be from 5 to 20"),
        ('"moves": ["1", "2", "1", "2", "1", "2", "1"], "returns": [-1, 1], "result": "player 2 wins"',
         "file, game 1: the game ends with player 1 wins, but the file says player 2 wins"),
        ('"moves": ["1", "2", "1", "2", "1", "2", "1", "3"]',
         "file, game 1, move 8: `3` is played after the end of the game"),
    ],
)  # fmt: skip
def test_json_lines_that_cannot_be(changed, problem):
    line = '{"game": "connect4", "players": ["a", "b"], "moves": [], "returns": null, "result": "", %s}'
    assert read(line % changed, "jsonl") == ([], [problem])


def test_a_file_never_makes_a_game_file_run(tmp_path):
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    line = '{"game": "%s", "players": ["a", "b"], "moves": [], "returns": null, "result": ""}'
    games, problems = read(line % (tmp_path / "evil.py"), "jsonl")
    assert (games, len(problems)) == ([], 1)
    assert not (tmp_path / "ran").exists()


def test_a_long_line_costs_itself_alone():
    good = '{"game": "connect4", "players": ["a", "b"], "moves": ["4"], "returns": null, "result": ""}'
    games, problems = read(good + "\n" + "x" * 3_000_000 + "\n" + good, "jsonl")
    assert ([one.number for one in games], problems) == (
        [1, 3], ["file, game 2: its line is longer than 1,048,576 bytes"],
    )  # fmt: skip


# SGF.


def test_sgf_of_gomoku_counts_columns_from_the_left_and_rows_from_the_top():
    one = read_one("(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob]DT[2020-02-02]RE[B+R];B[hh];W[ig];B[aa])", "sgf")
    assert (one.game.name, moves(one)) == ("gomoku", "h8 i9 a15")
    assert (one.players, one.date, one.returns) == (("Ann", "Bob"), "2020-02-02", (1.0, -1.0))
    assert one.result == "player 2 resigned"


def test_sgf_of_othello_as_edax_writes_it():
    """The first move stands beside the set-up, squares are written d3, and `PA` is a pass."""
    squares = "AB[e4][d5]AW[d4][e5]PL[B]"
    position, line = zermelo.game("othello").position(), []
    for name in PASSING.move_names:
        line.append(f"{'BW'[position.mover]}[{'PA' if name == 'pass' else name}];")
        position = position.play(name)
    one = read_one(f"(;FF[4]GM[2]AP[edax:4]PB[a]PW[b]SZ[8]{squares}{''.join(line)})", "sgf")
    assert one.moves == PASSING.moves


@pytest.mark.parametrize("written", ["", "[]", "[tt]", "[pass]"])
def test_sgf_of_othello_with_passes_in_any_way(written):
    position, line = zermelo.game("othello").position(), []
    for action in PASSING.moves:
        row, col = divmod(action, 8)
        point = f"[{chr(97 + col)}{chr(97 + row)}]" if action < 64 else written
        line += [f";{'BW'[position.mover]}{point}"] if point else []
        position = position.play(action)
    one = read_one(f"(;GM[2]SZ[8]{''.join(line)};B[];W[])", "sgf")  # both pass when all is over
    assert one.moves == PASSING.moves
    assert one.position.is_over


def test_sgf_in_which_white_begins():
    one = read_one("(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[W+];W[hh];B[ii])", "sgf")
    assert (one.players, one.returns, moves(one)) == (("Bob", "Ann"), (1.0, -1.0), "h8 i7")


def test_of_a_tree_the_first_line_is_the_game():
    assert moves(read_one("(;GM[4]SZ[15];B[hh](;W[ii];B[aa])(;W[hi]))", "sgf")) == "h8 i7 a15"


def test_sgf_of_other_games_says_which():
    one = read_one("(;RU[connect4]SZ[7:6];B[df];W[de];B[cf])", "sgf")
    assert (one.game.name, moves(one)) == ("connect4", "4 4 3")
    assert read_one("(;SZ[7:6];B[df];W[de])", "sgf", "connect4").game.name == "connect4"


def test_sgf_in_old_encodings():
    name = "".join(map(chr, (0x5F20, 0x4E09)))
    one = read_one(b"(;GM[4]SZ[15]CA[gbk]PB[" + name.encode("gbk") + b"])", "sgf")
    assert one.players[0] == name
    assert read_one("(;GM[4]SZ[15]PB[J\xfcrgen])".encode("latin-1"), "sgf").players[0] == "J\xfcrgen"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(;GM[2]SZ[8];B[fe];W[fe])", ", move 2: `fe` is not legal; legal: f4 d6 f6"),
        ("(;GM[2]SZ[8];B[fe];B[fd])", ", move 2: `fd` is a move of player 1, but player 2 is to move"),
        ("(;GM[2]SZ[8];B[])", ", move 1: `pass` is not legal; legal: d3 c4 f5 e6"),
        (
            "(;GM[1]SZ[19];B[aa])",
            ": its game, GM[1], is neither Othello (2) nor Gomoku (4), and RU names none",
        ),
        ("(;GM[4]SZ[7:9])", ": its board, SZ[7:9], must be a square"),
        ("(;GM[4]SZ[15]AB[hh];W[ii])", ": stones are set up that the rules do not put there"),
        ("(;GM[2]SZ[8];B[fe]", ": it is not SGF: unexpected end of SGF data"),
        ("(;GM[2]SZ[8]RU[othello:size=6])", ": its board, 8x8, is not that of othello:size=6"),
    ],
)
def test_sgf_that_cannot_be(text, problem):
    games, problems = read(text, "sgf")
    assert (games, problems) == ([], [f"file, game 1{problem}"])


def test_a_broken_game_of_sgf_costs_itself_alone():
    games, problems = read("(;GM[2]SZ[8];B[fe])(;GM[2;B[aa])(;GM[2]SZ[8];B[ef])", "sgf")
    assert [moves(one) for one in games] == ["f5", "e6"]
    assert len(problems) == 1


# psq.

PSQ = "Piskvorky 15x15, 11:11, {}\n8,8,0\n9,8,1250\n8,9\nfirst.zip\nsecond.zip\n-1\n0,Freestyle15_1\n"


def test_psq_counts_from_one_with_the_column_first_and_the_row_from_the_top():
    one = read_one(PSQ.format(0), "psq")
    assert (one.game.name, moves(one), one.players) == ("gomoku", "h8 i8 h7", ("first.zip", "second.zip"))
    assert one.search == (None, {"seconds": 1.25}, None)


def test_psq_says_which_of_the_players_began():
    assert read_one(PSQ.format(1), "psq").players == ("second.zip", "first.zip")


def test_psq_of_exactly_five():
    six = "Piskvorky 15x15, 11:11, 0\n" + "".join(
        f"{x},1,0\n{x},{3 + x % 2},0\n" for x in (1, 2, 3, 5, 6)
    )  # fmt: skip
    assert read_one(f"{six}4,1,0\n-1\n", "psq").result == "player 1 wins"
    assert read_one(f"{six}4,1,0\n-1\n", "psq", "gomoku:exact=1").result == "unfinished"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Piskvorky 15x15, 1:1, 0\n16,1,0\n", ", move 1: 16,1 is not on the board"),
        ("Piskvorky 15x14, 1:1, 0\n", ": its board, 15x14, is not a square"),
        ("Piskvorky 30x30, 1:1, 0\n", ": `size` (=30) of gomoku must be from 5 to 20"),
        ("Gomoku\n1,1,0\n", ": its first line must be like `Piskvorky 15x15, 11:11, 0`"),
        ("", ": its first line must be like `Piskvorky 15x15, 11:11, 0`"),
    ],
)
def test_psq_that_cannot_be(text, problem):
    assert read(text, "psq") == ([], [f"file, game 1{problem}"])


# WTHOR, by the layout that the docstring of the module tells.


def wthor(*games, count=None, side=8, kind=0, year=2018):
    """A file of games, each given as black's discs and its moves without passes."""
    head = struct.pack(
        "<4BIHH4B", 20, 19, 7, 27, len(games) if count is None else count, 0, year, side, kind, 24, 0
    )
    packed = b""
    for score, line in games:
        codes = bytes(10 * int(word[1]) + ord(word[0]) - 96 for word in line.split() if word != "pass")
        packed += struct.pack("<3H2B", 283, 2426, 1916, score, score) + codes.ljust(60, b"\0")
    return head + packed


def test_wthor_leaves_passes_out_and_we_put_them_in():
    first, second = zermelo.game("othello").discs(PASSING)
    empty = 64 - first - second
    score = 32 if first == second else first + empty if first > second else first
    one = read_one(wthor((score, " ".join(PASSING.move_names))), "wthor")
    assert one.moves == PASSING.moves
    assert (one.players, one.date) == (("WTHOR player 2426", "WTHOR player 1916"), "2018")


def test_wthor_gives_empty_squares_to_the_winner():
    assert read_one(wthor((64, WIPED_OUT)), "wthor").result == "player 1 wins"
    problem = "file, game 1: Black ends with 64 discs, but the file says 13"
    assert read(wthor((13, WIPED_OUT)), "wthor") == ([], [problem])


def test_wthor_of_games_that_were_broken_off():
    one = read_one(wthor((24, OPENING)), "wthor")
    assert (one.returns, one.result, one.position.is_over) == ((-1.0, 1.0), "player 2 wins", False)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (wthor((40, "f5 f5")), ", game 1, move 2: `f5` is not legal; legal: f4 d6 f6"),
        (wthor((40, "f5 i6")), ", game 1, move 2: byte 69 is not a square"),
        (wthor((65, "f5")), ", game 1: Black cannot have 65 discs of 64"),
        (wthor(side=9), ", game 1: byte 12 (=9) must be 8 (or 0) or 10, the size of the board"),
        (wthor(kind=1), ", game 1: it has endgames of one player, not games"),
        (wthor(count=2), ", game 1: the file was cut: it should have 2 games, and has 0"),
        (b"too short", ", game 1: a WTHOR file begins with 16 bytes; this one has 9"),
    ],
    ids=str,
)
def test_wthor_that_cannot_be(data, problem):
    games, problems = read(data, "wthor")
    assert (games, problems) == ([], [f"file{problem}"])


def test_an_impossible_game_of_wthor_is_left_out_and_the_rest_is_used():
    games, problems = read(wthor((64, WIPED_OUT), (40, "f5 f5"), (24, OPENING)), "wthor")
    assert [one.number for one in games] == [1, 3]
    assert [problem.partition(": ")[0] for problem in problems] == ["file, game 2, move 2"]


def test_wthor_is_written_as_it_is_laid_out():
    one = read_one(wthor((64, WIPED_OUT)), "wthor")
    data = FORMATS["wthor"].head(1, one) + FORMATS["wthor"].write(one)
    there = wthor((64, WIPED_OUT))
    assert data[4:16] == there[4:16]
    assert data[18:] == there[18:]  # we have no numbers of tournaments
    assert len(data) == 16 + 68


# GGF.

START = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"


def ggf(moves="B[F5//4.09]W[d6/-1.50/0.93]", start=START, kind="8", result="+6.000", more=""):
    told = f"PC[GGS/os]DT[2010.10.17_05:23:05.MDT]PB[ann]PW[bob]RB[1457.12]TI[15:00//02:00]TY[{kind}]"
    return f"(;GM[Othello]{told}RE[{result}]{more}{start}{moves};)"


def test_ggf():
    one = read_one("1 " + ggf(), "ggf")
    assert (one.players, one.date, moves(one)) == (("ann", "bob"), "2010-10-17", "f5 d6")
    assert (one.returns, one.search) == ((1.0, -1.0), ({"seconds": 4.09}, {"score": -1.5, "seconds": 0.93}))


def test_ggf_with_passes():
    position, line = zermelo.game("othello").position(), ""
    for name in PASSING.move_names:
        line += f"{'BW'[position.mover]}[{'PA' if name == 'pass' else name.upper()}]"
        position = position.play(name)
    assert read_one(ggf(line, result="?"), "ggf").moves == PASSING.moves


def test_figures_stay_with_their_moves_where_a_pass_is_put_in():
    position, line = zermelo.game("othello").position(), ""
    for number, name in enumerate(PASSING.move_names, 1):
        line += f"{'BW'[position.mover]}[{name}//{number}]" if name != "pass" else ""
        position = position.play(name)
    one = read_one(ggf(line, result="?"), "ggf")
    assert one.moves == PASSING.moves
    assert one.search == tuple(
        None if name == "pass" else {"seconds": number} for number, name in enumerate(PASSING.move_names, 1)
    )


def test_ggf_of_a_clock_that_ran_out():
    one = read_one(ggf(result="-64.00:t"), "ggf")
    assert (one.result, one.returns) == ("player 1 lost on time", (-1.0, 1.0))


def test_names_cannot_end_a_game_of_ggf():
    one = read_one("(;GM[2]SZ[8]PB[a(;b;)c\\]]PW[;)];B[fe])", "sgf")
    assert read_one(FORMATS["ggf"].write(one), "ggf").players == ("a( b )c", ")")


def test_a_komi_makes_another_lead():
    assert read_one(ggf(kind="8k", more="KM[+3.2]"), "ggf").returns is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (ggf("B[F5]W[F5]"), ", move 2: `F5` is not legal; legal: f4 d6 f6"),
        (ggf("B[F5]B[F4]"), ", move 2: `F4` is a move of player 1, but player 2 is to move"),
        (ggf("B[J5]"), ", move 1: `J5` is not a square"),
        (ggf(start=START.replace("O*---", "OO---")), ": it does not begin with the usual four discs"),
        (ggf(kind="8a"), ": it is a game of anti-Othello, which the player with fewer discs wins"),
        (ggf(kind="14"), ": its board has 14 squares to a side, which must be 4, 6, 8 or 10"),
        (ggf().replace("Othello", "Amazons"), ": its game, `Amazons`, is not Othello"),
        (ggf()[:-2], ": it does not end with ;)"),
        (ggf("B[F5"), ": `B[F5` is not like KEY[value]"),
        ("nothing", ": there is no game: each begins with (; and ends with ;)"),
    ],
    ids=str,
)
def test_ggf_that_cannot_be(text, problem):
    assert read(text, "ggf") == ([], [f"file, game 1{problem}"])


# Move strings.


def test_move_strings():
    games, problems = read("44\n# a remark\n\n1212121 -18\n4x\n", "moves")
    assert [moves(one) for one in games] == ["4 4", "1 2 1 2 1 2 1"]
    assert [one.result for one in games] == ["unfinished", "player 1 wins"]
    assert problems == ["file, game 3: `4x` is not a string of columns, such as 44435"]


def test_move_strings_of_a_full_column():
    assert read("4444444", "moves") == ([], ["file, game 1, move 7: `4` is not legal; legal: 1 2 3 5 6 7"])


def test_move_strings_of_other_boards():
    assert read_one("99", "moves", "connect:cols=9").game.name == "connect:cols=9"
    problem = "moves are single columns here, and othello has no board of 1 to 9 columns"
    assert read("44", "moves", "othello") == ([], [f"file, game 1: {problem}"])


# Which format.


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("a.SGF", b"", "sgf"),
        ("WTH_2018.wtb", b"", "wthor"),
        ("a.txt", b"4443", "moves"),
        ("a.txt", b"\n (;GM[4]SZ[15])", "sgf"),
        ("a.txt", ggf().encode(), "ggf"),
        ("a", PSQ.encode(), "psq"),
        ("a", b'{"game": 1}', "jsonl"),
        ("a", wthor((24, OPENING)), "wthor"),
    ],
)
def test_formats_are_found(name, data, format):
    assert format_of_content(name, data).name == format


def test_formats_that_are_none():
    with pytest.raises(
        RecordError, match=r"a\.txt has none of the formats jsonl psq ggf sgf moves wthor; --from"
    ):
        format_of_content("a.txt", b"something else")
    with pytest.raises(UnknownName, match=r"no format of records is called `sfg`\. Did you mean `sgf`\?"):
        format_named("sfg")
