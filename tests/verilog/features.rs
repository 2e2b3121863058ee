//! Small designs, each about one feature of the language, that Yosys and Icarus read, too. An
//! example that one of them does not read is compared with the other alone.

pub enum With {
    Both,
    Yosys,
    Icarus,
}
use With::{Both, Icarus, Yosys};

pub const FEATURES: &[(&str, With, &str)] = &[
    ("parameters-by-name", Both, "
module part #(parameter W = 2, parameter [3:0] K = 3)(input [W-1:0] a, output [W-1:0] y); assign y = a + K; endmodule
module m(input [4:0] a, output [4:0] y); part #(.K(7), .W(5)) u(.a(a), .y(y)); endmodule"),
    ("parameters-by-position", Both, "
module part #(parameter W = 2, K = 3)(input [W-1:0] a, output [W-1:0] y); assign y = a + K; endmodule
module m(input [4:0] a, output [4:0] y); part #(5, 9) u(a, y); endmodule"),
    ("parameters-in-body", Both, "
module part(a, y); parameter W = 2; parameter K = 3; input [W-1:0] a; output [W-1:0] y; assign y = a + K; endmodule
module m(input [4:0] a, output [4:0] y); part #(5, 9) u(a, y); endmodule"),
    ("defparam", Both, "
module part(a, y); parameter W = 2; parameter K = 3; input [W-1:0] a; output [W-1:0] y; assign y = a ^ K; endmodule
module m(input [4:0] a, output [4:0] y); part u(a, y); defparam u.W = 5, u.K = 12; endmodule"),
    ("localparam-list", Both, "
module m(input [3:0] a, output [3:0] y); localparam A = 2, B = A * 2, C = B - 1; assign y = a + C; endmodule"),
    ("parameter-signed", Both, "
module m #(parameter signed [3:0] K = -2)(input signed [3:0] a, output y, output [5:0] z); assign y = a < K; assign z = K; endmodule"),
    ("clog2", Both, "
module m #(parameter D = 9)(input [$clog2(D)-1:0] a, output [7:0] y); assign y = a + $clog2(D); endmodule"),
    ("ports-not-ansi", Both, "
module m(a, b, clk, q, y); input [3:0] a; input signed [3:0] b; input clk; output [3:0] q; output signed [7:0] y; reg [3:0] q = 0; wire signed [7:0] y;
  always @(posedge clk) q <= a; assign y = b; endmodule"),
    ("ports-with-values", Both, "
module m(input clk, input wire [3:0] a, output reg [3:0] q = 4'd5, output wire y); always @(posedge clk) q <= q + a; assign y = ^q; endmodule"),
    ("ports-inherit", Both, "
module m(input signed [3:0] a, b, input c, d, output signed [4:0] y, z); assign y = a + b; assign z = c - d; endmodule"),
    ("carry-into-braces", Both, "
module m(input [3:0] a, b, input ci, output [3:0] s, output c); wire [3:0] x, t; wire k; assign {k, t} = a + b + ci, x = t; assign s = x; assign c = k; endmodule"),
    ("context-of-sums", Both, "
module m(input [3:0] a, b, output [3:0] y, output [3:0] z, output w); assign y = (a + b) >> 1; assign z = {a + b} >> 1; assign w = (a + b) > 15; endmodule"),
    ("context-of-comparisons", Both, "
module m(input signed [3:0] a, input [3:0] b, input signed [2:0] c, output [4:0] y); assign y = {a < b, a < c, a < 4'sd2, a < 4'd2, a < -1}; endmodule"),
    ("signs-of-shifts", Both, "
module m(input signed [3:0] a, input [3:0] u, input signed [1:0] n, output [7:0] y, z, w, v); assign y = a >>> n; assign z = (a >>> 1) + u; assign w = $signed(u) >>> 2; assign v = -a >>> 1; endmodule"),
    ("signs-of-selects", Both, "
module m(input signed [3:0] a, output [7:0] y, z, w); assign y = a[3:0]; assign z = a; assign w = {a}; endmodule"),
    ("signs-of-choices", Both, "
module m(input signed [3:0] a, input [3:0] b, input s, output [7:0] y, z); assign y = s ? a : b; assign z = s ? a : 4'sd3; endmodule"),
    ("signs-of-division", Both, "
module m(input signed [5:0] a, input [5:0] b, output [7:0] y, z, w, v); assign y = a / 3; assign z = a % 3; assign w = b / 4'd3; assign v = a / 4'sd5; endmodule"),
    ("unsized-negative", Both, "
module m(input [3:0] a, output [7:0] y, output z); assign y = a - 1; assign z = a > -1; endmodule"),
    ("numbers", Both, "
module m(input [3:0] a, output [7:0] y, z, w); assign y = 8'b10_01_1100 ^ a; assign z = 'hA5 + a; assign w = 8 'd 17 | 8'o21; endmodule"),
    ("conditions-nested", Both, "
module m(input [3:0] a, output [1:0] y); assign y = a[3] ? 2'd3 : a[2] ? 2'd2 : a[1] ? 2'd1 : 2'd0; endmodule"),
    ("precedence", Both, "
module m(input [3:0] a, b, c, output [3:0] y, z, w, v); assign y = a & b | c ^ a; assign z = a - b - c; assign w = a << 1 + 1; assign v = ~a & b == c; endmodule"),
    ("reductions", Both, "
module m(input [3:0] a, output [5:0] y); assign y = {&a, |a, ^a, ~&a, ~|a, ~^a}; endmodule"),
    ("fill", Yosys, "
module m(input [3:0] a, output [3:0] y, z, output w, v); assign y = a ^ '1; assign z = a & '0; assign w = a == '1; assign v = a == '0; endmodule"),
    ("case-of-true", Both, "
module m(input [2:0] a, output reg [1:0] y); always @* case (1'b1) a[2]: y = 3; a[1]: y = 2; a[0]: y = 1; default: y = 0; endcase endmodule"),
    ("case-of-sum", Both, "
module m(input [1:0] a, b, output reg [1:0] y); always @* case (a + b) 3'd4: y = 1; 3'd6: y = 2; 0: y = 3; default: y = 0; endcase endmodule"),
    ("case-signs", Both, "
module m(input signed [2:0] a, input [3:0] b, output reg [1:0] y, z); always @* begin case (a) 4'sb1111: y = 1; -2: y = 2; default: y = 0; endcase
  case (b) 3'sb111: z = 1; 4'd9: z = 2; default: z = 0; endcase end endmodule"),
    // Yosys 0.23 takes the sign of each label by itself in the first, the width of a label by
    // itself in the second, and the width and sign of the whole word in the third.
    ("case-signs-mixed", Icarus, "
module m(input signed [3:0] s, input [3:0] u, input signed [1:0] n, input signed [2:0] l, output reg [1:0] y, z); always @* begin case (s) -4'sd3: y = 1; n: y = 2; l: y = 3; default: y = 0; endcase
  case (s) u: z = 1; n: z = 2; default: z = 0; endcase end endmodule"),
    ("case-labels-computed", Icarus, "
module m #(parameter [2:0] VALUE = 6)(input signed [4:0] p, output reg [1:0] y, z); always @* begin y = 0; case ({p >>> 1}) 26, 17: y = 1; (VALUE << 8): y = 2; endcase z = 0; case ({p}) (VALUE << 2): z = 2; endcase end endmodule"),
    ("value-of-computed-place", Icarus, "
module m(input [1:0] i, input signed [1:0] a, input [1:0] b, output reg [7:0] y, z); always @* begin y = 0; y[i +: 4] = a; z = 0; z[i +: 3] = (a + b) >> 1; end endmodule"),
    ("casez", Both, "
module m(input [3:0] a, output reg [1:0] y); always @* casez (a) 4'b1???: y = 3; 4'b01zz: y = 2; 4'b001?: y = 1; default: y = 0; endcase endmodule"),
    ("casex", Both, "
module m(input [3:0] a, output reg [1:0] y); always @* casex (a) 4'b1xxx: y = 3; 4'b01x?: y = 2; default: y = 0; endcase endmodule"),
    ("case-full", Both, "
module m(input [1:0] a, output reg [1:0] y); always @* case (a) 0: y = 3; 1: y = 1; 2: y = 0; 3: y = 2; endcase endmodule"),
    ("unique-case", Yosys, "
module m(input [1:0] a, output logic [1:0] y); always_comb unique case (a) 0: y = 3; 1: y = 1; default: y = 0; endcase endmodule"),
    ("blocking-and-not", Both, "
module m(input clk, input [3:0] a, output reg [3:0] q = 0, output reg [3:0] p = 1); reg [3:0] t = 0; always @(posedge clk) begin t = a + q; t = t ^ p; q <= t; p <= q; end endmodule"),
    ("last-assignment-wins", Both, "
module m(input clk, input [3:0] a, output reg [3:0] q = 0); always @(posedge clk) begin q <= a; if (a[0]) q[2:1] <= 2'b10; if (a[1]) q <= 0; q[3] <= a[2]; end endmodule"),
    ("reset-asynchronous-low", Both, "
module m(input clk, rst_n, input [3:0] a, output reg [3:0] q = 3); always @(posedge clk, negedge rst_n) if (~rst_n) q <= 4'd9; else q <= q + a; endmodule"),
    ("reset-asynchronous-compared", Both, "
module m(input clk, rst, input [3:0] a, output reg [3:0] q = 3); always @(posedge clk or posedge rst) begin if (rst == 1'b1) begin q <= 4'd9; end else if (a[0]) q <= q + a; end endmodule"),
    ("falling-clock", Both, "
module m(input clk, input [3:0] a, output reg [3:0] q = 3); always @(negedge clk) q <= q ^ a; endmodule"),
    ("memory", Both, "
module m(input clk, we, input [1:0] ra, wa, input [3:0] d, output [3:0] y); reg [3:0] mem [0:3]; integer i; initial begin for (i = 0; i < 4; i = i + 1) mem[i] = i * 3; end
  always @(posedge clk) if (we) mem[wa] <= d; assign y = mem[ra]; endmodule"),
    ("memory-of-bits", Both, "
module m(input clk, we, input [1:0] ra, wa, input d, output y); reg mem [3:0]; initial begin mem[0] = 0; mem[1] = 1; mem[2] = 0; mem[3] = 1; end
  always @(posedge clk) if (we) mem[wa] <= d; assign y = mem[ra]; endmodule"),
    ("initial-loop", Both, "
module m(input clk, output reg [7:0] q); integer i; initial begin q = 0; for (i = 0; i < 8; i = i + 2) q[i] = 1; end always @(posedge clk) q <= {q[6:0], q[7]}; endmodule"),
    ("declared-values", Both, "
module m(input clk, input [3:0] a, output [3:0] y); reg [3:0] p = 4'd2, q = 4'd7; always @(posedge clk) begin p <= q; q <= a; end assign y = p; endmodule"),
    ("ranges", Both, "
module m(input [0:3] a, input [7:4] b, input [1:4] c, output [0:3] y, output [7:4] z, output w); assign y = {a[1:3], b[4]}; assign z = b[7:5] + c[1:2]; assign w = a[0] ^ b[7] ^ c[4]; endmodule"),
    ("selects-computed", Both, "
module m(input [7:0] a, input [1:0] i, input [0:7] r, output [1:0] y, z, output w, v); assign y = a[i +: 2]; assign z = a[i + 4 -: 2]; assign w = a[{i, 1'b1}]; assign v = r[i]; endmodule"),
    ("selects-assigned", Both, "
module m(input [7:0] a, input [1:0] i, output reg [7:0] y, z, output reg [0:7] r); always @* begin y = 0; y[i +: 2] = a[1:0]; y[7 -: 2] = a[3:2]; z = a; z[i] = ~z[i]; r = a; r[i +: 3] = a; end endmodule"),
    ("generate-for", Both, "
module m(input [7:0] a, output [7:0] y, output z); genvar g; generate for (g = 0; g < 8; g = g + 1) begin : lane wire t; assign t = a[g] ^ a[7 - g]; assign y[g] = t; end endgenerate assign z = lane[3].t; endmodule"),
    ("generate-if", Both, "
module m #(parameter K = 2)(input [3:0] a, output [3:0] y); generate if (K == 1) begin : one assign y = a; end else if (K == 2) begin : two wire [3:0] t = a + 1; assign y = t; end else begin : more assign y = 0; end endgenerate endmodule"),
    ("generate-case", Both, "
module m #(parameter K = 2)(input [3:0] a, output [3:0] y); generate case (K) 0, 1: assign y = a; 2: assign y = ~a; default: assign y = 0; endcase endgenerate endmodule"),
    ("generate-instances", Both, "
module full(input a, b, c, output s, k); assign {k, s} = a + b + c; endmodule
module m(input [3:0] a, b, output [3:0] s, output k); wire [4:0] c; assign c[0] = 0; genvar i; for (i = 0; i < 4; i = i + 1) begin : bits full u(.a(a[i]), .b(b[i]), .c(c[i]), .s(s[i]), .k(c[i + 1])); end assign k = c[4]; endmodule"),
    ("function-old", Both, "
module m(input [3:0] a, output [2:0] y); function [2:0] ones; input [3:0] x; integer i; begin ones = 0; for (i = 0; i < 4; i = i + 1) ones = ones + x[i]; end endfunction assign y = ones(a); endmodule"),
    ("function-new", Both, "
module m(input [3:0] a, b, output [4:0] y); function automatic [4:0] most(input [3:0] x, input [3:0] z); reg [4:0] t; begin t = x; if (z > x) t = z + 1; most = t; end endfunction assign y = most(a, b) ^ most(b, 4'd7); endmodule"),
    ("function-constant", Both, "
module m(input [7:0] a, output [3:0] y); function integer log(input integer n); begin log = 0; while (n > 1) begin n = n >> 1; log = log + 1; end end endfunction localparam W = log(8); wire [W-1:0] t = a; assign y = t; endmodule"),
    ("task", Both, "
module m(input [3:0] a, b, output reg [3:0] y, z); task order(input [3:0] p, q, output [3:0] low, high); begin if (p < q) begin low = p; high = q; end else begin low = q; high = p; end end endtask always @* order(a, b, y, z); endmodule"),
    ("task-of-clocked-block", Both, "
module m(input clk, input [3:0] a, output reg [3:0] q = 0); task step; input [3:0] by; q <= q + by; endtask always @(posedge clk) if (a[0]) step(a); else step(1); endmodule"),
    ("loops", Icarus, "
module m(input [7:0] a, output reg [3:0] y, z, w); integer i; always @* begin y = 0; for (i = 7; i >= 0; i = i - 1) if (a[i]) y = i; z = 0; i = 0; while (i < 8) begin z = z + a[i]; i = i + 2; end w = a; repeat (3) w = {w[2:0], w[3]}; end endmodule"),
    ("named-blocks", Both, "
module m(input [3:0] a, output reg [3:0] y); always @* begin : work reg [3:0] t; integer i; t = a; for (i = 0; i < 2; i = i + 1) t = t + i; y = t; end endmodule"),
    ("macros", Both, "
`define FEATURE_ADD(p, q) ((p) + (q))
`define FEATURE_TWO 2
`define FEATURE_LONG(x) x + \\
  `FEATURE_TWO
module m(input [3:0] a, output [3:0] y, z); assign y = `FEATURE_ADD(a, `FEATURE_TWO) * 2; assign z = `FEATURE_LONG(a); endmodule"),
    ("macro-conditions", Both, "
`define FEATURE_B
module m(input [3:0] a, output [3:0] y);
`ifdef FEATURE_A
  assign y = a;
`elsif FEATURE_B
 `ifndef FEATURE_C
  assign y = a + 1;
 `else
  assign y = 0;
 `endif
`else
  assign y = 2;
`endif
endmodule"),
    ("timescale-and-attributes", Both, "
(* top = 1 *) module m(input clk, (* keep *) input [3:0] a, output reg [3:0] y = 0); (* full_case, parallel_case *) wire t = a[0]; always @(posedge clk) (* synthesis *) if (t) y <= a; endmodule"),
    ("escaped-names", Both, "
module m(input [3:0] a, output [3:0] y); wire [3:0] \\a+b ; assign \\a+b = a + 1; assign y = \\a+b ; endmodule"),
    ("enumeration", Both, "
module m(input clk, rst, output logic [1:0] y); typedef enum logic [1:0] {IDLE, RUN = 2, STOP} state_t; state_t state = IDLE, next; always_comb begin next = state; if (rst) next = IDLE; else case (state) IDLE: next = RUN; RUN: next = STOP; default: next = IDLE; endcase end
  always_ff @(posedge clk) if (rst) state <= IDLE; else state <= next; assign y = state; endmodule"),
    ("packed-structure", Both, "
module m(input [6:0] a, output [6:0] y, output [2:0] z); typedef struct packed { logic valid; logic [2:0] tag; logic [2:0] data; } item_t; item_t p, q; assign p = a; always_comb begin q = p; q.tag = p.data; q.data[1] = p.valid; end assign y = q; assign z = p.tag; endmodule"),
    ("package", Icarus, "
package feature_package; localparam K = 5; typedef logic [3:0] nibble_t; function automatic [3:0] twice(input [3:0] x); twice = x << 1; endfunction endpackage
module m import feature_package::*; (input nibble_t a, output nibble_t y, output [3:0] z); assign y = a + K; assign z = feature_package::K; endmodule"),
    ("packed-dimensions", Icarus, "
module m(input [3:0][1:0] a, input [1:0] i, output [1:0] y, output [3:0] z, output w); assign y = a[i]; assign z = a[2:1]; assign w = a[1][0]; endmodule"),
    ("compound-assignments", Both, "
module m(input [3:0] a, output logic [3:0] y); always_comb begin y = a; y += 3; y ^= 4'd5; y <<= 1; for (int i = 0; i < 3; i++) y -= i; end endmodule"),
    ("connections-implicit", Both, "
module part(input clk, input [3:0] a, output [3:0] y); assign y = a + clk; endmodule
module m(input clk, input [3:0] a, output [3:0] y, z); wire [3:0] t; part u(.clk, .a, .y(t)); part v(.*, .y(z)); assign y = t; endmodule"),
    ("casts", Yosys, "
module m(input [3:0] a, input signed [3:0] b, output [7:0] y, z, w); assign y = 5'(a + 1); assign z = signed'(a); assign w = unsigned'(b); endmodule"),
    ("return", Icarus, "
module m(input [3:0] a, output [2:0] y); function automatic [2:0] first(input [3:0] x); if (x[0]) return 1; if (x[1]) return 2; return x[3:2]; endfunction assign y = first(a); endmodule"),
    ("hierarchical-names", Icarus, "
module part(input [3:0] a, output [3:0] y); wire [3:0] t = a + 1; assign y = t; endmodule
module m(input [3:0] a, output [3:0] y, z); part u(a, y); assign z = u.t; endmodule"),
    ("instances-in-one-line", Both, "
module part(input a, output y); assign y = !a; endmodule
module m(input a, output y, z); part u(a, y), v(.a(a), .y(z)); endmodule"),
    ("open-ports", Both, "
module part(input a, output y, output z); assign y = !a; assign z = a; endmodule
module m(input a, output y); part u(.a(a), .y(y), .z()); endmodule"),
    ("wire-implicit", Both, "
module part(input a, output y); assign y = !a; endmodule
module m(input a, output y); part u(a, t); part v(t, y); endmodule"),
    ("logic-and-comb", Both, "
module m(input logic clk, input logic [3:0] a, output logic [3:0] q = 0, output logic y); logic [3:0] n; always_comb n = q + a; always_ff @(posedge clk) q <= n; assign y = &n; endmodule"),
    ("sensitivity-lists", Both, "
module m(input a, b, output reg y, z); always @(a or b) y = a & b; always @(a, b) z = a | b; endmodule"),
    ("system-tasks-ignored", Both, "
module m(input clk, input a, output reg q = 0); always @(posedge clk) begin if (a) $display(\"noticed %b; really\", a); q <= a; end endmodule"),
    ("integers", Both, "
module m(input [3:0] a, output [7:0] y); integer t; reg [7:0] r; always @* begin t = a; t = t - 8; r = t; end assign y = r; endmodule"),
    ("power-and-constants", Both, "
module m(input [3:0] a, output [7:0] y); localparam N = 2 ** 3; localparam M = (N > 4) ? 7 % 4 : 1; assign y = a * N + M; endmodule"),
    ("gates", Both, "
module m(input a, b, c, output [8:0] y, output p, q); and (y[0], a, b, c); nand g1 (y[1], a, b); or g2 (y[2], a, b), g3 (y[3], b, c);
  nor (y[4], a, b, c); xor (y[5], a, b, c); xnor (y[6], a, b); not n1 (y[7], a); buf (p, q, y[8], a ^ b); endmodule"),
    ("gates-with-undeclared-nets", Both, "
module m(input a, b, cin, output s, cout); xor (p, a, b); and (g, a, b), (t, p, cin); xor (s, p, cin); or (cout, g, t); endmodule"),
    ("delays", Yosys, "
`define TCQ 1
module m(input clk, input [3:0] d, output reg [3:0] q = 0, output [3:0] y, z); wire [3:0] #3 w = d; assign #(1, 2) y = q ^ d; xor #2 (z[0], w[0], d[1]); assign z[3:1] = w[3:1];
  always @(posedge clk) begin if (d[0]) q <= #`TCQ d; else q <= #(`TCQ) q + 1; end endmodule"),
    ("names-in-computed-scopes", Both, "
module m(input [3:0] a, b, input cin, output [3:0] s, output cout); genvar i;
  generate for (i = 0; i < 4; i = i + 1) begin : stage wire c; wire p = a[i] ^ b[i];
    if (i == 0) begin assign c = a[0] & b[0] | cin & p; assign s[0] = p ^ cin; end
    else begin assign c = a[i] & b[i] | stage[i-1].c & p; assign s[i] = p ^ stage[i-1].c; end end endgenerate
  assign cout = stage[3].c; endmodule"),
    ("targets-in-computed-scopes", Both, "
module m(input [2:0] a, output [2:0] y); genvar i; generate for (i = 0; i < 3; i = i + 1) begin : lane wire [1:0] v; end
  for (i = 0; i < 3; i = i + 1) begin : drive assign lane[2-i].v[0] = a[i]; assign lane[2-i].v[1] = !a[i]; assign y[i] = lane[i].v[0] & !lane[i].v[1]; end endgenerate endmodule"),
    ("widths-from-macros", Both, "
`define WIDTH 8
module m(input [7:0] a, output [7:0] y, z); assign y = a ^ `WIDTH'b0110_0011; assign z = a + `WIDTH 'h1f; endmodule"),
    ("inputs-with-defaults", Yosys, "
module part(input [3:0] a, input [3:0] step = 4'd3, output [3:0] y); assign y = a + step; endmodule
module m(input [3:0] a, output [3:0] y, z); part u(.a(a), .y(y)); part v(.a(a), .step(4'd5), .y(z)); endmodule"),
    ("arrays-of-instances", Both, "
module part(input e, input [1:0] a, output [1:0] y, output z); assign y = e ? ~a : a; assign z = ^a; endmodule
module m(input e, input [5:0] a, output [5:0] y, output [2:0] z, output [1:0] v); part u [2:0] (e, a, y, z); part w [0:1] (.e(e), .a({a[3:0]}), .y(), .z({v[0], v[1]})); endmodule"),
    ("resets-in-the-else", Both, "
module m(input clk, rst_n, input [3:0] d, output reg [3:0] q = 0); always @(posedge clk or negedge rst_n) if (rst_n) q <= d; else q <= 4'd5; endmodule"),
    ("resets-of-blocks-with-variables", Both, "
module m(input clk, rst, input [3:0] d, output reg [3:0] q = 0); always @(posedge clk or posedge rst) begin : l reg [3:0] t; if (rst) begin t = 4'd9; q <= 4'd9; end else begin t = q ^ d; q <= t + 1; end end endmodule"),
    ("words-that-are-partly-registers", Both, "
module m(input clk, input [3:0] a, output reg [3:0] q = 0); always @(posedge clk) q[3:2] <= a[3:2] + q[3:2]; always @* q[1:0] = a[1:0] ^ q[3:2]; endmodule"),
    ("defparam-of-blocks", Both, "
module part #(parameter [3:0] K = 1)(input [3:0] a, output [3:0] y); assign y = a + K; endmodule
module m(input [3:0] a, output [3:0] y, z); genvar i; generate for (i = 0; i < 2; i = i + 1) begin : g wire [3:0] t; part u(a, t); end endgenerate
  defparam g[1].u.K = 6; assign y = g[0].t; assign z = g[1].t; endmodule"),
    ("parameters-behind-the-header", Both, "
module m(input [W-1:0] a, output [W-1:0] y); parameter W = 5; assign y = ~a; endmodule"),
    ("functions-with-outputs", Yosys, "
module m(input [3:0] a, output reg [3:0] y, z); function automatic [3:0] f(input [3:0] i, output [3:0] o); begin o = ~i; f = i + 1; end endfunction
  always @* y = f(a, z); endmodule"),
    ("arguments-declared-twice", Both, "
module m(input [3:0] a, output [3:0] y); function [3:0] f; input i; reg [3:0] i; f = i + 3; endfunction assign y = f(a); endmodule"),
    ("counts-of-digits", Yosys, "
module m(input [3:0] a, output [7:0] y, z); assign y = $countbits(a, '0) + $countbits(6'b01xxz1, 'x, '1); assign z = $countbits(8'bz, 'z); endmodule"),
    ("sizes-in-constants", Yosys, "
module m(input [4:0] a, output [7:0] y); logic [2:0] t [0:3]; localparam B = $bits(a) + $bits(t); assign y = a + B; endmodule"),
    ("macros-that-go-on-with-a-word", Yosys, "
`define KIND fast
module m(input a, output y); wire w_`KIND = !a; assign y = w_fast; endmodule"),
    ("parameters-of-one-bit", Yosys, "
module m(input [3:0] a, output [3:0] y); localparam logic signed K = -1; localparam signed L = -3; assign y = a + K + L; endmodule"),
];
