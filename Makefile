# What a developer runs; `.ci/run` calls the same.

CARGO ?= cargo
# Cases for brute force, and cases and first seed for Kubernetes' allocator and CEL.
PROPERTY_CASES ?= 300000
# Cases of what is asked several times each: short ways, policies, proofs, explanations.
REPEATED_CASES ?= 20000
# Steps of the engine against a plain model.
ENGINE_STEPS ?= 1000000
# Calls of a caller who gets most things wrong.
HOSTILE_CALLS ?= 300000
CASES ?= 100000
SEED ?= 0
FUZZ_SECONDS ?= 300
# Which workloads are made (`--ladders`: longer ones) and measured, how long each
# record is sampled, and how long one call and one sequence may take.
WORKLOADS ?=
ONLY ?= .
BUDGET ?= 300ms
TIMEOUT ?= 20s
SEQCAP ?= 40s
SAMPLING = --only '$(ONLY)' --budget $(BUDGET) --timeout $(TIMEOUT) --seqcap $(SEQCAP)
# Version of OR-Tools, whose CP-SAT is a peer.
ORTOOLS ?= 9.15.6755
# Where Cargo builds.
TARGET := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)

# Where `make install` installs, and below what (for packages).
PREFIX ?= /usr/local
DESTDIR ?=
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
ABI := $(shell sed -n 's/^.define DRALLOC_ABI_VERSION //p' include/dralloc.h)
# How the C library is built, and where Cargo puts it: alone, or as the tests of all have it.
CAPI_PROFILE ?= release
CAPI_BUILD_release = build --release -p dralloc-capi
CAPI_BUILT_release = $(TARGET)/release
CAPI_BUILD_test = test --no-run --workspace --test abi
CAPI_BUILT_test = $(TARGET)/debug/deps
CAPI_BUILT = $(CAPI_BUILT_$(CAPI_PROFILE))
CAPI = $(TARGET)/capi
# Where the library is installed that the Go module is tested with.
GO_LIBRARY = $(TARGET)/go-library
# Where `.ci/install` puts a Go that the machine has not.
export PATH := $(TARGET)/tools:$(PATH)

# How the wheel is built; with `dev` as tests are.
WHEEL_PROFILE ?= release
# Where tools of Python, wheels and the environments of tests lie.
PYTHON ?= python3
PYTHON_FOLDER = $(TARGET)/python
PYTHON_TOOLS = $(PYTHON_FOLDER)/tools
MATURIN = $(PYTHON_FOLDER)/maturin
# What builds the site, and what of the repository is in it.
MDBOOK_VERSION = 0.5.4
MDBOOK = $(TARGET)/tools/bin/mdbook
SITE = $(TARGET)/site
SITE_FILES = README.md ARCHITECTURE.md COMPATIBILITY.md CONTRIBUTING.md CHANGELOG.md \
	LICENSE-APACHE LICENSE-MIT docs examples include schemas benches/RESULTS.md \
	crates/capi/README.md crates/cel/README.md \
	crates/importers/README.md crates/topology/README.md testdata/topologies
# Calls of the test of memory.
PYTHON_CALLS ?= 1000000

.PHONY: help capi install go-tools go-library wheel wheel-for-tests python python-tools maturin test test-rust test-release test-go test-go-long test-python test-python-long lint-python test-valgrind test-install test-long differential differential-cel bench-peers fuzz mutants fmt lint doc site ci tools

help: ## Says what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1	/' | expand -t 24

tools:
	@command -v $(CARGO) >/dev/null || { \
		echo "make: no cargo found; install the Rust toolchain (rustup, Rust 1.90 or newer)" >&2; exit 1; }

test: go-tools python-tools test-rust test-go test-python ## Runs all tests (some twenty minutes the first time)

