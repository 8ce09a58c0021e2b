import json

import pytest

import zermelo
from cli.command import refused, run, succeed
from zermelo.network.architecture import Architecture
from zermelo.network.model import untrained, write_model


def test_json_has_what_scripts_rely_on():
    words = ["grade", "connect4", "random", "--sets", "end-easy", "middle-easy", "--json"]
    answer = json.loads(succeed(*words))
    assert list(answer) == ["game", "player", "sets", "total", "seconds"]
    assert (answer["game"], answer["player"]) == ("connect4", "random")
    assert [one["name"] for one in answer["sets"]] == ["end-easy", "middle-easy"]
    assert list(answer["sets"][0])[:4] == ["name", "positions", "result_mistakes", "best_mistakes"]
    total = answer["total"]
    assert list(total)[:4] == ["positions", "left_out", "result_mistakes", "best_mistakes"]
    assert (total["positions"], total["left_out"]) == (2000, 0)
    assert total["result_count"] == sum(one["result_count"] for one in answer["sets"])
    for one in (*answer["sets"], total):
        for what in ("result", "best"):
            assert one[f"{what}_mistakes"] == one[f"{what}_count"] / one["positions"]
            low, high = one[f"{what}_interval"]
            assert 0 <= low < one[f"{what}_mistakes"] < high <= 1


def test_text_is_a_table():
    done = run("grade", "connect4", "random", "--sets", "end-easy", "--sets", "middle-easy")
    assert done.stderr == "grading random ...\n"
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["random", "at", "connect4"]
    assert lines[1] == ["set", "positions", "result", "mistakes", "best", "mistakes"]
    assert [line[:2] for line in lines[2:5]] == [
        ["end-easy", "1,000"],
        ["middle-easy", "1,000"],
        ["total", "2,000"],
    ]


def test_the_network_alone_has_a_table_of_its_own(tmp_path):
    path = tmp_path / "net.safetensors"
    write_model(untrained(zermelo.game("tictactoe"), Architecture(blocks=1, filters=4)), path)
    lines = run("grade", "tictactoe", f"az:model={path},sims=20,threads=1").stdout.splitlines()
    begin = lines.index("its network alone")
    searched, alone = (line for line in lines if line.startswith("all "))
    assert begin < lines.index(alone)
    assert max(map(len, lines[1:])) <= 80
    shares = [float(line.split()[2].rstrip("%")) for line in (searched, alone)]
    assert shares[0] < shares[1]
    once = run("grade", "tictactoe", f"az:model={path},sims=0,threads=1").stdout
    assert "its network alone" not in once, "that is what was graded"


def test_a_file_with_bad_lines(tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("414141 18\n" + "x\n" * 14 + "# a comment\n\n41414\n")
    done = run("grade", "connect4", "perfect", "--positions", path, "--json")
    total = json.loads(done.stdout)["total"]
    assert (total["positions"], total["left_out"], total["result_mistakes"]) == (2, 14, 0)
    said = [line for line in done.stderr.splitlines() if str(path) in line]
    assert len(said) == 10
    assert said[0] == f"{path}, line 2: `x` is not legal in connect4; legal: 1 2 3 4 5 6 7"
    assert done.stderr.endswith("and 4 more lines\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["connect4", "nobody"], "no player is called `nobody`"),
        (["connect4"], "requires an argument"),
        (["connect4", "random", "--sets", "begin"], "has no set `begin`. Did you mean `begin-"),
        (
            ["connect4", "random", "--positions", "no-such-file"],
            "the positions of no-such-file cannot be read: No such file",
        ),
        (["connect4", "random", "--positions", "/dev/null"], "there is no position in /dev/null"),
        (["connect4", "random", "--positions", "docs"], "the positions of docs cannot be read"),
        (["gomoku", "random"], "200,000 positions follow after 15 moves). Grade positions near the end"),
        (["connect4", "az:model=nowhere"], "nowhere"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words, message):
    assert message in refused("grade", *words)
