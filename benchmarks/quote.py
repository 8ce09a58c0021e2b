"""Put the figures of results.jsonl into README and docs, where these quote them."""

from pathlib import Path

from zermelo.figures import filled, read_figures

ROOT = Path(__file__).parent.parent


def main():
    figures = read_figures(ROOT / "results.jsonl")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        before = path.read_text()
        after = filled(before, figures)
        if after != before:
            path.write_text(after)
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
