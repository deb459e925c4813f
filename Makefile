# make run: from nothing to a word judge on http://127.0.0.1:8000   make test: the whole suite
# make curate: the curators' console on http://localhost:8010         make bench: every figure of README, side by side
# make lint: ruff and mypy

PYTHON ?= python3
BIN := .venv/bin

.PHONY: run curate test bench lint lock clean redis-server chromium nginx ip systemd-analyze

run: .venv/run
	$(BIN)/ordws init --if-missing
	$(BIN)/ordws-build fetch
	$(BIN)/ordws-build run
	$(BIN)/ordws serve

curate: .venv/run
	$(BIN)/ordws init --if-missing
	$(BIN)/ordws curate

test: .venv/all redis-server chromium nginx ip systemd-analyze
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(PYTEST)

bench: .venv/all
	$(BIN)/ordws-build fetch
	$(BIN)/python -m tests.benchmarks

lint: .venv/all
	$(BIN)/ruff check .
	$(BIN)/mypy

# Two locks, so that serving installs no test tools; both name every package by version and digest.
.venv/run: requirements-run.lock pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-run.lock
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

.venv/all: requirements.lock .venv/run
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "ordws: error: Python 3.11 or newer is needed"; echo "ordws: hint: make PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "installing python3-venv"; apt-get update -q && apt-get install -y -q python3-venv; } || \
	  { echo "ordws: error: Python's venv module is missing"; echo "ordws: hint: apt-get install python3-venv"; exit 2; }
	$(PYTHON) -m venv .venv

# The meters of several hosts are tested on a real server, Redis or Valkey.
redis-server:
	@command -v redis-server >/dev/null || command -v valkey-server >/dev/null || \
	  { echo "installing redis-server"; apt-get update -q && apt-get install -y -q redis-server; } || \
	  { echo "ordws: error: neither redis-server nor valkey-server is installed"; \
	    echo "ordws: hint: apt-get install redis-server"; exit 2; }

# The console is tested in a real browser.
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	  { echo "installing chromium"; apt-get update -q && apt-get install -y -q --no-install-recommends chromium; } || \
	  { echo "ordws: error: Chromium is not installed"; echo "ordws: hint: apt-get install chromium"; exit 2; }

# The proxy that deploy/ describes, hosts of their own for it, and what checks its unit.
nginx ip systemd-analyze: PACKAGE = $(subst ip,iproute2,$(subst systemd-analyze,systemd,$(subst nginx,nginx-light,$@)))
nginx ip systemd-analyze:
	@command -v $@ >/dev/null || test -x /usr/sbin/$@ || \
	  { echo "installing $(PACKAGE)"; apt-get update -q && apt-get install -y -q --no-install-recommends $(PACKAGE); } || \
	  { echo "ordws: error: $@ is not installed"; echo "ordws: hint: apt-get install $(PACKAGE)"; exit 2; }

# After a change of dependencies in pyproject.toml: pip install uv, then make lock.
lock:
	uv pip compile pyproject.toml --extra build --extra curate --group lock --universal --generate-hashes --python-version 3.11 \
	  --no-header -q -o requirements-run.lock
	uv pip compile pyproject.toml --all-extras --group dev --universal --generate-hashes --python-version 3.11 \
	  --no-header -q -c requirements-run.lock -o requirements.lock

clean:
	rm -rf .venv build *.egg-info
