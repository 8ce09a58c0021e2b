"""Plain Python against compiled rules: the two files that `zermelo new` writes hold the same game.

python benchmarks/templates.py
"""

import json
import subprocess
import sys
import tempfile


def zermelo(*words, **options):
    command = [sys.executable, "-m", "zermelo", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def main():
    with tempfile.TemporaryDirectory() as directory:
        for name, options in (("plain", []), ("compiled", ["--compiled"])):
            zermelo("new", f"{name}game", *options, cwd=directory)
            found = json.loads(zermelo("bench", f"{name}game.py", "--json", cwd=directory))
            print(json.dumps({"figure": name, **found}), flush=True)


if __name__ == "__main__":
    main()
