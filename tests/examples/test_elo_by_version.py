"""Figure 8 of seed 002, small."""

import re
import runpy
import sys

import torch


def test_versions_are_rated_beside_the_figures_of_the_text(tmp_path, monkeypatch, capsys):
    threads = torch.get_num_threads()
    script = runpy.run_path("examples/seeds/elo_by_version.py")
    try:
        torch.set_num_threads(1)
        script["main"](["--quick", "--out", str(tmp_path)])
    finally:
        torch.set_num_threads(threads)
    text = capsys.readouterr().out
    assert len(re.findall(r"^round \d", text, re.M)) == 5
    assert re.findall(r"^version (\d) ", text, re.M) == list("012345")
    assert re.search(r"version 0 +100 +100 to 100 +\(100\) +100\n", text)
    assert re.search(r"fitted increase per version +-?\d+ +408\n", text)
    assert re.search(r"least increase, for theta 1.3 \(63\) +105 +105\n", text)
    assert (tmp_path / "elo_by_version.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "elo_by_version.svg").read_text()
    script["main"](
        ["--run", str(tmp_path / "elo-quick"), "--games", "6", "--sims", "4", "--out", str(tmp_path)]
    )
    assert capsys.readouterr().out == text[text.index("\ntictactoe") :]
    assert "matplotlib.pyplot" not in sys.modules
