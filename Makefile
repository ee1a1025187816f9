# Two commands do everything: `make run` builds Crewlab and runs the first mission, `make test` checks it all.

.PHONY: run test build bench bench-irsim bench-allocation highs pictures clean need-cargo

# HiGHS is what the joint allocation is compared with.
HIGHSPY := 1.12.0

need-cargo:
	@command -v cargo >/dev/null || { \
	  echo "Crewlab is written in Rust, and this machine has no cargo."; \
	  echo "Install Rust 1.91 or newer (https://rustup.rs, or your system's packages rustc and cargo), then try again."; \
	  exit 1; }

build: need-cargo
	cargo build --release --locked

# Builds Crewlab, runs the waste-cleanup mission and says where the report is.
run: build
	./target/release/crewlab run waste-cleanup --force

# Formatting, lints and all tests, the slow ones included.
test: need-cargo highs
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo test --workspace --locked

highs: .venv/highspy-$(HIGHSPY)

.venv/highspy-$(HIGHSPY):
	@test -x .venv/bin/python || python3 -m venv .venv
	@.venv/bin/pip install --quiet --disable-pip-version-check highspy==$(HIGHSPY)
	@touch $@

# The speed of the world step (docs/speed.md).
bench: build
	./target/release/crewlab bench world

# The same workload on IR-SIM and on Crewlab in one go, for a ratio.
bench-irsim: build
	test -x .venv/bin/python || python3 -m venv .venv
	.venv/bin/python -c 'import irsim' 2>/dev/null || .venv/bin/pip install --quiet ir-sim
	.venv/bin/python scripts/bench_irsim.py 1000

# Coalitions and joint allocations, then the same instances on HiGHS and scipy (docs/allocation.md).
bench-allocation: build highs
	.venv/bin/python -c 'import scipy' 2>/dev/null || .venv/bin/pip install --quiet --disable-pip-version-check scipy
	./target/release/crewlab bench allocation
	rm -rf target/allocation-instances
	./target/release/crewlab bench allocation --instances target/allocation-instances
	.venv/bin/python scripts/bench_highs.py target/allocation-instances/spatial-*.json target/allocation-instances/square-1000.json

# The pictures in README and docs.
pictures: build
	scripts/pictures.sh

clean:
	cargo clean
	rm -rf runs .venv
