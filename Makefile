# Everything here sets itself up: a machine with Python 3.11 or later and make is enough. `make` lists what there is.

# The first of these that is Python 3.11 or later makes .venv; `make lab PYTHON=/path/to/python` uses that one.
PYTHON ?= python3 python3.13 python3.12 python3.11

# Put after the command: `make lab LAB_ARGS="--no-browser --port 8890"`, `make test PYTEST_ARGS="-k chain"`.
LAB_ARGS ?=
APP_ARGS ?=
PYTEST_ARGS ?=
BENCH_ARGS ?=
LOOKS_ARGS ?=

# Tests run in so many processes at once. The browser tests share one of them, which often waits.
JOBS ?= 3

BIN := .venv/bin
NOTEBOOKS = $(sort $(shell find notebooks -name '*.ipynb' -not -path '*/.*'))

# The JupyterLab in .venv neither looks for news and updates nor asks whether it may.
NO_NEWS := .venv/etc/jupyter/labconfig/page_config.json

.DEFAULT_GOAL := help
.PHONY: help lab app test quick check looks bench notebooks atlas studies catalogue docs clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

lab: .venv/.lab $(NO_NEWS)  ## open the notebooks in JupyterLab
	$(BIN)/python -m tradekit lab --dir notebooks -- $(LAB_ARGS)

app: .venv/.lab  ## serve explorer, tables and lab as pages of their own, with Voila
	$(BIN)/python -m tradekit app -- $(APP_ARGS)

# The second run follows even if the first one fails, so that one look tells everything that is wrong.
test: .venv/.test  ## run all tests: the library's, its doctests, the browser's, then every notebook
	@status=0; \
	$(BIN)/python -m pytest -n $(JOBS) --no-loadscope-reorder $(PYTEST_ARGS) || status=$$?; \
	$(BIN)/python -m pytest -n $(JOBS) --dist loadscope --nbval-lax --nbval-current-env --nbval-cell-timeout=60 \
	    --nbval-sanitize-with tests/nbval_sanitize.cfg notebooks || status=$$?; \
	exit $$status

quick: .venv/.test  ## run the library's tests quickly: no browser, no notebooks, nothing long, few of the examples and parameters
	$(BIN)/python -m pytest -n $(JOBS) --no-loadscope-reorder -m "not browser and not long" \
	    --hypothesis-profile quick tests $(PYTEST_ARGS)

check: .venv/.dev  ## look at style (ruff) and types (mypy), changing nothing
	@status=0; \
	$(BIN)/ruff check || status=1; \
	$(BIN)/ruff format --check || status=1; \
	$(BIN)/mypy || status=1; \
	exit $$status

looks: .venv/.test  ## draw every page in both themes and at three widths, to look at: build/looks/
	$(BIN)/python tests/looks.py $(LOOKS_ARGS)

bench: .venv/.bench  ## measure speed beside other libraries, in one run
	$(BIN)/python -m pytest benchmarks --benchmark-only -W default $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.kernels

notebooks: .venv/.lab  ## run all notebooks afresh and keep their outputs
	$(BIN)/python -m nbconvert --to notebook --inplace --execute --ExecutePreprocessor.timeout=60 \
	    --ExecutePreprocessor.record_timing=False --ExecutePreprocessor.store_widget_state=False $(NOTEBOOKS)
	$(BIN)/python -m nbconvert --inplace --coalesce-streams $(NOTEBOOKS)  # what was printed in one go or in two

atlas: .venv/.lab  ## compute the atlas of exchanges again, in a minute or two
	$(BIN)/python -m tradekit.bazar.atlases data/bazar

studies: .venv/.lab  ## play the studies of data/studies again, in some minutes
	$(BIN)/python -m tradekit.studies

docs: .venv/.docs  ## build the documentation site, build/docs/index.html; a warning is an error
	$(BIN)/python -m sphinx -W --keep-going -q -c docs -d build/doctrees . build/docs

catalogue: .venv/.lab  ## take new messages into the Spanish catalogue and compile it; says what is to be translated
	$(BIN)/python tests/catalogue.py

clean:  ## remove .venv, caches and what was built
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

# --- set-up: one stamp for each set of extras, made again when the project's requirements change --------------

.venv/.lab: EXTRAS = lab
.venv/.test: EXTRAS = lab,test
.venv/.dev: EXTRAS = lab,dev
.venv/.bench: EXTRAS = bench
.venv/.docs: EXTRAS = docs

.venv/.lab .venv/.test .venv/.dev .venv/.bench .venv/.docs: pyproject.toml setup.py | $(BIN)/python
	@echo "Setting up .venv for '$(EXTRAS)': a minute or three, this once."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

$(NO_NEWS): | .venv/.lab
	@mkdir -p $(@D)
	@echo '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}' > $@

$(BIN)/python:
	@for python in $(PYTHON); do \
	  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  $$python -m venv .venv && exit 0; \
	  rm -rf .venv; failed="$$failed $$python"; \
	done; \
	if [ -n "$$failed" ]; then \
	  echo "No virtual environment could be made with$$failed: its venv or pip is missing." >&2; \
	  echo "On Debian and Ubuntu: sudo apt-get install python3-venv   On Fedora: sudo dnf install python3-pip" >&2; \
	else \
	  echo "tradekit needs Python 3.11 or later; tried: $(PYTHON)." >&2; \
	  echo "Name another one so: make PYTHON=/path/to/python lab" >&2; \
	fi; \
	exit 1
