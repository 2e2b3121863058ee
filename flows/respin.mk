# Rules for a project with a `respin.toml`. Results are left in `build/`: a work directory for
# each run, with the patch, traces, and reports for other tools.
RESPIN ?= respin
SPEC ?= handshake.spectra
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

# From the specification: a controller as Verilog, then a netlist of gates.
synth: check
	mkdir -p build
	$(RESPIN) synth $(SPEC) -o build/controller.v --force
	$(YOSYS) -q -p 'read_verilog -sv build/controller.v; synth -auto-top; check -assert; write_verilog -noattr build/gates.v'

clean:
	rm -rf build
