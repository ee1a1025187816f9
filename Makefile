# Three commands do everything: `make run` builds Crewlab and runs the first mission, `make live` runs it in the browser,
# `make test` checks it all.

.PHONY: run live test build page test-page bench bench-live bench-irsim bench-navground bench-agrum bench-allocation highs hyperqueue hq test-hq statistics-reference pictures live-pictures clean need-cargo need-node need-chromium

# HiGHS is the reference for the joint allocation.
HIGHSPY := 1.12.0

# navground has other local controllers to compare with.
NAVGROUND := 0.7.0

# pyAgrum learns and asks Bayesian networks.
PYAGRUM := 3.3.1

# HyperQueue distributes sweeps over many machines: its Python package and its program `hq`.
HYPERQUEUE := 0.27.0

need-cargo:
	@command -v cargo >/dev/null || { \
	  echo "Crewlab is written in Rust, but this machine has no cargo."; \
	  echo "Install Rust 1.91 or newer (https://rustup.rs, or your system's packages rustc and cargo), then try again."; \
	  exit 1; }

# Node.js builds and checks the page of the live laboratory; nothing else needs it.
NODE := $(shell command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' && echo yes)

need-node:
	@test -n "$(NODE)" || { \
	  echo "The page of the live laboratory is built with Node.js, but this machine has no node and npm, or too old ones."; \
	  echo "Install Node.js 20.19 or newer (https://nodejs.org, or your system's packages nodejs and npm), then try again."; \
	  exit 1; }

# The page is part of the binary. Without Node.js, or without its packages, everything except the page is built.
page:
ifeq ($(NODE),)
	@echo "Node.js 20.19 or newer was not found: the page of \`crewlab live\` is left out."
else
	@$(MAKE) --no-print-directory web/dist/index.html || echo "The page of \`crewlab live\` could not be built: it is left out, or an older one is used."
endif

PAGE := web/index.html web/package.json web/tsconfig.json web/vite.config.ts $(shell find web/src web/public -type f 2>/dev/null)

web/dist/index.html: web/node_modules/.package-lock.json $(PAGE)
	cd web && npm run --silent build

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

build: need-cargo page
	cargo build --release --locked

# Builds Crewlab, runs the waste-cleanup mission and prints the path of the report.
run: build
	./target/release/crewlab run waste-cleanup --force

# Starts the waste-cleanup mission in the browser.
live: need-node web/dist/index.html build
	./target/release/crewlab live waste-cleanup

# Formatting, lints and all tests, the slow ones included.
test: need-cargo need-node need-chromium highs hyperqueue web/dist/index.html
	cargo fmt --all --check
	cd web && npm run --silent lint && npm run --silent unit
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo test --workspace --locked
	@test ! -x .venv/bin/hq || $(MAKE) --no-print-directory test-hq
	cd web && CREWLAB=../target/debug/crewlab npm run --silent e2e

# The part of `make test` that is about the page, with the last built binary.
test-page: need-node need-chromium web/dist/index.html
	cd web && npm run --silent lint && npm run --silent unit && npm run --silent e2e

# Tests of the page drive a real browser.
need-chromium:
	@scripts/chromium.sh

highs: .venv/highspy-$(HIGHSPY)

.venv/highspy-$(HIGHSPY):
	@test -x .venv/bin/python || python3 -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check highspy==$(HIGHSPY)
	@touch $@

# HyperQueue's Python package: a complete HyperQueue without the program `hq`, on which a test runs a sweep. It exists for Linux on x86-64 only;
# elsewhere that test is skipped.
ifeq ($(shell uname -sm),Linux x86_64)
hyperqueue: .venv/hyperqueue-package-$(HYPERQUEUE)
else
hyperqueue:
endif

.venv/hyperqueue-package-$(HYPERQUEUE):
	@test -x .venv/bin/python || python3 -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check hyperqueue==$(HYPERQUEUE)
	@touch $@

# HyperQueue's program, from its releases, for sweeps on many machines. `make test` does not need it.
hq: .venv/hq-$(HYPERQUEUE)

.venv/hq-$(HYPERQUEUE):
	@mkdir -p .venv/bin
	@curl -fsSL -o .venv/hq.tar.gz https://github.com/It4innovations/hyperqueue/releases/download/v$(HYPERQUEUE)/hq-v$(HYPERQUEUE)-linux-x64.tar.gz || { \
	  echo "HyperQueue $(HYPERQUEUE) cannot be downloaded from GitHub: put its program at .venv/bin/hq yourself (docs/clusters.md)."; \
	  exit 1; }
	@tar -xzf .venv/hq.tar.gz -C .venv/bin hq && rm .venv/hq.tar.gz
	@touch $@

# Repeats the test with a real server and two workers, one of which is killed, with the program `hq`. Part of `make test` if
# .venv/bin/hq exists.
test-hq: need-cargo
	@test -x .venv/bin/hq || $(MAKE) --no-print-directory hq
	cargo test --locked -p crewlab --test cli -- --ignored the_program_hq

# The results of scipy and statsmodels, for the tests of crates/statistics. `python -m pip`, because the script `pip` of a copied
# environment still belongs to the original.
statistics-reference:
	@test -x .venv/bin/python || python3 -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0
	.venv/bin/python scripts/reference_statistics.py crates/statistics/tests/reference.json

# The speed of the world step (docs/speed.md).
bench: build
	./target/release/crewlab bench world

# The cost of viewers of the live laboratory and their frame rates, then how often the page draws.
bench-live: need-node web/dist/index.html build
	./target/release/crewlab bench live
	./target/release/crewlab bench live --chromium

# The same workload on IR-SIM and on Crewlab, for the ratio of their speeds.
bench-irsim: build
	test -x .venv/bin/python || python3 -m venv .venv
	.venv/bin/python -c 'import irsim' 2>/dev/null || .venv/bin/python -m pip install --quiet ir-sim
	.venv/bin/python scripts/bench_irsim.py 1000

# navground's scenarios on navground and on Crewlab: collisions, efficacy and speed (docs/avoidance.md).
bench-navground: build .venv/navground-$(NAVGROUND)
	.venv/bin/python scripts/bench_navground.py

.venv/navground-$(NAVGROUND):
	@test -x .venv/bin/python || python3 -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check navground==$(NAVGROUND)
	@touch $@

# The same rows on pyAgrum and on Crewlab: the score that each finds, and times (docs/analysis.md).
bench-agrum: build .venv/pyagrum-$(PYAGRUM)
	.venv/bin/python scripts/bench_agrum.py

.venv/pyagrum-$(PYAGRUM):
	@test -x .venv/bin/python || python3 -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check pyagrum==$(PYAGRUM)
	@touch $@

# Coalitions and joint allocations, then the same instances on HiGHS and scipy (docs/allocation.md).
bench-allocation: build highs
	.venv/bin/python -c 'import scipy' 2>/dev/null || .venv/bin/python -m pip install --quiet --disable-pip-version-check scipy
	./target/release/crewlab bench allocation
	rm -rf target/allocation-instances
	./target/release/crewlab bench allocation --instances target/allocation-instances
	.venv/bin/python scripts/bench_highs.py target/allocation-instances/spatial-*.json target/allocation-instances/square-1000.json

# The pictures in README and docs.
pictures: build live-pictures
	scripts/pictures.sh

# Only the pictures of the live laboratory.
live-pictures: need-node need-chromium web/dist/index.html build
	cd web && CREWLAB=../target/release/crewlab npm run --silent pictures

clean:
	cargo clean
	rm -rf runs .venv web/dist web/node_modules
