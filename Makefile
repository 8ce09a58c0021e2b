# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
# Without bytecode on disk every process compiles what it imports anew, and tests begin many.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test test-slow compiled lint bench seeds grade-shipped screenshots docs clean

INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt

setup: .venv/.installed

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Zermelo needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Creating .venv ..."
	@$(PYTHON) -m venv .venv

# What learning and the browser need.
.venv/.trains: pyproject.toml constraints.txt | .venv/pyvenv.cfg
	@echo "Installing Zermelo, PyTorch among it (1.3 GB; a minute or two, once) ..."
	@$(INSTALL) -e '.[train,web]'
	@touch $@

# All of it: Ray, other libraries of games, and what tests and documentation need.
.venv/.installed: pyproject.toml constraints.txt | .venv/pyvenv.cfg
	@echo "Installing Zermelo and everything it can use (2.4 GB, PyTorch and Ray among it; a few minutes, once) ..."
	@$(INSTALL) -e '.[all]'
	@touch .venv/.trains $@

demo: .venv/.trains
	@$(BIN)/python examples/demo.py

test: setup
	@$(MAKE) --no-print-directory -j2 lint compiled docs
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" --durations=10

test-slow: setup
	$(BIN)/python -m pytest -n auto -m slow

# What most tests need, once: else every worker of theirs would compile it at the same time.
compiled: setup
	@$(BIN)/zermelo match connect4 az:sims=2 minimax:depth=1 --games 2 > /dev/null

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/all.py

seeds: setup
	$(BIN)/python examples/seeds/thesis_figures.py
	$(BIN)/python examples/seeds/positions.py
	$(BIN)/python examples/seeds/connect4_matches.py
	$(BIN)/python examples/seeds/search_time.py

grade-shipped: setup
	$(BIN)/python benchmarks/shipped.py grade

screenshots: setup
	$(BIN)/python tests/web/screenshots.py

docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
