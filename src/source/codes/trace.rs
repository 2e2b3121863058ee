//! The codes of recorded runs: R0900 to R0999.

codes! {
    BAD_RECORDING = 900, "a recorded run cannot be read",
"A recorded run is a CSV file with a line for each cycle, a value change dump
(VCD), or an FST file. This one breaks the rules of its format: a line with too
few values, a value that does not fit the signal, a file that was cut short.

Example:
    reset,enable,count
    1,0
                              (no value for `count`)

To fix: correct the line, or record the run again. In CSV, write `x` for an
input that is not driven and for an output that is not compared.
";

    UNKNOWN_COLUMN = 901, "a column is no signal of the design",
"Columns of a recorded run are matched to ports and other signals of the design
by their names. There is no such signal, or it has another width.

Example:
    reset,enable,cuont
                              (for `count`)

To fix: name columns as the design does, `instance.signal` for what is inside
of an instance, and leave out all others. A column `time` and the clock may
stay.
";

    NO_SCOPE = 902, "the design was not found in a waveform",
"A VCD or FST file has scopes for the test bench and the instances in it. The
design is the scope with the name of its top module, or else the outermost one
that has signals with the names of all ports. There is none, or more than one.

Example:
    respin verify fifo.v --trace tb.vcd
                              (where `tb.dut` lacks a port)

To fix: say which scope it is: `--trace-scope tb.dut`. Ports that it lacks are
then not driven or not compared.
";

    NO_CLOCK = 903, "the clock of a recorded run is not known",
"A waveform is sampled just before each active edge of the clock. The design
does not say which signal that is, or the waveform has no such signal.

Example:
    respin verify counter.aag --trace run.vcd

To fix: name the clock: `--clock clk`, or `--clock clk=0` if the falling edge
counts.
";

    NOTHING_RECORDED = 904, "a recorded run says nothing",
"The file has no cycle that counts, or no output of the design, so there is
nothing to compare.

Example:
    respin verify counter.v --trace run.csv --trace-from 100
                              (where the run has 50 cycles)

To fix: record outputs, too, and at least one cycle; cycles are counted from 0.
";

    NOT_DRIVEN = 905, "an input is not recorded",
"The recorded run has no column for an input of the design. It is taken as not
driven: unknown in every cycle. An output that depends on it differs from any
value that was recorded.

Example:
    reset,count
                              (for a design with an input `enable`, too)

To fix: record the input. If it does not matter, nothing has to be done.
";

    NO_REFERENCE = 906, "a design cannot be compared with its reference",
"`--reference` names a design with the same inputs and outputs, to which the
design has to be equal. The ports of the two differ, or their registers move at
different edges of one clock: outputs are compared from one edge to the next.

Example:
    respin verify counter.v --reference old_counter.v
                              (where `old_counter.v` lacks the input `enable`)

To fix: give a reference with the same ports and edges, and `--top` if the top
modules have different names.
";
}
