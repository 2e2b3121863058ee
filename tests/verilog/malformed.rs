//! Files that are wrong in one way each, with the code of what is said about them.

pub const MALFORMED: &[(&str, &str, &str)] = &[
    ("empty", "R0311", ""),
    ("only-comment", "R0311", "// nothing here\n"),
    (
        "only-package",
        "R0311",
        "package p; localparam A = 1; endpackage\n",
    ),
    ("words", "R0300", "this is not Verilog at all\n"),
    (
        "no-endmodule",
        "R0300",
        "module m(output y);\n  assign y = 1;\n",
    ),
    (
        "no-semicolon",
        "R0300",
        "module m(output y);\n  assign y = 1\nendmodule\n",
    ),
    ("no-module-name", "R0300", "module (output y);\nendmodule\n"),
    (
        "keyword-name",
        "R0300",
        "module m(output y);\n  wire always;\nendmodule\n",
    ),
    (
        "open-comment",
        "R0201",
        "module m(output y);\n  /* assign y = 1;\nendmodule\n",
    ),
    (
        "open-string",
        "R0214",
        "module m(output y);\n  initial $display(\"text);\nendmodule\n",
    ),
    (
        "open-parenthesis",
        "R0206",
        "module m(input a, output y);\n  assign y = (a;\nendmodule\n",
    ),
    (
        "open-brace",
        "R0206",
        "module m(input a, output y);\n  assign y = {a;\nendmodule\n",
    ),
    (
        "closed-twice",
        "R0300",
        "module m(input a, output y);\n  assign y = a);\nendmodule\n",
    ),
    (
        "missing-operand",
        "R0204",
        "module m(input a, output y);\n  assign y = a + ;\nendmodule\n",
    ),
    (
        "missing-end",
        "R0300",
        "module m(input a, output reg y);\n  always @* begin y = a;\nendmodule\n",
    ),
    (
        "missing-endcase",
        "R0300",
        "module m(input a, output reg y);\n  always @* begin case (a) default: y = a; end\nendmodule\n",
    ),
    (
        "missing-endfunction",
        "R0301",
        "module m(input a, output y);\n  function f(input x); f = x;\n  assign y = f(a);\nendmodule\n",
    ),
    (
        "missing-endgenerate",
        "R0300",
        "module m(input a, output y);\n  generate assign y = a;\nendmodule\n",
    ),
    (
        "else-alone",
        "R0300",
        "module m(input a, output reg y);\n  always @* else y = a;\nendmodule\n",
    ),
    (
        "bad-digit",
        "R0202",
        "module m(output [3:0] y);\n  assign y = 4'b1021;\nendmodule\n",
    ),
    (
        "bad-base",
        "R0200",
        "module m(output [3:0] y);\n  assign y = 4'q10;\nendmodule\n",
    ),
    (
        "zero-width",
        "R0202",
        "module m(output y);\n  assign y = 0'd0;\nendmodule\n",
    ),
    (
        "stray-character",
        "R0200",
        "module m(output y);\n  assign y = 1 \u{a7} 0;\nendmodule\n",
    ),
    (
        "assignment-in-expression",
        "R0300",
        "module m(input a, output y);\n  assign y = a = 1;\nendmodule\n",
    ),
    (
        "bare-statement",
        "R0300",
        "module m(input a, output reg y);\n  y = a;\nendmodule\n",
    ),
    (
        "ifdef-open",
        "R0303",
        "`ifdef A\nmodule m(output y);\nendmodule\n",
    ),
    (
        "endif-alone",
        "R0303",
        "`endif\nmodule m(output y); assign y = 0;\nendmodule\n",
    ),
    (
        "else-directive-alone",
        "R0303",
        "`else\nmodule m(output y); assign y = 0;\nendmodule\n",
    ),
    (
        "two-else",
        "R0303",
        "`ifdef A\n`else\n`else\n`endif\nmodule m(output y); assign y = 0;\nendmodule\n",
    ),
    (
        "define-nothing",
        "R0303",
        "`define\nmodule m(output y); assign y = 0;\nendmodule\n",
    ),
    (
        "macro-unknown",
        "R0304",
        "module m(output y); assign y = `VALUE;\nendmodule\n",
    ),
    (
        "macro-endless",
        "R0303",
        "`define A `A\nmodule m(output y); assign y = `A;\nendmodule\n",
    ),
    (
        "macros-endless",
        "R0303",
        "`define A `B + 1\n`define B `A + 1\nmodule m(output y); assign y = `A;\nendmodule\n",
    ),
    (
        "macro-argument-missing",
        "R0303",
        "`define F(a, b) a & b\nmodule m(output y); assign y = `F(1);\nendmodule\n",
    ),
    (
        "macro-arguments-missing",
        "R0303",
        "`define F(a) a\nmodule m(output y); assign y = `F;\nendmodule\n",
    ),
    (
        "include-number",
        "R0303",
        "`include 5\nmodule m(output y); assign y = 0;\nendmodule\n",
    ),
    (
        "include-missing",
        "R0305",
        "`include \"nowhere.vh\"\nmodule m(output y); assign y = 0;\nendmodule\n",
    ),
    (
        "attribute-open",
        "R0303",
        "(* keep\nmodule m(output y); assign y = 0;\nendmodule\n",
    ),
    (
        "unknown-name",
        "R0307",
        "module m(input reset, output y);\n  assign y = resett;\nendmodule\n",
    ),
    (
        "unknown-target",
        "R0307",
        "`default_nettype none\nmodule m(input wire a, output wire y);\n  assign z = a;\nendmodule\n",
    ),
    (
        "unknown-in-block",
        "R0307",
        "module m(input a, output reg y);\n  always @* z = a;\nendmodule\n",
    ),
    (
        "unknown-type",
        "R0307",
        "module m(input a, output y);\n  state_t s;\n  assign y = a;\nendmodule\n",
    ),
    (
        "unknown-function",
        "R0307",
        "module m(input a, output y);\n  assign y = f(a);\nendmodule\n",
    ),
    (
        "unknown-task",
        "R0307",
        "module m(input a, output reg y);\n  always @* t(a, y);\nendmodule\n",
    ),
    (
        "unknown-package",
        "R0307",
        "module m import p::*; (input a, output y);\n  assign y = a;\nendmodule\n",
    ),
    (
        "unknown-parameter",
        "R0307",
        "module c #(parameter W = 1)(input a, output y); assign y = a; endmodule\nmodule m(input a, output y);\n  c #(.V(2)) u(a, y);\nendmodule\n",
    ),
    (
        "unknown-defparam",
        "R0307",
        "module c #(parameter W = 1)(input a, output y); assign y = a; endmodule\nmodule m(input a, output y);\n  c u(a, y);\n  defparam u.V = 2;\nendmodule\n",
    ),
    (
        "declared-twice",
        "R0308",
        "module m(input a, output y);\n  wire b;\n  wire b;\n  assign y = a;\nendmodule\n",
    ),
    (
        "two-sizes",
        "R0308",
        "module m(input a, y);\n  output [3:0] y;\n  reg [7:0] y;\nendmodule\n",
    ),
    (
        "port-twice",
        "R0308",
        "module m(input a, input a, output y);\nendmodule\n",
    ),
    (
        "module-twice",
        "R0308",
        "module m(input a, output y); assign y = a; endmodule\nmodule m(input a, output y); assign y = a; endmodule\n",
    ),
    (
        "port-undeclared",
        "R0307",
        "module m(a, y);\n  input a;\n  assign y = a;\nendmodule\n",
    ),
    (
        "unknown-module",
        "R0309",
        "module m(input a, output y);\n  counter u(a, y);\nendmodule\n",
    ),
    (
        "unknown-port",
        "R0310",
        "module c(input a, output y); assign y = a; endmodule\nmodule m(input a, output y);\n  c u(.a(a), .z(y));\nendmodule\n",
    ),
    (
        "too-many-ports",
        "R0310",
        "module c(input a, output y); assign y = a; endmodule\nmodule m(input a, output y);\n  c u(a, y, a);\nendmodule\n",
    ),
    (
        "port-connected-twice",
        "R0310",
        "module c(input a, output y); assign y = a; endmodule\nmodule m(input a, output y);\n  c u(.a(a), .a(a), .y(y));\nendmodule\n",
    ),
    (
        "too-many-parameters",
        "R0310",
        "module c #(parameter W = 1)(input a, output y); assign y = a; endmodule\nmodule m(input a, output y);\n  c #(1, 2) u(a, y);\nendmodule\n",
    ),
    (
        "contains-itself",
        "R0311",
        "module m(input a, output y);\n  m u(a, y);\nendmodule\n",
    ),
    (
        "contain-each-other",
        "R0310",
        "module c(input a, output y); d u(a, y); endmodule\nmodule d(input a, output y); c u(a, y); endmodule\nmodule m(input a, output y);\n  c u(a, y);\nendmodule\n",
    ),
    (
        "two-tops",
        "R0311",
        "module a(output y); assign y = 0; endmodule\nmodule b(output y); assign y = 0; endmodule\n",
    ),
    (
        "width-not-constant",
        "R0312",
        "module m(input [3:0] n, output y);\n  wire [n:0] a;\n  assign y = n[0];\nendmodule\n",
    ),
    (
        "parameter-not-constant",
        "R0312",
        "module m(input a, output y);\n  localparam P = a;\n  assign y = P;\nendmodule\n",
    ),
    (
        "generate-not-constant",
        "R0312",
        "module m(input a, output y);\n  if (a) assign y = 1;\n  else assign y = 0;\nendmodule\n",
    ),
    (
        "replication-not-constant",
        "R0155",
        "module m(input [1:0] a, output y);\n  assign y = {a{1'b1}};\nendmodule\n",
    ),
    (
        "range-not-constant",
        "R0155",
        "module m(input [3:0] a, input [1:0] n, output y);\n  assign y = a[n:0];\nendmodule\n",
    ),
    (
        "while-on-signal",
        "R0313",
        "module m(input [3:0] a, output reg y);\n  always @* begin y = 0; while (a != 0) y = 1; end\nendmodule\n",
    ),
    (
        "endless-for",
        "R0313",
        "module m(input a, output reg y);\n  integer i;\n  always @* begin y = a; for (i = 0; i >= 0; i = i) y = !y; end\nendmodule\n",
    ),
    (
        "endless-generate",
        "R0313",
        "module m(input a, output y);\n  genvar g;\n  for (g = 0; g < 2; g = g) begin : x wire w; end\n  assign y = a;\nendmodule\n",
    ),
    (
        "recursive-function",
        "R0313",
        "module m(input a, output y);\n  function f(input x); f = f(x); endfunction\n  assign y = f(a);\nendmodule\n",
    ),
    (
        "huge-word",
        "R0314",
        "module m(input a, output y);\n  reg [99999:0] r;\n  assign y = a;\nendmodule\n",
    ),
    (
        "huge-memory",
        "R0314",
        "module m(input a, output y);\n  reg [31:0] memory [0:65535];\n  assign y = a;\nendmodule\n",
    ),
    (
        "huge-index",
        "R0314",
        "module m(input a, output y);\n  reg [2147483647:0] r;\n  assign y = a;\nendmodule\n",
    ),
    (
        "huge-total",
        "R0314",
        "module m(input a, output y);\n  genvar g;\n  for (g = 0; g < 4000; g = g + 1) begin : x reg [16000:0] w; end\n  assign y = a;\nendmodule\n",
    ),
    (
        "enum-too-big",
        "R0314",
        "module m(input a, output y);\n  typedef enum logic [1:0] {A, B, C, D, E} t;\n  assign y = a;\nendmodule\n",
    ),
    (
        "number-target",
        "R0300",
        "module m(input a, output y);\n  assign 1 = a;\nendmodule\n",
    ),
    (
        "parameter-target",
        "R0315",
        "module m(input a, output reg y);\n  localparam P = 1;\n  always @* P = a;\nendmodule\n",
    ),
    (
        "bit-of-a-bit",
        "R0315",
        "module m(input a, output reg y);\n  always @* y[0][1] = a;\nendmodule\n",
    ),
    (
        "slice-outside",
        "R0315",
        "module m(input a, output reg [3:0] y);\n  always @* y[7:4] = a;\nendmodule\n",
    ),
    (
        "slice-backwards",
        "R0157",
        "module m(input a, output reg [3:0] y);\n  always @* y[0:3] = a;\nendmodule\n",
    ),
    (
        "input-assigned",
        "R0316",
        "module m(input a, output y);\n  assign a = 1;\n  assign y = a;\nendmodule\n",
    ),
    (
        "input-register",
        "R0316",
        "module m(input clk, input a, output y);\n  always @(posedge clk) a <= 1;\n  assign y = a;\nendmodule\n",
    ),
    (
        "driven-twice",
        "R0316",
        "module m(input a, output y);\n  assign y = a;\n  assign y = !a;\nendmodule\n",
    ),
    (
        "two-blocks",
        "R0316",
        "module m(input clk, input a, output reg y);\n  always @(posedge clk) y <= a;\n  always @(posedge clk) y <= !a;\nendmodule\n",
    ),
    (
        "register-and-wire",
        "R0316",
        "module m(input clk, input a, output reg y);\n  always @(posedge clk) y <= a;\n  always @* y = !a;\nendmodule\n",
    ),
    (
        "both-assignments",
        "R0316",
        "module m(input clk, input a, output reg y);\n  always @(posedge clk) begin y = a; y <= !a; end\nendmodule\n",
    ),
    (
        "latch-if",
        "R0317",
        "module m(input a, input b, output reg y);\n  always @* if (a) y = b;\nendmodule\n",
    ),
    (
        "latch-case",
        "R0317",
        "module m(input [1:0] a, input b, output reg y);\n  always @* case (a) 0: y = b; 1: y = !b; endcase\nendmodule\n",
    ),
    (
        "clock-as-data",
        "R0318",
        "module m(input c, input a, output reg y);\n  wire d = a & c;\n  always @(posedge c) y <= d;\nendmodule\n",
    ),
    (
        "clock-as-output",
        "R0318",
        "module m(input c, input a, output reg y, output z);\n  always @(posedge c) y <= a;\n  assign z = c;\nendmodule\n",
    ),
    (
        "unknown-condition",
        "R0319",
        "module m(input a, output reg y);\n  always @* if (1'bx) y = a; else y = 0;\nendmodule\n",
    ),
    (
        "loop-of-wires",
        "R0100",
        "module m(input a, output y);\n  wire b, c;\n  assign b = c & a;\n  assign c = b | a;\n  assign y = c;\nendmodule\n",
    ),
    (
        "loop-of-one",
        "R0100",
        "module m(input a, output y);\n  assign y = !y & a;\nendmodule\n",
    ),
    (
        "loop-on-itself",
        "R0100",
        "module m(output y);\n  assign y = y;\nendmodule\n",
    ),
    (
        "loop-on-itself-declared",
        "R0100",
        "module m(output y);\n  wire x = x;\n  assign y = x;\nendmodule\n",
    ),
    (
        "loop-on-itself-in-part",
        "R0100",
        "module m(input a, output [3:0] y);\n  assign y[3:1] = {y[1], y[2], a};\n  assign y[0] = a;\nendmodule\n",
    ),
    (
        "loop-of-instances",
        "R0100",
        "module c(input a, output y); assign y = !a; endmodule\nmodule m(input a, output y);\n  wire b;\n  c u(y, b);\n  assign y = b & a;\nendmodule\n",
    ),
    (
        "unsized-in-braces",
        "R0152",
        "module m(input a, output [3:0] y);\n  assign y = {a, 1};\nendmodule\n",
    ),
    (
        "array-as-value",
        "R0152",
        "module m(input a, output y);\n  reg [3:0] r [0:3];\n  assign y = r;\nendmodule\n",
    ),
    (
        "array-assigned",
        "R0301",
        "module m(input c, input a, output y);\n  reg [3:0] r [0:3];\n  always @(posedge c) r <= a;\n  assign y = a;\nendmodule\n",
    ),
    (
        "function-arguments",
        "R0152",
        "module m(input a, output y);\n  function f(input x); f = x; endfunction\n  assign y = f(a, a);\nendmodule\n",
    ),
    (
        "task-arguments",
        "R0310",
        "module m(input a, output reg y);\n  task t(input x, output z); z = x; endtask\n  always @* t(a);\nendmodule\n",
    ),
    (
        "select-of-sum",
        "R0213",
        "module m(input [3:0] a, output y);\n  assign y = (a + a)[0];\nendmodule\n",
    ),
    (
        "delay-of-nothing",
        "R0300",
        "module m(input a, output y);\n  assign # y = a;\nendmodule\n",
    ),
    (
        "gate-without-input",
        "R0300",
        "module m(input a, output y);\n  not (y);\nendmodule\n",
    ),
    (
        "gates-in-an-array",
        "R0301",
        "module m(input [1:0] a, output [1:0] y);\n  not n [1:0] (y, a);\nendmodule\n",
    ),
    (
        "loop-variable-elsewhere",
        "R0301",
        "module m(input [3:0] a, output reg [3:0] y, output [3:0] z);\n  integer k;\n  always @* for (k = 0; k < 4; k = k + 1) y[k] = a[k];\n  assign z = k;\nendmodule\n",
    ),
    (
        "loop-variable-of-a-branch",
        "R0301",
        "module m(input [3:0] a, output reg [3:0] y, z);\n  integer k;\n  always @* begin y = 0; if (a[0]) for (k = 0; k < 4; k = k + 1) y[k] = a[k]; z = k; end\nendmodule\n",
    ),
    (
        "scope-index-not-constant",
        "R0155",
        "module m(input [1:0] a, output y);\n  genvar i; generate for (i = 0; i < 4; i = i + 1) begin : g wire w = i[0]; end endgenerate\n  assign y = g[a].w;\nendmodule\n",
    ),
    (
        "event-in-assignment",
        "R0301",
        "module m(input c, input a, output reg y);\n  always @(posedge c) y <= @(a) a;\nendmodule\n",
    ),
    (
        "wait",
        "R0301",
        "module m(input a, output reg y);\n  always @* begin wait (a); y = 1; end\nendmodule\n",
    ),
    (
        "event-inside",
        "R0301",
        "module m(input c, input a, output reg y);\n  always @(posedge c) begin @(posedge c); y <= a; end\nendmodule\n",
    ),
    (
        "fork",
        "R0301",
        "module m(input a, output reg y);\n  always @* fork y = a; join\nendmodule\n",
    ),
    (
        "forever",
        "R0301",
        "module m(output reg y);\n  initial forever y = 1;\nendmodule\n",
    ),
    (
        "disable",
        "R0301",
        "module m(input a, output reg y);\n  always @* begin : b y = a; disable b; end\nendmodule\n",
    ),
    (
        "force",
        "R0301",
        "module m(input a, output reg y);\n  always @* force y = a;\nendmodule\n",
    ),
    (
        "real",
        "R0301",
        "module m(input a, output y);\n  real r;\n  assign y = a;\nendmodule\n",
    ),
    (
        "string",
        "R0301",
        "module m(input a, output y);\n  string s;\n  assign y = a;\nendmodule\n",
    ),
    (
        "event",
        "R0301",
        "module m(input a, output y);\n  event e;\n  assign y = a;\nendmodule\n",
    ),
    (
        "gate-primitive",
        "R0301",
        "module m(input a, input b, output y);\n  nmos g(y, a, b);\nendmodule\n",
    ),
    (
        "primitive",
        "R0301",
        "primitive p(y, a); output y; input a; table 0 : 1; 1 : 0; endtable endprimitive\nmodule m(input a, output y); p u(y, a);\nendmodule\n",
    ),
    (
        "instance-array",
        "R0310",
        "module c(input a, output y); assign y = a; endmodule\nmodule m(input [2:0] a, output [3:0] y);\n  c u[3:0](a, y);\nendmodule\n",
    ),
    (
        "dynamic-array",
        "R0301",
        "module m(input a, output y);\n  int q[];\n  assign y = a;\nendmodule\n",
    ),
    (
        "unknown-system-task",
        "R0301",
        "module m(input a, output reg y);\n  always @* begin y = a; $readmemh(\"f\", y); end\nendmodule\n",
    ),
    (
        "levels-and-edges",
        "R0301",
        "module m(input c, input a, output reg y);\n  always @(posedge c or a) y <= a;\nendmodule\n",
    ),
    (
        "always-without-event",
        "R0300",
        "module m(input a, output reg y);\n  always y = a;\nendmodule\n",
    ),
    (
        "system-function",
        "R0152",
        "module m(input a, output y);\n  assign y = $time;\nendmodule\n",
    ),
];