test-rust: tools ## Runs the tests of the engine, the command line and the C library
	$(CARGO) test --workspace --locked
	@# The engine once more, but not made fast: that takes longer than these tests.
	$(CARGO) test --workspace --locked --features dralloc/rayon \
		--config profile.test.package.dralloc.opt-level=0 \
		--config profile.test.package.dralloc-testkit.opt-level=0 --test place --test place_changes

# The programs of a release as README's first command makes them, and all pages, README
# first, and most commands again with them: builds for tests check more than releases do.
RELEASED = allocate cel command_line dump examples explain inventory kubectl pages replay topo topo_import validate

test-release: tools ## Builds the command line as a release, and runs it as the documentation and its tests do
	$(CARGO) run --release --locked -- allocate -f examples/mig-mix.yaml
	$(CARGO) build --release --locked --workspace --bin kubectl-dralloc
	DRALLOC_PROGRAMS=$(abspath $(TARGET))/release $(CARGO) test --workspace --locked $(RELEASED:%=--test %)

capi: tools ## Builds the C library
	$(CARGO) $(CAPI_BUILD_$(CAPI_PROFILE)) --locked
	mkdir -p $(CAPI)
	cp $(CAPI_BUILT)/libdralloc_capi.so $(CAPI)/libdralloc.so.$(VERSION)
	@# One object of all, in which only the names of the header can be seen; bitcode of
	@# Rust's own library, which nobody needs, would confuse objcopy.
	printf 'SECTIONS { /DISCARD/ : { *(.llvmbc) *(.llvmcmd) } }' > $(CAPI)/discard.ld
	ld -r -T $(CAPI)/discard.ld --whole-archive $(CAPI_BUILT)/libdralloc_capi.a -o $(CAPI)/all.o
	objcopy --strip-debug --wildcard --keep-global-symbol='dralloc_*' $(CAPI)/all.o $(CAPI)/dralloc.o
	rm -f $(CAPI)/libdralloc.a $(CAPI)/all.o
	ar rcs $(CAPI)/libdralloc.a $(CAPI)/dralloc.o

install: capi ## Installs header, libraries and pkg-config file of the C library below PREFIX
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 include/dralloc.h $(DESTDIR)$(PREFIX)/include/dralloc.h
	install -m 755 $(CAPI)/libdralloc.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libdralloc.so.$(VERSION)
	ln -sf libdralloc.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libdralloc.so.$(ABI)
	ln -sf libdralloc.so.$(ABI) $(DESTDIR)$(PREFIX)/lib/libdralloc.so
	install -m 644 $(CAPI)/libdralloc.a $(DESTDIR)$(PREFIX)/lib/libdralloc.a
	for name in dralloc dralloc-static; do \
		sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' crates/capi/$$name.pc.in \
			> $(DESTDIR)$(PREFIX)/lib/pkgconfig/$$name.pc || exit 1; \
	done

test-install: tools ## Installs the C library somewhere, and compiles and runs the example with it
	crates/capi/tests/install $(TARGET)/installed

go-tools:
	@command -v go >/dev/null || { \
		echo "make: no go found; install Go 1.26 or newer, or run .ci/install" >&2; exit 1; }

go-library: tools
	$(MAKE) --no-print-directory install PREFIX=$(GO_LIBRARY) CAPI_PROFILE=test

test-go: go-tools go-library ## Tests the Go module with both back ends (needs Go 1.26)
	go/test $(GO_LIBRARY)

test-go-long: go-tools go-library ## The same with what is dear: collections at every turn, checks of pointers, many calls
	go/test $(GO_LIBRARY) long

# Makes an environment with the tools of a list, anew when the list is another.
define environment
	@cmp -s $(2) $(1)/requirements.txt || { \
		rm -rf $(1) && $(PYTHON) -m venv $(1) && \
		$(1)/bin/pip install --quiet --disable-pip-version-check -r $(2) && \
		cp $(2) $(1)/requirements.txt; }
endef

python:
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "make: no Python 3.11 with venv and pip found; .ci/install installs it" >&2; exit 1; }

