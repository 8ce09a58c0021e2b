"""A client that we did not write: `@sabaki/gtp`, the one inside Sabaki, from npm."""

import json
import os
import shutil
import subprocess
import sys

import pytest

import zermelo
from zermelo.engines.vertices import Vertices

SCRIPT = """
const {Controller} = require('@sabaki/gtp')
const [python, game] = process.argv.slice(2)
const words = ['-m', 'zermelo', 'gtp', game, '--player', 'az:sims=30', '--seed', '1']
const engine = new Controller(python, words)

async function ask(name, ...args) {
  const {content, error} = await engine.sendCommand({name, args})
  if (error) throw new Error(`${name} ${args}: ${content}`)
  return content.trim()
}

async function main() {
  engine.start()
  const told = {name: await ask('name'), commands: (await ask('list_commands')).split('\\n'), moves: []}
  await ask('clear_board')
  for (let ply = 0; ; ply++) {
    const colour = 'bw'[ply % 2]
    const move = await ask('genmove', colour)
    if (move === 'resign' || move === 'pass') break
    told.moves.push(move)
  }
  told.score = await ask('final_score')
  told.board = await ask('showboard')
  told.unknown = (await engine.sendCommand({name: 'fly'})).error
  await ask('clear_board')
  const lines = []
  const analysis = engine.sendCommand({name: 'analyze', args: ['b', '5']}, ({line}) => lines.push(line))
  await new Promise(resolve => setTimeout(resolve, 1000))
  await ask('name')
  told.analysis = lines.filter(line => line.startsWith('info move')).length
  told.ended = !(await analysis).error
  await engine.stop()
  console.log(JSON.stringify(told))
}
main().catch(error => { console.error(error); process.exit(1) })
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A directory with the client in it, and a script that uses it."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed, so that the client of Sabaki cannot be tried")
    directory = tmp_path_factory.mktemp("sabaki")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "@sabaki/gtp@3.0.0"],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=120,
    )
    if done.returncode:
        pytest.skip(f"npm cannot install @sabaki/gtp here: {done.stderr.strip().splitlines()[-1:]}")
    (directory / "play.js").write_text(SCRIPT)
    return directory


@pytest.mark.parametrize("name", ["connect4", "tictactoe"])
def test_the_client_of_sabaki_drives_a_whole_game(client, name):
    done = subprocess.run(
        ["node", str(client / "play.js"), sys.executable, name],
        cwd=client,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    game = zermelo.game(name)
    position, vertices = game.position(), Vertices(game)
    for move in told["moves"]:
        position = position.play(vertices.action(position, move))
    assert position.is_over
    assert told["score"] == {0: "0", 1: "B+1", -1: "W+1"}[round(position.returns[0])]
    assert told["board"] == vertices.drawn(position).strip()
    assert told["name"] == "Zermelo"
    assert "lz-analyze" in told["commands"]
    assert told["unknown"] is True
    assert told["analysis"] >= 1
    assert told["ended"] is True
