# Rules for a project with a `respin.toml`. Results are left in `build/`: a work directory for
# each run, with the patch, traces, and reports for other tools.
RESPIN ?= respin
SPEC ?= handshake.spectra
GAME ?= answer.aag
YOSYS ?= yosys

.PHONY: verify repair patch check synth clean

# Fails if a property does.
verify:
	$(RESPIN) verify --workdir build/verify --force

# Looks for a correction, and changes nothing.
repair:
	$(RESPIN) repair --workdir build/repair --force

# Applies the best correction.
patch: repair
	patch -p1 < build/repair/patch.diff

# Whether the specification can be implemented at all, before anybody tries.
check:
	$(RESPIN) check $(SPEC)

# A controller, from a game in AIGER to a netlist of Yosys.
synth: check
	mkdir -p build
	$(RESPIN) synth $(GAME) -o build/controller.aag --force
	$(YOSYS) -q -p 'read_aiger build/controller.aag; opt_clean; write_verilog build/controller.v'

clean:
	rm -rf build