python-tools: python
	$(call environment,$(PYTHON_TOOLS),python/requirements.txt)

maturin: python
	$(call environment,$(MATURIN),python/maturin.txt)

wheel: tools maturin ## Builds the Python package, into python/wheels of the folder of builds
	rm -rf $(PYTHON_FOLDER)/wheels
	CARGO_TARGET_DIR=$(TARGET) $(MATURIN)/bin/maturin build --quiet --locked --profile $(WHEEL_PROFILE) \
		--out $(PYTHON_FOLDER)/wheels
	@ls $(PYTHON_FOLDER)/wheels/*.whl

# As fast as tests are, and what is compiled for one of them serves others.
wheel-for-tests:
	CARGO_PROFILE_DEV_OPT_LEVEL=1 $(MAKE) --no-print-directory wheel WHEEL_PROFILE=dev

test-python: python-tools wheel-for-tests ## Tests the Python package as it is installed (needs Python 3.11)
	python/test $(PYTHON_FOLDER) $(PYTHON_FOLDER)/wheels/*.whl

test-python-long: python-tools wheel ## Tests the Python package with more calls, and its source distribution
	DRALLOC_PYTHON_CALLS=$(PYTHON_CALLS) python/test $(PYTHON_FOLDER) $(PYTHON_FOLDER)/wheels/*.whl
	python/test-sdist $(PYTHON_FOLDER)

lint-python: python-tools wheel-for-tests ## Checks format, lints and types of the Python package
	python/lint $(PYTHON_FOLDER) $(PYTHON_FOLDER)/wheels/*.whl

test-valgrind: tools ## Runs the C programs under Valgrind
	@command -v valgrind >/dev/null || { \
		echo "make: no valgrind found; .ci/install installs it" >&2; exit 1; }
	$(CARGO) test --locked -p dralloc-capi --test abi valgrind -- --ignored

test-long: tools ## Runs what takes long: brute force, the engine's model, Kubernetes' allocator and CEL live, hostile calls, fuzzing, Valgrind
	DRALLOC_PROPERTY_CASES=$(PROPERTY_CASES) $(CARGO) test --release --locked -p dralloc \
		--test properties --test objectives
	DRALLOC_PROPERTY_CASES=$(REPEATED_CASES) $(CARGO) test --release --locked -p dralloc \
		--test shortcuts --test policies --test certificates --test explain --test runner_up
	DRALLOC_ENGINE_STEPS=$(ENGINE_STEPS) $(CARGO) test --release --locked -p dralloc --test books
	DRALLOC_HOSTILE_CALLS=$(HOSTILE_CALLS) $(CARGO) test --locked -p dralloc-capi --test abi hostile -- --ignored
	$(MAKE) test-go-long test-python-long test-valgrind differential differential-cel fuzz

differential: tools ## Compares random cases with Kubernetes' own allocator (needs Go 1.26)
	@command -v go >/dev/null || { \
		echo "make: no go found; the comparison with Kubernetes' allocator needs Go 1.26 or newer" >&2; exit 1; }
	cd oracle && go build -o $(TARGET)/oracle .
	$(CARGO) build --release --locked -p dralloc-cli -p dralloc-testkit
	$(TARGET)/release/dralloc-differential --upstream $(TARGET)/oracle --dralloc $(TARGET)/release/dralloc \
		--profile medium --cases $(CASES) --seed $(SEED) --timeout 1 --keep-going

differential-cel: tools ## Compares random selectors with Kubernetes' own CEL (needs Go 1.26)
	@command -v go >/dev/null || { \
		echo "make: no go found; the comparison with Kubernetes' CEL needs Go 1.26 or newer" >&2; exit 1; }
	cd benches/upstream-cel && go build -o $(TARGET)/upstream-cel .
	$(CARGO) build --release --locked -p dralloc-testkit
	$(TARGET)/release/dralloc-cel-differential --upstream $(TARGET)/upstream-cel \
		--cases $(CASES) --seed $(SEED) --keep-going
	@# A tenth as many for each older version of Kubernetes.
	for minor in 34 35 36; do \
		(cd benches/upstream-cel && go build -modfile=go.v0.$$minor.mod -o $(TARGET)/upstream-cel-$$minor .) && \
		$(TARGET)/release/dralloc-cel-differential --upstream $(TARGET)/upstream-cel-$$minor \
			--kubernetes-minor $$minor --cases $$(($(CASES) / 10)) --seed $(SEED) --keep-going || exit 1; \
	done

bench-peers: tools ## Measures side by side with Kubernetes' own allocator and CP-SAT (needs Go 1.26 and Python with venv and pip)
	@command -v go >/dev/null || { \
		echo "make: no go found; Kubernetes' allocator needs Go 1.26 or newer" >&2; exit 1; }
	mkdir -p $(TARGET)/bench
	python3 benches/peers/gen.py $(WORKLOADS) --out $(TARGET)/bench/workloads
	cd benches/peers/upstream && go build -o $(TARGET)/bench/upstream .
	test -x $(TARGET)/bench/venv/bin/python || python3 -m venv $(TARGET)/bench/venv
	$(TARGET)/bench/venv/bin/python -c 'import ortools' 2>/dev/null || \
		$(TARGET)/bench/venv/bin/pip install --quiet ortools==$(ORTOOLS)
	$(CARGO) build --release --locked -p dralloc-benches --bin bench-runner
	python3 benches/peers/bench.py --dir $(TARGET)/bench --peer upstream $(SAMPLING) --fresh
	python3 benches/peers/bench.py --dir $(TARGET)/bench --peer cp-sat $(SAMPLING) --fresh
	python3 benches/peers/bench.py --dir $(TARGET)/bench --peer dralloc $(SAMPLING) --fresh
	python3 benches/peers/compare.py --dir $(TARGET)/bench

fuzz: tools ## Runs every fuzz target for FUZZ_SECONDS each (needs a nightly toolchain)
	fuzz/run $(FUZZ_SECONDS)

mutants: tools ## Makes each bound of the solver one too strong: a test must fail (needs Python)
	python3 crates/core/tests/mutations/mutate.py $(TARGET)/mutants

fmt: tools ## Formats the code
	$(CARGO) fmt --all
	-gofmt -w go

lint: tools ## Checks format and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	@# Again what is another with the feature.
	$(CARGO) clippy --workspace --features dralloc/rayon --test place --test place_changes --locked -- -D warnings

doc: tools ## Builds the documentation, with warnings as errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --features dralloc/rayon

site: tools ## Builds the documentation site into the folder of builds (the first time it builds mdbook)
	@$(MDBOOK) --version 2>/dev/null | grep -qx 'mdbook v$(MDBOOK_VERSION)' || \
		$(CARGO) install mdbook --version $(MDBOOK_VERSION) --locked --quiet --no-default-features \
			--features search --root $(TARGET)/tools
	rm -rf $(SITE)
	mkdir -p $(SITE)/source
	cp -R --parents $(SITE_FILES) $(SITE)/source
	mv $(SITE)/source/docs/book.toml $(SITE)/source
	@# Its links are those of a page in docs, as on all other pages; here the root is one up.
	sed -e 's|](|](docs/|' -e 's|](docs/\.\./|](|' $(SITE)/source/docs/SUMMARY.md > $(SITE)/source/SUMMARY.md
	@# Pages that are called README are called index there.
	find $(SITE)/source -name '*.md' ! -name SUMMARY.md \
		-exec sed -i -E 's|(\]\([^) ]*)README\.md|\1index.md|g' {} +
	rm $(SITE)/source/docs/SUMMARY.md
	$(MDBOOK) build $(SITE)/source --dest-dir $(SITE)/html
	@echo $(SITE)/html/index.html

ci: lint doc test test-release ## Runs what CI runs
