//! The codes of Verilog: R0300 to R0399.

codes! {
    SYNTAX = 300, "not Verilog",
"The text is not what the language has at this place.

Example:
    assign y = a & b
    assign z = a | b;

To fix: look at the place that the message points at, and just before it.
";

    UNSUPPORTED = 301, "a part of Verilog that is not read",
"The language has this, but respin does not turn it into a circuit.

Example:
    assign #5 y = a;

To fix: say it in another way, or let Yosys translate the design to AIGER with
`write_aiger` and repair that.
";

    NESTED_TOO_DEEPLY = 302, "nested too deeply",
"Blocks or statements stand inside each other hundreds of levels deep.

Example:
    begin begin begin ... end end end

To fix: move the inner part into a function, or a module of its own.
";

    DIRECTIVE = 303, "a wrong compiler directive",
"A directive or macro is incomplete, not closed, or never ends.

Example:
    `ifdef FORMAL
    endmodule

To fix: close each condition with `endif, and give macros their arguments.
";

    UNKNOWN_MACRO = 304, "unknown macro",
"A macro is used that was not defined before.

Example:
    reg [`WIDTH-1:0] count;

To fix: define it in the source, or on the command line with `-D WIDTH=8`.
";

    INCLUDE_NOT_FOUND = 305, "included file not found",
"The file is neither beside the one that includes it nor in a directory of `-I`.

Example:
    `include \"defines.vh\"

To fix: name its directory with `-I DIR`.
";

    INCLUDE_LOOP = 306, "a file includes itself",
"A file includes itself, directly or through others.

Example:
    `include \"self.v\"    inside of self.v

To fix: guard the file with `ifndef, `define and `endif.
";

    UNKNOWN_NAME = 307, "name not declared",
"Nothing of that name is visible at this place.

Example:
    assign y = resett;

To fix: declare it, or correct the spelling.
";

    REPEATED_NAME = 308, "name declared twice",
"Two things in one scope have the same name, or one is declared in two ways.

Example:
    reg [3:0] count;
    reg [7:0] count;

To fix: rename or remove one of them.
";

    UNKNOWN_MODULE = 309, "unknown module",
"A module is instantiated that none of the files has.

Example:
    fifo u0 (.clk(clk));

To fix: give all files of the design, or the file list with `-f`.
";

    HIERARCHY = 310, "an instance does not fit its module",
"The instance names a port or parameter that does not exist, gives too many or
the same one twice, or modules contain each other.

Example:
    counter #(.WIDHT(4)) u0 (.clk(clk), .clk(rst));

To fix: compare the instance with the header of the module.
";

    TOP = 311, "which module is the design?",
"The design is the module that no other one instantiates. There is none, or
several.

Example:
    module a; endmodule
    module b; endmodule

To fix: name it with `--top NAME`.
";

    NOT_CONSTANT = 312, "a constant is needed",
"Widths, parameters, bounds of loops and conditions of generate constructs must
be known before the circuit is.

Example:
    wire [n:0] a;      with an input n

To fix: use a parameter.
";

    LOOP = 313, "a loop that cannot be unrolled",
"A loop depends on signals, or runs too often, or a function calls itself
without end.

Example:
    while (busy) count = count + 1;

To fix: loop over a fixed range and use `if` inside.
";

    TOO_BIG = 314, "too big",
"A word, a memory or a value is larger than respin takes.

Example:
    reg [31:0] memory [0:65535];

To fix: make it smaller with a parameter; the fault is the same with a small
memory.
";

    BAD_TARGET = 315, "this cannot be assigned",
"The target of an assignment is a signal, a part of one, or several in braces.

Example:
    assign WIDTH = 4;      with a parameter WIDTH

To fix: assign a signal.
";

    DRIVERS = 316, "a signal with two drivers",
"A signal is driven in two places, or is an input, or is assigned in two ways.

Example:
    assign y = a;
    assign y = b;

To fix: join the two assignments, or rename one of the signals.
";

    LATCH = 317, "an inferred latch",
"A combinational block does not assign a signal in every case, so that it keeps
its old value: a latch, which is hardly ever meant.

Example:
    always @* if (enable) y = a;

To fix: assign the signal at the top of the block, or add the missing `else` or
`default`. `respin repair` proposes one.
";

    CLOCKING = 318, "not one clock",
"If all registers move at one edge of one input, that input is the clock, which
may not be data. Further edges of a block are asynchronous resets, which the
block tests first. A design with several clocks has no steps of one clock, which
`$past` and sequences count.

Example:
    always @(posedge clk or posedge load) q <= d;

To fix: start the block with a test of the reset, or leave out the second edge;
keep earlier values in registers of the design if it has several clocks.
";

    UNKNOWN_CONDITION = 319, "a condition that is `x`",
"An `x` or `z` is a value that the environment picks; as a condition it makes no
sense.

Example:
    if (1'bx) y = a;

To fix: write 0 or 1.
";

    UNDRIVEN = 320, "a signal without a driver",
"Nothing drives the signal. The environment sets it as it likes, in each cycle.

Example:
    wire enable;
    assign y = enable & a;

To fix: drive it, or make it an input.
";

    RESET_SIGNAL = 321, "no such reset",
"`--reset` names an input of the top module that is one bit wide.

Example:
    respin repair design.v --reset rst_n=0      without an input rst_n

To fix: name the input, with the value that resets: `--reset rst_n=0`.
";

    NO_RESET = 322, "registers that start with any value",
"Some registers have no initial value, and no reset is played. They start as
the environment likes.

Example:
    reg [3:0] count;      and a run without `--reset`

To fix: give them an initial value, or say `--reset NAME`: one cycle of reset
then comes before the properties are judged.
";

    YOSYS_JSON = 323, "not a netlist of Yosys",
"The file is not a netlist as Yosys writes it, or one that cannot be read or
written as such.

Example:
    respin verify package.json

To fix: write the netlist with `yosys -p 'read_verilog -formal FILE; prep
-flatten; memory_map; write_json FILE'`.
";

    YOSYS_CELL = 324, "a cell of Yosys that is not supported",
"The netlist has a cell of a type that is not read.

Example:
    \"type\": \"$dlatch\"

To fix: let Yosys turn it into others before `write_json`: `flatten` for
instances, `memory_map` for memories, `techmap` for division and the like.
";

    YOSYS_RUN = 325, "Yosys did not read the design",
"`--frontend yosys` lets an installed Yosys read the design. It is not
installed, or it refused the design; its message is shown.

Example:
    respin verify --frontend yosys broken.sv

To fix: install Yosys, or correct what it complains about.
";

    DELAY = 326, "a delay without effect",
"Delays are for simulators: a circuit of clocked registers computes the same
without them. They are left out, as synthesis does.

Example:
    always @(posedge clk) q <= #1 d;

To fix: nothing has to be done; leave them out to get rid of the warning.
";

    SENSITIVITY = 327, "an incomplete sensitivity list",
"A block without edges reads a signal that its list does not have. It is taken
for combinational logic, as synthesis does; a simulator runs it only when a
listed signal changes, so that it shows something else.

Example:
    always @(a) y = a & b;

To fix: write `@*`, or complete the list; the report has the edit.
";

    CLOSED_LATCH = 328, "a latch that is never open",
"A combinational block does not assign a signal in every case, but no reachable
state leads to such a case: this was proved. The logic is right as long as the
rest of the design is.

Example:
    case (state)      of three states, in two bits, without a `default`

To fix: add a `default`, so that nothing depends on what is reachable.
";

    BOUND_NOWHERE = 329, "a checker that is bound to nothing",
"A `bind` directive names a module that has no instance in the design, so its
checker is not there, and what it asserts is not checked.

Example:
    bind fifo fifo_checker c (.*);      with `--top` some module without a fifo

To fix: name a module of the design, or the path of an instance.
";

    LEFT_OUT = 330, "a module that is left out",
"A module cannot be read, and the design does not need it: another module is the
top, and instantiates no module of this name. Test benches are often like that.
A class or a program is left out, too.

Example:
    module counter(input clk, output reg [3:0] q); ... endmodule
    module test; reg clk = 0; always #5 clk = !clk; ... endmodule

To fix: nothing, if it is a test bench. Otherwise name the module with `--top`,
and the message says what is wrong with it.
";

    HELD_IN_RESET = 331, "a reset that is never left",
"`--reset` was given the value that does not reset: it is played for some steps,
and has the other value for ever after, which is the one that resets. Registers
never move, and nearly every property holds. `mutate` then compares mutants
with the design in reset only: most of them make no difference there, and the
scores say nothing of the properties.

Example:
    if (!rst_n) count <= 0;      and a run with `--reset rst_n`, which plays 1

To fix: give the value that resets, `--reset rst_n=0`.
";

    ENUMERATION_VALUE = 332, "a value of another type for an enumeration",
"A variable of an enumeration takes the values of that enumeration, and other
ones with a cast only (IEEE 1800-2017, 6.19.3). The assignment is read as its
bits say, as Yosys does; Icarus Verilog and slang refuse it. No correction and
no mutant adds one.

Example:
    enum logic [1:0] {IDLE, BUSY} state;
    always_ff @(posedge clk) state <= 2'b01;

To fix: write the name of the value, here `BUSY`, or a cast to a type that has a
name: `state <= state_t'(bits);`.
";

    UNASSIGNED = 333, "a variable of a routine that is read before it is assigned",
"A call of a function or a task begins with no values in its result, its outputs
and its variables (IEEE 1800-2017, 6.8): where they are read before anything is
assigned, they have any value, and other ones in each call. So a function that
assigns its result in one branch only returns any value in the other. A trace
shows the bits as inputs `unknown$0`, `unknown$1` and so on.

Example:
    function [3:0] gated(input [3:0] value, input enable);
        if (enable) gated = value;
    endfunction

To fix: assign a value at the start, here `gated = 0;`, or add the missing
`else` or `default`.
"
;
}
