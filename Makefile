# make run: from nothing to a word judge on http://127.0.0.1:8000   make test: the suite, test-all: with its long trials
# make curate: the curators' console on http://localhost:8010         make bench: every figure of docs/reference/benchmarks.md
# make lint: style and types      make coverage: branch coverage       make style-report: names, citations, size
# make capacity, overload, soak, badclients, slowcrowd, besidepractice, crowdedpages (tests/load), faults (tests/faults): the service under load and failures

PYTHON ?= python3
BIN := .venv/bin
# Two processes more than there are processors, for tests wait much: for browsers, disks and servers that start.
TESTERS := $(shell nproc | awk '{ print ($$1 < 4 ? $$1 : 3) + 2 }')
ALONE := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -o tmp_path_retention_policy=failed
SUITE := $(ALONE) --numprocesses $(TESTERS) --dist loadfile --no-loadscope-reorder

.PHONY: tournament-weekend run curate test test-all coverage style-report bench guard-bench stream-bench tournament-bench fairplay-bench fairplay-event benchmarks-page pictures play-trace capacity overload soak badclients slowcrowd besidepractice crowdedpages faults play-faults computer-bench computer-values several-hosts lint generate lock clean gcc redis-server chromium nginx ip systemd-analyze promtool

run: .venv/run
	$(BIN)/ordws init --if-missing --visitors
	$(BIN)/ordws-build fetch
	$(BIN)/ordws-build run
	$(BIN)/ordws serve

curate: .venv/run
	$(BIN)/ordws init --if-missing
	$(BIN)/ordws curate

# Hundreds of servers and browsers share the processors here: what fails beside the others has to pass by itself, and a
# failure of one time stays in the output, to be mended.
test: gcc .venv/all redis-server chromium nginx ip systemd-analyze
	@rm -f .venv/pytest/v/cache/lastfailed
	$(SUITE) $(PYTEST) || { test $$? = 1 && echo "What failed beside the others, once more by itself:" && \
	  $(ALONE) --verbose --last-failed --last-failed-no-failures none $(PYTEST); }

# The same, and the long trials: kills, whole games and events in browsers, every page at every width. Before a release.
test-all: PYTEST += --all
test-all: promtool test

# Two hosts over a cluster of three nodes, a proxy in front, and a third host: docs/several-hosts.md, typed block by block.
several-hosts: .venv/all redis-server nginx
	$(BIN)/python -m pytest -q tests/deploy/test_several_hosts.py

bench: .venv/all
	$(BIN)/ordws-build fetch
	PYTHONPATH=tests $(BIN)/python -m tests.benchmarks

# What attackers learn and honest players notice, in an hour. An own policy, or less: POLICY=settings.toml GUARD="--quick".
guard-bench: .venv/all
	@$(BIN)/python -m tests.mining $(if $(POLICY),--policy "$(POLICY)") $(GUARD)

# Ten thousand streams on one process: memory, processor, how fast a row reaches a player, and a cut of all of them.
stream-bench: .venv/all
	PYTHONPATH=tests $(BIN)/python -m tests.benchmarks.stream

# Drafts of tournaments: time, quality beside lots and Swiss pairing, repeats; ranks; kills. Parts: TOURNAMENT="quality".
tournament-bench: .venv/all
	PYTHONPATH=tests $(BIN)/python -m tests.benchmarks.tournament $(TOURNAMENT)

# The move generator against its oracle, and the statistics of fair play. Parts alone: FAIRPLAY="agreement speed".
fairplay-bench: .venv/all
	$(BIN)/ordws-build fetch
	PYTHONPATH=tests $(BIN)/python -m tests.benchmarks.fairplay $(FAIRPLAY)

# A weekend with everything that goes wrong at one, in browsers: 24 players, 8 rounds, two directors, a power cut.
tournament-weekend: .venv/all chromium
	PYTHONPATH=tests:tests/desk $(BIN)/python -m weekend

# A season of events of simulated players, from games to the register: who was found, and after how many turns.
fairplay-event: .venv/all
	PYTHONPATH=tests $(BIN)/python -m tests.benchmarks.fairplay_event --json fairplay-event.json

# The strengths of the computer player against each other, and the time of a turn. Less: COMPUTER="dover --pairs 20".
computer-bench: .venv/all
	$(BIN)/ordws-build fetch
	PYTHONPATH=tests $(BIN)/python -m tests.benchmarks.computer $(COMPUTER)

# The values of leaves by which the computer player plays, learned by self-play anew. More: VALUES="--games 1000".
computer-values: .venv/all
	$(BIN)/ordws-build fetch
	PYTHONPATH=tests $(BIN)/python -m tests.benchmarks.computer_values $(VALUES)

# Records what bench, capacity, soak, overload, badclients, slowcrowd, besidepractice and crowdedpages left, and writes both
# pages of benchmarks anew.
benchmarks-page: .venv/all
	PYTHONPATH=tests $(BIN)/python -m tests.benchmarks.page

# Draws the pictures of the pages in docs/pictures anew.
pictures: .venv/all chromium
	PYTHONPATH=.:tests:tests/pages:tests/desk $(BIN)/python -m draw_pictures

# The tasks of the playing page while tiles are dragged on a slow phone.
play-trace: .venv/all chromium
	PYTHONPATH=.:tests:tests/pages $(BIN)/python -m tests.benchmarks.play_trace

# What they take beyond that in LOAD, as in LOAD="--minutes 5".
capacity overload soak badclients slowcrowd besidepractice crowdedpages: .venv/all nginx
	PYTHONPATH=tests $(BIN)/python -m tests.load $@ $(LOAD)

# Workers, Redis and the whole host killed fifty times each under load.
faults: .venv/all redis-server
	PYTHONPATH=tests $(BIN)/python -m tests.faults kill --times 50

