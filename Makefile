# The commands of the project; `make help` lists them. Each installs with apt what it lacks (tools/install-packages).
MAKEFLAGS += --no-print-directory
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := all
BINARY := .build/release/compass-mqtt

.PHONY: all
all: ## everything that CI does
	@.ci/run

.PHONY: build
build: install-deps ## the binary as it is shipped
	@tools/build-release
	@ls -l $(BINARY)

# `make deb ARCH=arm64` on amd64 builds with Debian 13's Swift in a root made for it.
ARCH :=
.PHONY: deb
deb: $(if $(ARCH),,build) ## a Debian package for this machine's architecture, in .build/deb (ARCH=arm64 on amd64: in .build/deb-arm64)
	@tools/install-packages deb
	@$(if $(ARCH),tools/build-$(ARCH))
	@tools/build-deb $(ARCH)

.PHONY: run
run: install-deps ## a simulated vessel, live in the terminal and in the browser (SECONDS=20 for a look)
	@tools/install-packages run
	@tools/build-release
	@tools/run

.PHONY: test
test: test-unit test-system ## unit and system tests

.PHONY: test-unit
test-unit: install-deps ## the library and the shell
	@tools/install-packages test
	swift build --build-tests
	swift test --skip-build --disable-xctest | sed '/^◇ /d'

.PHONY: test-system
test-system: install-deps ## the binary against real brokers, gpsd and networks (TESTS=word for some)
	@tools/install-packages test
	@tools/fetch-gpsfake
	tools/build-release
	Tests/System/run $(AGAIN) $(addprefix -k ,$(TESTS))

.PHONY: test-dashboard
test-dashboard: install-deps ## the page in a real browser (TESTS=word for some); pictures in .build/screenshots
	@tools/install-packages test dashboard
	tools/build-release
	Tests/Dashboard/run $(AGAIN) $(addprefix -k ,$(TESTS))

.PHONY: test-kernel
test-kernel: install-deps ## the binary on real kernel drivers, in QEMU
	@tools/install-packages kernel test
	tools/build-release
	Tests/Kernel/run $(AGAIN)

.PHONY: test-package
test-package: deb ## the package in fresh Debian 12 and 13 roots, and its service in a booted one (TESTS=word for some)
	@tools/install-packages test package kernel
	Tests/Package/run $(AGAIN) $(addprefix -k ,$(TESTS))

.PHONY: test-arm64
test-arm64: install-deps ## the arm64 package: unit tests, and its program at work, under qemu-user
	@tools/install-packages deb package test arm64
	tools/build-arm64 --test
	tools/build-deb arm64
	Tests/Package/run -k arm64

.PHONY: test-home-assistant
test-home-assistant: install-deps ## the binary against the real Home Assistant, in a root made for it (TESTS=word for some)
	@tools/install-packages homeassistant test
	tools/build-release
	Tests/HomeAssistant/hatest setup
	Tests/HomeAssistant/run $(addprefix -k ,$(TESTS))

.PHONY: bench
bench: install-deps ## cost beside the least possible C program and a Python one
	@tools/install-packages bench
	swift build -c release --product accuracy
	tools/build-release
	bench/run

.PHONY: fleet
fleet: install-deps ## 500 simulated agents on one broker: rates, memory, losses, and all back after it was killed
	@tools/install-packages run
	tools/build-release
	bench/fleet

.PHONY: function-order
function-order: install-deps ## which functions a running agent uses, for the linker
	@tools/install-packages bench test
	tools/order-functions

.PHONY: accuracy
accuracy: install-deps ## how far headings are off, and whether what is stated covers it
	swift build -c release --product accuracy
	@.build/release/accuracy

.PHONY: format
format: ## formats the Swift sources
	swift format format --in-place --recursive --parallel Package.swift Sources Tests bench

.PHONY: lint
lint: ## fails where `make format` would change something
	swift format lint --strict --recursive --parallel Package.swift Sources Tests bench

.PHONY: arrows
arrows: ## fails where a folder uses one that stands later
	tools/arrows Sources/HeadingPipeline --order Units,Settings,Acquire,Calibrate,Fuse,Navigate,Publish,Dashboard,.
	tools/arrows Sources/compass-mqtt --order Posix,Log.swift,StateFolder.swift,Sources,MQTT,Recording,PublishedTopics.swift,LivePipeline.swift,Calibration,HomeAssistant,Operator,.,Dashboard,Commands,Main.swift

.PHONY: sizes
sizes: ## lines of each file, and long functions
	@tools/arrows Sources --sizes

.PHONY: check-debian13
check-debian13: install-deps ## builds and tests with Debian 13's own Swift, in a root made for it
	@tools/check-debian13

.PHONY: install-deps
install-deps: ## what building needs
	@tools/require-swift
	@tools/install-packages build

.PHONY: clean
clean: ## takes away what was built
	rm -rf .build

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 18