/// Files that are too deep, too long or too wide, by name.
pub fn oversized() -> Vec<(&'static str, String)> {
    let module = |body: String| {
        format!("module m(input clk, input [7:0] a, output reg [7:0] y);\n{body}\nendmodule\n")
    };
    let combinational = |body: String| module(format!("  always @* {body}"));
    let assigned = |value: String| module(format!("  always @* y = {value};"));
    let many = 10_000;
    vec![
        (
            "deep-parentheses",
            assigned(format!("{}a{}", "(".repeat(many), ")".repeat(many - 1))),
        ),
        (
            "deep-braces",
            assigned(format!("{}a{}", "{".repeat(many), "}".repeat(many))),
        ),
        ("deep-negation", assigned(format!("{}a", "~".repeat(many)))),
        (
            "deep-choice",
            assigned(format!("{}a", "a[0] ? a : ".repeat(many))),
        ),
        (
            "deep-index",
            assigned(format!("{}a{}", "a[".repeat(many), "]".repeat(many))),
        ),
        ("long-chain-of-indices", assigned(format!("a{}", "[0]".repeat(many)))),
        (
            "deep-calls",
            assigned(format!("{}a{}", "$signed(".repeat(many), ")".repeat(many))),
        ),
        (
            "deep-begin",
            combinational(format!("{}y = a;{}", "begin ".repeat(many), " end".repeat(many))),
        ),
        (
            "deep-if",
            combinational(format!("{}y = a;", "if (a) ".repeat(many))),
        ),
        (
            "deep-else",
            combinational(format!("{}y = a;", "if (a == 3) y = 1; else ".repeat(many))),
        ),
        (
            "deep-case",
            combinational(format!(
                "{}y = a;{}",
                "case (a) default: ".repeat(many),
                " endcase".repeat(many)
            )),
        ),
        (
            "deep-for",
            module(format!(
                "  integer i;\n  always @* {}y = a;",
                "for (i = 0; i < 1; i = i + 1) ".repeat(many)
            )),
        ),
        (
            "deep-generate",
            module(format!("{}wire w;{}", "begin ".repeat(many), " end".repeat(many))),
        ),
        (
            "deep-generate-if",
            module(format!("{}wire w;", "if (1) ".repeat(many))),
        ),
        (
            "deep-target",
            combinational(format!("{}y{} = a;", "{".repeat(many), "}".repeat(many))),
        ),
        (
            "deep-structure",
            module(format!(
                "  {}logic a;{} s;",
                "struct packed { ".repeat(many),
                " } x;".repeat(many)
            )),
        ),
        (
            "long-loop",
            module(
                "  integer i;\n  always @* begin y = a; for (i = 0; i < 100000000; i = i + 1) y = y + 1; end"
                    .to_string(),
            ),
        ),
        (
            "loops-in-loops",
            module(
                "  integer i, j, k;\n  always @* begin y = a;\n    for (i = 0; i < 1000; i = i + 1) for (j = 0; j < 1000; j = j + 1)\n      for (k = 0; k < 1000; k = k + 1) y = y ^ a; end"
                    .to_string(),
            ),
        ),
        (
            "long-generate",
            module("  genvar g;\n  for (g = 0; g < 100000000; g = g + 1) begin : x wire w; end".to_string()),
        ),
        (
            "generates-in-generates",
            module(
                "  genvar g, h;\n  for (g = 0; g < 4000; g = g + 1) begin : x\n    for (h = 0; h < 4000; h = h + 1) begin : z wire [3:0] w; end end"
                    .to_string(),
            ),
        ),
        ("wide-replication", assigned("{100000000{a}}".to_string())),
        (
            "replications-of-replications",
            assigned("{1000{ {1000{ {1000{a}} }} }}".to_string()),
        ),
        (
            "wide-product",
            assigned("({600{a[0]}} * {600{a[1]}}) >> 3".to_string()),
        ),
        (
            "macro-bomb",
            {
                let mut text = String::from("`define A0 a + a\n");
                for level in 1..40 {
                    text.push_str(&format!("`define A{level} `A{0} + `A{0}\n", level - 1));
                }
                text + &assigned("`A39".to_string())
            },
        ),
        (
            "instance-bomb",
            {
                let mut text = String::from("module c0(input a, output y); assign y = a; endmodule\n");
                for level in 1..40 {
                    text.push_str(&format!(
                        "module c{level}(input a, output y);\n  wire b;\n  c{0} l(a, b);\n  c{0} r(b, y);\nendmodule\n",
                        level - 1
                    ));
                }
                text
            },
        ),
        (
            "function-bomb",
            {
                let mut text = String::from("  function f0(input x); f0 = !x; endfunction\n");
                for level in 1..40 {
                    text.push_str(&format!(
                        "  function f{level}(input x); f{level} = f{0}(x) ^ f{0}(!x); endfunction\n",
                        level - 1
                    ));
                }
                module(text + "  always @* y = f39(a[0]);")
            },
        ),
        ("long-number", assigned("9".repeat(100_000))),
        ("huge-shift-loop", module("  integer i;\n  always @* begin y = a; while (1) y = y << 1; end".to_string())),
    ]
}