# Two hundred games on line, with a lost network, a sleeping player or a killed worker in each; clocks near and far.
play-faults: .venv/all
	PYTHONPATH=tests $(BIN)/python -m tests.faults play --times 200

lint: .venv/all
	$(BIN)/python clients/generate.py --check && $(BIN)/python docs/reference/generate.py --check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/oxlint --deny-warnings

# What follows from the requests and replies of ordws/api, and from commands, settings and metrics: the types of both
# clients, the Python client without asyncio, and the pages of docs/reference.
generate: .venv/all
	$(BIN)/python clients/generate.py && $(BIN)/python docs/reference/generate.py

# What the tests reach in their own processes and in the commands they run. Servers refuse to run under a tracer, and the
# compiled form of the engine cannot be traced.
coverage: gcc .venv/all redis-server chromium nginx ip systemd-analyze
	rm -f ordws/rules/*.so ordws/movegen/*.so .coverage .coverage.*
	ORDWS_COMPILE=0 ORDWS_COVERAGE=1 $(SUITE) --cov --cov-report= --cov-fail-under=0 $(PYTEST); rm -f .venv/run
	$(BIN)/coverage combine -q --append; $(BIN)/coverage report --skip-covered

style-report: .venv/all
	$(BIN)/python -m tests.style_report

# Two locks, so that serving installs no test tools; both name every package by version and digest. uv takes an eighth of
# the time of pip, which takes its place where uv finds no index: it reads no settings of pip.
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
LOCKED := --no-deps --require-hashes
.venv/packages: requirements-run.lock requirements-uv.lock | .venv/bin/python
	$(PIP) $(LOCKED) -r requirements-uv.lock
	$(BIN)/uv pip install -q --compile-bytecode --python $(BIN)/python $(LOCKED) -r $< || $(PIP) $(LOCKED) -r $<
	touch $@

# What is compiled of rules and movegen lies beside its source and would shadow it: it is made anew after any change.
.venv/run: .venv/packages pyproject.toml setup.py $(wildcard ordws/rules/*.py ordws/movegen/*.py)
	rm -rf build ordws/rules/*.so ordws/movegen/*.so
	PYTHONWARNINGS=ignore $(PIP) --no-deps --no-build-isolation -e .
	touch $@

.venv/all: requirements.lock .venv/packages | .venv/run
	$(BIN)/uv pip install -q --python $(BIN)/python $(LOCKED) -r $< || $(PIP) $(LOCKED) -r $<
	touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "ordws: error: Python 3.11 or newer is needed"; echo "ordws: hint: make PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "installing python3-venv"; apt-get update -q && apt-get install -y -q python3-venv; } || \
	  { echo "ordws: error: Python's venv module is missing"; echo "ordws: hint: apt-get install python3-venv"; exit 2; }
	$(PYTHON) -m venv .venv

# The engine is tested compiled too, for which the headers of this Python have to be there.
gcc:
	@command -v gcc >/dev/null && $(PYTHON) -c 'import os.path as p, sys, sysconfig as s; \
	  sys.exit(not p.exists(p.join(s.get_path("include"), "Python.h")))' || \
	  { echo "installing gcc"; rm -f .venv/run; \
	    apt-get update -q && apt-get install -y -q --no-install-recommends gcc libc6-dev python3-dev; } || \
	  { echo "ordws: error: gcc or Python.h is missing"; echo "ordws: hint: apt-get install gcc libc6-dev python3-dev"; exit 2; }

# The meters of several hosts are tested on a real server, Redis or Valkey.
redis-server:
	@command -v redis-server >/dev/null || command -v valkey-server >/dev/null || \
	  { echo "installing redis-server"; apt-get update -q && apt-get install -y -q redis-server; } || \
	  { echo "ordws: error: neither redis-server nor valkey-server is installed"; \
	    echo "ordws: hint: apt-get install redis-server"; exit 2; }

# The pages are tested in a real browser: the headless shell, or without it the whole Chromium, at twice the time a page.
chromium:
	@command -v chromium-headless-shell >/dev/null || \
	  { echo "installing chromium-headless-shell"; \
	    apt-get update -q && apt-get install -y -q --no-install-recommends chromium-headless-shell; } || \
	  command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	  { echo "ordws: error: Chromium is not installed"; echo "ordws: hint: apt-get install chromium-headless-shell"; exit 2; }

# The proxy that deploy/ describes, hosts of their own for it, and what checks its units and its alerts.
nginx ip systemd-analyze promtool: PACKAGE = $(subst promtool,prometheus,$(subst ip,iproute2,$(subst systemd-analyze,systemd,$(subst nginx,nginx-light,$@))))
nginx ip systemd-analyze promtool:
	@command -v $@ >/dev/null || test -x /usr/sbin/$@ || \
	  { echo "installing $(PACKAGE)"; apt-get update -q && apt-get install -y -q --no-install-recommends $(PACKAGE); } || \
	  { echo "ordws: error: $@ is not installed"; echo "ordws: hint: apt-get install $(PACKAGE)"; exit 2; }

# After a change of dependencies in pyproject.toml.
lock: .venv/packages
	echo uv | $(BIN)/uv pip compile - --universal --generate-hashes --python-version 3.11 --no-header -q -o requirements-uv.lock
	$(BIN)/uv pip compile pyproject.toml --extra build --extra curate --extra tournament --extra fairplay --group lock --universal --generate-hashes --python-version 3.11 \
	  --no-header -q -o requirements-run.lock
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --generate-hashes --python-version 3.11 \
	  --no-header -q -c requirements-run.lock -o requirements.lock

clean:
	rm -rf .venv build *.egg-info ordws/rules/*.so ordws/movegen/*.so
